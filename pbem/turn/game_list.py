"""The games of a home in a few facts each: whose turn it is, since when, and what is asked.

A summary is remembered beside its game (`summary.json`), for replaying a long one takes a moment.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from pbem import files
from pbem.errors import Damaged, Newer, PbemError, Usage, with_hint
from pbem.fileformat.turnfile import MAX_FILE, TurnFile
from pbem.home import clock, game_index, heartbeat, ignore_list, outbox, place, store
from pbem.home.game_index import NEWER, game_folders, kept_in
from pbem.home.home import Home
from pbem.home.identity import Identity
from pbem.home.known_names import Names, players_of
from pbem.home.memory import Memory
from pbem.home.outbox import SentTurn
from pbem.home.store import StateFile
from pbem.ledger import gate
from pbem.ledger.clock import seconds
from pbem.turn.game_summary import GameSummary, Seated, decision, summary
from pbem.turn.inbox import Inbox, Item
from pbem.turn.open_game import Opened


@dataclass(frozen=True)
class Remembered:
    """A summary, its own digest, and what it was made of: the `layout` of this file, the player's
    key, the SHA-256 of the turn file."""

    layout: str
    key: str
    file: str
    digest: str
    summary: GameSummary


_SUMMARY = StateFile("summary.json", Remembered, MAX_FILE)


class GameList(NamedTuple):
    """The games of a home, those first that wait for its player; each file of it that is damaged or
    newer than this program, with what is wrong; the games that the player ignores; and why each of
    these is hidden, by 32 digits of its id (`pbem.home.ignore_list`)."""

    games: list[GameSummary]
    damaged: list[Item]
    hidden: list[GameSummary]
    reasons: Mapping[str, str]


def games(
    home: Home, identity: Identity, refused: Mapping[str, Sequence[bytes]] | None = None
) -> GameList:
    """Every game of the home. Of `refused` (`Inbox.refused`) nothing was kept; the reasons are told
    of them too."""
    damaged: list[Item] = []
    names = Names(home, identity)
    if (problem := names.problem) is not None:
        damaged.append(Item(problem.where, "damaged", f"{problem.what}; {problem.hint}"))
    told: list[GameSummary] = []
    players = dict(refused or {})
    for folder in game_folders(home):
        if (found := _told(folder, home, identity, names, damaged)) is not None:
            summary, file = found
            told.append(summary)
            players[folder.name] = [met.key for met in players_of(file.entries)]
    # what is to be sent is sent from where the home is used now
    if place.signs_nothing(home.folder):
        told = [
            replace(one, not_sent=False, not_taken=[], bounced=[], passes_on=_another(one))
            for one in told
        ]
    told.sort(key=_rank)
    reasons: Mapping[str, str] = {}
    try:
        reasons = ignore_list.hidden(home, identity.public, lambda: players)
    except Damaged as error:
        damaged.append(Item(error.where, "damaged", f"{error.what}; {error.hint}"))
    shown = [one for one in told if one.game_id[:32] not in reasons]
    return GameList(shown, damaged, [one for one in told if one.game_id[:32] in reasons], reasons)


def _another(told: GameSummary) -> Seated | None:
    """Who passes a game on, if it is not the player of the home."""
    return None if told.passes_on is None or told.passes_on.seat == told.seat else told.passes_on


def _rank(told: GameSummary) -> tuple[bool, bool, bool, str]:
    """Games that wait for the player first, what others invite to after all of their own."""
    return told.over is not None, told.seat is None, not told.yours, told.since


def _told(
    folder: Path, home: Home, identity: Identity, names: Names, damaged: list[Item]
) -> tuple[GameSummary, TurnFile] | None:
    """What there is to know of a game, and its newest file."""
    # of a game that was never begun nothing else is opened
    for below in (folder, folder / "signed", folder / "read"):
        files.remove_leftovers(below)
    kept = kept_in(folder)
    damaged += [
        Item(files.shown(one.path), "newer" if one.is_newer else "damaged", one.what)
        for one in kept.damages
    ]
    if (shelf := kept.shelf) is None:
        return None
    of = (
        _SUMMARY.layout(),
        identity.public.hex()[:16],
        hashlib.sha256(shelf.file.data).hexdigest(),
    )
    told = _remembered(folder, of)
    if told is None:
        try:
            game = gate.replay(shelf.file, home.checks.verifier)
        except Newer as error:
            damaged.append(Item(files.shown(shelf.path), "newer", f"{NEWER} ({error})"))
            return None
        except PbemError as error:
            damaged.append(
                Item(files.shown(shelf.path), "damaged", f"{error}; restore it from your copy")
            )
            return None
        own = decision(Opened(shelf.file, game, game.seat_with(identity.public), identity=identity))
        told = summary(game, identity.public, own)
        try:
            _SUMMARY.write(folder, Remembered(*of, store.digest(told), told))
        except Usage as error:
            damaged += _unwritten(home, folder / _SUMMARY.name, error, damaged)
    if told.seat is not None:
        names.remember(shelf.file)
    forked = [str(path) for path in shelf.rivals]
    now, turns = clock.now(), _sent(folder, damaged)
    went = outbox.of_file(turns, shelf.file.data)
    told = replace(
        told,
        file=str(shelf.path),
        forked=[str(shelf.path), *forked] if forked else [],
        not_sent=told.not_sent and not went.to,
        not_taken=list(went.lacking) if told.not_sent and went.to else [],
        bounced=[one.in_words() for one in outbox.undelivered(turns, shelf.file)],
        passes_on=_another(told) if went.to else told.passes_on,
        doubts=names.look(shelf.file),
        away=[one for one in told.away if seconds(one.until) > seconds(now)],
        called=game_index.read(folder) or told.called,
        overdue=_overdue(told, Memory(home, bytes.fromhex(told.game_id)), shelf.file, now),
    )
    return told, shelf.file


def _sent(folder: Path, damaged: list[Item]) -> list[SentTurn]:
    """What went out of a game; nothing, and one more damaged file, where that cannot be read."""
    try:
        return outbox.read(folder)
    except Damaged as error:
        damaged.append(Item(error.where, "damaged", with_hint(error.what, error.hint)))
        return []


def _unwritten(home: Home, path: Path, error: Usage, told: Sequence[Item]) -> list[Item]:
    """What to tell of a summary that could not be written: something else stands there; or the
    whole home is full or may only be read, which is told once."""
    if os.path.lexists(path) and not path.is_file():
        what = "cannot be written anew, which only makes the list slow; make room, or remove it"
        return [Item(files.shown(path), "damaged", what)]
    if any(item.kind == "unkept" for item in told):
        return []
    what = f"nothing can be kept in this home, which is whole: {error.what.rpartition(': ')[2]}"
    return [
        Item(
            files.shown(home.folder),
            "unkept",
            with_hint(what, "make room, or give it back its rights"),
        )
    ]


def _overdue(told: GameSummary, memory: Memory, file: TurnFile, now: str) -> int:
    """By how many seconds the seat that writes next has overrun its clock; 0 if it has not, or
    there is none. While it is away and has leave left, its clock stands still."""
    clock = (
        None
        if told.clock is None
        else next((one for one in told.clock.seats if one.is_awaited), None)
    )
    if clock is None:
        return 0
    seen = memory.first_seen(file.data, len(file.entries) - 1) if told.yours else ""
    begin, end = seconds(seen or told.since), seconds(now)
    back = next((seconds(one.until) for one in told.away if one.seat == clock.seat), begin)
    still = min(clock.leave, max(0, min(end, back) - begin))
    return max(0, end - begin - still - clock.left)


def _remembered(folder: Path, of: tuple[str, str, str]) -> GameSummary | None:
    """The summary that was written for this very file; None if it is of another one or damaged."""
    kept = _SUMMARY.read_if_whole(folder)
    if (
        kept is None
        or (kept.layout, kept.key, kept.file) != of
        or kept.digest != store.digest(kept.summary)
    ):
        return None
    return kept.summary


@dataclass(frozen=True)
class InboxFacts:
    """All that `pbem inbox` tells: the games of the home, those first that wait for its player, the
    files that were looked at, and how many games are hidden, since the player ignores them.
    `silence` says in one line that nobody looks, where turns are to be written by themselves
    (empty: all is well)."""

    games: Sequence[GameSummary]
    files: Sequence[Item]
    hidden: int
    silence: str


_QUIET = ("new", "duplicate", "stale", "rival")
"""Kinds of files that are not told of a hidden game in which the player sits; of another one no
kind is."""


def facts(inbox: Inbox) -> InboxFacts:
    """All that `pbem inbox` tells. Files of games that are hidden leave the list of what was looked
    at."""
    listed = games(inbox.home, inbox.identity, inbox.refused)
    seats = {one.short: one.seat for one in listed.hidden}
    unkept = {number[:8] for number in inbox.refused if number in listed.reasons}
    # the first eight digits of two ids may be the same
    heard_of = {one.short for one in listed.games}

    def is_told(item: Item) -> bool:
        if item.game in seats and item.game not in heard_of:
            return seats[item.game] is not None and item.kind not in _QUIET
        return item.kind != "unkept" or item.game.rpartition("-")[2] not in unkept

    inbox.items = [item for item in inbox.items if is_told(item)] + listed.damaged
    return InboxFacts(
        listed.games, inbox.items, len(listed.hidden), silence(inbox.home, listed.games)
    )


def silence(home: Home, games: Sequence[GameSummary]) -> str:
    """One line where turns are to be written by themselves in one of these games and `pbem watch`
    is silent; else nothing, nor in a home that signs nothing."""
    if place.signs_nothing(home.folder):
        return ""
    awaited = [one.game_id[:32] for one in games if one.seat is not None and one.may_write_itself]
    return heartbeat.silence(home.folder, home.identity().public, awaited)
