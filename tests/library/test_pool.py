"""Work on many files in several processes: nothing that happens to one of them costs more than its
file."""

from __future__ import annotations

import errno
import multiprocessing
import os
import pickle
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from functools import partial
from itertools import islice
from multiprocessing.context import SpawnProcess
from pathlib import Path
from types import FrameType
from typing import Any, ClassVar

import pytest

from pbem.errors import Usage
from pbem.library import pool
from pbem.library.walk import FoundFile, Skipped
from pbem.library.work import Done
from tests.library.works import obey, weigh

EXAMPLES = Path(__file__).parents[2] / "examples"
POSIX = pytest.mark.skipif(os.name != "posix", reason="signals are POSIX's")


def files(folder: Path, *orders: str) -> list[FoundFile]:
    found = []
    for number, order in enumerate(orders):
        path = folder / f"{number:03}.toml"
        path.write_text(order, encoding="utf-8")
        found.append(FoundFile(path))
    return found


def outcomes(
    found: list[FoundFile | Skipped] | list[FoundFile], jobs: int
) -> list[Done[tuple[str, int]] | Skipped]:
    with pool.each(obey, found, jobs) as each:
        got = list(each)
    assert not multiprocessing.active_children()
    return got


def told(one: Done[tuple[str, int]] | Skipped) -> str:
    return one.reason if isinstance(one, Skipped) else one.result[0]


@pytest.mark.dear("kills processes at work")
@POSIX
def test_a_file_that_costs_its_process_costs_nothing_else(tmp_path: Path) -> None:
    orders = [
        "a",
        "kill",
        "b",
        "exit 7",
        "memory",
        "fault strange",
        "refuse it is late",
        "c",
        "slow 0",
        "kill",
        "d",
    ]
    found: list[FoundFile | Skipped] = [
        *files(tmp_path, *orders),
        Skipped(tmp_path / "pipe", "it is a pipe"),
    ]
    (tmp_path / "007.toml").unlink()
    got = outcomes(found, 2)
    named = [
        "a",
        "SIGKILL",
        "b",
        "exit code 7",
        "memory",
        "ValueError: strange",
        "late",
        os.strerror(errno.ENOENT),
        "slow 0",
        "SIGKILL",
        "d",
        "pipe",
    ]
    assert [part for one, part in zip(got, named, strict=True) if part not in told(one)] == []
    assert [one.path if isinstance(one, Skipped) else one.found.path for one in got] == [
        one.path for one in found
    ]


def test_outcomes_come_in_the_order_of_the_files_from_several_processes(tmp_path: Path) -> None:
    orders = ["slow 0.2", *(f"slow 0.0{number % 3}" for number in range(40))]
    got = outcomes(files(tmp_path, *orders), 2)
    assert [told(one) for one in got] == orders
    assert len({one.result[1] for one in got if isinstance(one, Done)} - {os.getpid()}) == 2


def test_no_more_files_are_taken_than_there_is_room_for(tmp_path: Path) -> None:
    taken = 0
    [one] = files(tmp_path, "a")

    def endless() -> Iterator[FoundFile]:
        nonlocal taken
        while True:
            taken += 1
            yield one

    with pool.each(obey, endless(), 1) as each:
        assert len(list(islice(each, 100))) == 100
        assert taken <= 100 + pool.WINDOW
    assert not multiprocessing.active_children()


def test_what_waits_for_a_slow_file_is_bounded_by_its_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    orders = ["slow 0.3", *(f"{number} {'x' * 1_000_000}" for number in range(30))]
    monkeypatch.setattr(pool, "WAITING", 3_000_000)
    taken = 0

    def counted() -> Iterator[FoundFile]:
        nonlocal taken
        for one in files(tmp_path, *orders):
            taken += 1
            yield one

    with pool.each(obey, counted(), 2) as each:
        first = next(each)
        assert taken <= 1 + 3 + 1, (
            "the first is slow, three wait, and one is on its way to the other process"
        )
        assert [told(one) for one in (first, *each)] == orders
    assert not multiprocessing.active_children()


@pytest.mark.dear("kills processes at work")
@POSIX
def test_a_file_that_much_waits_for_and_that_costs_its_process_holds_nothing_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "WAITING", 1)
    orders = [
        "kill",
        "slow 0.1",
        *map(str, range(20)),
        "kill",
        "exit 3",
        "a",
        "slow 0.1",
        "kill",
        "b",
    ]
    got = outcomes(files(tmp_path, *orders), 3)
    assert [isinstance(one, Skipped) for one in got] == [
        order in ("kill", "exit 3") for order in orders
    ]
    assert [told(one) for one in got if isinstance(one, Done)] == [
        o for o in orders if o not in ("kill", "exit 3")
    ]


def test_nothing_is_started_for_nothing(tmp_path: Path) -> None:
    assert outcomes([], 2) == []
    skipped = Skipped(tmp_path, "Permission denied")
    assert outcomes([skipped], 2) == [skipped]


def test_where_no_process_can_be_started_it_is_said_and_where_one_can_it_does_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = 1
    start = SpawnProcess.start

    def limited(process: SpawnProcess) -> None:
        nonlocal room
        if room == 0:
            raise OSError(errno.EAGAIN, "Resource temporarily unavailable")
        room -= 1
        start(process)

    monkeypatch.setattr(SpawnProcess, "start", limited)
    got = outcomes(files(tmp_path, *"abcdefg"), 3)
    assert [told(one) for one in got] == list("abcdefg")
    with pytest.raises(Usage, match=os.strerror(errno.EAGAIN)):
        outcomes(files(tmp_path, "a"), 2)


def test_processes_that_end_before_they_begin_are_not_started_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "begin", partial(os._exit, 1))
    with pytest.raises(Usage):
        outcomes(files(tmp_path, "a", "b"), 1)
    assert not multiprocessing.active_children()


@pytest.mark.dear("kills processes at work")
@POSIX
def test_a_process_that_is_killed_while_it_sends_costs_its_file_and_blocks_nothing(
    tmp_path: Path,
) -> None:
    """Whether the outcome was whole by then is chance; the rest of a message that was cut off is
    not waited for."""
    orders = [word for number in range(8) for word in (f"sending 0.0{number}", f"{number}")]
    got = outcomes(files(tmp_path, *orders), 2)
    assert [told(one) for one in got[1::2]] == [str(number) for number in range(8)]
    killed = [one for one in got[::2] if isinstance(one, Skipped)]
    assert killed and all("(SIGKILL)" in told(one) for one in killed)


@POSIX
def test_processes_that_are_killed_while_they_have_nothing_to_do_are_replaced(
    tmp_path: Path,
) -> None:
    with pool.each(obey, files(tmp_path, *(f"{number}" for number in range(40))), 2) as each:
        first = [next(each)]
        first += [next(each) for _ in range(3)]
        for process in multiprocessing.active_children():
            os.kill(process.pid or 0, signal.SIGKILL)
        got = [*first, *each]
    lost = [one for one in got if isinstance(one, Skipped)]
    assert len(got) == 40 and len(lost) <= 2, "each of the two had at most one file"
    assert not multiprocessing.active_children()


class PoolHere:
    """In place of a pool of one process: what is handed to it is done at once. `there` are those
    that were not ended, `is_hasty` whether somebody presses Ctrl-C again when one ends."""

    there: ClassVar[set[PoolHere]] = set()
    is_hasty = False

    def __init__(self, *_given: Any, **_named: Any) -> None:
        pass

    def schedule(self, _function: Callable[..., Any], args: tuple[Any, FoundFile]) -> Future[Any]:
        self.there.add(self)
        future: Future[Any] = Future()
        future.set_exception(RuntimeError()) if "1" in str(args[1]) else future.set_result(
            pickle.dumps("made")
        )
        return future

    def stop(self) -> None:
        if self.is_hasty:
            signal.raise_signal(signal.SIGINT)

    def join(self) -> None:
        self.there.discard(self)


@pytest.mark.dear("kills processes at work")
@pytest.mark.parametrize("is_hasty", [False, True])
def test_an_interrupt_at_any_moment_loses_no_process(
    monkeypatch: pytest.MonkeyPatch, is_hasty: bool
) -> None:
    """Before each single step of Python's: it is raised, and every process has ended by then. What
    a lost one held (semaphores) Python would tell of on standard error."""
    monkeypatch.setattr(pool, "ProcessPool", PoolHere)
    monkeypatch.setattr(PoolHere, "is_hasty", is_hasty)
    moment = 0
    while is_interrupted_at(moment):
        assert not PoolHere.there, moment
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler, moment
        moment += 1
    assert moment > 500, "each step counts"


def is_interrupted_at(moment: int) -> bool:
    """Whether the work on three files, of which one fails, comes as far as this step in `pool` or
    `contextlib`: there it is interrupted."""
    steps = 0

    def step(frame: FrameType, event: str, _arg: object) -> Any:
        nonlocal steps
        if not frame.f_code.co_filename.endswith(("library/pool.py", "contextlib.py")):
            return None
        frame.f_trace_opcodes = True
        if event == "opcode":
            steps += 1
            if steps == moment + 1:
                signal.raise_signal(signal.SIGINT)
        return step

    before = sys.gettrace()
    try:
        sys.settrace(step)
        with pool.each(obey, [FoundFile(Path(name)) for name in "012"], 2) as each:
            list(each)
    except KeyboardInterrupt:
        return steps > moment
    finally:
        sys.settrace(before)
    assert steps <= moment, "an interrupt was lost"
    return False


@pytest.mark.dear("kills processes at work")
@POSIX
def test_what_is_wrong_with_large_files_is_not_kept(tmp_path: Path) -> None:
    """An error holds the calls that it passed, and these all that they have read: some 20 MB for
    each of these."""
    head = (EXAMPLES / "tripoli" / "tripoli-1647fbef-0005.toml").read_bytes()
    hostile = tmp_path / "000.toml"
    hostile.write_bytes(head + b'\n[[entry]]\nseat = "' + b"a" * 7_000_000 + b'"\n')
    with pool.each(weigh, [FoundFile(hostile)] * 30, 1) as each:
        largest = [one.result for one in each if isinstance(one, Done)]
    assert len(largest) == 30
    assert largest[-1] < largest[4] + 20, f"megabytes after each file: {largest}"
