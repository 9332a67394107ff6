"""Fetching mails with turns in them by IMAP. The server's folder is only read; which of its mails were looked at is
remembered in `inbox/fetched.json` of the home."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from pbem import files
from pbem.errors import Usage
from pbem.fileformat.turnfile import MAX_MESSAGE
from pbem.home import game_index
from pbem.home.home import Home
from pbem.mail import failures, find_turns, imap
from pbem.mail.imap import Client
from pbem.mail.settings import Server

Watch = Callable[[int, int], None]
"""Told how many mails were looked at, and how many there are."""
MAX_AGAIN = 100
"""Mails without their turn that are looked at once more at every fetch."""
LONGEST_AGAIN = 200_000
"""Bytes of such a mail at most, since it is loaded each time: one that lost its turn is short."""
_AT_ONCE = 200
"""Mails whose sizes are asked for together; after so many it is remembered that they were looked at."""


class Fetched(NamedTuple):
    """The mails that were written, and how many were looked at."""

    written: list[Path]
    looked: int


@dataclass
class _Seen:
    """What was looked at in one folder of one account: every UID up to `last`, but those in `again`, whose turn was
    missing. UIDs mean something only under one UIDVALIDITY (RFC 3501, section 2.3.1.1)."""

    validity: str
    last: int = 0
    again: list[int] = field(default_factory=list)


def fetch(home: Home, server: Server, watch: Watch = lambda _done, _total: None, room: int | None = None) -> Fetched:
    """Write every mail that carries a turn, or that should have carried one, to the home's inbox: all that came since
    the last fetch, and those whose turn was missing then. Mails beyond `room` bytes in all stay where they are, for
    another time. Raises `Refused`."""
    home.make_folder("inbox")
    written: list[Path] = []
    looked = 0
    with _signed_in(server) as client:
        seen = _remembered(home, server, imap.open_folder(client, server))
        while uids := _to_look_at(client, server, seen, first=not looked):
            for start in range(0, len(uids), _AT_ONCE):
                for uid, data in _mails(client, uids[start : start + _AT_ONCE]):
                    kept = [*_kept(home, server, seen, uid, data)]
                    written += kept
                    looked += 1
                    if room is not None and kept and (room := room - len(data or b"")) < 0:
                        seen.last = max(seen.last, uid)
                        _remember(home, server, seen)
                        return Fetched(written, looked)
                    watch(looked, looked + len(uids) - start - 1)
                seen.last = max(seen.last, *uids[start : start + _AT_ONCE])
                _remember(home, server, seen)
    return Fetched(written, looked)


@contextmanager
def _signed_in(server: Server) -> Iterator[Client]:
    """A connection to the account, left when it is done with. Raises `Refused` for all that goes wrong meanwhile."""
    password = server.password()
    try:
        client = imap.connected(server)
        try:
            imap.sign_in(client, server, password)
            yield client
        finally:
            imap.leave(client)
    except ImportError as error:
        raise Usage("mails cannot be fetched here: the library IMAPClient is not installed") from error
    except imap.errors() as error:
        raise failures.in_words(error, server) from error


def _kept(home: Home, server: Server, seen: _Seen, uid: int, data: bytes | None) -> Iterator[Path]:
    """Write a mail that carries a turn, or that lost one which is not here; the latter is looked at again."""
    found = list(find_turns.turns_in(data, "")) if data is not None else []
    turns = [one for one in found if one.data]
    lost = [one.lost for one in found if one.lost is not None and not turns]
    missing = [one for one in lost if not game_index.holds_entry(home, one.game, one.entry)]
    was_missing = uid in seen.again
    seen.again = [other for other in seen.again if other != uid]
    if missing and data is not None and len(data) <= LONGEST_AGAIN:
        seen.again = [*seen.again, uid][-MAX_AGAIN:]
    if data is not None and (turns or (missing and not was_missing)):
        path = home.folder / "inbox" / f"{_short(server)}-{seen.validity}-{uid}.eml"
        files.replace(path, data)
        yield path


def _to_look_at(client: Client, server: Server, seen: _Seen, *, first: bool) -> list[int]:
    """The UIDs of mails that were not looked at yet, oldest first; at first also those that lacked their turn."""
    since = (datetime.now(UTC) - timedelta(days=server.days)).date()
    found = client.search(["UID", f"{seen.last + 1}:*"] if seen.last else ["SINCE", since])
    return [*(sorted(seen.again) if first else []), *sorted(uid for uid in found if uid > seen.last)]


def _mails(client: Client, uids: Sequence[int]) -> Iterator[tuple[int, bytes | None]]:
    """Each mail; None for one that is too large, or gone."""
    sizes = client.fetch(uids, ["RFC822.SIZE"])
    for uid in uids:
        size = sizes.get(uid, {}).get(b"RFC822.SIZE", 0)
        yield uid, client.fetch([uid], ["BODY.PEEK[]"]).get(uid, {}).get(b"BODY[]") if 0 < size <= MAX_MESSAGE else None


def _state_path(home: Home) -> Path:
    return home.folder / "inbox" / "fetched.json"


def _state(home: Home) -> dict[str, Any]:
    try:
        state = json.loads(files.read_own(_state_path(home), 1_000_000))
    except (Usage, ValueError, RecursionError):
        return {}
    return state if isinstance(state, dict) else {}


def _account(server: Server) -> str:
    return f"{server.user}@{server.host}:{server.port}/{server.folder}"


def _short(server: Server) -> str:
    return hashlib.sha256(_account(server).encode()).hexdigest()[:8]


def _remembered(home: Home, server: Server, validity: str) -> _Seen:
    known = _state(home).get(_account(server))
    if not isinstance(known, dict) or known.get("validity") != validity:
        return _Seen(validity)
    last, again = known.get("last"), known.get("again")
    uids = [uid for uid in again if isinstance(uid, int) and uid > 0] if isinstance(again, list) else []
    return _Seen(validity, last if isinstance(last, int) else 0, uids[:MAX_AGAIN])


def _remember(home: Home, server: Server, seen: _Seen) -> None:
    known = {"validity": seen.validity, "last": seen.last, "again": seen.again}
    files.replace(_state_path(home), json.dumps({**_state(home), _account(server): known}, indent=1).encode())
