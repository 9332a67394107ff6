"""What goes into an entry besides answers: a private note, an absence, days for the others, files
(docs/format.md, sections 15, 16 and 22). None of it is a decision, and none of it changes the game.
Plans are in `pbem.turn.plans`.

Here too is what a player should know of their standing orders before they sign: what each tells
everybody about their hand (docs/trust.md, "What a standing order gives away"), and which answers it
has given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta

from engine.cards import Deck, write_handle
from engine.flow import Card, Handle, Seat
from engine.notation import with_card
from engine.orders import Order
from pbem.crypto import notes
from pbem.english import counted, spell
from pbem.errors import Do, Refused, Typed, Usage
from pbem.fileformat import attached
from pbem.fileformat.toml_subset import Fields
from pbem.ledger.clock import MOST, read_terms
from pbem.ledger.events import GivenAnswer
from pbem.ledger.ledger import Ledger
from pbem.ledger.playing import Playing
from pbem.ledger.series import SeriesPlace
from pbem.ledger.series import read_terms as read_series
from pbem.turn import plans
from pbem.turn.draft_lines import Intent

WILL_BE_REVEALED = (
    "your note is sealed in this turn; your last turn opens it with your cards, and everybody who"
    " has the file can read it then"
)


def fields_of(intent: Intent, game: Ledger, seat: Seat) -> Fields:
    """The fields of an absence, of days for the others and of files in an entry of this seat; the
    note and the plans are checked here, and sealed when the entry is signed. Raises `Refused`."""
    if intent.note:
        check_note(intent.note, game, seat)
    if intent.leave:
        check_leave(intent.leave)
    if intent.grant:
        _check_grant(intent.grant, game, seat)
    if intent.plans or intent.joint_plans or intent.opens:
        plans.check(intent, game, seat)
    fields: Fields = {}
    if intent.leave:
        fields["leave"] = utc_day(intent.leave)
    if intent.grant:
        fields["grant"] = intent.grant
    if intent.files:
        check_files(intent.files)
        fields["files"] = [*intent.files]
    return fields


def check_files(lines: Sequence[str]) -> None:
    """Raise `Refused` unless these files can go with one turn together."""
    if problem := attached.problem_of_all([attached.read_line(line, "") for line in lines]):
        raise Refused(problem.what, hint="leave one out, or send it with your next turn")


def check(intent: Intent, game: Ledger, seat: Seat) -> None:
    """Raise `Refused` unless an entry of this seat may hold the message, the note, the absence, the
    days and the files that a player gives."""
    if intent.message:
        check_message(intent.message)
    fields_of(intent, game, seat)


def problems_of_texts(intent: Intent, game: Ledger, seat: Seat) -> dict[str, Refused]:
    """Why an entry of this seat may not hold the message or the note, under these names."""
    found: dict[str, Refused] = {}
    for name, alone in (
        ("message", Intent(message=intent.message)),
        ("note", Intent(note=intent.note)),
    ):
        try:
            check(alone, game, seat)
        except Refused as error:
            found[name] = error
    return found


def consequences(intent: Intent, game: Ledger, seat: Seat) -> list[str]:
    """What the author of a note or an absence should know before it is signed."""
    lines = [WILL_BE_REVEALED] if intent.note else []
    times, terms = game.clock.times(game.invitation.clocked_seats()), game.clock.terms
    if intent.leave and terms is not None and seat in times:
        left = times[seat].leave
        still = (
            f"for at most {spell(left)} of it"
            if left
            else "not at all: this game grants no more leave"
        )
        lines.append(f"while you are away your clock stands still {still}")
    return lines + plans.consequences(intent, game, seat)


def check_note(text: str, game: Ledger, seat: Seat) -> None:
    """Raise `Refused` unless an entry of this seat may hold the note."""
    if not game.begun().owes_root(seat):
        raise Refused(
            "nothing of yours is opened at the end of this game, so a note would stay sealed for"
            " ever",
            hint=Typed("keep it elsewhere, or tell the others with --message"),
        )
    plans.check_characters("the note", text)
    try:
        notes.pad(text)
    except ValueError as error:
        raise Refused(
            f"the note: {error}", hint="plain text; what is longer goes into two turns"
        ) from error


def check_message(message: str) -> None:
    """Raise `Refused` if no turn file may hold this message to the others."""
    plans.check_characters("the message", message)
    if len(message) > 4000:
        raise Refused(f"the message has {len(message)} characters, 4000 are allowed")


def check_leave(text: str) -> None:
    """Raise `Usage` unless this is a day, `Refused` if it is past."""
    try:
        day = date.fromisoformat(text)
    except ValueError as error:
        raise Usage(f'"{text[:20]}" is no day', hint="write it as in 2026-12-31") from error
    if day.isoformat() != text:
        raise Usage(
            f'"{text[:20]}" is no day as the file has it', hint=f"write it as in {day.isoformat()}"
        )
    if day < datetime.now().astimezone().date():
        raise Refused(f"{text} is past", hint="name the last day of your absence")


def utc_day(text: str) -> str:
    """The day of the file, in UTC, in which this day of the player's own zone ends: they are away
    until its end. It has passed `check_leave`."""
    try:
        end = datetime.fromisoformat(text) + timedelta(days=1, seconds=-1)
        return end.astimezone(UTC).date().isoformat()
    except (OverflowError, ValueError, OSError):
        return text


def _check_grant(days: int, game: Ledger, seat: Seat) -> None:
    """Raise `Refused` unless this seat may give so many days to the others."""
    if game.clock.terms is None:
        raise Refused(
            "this game has no clock, so there are no days to give",
            hint=Do("new", "GAME", "--clock", "30+3", does="has one"),
        )
    others = [other for other in game.invitation.clocked_seats() if other != seat]
    if seat not in game.invitation.clocked_seats() or not others:
        raise Refused("days are given by a player with a clock to another one")
    if not 1 <= days <= MOST:
        raise Refused(f"{days} days cannot be given", hint=f"1 to {MOST}")


def clock_fields(clock: str, leave: int) -> Fields:
    """What an invitation holds of a clock: `30+3`, and days of leave (0: none). Raises `Usage`."""
    if not clock:
        if leave:
            raise Usage(
                "leave stops a clock, and this game has none", hint=Typed("--clock 30+3 --leave 30")
            )
        return {}
    try:
        read_terms(clock)
    except ValueError as error:
        raise Usage(
            f'"{clock[:20]}": {error}', hint=Typed("--clock 30+3, or leave it out")
        ) from error
    if not 0 <= leave <= MOST:
        raise Usage(
            f"{counted(leave, 'day')} of leave", hint=Typed(f"1 to {MOST}, or leave --leave out")
        )
    fields: Fields = {"clock": clock}
    if leave:
        fields["leave-days"] = leave
    return fields


def first_of_series(terms: str) -> SeriesPlace | None:
    """The first game of a series on these terms, `best of 5`; None where there are none. Raises
    `Usage`."""
    if not terms:
        return None
    try:
        return SeriesPlace(read_series(" ".join(terms.lower().split())))
    except ValueError as error:
        raise Usage(
            f'"{terms[:20]}" are no terms of a series',
            hint=Typed('--series "2 games", "2 games at once", "best of 5" or "3 points"'),
        ) from error


def given_away(decks: Sequence[Deck], order: Order, in_force: Mapping[str, Order]) -> str:
    """What a new order shows of the hand: one that plays a card, or one that takes back a decline,
    which is mostly done when the card has come. Empty for any other: a decline alone shows
    nothing."""
    before = in_force.get(order.topic)
    if order.handle is not None:
        back = write_handle(decks, order.handle)
        return (
            f"the order to play {order.topic} tells everybody that you hold it, and that it is"
            f" {back}"
        )
    if before is not None and before.value == ("decline",):
        return (
            f"taking back the order to decline {order.topic} tells everybody that you may hold"
            " it now"
        )
    return ""


def left_open(names: Sequence[str]) -> str:
    """What `others: decline` tells everybody; `names` are the cards in the hand that it leaves
    without an order."""
    return (
        '"others: decline" tells everybody that you may hold'
        f' {", ".join(names) or "none of these cards"}; "all: decline" declines each card, held or'
        " not, and tells nothing"
    )


def given_by_orders(
    game: Playing, seat: Seat, number: int, faces: Mapping[Handle, Card]
) -> list[str]:
    """The answers that this seat's own orders have given in entry `number`, by their sentences;
    `faces` are the cards that the seat knows."""
    record = game.referee.record
    said = [
        happened.facts
        for happened in record
        if happened.entry == number and isinstance(happened.facts, GivenAnswer)
    ]
    return [
        with_card(game.rules, one.words, one.answer.handle, faces)
        for one in said
        if one.by_order and one.seat == seat
    ]
