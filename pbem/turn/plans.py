"""Plans in a turn: what a player seals and opens (docs/format.md, section 23), in their words, and
what they should know of it before they sign."""

from __future__ import annotations

from typing import NamedTuple

from engine.flow import Seat
from pbem.crypto import plans
from pbem.english import counted, listed
from pbem.errors import Refused
from pbem.fileformat.characters import first_forbidden
from pbem.ledger.ledger import Ledger, player_names
from pbem.ledger.plans import GROUP, MOST, MOST_CLOSED, Plans
from pbem.turn.draft_lines import Intent

ALL = "all"
"""Says that every plan is opened that is closed."""


class PlanText(NamedTuple):
    """A plan as its player says it; `group` is empty where it opens alone."""

    text: str
    group: str


def said(intent: Intent) -> list[PlanText]:
    """The plans that a turn seals. Raises `Refused` for one that names no group where it should."""
    return [*(PlanText(text, "") for text in intent.plans), *map(joint, intent.joint_plans)]


def joint(given: str) -> PlanText:
    """A plan that opens together with others: `winter: I attack Derne`. Raises `Refused`."""
    group, colon, text = (part.strip() for part in given.partition(":"))
    if not (colon and GROUP.fullmatch(group)):
        raise Refused(
            f'"{given[:40]}" does not say with which plans it opens',
            hint='a word that all of you use, and then the plan: "winter: I attack Derne"; the word'
            " has small letters, digits and hyphens, 20 at most",
        )
    return PlanText(text, group)


def opened(intent: Intent, known: Plans, seat: Seat) -> list[int]:
    """The numbers of the plans that a turn opens. Raises `Refused` for one that is not there, or is
    open."""
    closed = [plan.number for plan in known.closed(seat)]
    if intent.opens and not closed:
        raise Refused("you have no sealed plan that is not open")
    if ALL in intent.opens:
        return closed
    for text in intent.opens:
        if text not in map(str, closed):
            raise Refused(
                f'"{text[:20]}" is no plan of yours that is still sealed',
                hint=f"these are: {listed([*map(str, closed)])}; or {ALL}",
            )
    return sorted({int(text) for text in intent.opens})


def check(intent: Intent, game: Ledger, seat: Seat) -> None:
    """Raise `Refused` unless an entry of this seat may seal these plans, and open those."""
    playing, made = game.deciding(), said(intent)
    if game.is_over() or seat not in playing:
        raise Refused("plans are sealed and opened by who plays, as long as the game goes on")
    if intent.resign and made:
        raise Refused("who resigns has no use for a plan", hint="leave it out, or write a message")
    opens = opened(intent, game.plans, seat)
    if len(made) > MOST or len(game.plans.closed(seat)) - len(opens) + len(made) > MOST_CLOSED:
        raise Refused(
            f"{counted(len(made), 'plan')}: {MOST} can be sealed with a turn, and {MOST_CLOSED} be"
            " sealed at a time",
            hint="put several into one, or open old ones first",
        )
    for plan in made:
        check_text(plan.text)
        if plan.group and not game.plans.missing(plan.group, playing):
            raise Refused(
                f'everybody has sealed a plan in "{plan.group}", and those open now',
                hint="use another word for the next plans",
            )


def check_text(text: str) -> None:
    """Raise `Refused` unless this text can be sealed."""
    check_characters("the plan", text)
    try:
        plans.pad(text)
    except ValueError as error:
        hint = f"one line of at most {plans.LONGEST} bytes; what is longer goes into two plans"
        raise Refused(f"the {str(error).removeprefix('a ')}", hint=hint) from error


def check_characters(what: str, text: str) -> None:
    """Raise `Refused`, with the character and its place, where a text holds one that no message may
    hold."""
    if (found := first_forbidden(text)) is not None:
        raise Refused(f"{what}: {found}, which no turn file may hold there", hint="leave it out")


def consequences(intent: Intent, game: Ledger, seat: Seat) -> list[str]:
    """What a player should know before they sign what they seal or open."""
    if not (intent.plans or intent.joint_plans or intent.opens):
        return []
    made, lines, names = said(intent), [], player_names(game)
    others = [names[one] for one in game.deciding() if one != seat]
    for number, plan in enumerate(made, len(game.plans.of(seat)) + 1):
        has = f"{listed(others)} {'has' if len(others) == 1 else 'have'}"
        opens = f', and your program opens it once {has} sealed one in "{plan.group}" too'
        opens = opens if plan.group and others else ""
        lines.append(f"plan {number} is sealed in this turn{opens}")
    if made and not game.begun().owes_root(seat):
        lines.append(
            "in this game nothing of yours is opened at the end: a plan that you never open stays"
            " sealed for ever"
        )
    opens_now = set(opened(intent, game.plans, seat))
    for own in game.plans.closed(seat):
        missing = game.plans.missing(own.group, game.deciding()) if own.group else []
        if own.number in opens_now and missing:
            waiting = listed([names[one] for one in missing])
            lines.append(
                f"plan {own.number} is to open together with the others: {waiting} can read it now"
                f' before they seal one in "{own.group}"'
            )
    return lines
