"""A game in the chat of a messenger: updates that come in, and those that are to go out
(docs/design.md, "Places a page runs in").

An update carries the newest entry of a turn file, or asks for some that are missing. Signatures
alone say who wrote what. Everything here is as hostile as mail, and what it costs is bounded.
"""

from __future__ import annotations

import hashlib
import json
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace

from pbem import files
from pbem.errors import PbemError
from pbem.fileformat import turnfile
from pbem.fileformat.turnfile import MAX_FILE, TurnFile
from pbem.games import registry
from pbem.home import clock, game_index, outbox
from pbem.home.home import Home
from pbem.home.joins import has_gone_on, is_full
from pbem.home.shelf import READ_FILE, Shelf, read_path, shelf_of, signed_path
from pbem.home.store import StateFile
from pbem.ledger import gate
from pbem.ledger.invitation import id_of_game
from pbem.ledger.signatures import SIGNATURE_TAG, holds
from pbem.mail.find_turns import Found
from pbem.seek import kept as kept_seeks
from pbem.seek.seek_file import Seek
from pbem.seek.seek_file import read as read_seek
from pbem.table.open_games import page_name
from pbem.table.routes import Table
from pbem.turn import prepared_turns
from pbem.turn.inbox import MOST_VERSIONS, Inbox, Item, Limits
from pbem.web.updates import Request, SeekUpdate, TurnUpdate, in_chat, read_update, written

MAX_UPDATES = 2_000_000
"""The most bytes of updates that the page hands over at once."""
MOST_WAITING, MOST_WAITING_SIZE = 60, 1_000_000
"""Turns that wait for older ones, and their characters. Of games that are here those go that are
far from what is here, but for the furthest; of others, for `MOST_UNKNOWN` of which there is room,
the oldest."""
MOST_UNKNOWN = 20
HOUR = 3600.0
MOST_ASKED, MOST_ANSWERED = 20, 100
"""Requests made for games that are not here, and turns sent again, in an hour."""
CLAIM_LAPSES = 7 * 24 * HOUR
"""How long it is told that somebody claims the player's account: anybody in a chat can say so."""
MOST_BAD = 8
"""Entries of one key in an hour that are signed and still do not hold, or are not kept; more are
passed over. All joins and invitations count as of one key, since whoever makes those has as many
as they like: more of them wait."""
MOST_KEYS = 1000
MOST_SEEK_LINES = 3
MOST_SEEKS = 200
"""Seeks that are taken in of one request, and own ones that are sent: the newest."""
AT_ONCE = 3
"""Turns that are played again in one request: the page answers in between."""

_SIGNED = re.compile(r"([0-9]{4})\.toml\Z")
_IS_FIRST = re.compile(r"^key = ", re.MULTILINE)


@dataclass(frozen=True)
class ChatState:
    """What is remembered of a chat. `read` is the serial number up to which updates were read.
    `came_back` is the player's newest turn of each game that has come back from the chat, so that
    the others have it; `heard` is the newest turn of anybody that has come from there. `asked` says
    up to which turn of a game somebody was asked for, and when; `answered` when a turn was sent
    again. `bad` counts bad entries of the last hour, by key. `claimed`: when an update came last
    that says it is of this account, and is signed with another key. `seeks` are the SHA-256 of the
    player's own seeks, and of what ends them, that have come back."""

    read: int = 0
    came_back: Mapping[str, int] = field(default_factory=dict)
    heard: Mapping[str, int] = field(default_factory=dict)
    waiting: tuple[TurnUpdate, ...] = ()
    asked: Mapping[str, tuple[int, float]] = field(default_factory=dict)
    answered: Mapping[str, float] = field(default_factory=dict)
    bad: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    claimed: float = 0.0
    seeks: tuple[str, ...] = ()


_STATE = StateFile("chat.json", ChatState, 8_000_000)


def page(table: Table, fields: Mapping[str, str]) -> Mapping[str, object]:
    """Take in updates of the chat, a few turns at a time, and return those that are to go out.
    `updates` are pairs of serial number and payload; `address` is what the messenger calls the
    player. In the answer `left` is how many turns still wait to be taken in (the page asks again),
    `games` are the pages of the games that went on, and `lines` are for the player."""
    table.in_chat = True
    chat = Chat(table.games.home, _claim(fields.get("address", "")))
    with suppress(ValueError, RecursionError):
        chat.note(json.loads(fields.get("updates", "") or "[]"))
    chat.take_seeks()
    games = chat.settle()
    if games and not chat.todo:
        chat.answer_prepared()
    sends = [] if chat.todo else chat.sends()
    chat.keep()
    return {
        "read": chat.state.read,
        "left": len(chat.todo),
        "games": games,
        "lines": chat.lines,
        "sends": sends,
        "elsewhere": time.time() - chat.state.claimed < CLAIM_LAPSES,
    }


def _claim(address: str) -> str:
    return hashlib.sha256(address.encode()).hexdigest()[:16] if address else ""


def _seek_line(text: str) -> str:
    """What is told of a seek that came; nothing of an end, or of one that does not count."""
    with suppress(PbemError):
        one = read_seek(text.encode())
        if isinstance(one, Seek) and not one.is_over(clock.now()):
            return f"{_wish(one)}: see “Find somebody”."
    return ""


def _wish(seek: Seek) -> str:
    """Who seeks whom. Raises `Usage` for a game that is not there."""
    return f"{seek.wish.name} seeks somebody to play {registry.title(seek.wish.game)} with"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


class Chat:
    """The chat of one home. `lines` say what its player should know; `todo` are turns that can be
    taken in, since all older ones are here."""

    def __init__(self, home: Home, by: str = "") -> None:
        self.home, self._by = home, by
        self.state = _STATE.read_if_whole(home.folder) or ChatState()
        self.lines: list[str] = []
        self.todo: list[TurnUpdate] = list(self.state.waiting)
        self._early: list[TurnUpdate] = []
        self._later: list[TurnUpdate] = []
        self._here: list[TurnUpdate] = []
        self._wanted: list[Request] = []
        self._seeks: list[str] = []
        self._shelves: dict[str, Shelf | None] = {}

    def keep(self) -> None:
        """Write down what is remembered. Raises `Usage`."""
        waiting = self._bounded([*self._early, *self._later])
        todo = self.todo[-2 * MOST_WAITING :]  # the page hands over more once none is left
        _STATE.write(self.home.folder, replace(self.state, waiting=(*waiting, *todo)))

    def _bounded(self, waiting: list[TurnUpdate]) -> tuple[TurnUpdate, ...]:
        """Of the turns that wait those for which there is room, those first whose games are
        here."""
        ahead: list[tuple[int, TurnUpdate]] = []
        unknown: list[TurnUpdate] = []
        for update in reversed(waiting):
            if (shelf := self._shelf(update.game)) is None:
                unknown.append(update)
                continue
            distance = update.number - len(shelf.file.entries)
            if distance >= 0 or not has_gone_on(shelf.file):
                ahead.append((distance, update))
        ahead.sort(key=lambda pair: pair[0])
        # the furthest one stays: it tells up to where to ask
        near = [update for _, update in [*ahead[-1:], *ahead[:-1]]]
        near = near[: MOST_WAITING - min(len(unknown), MOST_UNKNOWN)]
        kept: list[TurnUpdate] = []
        size = 0
        for update in [*near, *unknown[: MOST_WAITING - len(near)]]:
            size += len(update.turn)
            if size > MOST_WAITING_SIZE:
                break
            kept.append(update)
        return (*kept[: len(near)], *reversed(kept[len(near) :]))

    def note(self, updates: object) -> None:
        """Sort what came, in the order in which it came; junk is passed over."""
        for pair in updates if isinstance(updates, list) else []:
            if not (isinstance(pair, list) and len(pair) == 2 and type(pair[0]) is int):
                continue
            self.state = replace(self.state, read=max(self.state.read, pair[0]))
            update = read_update(pair[1])
            if isinstance(update, Request):
                self._wanted.append(update)
            elif isinstance(update, SeekUpdate):
                self._seeks = [*self._seeks, update.seek][-MOST_SEEKS:]
            elif update is not None and update not in self.todo:
                self.todo.append(update)

    def take_seeks(self) -> None:
        """Keep the seeks that came; own ones that have come back need not be sent again."""
        if not self._seeks:
            return
        own = set(map(_digest, self._own_seeks()))
        back = [one for one in map(_digest, self._seeks) if one in own]
        seeks = tuple(dict.fromkeys([*self.state.seeks, *back]))[-MOST_SEEKS:]
        self.state = replace(self.state, seeks=seeks)
        others = [text for text in self._seeks if _digest(text) not in own]
        kept_seeks.note_found(self.home, [text.encode() for text in others])
        self.lines += list(dict.fromkeys(filter(None, map(_seek_line, others))))[-MOST_SEEK_LINES:]
        self._seeks = []

    def _own_seeks(self) -> dict[str, Seek | None]:
        """The player's own seeks that still count, by their texts; and the texts of what ends
        some."""
        known, now = kept_seeks.kept(self.home), clock.now()
        own = reversed(kept_seeks.own_seeks(known))
        going = {one.data.decode(): one for one in own if not one.is_over(now)}
        return {**going, **dict.fromkeys(known.ends)}

    def _unsent_seeks(self) -> Iterator[Mapping[str, object]]:
        """The player's own seeks, and their ends, that have not come back."""
        for text, one in list(self._own_seeks().items())[-MOST_SEEKS:]:
            if _digest(text) in self.state.seeks:
                continue
            made: dict[str, object] = {"payload": written(SeekUpdate(text)), "once": True}
            with suppress(PbemError):
                if one is not None:
                    made["info"] = _wish(one)[:200]
                    made["summary"] = f"{one.wish.name} seeks a game"[:40]
            yield made

    def settle(self) -> list[str]:
        """Take in a few of the turns that can be. Returns the pages of their games."""
        games: list[str] = []
        played, is_new = 0, True
        while is_new and played < AT_ONCE:
            is_new, rest = False, self.todo + self._early
            self._here = rest
            self.todo, self._early = [], []
            for update in rest:
                if played >= AT_ONCE:
                    self.todo.append(update)
                    continue
                page_of = self._take(update)
                if page_of is not None:
                    played, is_new = played + 1, True
                    games += [page_of] if page_of and page_of not in games else []
        if played >= AT_ONCE:  # what waited may go on now
            self.todo, self._early = self.todo + self._early, []
        return games

    def answer_prepared(self) -> None:
        """Sign what the player has prepared to turns that have come; it goes out as what they sign
        themselves does."""
        inbox = Inbox(self.home, confirmed="", watches=True)
        prepared_turns.answer_all(inbox)
        self.lines += [line for line in map(_line, inbox.items) if line]
        self._shelves.clear()

    def _shelf(self, game: str) -> Shelf | None:
        if game not in self._shelves:
            self._shelves[game] = shelf_of(self.home.folder / "games" / game)
        return self._shelves[game]

    def _take(self, update: TurnUpdate) -> str | None:
        """Take one turn in. Returns the page of its game; empty if the game does not go on by it;
        None if the game need not be played again. A turn that comes too early waits."""
        shelf = self._shelf(update.game)
        if update.number == 0:
            data = update.turn.encode()
        else:
            before = next(_files_before(shelf, update), None)
            if before is None:
                self._early.append(update)
                return None
            data = before + update.turn.encode()
        if shelf is not None and self._is_known(shelf, update.number, data):
            self._note_heard(update, data)
            return None
        if _IS_FIRST.search(update.turn) and self._bad_count("") >= MOST_BAD:
            self._later.append(update)
            return None
        try:
            file = turnfile.read(data)
        except PbemError:
            return None
        key, counted_as = _signer(file, update)
        if key is None or self._bad_count(counted_as) >= MOST_BAD:
            return None
        most = MOST_VERSIONS
        if shelf is not None and (count := _versions(shelf, update.number)) >= most:
            if not self._is_gone_on_with(file, update):
                return None
            most *= 2
            if count >= most:
                return None
        if update.by == self._by != "" and key != self.home.identity().public:
            self.state = replace(self.state, claimed=time.time())
        page_of = self._play(file, key, counted_as, most)
        self._shelves.pop(update.game, None)
        if page_of:
            self._note_heard(update, data)
        return page_of

    def _note_heard(self, update: TurnUpdate, data: bytes) -> None:
        """This turn has come from the chat; what somebody else would have in its place counts for
        nothing."""
        shelf = self._shelf(update.game)
        if shelf is None or not shelf.file.data.startswith(data):
            return
        newest = max(update.number, self.state.heard.get(update.game, -1))
        self.state = replace(self.state, heard={**self.state.heard, update.game: newest})

    def _is_known(self, shelf: Shelf, number: int, data: bytes) -> bool:
        """Whether the home has this very turn. If it is one of its own, it has come back."""
        folder = shelf.path.parent.parent
        if files.holds(signed_path(folder, number), data):
            game = shelf.number
            if self.state.came_back.get(game, -1) < number:
                came = {**self.state.came_back, game: number}
                self.state = replace(self.state, came_back=came)
            with suppress(PbemError):
                outbox.note_by_hand(folder, number, data, time.time())
            return True
        if read_path(folder, number, hashlib.sha256(data).hexdigest()).exists():
            return True
        return len(shelf.file.entries) > number and shelf.file.prefix(number + 1) == data

    def _is_gone_on_with(self, file: TurnFile, update: TurnUpdate) -> bool:
        """Whether turns that are here lead from this file to one that its inviter has signed: then
        the joins of strangers, who came before, do not keep it out."""
        inviter, todo = file.entries[0].blob("key", 32), [file]
        after = [one for one in self._here if one.game == update.game]
        while todo:
            before = todo.pop()
            digest = before.entries[-1].after.hex()
            for one in [one for one in after if one.before == digest]:
                after.remove(one)
                with suppress(PbemError):
                    longer = turnfile.read(before.data + one.turn.encode())
                    key, _ = _signer(longer, one)
                    if key == inviter:
                        return True
                    todo += [longer] if key is not None else []
        return False

    def _play(self, file: TurnFile, key: bytes, counted_as: str, most_versions: int) -> str:
        own, shelf = self.home.identity().public, self._shelf(_page_of(file).rpartition("-")[2])
        inbox = Inbox(
            self.home,
            confirmed="",
            limits=Limits(self.home, own, most_versions),
            watches=True,
        )
        inbox.take([Found("the chat", file.data)])
        kinds = {item.kind for item in inbox.items}
        if kinds & {"invalid", "unkept"}:
            self._count_bad(counted_as)
            return ""
        joins = self._about_joins(shelf, file, own)
        self.lines += [line for line in (joins, *map(_line, inbox.items)) if line]
        return _page_of(file) if kinds & {"new", "duplicate", "rival"} and key != own else ""

    def _about_joins(self, before: Shelf | None, file: TurnFile, own: bytes) -> str:
        """What the player, who has the key `own`, should know if several want the same seat; until
        this file came, `before` was here of its game."""
        if before is None or has_gone_on(before.file) or file.data.startswith(before.file.data):
            return ""
        now, inviter = shelf_of(before.path.parent.parent), file.entries[0]
        if inviter.blob("key", 32) == own:
            is_to_choose = not has_gone_on(file) and is_full(file)
            words = "Two want the same seat: it is theirs whose game you go on with."
            return words if is_to_choose else ""
        if now is None or not _signed(before):
            return ""
        sits = any(one.blob("key", 32) == own for one in now.file.entries if "key" in one.fields)
        if has_gone_on(file):
            words = f"{inviter.text('name')} has gone on with somebody else: you have no seat, and"
            return "" if sits else f"{words} watch this game."
        if not sits:
            return "Somebody else has the seat that you wanted: another one is free for you."
        if is_full(file):
            words = "Somebody else has joined in the same moment"
            return f"{words}: {inviter.text('name')} goes on with one of you."
        return "Somebody else wanted your seat in the same moment, and may take another one."

    def _bad_count(self, key: str) -> int:
        """How many bad entries of this key came within the last hour."""
        hour, count = self.state.bad.get(key, (0, 0))
        return count if hour == int(time.time() / HOUR) else 0

    def _count_bad(self, key: str) -> None:
        count = self._bad_count(key) + 1
        others = {one: known for one, known in self.state.bad.items() if one != key}
        while len(others) >= MOST_KEYS:
            others.pop(next(iter(others)))
        bad = {**others, key: (int(time.time() / HOUR), count)}
        self.state = replace(self.state, bad=bad)

    # What goes out

    def sends(self) -> list[Mapping[str, object]]:
        """The updates that are to go out now: own turns that have not come back, those that
        somebody asked for, and requests for what is missing."""
        now = time.time()
        found = [made for shelf in self._all_shelves() for made in self._unsent(shelf)]
        again = [{"payload": written(one)} for one in self._answers(now)]
        asks = [{"payload": written(one)} for one in self._requests(now)]
        return [*found, *self._unsent_seeks(), *again, *asks]

    def _all_shelves(self) -> Iterator[Shelf]:
        """Of the games in which the player has signed something."""
        for folder in game_index.game_folders(self.home):
            shelf = shelf_of(folder) if files.listed(folder / "signed") else None
            if shelf is not None:
                yield shelf

    def _unsent(self, shelf: Shelf) -> Iterator[Mapping[str, object]]:
        """The player's own turns of a game that have not come back from the chat, with the line
        that the chat shows of the newest, and turns of others before them that came as files, since
        whoever wrote those may have no app any more. None for a game that is played alone."""
        newest = self.state.came_back.get(shelf.number, -1)
        own = [number for number in _signed(shelf) if number > newest]
        if not own:
            return
        game = gate.replay(shelf.file, self.home.checks.verifier)
        if not game.invitation.is_witnessed():
            return
        heard = self.state.heard.get(shelf.number, -1)
        for number in range(min(own[0], heard + 1), own[-1] + 1):
            if number not in own and number <= heard:
                continue
            update = self._update(shelf, number)
            made: dict[str, object] = {"payload": written(update)}
            if number in own:
                made["signed"] = f"home/games/{shelf.number}/signed/{number:04}.toml"
            is_newest = number == len(shelf.file.entries) - 1
            if is_newest and shelf.file.data.endswith(update.turn.encode()):
                made["info"], made["summary"] = in_chat(game)
            yield made

    def _update(self, shelf: Shelf, number: int) -> TurnUpdate:
        """A turn as an update; for an own turn it is the same each time."""
        own, file = signed_path(shelf.path.parent.parent, number), shelf.file
        if is_own := own.exists():
            file = turnfile.read(files.read_own(own, MAX_FILE))
        entries, data = file.entries, file.prefix(number + 1)
        start = entries[number - 1].end if number else 0
        before = entries[number - 1].after.hex() if number else ""
        by = self._by if is_own else ""
        return TurnUpdate(shelf.number, number, before, data[start:].decode(), by)

    def _answers(self, now: float) -> Iterator[TurnUpdate]:
        """Own turns that somebody has asked for; each is sent again at most once an hour."""
        answered = {one: when for one, when in self.state.answered.items() if _is_recent(now, when)}
        for wanted in self._wanted:
            shelf = self._shelf(wanted.game)
            for number in _signed(shelf) if shelf is not None else []:
                name = f"{wanted.game}:{number}"
                if not wanted.first <= number <= wanted.last or name in answered:
                    continue
                if len(answered) >= MOST_ANSWERED or shelf is None:
                    break
                answered[name] = now
                yield self._update(shelf, number)
        self._wanted = []
        self.state = replace(self.state, answered=answered)

    def _requests(self, now: float) -> Iterator[Request]:
        """Requests for the turns that are missing before those that wait; each range is asked for
        at most once an hour."""
        asked = {
            one: (last, when)
            for one, (last, when) in self.state.asked.items()
            if _is_recent(now, when)
        }
        first_waiting: dict[str, int] = {}
        for update in self._early:
            known = first_waiting.get(update.game, update.number)
            first_waiting[update.game] = min(known, update.number)
        for game, number in first_waiting.items():
            shelf = self._shelf(game)
            here = 0 if shelf is None else len(shelf.file.entries)
            if shelf is not None and not has_gone_on(shelf.file):
                here = 1  # others may have joined than those who are known
            is_asked = game in asked and number - 1 <= asked[game][0]
            if not is_asked and (game in asked or shelf is not None or len(asked) < MOST_ASKED):
                asked[game] = (number - 1, now)
                yield Request(game, min(here, number - 1), number - 1)
        self.state = replace(self.state, asked=asked)


def _is_recent(now: float, when: float) -> bool:
    return 0 <= now - when < HOUR


def _signed(shelf: Shelf) -> list[int]:
    """The numbers of the player's own turns of a game."""
    names = [path.name for path in files.listed(shelf.path.parent.parent / "signed")]
    return sorted(int(match[1]) for name in names if (match := _SIGNED.match(name)))


def _files_before(shelf: Shelf | None, update: TurnUpdate) -> Iterator[bytes]:
    """The files of the home that a turn may follow: part of the newest file, or other versions."""
    if shelf is None:
        return
    entries, number = shelf.file.entries, update.number
    if len(entries) >= number and entries[number - 1].after.hex() == update.before:
        yield shelf.file.prefix(number)
        return
    folder = shelf.path.parent.parent
    paths = read_path(folder, number - 1, update.before), signed_path(folder, number - 1)
    for path in paths:
        with suppress(PbemError):
            data = files.read_own(path, MAX_FILE)
            if hashlib.sha256(data).hexdigest() == update.before:
                yield data


def _versions(shelf: Shelf, number: int) -> int:
    """How many files with so many entries are kept."""
    names = [path.name for path in files.listed(shelf.path.parent.parent / "read")]
    return sum(
        (match := READ_FILE.match(name)) is not None and int(match[1]) == number for name in names
    )


def _signer(file: TurnFile, update: TurnUpdate) -> tuple[bytes | None, str]:
    """The key that has signed the newest entry (None if it is not signed, or not an entry of this
    update), and the key as whose it counts if it is bad."""
    if len(file.entries) != update.number + 1:
        return None, ""
    entry = file.entries[-1]
    firsts = (one for one in file.entries if one.seat == entry.seat and "key" in one.fields)
    first = next(firsts, entry)
    try:
        key = first.blob("key", 32)
        is_its_game = _page_of(file).rpartition("-")[2] == update.game
    except PbemError:
        return None, ""
    if not is_its_game or not holds(key, SIGNATURE_TAG + entry.digest, entry.signature):
        return None, ""
    return key, "" if first is entry else key.hex()


def _page_of(file: TurnFile) -> str:
    """The page of the game that a file belongs to."""
    first = file.entries[0]
    return page_name(first.text("game"), id_of_game(first))


def _line(item: Item) -> str:
    """What the player should know of a turn, unless it is simply the next one, or a join."""
    is_join = "somebody else joined" in item.reason or "who want the seat" in item.reason
    is_quiet = item.kind in ("new", "duplicate", "stale", "mended", "invalid", "rival")
    return "" if is_quiet or (item.kind == "conflict" and is_join) else item.reason
