"""Several who join at once: which file of a game goes on before its inviter has written, and who
may join once more (docs/format.md, section 9)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from pbem.english import listed
from pbem.errors import PbemError
from pbem.fileformat.characters import without_hidden
from pbem.fileformat.turnfile import TurnFile
from pbem.home.store import StateFile
from pbem.ledger.invitation import read_invitation


def has_gone_on(file: TurnFile) -> bool:
    """Whether the inviter has written after the joins: of several joins, those in it count."""
    return any(entry.seat == file.entries[0].seat for entry in file.entries[1:])


def ends_with_join(file: TurnFile) -> bool:
    return len(file.entries) > 1 and "key" in file.entries[-1].fields


def went_on_without(own: TurnFile, file: TurnFile) -> bool:
    """Whether `own` ends with a join, and the inviter has gone on without it in `file`: it is
    void."""
    return ends_with_join(own) and has_gone_on(file) and not file.data.startswith(own.data)


def goes_before(file: TurnFile, other: TurnFile) -> bool:
    """Whether of two chains of joins the first goes on: the longer one, and of two of one length
    that with the smaller digest. This orders all chains, so the first of them is one that whoever
    is not in it may join. Before all seats are taken it binds nobody."""
    lengths = len(file.entries), len(other.entries)
    digests = file.entries[-1].after, other.entries[-1].after
    return lengths[0] > lengths[1] or (lengths[0] == lengths[1] and digests[0] < digests[1])


def may_give_way(own: TurnFile, file: TurnFile) -> bool:
    """Whether the player whose join `own` ends with may join in `file` too: it goes on before that
    join, and its next seat is free for them."""
    return (
        ends_with_join(own)
        and not has_gone_on(file)
        and not file.data.startswith(own.data)
        and goes_before(file, own)
        and _is_free_for(own.entries[-1].blob("key", 32), file)
    )


def differ_in_join(file: TurnFile, other: TurnFile) -> bool:
    """Whether two chains of joins differ first in the joins of two players."""
    pairs = zip(file.entries, other.entries, strict=False)
    first = next(((a, b) for a, b in pairs if a.after != b.after), None)
    return first is not None and first[0].fields.get("key") != first[1].fields.get("key")


class Offered(NamedTuple):
    """One of several tables with which an inviter may go on. `label` names it behind the game's
    short name, as in `GAME-1a2b3c4d@ben`; `players` are those who sit at this one and not at all of
    them in the same order, and at one that is not `full` a seat is free."""

    path: str
    label: str
    players: list[str]
    full: bool

    def in_words(self) -> str:
        """Who sits there."""
        return listed(self.players) + ("" if self.full else " (a seat is free)")


def offered(files: Sequence[tuple[Path, TurnFile]]) -> list[Offered]:
    """The tables that several chains of joins offer, each once: those of which another one is only
    the beginning."""
    ends = [
        (path, file)
        for path, file in files
        if not any(other is not file and other.data.startswith(file.data) for _, other in files)
    ]
    chains = [[entry for entry in file.entries if "key" in entry.fields] for _, file in ends]
    common, least = 0, min(len(chain) for chain in chains)
    while common < least and len({chain[common].after for chain in chains}) == 1:
        common += 1
    others = [[without_hidden(one.text("name"))[:40] for one in chain[common:]] for chain in chains]
    labels = [_label(names, others) for names in others]
    return [
        Offered(
            str(path),
            label if labels.count(label) == 1 and label else file.entries[-1].after.hex()[:8],
            names,
            is_full(file),
        )
        for (path, file), names, label in zip(ends, others, labels, strict=True)
    ]


def _label(names: Sequence[str], others: Sequence[Sequence[str]]) -> str:
    """The first of these names, as one types it, up to which no other list begins so."""
    for count in range(1, len(names) + 1):
        if sum(list(one[:count]) == list(names[:count]) for one in others) == 1:
            return re.sub(r"[^a-z0-9]", "", names[count - 1].split()[0].casefold())
    return ""


def is_full(file: TurnFile) -> bool:
    """Whether every seat of a verified file is taken."""
    return _next_seat(file) is None


def _is_free_for(key: bytes, file: TurnFile) -> bool:
    free = _next_seat(file)
    taken = (entry.blob("key", 32) for entry in file.entries if "key" in entry.fields)
    return free is not None and key not in taken and free[1] in (None, key)


def _next_seat(file: TurnFile) -> tuple[str, bytes | None] | None:
    """The next free seat of a verified file, with the key that it is kept for; None if there is
    none."""
    taken = {entry.seat for entry in file.entries if "key" in entry.fields}
    try:
        invitation = read_invitation(file.entries[0], "")
    except PbemError:  # a game that this program does not have
        return None
    order = (invitation.seats[seat] for seat in invitation.order_of_joining())
    seat = next((seat for seat in order if seat not in taken), None)
    return None if seat is None else (seat, invitation.invites.get(seat))


@dataclass(frozen=True)
class FirstCome:
    """Of each join of which several have come, by its number: the beginning of the digest of the
    file that came first."""

    digests: Mapping[str, str] = field(default_factory=dict)


_FIRST = StateFile("first.json", FirstCome, 100_000, is_help=True)


def first_come(folder: Path) -> Mapping[str, str]:
    """Of a game's folder in the memory; `note_first` has written it."""
    return (_FIRST.read_if_whole(folder) or FirstCome()).digests


def came_first(file: TurnFile, first: Mapping[str, str]) -> bool:
    """Whether nobody who wants the last seat that is taken in a file came before its player."""
    join = [entry for entry in file.entries if "key" in entry.fields][-1]
    known = first.get(f"{join.number}")
    return known is None or join.after.hex().startswith(known)


def note_first(folder: Path, number: int, digest: str) -> None:
    """Another join of this number comes: the one with this digest was here before."""
    known = first_come(folder)
    if f"{number}" not in known:
        with suppress(PbemError):
            _FIRST.write(folder, FirstCome({**known, f"{number}": digest}))
