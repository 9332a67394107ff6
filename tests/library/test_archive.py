"""A folder of finished games: what `pbem archive` writes, what it leaves alone, and that nothing is
ever lost."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import threading
from collections.abc import Iterator
from functools import lru_cache
from itertools import count, repeat
from pathlib import Path

import pytest

from pbem.cli import app
from pbem.errors import Conflict, Forged, PbemError, Refused, Usage
from pbem.fileformat import turnfile
from pbem.games import registry
from pbem.home.identity import Identity
from pbem.library import archive as archiving
from pbem.library.archive import archive
from pbem.lock import Lock
from pbem.replay import page
from pbem.replay.scenes import Replayed
from pbem.simulate.by_mail import Meeting, derived_bytes, play_by_mail
from pbem.simulate.policies import RandomPolicy
from tests.support.effort import PATIENCE

POSIX = pytest.mark.skipif(os.name != "posix", reason="pipes are POSIX's")
HOSTILE = "<script>alert(1)</script> | [a](b) `c` & \"d'"


def game(seed: str, name: str = "Ann") -> bytes:
    """A whole game; the first player has this name."""
    people = (
        Identity(name, "", derived_bytes(seed, "1")),
        Identity("Ben", "", derived_bytes(seed, "2")),
    )
    meeting = Meeting(people, repeat("2001-02-03T04:05:06Z"))
    return play_by_mail(registry.newest("tripoli"), {}, RandomPolicy, seed, meeting=meeting).data


@pytest.fixture(scope="module")
def games() -> tuple[bytes, bytes]:
    """Two games, as short as games at random are, and a name that means no good."""
    return game("archive 37", HOSTILE), game("archive 7")


@lru_cache
def page_of(data: bytes) -> str:
    return page.page(data, Replayed(data))


@pytest.fixture(autouse=True)
def each_page_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page of a file that was archived before is not made again; making it is most of the
    work."""
    monkeypatch.setattr(archiving, "page", lambda data, *_more: page_of(data))


def cut(data: bytes, entries: int) -> bytes:
    """The file before its last entries."""
    file = turnfile.read(data)
    return file.prefix(len(file.entries) - entries)


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_finished_game_and_its_line(
    games: tuple[bytes, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()  # here the page is the one that archiving makes
    facts = archive(games[0], tmp_path / "new" / "archive")
    there = bytes_of(tmp_path / "new" / "archive")
    assert set(there) == {
        *(facts.game + end for end in (".toml", ".md", ".html")),
        "index.html",
        "index.md",
        "index.json",
    }
    assert there[f"{facts.game}.toml"] == games[0]
    assert (
        b"the whole story" in there[f"{facts.game}.md"]
        and b"Content-Security-Policy" in there[f"{facts.game}.html"]
    )
    assert (facts.games, facts.proven, facts.replaced, facts.left_out) == (1, True, False, {})
    for name in ("index.html", "index.md"):
        assert there[name].count(f"{facts.game}.html".encode()) == 1


def test_the_same_game_again_replaces_its_line(games: tuple[bytes, bytes], tmp_path: Path) -> None:
    early = archive(cut(games[0], 1), tmp_path)
    assert not early.proven and "(unproven)" in (tmp_path / "index.md").read_text("utf-8")
    archive(games[1], tmp_path)
    late = archive(games[0], tmp_path)
    assert late.replaced and late.proven and late.games == 2 and late.game == early.game
    assert (tmp_path / f"{late.game}.toml").read_bytes() == games[0]
    for name in ("index.html", "index.md"):
        text = (tmp_path / name).read_text("utf-8")
        assert text.count(f"{late.game}.html") == 1 and "(unproven)" not in text
    there = bytes_of(tmp_path)
    assert not archive(games[0], tmp_path).replaced
    assert bytes_of(tmp_path) == there


def test_what_an_archive_does_not_take(games: tuple[bytes, bytes], tmp_path: Path) -> None:
    folder = tmp_path / "archive"
    with pytest.raises(Refused, match="not over"):
        archive(cut(games[0], 12), folder)
    with pytest.raises(Forged):
        archive(games[0][:-20] + b'AAAAAAAAAAAAAAAAA=="'[-19:] + b"\n", folder)
    assert not folder.exists()
    facts = archive(games[0], folder)
    with pytest.raises(Conflict, match="later file"):
        archive(cut(games[0], 1), folder)
    there = bytes_of(folder)
    (folder / f"{facts.game}.toml").write_bytes(games[1])
    with pytest.raises(Conflict, match="another version"):
        archive(games[0], folder)
    assert bytes_of(folder) == {**there, f"{facts.game}.toml": games[1]}
    (tmp_path / "file").touch()
    with pytest.raises(Usage, match=re.escape(str(tmp_path / "file"))):
        archive(games[0], tmp_path / "file")


@pytest.mark.parametrize("name", ["index.html", "index.md", "index.json"])
def test_an_index_of_somebody_else_is_left_alone(
    name: str, games: tuple[bytes, bytes], tmp_path: Path
) -> None:
    (tmp_path / name).write_text("<h1>My page</h1>")
    with pytest.raises(Conflict, match=re.escape(name)):
        archive(games[0], tmp_path)
    assert bytes_of(tmp_path) == {name: b"<h1>My page</h1>"}


@POSIX
def test_a_pipe_in_the_place_of_the_index_is_not_waited_for(
    games: tuple[bytes, bytes], tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "index.md")
    with pytest.raises(Usage, match=r"index\.md"):
        archive(games[0], tmp_path)


def test_names_are_shown_as_they_are_and_do_nothing(
    games: tuple[bytes, bytes], tmp_path: Path
) -> None:
    archive(games[0], tmp_path)
    page, text = (
        (tmp_path / "index.html").read_text("utf-8"),
        (tmp_path / "index.md").read_text("utf-8"),
    )
    assert "<script" not in page and "&lt;script&gt;alert(1)" in page
    assert "[a](b)" not in text and "\\<script\\>" in text and "\\[a\\]\\(b\\)" in text
    (row,) = (line for line in text.splitlines() if "script" in line)
    assert row.replace("\\|", "").count("|") == 6, "a name makes no column"


@pytest.mark.dear("fills a disk")
def test_the_index_is_made_from_the_turn_files_where_it_is_not_known(
    games: tuple[bytes, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = archive(games[0], tmp_path), archive(games[1], tmp_path)
    there = bytes_of(tmp_path)
    index, mark = tmp_path / "index.json", archiving.MARK
    kept = json.loads(there["index.json"])
    lies = [{**line, "entries": "many"} for line in kept["games"]]
    for said in (
        "",
        "{",
        "[]",
        "null",
        '{"games": 3}',
        json.dumps({**kept, "games": [*lies, 7, None]}),
        "[" * 10**5,
    ):
        index.write_text(f"{mark}{said}" if not said.startswith('{"format') else said, "utf-8")
        archive(games[1], tmp_path)
        assert bytes_of(tmp_path) == there, said[:40]
    replayed: list[bytes] = []

    def counted(data: bytes) -> Replayed:
        replayed.append(data)
        return Replayed(data)

    monkeypatch.setattr(archiving, "Replayed", counted)
    archive(games[1], tmp_path)
    assert len(replayed) == 1, "what is known is not verified again"
    (tmp_path / f"{one.game}.toml").unlink()
    assert archive(games[1], tmp_path).games == 1
    assert one.game not in (tmp_path / "index.html").read_text("utf-8") and two.games == 2


def test_turn_files_that_belong_in_no_index_are_told(
    games: tuple[bytes, bytes], tmp_path: Path
) -> None:
    for name, data in (
        ("1", cut(games[0], 20)),
        ("2", games[0]),
        ("3", b"no turn file"),
        ("4", games[0][:-60]),
    ):
        (tmp_path / f"tripoli-0000000{name}.toml").write_bytes(data)
    if os.name == "posix":
        os.mkfifo(tmp_path / "tripoli-00000005.toml")
    (tmp_path / "notes.toml").write_text("x = 1")
    facts = archive(games[1], tmp_path)
    assert facts.games == 1
    assert [Path(path).name[-6] for path in facts.left_out] == ["1", "2", "3", "4", "5"][
        : None if os.name == "posix" else 4
    ]
    assert "not over" in next(iter(facts.left_out.values()))


def failing(after: int) -> Iterator[bool]:
    """False so many times, then always True."""
    return (number >= after for number in count())


@pytest.fixture(scope="module")
def archives(games: tuple[bytes, bytes], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One with both games, and one with the first before its last entry; to be copied."""
    folder: Path = tmp_path_factory.mktemp("archives")
    archive(games[1], folder / "whole")
    archive(games[0], folder / "whole")
    archive(cut(games[0], 1), folder / "short")
    return folder


@pytest.mark.dear("fills a disk")
@pytest.mark.parametrize("writes", range(6))
def test_a_full_disk_loses_nothing(
    writes: int,
    games: tuple[bytes, bytes],
    archives: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shutil.copytree(archives, tmp_path, dirs_exist_ok=True)
    before, real, is_full = bytes_of(tmp_path / "short"), os.fsync, failing(2 * writes)

    def fsync(handle: int) -> None:
        if next(is_full):
            raise OSError(errno.ENOSPC, "No space left on device")
        real(handle)

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", fsync)
        with pytest.raises(PbemError, match="No space left"):
            archive(games[0], tmp_path / "short")
    there = bytes_of(tmp_path / "short")
    assert set(there) == set(before), "no file half written, none gone"
    archive(games[0], tmp_path / "short")
    after = bytes_of(tmp_path / "short")
    assert all(text in (before[name], after[name]) for name, text in there.items())
    archive(games[1], tmp_path / "short")
    assert bytes_of(tmp_path / "short") == bytes_of(tmp_path / "whole")


def test_another_process_that_archives_is_waited_for(
    games: tuple[bytes, bytes], tmp_path: Path
) -> None:
    lock = Lock(tmp_path / ".pbem-archive-lock", passing=True)
    assert lock.take()
    other = threading.Thread(target=archive, args=(games[0], tmp_path))
    other.start()
    other.join(0.3)
    assert other.is_alive() and set(bytes_of(tmp_path)) == {".pbem-archive-lock"}
    lock.release()
    other.join(PATIENCE)
    assert not other.is_alive() and len(bytes_of(tmp_path)) == 6, "and no lock is left"


@POSIX
@pytest.mark.skipif(
    hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may write everywhere"
)
def test_what_is_archived_already_needs_no_right_to_write(
    games: tuple[bytes, bytes], tmp_path: Path
) -> None:
    archive(games[0], tmp_path)
    tmp_path.chmod(0o500)
    try:
        assert archive(games[0], tmp_path).games == 1
    finally:
        tmp_path.chmod(0o700)


def test_the_command(
    games: tuple[bytes, bytes], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "game.toml").write_bytes(games[0])
    (tmp_path / "cut.toml").write_bytes(cut(games[0], 12))
    (tmp_path / "archive").mkdir()
    (tmp_path / "archive" / "tripoli-00000001.toml").write_bytes(b"nothing")
    for file, code in (("game.toml", 0), ("cut.toml", 1), ("none.toml", 2)):
        with pytest.raises(SystemExit) as end:
            app.run(["archive", str(tmp_path / file), str(tmp_path / "archive")])
        assert end.value.code == code
    told = capsys.readouterr()
    assert "index.html" in told.out and "tripoli-00000001.toml" in told.err
    assert "not over" in told.err
