"""Every file and folder of a home, damaged in every way, before every command: a documented exit
code, one line for each problem with the path, never a traceback, never a second version of an
entry, and no command that waits for ever.

The whole product is marked `slow`; `./run test` makes a sample by a fixed pattern.
"""

from __future__ import annotations

import functools
import os
import shutil
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from pbem.mail import imap
from tests.support import damages
from tests.support.damages import CELLS, FOLDERS, RIGHTS, Signed, Stage
from tests.support.rights import rights_hold

pytestmark = pytest.mark.skipif(
    os.name != "posix", reason="pipes with names, links and rights are POSIX's"
)

DONE, REFUSED, USAGE, INVALID, CONFLICT = range(5)
COMMANDS: dict[str, tuple[list[str], int]] = {
    "id": (["id"], DONE),
    "new": (["new", "tripoli", "--seat", "american"], DONE),
    "join": (["join", "{joined}", "--no-mail"], DONE),
    "show": (["show", "{waiting}"], DONE),
    "show a name": (["show", "{short}"], DONE),
    "moves": (["moves", "{waiting}"], DONE),
    "play": (["play", "{waiting}", "event swedish", "--no-mail"], DONE),
    "play again": (["play", "{answered}", "--no-mail"], DONE),
    "play otherwise": (
        ["play", "{answered}", "event swedish", "-m", "Other words", "--no-mail"],
        DONE,
    ),
    "verify": (["verify", "{waiting}"], DONE),
    "dice": (["dice", "{waiting}"], DONE),
    "resign": (["resign", "{waiting}", "--no-mail", "--yes"], DONE),
    "resign the answered": (["resign", "{answered}", "--yes"], CONFLICT),
    "draw": (["draw", "{waiting}", "--offer", "--no-mail"], DONE),
    "inbox": (["inbox"], DONE),
    "send": (["send", "{own}"], DONE),
    "fetch": (["fetch"], DONE),
    "simulate": (["simulate", "tripoli", "--games", "1"], DONE),
}
"""Each command, and its exit code where nothing is damaged."""
_LIMIT = 120.0
"""Seconds after which a command hangs: none takes a hundredth of it."""


class Account:
    """An account with one mail, as far as `pbem fetch` asks it (`pbem.mail.imap`)."""

    def __init__(self, mail: bytes) -> None:
        self.mail = mail

    def capabilities(self) -> tuple[bytes, ...]:
        return (b"IMAP4REV1", b"AUTH=PLAIN")

    def login(self, _user: str, _password: str) -> None: ...

    def logout(self) -> None: ...

    def shutdown(self) -> None: ...

    def select_folder(self, _folder: str, readonly: bool) -> dict[bytes, int]:
        assert readonly
        return {b"UIDVALIDITY": 7}

    def search(self, criteria: list[Any]) -> list[int]:
        first = "1" if criteria[0] == "SINCE" else criteria[1].partition(":")[0]
        return [1] if first in ("1", "*") else []

    def fetch(self, uids: Sequence[int], parts: list[str]) -> dict[int, dict[bytes, Any]]:
        found = {b"RFC822.SIZE": len(self.mail)} if "SIZE" in parts[0] else {b"BODY[]": self.mail}
        return dict.fromkeys(uids, found)


@pytest.fixture(autouse=True)
def _server(pristine: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    mail = (pristine.folder / "mails" / pristine.waiting[3]).with_suffix(".eml").read_bytes()
    monkeypatch.setattr(imap, "connect", lambda _server: Account(mail))


class Hangs(BaseException):
    """A command waits for what never comes; no kind of `Exception`, so that no command takes it for
    its own."""


@contextmanager
def no_hang() -> Iterator[None]:
    """End a command that waits for ever, such as for a pipe."""

    def give_up(_number: int, _frame: object) -> None:
        raise Hangs

    before = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, _LIMIT)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def types(stage: Stage, command: str, *more: str) -> tuple[int, str, str]:
    """A command of the table in this stage."""
    words = {
        "waiting": stage.waiting[3],
        "own": stage.waiting[2],
        "short": "-".join(stage.waiting[0].split("-")[:2]),
        "answered": stage.answered[3],
        "joined": stage.joined,
    }
    with no_hang():
        return stage.ann.types(*(word.format(**words) for word in COMMANDS[command][0]), *more)


@functools.cache
def _signed_before(pristine: Stage) -> Signed:
    return damages.signed(pristine)


def check(pristine: Stage, folder: Path, target: str, how: str, command: str) -> None:
    """One cell of the matrix. `folder` is new, and removed again."""
    stage = pristine.copied(folder)
    path = damages.damage(stage, target, how)
    with rights_hold() as is_held:
        if how in RIGHTS and not is_held:
            pytest.skip("root reads and writes what nobody may, and cannot be kept from it here")
        code, out, err = types(stage, command)
    damages.repaired(path)
    what = f"{target} {how}, {command}: {code}\n{out}\n{err}"
    lines = err.splitlines()
    assert all(line.startswith("pbem: ") for line in lines) and len(set(lines)) == len(lines), what
    assert (
        "Traceback" not in out + err
        and len(lines) <= _usual_lines(command) + (target in FOLDERS) + 1
    ), what
    usual = COMMANDS[command][1]
    assert code in {usual, *_ALLOWED.get((target, how), ()), USAGE}, what
    if code not in (usual, CONFLICT):
        assert _names(path, stage, out + err), what
    for (_, number), found in damages.signed(stage, _signed_before(pristine)).entries.items():
        assert len(found) == 1, f"two versions of entry {number}: {what}"
    shutil.rmtree(folder)


def _usual_lines(command: str) -> int:
    """How many lines a command says where nothing is damaged: that a file is old, and is written
    again as it was, and that a message given now is not in it; that to resign ends the game; or
    what it refuses."""
    return {"play again": 2, "play otherwise": 3}.get(command, int(command.startswith("resign")))


_ALLOWED: dict[tuple[str, str], tuple[int, ...]] = {
    **{("inbox/old.eml", how): (INVALID,) for how in damages.DAMAGES},
}
"""What else than its usual exit code or 2 a command may end with."""


def _names(path: Path, stage: Stage, said: str) -> bool:
    """Whether the damaged file or folder is named; settings that say nothing are not damaged."""
    return str(path) in said or (
        path.name == "mail.toml" and "mail.toml: nothing is set up" in said
    )


def test_the_codes_of_an_undamaged_home(pristine: Stage, tmp_path: Path) -> None:
    for number, (command, (_, usual)) in enumerate(COMMANDS.items()):
        code, out, err = types(pristine.copied(tmp_path / str(number)), command)
        assert code == usual, (command, out, err)


SAMPLE = [
    (*cell, command)
    for number, cell in enumerate(CELLS)
    for place, command in enumerate(COMMANDS)
    if (number * 5 + place) % len(COMMANDS) == 0
]


@pytest.mark.dear("kills programs")
@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: "-".join(cell))
def test_a_sample(pristine: Stage, tmp_path: Path, cell: tuple[str, str]) -> None:
    for target, how, command in SAMPLE:
        if (target, how) == cell:
            check(pristine, tmp_path / "stage", target, how, command)


def test_mails_are_fetched_where_the_games_may_not_be_read(pristine: Stage, tmp_path: Path) -> None:
    """It is no failure of the mail server's, and trying again would not help."""
    check(pristine, tmp_path / "stage", "games", "unreadable", "fetch")


@pytest.mark.slow
@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: "-".join(cell))
def test_every_command(pristine: Stage, tmp_path: Path, cell: tuple[str, str]) -> None:
    for command in COMMANDS:
        check(pristine, tmp_path / "stage", *cell, command)
