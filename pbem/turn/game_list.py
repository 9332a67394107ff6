"""The games of a home, with a few facts of each: whose turn it is, since when, and what is asked.

These facts are kept beside the game (`summary.json`), because it takes a moment to replay a long
one."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from engine.flow import Refusal
from pbem import files
from pbem.english import listed
from pbem.errors import Damaged, Newer, PbemError, PluginFails, Usage, advice, with_hint
from pbem.fileformat.turnfile import MAX_FILE, TurnFile
from pbem.games import registry
from pbem.home import attached_files, clock, ignore_list, outbox, own_name, place, store
from pbem.home.attached_files import AwaitedFile
from pbem.home.game_index import game_folders, short_name
from pbem.home.home import Home
from pbem.home.identity import Identity
from pbem.home.known_names import Names, players_of
from pbem.home.memory import Memory
from pbem.home.outbox import SentTurn
from pbem.home.shelf import NEWER, Shelf, kept_in
from pbem.home.store import StateFile
from pbem.ledger import gate
from pbem.ledger.clock import seconds
from pbem.ledger.ledger import Ledger, player_names
from pbem.report import time
from pbem.report.facts import asked, passes_on, report
from pbem.report.model import Waiting
from pbem.report.series import SeriesReport, series_of
from pbem.report.standing import Ending, over, to_act
from pbem.report.time import Absence, ClockFacts
from pbem.turn import open_game, questions, stopped
from pbem.turn.inbox import Inbox, Item, seat_open_to
from pbem.turn.open_game import OpenFile
from pbem.turn.series import as_home_knows


@dataclass(frozen=True)
class SeatHolder:
    """Somebody in a seat."""

    seat: str
    name: str


@dataclass(frozen=True)
class AwaitedFacts:
    """A file that goes with turn `number` and has not come: its name, its size in bytes, and the
    name of who sent the turn."""

    name: str
    size: int
    number: int
    author: str


@dataclass(frozen=True)
class GameSummary:
    """A game in a few facts, for the player of the home. `seat` is theirs (null: they are invited
    to the free seat that `to_act` names), `passes_on` who gives the file to the next player while
    somebody is to join, `happened` what the newest turn did, in two lines (empty: it decided
    nothing), `due` what the game waits for in words, `forked` the files of two versions
    of one entry, `tables` with which of several who want to play the player may go on; `not_sent`
    says that the newest entry is their own and was not sent from this home, `not_taken` names the
    addresses that a server refused, `bounced` says in words which turns are
    said not to have arrived. `doubts` tell of names with another key than the one known to this
    home. `clock` and `away` are as in a report; `overdue` is by how many seconds the seat that
    writes next has overrun its clock by now, if the turn arrived when it was dated, or was first
    read here. `measure` is what the game counts itself, `called` the player's own name for the
    game, or else the inviter's, `awaited` the files that go with turns and have not come,
    `series` that of the game by its own file, if it is in one."""

    short: str
    game: str
    title: str
    game_id: str
    seat: str | None
    opponents: Sequence[SeatHolder]
    free: Sequence[str]
    when: str
    entry: int
    measure: str
    to_act: str | Sequence[str]
    to_act_name: str | None
    passes_on: SeatHolder | None
    yours: bool
    since: str
    due: str
    offer: str | None
    over: Ending | None
    file: str = ""
    forked: Sequence[str] = ()
    tables: Sequence[OfferedTable] = ()
    not_sent: bool = False
    not_taken: Sequence[str] = ()
    bounced: Sequence[str] = ()
    doubts: Sequence[str] = ()
    clock: ClockFacts | None = None
    away: Sequence[Absence] = ()
    overdue: int = 0
    called: str = ""
    happened: str = ""
    awaited: Sequence[AwaitedFacts] = ()
    series: SeriesReport | None = None

    @property
    def may_write_itself(self) -> bool:
        """Whether turns of the player's may still be written by themselves: a game that is over and
        proven, or that they play alone, has none."""
        is_done = self.over is not None and not self.over.unproven
        return not is_done and bool(self.opponents or self.free)


@dataclass(frozen=True)
class OfferedTable:
    """A table with which the player who invited may go on, of several: the name that commands take
    for it, who sits there and not at all of them, and whether a seat is free."""

    name: str
    players: Sequence[str]
    free: bool


class Decision(NamedTuple):
    """What a player is asked (empty: nothing), and where in the game that is."""

    prompt: str
    when: str


def summary(game: Ledger, key: bytes, own: Decision | None = None) -> GameSummary:
    """A game in a few facts, for the player with this key; `own` is what they are asked
    (`decision`). `not_sent` says here that the newest entry is theirs."""
    seat = game.seat_with(key)
    question = asked(game)
    turn = game.to_act()
    invited = seat is None and seat_open_to(game, key) is not None
    keyed = [(number, game.players[number]) for number in game.invitation.keyed_seats()]
    passer = passes_on(game)
    is_played = game.playing is not None
    when = game.begun().referee.game.when() if is_played else "players are joining"
    return GameSummary(
        short=short_name(game),
        game=game.rules.name,
        title=game.rules.title,
        game_id=game.game_id.hex(),
        seat=None if seat is None else game.seats[seat],
        opponents=[
            SeatHolder(game.seats[n], p.name) for n, p in keyed if p is not None and n != seat
        ],
        free=[game.seats[number] for number in sorted(game.free_seats())],
        when=when if own is None else own.when,
        entry=len(game.entries) - 1,
        measure=game.rules.measure,
        to_act=to_act(game),
        to_act_name=question.name if question else None,
        passes_on=None
        if passer is None
        else SeatHolder(game.seats[passer], game.player_of(passer).name),
        yours=invited or (turn is not None and turn == seat),
        since=game.entries[-1].date,
        due=due_in_words(
            question,
            dict(zip(game.seats, player_names(game), strict=True)),
            common_deck=game.layers is not None,
            to=None if seat is None else game.seats[seat],
            own=None if own is None else own.prompt,
        ),
        offer=None if game.offer is None else game.seats[game.offer.seat],
        over=over(game),
        clock=time.clock(game),
        away=time.absences(game),
        called=game.invitation.title,
        series=series_of(game),
        happened=_happened(game),
        not_sent=seat is not None
        and game.invitation.is_witnessed()
        and game.seat_of(game.entries[-1]) == seat,
    )


def _happened(game: Ledger) -> str:
    """What the newest turn did, as everybody may know it, in two lines."""
    from pbem.report import render  # only where a summary is made anew

    told = report(game, None, {}, len(game.entries) - 1)
    return render.render("did.txt.j2", render.names_of(told)).strip()


def decision(opened: OpenFile) -> Decision | None:
    """What the player is asked, and where in the game, after everything in their entry that needs
    no decision. None if nothing is asked of them alone: then the words for everybody do."""
    game = opened.ledger
    if game.is_over() or (game.offer is not None and game.offer.alone):
        return None
    try:
        draft = opened.draft()
    except (PbemError, Refusal):  # pbem show tells what is wrong; here the public words have to do
        return None
    if draft is None:
        return None
    ask, position = questions.open_question(draft), draft.ledger.begun().referee.game
    return Decision(position.prompt(ask) if ask else "", position.when())


def due_in_words(
    question: Waiting | None,
    names: Mapping[str, str],
    *,
    common_deck: bool = False,
    to: str | None = None,
    own: str | None = None,
) -> str:
    """What the game waits for, in the words of `templates/due.txt.j2`. `names` are those by which
    sentences call the players, by seat; `to` is the seat of the reader, and `own` what they are
    asked (`decision`)."""
    from pbem.report import render  # only where a summary is made anew

    seat = question.seat if question is not None else None
    facts = {
        "asked": question,
        "whom": "" if seat is None or seat == to else names.get(seat, seat),
        "readers": listed(names.get(reader, reader) for reader in question.readers)
        if question is not None
        else "",
        "common_deck": common_deck,
        "decision": own,
    }
    return render.render("due.txt.j2", facts).strip()


@dataclass(frozen=True)
class KeptSummary:
    """A summary, its own digest, and what it was made of: the `layout` of this file, the player's
    key, the SHA-256 of the turn file."""

    layout: str
    key: str
    file: str
    digest: str
    summary: GameSummary


_SUMMARY = StateFile("summary.json", KeptSummary, MAX_FILE)


class GameList(NamedTuple):
    """The games of a home, those first that wait for its player; each file of it that is damaged or
    newer than this program, with what is wrong; the games that the player ignores; and why each of
    these is hidden, by 32 digits of its id (`pbem.home.ignore_list`)."""

    games: list[GameSummary]
    damaged: list[Item]
    hidden: list[GameSummary]
    reasons: Mapping[str, str]


def games(
    home: Home,
    identity: Identity,
    refused: Mapping[str, Sequence[bytes]] | None = None,
    but: bytes = b"",
) -> GameList:
    """Every game of the home, except the one whose id is `but`. `refused` are games of which
    nothing was kept (`Inbox.refused`): `GameList.reasons` has them as well."""
    damaged: list[Item] = []
    names = Names(home, identity)
    if (problem := names.problem) is not None:
        damaged.append(Item(problem.where, "damaged", f"{problem.what}; {advice(problem.hint)}"))
    summaries: list[GameSummary] = []
    players = dict(refused or {})
    awaited = attached_files.awaited(home)
    for folder in game_folders(home):
        if but and but.hex().startswith(folder.name):
            continue
        if (found := _summary_of(folder, home, identity, names, damaged)) is not None:
            summary, file = found
            lacks = [_awaited(one, file) for one in awaited if one.game == folder.name]
            summaries.append(replace(summary, awaited=[one for one in lacks if one is not None]))
            players[folder.name] = [met.key for met in players_of(file.entries)]
    # what is to be sent is sent from where the home is used now
    if place.signs_nothing(home.folder):
        summaries = [
            replace(one, not_sent=False, not_taken=[], bounced=[], passes_on=_another(one))
            for one in summaries
        ]
    # those that wait for the player first, what others invite to after all of their own
    summaries.sort(
        key=lambda one: (one.over is not None, one.seat is None, not one.yours, one.since)
    )
    reasons: Mapping[str, str] = {}
    try:
        reasons = ignore_list.hidden_games(home, identity.public, lambda: players)
    except Damaged as error:
        damaged.append(Item(error.where, "damaged", f"{error.what}; {advice(error.hint)}"))
    visible = [one for one in summaries if one.game_id[:32] not in reasons]
    return GameList(
        visible, damaged, [one for one in summaries if one.game_id[:32] in reasons], reasons
    )


def _awaited(one: AwaitedFile, file: TurnFile) -> AwaitedFacts | None:
    """A file that has not come; None if the newest file of the game holds another turn there."""
    if one.number >= len(file.entries):
        return None
    entry = file.entries[one.number]
    if one.file().line() not in entry.list("files"):
        return None
    author = next(first.text("name") for first in file.entries if first.seat == entry.seat)
    return AwaitedFacts(one.name, one.size, one.number, author)


def _another(game: GameSummary) -> SeatHolder | None:
    """Who passes a game on, if it is not the player of the home."""
    return None if game.passes_on is None or game.passes_on.seat == game.seat else game.passes_on


def _summary_of(
    folder: Path, home: Home, identity: Identity, names: Names, damaged: list[Item]
) -> tuple[GameSummary, TurnFile] | None:
    """The facts of the game in this folder, and its newest file; None if there is none that can be
    read. What is damaged is added to `damaged`."""
    # of a game that was never begun nothing else is opened
    for below in (folder, folder / "signed", folder / "read"):
        files.remove_leftovers(below)
    kept = kept_in(folder)
    damaged += [
        Item(
            files.printable(one.path),
            "newer" if one.is_newer else "damaged",
            with_hint(one.what, one.hint),
        )
        for one in kept.damages
    ]
    if (shelf := kept.shelf) is None:
        return None
    known = _of_file(folder, shelf, home, identity, damaged)
    if known is None:
        return None
    if known.seat is not None:
        names.remember(shelf.file)
    forked = [str(path) for path in shelf.rivals]
    try:
        own_name.check_readable(folder)
    except Damaged as error:
        damaged.append(Item(error.where, "damaged", with_hint(error.what, error.hint)))
    now, turns = clock.now(), _sent(folder, damaged)
    clock_now = _clock_now(known, Memory(home, bytes.fromhex(known.game_id)), shelf.file, now)
    awaited = [] if clock_now is None else [one for one in clock_now.seats if one.is_awaited]
    went = outbox.of_file(turns, shelf.file.data)
    known = replace(
        known,
        file=str(shelf.path),
        forked=[str(shelf.path), *forked] if forked else [],
        tables=[
            OfferedTable(f"{known.short}@{one.label}", one.players, not one.full)
            for one in shelf.tables
        ],
        not_sent=known.not_sent and not went.to,
        not_taken=list(went.lacking) if known.not_sent else [],
        bounced=[one.in_words() for one in outbox.failed_deliveries(turns, shelf.file)],
        passes_on=_another(known) if went.to else known.passes_on,
        doubts=names.look(shelf.file),
        away=[one for one in known.away if seconds(one.until) > seconds(now)],
        called=own_name.read(folder) or known.called,
        clock=clock_now,
        series=None if known.series is None else as_home_knows(known.series, home),
        overdue=max([0, *(-one.left for one in awaited)]),
    )
    return known, shelf.file


def _of_file(
    folder: Path, shelf: Shelf, home: Home, identity: Identity, damaged: list[Item]
) -> GameSummary | None:
    """What the newest file of a game says: as it was kept, or found and kept now. None if it does
    not verify, which is added to `damaged`."""
    of = (
        _SUMMARY.layout(),
        identity.public.hex()[:16],
        hashlib.sha256(shelf.file.data).hexdigest(),
    )
    if (known := _remembered(folder, of)) is not None:
        return known
    try:
        with registry.plugins_told():
            game = gate.replay(shelf.file, home.checks.verifier)
            own = decision(open_game.held_by(home, shelf.file, game, {}))
            found = summary(game, identity.public, own)
    except PluginFails as error:
        damaged.append(Item(files.printable(shelf.path), "damaged", str(error)))
        return None
    except Newer as error:
        damaged.append(Item(files.printable(shelf.path), "newer", f"{NEWER} ({error})"))
        return None
    except PbemError as error:
        damaged.append(
            Item(files.printable(shelf.path), "damaged", f"{error}; restore it from your copy")
        )
        return None
    try:
        _SUMMARY.write(folder, KeptSummary(*of, store.digest(found), found))
    except Usage as error:
        damaged += _unwritten(home, folder / _SUMMARY.name, error, damaged)
    return found


def _sent(folder: Path, damaged: list[Item]) -> list[SentTurn]:
    """What went out of a game; nothing if that cannot be read, which is added to `damaged`."""
    try:
        return outbox.read(folder)
    except Damaged as error:
        damaged.append(Item(error.where, "damaged", with_hint(error.what, error.hint)))
        return []


def _unwritten(home: Home, path: Path, error: Usage, damaged: Sequence[Item]) -> list[Item]:
    """What the list says of a summary that could not be written. Either something else lies at its
    path; or the whole home is full or may only be read, which is said once."""
    if os.path.lexists(path) and not path.is_file():
        what = "cannot be written anew, which only makes the list slow; make room, or remove it"
        return [Item(files.printable(path), "damaged", what)]
    if any(item.kind == "unkept" for item in damaged):
        return []
    what = f"nothing can be kept in this home, which is whole: {error.what.rpartition(': ')[2]}"
    return [
        Item(
            files.printable(home.folder),
            "unkept",
            with_hint(what, "make room, or give it back its rights"),
        )
    ]


def _clock_now(game: GameSummary, memory: Memory, file: TurnFile, now: str) -> ClockFacts | None:
    """The clocks of a game at this moment; None if it has none. That of the player of the home runs
    from when they read the turn first, of anybody else from its date."""
    if game.clock is None or game.over is not None:
        return game.clock
    seen = memory.read.first_seen(file.data, len(file.entries) - 1) if game.yours else ""
    return time.running(game.clock, game.away, seen or game.since, now)


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
    `silence` says what should go on by itself and does not, a line each: turns that nobody writes,
    a server that fails and since when (empty: nothing is known to have stopped)."""

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
    visible = {one.short for one in listed.games}

    def is_listed(item: Item) -> bool:
        if item.game in seats and item.game not in visible:
            return seats[item.game] is not None and item.kind not in _QUIET
        return item.kind != "unkept" or item.game.rpartition("-")[2] not in unkept

    inbox.items = [item for item in inbox.items if is_listed(item)] + listed.damaged
    return InboxFacts(
        listed.games, inbox.items, len(listed.hidden), silence(inbox.home, listed.games)
    )


def silence(home: Home, games: Sequence[GameSummary]) -> str:
    """What should go on by itself and does not (`pbem.turn.stopped`), a line each."""
    awaited = [one.game_id[:32] for one in games if one.seat is not None and one.may_write_itself]
    return "\n".join(one.line for one in stopped.stopped(home, awaited))
