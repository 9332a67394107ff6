"""Several who join at once: which file of a game goes on before its inviter has written, and who
may join once more (docs/format.md, section 9)."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from pbem.errors import PbemError
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
    that with the smaller digest, so that of two players exactly one gives way."""
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
