"""What a home keeps of seeks: those that its player wrote, which of them they ended, and which of
others they answered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice

from pbem.errors import Conflict, Do, Invalid, PbemError, Refused
from pbem.home import clock
from pbem.home.home import Home
from pbem.home.store import StateFile
from pbem.ledger.ledger import Ledger
from pbem.lock import Lock
from pbem.seek.seek_file import Seek, Taken, read

MOST_FOUND, MOST_OF_KEY = 400, 6
"""Files of others that are kept, and of one key: its seeks and their ends."""
MOST_READ = 20_000
MOST = 200
"""Seeks that are kept of each kind, the newest ones."""


@dataclass(frozen=True)
class KeptSeeks:
    """The texts of the player's own seeks, the oldest first; the digests of those that they ended,
    and, by the digests of others' seeks, the game with which each was answered (32 digits of its
    id); digests in hexadecimal. `place` is where the table looked last; `found` are seeks of
    others and what ends them, which were taken in there, the oldest first; `ends` is what ends the
    player's own."""

    own: tuple[str, ...] = ()
    ended: tuple[str, ...] = ()
    answered: dict[str, str] = field(default_factory=dict)
    place: str = ""
    found: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()


_FILE = StateFile(
    "seeks.json",
    KeptSeeks,
    4_000_000,
    damage="your seeks cannot be read",
    hint="restore this file from your copy, or move it away: each seek has a file of its own too",
)


def kept(home: Home) -> KeptSeeks:
    """Raises `Damaged`."""
    return _FILE.read(home.folder) or KeptSeeks()


def own_seeks(known: KeptSeeks) -> list[Seek]:
    """The seeks that the player wrote, the newest first."""
    found = []
    for text in reversed(known.own):
        with suppress(Invalid):
            one = read(text.encode())
            if isinstance(one, Seek):
                found.append(one)
    return found


def is_open(seek: Seek, known: KeptSeeks, now: str) -> bool:
    """Whether a seek of the player's own goes on."""
    return not seek.is_over(now) and seek.digest.hex() not in known.ended


def still_open(home: Home, game: Ledger) -> list[str]:
    """What to tell a player who joins a game, if a seek of theirs for such a game goes on: only its
    end tells the others. What is kept is only a help here."""
    with suppress(PbemError):
        known, now = kept(home), clock.now()
        return [
            f"your seek {one.short} goes on: {Do('seek', '--taken', one.short, does='ends it')}"
            for one in own_seeks(known)
            if is_open(one, known, now) and one.wish.game == game.rules.name
        ]
    return []


def note_own(home: Home, seek: Seek) -> None:
    """Raises `Damaged` or `Usage`."""
    with _changing(home):
        known = kept(home)
        _write(home, replace(known, own=(*known.own, seek.data.decode())[-MOST:]))


def note_ended(home: Home, seek: Seek, taken: Taken) -> None:
    """Raises `Damaged` or `Usage`."""
    with _changing(home):
        known, digest = kept(home), seek.digest.hex()
        ended = [one for one in known.ended if one != digest]
        ends = (*known.ends, taken.data.decode())[-MOST:]
        _write(home, replace(known, ended=(*ended, digest)[-MOST:], ends=ends))


def note_answered(home: Home, seek: Seek, game: str) -> None:
    """Raises `Damaged` or `Usage`."""
    with _changing(home):
        known = kept(home)
        answered = {**known.answered, seek.digest.hex(): game}
        newest = dict(list(answered.items())[-MOST:])
        _write(home, replace(known, answered=newest))


def note_place(home: Home, place: str) -> None:
    """Raises `Damaged` or `Usage`."""
    if home.has_identity():
        with _changing(home):
            _write(home, replace(kept(home), place=place[:1000]))


def note_found(home: Home, pieces: Iterable[bytes]) -> int:
    """Keep seeks of others, and what ends them, that were taken in: those that hold, the newest
    `MOST_FOUND`, and of one key the newest few. Returns how many there were. Raises `Damaged` or
    `Usage`."""
    read_now = {text: one for piece in islice(pieces, MOST_READ) for text, one in _held(piece)}
    if not read_now:
        return 0
    with _changing(home):
        known, now = kept(home), clock.now()
        before = {text: one for old in known.found for text, one in _held(old.encode())}
        of_key: Counter[bytes] = Counter()
        left: list[str] = []
        for text, one in reversed({**before, **read_now}.items()):
            is_over = isinstance(one, Seek) and one.is_over(now)
            if is_over or of_key[one.key] == MOST_OF_KEY:
                continue
            of_key[one.key] += 1
            left.append(text)
            if len(left) == MOST_FOUND:
                break
        _write(home, replace(known, found=tuple(reversed(left))))
    return len(read_now)


def _held(piece: bytes) -> Iterator[tuple[str, Seek | Taken]]:
    """The text of a seek or an end that holds, and what it is; nothing of any other."""
    with suppress(Invalid, UnicodeDecodeError):
        one = read(piece)
        yield one.data.decode(), one


def find_own(home: Home, digits: str) -> Seek:
    """The player's own seek whose digest begins so. Raises `Conflict` or `Refused` unless it is
    one."""
    found = [one for one in own_seeks(kept(home)) if digits and one.digest.hex().startswith(digits)]
    if not found:
        raise Refused(
            f'"{digits[:20]}" is no seek of yours', hint=Do("seek", does="lists those you wrote")
        )
    if len(found) > 1:
        raise Conflict(f'several seeks of yours begin with "{digits[:20]}"', hint="type more of it")
    return found[0]


def _changing(home: Home) -> Lock:
    home.make_folder()
    return Lock(home.folder / "seeks.lock")


def _write(home: Home, known: KeptSeeks) -> None:
    _FILE.write(home.folder, known)
