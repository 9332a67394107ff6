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

from tests.support.effort import PATIENCE
from tests.support.homes import make_home


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
