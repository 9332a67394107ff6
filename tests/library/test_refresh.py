"""What a run of `pbem library` reads, verifies and keeps: docs/library.md, "Which files count"."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from examples.correspondence import Player
from pbem.errors import USAGE, Refused
from pbem.games import plugins, registry
from pbem.games.descriptor import Distribution
from pbem.library import changes, refresh, runner, schema, update
from pbem.library.verified import Read
from pbem.library.walk import FoundFile, Skipped
from pbem.library.work import Done
from pbem.lock import Lock
from tests.support.library_kit import asked, branch, here, refreshed, spoiled, version, whole

PATIENCE = 120


@pytest.fixture(autouse=True)
def old_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are old enough as soon as they are written."""
    monkeypatch.setattr(changes, "YOUNG", 0)


def write(folder: Path, **files: bytes) -> None:
    for name, data in files.items():
        (folder / f"{name}.toml").write_bytes(data)


def verdicts(folder: Path) -> dict[str, str]:
    return dict(asked(folder, "SELECT path, verdict FROM files"))


def test_the_versions_of_a_game_count_once_and_are_verified_once(tmp_path: Path) -> None:
    write(tmp_path, **{f"t{number}": version(branch("a"), number) for number in (1, 2, 5, 9)})
    facts = refreshed(tmp_path)
    assert (facts.games, facts.ended, facts.files, facts.read, facts.verified, facts.versions) == (
        1,
        0,
        4,
        4,
        1,
        3,
    )
    assert verdicts(tmp_path) == {"t9.toml": "counted"} | {
        f"t{n}.toml": "version" for n in (1, 2, 5)
    }
    assert asked(tmp_path, "SELECT path, entries, versions, over FROM games") == [
        ("t9.toml", 9, 3, 0)
    ]
    assert asked(tmp_path, "SELECT max(number) FROM entries") == [(8,)]


def test_a_second_run_reads_only_what_changed(tmp_path: Path) -> None:
    write(tmp_path, a=version(branch("a"), 6), b=version(branch("b"), 6))
    refreshed(tmp_path)
    before = whole(tmp_path)
    facts = refreshed(tmp_path)
    assert (facts.made, facts.games, facts.read, facts.verified, facts.gone) == ("kept", 2, 0, 0, 0)
    os.utime(tmp_path / "a.toml", ns=(5, 5))
    facts = refreshed(tmp_path)
    assert (facts.read, facts.verified) == (1, 0)
    assert whole(tmp_path) == before
    write(tmp_path, a=version(branch("a"), 7))
    facts = refreshed(tmp_path)
    assert (facts.read, facts.verified) == (1, 1)
    assert asked(tmp_path, "SELECT path, entries FROM games ORDER BY path") == [
        ("a.toml", 7),
        ("b.toml", 6),
    ]


def test_other_bytes_of_the_same_size_with_the_old_time_are_seen(tmp_path: Path) -> None:
    good = version(branch("a"), 6)
    write(tmp_path, a=good)
    refreshed(tmp_path)
    times = (tmp_path / "a.toml").stat()
    write(tmp_path, a=spoiled(good))
    os.utime(tmp_path / "a.toml", ns=(times.st_atime_ns, times.st_mtime_ns))
    facts = refreshed(tmp_path)
    assert (facts.games, facts.verified, len(facts.bad)) == (0, 1, 1)


def test_a_young_file_and_one_of_the_future_are_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, a=version(branch("a"), 4), b=version(branch("b"), 4))
    os.utime(tmp_path / "b.toml", (2**33, 2**33))
    refreshed(tmp_path)
    facts = refreshed(tmp_path)
    assert (facts.read, facts.verified) == (1, 0)
    monkeypatch.setattr(changes, "YOUNG", 3_600_000_000_000)
    facts = refreshed(tmp_path)
    assert (facts.read, facts.verified) == (2, 0)


def test_reread_reads_all_and_verifies_nothing_that_is_as_it_was(tmp_path: Path) -> None:
    write(tmp_path, a=version(branch("a"), 4), b=spoiled(version(branch("a"), 5)))
    before = refreshed(tmp_path)
    facts = refreshed(tmp_path, reread=True)
    assert (facts.read, facts.verified) == (2, 0)
    assert facts.bad == before.bad


def test_what_does_not_verify_is_listed_and_in_no_table(tmp_path: Path) -> None:
    write(
        tmp_path,
        bad=spoiled(version(branch("a"), 3)),
        good=version(branch("b"), 3),
        pyproject=b"[project]\n",
    )
    facts = refreshed(tmp_path)
    (bad,) = facts.bad
    assert (bad.file, bad.entry, bad.layer) == ("bad.toml", 2, "signature")
    assert facts.others == ["pyproject.toml"]
    assert asked(tmp_path, "SELECT path FROM games") == [("good.toml",)]
    for table in schema.TABLES:
        assert asked(tmp_path, f"SELECT count(DISTINCT id) FROM {table}") <= [(1,)]
    again = refreshed(tmp_path)
    assert (again.read, again.bad) == (0, facts.bad)


def test_what_is_gone_leaves_the_tables(tmp_path: Path) -> None:
    write(tmp_path, a=version(branch("a"), 4), b=version(branch("b"), 4))
    refreshed(tmp_path)
    (tmp_path / "a.toml").unlink()
    facts = refreshed(tmp_path)
    assert (facts.games, facts.gone, facts.read) == (1, 1, 0)
    for table in ("player_rows", "entry_rows", "card_rows", "position_rows"):
        assert asked(tmp_path, f"SELECT count(DISTINCT id) FROM {table}") == [(1,)]


def test_the_longest_file_goes_and_the_next_counts(tmp_path: Path) -> None:
    write(
        tmp_path, t4=version(branch("a"), 4), t5=version(branch("a"), 5), t6=version(branch("a"), 6)
    )
    refreshed(tmp_path)
    (tmp_path / "t6.toml").unlink()
    facts = refreshed(tmp_path)
    assert (facts.gone, facts.verified) == (1, 1)
    assert verdicts(tmp_path) == {"t4.toml": "version", "t5.toml": "counted"}
    assert asked(tmp_path, "SELECT path, entries, versions FROM games") == [("t5.toml", 5, 1)]


def test_a_copy_takes_the_place_of_a_file_that_is_gone(tmp_path: Path) -> None:
    write(tmp_path, a=version(branch("a"), 4))
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "b.toml").write_bytes(version(branch("a"), 4).replace(b"\n", b"\r\n"))
    facts = refreshed(tmp_path)
    assert (facts.games, facts.copies) == (1, 1)
    first = min(("a.toml", "old/b.toml"), key=lambda name: verdicts(tmp_path)[name] != "counted")
    (tmp_path / first).unlink()
    facts = refreshed(tmp_path)
    assert (facts.games, facts.copies, facts.read) == (1, 0, 0)
    assert list(verdicts(tmp_path).values()) == ["counted"]
    assert asked(tmp_path, "SELECT path FROM games") == list(
        asked(tmp_path, "SELECT path FROM files")
    )


def test_of_forks_the_longest_counts_and_the_others_are_named(tmp_path: Path) -> None:
    one, other = branch("a"), branch("a", "other")
    write(tmp_path, one=version(one, 8), other=version(other, 7), shared=version(one, 2))
    facts = refreshed(tmp_path)
    (fork,) = facts.forks
    parts = next(n for n in range(9) if version(one, n + 1) != version(other, n + 1))
    assert parts >= 2
    assert (fork.file, fork.entry, fork.counts) == ("other.toml", parts, "one.toml")
    assert asked(tmp_path, "SELECT path, versions, forks FROM games") == [("one.toml", 1, 1)]
    write(tmp_path, other=version(other, 9))
    facts = refreshed(tmp_path)
    assert [(fork.file, fork.entry, fork.counts) for fork in facts.forks] == [
        ("one.toml", parts, "other.toml")
    ]
    assert asked(tmp_path, "SELECT path, versions, forks FROM games") == [("other.toml", 1, 1)]


def test_of_forks_of_one_length_the_lower_digest_counts(tmp_path: Path) -> None:
    write(tmp_path, one=version(branch("a"), 6), other=version(branch("a", "other"), 6))
    refreshed(tmp_path)
    digests = dict(asked(tmp_path, "SELECT path, turn FROM files"))
    assert asked(tmp_path, "SELECT path FROM games") == [
        (min(digests, key=lambda path: digests[path]),)
    ]


def moves_in(folder: Path, rng: random.Random) -> None:
    """A file comes, changes or goes."""
    path = folder / f"{rng.choice('pqrst')}.toml"
    if path.exists() and rng.random() < 0.35:
        path.unlink()
        return
    data = rng.choice((branch("a"), branch("a", "other"), branch("a", "third"), branch("b")))
    data = version(data, rng.randint(1, 7))
    path.write_bytes(
        rng.choice((lambda d: d, lambda d: d, spoiled, lambda d: d.replace(b"\n", b"\r\n")))(data)
    )


@pytest.mark.parametrize("seed", range(4))
def test_step_by_step_it_comes_to_the_same_as_made_at_once(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(8):
        for _ in range(rng.randint(1, 3)):
            moves_in(tmp_path, rng)
        refreshed(tmp_path)
    before = whole(tmp_path)
    refreshed(tmp_path, anew=True)
    assert plain(whole(tmp_path)) == plain(before)


def plain(tables: dict[str, list[tuple[Any, ...]]]) -> dict[str, list[tuple[Any, ...]]]:
    """Without which of two equal files is called the copy of the other."""
    games = [tuple(value for number, value in enumerate(row) if number) for row in tables["games"]]
    files = [
        (*row[:2], "same" if row[2] in ("counted", "copy") else row[2], *row[3:])
        for row in tables["files"]
    ]
    return {**tables, "games": games, "files": files}


class Killed(BaseException):
    """The end of a process, wherever it was."""


@pytest.mark.parametrize("after", [1, 2, 4])
def test_a_run_that_ends_anywhere_is_finished_by_the_next(
    tmp_path: Path, after: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [branch("a"), branch("a", "other"), branch("b")]
    write(
        tmp_path,
        **{f"g{n}{k}": version(data, 4 + k) for n, data in enumerate(games) for k in range(2)},
    )

    @contextmanager
    def killed(
        work: Callable[[bytes], Read], found: Iterable[FoundFile | Skipped]
    ) -> Iterator[Iterator[Any]]:
        def outcomes() -> Iterator[Done[Read] | Skipped]:
            with here(work, found) as done:
                for number, outcome in enumerate(done, 1):
                    yield outcome
                    if number == after:
                        raise Killed

        yield outcomes()

    monkeypatch.setattr(refresh, "BATCH", 2)
    with pytest.raises(Killed):
        refreshed(tmp_path, each=killed)
    facts = refreshed(tmp_path)
    assert (facts.games, facts.files) == (2, 6)
    finished = whole(tmp_path)
    refreshed(tmp_path, anew=True)
    assert whole(tmp_path) == finished


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal here")
def test_a_process_that_is_killed_between_two_rows_leaves_whole_games(tmp_path: Path) -> None:
    """The process dies inside a transaction, with what SQLite had written of it on the disk."""
    write(tmp_path, a=version(branch("a"), 5), b=version(branch("b"), 5))
    script = f"""
import os, signal, sqlite3
from pathlib import Path
from pbem.library import refresh, store
from tests.support.library_kit import refreshed

class Dying(store.Store):
    def put(self, stat, read):
        self._db.execute("PRAGMA cache_size = 1")
        super().put(stat, read)
        if stat.path == "b.toml":
            os.kill(os.getpid(), signal.SIGKILL)

refresh.Store, refresh.BATCH = Dying, {{batch}}
refreshed(Path({str(tmp_path)!r}))
"""
    for batch in (1, 2):
        done = subprocess.run(
            [sys.executable, "-c", script.replace("{batch}", str(batch))], timeout=PATIENCE
        )
        assert done.returncode == -signal.SIGKILL
        assert asked(tmp_path, "SELECT count(*) FROM games") <= [(1,)]
        facts = refreshed(tmp_path)
        assert (facts.made, facts.games) == ("kept", 2)
        finished = whole(tmp_path)
        refreshed(tmp_path, anew=True)
        assert whole(tmp_path) == finished
        (tmp_path / schema.FILE).unlink()


def test_two_processes_do_not_refresh_at_once(tmp_path: Path) -> None:
    write(tmp_path, a=version(branch("a"), 4))
    lock = Lock(tmp_path / f"{schema.FILE}-lock")
    assert lock.take()
    with pytest.raises(Refused):
        refreshed(tmp_path)
    lock.release()
    assert refreshed(tmp_path).games == 1
    assert not lock.path.exists()


def test_what_cannot_be_looked_at_stays_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "club").mkdir()
    (tmp_path / "club" / "a.toml").write_bytes(version(branch("a"), 4))
    refreshed(tmp_path)
    (tmp_path / "away").mkdir()
    (tmp_path / "club").rename(tmp_path / "away" / "club")
    monkeypatch.setattr(
        changes, "walk", lambda _named: iter([Skipped(tmp_path / "club", "Permission denied")])
    )
    facts = refreshed(tmp_path)
    assert [(one.file, one.reason) for one in facts.skipped] == [
        (str(tmp_path / "club"), "Permission denied")
    ]
    assert (facts.games, facts.gone) == (1, 0)
    monkeypatch.undo()
    facts = refreshed(tmp_path)
    assert asked(tmp_path, "SELECT path FROM games") == [("away/club/a.toml",)]


def test_a_file_that_cost_its_process_is_told_and_comes_with_the_next_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, a=version(branch("a"), 4), b=version(branch("b"), 4))

    @contextmanager
    def losing(
        work: Callable[[bytes], Read], found: Iterable[FoundFile | Skipped]
    ) -> Iterator[Iterator[Any]]:
        with here(work, found) as outcomes:
            yield (
                Skipped(one.found.path, "killed")
                if isinstance(one, Done) and one.found.path.name == "a.toml"
                else one
                for one in outcomes
            )

    monkeypatch.setattr(runner, "each", lambda work, found, *_jobs: losing(work, found))
    player = Player("Ann", tmp_path.parent / "home", tmp_path.parent, in_process=True)
    code, out, _ = player.types("library", str(tmp_path))
    assert code == USAGE and "a.toml: killed" in out
    facts = refreshed(tmp_path, each=losing)
    assert facts.games == 1
    assert [Path(one.file).name for one in facts.skipped] == ["a.toml"]
    monkeypatch.setattr(runner, "each", lambda work, found, *_jobs: here(work, found))
    assert player.types("library", str(tmp_path))[0] == 0
    facts = refreshed(tmp_path)
    assert (facts.games, facts.verified, facts.skipped) == (2, 0, [])


def test_another_program_verifies_again_what_the_old_one_could_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, a=version(branch("a"), 4), bad=spoiled(version(branch("b"), 4)))
    refreshed(tmp_path)
    assert refreshed(tmp_path).verified == 0
    monkeypatch.setattr(update, "__version__", "99")
    assert refreshed(tmp_path).verified == 1
    assert refreshed(tmp_path).verified == 0
    monkeypatch.setattr(update, "CHECKS", b"pbem checks 99")
    facts = refreshed(tmp_path)
    assert facts.made.startswith("anew") and facts.verified == 2


def test_the_games_of_a_plug_in_are_verified_again_by_another_version_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, a=version(branch("a"), 4), b=version(branch("b"), 4))
    monkeypatch.setattr(plugins, "distributions", lambda: [Distribution("pbem-tripoli", "1")])
    monkeypatch.setattr(registry, "OWN", Distribution("pbem-tripoli", "1"))
    refreshed(tmp_path)
    assert refreshed(tmp_path).verified == 0
    monkeypatch.setattr(plugins, "distributions", lambda: [Distribution("pbem-tripoli", "2")])
    monkeypatch.setattr(registry, "OWN", Distribution("pbem-tripoli", "2"))
    assert refreshed(tmp_path).verified == 2
    assert asked(tmp_path, "SELECT DISTINCT package FROM games") == [("pbem-tripoli 2",)]


@pytest.mark.parametrize("limit", ["ROWS", "BYTES"])
def test_few_rows_wait_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    write(tmp_path, **{seed: version(branch(seed), 6) for seed in "ab"})
    monkeypatch.setattr(refresh, limit, 1)
    written = []

    @contextmanager
    def counting(
        work: Callable[[bytes], Read], found: Iterable[FoundFile | Skipped]
    ) -> Iterator[Iterator[Any]]:
        def outcomes() -> Iterator[Done[Read] | Skipped]:
            with here(work, found) as done:
                for outcome in done:
                    written.append(asked(tmp_path, "SELECT count(*) FROM games")[0][0])
                    yield outcome

        yield outcomes()

    refreshed(tmp_path, each=counting)
    assert written == [0, 1]
