"""docs/mail.md names what there is."""

from __future__ import annotations

import configparser
import plistlib
import re
from pathlib import Path

from pbem.mail import settings
from pbem.player.home import Home

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "mail.md").read_text(encoding="utf-8")


def test_every_template_is_named_and_no_other() -> None:
    shipped = {path.relative_to(ROOT / "templates").as_posix() for path in (ROOT / "templates").rglob("*.j2")}
    assert set(re.findall(r"`([a-z./-]+\.j2)`", PAGE)) == shipped


def block(kind: str, holding: str) -> str:
    """The one block of this kind that holds these words."""
    (found,) = [text for text in re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL) if holding in text]
    return str(found)


def test_the_services_start_the_command_there_is() -> None:
    unit = configparser.RawConfigParser()
    unit.read_string(block("ini", "[Service]"))
    assert unit["Service"]["ExecStart"].endswith("/pbem watch --answer")
    started = plistlib.loads(block("xml", "<plist").encode())["ProgramArguments"]
    assert started[1:] == ["watch", "--answer"]
    assert '-Argument "watch --answer"' in block("powershell", "Register-ScheduledTask")
    assert not re.search(r"PBEM_PASSPHRASE\s*=", PAGE)


def test_what_stands_in_mail_toml_is_understood(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    home.make_folder()
    (home.folder / "mail.toml").write_text(block("toml", "notify = ") + block("toml", "[fetch]"))
    found = settings.read(home)
    assert found.notify == ("notify-send", "{title}", "{text}") and found.services and found.fetch is not None
