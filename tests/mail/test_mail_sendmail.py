"""The line with sendmail that docs/mail.md names: a notice that a mail did not arrive comes to the
player, through a real Postfix."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path

import pytest

from examples.correspondence import Player
from pbem.home import clock
from pbem.mail.transport import Program
from pbem.turn import joining, open_game
from tests.support import starter
from tests.support.effort import PATIENCE
from tests.support.homes import make_home
from tests.support.mail_servers import Letters, postfix, wait_until

DOCS = Path(__file__).parents[2] / "docs" / "mail.md"


@pytest.mark.parametrize(
    ("command", "called"),
    [
        (["/usr/sbin/sendmail", "-t", "-i"], ["/usr/sbin/sendmail", "-t", "-i", "-f", "a@b.c"]),
        (["sendmail", "-t", "-f", "x@y.z"], ["sendmail", "-t", "-f", "x@y.z"]),
        (["sendmail", "-fx@y.z"], ["sendmail", "-fx@y.z"]),
        (["sendmail", "-r", "{sender}"], ["sendmail", "-r", "a@b.c"]),
        (["msmtp", "--from={sender}", "-t"], ["msmtp", "--from=a@b.c", "-t"]),
        (["my-program"], ["my-program"]),
    ],
)
def test_the_program_is_told_who_sends(command: Sequence[str], called: Sequence[str]) -> None:
    assert Program(command).command_for("a@b.c") == called


@pytest.mark.skipif(
    not Path("/usr/lib/postfix/sbin/master").exists() or os.name != "posix" or os.getuid() != 0,
    reason="postfix is not installed, or this is not root, as it needs",
)
@pytest.mark.dear("starts a mail system")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_bounce_comes_back_through_postfix(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock, "datetime", datetime)
    ann = make_home(tmp_path / "ann", "Ann", "ann@example.org")
    ben = make_home(tmp_path / "ben", "Ben", "ben@example.org")
    data = joining.invite(ben, joining.NewGame("tripoli"))
    data = joining.join(open_game.open_file(data, ann), ann)
    box = tmp_path / "Maildir"
    for below in ("cur", "new", "tmp"):
        (box / below).mkdir(parents=True)
    letters = Letters()
    letters.refuse, letters.boxes = {"ben@example.org"}, {"ann@example.org": box}
    [line] = re.findall(r"^program = (\[.*sendmail.*\])", DOCS.read_text("utf-8"), re.MULTILINE)
    path, *arguments = json.loads(line)
    player = Player("Ann", ann.folder, tmp_path, in_process=True)
    with postfix(letters) as command:
        assert path == command[0]
        program = json.dumps([*command, *arguments])
        (ann.folder / "mail.toml").write_text(f'inbox = ["{box}"]\n[send]\nprogram = {program}\n')
        [game] = player.asks("inbox")["games"]
        assert player.types("send", game["short"])[0] == 0
        wait_until(lambda: [*(box / "new").iterdir()])
    [(sender, to, _)] = letters.taken
    assert (sender, to) == ("<>", ["ann@example.org"]), "a notice has no sender (RFC 5321, 4.5.5)"
    ((told,),) = [game["bounced"] for game in player.asks("inbox")["games"]]
    assert "Ben" in told and "nobody here" not in told, told


@pytest.mark.dear("starts a program for each send")
@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs /proc to see who waits")
def test_several_sends_at_once_send_one_mail(tmp_path: Path) -> None:
    ann = make_home(tmp_path / "ann", "Ann", "ann@example.org")
    ben = make_home(tmp_path / "ben", "Ben", "ben@example.org")
    data = joining.join(
        open_game.open_file(joining.invite(ben, joining.NewGame("backgammon")), ann), ann
    )
    sent, go, path = tmp_path / "sent", tmp_path / "go", tmp_path / "turn.toml"
    path.write_bytes(data)
    times = f"for i in $(seq {10 * PATIENCE})"
    wait = f"echo >> {sent}; {times}; do [ -e {go} ] && break; sleep 0.1; done"
    (ann.folder / "mail.toml").write_text(f"[send]\nprogram = ['sh', '-c', '{wait}']\n")
    processes = [
        starter.start(
            ["-m", "pbem", "send", str(path)],
            env={**os.environ, "PBEM_HOME": str(ann.folder)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(4)
    ]
    wait_until(lambda: all(map(is_at_the_lock, processes)))
    go.touch()
    said = [process.communicate(timeout=PATIENCE) for process in processes]
    assert sorted(process.returncode for process in processes) == [0, 1, 1, 1], said
    assert len({err for _, err in said if err}) == 1
    assert sent.read_text() == "\n"
    player = Player("Ann", ann.folder, tmp_path, in_process=True)
    assert player.types("send", str(path))[0] == 0, "whoever asks again sends it again"
    assert sent.read_text() == "\n\n"


def is_at_the_lock(process: subprocess.Popen[str]) -> bool:
    """Whether a process holds, or waits for, the lock of those who send."""
    for one in Path(f"/proc/{process.pid}/fd").iterdir():
        with suppress(OSError):
            if Path(os.readlink(one)).name == "sending":
                return True
    return False
