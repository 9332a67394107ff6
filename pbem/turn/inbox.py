"""Takes in what has come: each file is verified by itself and kept in the memory of its game
(`pbem.turn.game_list` lists what the home holds then). Nothing that was found is moved or deleted,
and whatever is not simply the next turn is named with the reason.

`Limits` bounds what is kept of files that come by mail, watched or fetched: versions of an entry,
new games and megabytes a day. Whoever knows the address of a home can write to it; they cannot fill
its disk or its lists."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple, Protocol

from engine.flow import Seat
from pbem import files
from pbem.english import size
from pbem.errors import (
    CONFLICT,
    DONE,
    INVALID,
    USAGE,
    Conflict,
    Damaged,
    Do,
    Hint,
    PbemError,
    PluginFails,
    Typed,
    Usage,
    with_hint,
)
from pbem.fileformat import turnfile
from pbem.fileformat.attached import AttachedFile
from pbem.fileformat.characters import without_hidden
from pbem.fileformat.encoding import fingerprint
from pbem.fileformat.turnfile import TurnFile
from pbem.home import attached_files, contacts, game_index, outbox
from pbem.home.game_index import game_folders, short_name, short_name_in
from pbem.home.home import Home
from pbem.home.joins import differ_in_join, has_gone_on, went_on_without
from pbem.home.known_names import players_of
from pbem.home.memory import Memory
from pbem.home.shelf import READ_FILE, Shelf, is_short_for, read_path, shelf_of, signed_path
from pbem.home.store import StateFile
from pbem.home.taken_in import WANTED, TakenIn
from pbem.ledger import gate
from pbem.ledger.ledger import Ledger
from pbem.mail import attached_parts, bounces, find_turns, links, settings, turn_files
from pbem.mail.attached_parts import CameFile
from pbem.mail.find_turns import Found
from pbem.mail.folders import NoPlace
from pbem.mail.lost_turns import LostTurn, awaited

MOST_VERSIONS = 4
"""Files with the same number of entries that are kept of one game."""
MOST_INVITATIONS = 20
"""Games that are new here, a day: of each contact, and of all strangers together."""
MOST_A_DAY = 100_000_000
"""Bytes of turn files, and of what goes with them, a day; games that are new here have half."""


class Day(NamedTuple):
    """What was kept on a day (UTC): the bytes of turn files and of what goes with them, and how
    many games were new, by the fingerprint of the contact who invited; those of strangers under
    `_STRANGERS`."""

    date: str
    size: int
    games: dict[str, int]


_STRANGERS = "strangers"
_DAY = StateFile("day.json", Day, 1_000_000)


class Limits:
    """Counts what is kept on this day (UTC), in a file of the home's folder `watch`; `own` is the
    key of its player. Raises `Usage`."""

    def __init__(self, home: Home, own: bytes, most_versions: int = MOST_VERSIONS) -> None:
        self._home = home
        self._own = own
        self._most_versions = most_versions
        self._folder = home.make_folder("watch")
        self._day = _DAY.read_if_whole(self._folder) or Day("", 0, {})

    def refuses(self, folder: Path, file: TurnFile) -> str:
        """Why a verified file is not kept in the folder of its game; nothing if it is."""
        number, newest = len(file.entries) - 1, file.entries[-1].after.hex()[:16]
        names = [
            match for path in self._listed(folder / "read") if (match := READ_FILE.match(path.name))
        ]
        versions = {match[2] for match in names if int(match[1]) == number}
        if newest in versions:
            return ""
        if len(versions) >= self._most_versions:
            return f"{len(versions)} versions of turn {number} are kept already"
        day = self._today()
        players = [met.key for met in players_of(file.entries)]
        is_new_game = not names and not self._listed(folder / "signed") and self._own not in players
        inviter = self._counted_as(players[0]) if is_new_game else ""
        if is_new_game and day.games.get(inviter, 0) >= MOST_INVITATIONS:
            whose = "strangers" if inviter == _STRANGERS else "this player"
            return (
                f"{MOST_INVITATIONS} new games by {whose} have come today already: pbem inbox takes"
                " it in, or tomorrow"
            )
        games = {**day.games, inviter: day.games.get(inviter, 0) + 1} if is_new_game else day.games
        most = MOST_A_DAY // 2 if is_new_game else MOST_A_DAY
        return self._full(day._replace(size=day.size + len(file.data), games=games), most)

    def _counted_as(self, key: bytes) -> str:
        """The name under which a new game of this inviter is counted: a contact's fingerprint, or
        one name for all strangers, because a new key costs a stranger nothing."""
        try:
            return fingerprint(key) if key in contacts.read(self._home.folder) else _STRANGERS
        except Damaged:
            return _STRANGERS

    def refuses_file(self, count: int) -> str:
        """Why a file of so many bytes that goes with a turn is not kept; nothing if it is."""
        day = self._today()
        return self._full(day._replace(size=day.size + count), MOST_A_DAY)

    def _today(self) -> Day:
        """What was kept today so far."""
        today = datetime.now(UTC).date().isoformat()
        return self._day if self._day.date == today else Day(today, 0, {})

    def _full(self, day: Day, most: int) -> str:
        """Why nothing more is kept, if today would come to this and that is more than `most` bytes;
        else it is noted, and the answer is empty."""
        if day.size > most:
            return (
                f"{most // 1_000_000} megabytes were kept today already: pbem inbox takes it in, or"
                " tomorrow"
            )
        self._day = day
        with suppress(Usage):
            _DAY.write(self._folder, day)
        return ""

    @staticmethod
    def _listed(folder: Path) -> list[Path]:
        try:
            return files.listed(folder)
        except PbemError:
            return []


_SETTLED = ("new", "duplicate", "stale", "foreign", "mended", "bounce", "file", "other")
"""Kinds of files that need not be looked at again."""


@dataclass
class Item:
    """One file that was looked at. `kind` is new, duplicate, stale, rival, fork, conflict, foreign
    or invalid; file, for one that goes with a turn, and other, for one that only has its name;
    lost, for a mail whose turn was taken out on its way; bounce, for a notice that one of the
    player's own mails did not arrive; early, for a link with a turn before which others are
    missing; unkept, if the home does not take it; missing, for a place where nothing can be looked
    at; answered, for a turn that its player had prepared and that is signed now, held, for one that
    is not, and gone, for prepared answers that fit no more; or of the home's own files damaged,
    mended, or newer, if a newer program made them."""

    where: str
    kind: str
    reason: str
    game: str = ""
    entry: int | None = None
    is_mistake: bool = False
    """Whether the player named this file and it is none about a game: that stands above the list
    of games."""


class LookMemory(Protocol):
    """What a program that looks again and again remembers of the files it has looked at."""

    def knows(self, path: Path) -> bool: ...

    def remember(self, path: Path, items: Sequence[Item]) -> None: ...


class Inbox:
    """Sorts what was found into the memory of a home. `confirmed` begins the short name or the
    number of the games of which the player has signed nothing newer elsewhere; the empty text
    stands for all, None for none. `limits` bound what is kept where nobody looks on. One that
    `watches` keeps games of others too."""

    def __init__(
        self,
        home: Home,
        confirmed: str | None = None,
        limits: Limits | None = None,
        *,
        watches: bool = False,
    ) -> None:
        self.home = home
        self.confirmed = confirmed
        self.limits = limits
        self.watches = watches
        self.identity = home.identity()
        self.key = self.identity.public
        self.items: list[Item] = []
        self.refused: dict[str, Sequence[bytes]] = {}
        """Games of which nothing was kept, by 32 digits of their ids, with the keys in them, the
        inviter's first."""
        self._checks = home.checks
        self._fetched: set[Path] = set()

    def take(self, found: Iterable[Found]) -> None:
        """Verify and keep each of these."""
        returned: str | None = None
        for one in links.with_files(self.home, found):
            if one.failed:
                returned = one.where if self._take_notice(one) else None
                continue
            if (item := self._sorted(one)) is None:
                continue
            if one.where != returned or item.kind not in ("duplicate", "stale", "invalid", "lost"):
                self.items.append(item)
        self._checks.keep()
        where = files.printable(self._checks.path)
        if self._checks.warning and not any(item.where == where for item in self.items):
            self.items.append(Item(where, "damaged", self._checks.warning))

    def take_from(self, place: Path, hint: Hint) -> None:
        """Verify and keep everything in a place. A place that is not there becomes an item with
        what to do, and stops nothing."""
        first = len(self.items)
        try:
            self.take(turn_files.look(place))
        except NoPlace as error:
            self.items.append(Item(files.printable(place), "missing", with_hint(error.what, hint)))
            return
        if self.take_files(place):  # a file that brought what goes with a turn is no mistake
            self.items[first:] = [one for one in self.items[first:] if not one.is_mistake]

    def take_files(self, place: Path) -> bool:
        """Keep what lies in a place, or came in a mail there, of the files that go with turns and
        are awaited, and tell of those that only have the name of one; also what lies beside a file.
        Whether there was any in the place itself."""
        was_any = self._take_came(lambda wanted: attached_parts.in_place(place, wanted))
        self._take_came(lambda wanted: attached_parts.beside(place, wanted))
        return was_any

    def take_dropped(self, data: bytes, name: str) -> bool:
        """The same for what was dropped on a page, a file or a mail of this name."""
        return self._take_came(lambda wanted: attached_parts.in_bytes(data, name, wanted))

    def _take_came(self, look: Callable[[Collection[AttachedFile]], Iterable[CameFile]]) -> bool:
        wanted = [one.file() for one in attached_files.awaited(self.home)]
        taken, others = set[AttachedFile](), dict[AttachedFile, str]()
        for came in look(wanted):
            if came.is_it and came.file not in taken:
                taken.add(came.file)
                self._keep_file(came)
            elif not came.is_it:
                others[came.file] = came.where
        for file, where in others.items():
            if file not in taken:
                what = f"another {file.name} than the one that goes with the turn: it is not kept"
                self.items.append(Item(where, "other", what))
        return bool(taken or others)

    def _keep_file(self, came: CameFile) -> None:
        if self.limits is not None and (reason := self.limits.refuses_file(came.file.size)):
            self.items.append(Item(came.where, "unkept", reason))
            return
        try:
            for kept in attached_files.take(self.home, came.data):
                number = kept.path.parent.parent.name
                shelf = game_index.shelf_with_number(self.home, number)
                what = f"{kept.file.name}, {size(kept.file.size)}: {files.printable(kept.path)}"
                short = "" if shelf is None else short_name_in(shelf.file, number)
                self.items.append(Item(came.where, "file", what, short, kept.number))
        except Usage as error:
            self.items.append(Item(came.where, "unkept", str(error)))

    def take_fetched(self, looked: LookMemory | None = None) -> None:
        """Verify and keep what is new in the home's own inbox, each file once in one look; `looked`
        spares what was looked at a moment ago. A fetched mail is removed once all in it is in the
        home."""
        index = TakenIn(self.home)
        try:
            # what goes with a turn comes after it
            new = sorted(index.new(), key=lambda path: path.suffix == WANTED)
        except Usage as error:
            self.items.append(
                Item(files.printable(index.folder), "damaged", with_hint(error.what, error.hint))
            )
            return
        for path in new:
            if path in self._fetched or (looked is not None and looked.knows(path)):
                continue
            self._fetched.add(path)
            first = len(self.items)
            if path.suffix == WANTED:
                self.take_files(path)
                mail = path.stem.rpartition("-")[0]
                if any(path.parent.glob(f"{mail}-*.toml")):  # its turn is still to be taken in
                    continue
            else:
                self.take_from(path, "check the home's inbox")
            items = self.items[first:]
            if looked is not None:
                looked.remember(path, items)
            if all(item.kind in _SETTLED for item in items):
                games = [item.game for item in items if item.kind != "foreign"]
                is_done = bool(items) or path.suffix == WANTED
                sender = index.settle(path, games, is_in_the_home=is_done)
                for item in items:
                    if sender and item.kind != "mended":
                        item.where = sender
        index.keep()

    def take_usual(self) -> None:
        """Verify and keep what is new in the home's own inbox and in the places of mail.toml. A
        damaged mail.toml becomes an item, and stops nothing."""
        self.take_fetched()
        try:
            places = settings.read(self.home).inbox
        except Usage as error:
            self.items.append(Item(error.where, "damaged", with_hint(error.what, error.hint)))
            return
        for place in places:
            self.take_from(place, Typed("check inbox in mail.toml"))

    def confirm_kept(self) -> None:
        """Remember the own entries in what the home holds already of the games that the player has
        confirmed."""
        for folder in game_folders(self.home):
            shelf = shelf_of(folder)
            if shelf is None or self.confirmed is None or not shelf.is_named_by(self.confirmed):
                continue
            try:
                game = gate.replay(shelf.file, self._checks.verifier)
                self._hold(Memory(self.home, game.game_id), shelf.file, game)
            except PbemError as error:
                self.items.append(Item(files.printable(shelf.path), "damaged", str(error)))

    def exit_code(self) -> int:
        """4 if two versions of a turn meet, 3 if something does not verify or lacks its turn, 2 if
        a place is missing or the home is damaged or full, else 0."""
        kinds = {item.kind for item in self.items}
        if kinds & {"fork", "conflict"}:
            return CONFLICT
        if kinds & {"invalid", "lost", "early"}:
            return INVALID
        return USAGE if kinds & {"missing", "damaged", "newer", "unkept"} else DONE

    def _sorted(self, found: Found) -> Item | None:
        """Verify one file, keep it in the memory of its game, and say what it is; None if it is a
        mail that lacks nothing."""
        if found.lost is not None and found.lost.is_likely:
            if (lost := awaited(self.home, found.lost)) is not None:
                return self._without_turn(found.where, lost, found.problem)
            if not found.is_nothing:
                return None
            return Item(found.where, "invalid", turn_files.NOTHING, is_mistake=True)
        if found.lost is not None:
            return self._without_turn(found.where, found.lost, found.problem)
        if found.data is None:
            kind = "missing" if found.is_unread else "invalid"
            return Item(found.where, kind, found.problem, is_mistake=found.is_nothing)
        try:
            file = turnfile.read(found.data)
            game = gate.replay(file, self._checks.verifier)
        except PluginFails as error:  # it is looked at again
            return Item(found.where, "unkept", str(error))
        except PbemError as error:
            return Item(found.where, "invalid", str(error))
        except MemoryError:
            return Item(found.where, "invalid", find_turns.TOO_MUCH)
        name = short_name(game)
        item = Item(found.where, "new", "", name, len(file.entries) - 1)
        memory = Memory(self.home, game.game_id)
        is_foreign = game.seat_with(self.key) is None and seat_open_to(game, self.key) is None
        if is_foreign and not self.watches and memory.newest_signed() is None:
            item.kind, item.reason = (
                "foreign",
                "you sit in no seat of this game, and none is free for you",
            )
            return item
        memory.tidy()
        shelf = shelf_of(memory.folder)
        if self.limits is not None and (reason := self.limits.refuses(memory.folder, file)):
            item.kind, item.reason = "unkept", reason
            if shelf is None:
                self.refused[memory.game] = [met.key for met in players_of(file.entries)]
            return item
        try:
            item.kind, item.reason = _compared(shelf, file, memory.folder)
            memory.read.keep(file)
            attached_files.await_missing(self.home, memory.folder, file)
            self._hold(memory, file, game)
        except Conflict as error:
            item.kind, item.reason = "conflict", str(error)
            if shelf is not None and not has_gone_on(file) and differ_in_join(file, shelf.file):
                item.kind, item.reason = "rival", _too_late(shelf, file)
        except Usage as error:
            item.kind, item.reason = "unkept", str(error)
        return item

    def _take_notice(self, found: Found) -> bool:
        """Take in a notice that a mail of the player's own did not arrive: note it in the outbox,
        and list it. Returns whether it is about such a mail."""
        try:
            matches = bounces.matches(self.home, found.failed)
            for one in matches:
                one.note()
        except Usage as error:
            self.items.append(Item(found.where, "unkept", str(error)))
            return True
        for one in matches:
            item = Item(
                found.where,
                "duplicate",
                "a mail that did not arrive, and is answered or sent again since",
            )
            item.entry, shelf = one.turn.number, shelf_of(one.folder)
            stands = (
                []
                if shelf is None
                else outbox.failed_deliveries(outbox.read(one.folder), shelf.file)
            )
            if shelf is not None:
                item.game = short_name_in(shelf.file, one.folder.name)
            for undelivered in stands:
                if undelivered.bounce == one.bounce:
                    item.kind, item.reason = (
                        "duplicate" if one.is_known else "bounce",
                        undelivered.in_words(),
                    )
            self.items.append(item)
        return bool(matches)

    def _without_turn(self, where: str, missing: LostTurn, problem: str) -> Item:
        """The item for a mail of a game that lacks its turn: it was taken out on its way, or it
        came alone and those before it are not here."""
        shelf = game_index.shelf_with_number(self.home, missing.game)
        short = "" if shelf is None else short_name_in(shelf.file, missing.game)
        if shelf is not None and len(shelf.file.entries) > missing.entry and not missing.is_link:
            here = "it lost its turn on the way, which is here all the same"
            return Item(where, "duplicate", here, short, missing.entry)
        kind = "early" if missing.is_link and shelf is not None else "lost"
        return Item(where, kind, f"{problem}: {_whom_to_ask(missing, short)}", short, missing.entry)

    def _hold(self, memory: Memory, file: TurnFile, game: Ledger) -> None:
        """Hold a verified file against the memory of its game. Raises `Conflict`, or `Damaged` or
        `Usage`."""
        seat = game.seat_with(self.key)
        own = [entry.number for entry in file.entries if game.seat_of(entry) == seat]
        number = game.game_id.hex()
        is_confirmed = self.confirmed is not None and is_short_for(
            self.confirmed, game.rules.name, number
        )
        if is_confirmed and self.confirmed:
            memory.set_damaged_aside(file)
        memory.check(file, own, nothing_newer=is_confirmed)
        # nobody can know of all games which turns never left this computer
        if is_confirmed and self.confirmed:
            memory.begin_anew_here()
        self.items += [Item(short_name(game), "mended", note) for note in memory.notes]


def _whom_to_ask(missing: LostTurn, short: str) -> str:
    """What is missing, and who sends it again; `short` is the name of the game, empty if it is not
    here."""
    game = short or f"a game that is not here (number {missing.game[:8]})"
    command = Do("send", short or missing.game[:8], "--to", "YOUR-ADDRESS", when="they type")
    whom = missing.sender or "whoever sent it"
    if missing.is_link:
        return with_hint(
            f"ask {whom} for the file of turn {missing.entry} of {game}, or of a later one", command
        )
    return with_hint(
        f"turn {missing.entry} of {game} is missing; ask {whom} to send it again", command
    )


def _too_late(shelf: Shelf, file: TurnFile) -> str:
    """What a file with joins of others means to somebody who has signed something else."""
    pairs = zip(file.entries, shelf.file.entries, strict=False)
    join = next(one for one, other in pairs if one.after != other.after)
    if has_gone_on(shelf.file):
        name = without_hidden(join.text("name"))[:40]
        return f"{name} wants the seat {join.seat}, which is taken: nothing is to be done about it"
    return f"somebody else wants the seat {join.seat} too: whoever invited goes on with one of you"


def seat_open_to(game: Ledger, key: bytes) -> Seat | None:
    """The next free seat, if it is open to this key."""
    turn = game.to_act()
    if turn is None or game.players[turn] is not None:
        return None
    return turn if game.invitation.invites.get(game.seats[turn], key) == key else None


def _compared(shelf: Shelf | None, file: TurnFile, folder: Path) -> tuple[str, str]:
    """The kind of a file, by what the home held before it, and the reason in words."""
    if shelf is None or (
        file.data.startswith(shelf.file.data) and len(file.data) > len(shelf.file.data)
    ):
        return "new", ""
    if went_on_without(shelf.file, file):
        return "new", ""
    number, digest = len(file.entries) - 1, hashlib.sha256(file.data).hexdigest()
    mine = files.holds(signed_path(folder, number), file.data)
    if mine or read_path(folder, number, digest).exists():
        return "duplicate", "you wrote this file" if mine else "read before"
    if shelf.file.data.startswith(file.data):
        return "stale", f"older than turn {len(shelf.file.entries) - 1}, which is here"
    pairs = zip(file.entries, shelf.file.entries, strict=False)
    entry = next(
        (a for a, b in pairs if a.digest != b.digest or a.signature != b.signature),
        file.entries[-1],
    )
    rivals = {
        shelved.fields.get("key")
        for shelved in shelf.file.entries
        if shelved.number == entry.number
    }
    if "key" in entry.fields and rivals - {None, entry.fields["key"]}:
        return (
            "rival",
            (
                f"two players want the seat {entry.seat}: whoever invited goes on with one of"
                " them; both files are kept"
            ),
        )
    return "fork", f"another version of turn {entry.number}: {entry.seat} signed two; both are kept"
