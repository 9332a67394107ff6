"""docs/mail.md names what there is."""

from __future__ import annotations

import configparser
import os
import plistlib
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from pbem.home.home import Home
from pbem.mail import settings
from tests.support.effort import PATIENCE
from tests.support.rights import open_to_all

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "mail.md").read_text(encoding="utf-8")


def test_every_template_is_named_and_no_other() -> None:
    shipped = {
        path.relative_to(ROOT / "templates").as_posix()
        for path in (ROOT / "templates").rglob("*.j2")
    }
    assert set(re.findall(r"`([a-z./-]+\.j2)`", PAGE)) == shipped


def block(kind: str, holding: str) -> str:
    """The one block of this kind that holds these words."""
    (found,) = [
        text for text in re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL) if holding in text
    ]
    return str(found)


def test_the_systemd_unit_starts_the_command_there_is() -> None:
    unit = configparser.RawConfigParser()
    unit.read_string(block("ini", "[Service]"))
    assert unit["Service"]["ExecStart"].endswith("/pbem watch --answer")
    assert unit["Service"]["Type"] == "notify" and unit["Service"]["WatchdogSec"] == "30min"
    assert not re.search(r"PBEM_PASSPHRASE\s*=", PAGE)


def test_systemd_takes_the_unit() -> None:
    """As `systemd-analyze verify` sees it, which names every key and value that it does not
    know."""
    if (verify := shutil.which("systemd-analyze")) is None:
        pytest.skip("systemd-analyze is not installed")
    given = block("ini", "[Service]")
    with_key = given.replace(
        "[Install]", "LoadCredentialEncrypted=pbem-passphrase:%h/pbem-passphrase.cred\n\n[Install]"
    )
    with open_to_all() as home:
        assert said_by_systemd(verify, home, given) == ""
        assert "allways" in said_by_systemd(verify, home, given.replace("always", "allways"))
        assert said_by_systemd(verify, home, with_key) == ""


def said_by_systemd(verify: str, home: Path, text: str) -> str:
    """What systemd-analyze says of a unit that starts the program in this home."""
    program, unit, run = home / ".local/bin/pbem", home / "pbem-watch.service", home / "run"
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    run.mkdir(mode=0o700, exist_ok=True)
    unit.write_text(text.replace("%h", str(home)))
    done = subprocess.run(
        [verify, "verify", "--user", "--man=no", str(unit)],
        env={"HOME": str(home), "XDG_RUNTIME_DIR": str(run), "PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    if "Failed to initialize manager" in done.stderr:
        pytest.skip(f"systemd-analyze does not work here: {done.stderr.strip()}")
    return done.stderr + (f"exit code {done.returncode}" if done.returncode else "")


def test_launchd_takes_the_property_list() -> None:
    """Each key with the type that launchd.plist(5) names for it; the label names the file."""
    read = plistlib.loads(block("xml", "<plist").encode())
    types = {"Label": str, "ProgramArguments": list, "RunAtLoad": bool, "KeepAlive": bool}
    assert {key: type(value) for key, value in read.items()} == types
    program, *arguments = read["ProgramArguments"]
    assert (
        arguments == ["watch", "--answer"]
        and Path(program).is_absolute()
        and Path(program).name == "pbem"
    )
    assert f"LaunchAgents/{read['Label']}.plist" in PAGE


def test_the_windows_task_keeps_to_the_schema_of_tasks() -> None:
    """Parameters that the cmdlets of the module ScheduledTasks have, and values that a task may
    hold: in the schema of tasks a count of restarts is one byte, their interval a minute to 31
    days, and no time limit is PT0S."""
    known = {
        "New-ScheduledTaskAction": {"Execute", "Argument"},
        "New-ScheduledTaskTrigger": {"AtLogOn", "User"},
        "New-ScheduledTaskSettingsSet": {
            "RestartCount",
            "RestartInterval",
            "ExecutionTimeLimit",
            "AllowStartIfOnBatteries",
            "DontStopIfGoingOnBatteries",
        },
        "Register-ScheduledTask": {"TaskName", "Action", "Trigger", "Settings"},
    }
    text = re.sub(r"`\n\s*", "", block("powershell", "Register-ScheduledTask"))
    assert '-Argument "watch --answer"' in text and 'pbem.exe"' in text
    found = {}
    for line in text.splitlines():
        outer = re.sub(r"\([^()]*\)", "", line)
        cmdlet = next(name for name in known if name in outer)
        found[cmdlet] = set(re.findall(r"(?<=\s)-([A-Za-z]+)", re.sub(r'"[^"]*"', "", outer)))
    assert found == known
    count = re.search(r"-RestartCount (\d+)", text)
    assert count is not None and 1 <= int(count[1]) <= 255
    assert (
        "-RestartInterval (New-TimeSpan -Minutes 1)" in text
        and "-ExecutionTimeLimit ([TimeSpan]::Zero)" in text
    )


def test_what_stands_in_mail_toml_is_understood(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    home.make_folder()
    (home.folder / "mail.toml").write_text(block("toml", "notify = ") + block("toml", "[fetch]"))
    found = settings.read(home)
    assert (
        found.notify == ("notify-send", "{title}", "{text}")
        and found.services
        and found.fetch is not None
    )
