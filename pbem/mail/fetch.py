"""Fetches mails with turns in them by IMAP, into the folder `inbox` of a home, and bounds what is
kept there.

The server's folder is only read; which of its mails were looked at is remembered in
`inbox/fetched.json` of the home.

A mail lies there until its turn is in the home (`pbem.home.taken_in`), and one whose turn is there
already is not kept at all: the server has it still. Anybody can write to an address. So a turn is
verified before its mail is kept, and of one that does not verify the digest is noted, so that it is
verified only once. Each sender has a share of the room. Games that are not in the home yet may take
half of it together, so that strangers leave the other half to the player's own games. A mail for
which there is no room is fetched as soon as there is.
"""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from math import inf
from pathlib import Path
from typing import NamedTuple

from pbem import files
from pbem.errors import Usage
from pbem.fileformat.turnfile import MAX_MESSAGE
from pbem.home import attached_files, clock
from pbem.home.home import Home
from pbem.home.store import StateFile
from pbem.mail import attached_parts, bounces, find_turns, imap, links, lost_turns, server_errors
from pbem.mail.fetched_mails import CheckedTurn, FetchedMails, size_kept
from pbem.mail.find_turns import Found
from pbem.mail.imap import Client
from pbem.mail.server import Server

Watch = Callable[[int, int], None]
"""Called with how many mails were looked at, and how many there are."""
MOST_MAIL = 500_000_000
"""Bytes of fetched mails in all that are not taken in yet."""
MAX_AGAIN = 100
"""Mails without their turn that are looked at again at every fetch."""
LONGEST_AGAIN = 200_000
"""Bytes of such a mail at most, since it is loaded each time: one that lost its turn is short."""
MAX_LEFT = 1000
"""Mails left on the server for want of room that are remembered one by one. Of those that came
later the first one of each sender is."""
_AT_ONCE = 200
"""Mails whose sizes are asked for together. After each such part it is remembered that they were
looked at."""


class BadMail(NamedTuple):
    """A mail whose turns do not verify, and which is therefore not kept: where it lies, in words,
    and why they do not."""

    where: str
    problem: str


class FetchResult(NamedTuple):
    """The files that were written, which lie there until they are taken in; how many mails were
    looked at; the mails whose turns do not verify; how many with turns stay on the server for want
    of room, at least, and what is full and makes room, in words."""

    written: list[Path]
    looked: int
    bad: list[BadMail]
    left: int
    no_room: list[str]


@dataclass
class _Left:
    """A mail for which there was no room: its UID, the bytes that it would take, who sent it, and
    whether its game was here."""

    uid: int
    size: int
    sender: str
    is_here: bool


@dataclass
class _UidRecord:
    """Which mails of one folder of an account were looked at: every UID up to `last`. Those in
    `again` came without their turn and those in `left` found no room, so they are looked at again.
    Where there are too many of these, `beyond` has of each sender the first one that is not among
    them: once there is room for it, the next search begins there. UIDs mean something only under
    one UIDVALIDITY (RFC 3501, section 2.3.1.1)."""

    validity: str
    last: int = 0
    again: list[int] = field(default_factory=list)
    left: list[_Left] = field(default_factory=list)
    beyond: list[_Left] = field(default_factory=list)

    def leave(self, mail: _Left) -> None:
        """Note that a mail was left on the server."""
        if len(self.left) < MAX_LEFT:
            self.left.append(mail)
            return
        share = _share(mail)
        first = next((one for one in self.beyond if _share(one) == share), mail)
        others = [one for one in self.beyond if _share(one) != share]
        self.beyond = [*others, min(first, mail, key=lambda one: one.uid)]

    def take_up(self, has_room: Callable[[_Left], bool]) -> list[int]:
        """The UIDs of mails that were left and for which there is room now, to be looked at like
        new ones: each stays on the list until that is done."""
        if begins := [one.uid for one in self.beyond if has_room(one)]:
            self.last = min(*begins, self.last + 1) - 1
            # the search that begins there finds these as well
            self.beyond = [one for one in self.beyond if one.uid <= self.last]
            self.left = [one for one in self.left if one.uid <= self.last]
        return [one.uid for one in self.left if has_room(one)][:_AT_ONCE]


def _share(mail: _Left) -> str:
    """Whose mails are counted together where not each can be remembered: those of one sender, or
    all of games that were new."""
    return mail.sender if mail.is_here else ""


def fetch(
    home: Home,
    server: Server,
    watch: Watch = lambda _done, _total: None,
    take_in: Callable[[], None] = lambda: None,
    seconds: float = inf,
) -> FetchResult:
    """Write to the home's inbox every mail that carries a turn that verifies and is not here, or
    that lost its turn on the way. All that came since the last fetch is looked at, and again those
    that had lost their turn or for which there was no room. The inbox grows to `MOST_MAIL` bytes;
    `take_in` is called now and then, to take in what lies there. After so many seconds it ends with
    the mail at hand, and the next fetch goes on there. Raises `Refused`."""
    with session(server) as client:
        validity = imap.open_folder(client, server)
        seen = (_ACCOUNTS.read_if_whole(home.folder / "inbox") or {}).get(_account(server))
        if seen is None or seen.validity != validity:
            seen = _UidRecord(validity)
        run = _FetchRun(home, server, client, seen, FetchedMails(home, MOST_MAIL))
        run.go(watch, take_in, time.monotonic() + seconds)
    left = [*run.seen.left, *run.seen.beyond]
    return FetchResult(run.written, run.looked, run.bad, len(left), run.no_room(left))


def left_on_servers(home: Home) -> int:
    """How many mails with turns stay on the servers for want of room, at least, as far as it is
    remembered."""
    accounts = _ACCOUNTS.read_if_whole(home.folder / "inbox") or {}
    return sum(len(one.left) + len(one.beyond) for one in accounts.values())


_ACCOUNTS = StateFile("fetched.json", dict[str, _UidRecord], 1_000_000)
"""The record of each account, by its name."""


class _FetchRun:
    """One fetch from one account, and what it brought so far."""

    def __init__(
        self, home: Home, server: Server, client: Client, seen: _UidRecord, kept: FetchedMails
    ) -> None:
        self.home = home
        self.server = server
        self.client = client
        self.seen = seen
        self.kept = kept
        self.written: list[Path] = []
        self.looked = 0
        self.bad: list[BadMail] = []

    def go(self, watch: Watch, take_in: Callable[[], None], until: float) -> None:
        """Look at all mails that are new, or due again, until this time."""
        first = self._due_again(sorted(self.seen.again))
        self._note_date()
        while uids := [*first, *self._new()]:
            for start in range(0, len(uids), _AT_ONCE):
                part: list[int] = []
                for uid, data in mails(self.client, uids[start : start + _AT_ONCE]):
                    self._look_at(uid, data)
                    part.append(uid)
                    self.looked += 1
                    watch(self.looked, self.looked + len(uids) - start - 1)
                    if time.monotonic() > until:
                        break
                self.seen.last = max(self.seen.last, *part)
                self._write_down()
                take_in()
                self.kept.count_anew()
                if time.monotonic() > until:
                    return
            first = self._due_again([])

    def no_room(self, left: Sequence[_Left]) -> list[str]:
        """What is full, and what makes room, in words."""
        lacking = Counter(
            self.kept.full(one.size, one.sender, is_here=one.is_here) or "the room" for one in left
        )
        where = files.printable(self.kept.folder)
        return [
            f"mails with turns stay on the server ({number}), for {what} in {where} is full: pbem"
            " inbox takes in what it can; of the rest, remove the mails there that you do not need"
            for what, number in lacking.items()
        ]

    def _write_down(self) -> None:
        """Remember what was looked at."""
        folder = self.home.folder / "inbox"
        accounts = _ACCOUNTS.read_if_whole(folder) or {}
        _ACCOUNTS.write(folder, {**accounts, _account(self.server): self.seen})
        self.kept.write_down()

    def _new(self) -> list[int]:
        """The UIDs of mails that were not looked at yet, oldest first."""
        last = self.seen.last
        since = (datetime.now(UTC) - timedelta(days=self.server.days)).date()
        found = self.client.search(["UID", f"{last + 1}:*"] if last else ["SINCE", since])
        return sorted(uid for uid in found if uid > last)

    def _note_date(self) -> None:
        """Note when the server took its newest mail: this machine's clock cannot be earlier than
        that."""
        if newest := self.client.search(["UID", "*"])[-1:]:
            date = (
                self.client.fetch(newest, ["INTERNALDATE"]).get(newest[0], {}).get(b"INTERNALDATE")
            )
            if isinstance(date, datetime):
                clock.note_server(self.home.folder, date)

    def _due_again(self, again: list[int]) -> list[int]:
        """The UIDs of mails to look at once more: these, and those that were left on the server and
        for which there is room now; but for what the search for new ones finds anyway."""
        left = self.seen.take_up(
            lambda one: not self.kept.full(one.size, one.sender, is_here=one.is_here)
        )
        return [uid for uid in [*again, *left] if uid <= self.seen.last]

    def _look_at(self, uid: int, data: bytes | None) -> None:
        """Keep a mail that carries a turn that verifies, or a notice that a mail of the player's
        was not delivered; of any other mail the files that go with a turn and are awaited."""
        was_missing = uid in self.seen.again
        self.seen.again = [other for other in self.seen.again if other != uid]
        self.seen.left = [one for one in self.seen.left if one.uid != uid]
        if data is None:
            return
        found = list(links.with_files(self.home, find_turns.turns_in(data, "")))
        turns = [self.kept.check(one.data) for one in found if one.data]
        good = [one for one in turns if not one.problem]
        sender = lost_turns.sender_of(data)
        failed = [failed for one in found for failed in one.failed]
        if failed and (matches := bounces.matches(self.home, failed)):
            if not all(one.is_known for one in matches):
                self._keep(uid, data[:LONGEST_AGAIN], [], sender, is_here=True)
        elif good and not all(one.is_known for one in good):
            self._keep(
                uid,
                data,
                [one.data for one in good],
                sender,
                is_here=any(one.is_here for one in good),
                wanted=self._wanted_in(data, good),
            )
        elif wanted := self._wanted_in(data, good):
            self._keep(uid, b"", [], sender, is_here=True, wanted=wanted)
        elif not turns:
            self._look_at_lost(uid, data, found, was_missing)
        elif not good:
            where = (
                f"a mail of {sender or 'a sender without an address'} on {self.server.host}, number"
                f" {uid}"
            )
            self.bad.append(BadMail(where, turns[0].problem))

    def _wanted_in(self, data: bytes, good: Sequence[CheckedTurn]) -> list[bytes]:
        """The files in a mail that go with these turns of it, or are awaited."""
        lacking = [file for turn in good for file in turn.lacks]
        lacking += [one.file() for one in attached_files.awaited(self.home)]
        found = attached_parts.in_mail(data, "", set(lacking)) if lacking else ()
        return list(dict.fromkeys(one.data for one in found if one.is_it))

    def _look_at_lost(self, uid: int, data: bytes, found: list[Found], was_missing: bool) -> None:
        """Keep the beginning of a mail that lost its turn on the way, if that turn is not here, and
        note that the mail is looked at again."""
        lost = [one.lost for one in found if one.lost is not None]
        if not any(lost_turns.awaited(self.home, one) for one in lost):
            return
        if len(data) <= LONGEST_AGAIN:
            self.seen.again = [*self.seen.again, uid][-MAX_AGAIN:]
        if not was_missing:
            self._keep(uid, data[:LONGEST_AGAIN], [], lost[0].sender, is_here=False)

    def _keep(
        self,
        uid: int,
        data: bytes,
        turns: list[bytes],
        sender: str,
        *,
        is_here: bool,
        wanted: Sequence[bytes] = (),
    ) -> None:
        """Write a mail if there is room for it, else note that it was left on the server."""
        size = size_kept(data, turns, wanted)
        if self.kept.full(size, sender, is_here=is_here):
            self.seen.leave(_Left(uid, size, sender, is_here))
            return
        account = hashlib.sha256(_account(self.server).encode()).hexdigest()[:8]
        name = f"{account}-{self.seen.validity}-{uid}"
        self.written += self.kept.keep(name, data, turns, sender, wanted)


@contextmanager
def session(server: Server) -> Iterator[Client]:
    """A connection on which the player is signed in, closed at the end. Raises `Refused` for all
    that goes wrong meanwhile."""
    password = server.password()
    try:
        client = imap.connect(server)
        try:
            imap.sign_in(client, server, password)
            yield client
        finally:
            imap.leave(client)
    except ImportError as error:
        raise Usage(
            "mails cannot be fetched here: the library IMAPClient is not installed"
        ) from error
    except imap.errors() as error:
        raise server_errors.in_words(error, server) from error


def mails(client: Client, uids: Sequence[int]) -> Iterator[tuple[int, bytes | None]]:
    """Each UID with its mail; None for a mail that is too large, or gone."""
    sizes = client.fetch(uids, ["RFC822.SIZE"])
    for uid in uids:
        size = sizes.get(uid, {}).get(b"RFC822.SIZE", 0)
        yield (
            uid,
            (
                client.fetch([uid], ["BODY.PEEK[]"]).get(uid, {}).get(b"BODY[]")
                if 0 < size <= MAX_MESSAGE
                else None
            ),
        )


def _account(server: Server) -> str:
    return f"{server.user}@{server.host}:{server.port}/{server.folder}"
