"""The report of an opened game for the player of this home: what the file tells everybody, and what
their memory and key add."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from engine.flow import Card, Handle, Refusal
from pbem import files
from pbem.home import attached_files, clock, own_name
from pbem.ledger.clock import seconds
from pbem.report import time
from pbem.report.facts import report_to_player
from pbem.report.history import notes
from pbem.report.model import EntryFacts, NoteFacts, Progress, Report
from pbem.report.plans import own_plans
from pbem.turn import prepared
from pbem.turn.draft_entry import DraftEntry, Hand
from pbem.turn.open_game import HomeFile, OpenFile, SeatedFile
from pbem.turn.questions import options, refused
from pbem.turn.series import facts_in_home


def own_faces(opened: OpenFile, draft: DraftEntry | None = None) -> Mapping[Handle, Card]:
    """Every card the player of this home knows: opened for everybody, or their own."""
    if draft is not None:
        return draft.faces()
    public = opened.ledger.public_faces()
    if not isinstance(opened, SeatedFile):
        return public
    return {**public, **Hand(opened.ledger, opened.seat, opened.secrets().root).faces}


def facts_for(
    opened: OpenFile, *, public: bool, answers: Sequence[str] = ()
) -> tuple[Report, DraftEntry | None]:
    """The report for the player of this home: the position after what their own seat owes (and
    after these answers), and what happened since their last entry. Raises `Refused` at an answer
    that is not taken."""
    try:
        draft = None if public or opened.seat is None else opened.draft(answers)
    except Refusal as error:
        raise refused(error) from error
    return facts_at(opened, draft, public=public), draft


def facts_at(
    opened: OpenFile,
    draft: DraftEntry | None,
    *,
    public: bool = False,
    moves: Sequence[str] | None = None,
) -> Report:
    """The report for the player of this home at the position of a draft of theirs, or of the file
    where there is none; `public`: as anybody may read it. `moves` are the legal answers there,
    where the caller has them already."""
    game = opened.ledger if draft is None else draft.ledger
    faces = game.public_faces() if public else own_faces(opened, draft)
    if moves is None:
        moves = list(options(draft)) if draft is not None else []
    facts = report_to_player(opened.ledger, game, None if public else opened.seat, faces, moves)
    return facts if public else _for_player(opened, facts)


def _for_player(opened: OpenFile, facts: Report) -> Report:
    """The report with what this home remembers, and what its key can read."""
    days = opened.compared
    players = [
        replace(player, compared=days.get(player.key or "")) for player in facts.position.players
    ]
    own = own_name.read(opened.memory.folder) if isinstance(opened, HomeFile) else ""
    entries = [with_files(opened, entry) for entry in facts.position.entries]
    return replace(
        facts,
        position=replace(facts.position, players=players, entries=entries),
        progress=_at_this_moment(opened, facts.progress),
        warnings=opened.warnings,
        called=own or facts.called,
        may_close=opened.may_close(),
        stale=opened.stale,
        sealed=_sealed(opened),
        plans=own_plans(opened.ledger, opened.seat, opened.secrets().root)
        if isinstance(opened, SeatedFile)
        else (),
        prepared=prepared.in_words(prepared.left_in(opened.memory, opened.file))
        if isinstance(opened, SeatedFile)
        else (),
        series=facts_in_home(opened.memory.home, opened.ledger)
        if isinstance(opened, HomeFile)
        else facts.series,
    )


def with_files(opened: OpenFile, entry: EntryFacts) -> EntryFacts:
    """What an entry held, with where this home keeps the files that go with it."""
    if not entry.files or not isinstance(opened, HomeFile):
        return entry
    folder = opened.memory.folder
    kept = attached_files.files_with(folder, opened.file.entries[entry.number])
    return replace(
        entry,
        files=[
            replace(facts, state=one.state, path=files.printable(one.path))
            for facts, one in zip(entry.files, kept, strict=True)
        ],
    )


def _at_this_moment(opened: OpenFile, progress: Progress) -> Progress:
    """The clocks and absences as they are now, and not at the end of the newest entry."""
    now, game = clock.now(), opened.ledger
    running = progress.clock
    if running is not None:
        seen = ""
        if isinstance(opened, HomeFile) and game.to_act() == opened.seat:
            seen = opened.memory.read.first_seen(opened.file.data, len(opened.file.entries) - 1)
        running = time.running(running, progress.away, seen or game.entries[-1].date, now)
    away = [one for one in progress.away if seconds(one.until) > seconds(now)]
    return replace(progress, clock=running, away=away)


def _sealed(opened: OpenFile) -> list[str]:
    """What the player of this home has sealed in the file and not opened, in words."""
    playing = opened.ledger.playing
    if (
        playing is None
        or not isinstance(opened, SeatedFile)
        or not playing.invitation.may_seal_choices(opened.seat)
    ):
        return []
    return [
        words
        for _, words in playing.referee.choices.own(opened.seat, opened.secrets().root)
        if words
    ]


def notes_for(opened: OpenFile, *, public: bool = False) -> list[NoteFacts]:
    """The notes that the player of this home may read: their own, which follow from the root, and
    all of those whose root is revealed."""
    game, own = opened.ledger, {}
    if not public and isinstance(opened, SeatedFile):
        own = game.notes.read_own(opened.seat, opened.secrets().root)
    return notes(game, own)
