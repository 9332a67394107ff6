"""The whole story of a game, entry by entry, for somebody: facts as dataclasses for templates and
`pbem log --json`; and a whole game as formats of its own get it (`pbem.games.record`)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from engine.flow import Card, Handle, Seat
from pbem.errors import Do, Usage
from pbem.games.record import ClockMark, GameRecord, Said
from pbem.ledger.clock import DAY, Moment, Terms, time_of
from pbem.ledger.ledger import Ledger
from pbem.report.facts import report
from pbem.report.model import Report


def record_of(game: Ledger) -> GameRecord:
    """Everything that happened so far, as everybody may know it."""
    playing = game.playing
    happened = playing.referee.record if playing is not None else []
    told = [one for one in happened if one.kind == "story"]
    entries = [one.entry for one in told]
    said = (
        Said(game.seat_of(entry), entry.text("message"), bisect_right(entries, number))
        for number, entry in enumerate(game.entries)
        if entry.text("message")
    )
    terms, moments = game.clock.terms, game.clock.moments
    clocks = () if terms is None else tuple(_clocks(terms, moments, entries))
    return GameRecord(
        names=tuple("" if player is None else player.name for player in game.players),
        settings=game.settings,
        date=game.entries[0].date[:10],
        story=tuple(one.facts for one in told),
        outcome=None if playing is None else playing.outcome,
        said=tuple(said),
        clocks=clocks,
        base=0 if terms is None else terms.days * DAY,
        increment=0 if terms is None else terms.increment * DAY,
    )


def _clocks(terms: Terms, moments: Sequence[Moment], entries: Sequence[int]) -> Iterator[ClockMark]:
    """What each author had left at the end of each turn with a decision; `entries` are those of
    the lines of the story."""
    for number, moment in enumerate(moments):
        if moment.has_decision:
            left = time_of(terms, moments[: number + 1], moment.seat).left
            yield ClockMark(moment.seat, left, bisect_right(entries, number))


@dataclass(frozen=True)
class LogFacts:
    """The story of a game from one entry to another, as the seat (or everybody, if null) may read
    it. `last` is the newest entry of the file; the ending is told with it. `private`: it tells
    cards that only this seat knows."""

    KEYS = (
        *("title", "game", "game_id", "measure", "made_with", "seat", "players", "witnessed"),
        *("common_deck", "has_cards", "last", "entries", "over", "private"),
    )
    report: Report
    last: int
    private: bool


def log(
    game: Ledger,
    viewer: Seat | None,
    faces: Mapping[Handle, Card],
    first: int | None,
    until: int | None,
) -> LogFacts:
    """Entries `first` to `until` (both counted, from the invitation to the newest where None), with
    the cards that the viewer knows. Raises `Usage` for entries that the file does not have."""
    last = len(game.entries) - 1
    start, end = first or 0, last if until is None else until
    for number in (start, end):
        if not 0 <= number <= last:
            raise Usage(f"there is no turn {number}: the file has turns 0 to {last}")
    if start > end:
        raise Usage(
            f"turn {start} comes after turn {end}",
            hint=Do("log", "FILE", "--from", str(end), "--to", str(start)),
        )
    facts = report(game, viewer, faces, start)
    facts = facts.with_entries([one for one in facts.position.entries if one.number <= end])
    if end < last:
        facts = replace(facts, progress=replace(facts.progress, over=None))
    is_private = viewer is not None and not faces.keys() <= game.public_faces().keys()
    return LogFacts(facts, last, is_private)
