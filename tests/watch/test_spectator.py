"""Somebody without a seat watches games of others (docs/design.md, "Somebody who watches")."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.errors import Conflict, PbemError, Refused, Usage
from pbem.fileformat import turnfile
from pbem.fileformat.packed import in_page, packed, unpacked
from pbem.mail import web_file
from pbem.replay.page import page, write_page
from pbem.replay.scenes import Replayed
from pbem.turn.found_games import MOST, look_for_games
from pbem.watch.spectator import Spectator, SpectatorLook
from tests.support.players import retouch
from tests.support.series_kit import Match, match


@pytest.fixture
def played(tmp_path: Path) -> Match:
    """A game that Ben has won, and the invitation to the next one."""
    made = match(tmp_path / "homes", "2 games")
    made.end("lost")
    return made


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """What the players share."""
    shared = tmp_path / "shared"
    shared.mkdir()
    return shared


def upto(data: bytes, entries: int) -> bytes:
    return turnfile.read(data).prefix(entries)


def numbers(look: SpectatorLook) -> list[list[int]]:
    """The entries that are told, game by game."""
    return [[entry.number for entry in game.report.position.entries] for game in look.games]


def test_turns_are_told_as_they_come_each_once(played: Match, folder: Path) -> None:
    whole, spectator = played.files[0], Spectator([folder])
    assert spectator.look() == SpectatorLook([], [])
    (folder / "one.toml").write_bytes(upto(whole, 2))
    assert numbers(spectator.look()) == [[1]]
    (folder / "two.toml").write_bytes(upto(whole, 1))
    assert numbers(spectator.look()) == [], "older than what was told"
    (folder / "one.toml").write_bytes(whole)
    look = spectator.look()
    assert numbers(look) == [list(range(2, len(turnfile.read(whole).entries)))]
    assert look.games[0].report.progress.over is not None
    assert "2 games: Ann 0, Ben 1" in look.games[0].in_words()
    assert spectator.look() == SpectatorLook([], [])


def test_several_games_of_a_folder(played: Match, folder: Path) -> None:
    played.begin(played.invite())
    for number, data in enumerate(played.files):
        (folder / f"{number}.toml").write_bytes(data)
    assert len(Spectator([folder]).look().games) == 2


def test_each_game_that_goes_on_becomes_a_page(played: Match, folder: Path) -> None:
    written = []
    spectator = Spectator([folder], lambda game: written.append(game.file.data) or folder)
    (folder / "one.toml").write_bytes(upto(played.files[0], 2))
    spectator.look()
    spectator.look()
    assert written == [upto(played.files[0], 2)]


def test_a_page_is_made_anew_with_each_turn_and_over_nothing_else(
    played: Match, tmp_path: Path
) -> None:
    whole, file = played.files[0], tmp_path / "game.html"
    for data in (upto(whole, 2), whole, whole):
        write_page(file, page(data, Replayed(data)), data)
        assert in_page(file.read_bytes()) == data
    shorter = upto(whole, 2)
    with pytest.raises(Conflict, match="something else"):
        write_page(file, page(shorter, Replayed(shorter)), shorter)
    assert in_page(file.read_bytes()) == whole, "it may be all that is left of the game"
    file.write_text("mine")
    with pytest.raises(Conflict):
        write_page(file, page(whole, Replayed(whole)), whole)
    assert file.read_text() == "mine"


def test_a_page_that_cannot_be_written_stops_nobody_watching(played: Match, folder: Path) -> None:
    def refuse(_game: object) -> Path:
        raise Usage("no room")

    (folder / "one.toml").write_bytes(upto(played.files[0], 2))
    look = Spectator([folder], refuse).look()
    assert numbers(look) == [[1]] and look.problems == ["no room"]


def test_what_does_not_hold_is_told_once_and_a_shorter_file_counts(
    played: Match, folder: Path
) -> None:
    whole = played.files[0]
    (folder / "forged.toml").write_bytes(whole[:-8] + b'AAAA=="\n')
    (folder / "good.toml").write_bytes(upto(whole, 2))
    spectator = Spectator([folder])
    look = spectator.look()
    assert numbers(look) == [[1]] and len(look.problems) == 1
    assert spectator.look() == SpectatorLook([], [])


def test_two_versions_of_a_turn_are_told(played: Match, folder: Path) -> None:
    """Also where the one that was told is no longer there."""
    whole = played.files[0]
    other = retouch(upto(whole, 2), played.ben.identity(), message="On the other hand")
    (folder / "one.toml").write_bytes(whole)
    spectator = Spectator([folder])
    spectator.look()
    (folder / "one.toml").write_bytes(other)
    (game,) = spectator.look().games
    assert len(game.versions) == 1 and "twice" in game.versions[0]
    assert numbers(SpectatorLook([game], [])) == [[1]]
    (folder / "two.toml").write_bytes(whole)
    (again,) = spectator.look().games
    assert len(again.versions) == 1


def test_a_page_is_watched(played: Match, folder: Path) -> None:
    whole = played.files[0]
    file = folder / "game.html"
    file.write_text(page(whole, Replayed(whole)), encoding="utf-8")
    (game,) = Spectator([file]).look().games
    assert game.report.about.entry == len(turnfile.read(whole).entries) - 1


def test_an_address_is_watched_and_may_fail_later(
    played: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    served = [upto(played.files[0], 2), played.files[0], None]

    def fetch(address: str) -> bytes:
        assert address == "https://example.org/game.toml"
        if (data := served.pop(0)) is None:
            raise Refused("https://example.org answers with the status 404")
        return data

    monkeypatch.setattr(web_file, "fetch", fetch)
    spectator = Spectator([Path("https://example.org/game.toml")])
    assert [len(spectator.look().games) for _ in range(2)] == [1, 1]
    assert spectator.look().problems
    served.append(None)
    assert spectator.look() == SpectatorLook([], []), "told once"
    served.append(None)
    with pytest.raises(Refused):
        Spectator([Path("https://example.org/game.toml")]).look()


def test_what_is_no_page_of_a_game() -> None:
    """A page that unpacks to more than a turn file may have, and others that hold none."""
    bomb = packed(bytes(200_000_000)).encode()
    for inside in (bomb, b"AAAA", b"A", b'"', b""):
        assert in_page(b'<script type="text/plain" id="file">' + inside + b"</script>") == b""


def test_what_a_page_has_packed_comes_back() -> None:
    """Of each length, since the last letters hold what is left; chance is not compressed."""
    for length in (*range(40), 4_001):
        data = hashlib.shake_256(b"page").digest(length)
        assert unpacked(packed(data).encode(), 5_000) == data


def test_a_folder_of_very_many_files_ends(
    played: Match, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.turn.found_games.MOST", 3)
    for number in range(5):
        (folder / f"{number}.toml").write_bytes(upto(played.files[0], 1))
    found = look_for_games([folder])
    assert len(found.games) == 1 and len(found.problems) == 1
    assert MOST >= 1000


def test_nothing_that_a_terminal_obeys(played: Match, folder: Path) -> None:
    (folder / "\x1b[2Jevil.toml").write_bytes(b'format = "pbem/1"\n')
    (problem,) = Spectator([folder]).look().problems
    assert "\x1b" not in problem


def test_the_command_needs_no_home_and_makes_none(
    played: Match, folder: Path, tmp_path: Path
) -> None:
    (folder / "one.toml").write_bytes(played.files[0])
    env = {"PBEM_HOME": str(tmp_path / "none"), "PBEM_STATE": str(tmp_path / "state")}
    run = [sys.executable, "-m", "pbem", "watch", str(folder)]
    made = subprocess.run(
        [*run, "--once", "--film", str(tmp_path / "films")],
        env=env,
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    (film,) = (tmp_path / "films").glob("*.html")
    assert str(film) in made.stdout and in_page(film.read_bytes()) == played.files[0]
    assert not (tmp_path / "none").exists()


def test_an_empty_place_is_refused(folder: Path) -> None:
    with pytest.raises(PbemError):
        Spectator([folder / "nowhere"]).look()
