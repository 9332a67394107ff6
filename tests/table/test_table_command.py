"""The command as other programs use it: one line of JSON, and the address goes on answering."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from pbem.cli import table
from pbem.fileformat import turnfile
from pbem.home.game_index import short_name
from pbem.ledger.gate import replay
from pbem.turn import joining
from tests.support.effort import PATIENCE
from tests.support.homes import make_home
from tests.support.screen import at_a_screen


@pytest.mark.dear("starts a server")
def test_one_line_and_then_it_serves(tmp_path: Path) -> None:
    make_home(tmp_path / "ann")
    command = [sys.executable, "-m", "pbem", "table", "--json", "--no-browser"]
    environment = {**os.environ, "PBEM_HOME": str(tmp_path / "ann")}
    process = subprocess.Popen(
        command,
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        facts = json.loads(process.stdout.readline())
        assert set(facts) == {"url"}
        address = urlsplit(facts["url"])
        assert address.hostname == "127.0.0.1" and address.path == "/"
        connection = http.client.HTTPConnection("127.0.0.1", address.port or 0, timeout=PATIENCE)
        connection.request("GET", f"/?{address.query}")
        answer = connection.getresponse()
        answer.read()
        assert answer.status == 303
        connection.request(
            "GET", "/", headers={"Cookie": str(answer.getheader("set-cookie")).partition(";")[0]}
        )
        assert b"Your games" in connection.getresponse().read()
        connection.close()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
        assert (process.returncode, out, err) == (0, "", "")
    finally:
        process.kill()
        process.communicate()


def test_the_address_of_a_game_is_one_line_of_a_terminal(tmp_path: Path) -> None:
    home = make_home(tmp_path / "ann")
    data = joining.invite(home, joining.NewGame("tripoli-solitaire"))
    game = replay(turnfile.read(data))
    with at_a_screen(home.folder, tmp_path, "table", short_name(game), "--no-browser") as seat:
        while "It ends with Ctrl-C" not in seat.text():
            assert seat.reads()
        (address,) = (row.strip() for row in seat.text().splitlines() if "http" in row)
        assert f"/game/{short_name(game)}?token=" in address and len(address) < 80
        place = urlsplit(address)
        connection = http.client.HTTPConnection("127.0.0.1", place.port or 0, timeout=PATIENCE)
        connection.request("GET", f"{place.path}?{place.query}")
        answer = connection.getresponse()
        answer.read()
        cookie = str(answer.getheader("set-cookie")).partition(";")[0]
        connection.request("GET", place.path, headers={"Cookie": cookie})
        assert f'data-name="tripoli-solitaire-{game.game_id.hex()[:32]}"'.encode() in (
            connection.getresponse().read()
        )
        connection.close()
        seat.kill(signal.SIGINT).ends()


def test_a_game_that_is_not_there(tmp_path: Path) -> None:
    make_home(tmp_path / "ann")
    done = subprocess.run(
        [sys.executable, "-m", "pbem", "table", "tripoli-12345678", "--no-browser"],
        cwd=tmp_path,
        env={**os.environ, "PBEM_HOME": str(tmp_path / "ann")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith("pbem: ") and done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("wanted", "opens", "by_ssh", "told"),
    [
        (True, True, False, []),
        (False, False, False, []),
        (True, False, False, ["no browser could", "ssh -L 8123:127.0.0.1:8123"]),
        (True, True, True, ["ssh -L 8123:127.0.0.1:8123"]),
        (False, False, True, ["ssh -L 8123:127.0.0.1:8123"]),
    ],
)
def test_who_has_no_browser_there_learns_how_to_reach_the_table(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    wanted: bool,
    opens: bool,
    by_ssh: bool,
    told: list[str],
) -> None:
    monkeypatch.setattr("webbrowser.open", lambda _url: opens)
    monkeypatch.delenv("SSH_CONNECTION", raising=False)
    if by_ssh:
        monkeypatch.setenv("SSH_CONNECTION", "192.0.2.1 50000 192.0.2.2 22")
    table.show("http://127.0.0.1:8123/open?key=x", browser=wanted)
    said = capsys.readouterr().err
    assert said.count("\n") == len(told) and all(words in said for words in told)
