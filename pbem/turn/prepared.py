"""Answers that a player prepares to turns yet to come: if they play that, I play this.

They are in no file of the game and leave the home with it alone: `games/<game id>/prepared.json`
holds them, with the SHA-256 of the file that they follow. Which of them still fit is a function of
that and of the newest file (`PreparedAnswers.left`), so nothing is written when a game goes on.
`pbem.turn.preparing` reads what a player says, `pbem.turn.prepared_turns` signs what fits."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from pbem import files
from pbem.errors import Damaged, Do, Refused
from pbem.fileformat.turnfile import TurnFile
from pbem.home.memory import Memory
from pbem.home.store import StateFile

Turn: TypeAlias = tuple[str, ...]
"""The answers of one turn, as they stand in a file."""
Branch: TypeAlias = tuple[Turn, ...]
"""A way that a game may go, turn by turn: theirs first, the player's answer to each, theirs and so
on."""

MOST = 30
"""Branches of a game."""
DEEPEST = 60
_MOST_ANSWERS = 20
_LONGEST = 200
ALL = "all"
"""Says that every branch is taken back."""


@dataclass(frozen=True)
class PreparedAnswers:
    """The file: `branches`, and after which turn they begin: its number, and the SHA-256 of the
    file that ends with it. Raises `ValueError` for contents that this program never writes."""

    after: int
    file: str
    branches: tuple[Branch, ...]

    def __post_init__(self) -> None:
        texts = [text for branch in self.branches for turn in branch for text in turn]
        is_fine = (
            len(self.branches) <= MOST
            and all(0 < len(branch) <= DEEPEST for branch in self.branches)
            and len({len(branch) % 2 for branch in self.branches}) == 1
            and all(0 < len(turn) <= _MOST_ANSWERS for one in self.branches for turn in one)
            and all(0 < len(text) <= _LONGEST and text.isprintable() for text in texts)
            and conflict(self.branches) is None
        )
        if not is_fine:
            raise ValueError("no prepared answers")

    def left(self, file: TurnFile) -> tuple[Branch, ...]:
        """What is left of the branches in this file of the game. If the next turn is the player's,
        each begins with their answer, which is the same in all."""
        if len(file.entries) <= self.after or file.entries[self.after].after.hex() != self.file:
            return ()
        played = tuple(tuple(one.list("answers")) for one in file.entries[self.after + 1 :])
        count = len(played)
        found = (one[count:] for one in self.branches if one[:count] == played)
        return tuple(dict.fromkeys(filter(None, found)))

    def last_left(self, file: TurnFile) -> tuple[Branch, ...]:
        """What was left of the branches until a turn came that fits none."""
        for count in range(len(file.entries), self.after, -1):
            if left := self.left(TurnFile(file.prefix(count), file.entries[:count])):
                return left
        return self.branches


_PREPARED = StateFile(
    "prepared.json",
    PreparedAnswers,
    1_000_000,
    damage="the answers that you have prepared cannot be read",
    hint=(
        "nothing is answered by them",
        Do("play", "GAME", "--drop-if", ALL, does="removes them"),
    ),
)


def conflict(branches: Iterable[Branch]) -> Branch | None:
    """The turns up to one of the player's for which two different answers are prepared, if there
    are any. A branch ends with an answer of theirs."""
    answers: dict[Branch, Turn] = {}
    for branch in branches:
        for at in range(1 - len(branch) % 2, len(branch), 2):
            if answers.setdefault(branch[:at], branch[at]) != branch[at]:
                return branch[:at]
    return None


# What is kept


def read(memory: Memory) -> PreparedAnswers | None:
    """What is kept of a game; None if nothing is. Raises `Damaged`."""
    return _PREPARED.read(memory.folder)


def are_kept(memory: Memory) -> bool:
    """Whether there is a file of prepared answers, whole or not."""
    return os.path.lexists(memory.folder / _PREPARED.name)


def kept_of(memory: Memory) -> PreparedAnswers | None:
    """What is kept of a game; None if nothing is, or it cannot be read."""
    return _PREPARED.read_if_whole(memory.folder)


def left_in(memory: Memory, file: TurnFile) -> tuple[Branch, ...]:
    """What is left of the prepared answers in this file of the game; nothing where they cannot be
    read."""
    kept = kept_of(memory)
    return () if kept is None else kept.left(file)


def leave(memory: Memory, file: TurnFile, branches: Sequence[Branch]) -> tuple[Branch, ...]:
    """Keep these branches, which follow this file, beside what is left of others; of two answers to
    one turn the new one counts. Returns those that are gone for it. Raises `Refused` for too many,
    `Usage` if they cannot be written."""
    before = left_in(memory, file)
    stay = [one for one in before if conflict((*branches, one)) is None]
    found = longest((*stay, *branches))
    if len(found) > MOST:
        raise Refused(
            f"{len(found)} branches would be prepared: {MOST} is the most",
            hint=("take some back", Do("play", "GAME", "--drop-if", "N", does="does")),
        )
    _write(memory, file, found)
    return tuple(one for one in before if one not in stay)


def take_back(memory: Memory, file: TurnFile, which: Sequence[str]) -> tuple[Branch, ...]:
    """Forget the branches of these numbers, as they are listed for this file from 1, or "all";
    those that are gone. Raises `Refused` for a number that is none, `Damaged` or `Usage`."""
    if ALL in which:
        gone = left_in(memory, file)
        forget(memory)
        return gone
    kept = read(memory)
    there = () if kept is None else kept.left(file)
    numbers = [str(number) for number in range(1, len(there) + 1)]
    for text in which:
        if text not in numbers:
            raise Refused(
                f'"{text[:20]}" is no number of a prepared answer: there '
                f"{'is' if len(there) == 1 else 'are'} {len(there) or 'none'}",
                hint=Do("show", "GAME", does="lists them"),
            )
    stay = [one for number, one in zip(numbers, there, strict=True) if number not in which]
    if stay:
        _write(memory, file, stay)
    else:
        forget(memory)
    return tuple(one for one in there if one not in stay)


def forget(memory: Memory) -> None:
    """Nothing is prepared in this game any more. Raises `Damaged` if the file cannot be removed."""
    path = memory.folder / _PREPARED.name
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise Damaged(
            f"cannot remove {files.printable(path)}: {error.strerror}", hint="remove it yourself"
        ) from error


def _write(memory: Memory, file: TurnFile, branches: Sequence[Branch]) -> None:
    newest = file.entries[-1]
    _PREPARED.write(
        memory.folder, PreparedAnswers(newest.number, newest.after.hex(), tuple(branches))
    )


def longest(branches: Iterable[Branch]) -> list[Branch]:
    """These branches without those that another one begins with."""
    found = list(dict.fromkeys(branches))
    return [
        one
        for one in found
        if not any(one != other and other[: len(one)] == one for other in found)
    ]


# In words


def as_said(turn: Sequence[str]) -> str:
    """The answers of one turn."""
    return " and ".join(turn)


def in_words(branches: Sequence[Branch]) -> list[str]:
    """Each branch as it could be entered again; what the player answers now stands first where it
    is their turn: "Nf3; if then Nc6 then Bb5"."""
    return [_in_words(one) for one in branches]


def _in_words(branch: Branch) -> str:
    own, rest = (as_said(branch[0]), branch[1:]) if len(branch) % 2 else ("", branch)
    pairs = [f"{as_said(a)} then {as_said(b)}" for a, b in zip(rest[::2], rest[1::2], strict=True)]
    begins = "if then " if own else "if "
    return "; ".join(
        filter(
            None, [own, *(f"{'if then ' if at else begins}{one}" for at, one in enumerate(pairs))]
        )
    )


def replaced(gone: Sequence[Branch]) -> str:
    """What to tell of branches that are gone since others were prepared in their place; empty if
    there are none."""
    return f"no longer prepared: {' | '.join(in_words(gone))}" if gone else ""
