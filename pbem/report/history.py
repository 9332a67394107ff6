"""What happened, entry by entry, as a viewer may read it.

It gives away no secret that its viewer does not know: names of hidden cards come from `faces`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from engine.cards import number_of, read_handle, write_handle
from engine.flow import Card, Handle, Pick, Roll
from engine.notation import with_card
from pbem.crypto.group import SIZE
from pbem.fileformat.encoding import unb64
from pbem.fileformat.turnfile import Entry
from pbem.ledger.events import ChanceUse, ChoiceEvent, Event, GivenAnswer
from pbem.ledger.file_entry import write_answer, write_order
from pbem.ledger.ledger import Ledger
from pbem.report.attached import attached
from pbem.report.lines import (
    AcceptedLine,
    AnswerLine,
    ChoiceLine,
    DiceLine,
    DrawLine,
    GameData,
    Line,
    OpenedLine,
    OrderLine,
    PickLine,
)
from pbem.report.model import EntryFacts, NoteFacts, ShuffleFacts
from pbem.report.plans import of_entry


def entries(game: Ledger, since: int, faces: Mapping[Handle, Card]) -> list[EntryFacts]:
    """The entries from number `since` on, each with what it held. `faces` are the cards that the
    viewer knows."""
    record = game.playing.referee.record if game.playing is not None else []
    happened: defaultdict[int, list[Event]] = defaultdict(list)
    for one in record:
        happened[one.entry].append(one)
    # one in the making runs ahead of the file
    end = max(len(game.entries), record[-1].entry + 1 if record else 0)
    return [_entry(game, number, happened[number], faces) for number in range(since, end)]


def _entry(
    game: Ledger, number: int, happened: Sequence[Event], faces: Mapping[Handle, Card]
) -> EntryFacts:
    lines = [line(game, one, faces) for one in happened]
    if number >= len(game.entries):
        return EntryFacts(number, None, None, None, "", lines)
    entry = game.entries[number]
    grant = entry.fields.get("grant", 0)
    return EntryFacts(
        number=number,
        seat=entry.seat,
        name=game.player_of(game.seat_of(entry)).name,
        date=entry.date,
        message=entry.text("message"),
        lines=lines,
        joined="key" in entry.fields,
        draw=entry.text("draw"),
        resigned=bool(entry.text("resign")),
        left="resign" in entry.fields and game.seat_of(entry) in game.left,
        revealed="root" in entry.fields,
        shuffled=_shuffle(game, entry),
        shares=_shares(entry),
        leave=entry.text("leave") or None,
        grant=grant if isinstance(grant, int) else 0,
        note=game.notes.texts.get(number) or None,
        no_text=game.notes.texts.get(number) == "",
        sealed_note="note" in entry.fields and number not in game.notes.texts,
        seen_end="end" in entry.fields,
        files=attached(entry),
        plans=of_entry(game, number),
    )


MOST_TOLD = 200
"""Lines of the story that reach back to the beginning of any event."""


def told(game: Ledger) -> list[GameData]:
    """The newest lines of the story, from which one sees what is going on: at most `MOST_TOLD`."""
    record = game.playing.referee.record if game.playing is not None else []
    newest = [told_of(game, one) for one in record[-2 * MOST_TOLD :]]
    return [one for one in newest if one is not None][-MOST_TOLD:]


def told_of(game: Ledger, happened: Event) -> GameData | None:
    """A line of the story, also of dice: the `reason` by which the rules ask for them, and what
    was thrown. None for what is no part of it."""
    if happened.kind == "story":
        return game.rules.tell(happened.facts)
    facts = happened.facts
    if not (isinstance(facts, ChanceUse) and isinstance(facts.request, Roll) and facts.result):
        return None
    roll = facts.request
    return {
        "kind": "thrown",
        "seat": game.seats[roll.seat],
        "reason": roll.reason,
        "why": roll.why,
        "dice": list(facts.result),
    }


def part(entry: EntryFacts, lines: Sequence[Line], *, is_last: bool) -> EntryFacts:
    """A part of an entry, with these of its lines; the last one has what else the entry holds."""
    bare = EntryFacts(entry.number, None, None, None, "", lines)
    rest = replace(entry, lines=lines)
    holds_more = replace(rest, seat=None, name=None, date=None, message="", note=None) != bare
    return rest if is_last and holds_more else bare


def notes(game: Ledger, own: Mapping[int, str]) -> list[NoteFacts]:
    """The notes that a viewer may read, in their order: those in `own`, by the number of the entry,
    and those of everybody whose root is revealed. A note that is no text is empty there."""
    texts = {**own, **game.notes.texts}
    found = []
    for number in sorted(texts):
        entry = game.entries[number]
        name = game.player_of(game.seat_of(entry)).name
        is_revealed = number in game.notes.texts
        found.append(
            NoteFacts(number, entry.seat, name, entry.date, texts[number] or None, is_revealed)
        )
    return found


def _shuffle(game: Ledger, entry: Entry) -> ShuffleFacts | None:
    """Which shuffle of the common deck an entry held."""
    if "pile" not in entry.fields:
        return None
    nth = sum("pile" in earlier.fields for earlier in game.entries[: entry.number + 1])
    return ShuffleFacts(nth, len(game.seats))


def _shares(entry: Entry) -> int:
    """How many shares an entry held; 0 in an entry with answers, where they are not worth a
    line."""
    if "shares" not in entry.fields or "answers" in entry.fields:
        return 0
    # only games with such a deck need it
    from pbem.crypto.decryption_shares import SHARES_PROOF_SIZE

    return (len(unb64(entry.text("shares"))) - SHARES_PROOF_SIZE) // SIZE


def line(game: Ledger, happened: Event, faces: Mapping[Handle, Card]) -> Line:
    """One line of the record, for somebody who knows these cards."""
    facts = happened.facts
    if isinstance(facts, GivenAnswer):
        return AnswerLine(
            game.seats[facts.seat], _answer_in_words(game, facts, faces), facts.by_order
        )
    if isinstance(facts, ChoiceEvent):
        return ChoiceLine(game.seats[facts.seat], facts.label, facts.words)
    if isinstance(facts, ChanceUse):
        return _chance(game, facts, faces)
    if happened.kind == "accepted":
        return AcceptedLine(game.seats[facts])
    if happened.kind == "ordered":
        return OrderLine(game.seats[facts[0]], write_order(game.decks, facts[1]))
    if happened.kind == "opened":
        handle, card = facts
        seat = game.seats[game.begun().referee.turn.owner(handle)]
        return OpenedLine(seat, write_handle(game.decks, handle), game.rules.cards[card])
    return _story(game, game.rules.tell(facts), faces)


def _story(game: Ledger, facts: GameData, faces: Mapping[Handle, Card]) -> GameData:
    """A line of the story; if it tells of a back, also the card's name as `face`, None if the
    viewer does not know."""
    back = facts.get("card")
    handle = read_handle(game.decks, back) if isinstance(back, str) else None
    if handle is None:
        return facts
    return {**facts, "face": game.rules.cards[faces[handle]] if handle in faces else None}


def _answer_in_words(game: Ledger, said: GivenAnswer, faces: Mapping[Handle, Card]) -> str:
    """An answer in words, hidden cards by name where the viewer knows them and by handle where
    not."""
    handle = said.answer.handle
    if "{}" in said.words and handle not in faces:
        return write_answer(game.decks, said.words, handle)
    return with_card(game.rules, said.words, handle, faces)


def _chance(
    game: Ledger, chanced: ChanceUse, faces: Mapping[Handle, Card]
) -> DiceLine | PickLine | DrawLine:
    request, result = chanced.request, chanced.result or ()
    witnesses, entry = [game.seats[seat] for seat in chanced.witnesses], chanced.entry
    if isinstance(request, Roll):
        seat, hits = game.seats[request.seat], list(request.hits)
        return DiceLine(seat, request.why, request.sides, list(result), hits, witnesses, entry)
    known = sorted(game.rules.cards[faces[handle]] for handle in result if handle in faces)
    backs = [write_handle(game.decks, handle) for handle in sorted(result, key=number_of)]
    if isinstance(request, Pick):
        return PickLine(request.why, witnesses, entry, request.number, known, backs)
    return DrawLine(game.seats[request.seat], witnesses, entry, request.number, known, backs)
