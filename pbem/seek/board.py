"""The seeks of one or more places, verified: which can be answered, in the order in which they fit,
and how many of the others are left out, and why.

Whoever keeps a place may leave seeks out, show old ones or bring thousands; whoever seeks may have
many keys (docs/trust.md). So of one key and of one address only a few are listed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pbem.errors import Forged, Invalid
from pbem.fileformat.characters import fold_case
from pbem.home import ignore_list
from pbem.home.contacts import Contact, Contacts
from pbem.home.home import Home
from pbem.home.known_names import identity_at_hand
from pbem.seek.answer import why_not
from pbem.seek.find_seeks import Piece
from pbem.seek.seek_file import Seek, Taken, read

OF_ONE_KEY = 3
"""Seeks of one key that are listed: the newest ones."""
OF_ONE_ADDRESS = 3
"""Keys with one address of which seeks are listed: those one has played with, then the oldest."""
MOST_LISTED = 100
MOST_PROBLEMS = 20


@dataclass(frozen=True)
class Reader:
    """Who looks at a board: their own key (empty: none yet), the players they know, whom they
    ignore, and the games and languages they want (none: all)."""

    own: bytes = b""
    known: Mapping[bytes, Contact] = field(default_factory=dict)
    ignored: Collection[bytes] = ()
    games: Collection[str] = ()
    languages: Collection[str] = ()


def reader_of(home: Home, games: Collection[str] = (), languages: Collection[str] = ()) -> Reader:
    """The player of a home as one who looks at a board. Raises `Damaged`."""
    own = identity_at_hand(home)
    ignored = ignore_list.read(home.folder).keys
    key = b"" if own is None else own.public
    return Reader(key, Contacts(home).known, ignored, games, languages)


@dataclass(frozen=True)
class Found:
    """A seek that counts: the file it was found in, and why it does not fit (empty: it does)."""

    seek: Seek
    where: str
    why_not: str


@dataclass
class Board:
    """What came of looking at places: the seeks that count, in order; how many more there are than
    are listed; how many were left out, by the reason; and what could not be read."""

    seeks: Sequence[Found]
    more: int
    left_out: Mapping[str, int]
    problems: Sequence[str]


EXPIRED, AHEAD, TAKEN = "expired", "ahead", "taken"
FORGED, DAMAGED = "forged", "damaged"
OWN, IGNORED, OTHER_GAMES, CROWDED = "own", "ignored", "other_games", "crowded"
REASONS = (EXPIRED, AHEAD, TAKEN, FORGED, DAMAGED, OWN, IGNORED, OTHER_GAMES, CROWDED)
"""Why a seek is not listed: its time is up, it is dated ahead, its author ended it, its signature
does not hold, it is no seek as one is written, the reader wrote or ignores it, it is of another
game than they want, or there are too many of its key or address."""


def look_over(
    pieces: Iterable[Piece], reader: Reader, now: str, *, most: int = MOST_LISTED
) -> Board:
    """The board that these pieces make for a reader at this moment, with so many seeks at most."""
    left_out: Counter[str] = Counter(dict.fromkeys(REASONS, 0))
    problems: list[str] = []
    seeks, ended = _verified(pieces, left_out, problems)
    counting = []
    for where, seek in seeks:
        reason = _reason(seek, ended, reader, now)
        if reason:
            left_out[reason] += 1
        else:
            counting.append(Found(seek, where, _why_not(seek, reader)))
    listed = _few_of_each(counting, reader.known)
    left_out[CROWDED] += len(counting) - len(listed)
    listed.sort(key=lambda one: one.seek.key)
    listed.sort(key=lambda one: one.seek.date, reverse=True)
    listed.sort(key=lambda one: (bool(one.why_not), one.seek.key not in reader.known))
    return Board(
        listed[:most],
        max(0, len(listed) - most),
        dict(left_out),
        problems[:MOST_PROBLEMS],
    )


def _verified(
    pieces: Iterable[Piece], left_out: Counter[str], problems: list[str]
) -> tuple[list[tuple[str, Seek]], set[tuple[bytes, bytes]]]:
    """The seeks whose signatures hold, each once, with where they were found; and which digests
    were ended, by which keys."""
    seen: set[bytes] = set()
    seeks: dict[bytes, tuple[str, Seek]] = {}
    ended: set[tuple[bytes, bytes]] = set()
    for piece in pieces:
        if piece.problem:
            problems.append(piece.problem)
            continue
        if piece.data in seen:
            continue
        seen.add(piece.data)
        try:
            one = read(piece.data)
        except Forged:
            left_out[FORGED] += 1
        except Invalid:
            left_out[DAMAGED] += 1
        else:
            if isinstance(one, Taken):
                ended.add((one.seek, one.key))
            else:
                seeks.setdefault(one.digest, (piece.where, one))
    return [*seeks.values()], ended


def _reason(seek: Seek, ended: Collection[tuple[bytes, bytes]], reader: Reader, now: str) -> str:
    """Why a seek is not listed; empty if it is."""
    if seek.is_over(now):
        return EXPIRED
    if seek.is_ahead(now):
        return AHEAD
    if (seek.digest, seek.key) in ended:
        return TAKEN
    if seek.key == reader.own:
        return OWN
    if seek.key in reader.ignored:
        return IGNORED
    return OTHER_GAMES if reader.games and seek.wish.game not in reader.games else ""


def _why_not(seek: Seek, reader: Reader) -> str:
    """Why a seek does not fit the reader; empty if it does."""
    spoken = {one.partition("-")[0] for one in seek.wish.languages}
    wanted = {one.partition("-")[0] for one in reader.languages}
    if spoken and wanted and not spoken & wanted:
        return "another language"
    return why_not(seek.wish)


def _few_of_each(found: Sequence[Found], known: Mapping[bytes, Contact]) -> list[Found]:
    """The newest seeks of each key; and of the keys that share an address a few: those one has
    played with, then those that were there first, so that later ones push none of them off."""
    by_key: defaultdict[bytes, list[Found]] = defaultdict(list)
    for one in found:
        by_key[one.seek.key].append(one)
    newest = {
        key: sorted(several, key=lambda one: one.seek.date, reverse=True)[:OF_ONE_KEY]
        for key, several in by_key.items()
    }
    sharing: defaultdict[str, set[bytes]] = defaultdict(set)
    for key, several in newest.items():
        for one in several:
            for address in _addresses(one.seek):
                sharing[address].add(key)
    crowded: set[bytes] = set()
    for keys in sharing.values():
        if len(keys) > OF_ONE_ADDRESS:
            in_order = sorted(
                keys, key=lambda key: (key not in known, newest[key][-1].seek.date, key)
            )
            crowded.update(in_order[OF_ONE_ADDRESS:])
    return [one for key, several in newest.items() if key not in crowded for one in several]


def _addresses(seek: Seek) -> Iterator[str]:
    for kind, text in (
        ("mail", seek.wish.mail),
        ("page", seek.wish.page),
        ("chat", seek.wish.chat),
    ):
        if text:
            yield f"{kind} {fold_case(text)}"
