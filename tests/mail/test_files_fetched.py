"""Files that go with turns, fetched from a mail server: with their turn, or after it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from email.message import EmailMessage
from pathlib import Path

import pytest

from examples.correspondence import Player
from pbem.home import clock
from pbem.home.home import Home
from tests.mail.test_files_with_turns import NAME, SAVED, Table
from tests.mail.test_files_with_turns import table as table
from tests.mail.test_mail_servers import NEEDS_DOVECOT, write_settings
from tests.support.mail_servers import dovecot

pytestmark = NEEDS_DOVECOT

PHOTO = 1_200_000
"""Bytes of something else in the mail: of such a long mail only what is needed is kept."""


@pytest.fixture
def account(table: Table, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The Maildir on a server from which Ben fetches."""
    monkeypatch.setattr(clock, "datetime", datetime)
    with dovecot() as (_, tls, cert, mails):
        write_settings(Home(table.ben.home), "fetch", tls, "tls", cert)
        yield mails


def comes(account: Path, name: str, *parts: tuple[str, bytes]) -> None:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "ann@example.org", "ben@example.org", "hello"
    mail["Message-ID"] = f"<{name}@example.org>"
    mail.set_content("Have fun.\n")
    for part, data in parts:
        mail.add_attachment(data, "application", "octet-stream", filename=part)
    path = account / "tmp" / f"{name}.host"
    path.write_bytes(mail.as_bytes())
    path.chmod(0o644)
    path.rename(account / "new" / path.name)


def kinds(player: Player) -> list[str]:
    return [one["kind"] for one in player.does("fetch")["files"]]


def left_in_inbox(player: Player) -> list[str]:
    found = (player.home / "inbox").iterdir()
    return [path.name for path in found if path.suffix != ".json"]


@pytest.mark.parametrize("padding", [0, PHOTO])
def test_it_is_fetched_with_its_turn(table: Table, account: Path, padding: int) -> None:
    table.saved()
    table.sends(NAME)
    photo = [("photo.jpg", bytes(padding))] if padding else []
    comes(account, "1", (NAME, SAVED), ("turn.toml", table.path(2).read_bytes()), *photo)
    assert kinds(table.ben) == ["new", "file"]
    assert [path.read_bytes() for path in table.kept(table.ben)] == [SAVED]
    assert left_in_inbox(table.ben) == []


def test_it_is_fetched_when_it_comes_after_its_turn(table: Table, account: Path) -> None:
    table.saved()
    table.sends(NAME)
    turn = ("turn.toml", table.path(2).read_bytes())
    comes(account, "1", turn)
    assert kinds(table.ben) == ["new"] and table.awaited(table.ben) == [NAME]
    comes(account, "2", (NAME, SAVED[::-1]))
    comes(account, "3", ("stranger.bin", SAVED * 2))
    assert table.kept(table.ben) == [] and kinds(table.ben) == []
    comes(account, "4", turn, (NAME, SAVED))
    assert kinds(table.ben) == ["file"] and table.awaited(table.ben) == []
    assert left_in_inbox(table.ben) == [] and table.states(table.ben) == ["here"]
