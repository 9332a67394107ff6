"""Fetching mails with turns in them by IMAP. The server's folder is only read; which of its mails were looked at is
remembered in `inbox/fetched.json` of the home."""

from __future__ import annotations

import contextlib
import hashlib
import imaplib
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from pbem import files
from pbem.errors import Refused, Usage
from pbem.fileformat.turnfile import MAX_MESSAGE
from pbem.home import game_index
from pbem.home.home import Home
from pbem.mail import failures, find_turns
from pbem.mail.failures import LoginRefused
from pbem.mail.settings import Server
from pbem.mail.transport import TIMEOUT

Watch = Callable[[int, int], None]
"""Told how many mails were looked at, and how many there are."""
MAX_AGAIN = 100
"""Mails without their turn that are looked at once more at every fetch."""
LONGEST_AGAIN = 200_000
"""Bytes of such a mail at most, since it is loaded each time: one that lost its turn is short."""
_AT_ONCE = 200
"""Mails whose sizes are asked for together; after so many it is remembered that they were looked at."""
_SIZE = re.compile(rb"UID (\d+)[^)]*RFC822\.SIZE (\d+)|RFC822\.SIZE (\d+)[^)]*UID (\d+)")


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
    password = server.password()
    home.make_folder("inbox")
    written: list[Path] = []
    looked = 0
    try:
        with contextlib.closing(_Quiet(_imap(server))) as quiet:
            imap = quiet.imap
            try:
                imap.login(server.user, password)
            except imaplib.IMAP4.error as error:
                raise LoginRefused(str(error)) from error
            seen = _remembered(home, server, _select(imap, server))
            while uids := _to_look_at(imap, server, seen, first=not looked):
                for start in range(0, len(uids), _AT_ONCE):
                    for uid, data in _mails(imap, uids[start : start + _AT_ONCE]):
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
    except (imaplib.IMAP4.error, LoginRefused, OSError, ValueError, EOFError) as error:
        raise failures.in_words(error, server) from error
    return Fetched(written, looked)


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


class _Quiet:
    """A connection that is left politely if it still can be."""

    def __init__(self, imap: imaplib.IMAP4) -> None:
        self.imap = imap

    def close(self) -> None:
        with contextlib.suppress(OSError, imaplib.IMAP4.error):
            self.imap.logout()


def _imap(server: Server) -> imaplib.IMAP4:
    if server.security == "tls":
        return imaplib.IMAP4_SSL(server.host, server.port, ssl_context=server.tls(), timeout=TIMEOUT)
    imap = imaplib.IMAP4(server.host, server.port, timeout=TIMEOUT)
    if server.security == "starttls":
        imap.starttls(ssl_context=server.tls())
    return imap


def _select(imap: imaplib.IMAP4, server: Server) -> str:
    """Open the folder, to read only; its UIDVALIDITY."""
    folder = server.folder.replace("\\", "\\\\").replace('"', '\\"')
    kind, _ = imap.select(f'"{folder}"', readonly=True)
    if kind != "OK":
        raise Refused(f'{server.host} has no folder "{server.folder}"', hint="check fetch.folder in mail.toml")
    return _digits((imap.response("UIDVALIDITY")[1] or [b"0"])[0])


def _to_look_at(imap: imaplib.IMAP4, server: Server, seen: _Seen, *, first: bool) -> list[int]:
    """The UIDs of mails that were not looked at yet, oldest first; at first also those that lacked their turn."""
    since = (datetime.now(UTC) - timedelta(days=server.days)).strftime("%d-%b-%Y")
    criteria = ("UID", f"{seen.last + 1}:*") if seen.last else ("SINCE", since)
    _, answer = imap.uid("SEARCH", *criteria)
    new = sorted(int(uid) for uid in (answer[0] or b"").split() if uid.isdigit() and int(uid) > seen.last)
    return [*(sorted(seen.again) if first else []), *new]


def _mails(imap: imaplib.IMAP4, uids: Sequence[int]) -> Iterator[tuple[int, bytes | None]]:
    """Each mail; None for one that is too large, or gone."""
    _, answer = imap.uid("FETCH", ",".join(map(str, uids)), "(RFC822.SIZE)")
    sizes: dict[int, int] = {}
    for part in answer:
        if isinstance(part, bytes) and (match := _SIZE.search(part)):
            sizes[int(match[1] or match[4])] = int(match[2] or match[3])
    for uid in uids:
        yield uid, _mail(imap, uid) if 0 < sizes.get(uid, 0) <= MAX_MESSAGE else None


def _mail(imap: imaplib.IMAP4, uid: int) -> bytes | None:
    _, answer = imap.uid("FETCH", str(uid), "(BODY.PEEK[])")
    return next((part[1] for part in answer if isinstance(part, tuple)), None)


def _digits(value: Any) -> str:
    text = value.decode("ascii", "ignore") if isinstance(value, bytes) else ""
    return text if text.isdigit() else "0"


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
