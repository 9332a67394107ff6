"""The games of a home in a few facts each: whose turn it is, since when, and what is asked.

A summary is remembered beside its game (`summary.json`), for replaying a long one takes a moment.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from engine.flow import Refusal
from pbem import files
from pbem.english import listed
from pbem.errors import PbemError, Usage
from pbem.fileformat.turnfile import MAX_FILE, TurnFile
from pbem.ledger import ledger
from pbem.ledger.clock import seconds
from pbem.ledger.ledger import Ledger
from pbem.mail import sent
from pbem.mail.inbox import Inbox, Item, may_join
from pbem.player import open_game, sign
from pbem.player.game_index import game_folders, kept_in, short_name
from pbem.player.home import Home
from pbem.player.identity import Identity
from pbem.player.known_names import Names
from pbem.player.open_game import Opened
from pbem.player.signed_history import Memory
from pbem.report import time
from pbem.report.facts import asked, passes_on
from pbem.report.model import Waiting
from pbem.report.standing import Ending, SideTotal, over, to_act
from pbem.report.time import Absence, ClockFacts, SeatClock

_LAYOUT = 9
"""Of the remembered summaries; another number makes them anew."""


@dataclass(frozen=True)
class Seated:
    """Somebody in a seat."""

    seat: str
    name: str


@dataclass(frozen=True)
class GameSummary:
    """A game in a few facts, for the player of the home. `seat` is theirs (null: they are invited to the free seat that
    `to_act` names), `passes_on` who gives the file to the next player while somebody is to join, `due` what the game
    waits for in words, `forked` the files of two versions of one entry; `not_sent` says that the newest entry is their
    own and was not sent from this home. `doubts` tell of names with another key than the one known to this home.
    `clock` and `away` are as in a report; `overdue` is by how many seconds the seat that writes next has overrun its
    clock by now, if the turn arrived when it was dated, or was first read here."""

    short: str
    game: str
    title: str
    game_id: str
    seat: str | None
    opponents: Sequence[Seated]
    free: Sequence[str]
    when: str
    entry: int
    to_act: str | Sequence[str]
    to_act_name: str | None
    passes_on: Seated | None
    yours: bool
    since: str
    due: str
    offer: str | None
    over: Ending | None
    file: str = ""
    forked: Sequence[str] = ()
    not_sent: bool = False
    doubts: Sequence[str] = ()
    clock: ClockFacts | None = None
    away: Sequence[Absence] = ()
    overdue: int = 0


class GameList(NamedTuple):
    """The games of a home, those first that wait for its player, and each file that is damaged with what is wrong."""

    games: list[GameSummary]
    damaged: list[tuple[str, str]]


def games(home: Home, identity: Identity) -> GameList:
    """Every game of the home."""
    damaged: list[tuple[str, str]] = []
    names = Names(home, identity)
    if (problem := names.problem) is not None:
        damaged.append((problem.where, f"{problem.what}; {problem.hint}"))
    found = (_told(folder, home, identity, names, damaged) for folder in game_folders(home))
    told = [summary for summary in found if summary is not None]
    return GameList(sorted(told, key=_rank), damaged)


def _rank(told: GameSummary) -> tuple[bool, bool, bool, str]:
    """Games that wait for the player first, what others invite to after all of their own."""
    return told.over is not None, told.seat is None, not told.yours, told.since


def _told(
    folder: Path, home: Home, identity: Identity, names: Names, damaged: list[tuple[str, str]]
) -> GameSummary | None:
    """What there is to know of a game."""
    for below in (folder, folder / "signed", folder / "read"):  # of a game that was never begun nothing else is opened
        files.remove_leftovers(below)
    kept = kept_in(folder)
    damaged += [(files.shown(one.path), one.what) for one in kept.damages]
    if (shelf := kept.shelf) is None:
        return None
    of = [_LAYOUT, identity.public.hex()[:16], hashlib.sha256(shelf.file.data).hexdigest()]
    told = _remembered(folder / "summary.json", of)
    if told is None:
        try:
            game = ledger.replay(shelf.file, home.checks.verifier)
        except PbemError as error:
            damaged.append((files.shown(shelf.path), f"{error}; restore it from your copy"))
            return None
        told = summary(game, identity.public)
        own = decision(Opened(shelf.file, game, game.seat_with(identity.public), identity=identity))
        told = replace(told, due=own or told.due)
        text = json.dumps(asdict(told))
        try:
            files.replace(folder / "summary.json", json.dumps({"of": of, "sum": _sum(text), "facts": text}).encode())
        except Usage:
            what = "cannot be written anew, which only makes the list slow; make room, or remove it"
            damaged.append((files.shown(folder / "summary.json"), what))
    if told.seat is not None:
        names.remember(shelf.file)
    forked = [str(path) for path in shelf.rivals]
    now = sign.now()
    return replace(
        told,
        file=str(shelf.path),
        forked=[str(shelf.path), *forked] if forked else [],
        not_sent=told.not_sent and not sent.is_sent(folder, shelf.file.data),
        doubts=names.look(shelf.file),
        away=[one for one in told.away if seconds(one.until) > seconds(now)],
        overdue=_overdue(told, Memory(home, bytes.fromhex(told.game_id)), shelf.file, now),
    )


def _overdue(told: GameSummary, memory: Memory, file: TurnFile, now: str) -> int:
    """By how many seconds the seat that writes next has overrun its clock; 0 if it has not, or there is none. While it
    is away and has leave left, its clock stands still."""
    clock = None if told.clock is None else next((one for one in told.clock.seats if one.is_awaited), None)
    if clock is None:
        return 0
    seen = memory.first_seen(file.data, len(file.entries) - 1) if told.yours else ""
    begin, end = seconds(seen or told.since), seconds(now)
    back = next((seconds(one.until) for one in told.away if one.seat == clock.seat), begin)
    still = min(clock.leave, max(0, min(end, back) - begin))
    return max(0, end - begin - still - clock.left)


def _remembered(path: Path, of: list[Any]) -> GameSummary | None:
    """The summary that was written for this very file; None if it is of another one or damaged."""
    try:
        stored = json.loads(files.read_own(path, MAX_FILE))
        if stored["of"] != of or stored["sum"] != _sum(stored["facts"]):
            return None
        return _read_summary(json.loads(stored["facts"]))
    except (Usage, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def _read_summary(plain: dict[str, Any]) -> GameSummary:
    ending = plain["over"]
    if ending is not None:
        ending = Ending(**{**ending, "totals": [SideTotal(**total) for total in ending["totals"]]})
    passer, clock = plain["passes_on"], plain["clock"]
    if clock is not None:
        clock = ClockFacts(**{**clock, "seats": [SeatClock(**one) for one in clock["seats"]]})
    return GameSummary(
        **{
            **plain,
            "opponents": [Seated(**one) for one in plain["opponents"]],
            "passes_on": None if passer is None else Seated(**passer),
            "over": ending,
            "clock": clock,
            "away": [Absence(**one) for one in plain["away"]],
        }
    )


def _sum(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def summary(game: Ledger, key: bytes) -> GameSummary:
    """A game in a few facts, for the player with this key. `not_sent` says here that the newest entry is theirs."""
    seat = game.seat_with(key)
    question = asked(game)
    turn = game.to_act()
    invited = seat is None and may_join(game, key)
    keyed = [(number, game.players[number]) for number in game.invitation.keyed()]
    passer = passes_on(game)
    return GameSummary(
        short=short_name(game),
        game=game.rules.name,
        title=game.rules.title,
        game_id=game.game_id.hex(),
        seat=None if seat is None else game.seats[seat],
        opponents=[Seated(game.seats[n], p.name) for n, p in keyed if p is not None and n != seat],
        free=[game.seats[number] for number in sorted(game.free_seats())],
        when=game.referee.game.when() if game.referee else "players are joining",
        entry=len(game.entries) - 1,
        to_act=to_act(game),
        to_act_name=question.name if question else None,
        passes_on=None if passer is None else Seated(game.seats[passer], game.seated(passer).name),
        yours=invited or (turn is not None and turn == seat),
        since=game.entries[-1].date,
        due=due_in_words(question, {game.seats[n]: p.name for n, p in keyed if p is not None}),
        offer=None if game.offer is None else game.seats[game.offer.seat],
        over=over(game),
        clock=time.clock(game),
        away=time.absences(game),
        not_sent=seat is not None and game.invitation.is_witnessed() and game.seat_of(game.entries[-1]) == seat,
    )


def decision(opened: Opened) -> str:
    """What the player is asked, once their entry holds what needs no decision; nothing where that is told to
    everybody."""
    game = opened.ledger
    if game.is_over() or (game.offer is not None and game.offer.alone):
        return ""
    try:
        draft = opened.draft()
    except (PbemError, Refusal):  # pbem show tells what is wrong; here the public words have to do
        return ""
    if draft is None:
        return ""
    ask = open_game.open_question(draft)
    return (
        game.rules.prompt(draft.ledger.begun().referee.game, ask)
        if ask
        else "nothing to decide, pbem play FILE is enough"
    )


def due_in_words(question: Waiting | None, names: Mapping[str, str]) -> str:
    """What the game waits for, in words. `names` are the players' by seat."""
    if question is None:
        return "nothing"
    prompt, roll = question.prompt, question.roll
    readers = listed(_called(names.get(seat, ""), seat) for seat in question.readers)
    words = {
        "join": f"somebody to join as {question.seat}",
        "root": "the last entry, with which everybody can check what was hidden",
        "draw": "an answer to the draw that is offered",
        "answer": prompt,
        "open": f"the turn that shows {prompt}",
        "seal": "the turn that shuffles a new pile",
        "share": f"the turn that lets {readers} read the new cards",
        "settle": f"the turn that gives what chance decides: {roll}",
        "proof": f"the turn that throws the dice: {roll}" if question.chance == "dice" else _dealt(question),
    }
    return str(words[question.what])


def _called(name: str, seat: str) -> str:
    """How somebody is called inside a sentence: a name that is more than letters is somebody else's text."""
    return name if name.replace(" ", "").isalpha() and len(name) <= 40 else seat


def _dealt(question: Waiting) -> str:
    """What a turn gives by which chance decides something else than dice."""
    if question.chance == "cards":
        return "the turn that deals the cards"
    return f"the turn that gives what chance decides: {question.roll}"


@dataclass(frozen=True)
class InboxFacts:
    """All that `pbem inbox` tells: the games of the home, those first that wait for its player, and the files that were
    looked at."""

    games: Sequence[GameSummary]
    files: Sequence[Item]


def facts(inbox: Inbox) -> InboxFacts:
    """All that `pbem inbox` tells."""
    listed = games(inbox.home, inbox.identity)
    inbox.items += [Item(where, "damaged", what) for where, what in listed.damaged]
    return InboxFacts(listed.games, inbox.items)
