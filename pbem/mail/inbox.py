"""Every game of a home at one look: what has come in, whose turn it is, since when, and what is owed.

Each file is verified by itself and kept in the memory of its game. Nothing that was found is moved or deleted, and
whatever is not simply the next turn is named with the reason.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from engine.flow import Refusal
from pbem import files
from pbem.errors import CONFLICT, DONE, INVALID, USAGE, Conflict, PbemError, Usage
from pbem.fileformat import turnfile
from pbem.fileformat.turnfile import MAX_FILE, TurnFile
from pbem.ledger import ledger
from pbem.ledger.ledger import Ledger
from pbem.ledger.verifier import Store
from pbem.mail import find_turns, lost, sent
from pbem.mail.find_turns import Found, Lost
from pbem.mail.taken_in import TakenIn
from pbem.player import open_game
from pbem.player.game_index import Shelf, game_folders, is_short_for, kept_in, shelf_of, short_name
from pbem.player.home import Home
from pbem.player.identity import Identity
from pbem.player.open_game import Opened
from pbem.player.signed_history import Memory
from pbem.report.facts import asked, over, passes_on, to_act
from pbem.report.model import Waiting

_LAYOUT = 6
"""Of the remembered summaries; another number makes them anew."""
_SETTLED = ("new", "duplicate", "stale", "foreign", "mended")
"""Kinds of files that need not be looked at again."""


@dataclass
class Item:
    """One file that was looked at. `kind` is new, duplicate, stale, rival, fork, conflict, foreign or invalid; lost,
    for a mail whose turn was taken out on its way; unkept, if the home does not take it; missing, for a place where
    nothing can be looked at; or of the home's own files damaged or mended."""

    where: str
    kind: str
    reason: str
    game: str = ""
    entry: int | None = None


class Inbox:
    """Sorts what was found into the memory of a home. `confirmed` begins the short name or the number of the games of
    which the player has signed nothing newer elsewhere; the empty text stands for all, None for none."""

    def __init__(self, home: Home, confirmed: str | None = None) -> None:
        self.home = home
        self.confirmed = confirmed
        self.identity = home.identity()
        self.key = self.identity.public
        self.items: list[Item] = []
        self._checks = Store(home.folder)

    def take(self, found: Iterable[Found]) -> None:
        """Verify and keep each of these."""
        for one in found:
            self.items.append(self._sorted(one))
        self._checks.keep()

    def take_from(self, place: Path, hint: str) -> None:
        """The same for everything in a place. One that is not there is told, with what to do, and stops nothing."""
        try:
            self.take(find_turns.look(place))
        except find_turns.NoPlace as error:
            self.items.append(Item(files.shown(place), "missing", f"{error.what} (hint: {hint})"))

    def take_fetched(self) -> None:
        """The same for what is new in the home's own inbox."""
        index = TakenIn(self.home)
        for path in index.new():
            first = len(self.items)
            self.take_from(path, "check the home's inbox")
            items = self.items[first:]
            if all(item.kind in _SETTLED for item in items):
                index.settle(path, [item.game for item in items if item.kind != "foreign"])
        index.keep()

    def confirm_kept(self) -> None:
        """Remember the own entries in what the home holds already of the games that the player has confirmed."""
        for folder in game_folders(self.home):
            shelf = shelf_of(folder)
            if shelf is None or self.confirmed is None or not shelf.is_meant(self.confirmed):
                continue
            try:
                game = ledger.replay(shelf.file)
                self._hold(Memory(self.home, game.game_id), shelf.file, game)
            except PbemError as error:
                self.items.append(Item(files.shown(shelf.path), "damaged", str(error)))

    def exit_code(self) -> int:
        """4 if two versions of a turn meet, 3 if something does not verify or lost its turn, 2 if a place is missing
        or the home is damaged or full, else 0."""
        kinds = {item.kind for item in self.items}
        if kinds & {"fork", "conflict"}:
            return CONFLICT
        return INVALID if kinds & {"invalid", "lost"} else USAGE if kinds & {"missing", "damaged", "unkept"} else DONE

    def _sorted(self, found: Found) -> Item:
        if found.lost is not None:
            return self._without_turn(found.where, found.lost, found.problem)
        if found.data is None:
            return Item(found.where, "invalid", found.problem)
        try:
            file = turnfile.read(found.data)
            game = ledger.replay(file)
        except PbemError as error:
            return Item(found.where, "invalid", str(error))
        except MemoryError:
            return Item(found.where, "invalid", find_turns.TOO_MUCH)
        name = short_name(game)
        item = Item(found.where, "new", "", name, len(file.entries) - 1)
        if game.seat_with(self.key) is None and not may_join(game, self.key):
            item.kind, item.reason = "foreign", "you sit in no seat of this game, and none is free for you"
            return item
        memory = Memory(self.home, game.game_id)
        memory.tidy()
        try:
            item.kind, item.reason = _compared(shelf_of(memory.folder), file, memory.folder)
            memory.keep_read(file)
            self._hold(memory, file, game)
        except Conflict as error:
            item.kind, item.reason = "conflict", str(error)
        except Usage as error:
            item.kind, item.reason = "unkept", str(error)
        return item

    def _without_turn(self, where: str, missing: Lost, problem: str) -> Item:
        """A mail of a game whose turn was taken out on its way."""
        game, reason = lost.in_words(self.home, missing, problem)
        if lost.is_here(self.home, missing):
            return Item(
                where, "duplicate", "it lost its turn on the way, which is here all the same", game, missing.entry
            )
        return Item(where, "lost", reason, game, missing.entry)

    def _hold(self, memory: Memory, file: TurnFile, game: Ledger) -> None:
        """Hold a verified file against the memory of its game. Raises `Conflict`, or `Damaged` or `Usage`."""
        seat = game.seat_with(self.key)
        own = [entry.number for entry in file.entries if game.seat_of(entry) == seat]
        number = game.game_id.hex()
        is_confirmed = self.confirmed is not None and is_short_for(self.confirmed, game.rules.name, number)
        memory.check(file, own, nothing_newer=is_confirmed)
        self.items += [Item(short_name(game), "mended", note) for note in memory.notes]


def may_join(game: Ledger, key: bytes) -> bool:
    """Whether the next free seat is open to this key."""
    turn = game.to_act()
    if turn is None or game.players[turn] is not None:
        return False
    return game.invites.get(game.seats[turn], key) == key


def _compared(shelf: Shelf | None, file: TurnFile, folder: Path) -> tuple[str, str]:
    """What a file is next to what the home held before it."""
    if shelf is None or (file.data.startswith(shelf.file.data) and len(file.data) > len(shelf.file.data)):
        return "new", ""
    digest = hashlib.sha256(file.data).hexdigest()[:16]
    number = len(file.entries) - 1
    signed = folder / "signed" / f"{number:04}.toml"
    mine = files.holds(signed, file.data)
    if mine or (folder / "read" / f"{number:04}-{digest}.toml").exists():
        return "duplicate", "you wrote this file" if mine else "read before"
    if shelf.file.data.startswith(file.data):
        return "stale", f"older than entry {len(shelf.file.entries) - 1}, which is here"
    pairs = zip(file.entries, shelf.file.entries, strict=False)
    entry = next((a for a, b in pairs if a.digest != b.digest or a.signature != b.signature), file.entries[-1])
    rivals = {shelved.fields.get("key") for shelved in shelf.file.entries if shelved.number == entry.number}
    if "key" in entry.fields and rivals - {None, entry.fields["key"]}:
        return "rival", f"two players want the seat {entry.seat}: answer the file of the one you choose; both are kept"
    return "fork", f"another version of entry {entry.number}: {entry.seat} signed two; both are kept"


# What a home holds


def games(home: Home, identity: Identity, damaged: list[Item] | None = None) -> list[dict[str, Any]]:
    """Every game of the home, those first that wait for its player. What cannot be read goes to `damaged`."""
    found: list[Item] = []
    told = [facts for path in game_folders(home) if (facts := _told(path, identity, found)) is not None]
    if damaged is not None:
        damaged += found
    return sorted(told, key=_rank)


def _rank(facts: dict[str, Any]) -> tuple[bool, bool, bool, str]:
    """Games that wait for the player first, what others invite to after all of his own."""
    return facts["over"] is not None, facts["seat"] is None, not facts["yours"], facts["since"]


def _told(folder: Path, identity: Identity, damaged: list[Item]) -> dict[str, Any] | None:
    """What there is to know of a game, remembered beside it: replaying a long one takes a moment."""
    kept = kept_in(folder)
    damaged += [Item(files.shown(one.path), "damaged", one.what) for one in kept.damages]
    if (shelf := kept.shelf) is None:
        return None
    of = [_LAYOUT, identity.public.hex()[:16], hashlib.sha256(shelf.file.data).hexdigest()]
    facts = _remembered(folder / "summary.json", of)
    if facts is None:
        try:
            game = ledger.replay(shelf.file)
            facts = summary(game, identity.public)
            own = decision(Opened(shelf.file, game, game.seat_with(identity.public), identity=identity))
            facts["owed"] = own or facts["owed"]
        except PbemError as error:
            damaged.append(Item(files.shown(shelf.path), "damaged", f"{error}; restore it from your copy"))
            return None
        text = json.dumps(facts)
        try:
            files.replace(folder / "summary.json", json.dumps({"of": of, "sum": _sum(text), "facts": text}).encode())
        except Usage:
            what = "cannot be written anew, which only makes the list slow; make room, or remove it"
            damaged.append(Item(files.shown(folder / "summary.json"), "damaged", what))
    forked = [str(path) for path in shelf.rivals]
    unsent = facts.pop("written_here") and not sent.is_sent(folder, shelf.file.data)
    both = [str(shelf.path), *forked] if forked else []
    return {**facts, "file": str(shelf.path), "forked": both, "not_sent": unsent}


def _remembered(path: Path, of: list[Any]) -> dict[str, Any] | None:
    """The facts that were written for this very file; None if they are of another one or damaged."""
    try:
        stored = json.loads(files.read_bytes(path, MAX_FILE))
        if stored["of"] != of or stored["sum"] != _sum(stored["facts"]):
            return None
        facts: dict[str, Any] = json.loads(stored["facts"])
    except (Usage, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    return facts


def _sum(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def summary(game: Ledger, key: bytes) -> dict[str, Any]:
    """A game in a few facts, for the player with this key."""
    seat = game.seat_with(key)
    question = asked(game)
    turn = game.to_act()
    invited = seat is None and may_join(game, key)
    ending = over(game)
    keyed = [(number, game.players[number]) for number in game.keyed()]
    return {
        "short": short_name(game),
        "game": game.rules.name,
        "title": game.rules.title,
        "game_id": game.game_id.hex(),
        "seat": None if seat is None else game.seats[seat],
        "opponents": [{"seat": game.seats[n], "name": p.name} for n, p in keyed if p is not None and n != seat],
        "free": [game.seats[number] for number in sorted(game.free_seats())],
        "when": game.referee.game.when() if game.referee else "players are joining",
        "entry": len(game.entries) - 1,
        "to_act": to_act(game),
        "to_act_name": question.name if question else None,
        "passes_on": _passes_on(game),
        "written_here": seat is not None and game.is_witnessed() and game.seat_of(game.entries[-1]) == seat,
        "yours": invited or (turn is not None and turn == seat),
        "since": game.entries[-1].date,
        "owed": owed(question),
        "offer": None if game.offer is None else game.seats[game.offer.seat],
        "over": None if ending is None else {**asdict(ending)},
    }


def _passes_on(game: Ledger) -> dict[str, str] | None:
    """Who is to give the file to the next player, while somebody is to join: who invited knows whom."""
    passer = passes_on(game)
    return None if passer is None else {"seat": game.seats[passer], "name": game.seated(passer).name}


def decision(opened: Opened) -> str:
    """What the player is asked himself, once his entry has paid what it owes; nothing where that is told to everybody.
    The game has run on after this."""
    game = opened.ledger
    if game.is_over() or (game.offer is not None and game.offer.alone):
        return ""
    try:
        draft = opened.draft()
    except (PbemError, Refusal):  # pbem show tells what is wrong; here the public words have to do
        return ""
    if draft is None or game.referee is None:
        return ""
    ask = open_game.asked(draft)
    return game.rules.prompt(game.referee.game, ask) if ask else "nothing to decide, pbem play writes what you owe"


def owed(question: Waiting | None) -> str:
    """What the game waits for, in words."""
    if question is None:
        return "nothing"
    prompt, roll = question.prompt, question.roll
    words = {
        "join": f"somebody to join as {question.seat}",
        "root": "the root that proves what was hidden",
        "draw": "an answer to the draw that is offered",
        "answer": prompt,
        "open": f"the opening of {prompt}",
        "seal": "the seals of a new pile",
        "share": f"the shares with which {prompt} reads cards",
        "settle": f"the next entry, which settles: {roll}",
        "proof": f"a proof: {roll}",
    }
    return str(words[question.what])


def facts(inbox: Inbox) -> dict[str, Any]:
    """All that `pbem inbox` tells."""
    return {"games": games(inbox.home, inbox.identity, inbox.items), "files": [asdict(item) for item in inbox.items]}
