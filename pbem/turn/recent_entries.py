"""What happened before a player's next question, for the table and for a led turn.

In a game that is played alone this is one story from the player's last decision on, however many
entries it took: nobody else decides anything in between."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pbem.games import registry
from pbem.report import history
from pbem.report.lines import AnswerLine, kind_of
from pbem.report.model import EntryFacts, Report
from pbem.turn.draft_entry import DraftEntry
from pbem.turn.open_game import OpenFile
from pbem.turn.own_report import own_faces


@dataclass(frozen=True)
class RecentEntries:
    """Entries with what happened in them, the oldest first: `whole` has every line. `as_before` has
    the lines that only repeat what an earlier entry said already (of the kinds that the game's
    descriptor calls `standing`), `entries` all others."""

    whole: Sequence[EntryFacts]
    entries: Sequence[EntryFacts]
    as_before: Sequence[EntryFacts]


def recent_entries(opened: OpenFile, facts: Report, start: DraftEntry | None) -> RecentEntries:
    """The entries of a report, and what the next entry of its player holds at its `start` (a
    draft), before they decide anything."""
    entries = [entry for entry in facts.position.entries if entry.seat is not None]
    if not facts.position.witnessed and opened.seat is not None:
        entries = history.entries(opened.ledger, last_decision(opened), own_faces(opened))
    if start is not None:
        fresh = history.entries(start.ledger, len(opened.file.entries), own_faces(opened, start))
        entries += [entry for entry in fresh if entry.lines]
    kinds = registry.descriptor(facts.about.game).standing
    before = []
    if entries and kinds:  # else nobody asks what was said already
        before = history.entries(opened.ledger, 0, own_faces(opened))[: entries[0].number]
    if not facts.position.witnessed and entries:
        begun, entries = _as_one(entries)
        before.append(begun)
    known = [line for one in before for line in one.lines if kind_of(line) in kinds]
    kept = [
        replace(one, lines=[line for line in one.lines if line not in known]) for one in entries
    ]
    left_out = [
        replace(one, lines=[line for line in one.lines if line in known]) for one in entries
    ]
    return RecentEntries(entries, kept, [one for one in left_out if one.lines])


def last_decision(opened: OpenFile) -> int:
    """The number of the newest entry in which the player of this home decided something; where
    there is none, the number after the last entry."""
    seat_of, entries = opened.ledger.seat_of, opened.ledger.entries
    own = [one.number for one in entries if seat_of(one) == opened.seat and "answers" in one.fields]
    return own[-1] if own else len(entries)


def _as_one(entries: Sequence[EntryFacts]) -> tuple[EntryFacts, list[EntryFacts]]:
    """Several entries put together into the first one. Returns that entry twice: with only its
    lines before its first answer, which the player knew when they answered; and with all lines from
    there on, those of the other entries included."""
    head, *rest = entries
    said = [
        place
        for place, line in enumerate(head.lines)
        if isinstance(line, AnswerLine) and not line.ordered
    ]
    first = said[0] if said else 0
    lines = [*head.lines[first:], *(line for entry in rest for line in entry.lines)]
    return replace(head, lines=head.lines[:first]), [replace(head, lines=lines)]
