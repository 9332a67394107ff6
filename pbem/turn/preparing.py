"""Reads the answers that a player prepares (`pbem.turn.prepared`), and plays them on copies of the
game.

Only games of two without chance and hidden information have them (`why_none`): everything that an
answer rests on is then in the turn that it answers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from engine.flow import Refusal
from pbem.errors import Refused, RulesBroken, Typed
from pbem.ledger.ledger import Ledger
from pbem.ledger.playing import close_entry
from pbem.turn import prepared
from pbem.turn.draft_lines import Intent
from pbem.turn.open_game import SeatedFile
from pbem.turn.prepared import Branch, Turn, as_said
from pbem.turn.questions import check_answers, refused
from pbem.turn.signing import unsigned

MAX_TEXT = 4_000
"""Characters in which branches are entered at a time."""
_HIDDEN = frozenset(
    ("proof", "openings", "seals", "choice", "chosen", "shares", "box", "root"),
)
"""Fields of an entry in a game with chance, or with something hidden."""


def why_none(game: Ledger) -> str:
    """Why no answers can be prepared in this game; empty if they can. What its rules say of
    themselves counts, and what its entries hold as well."""
    rules, settings = game.rules, game.settings
    title = rules.title
    if rules.has_chance(settings) or rules.is_by_hand(settings):
        return f"{title} has dice, and what you would answer hangs on them"
    if rules.cards or rules.decks(settings) or rules.seals_choices(settings):
        return f"{title} has something hidden, and an answer that came at once would tell of it"
    players = [seat for seat in game.invitation.keyed_seats() if seat in game.deciding()]
    if len(game.seats) != 2 or len(players) != 2:
        return f"{title} is not played by two here"
    if game.playing is None:
        return "the game has not begun yet"
    # the entry with the first answers may hold a proof for a throw of the set-up
    first = next((one.number for one in game.entries if one.list("answers")), len(game.entries))
    if any(_HIDDEN.intersection(entry.fields) for entry in game.entries[first + 1 :]):
        return f"chance or something hidden has come into this game of {title}"
    return "the game is over" if game.is_over() else ""


_PART = re.compile(r"(?i:if\b)?\s*(?P<on>(?i:then\b))?\s*(?i:if\b)?\s*(?P<rest>.*)", re.DOTALL)
_THEN = re.compile(r"(?i:\s+then\s+(?:if\s+)?)")
_AND = re.compile(r"(?i:\s+and\s+)")


def branches_in(text: str) -> list[Branch]:
    """The branches of a text, as its writer spells the answers: "if e5 then Nf3; if then Nc6 then
    Bb5; if d5 then exd5". A part that begins with "then" goes on where the one before it ends.
    Raises `Refused`."""
    if len(text) > MAX_TEXT:
        raise Refused(f"more than {MAX_TEXT} characters of prepared answers", hint="say less")
    found: list[Branch] = []
    for part in filter(None, (one.strip() for one in text.split(";"))):
        match = _PART.fullmatch(part)
        assert match is not None
        turns = tuple(map(_turn, _THEN.split(match["rest"])))
        if match["on"] and not found:
            raise Refused(f'"{part[:80]}" goes on from nothing', hint=_SAY)
        before = found[-1] if match["on"] else ()
        if len(turns) % 2 or not all(turns):
            raise Refused(f'"{part[:80]}" does not end with an answer of yours', hint=_SAY)
        found.append((*before, *turns))
    if not found:
        raise Refused("no answer is prepared in that", hint=_SAY)
    return found


_SAY = (
    'first what they may play, then what you answer: "if e5 then Nf3; if then Nc6 then Bb5"',
    Typed('several answers in one turn are joined by "and"'),
)


def _turn(said: str) -> Turn:
    """The answers of one turn; three points before it stand for whoever is to move."""
    answers = (one.strip().removeprefix("...").removeprefix("…") for one in _AND.split(said))
    return tuple(filter(None, (one.strip() for one in answers)))


def prepared_with(opened: SeatedFile, intent: Intent) -> tuple[Branch, ...]:
    """The branches that a player says with their turn, or while they wait for the other's, in
    canonical words; each of them is played to its end. Raises `Refused` at one that cannot be."""
    if not intent.prepared:
        return ()
    check_may(opened)
    said = [branch for text in intent.prepared for branch in branches_in(text)]
    if len(said) > prepared.MOST:
        what = f"{len(said)} branches: {prepared.MOST} can be prepared"
        raise Refused(what, hint="leave some out")
    found = tuple(_known_or_played(opened, intent, branch) for branch in said)
    if before := prepared.conflict(found):
        what = f'two different answers to "{as_said(before[-1])}"'
        raise Refused(what, hint="leave one of them out")
    return found


def is_possible(opened: SeatedFile) -> bool:
    """Whether answers can be prepared."""
    try:
        check_may(opened)
    except Refused:
        return False
    return True


def check_may(opened: SeatedFile) -> None:
    """Raise `Refused` where no answers can be prepared."""
    reason = why_none(opened.ledger)
    if not reason and opened.to_play() is None and opened.ledger.begun().waits_for_inviter():
        reason = "whoever invited has not said yet that they play with you"
    if reason:
        raise Refused(f"no answers can be prepared: {reason}", hint="leave them out")


_MOST_KNOWN = 500
_known: dict[tuple[object, ...], Branch] = {}
"""Branches that were played already: a turn in the making is looked at again and again."""


def _known_or_played(opened: SeatedFile, intent: Intent, branch: Branch) -> Branch:
    before = opened.file.entries[-1].after, opened.to_play() is None
    key = (*before, intent.answers, intent.orders, branch)
    if key not in _known:
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        _known[key] = _played(opened, intent, branch)
    return _known[key]


def _played(opened: SeatedFile, intent: Intent, branch: Branch) -> Branch:
    """A branch in canonical words, played on a copy of the game, after the player's own turn if it
    is theirs to write now."""
    if len(branch) > prepared.DEEPEST:
        raise Refused(f"a branch of {len(branch)} turns: {prepared.DEEPEST} is the most")
    game = game_before(opened, intent)
    found: list[Turn] = []
    for said in branch:
        turn = game.to_act()
        if turn is None or game.is_over():
            raise Refused(f'the game is over before "{as_said(said)[:80]}"', hint="leave that out")
        answers, game = _after(replace(opened, seat=turn), game, said)
        if not answers:
            raise Refused(f'nothing is asked before "{as_said(said)[:80]}"')
        found.append(answers)
    return tuple(found)


def game_before(opened: SeatedFile, own: Intent) -> Ledger:
    """A copy of the game where branches begin: after the player's own turn, if it is theirs to
    write now. Raises `Refused` for one that is not whole."""
    game = opened.copy()
    return game if opened.to_play() is None else _after(opened, game, own.answers, own.orders)[1]


def _after(
    opened: SeatedFile, game: Ledger, said: Sequence[str], orders: Sequence[str] = ()
) -> tuple[Turn, Ledger]:
    """What an entry with these answers holds, and the game after it; nothing is signed. It is that
    of `opened.seat`, the other player's too: without chance and secrets it needs none of theirs."""
    try:
        draft = opened.draft_on(game, said, orders)
        check_answers(draft)
        close_entry(draft.ledger.begun(), draft)
    except Refusal as error:
        raise _in_a_branch(refused(error), said) from error
    except RulesBroken as error:
        raise _in_a_branch(Refused("that is no whole turn"), said) from error
    except Refused as error:
        raise _in_a_branch(error, said) from error
    answers = draft.contents()["answers"]
    assert isinstance(answers, list)
    return tuple(answers), unsigned(draft, opened.file.data, bytes(32))


def _in_a_branch(error: Refused, said: Sequence[str]) -> Refused:
    return Refused(f'prepared answers, at "{as_said(said)[:80]}": {error.what}', hint=error.hint)
