"""What happened before a player's next question, as it is told at the table and in a led turn.

Of a game that is played alone that is one story, from the player's last decision on, whatever
number of entries it took: nobody else decides anything in between.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pbem.games import registry
from pbem.report import history
from pbem.report.lines import AnswerLine, kind_of
from pbem.report.model import EntryFacts, Report
from pbem.turn.draft_entry import Draft
from pbem.turn.open_game import OpenFile, own_faces


@dataclass(frozen=True)
class RecentEntries:
    """Entries with what happened in them, the oldest first: the `whole`, and parted into `entries`
    and `as_before`, which tells what stands as it stood already (the `standing` kinds of the game's
    descriptor)."""

    whole: Sequence[EntryFacts]
    entries: Sequence[EntryFacts]
    as_before: Sequence[EntryFacts]


def recent_entries(opened: OpenFile, facts: Report, start: Draft | None) -> RecentEntries:
    """What the entries of a report brought, and what the next entry of its player holds at its
    `start`, before they decide anything."""
    entries = [entry for entry in facts.entries if entry.seat is not None]
    if not facts.witnessed and opened.seat is not None:
        entries = history.entries(opened.ledger, last_decision(opened), own_faces(opened))
    if start is not None:
        fresh = history.entries(start.ledger, len(opened.file.entries), own_faces(opened, start))
        entries += [entry for entry in fresh if entry.lines]
    before = (
        history.entries(opened.ledger, 0, own_faces(opened))[: entries[0].number] if entries else []
    )
    if not facts.witnessed and entries:
        begun, entries = _as_one(entries)
        before.append(begun)
    kinds = registry.descriptor(facts.game).standing
    known = [line for one in before for line in one.lines if kind_of(line) in kinds]
    kept = [
        replace(one, lines=[line for line in one.lines if line not in known]) for one in entries
    ]
    left_out = [
        replace(one, lines=[line for line in one.lines if line in known]) for one in entries
    ]
    return RecentEntries(entries, kept, [one for one in left_out if one.lines])


def last_decision(opened: OpenFile) -> int:
    """The newest entry in which the player of this home decided something; the one after all where
    there is none."""
    seat_of, entries = opened.ledger.seat_of, opened.ledger.entries
    own = [one.number for one in entries if seat_of(one) == opened.seat and "answers" in one.fields]
    return own[-1] if own else len(entries)


def _as_one(entries: Sequence[EntryFacts]) -> tuple[EntryFacts, list[EntryFacts]]:
    """The story of several entries as that of the first, from its first answer on; and what stands
    before that, which was there when the player answered."""
    head, *rest = entries
    said = [
        place
        for place, line in enumerate(head.lines)
        if isinstance(line, AnswerLine) and not line.ordered
    ]
    first = said[0] if said else 0
    lines = [*head.lines[first:], *(line for entry in rest for line in entry.lines)]
    return replace(head, lines=head.lines[:first]), [replace(head, lines=lines)]
