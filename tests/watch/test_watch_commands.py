"""The commands: watch, auto and witness, as a player types them."""

from __future__ import annotations

import itertools
import json
import os
import select
import subprocess
import sys
import types
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from examples.correspondence import Player
from pbem.errors import Usage
from pbem.fileformat.encoding import b64
from pbem.home import outside
from pbem.home.home import Home
from pbem.home.outside import SignedHere
from pbem.turn import joining, open_game, take_turn
from pbem.turn.draft_lines import Intent
from pbem.watch import switch, witnessed
from tests.support import known_pictures, known_templates, read_game, starter
from tests.support.effort import PATIENCE
from tests.support.homes import key_of, make_home, seed_of
from tests.support.watch_kit import Stage, correspondent, solitaire


def player(home: Home, folder: Path) -> Player:
    return Player("Ann", home.folder, folder, in_process=True)


def test_the_switches(tmp_path: Path) -> None:
    home = make_home(tmp_path / "home")
    data = joining.invite(home, joining.NewGame("tripoli"))
    game = read_game.replay_bytes(data).game_id.hex()
    short, ann = f"tripoli-{game[:8]}", player(home, tmp_path)
    assert ann.does("auto")["games"] == [{"short": short, "mark": "", "why": "", "on": False}]
    assert not outside.is_kept(home.identity().public), "looking changes nothing"
    assert ann.does("auto", "on")["games"][0]["on"] is True
    assert ann.does("auto", "by-hand", "tripoli")["games"] == [
        {"short": short, "mark": "by hand", "why": "", "on": False}
    ]
    assert ann.does("auto", "off")["home"] is False
    ann.does("new", "tripoli", "--solitaire")
    assert len(ann.does("auto")["games"]) == 1, (
        "in a game that is played alone nothing writes itself"
    )
    assert home.identity().public.hex()[:9] not in ann.types("auto")[1]
    facts = ann.does("auto", "on", short)
    assert (facts["home"], facts["games"][0]["mark"]) == (False, "on")
    assert ann.does("auto", "on", "--notes")["notes"] is True
    assert ann.does("auto")["home"] is True
    for wrong in (["maybe"], ["off", short], ["by-hand"], ["on", "chess"], ["off", "--notes"]):
        assert ann.types("auto", *wrong)[0] == 2, wrong
    noted = SignedHere(home.identity().public, game[:32], home.folder).read()
    assert noted.number == 0 and noted.is_end_of(data)


def test_a_record_that_cannot_be_read_answers_nothing(tmp_path: Path) -> None:
    stage, data = solitaire(tmp_path)
    path = outside.folder_of(stage.other.home.identity().public) / "automatic.json"
    path.write_text("[")
    stage.other.receive(stage.write(stage.one, data))
    done = stage.other.look()
    assert done.sent == [] and "problem" in [one.kind for one in done.news]
    assert player(stage.other.home, tmp_path).types("auto", "on")[0] == 2
    stage.other.restart()


def test_watching_goes_on_until_it_is_ended(tmp_path: Path) -> None:
    stage, data = solitaire(tmp_path)
    data = stage.write(stage.one, data)
    ben = stage.other
    known_templates.lay_in(ben.home.folder)
    process = starter.start(
        ["-c", known_pictures.PROGRAM, "watch", "--answer"],
        env={**os.environ, "PBEM_HOME": str(ben.home.folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "watching for Ben; ^C ends it\n"
    ben.receive(data)
    for number in itertools.count():  # until the folder is watched, a mail wakes nobody
        if select.select([process.stdout], [], [], 0.2)[0]:
            break
        ben.receive(b"Subject: hello\n\nno turn\n", f"hello-{number}.host")
    told = [process.stdout.readline() for _ in range(2)]
    assert "turn 2 " in told[0] and "Ann" in told[0]
    assert "turn 3 " in told[1] and "ann@example.org" in told[1]
    assert player(ben.home, tmp_path).types("watch", "--once")[0] == 1
    process.terminate()
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, err) == (0, "", "")
    assert player(ben.home, tmp_path).types("watch", "--once")[1] == "nothing new\n"


def test_the_beginning_lists_what_waits_and_json_is_one_object_a_look(tmp_path: Path) -> None:
    stage, data = solitaire(tmp_path)
    stage.one.receive(data)
    for given, starts in (([], "watching for Ann"), (["--json"], "{")):
        known_templates.lay_in(stage.one.home.folder)
        if given:
            again = Stage(stage.one, stage.other).write(stage.one, data)
            stage.one.receive(Stage(stage.other, stage.one).write(stage.other, again))
        process = starter.start(
            ["-m", "pbem", "watch", *given],
            env={**os.environ, "PBEM_HOME": str(stage.one.home.folder)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith(starts)
        if given:
            assert json.loads(line)["news"][0]["entry"] == 3
        else:
            assert "tripoli-solitaire-" in process.stdout.readline()
        process.kill()
        process.communicate()


# ---- the passphrase ------------------------------------------------------------------------------


def locked(folder: Path) -> Home:
    """A home whose key has a passphrase."""
    home = Home(folder)
    home.create("Ann", "", seed_of("Ann"), "wind & tide")
    return Home(folder)


def test_a_passphrase_in_the_environment_of_a_service_is_refused(tmp_path: Path) -> None:
    home = locked(tmp_path / "home")
    done = starter.run(
        ["-m", "pbem", "watch", "--once"],
        env={**os.environ, "PBEM_HOME": str(home.folder), "PBEM_PASSPHRASE": "wind & tide"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1 and "keyring set" in done.stderr
    assert "wind" not in done.stderr


def test_a_passphrase_comes_from_credentials_or_the_keyring(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = locked(tmp_path / "home")
    asked: list[tuple[str, str]] = []

    def get_password(service: str, user: str) -> str | None:
        asked.append((service, user))
        return "wind & tide" if len(asked) > 1 else None

    monkeypatch.setitem(sys.modules, "keyring", types.SimpleNamespace(get_password=get_password))
    monkeypatch.delenv("PBEM_PASSPHRASE", raising=False)
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(Usage):
        switch.unlock(home)
    switch.unlock(home)
    assert asked[-1] == ("pbem passphrase", str(home.folder))
    assert home.identity().public == key_of("Ann")
    credentials = tmp_path / "credentials"
    credentials.mkdir()
    (credentials / "pbem-passphrase").write_text("wind & tide\n")
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(credentials))
    fresh = Home(home.folder)
    switch.unlock(fresh)
    assert fresh.identity().public == home.identity().public and len(asked) == 2
    (credentials / "pbem-passphrase").write_text("wrong")
    with pytest.raises(Usage):
        switch.unlock(Home(home.folder))


# ---- whom one witnesses --------------------------------------------------------------------------


def test_the_list_of_a_witness(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.home.clock.datetime", datetime)  # the command counts days from today
    ann, ben = correspondent(tmp_path, "Ann", ["Ben"]), correspondent(tmp_path, "Ben", ["Ann"])
    stage, key = Stage(ann, ben), b64(ben.home.identity().public)
    assert player(ben.home, tmp_path).does("witness")["players"] == []
    games = []
    for _ in range(3):
        data = joining.invite(
            ann.home,
            joining.NewGame("tripoli-solitaire", options={"witness": 1}, witnesses=[key]),
        )
        games.append(joining.join(open_game.open_file(data, ben.home), ben.home))
    over = take_turn.next_entry(open_game.open_file(games[0], ann.home), Intent(resign=True))
    open_game.open_file(over, ben.home)
    open_game.open_file(stage.write(ann, games[1]), ben.home)
    facts = player(ben.home, tmp_path).does("witness")
    (one,) = facts["players"]
    assert (one["name"], one["begun"], one["finished"], one["going_on"], one["dropped"]) == (
        "Ann",
        3,
        1,
        2,
        0,
    )
    assert facts["damaged"] == []
    later = witnessed.facts(ben.home, datetime.now(UTC) + timedelta(days=31))
    (one,) = later.players
    assert (one.begun, one.finished, one.going_on, one.dropped) == (3, 1, 1, 1), (
        "the one that waits for its player"
    )
    assert witnessed.facts(ann.home).players == [], "a player of their own games is no witness"
