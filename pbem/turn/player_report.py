"""A game as the player of a home reads it: the file that they name, and the report for their own
eyes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.flow import Refusal
from pbem.home import game_index
from pbem.report.facts import report_to_player
from pbem.report.history import notes
from pbem.report.model import NoteFacts, PlayerFacts, Report
from pbem.turn import open_game
from pbem.turn.draft_entry import Draft
from pbem.turn.open_game import Opened


def _compared(players: Sequence[PlayerFacts], opened: Opened) -> list[PlayerFacts]:
    """The players with the days on which the player of this home compared their fingerprints."""
    known = opened.compared
    return [replace(player, compared=known.get(player.key or "")) for player in players]


def facts_for(
    opened: Opened, *, public: bool, answers: Sequence[str] = ()
) -> tuple[Report, Draft | None]:
    """The report for the player of this home: the position after what their own seat owes (and
    after these answers), and what happened since their last entry. Raises `Refused` at an answer
    that is not taken."""
    try:
        draft = None if public or opened.seat is None else opened.draft(answers)
    except Refusal as error:
        raise open_game.refused(error) from error
    return facts_at(opened, draft, public=public), draft


def facts_at(
    opened: Opened, draft: Draft | None, *, public: bool = False, moves: Sequence[str] | None = None
) -> Report:
    """The report for the player of this home at the position of a draft of theirs, or of the file
    where there is none; `public`: as anybody may read it. `moves` are the legal answers there,
    where the caller has them already."""
    game = opened.ledger if draft is None else draft.ledger
    faces = game.public_faces() if public else open_game.own_faces(opened, draft)
    if moves is None:
        moves = list(open_game.options(draft)) if draft is not None else []
    facts = report_to_player(opened.ledger, game, None if public else opened.seat, faces, moves)
    # they tell what this home remembers and this key can read
    warnings = [] if public else opened.warnings
    players = facts.players if public else _compared(facts.players, opened)
    own = "" if public or opened.memory is None else game_index.read(opened.memory.folder)
    told = replace(facts, players=players, warnings=warnings, called=own or facts.called)
    told = replace(told, may_close=not public and opened.may_close())
    return replace(
        told, stale=not public and opened.stale, sealed=[] if public else _sealed(opened)
    )


def _sealed(opened: Opened) -> list[str]:
    """What the player of this home has sealed in the file and not opened, in words."""
    playing = opened.ledger.playing
    if (
        playing is None
        or opened.seat is None
        or not playing.invitation.may_seal_choices(opened.seat)
    ):
        return []
    return [
        words
        for _, words in playing.referee.choices.own(opened.seat, opened.secrets().root)
        if words
    ]


def notes_for(opened: Opened, *, public: bool = False) -> list[NoteFacts]:
    """The notes that the player of this home may read: their own, which follow from the root, and
    all of those whose root is revealed."""
    game, own = opened.ledger, {}
    if not public and opened.seat is not None:
        own = game.notes.read_own(opened.seat, opened.secrets().root)
    return notes(game, own)
