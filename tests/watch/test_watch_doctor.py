"""`pbem doctor`: what is well, what needs a hand, and that none of it tells a stranger anything."""

from __future__ import annotations

import json
import os
import shutil
import smtplib
from collections import namedtuple
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from examples.correspondence import Player
from pbem.cli import doctor as command
from pbem.home import clock, outbox, outside, place
from pbem.home.home import Home
from pbem.lock import Lock
from pbem.mail import imap, transport
from pbem.mail import settings as mail_settings
from pbem.mail.server_errors import LoginError
from pbem.turn import joining
from pbem.watch import doctor
from pbem.watch.doctor import FINE, HAND, UNKNOWN, CheckUp, Finding
from tests.support import mail_servers
from tests.support.homes import make_home

SECRET = ("Ann", "example.org", "wind", "tripoli-", "secret")
"""Words of the home in these tests that no finding may hold."""


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return make_home(tmp_path / "ann", "Ann", "ann@example.org")


def found(home: Home, about: str, *, log_in: bool = False) -> Finding:
    """The one finding of this name."""
    [one] = [one for one in doctor.check_up(home, log_in=log_in).findings if one.about == about]
    return one


def servers(home: Home, password: str = "wind & tide") -> None:
    """A mail.toml with a server for each way, at ports where nobody listens."""
    lines = []
    for table in ("send", "fetch"):
        lines += [
            f"[{table}]",
            'host = "127.0.0.1"',
            f"port = {mail_servers.free_port()}",
            'security = "none"',
        ]
        lines += ['user = "ann@example.org"', f'password-command = ["echo", "{password}"]']
    (home.folder / "mail.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_a_home_in_order_needs_nothing(home: Home) -> None:
    facts = doctor.check_up(home, log_in=False)
    assert not facts.needs_a_hand and {one.state for one in facts.findings} == {FINE}
    abouts = [one.about for one in facts.findings]
    assert abouts[:4] == ["home", "free space", "clock", "last look"] and abouts[-1] == "versions"


def test_no_home_at_all(tmp_path: Path) -> None:
    facts = doctor.check_up(Home(tmp_path / "nowhere"), log_in=False)
    assert facts.needs_a_hand and facts.findings[0].state == HAND


@pytest.mark.skipif(os.name != "posix", reason="rights of POSIX")
@pytest.mark.parametrize(("name", "mode"), [("", 0o755), ("identity.pem", 0o644)])
def test_rights_of_others_are_found(home: Home, name: str, mode: int) -> None:
    (home.folder / name).chmod(mode)
    one = found(home, "home")
    assert one.state == HAND and one.todo.startswith(f"chmod {0o700 if not name else 0o600:o} ")


def test_a_home_that_was_moved_away(home: Home) -> None:
    place.write(home.folder, replace(place.NOWHERE, closed="2026-11-01"))
    one = found(home, "home")
    assert one.state == HAND and "2026-11-01" in one.text


def test_a_full_disk_is_found_before_it_is_full(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: usage(1, 1, doctor.LEAST_SPACE - 1))
    one = found(home, "free space")
    assert one.state == HAND and one.text == "99 MB" and one.todo


def test_a_clock_behind_the_newest_turn(home: Home) -> None:
    clock.note_signed(home.folder, clock.in_words(datetime.now(UTC) + timedelta(days=3)))
    assert found(home, "clock").state == HAND


def test_a_turn_that_was_refused(home: Home) -> None:
    folder = home.make_folder("games", "a" * 32)
    outbox.note(
        folder, 3, b"turn", lambda turn: turn.went_to([], {"ben@example.org": "no such user"})
    )
    assert found(home, "refused mails").state == HAND
    outbox.note(folder, 3, b"turn", lambda turn: turn.went_to(["ben@example.org"], {}))
    assert found(home, "refused mails").state == FINE


def test_turns_that_do_not_verify_are_counted_and_need_nothing(home: Home) -> None:
    (home.make_folder("inbox") / "bad-turns.json").write_text(
        json.dumps({"12": "x", "34": "y"}), encoding="utf-8"
    )
    one = found(home, "refused mails")
    assert one.state == FINE and one.text.startswith("2 ")


def test_automatic_turns_that_nobody_writes(begun_with_switch: Home) -> None:
    assert found(begun_with_switch, "watcher").state == HAND


@pytest.fixture
def ann(home: Home, tmp_path: Path) -> Player:
    return Player("Ann", home.folder, tmp_path, in_process=True)


@pytest.fixture
def begun_with_switch(home: Home) -> Home:
    """Ann's home with a game, in which automatic turns are on and no watcher ever looked."""
    joining.invite(home, joining.NewGame("tripoli"))
    outside.change(home.identity().public, lambda kept: replace(kept, home=True))
    return home


def test_a_watcher_at_work_is_seen(home: Home) -> None:
    lock = Lock(home.make_folder("watch") / "lock")
    alone = found(home, "watcher")
    lock.take()
    watched = found(home, "watcher")
    lock.release()
    assert alone == found(home, "watcher") != watched and watched.state == alone.state == FINE


def test_a_file_of_a_newer_pbem(begun_with_switch: Home) -> None:
    files = list(begun_with_switch.folder.glob("games/*/*/*.toml"))
    for file in files:
        file.write_bytes(file.read_bytes().replace(b'format = "pbem/1"', b'format = "pbem/2"'))
    one = found(begun_with_switch, "newer files")
    assert files and one.state == HAND and "1 file" in one.text


def test_a_damaged_file(begun_with_switch: Home) -> None:
    for file in begun_with_switch.folder.glob("games/*/*/*.toml"):
        file.write_bytes(b"")
    assert found(begun_with_switch, "damaged files").state == HAND


def test_no_server_is_asked_unless_it_is_said(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(_server: object) -> None:
        raise AssertionError("a server was asked")

    servers(home)
    monkeypatch.setattr(transport, "smtp", never)
    monkeypatch.setattr(imap, "connect", never)
    assert {found(home, about).state for about in ("sending", "fetching")} == {UNKNOWN}


def test_servers_that_do_not_answer(home: Home) -> None:
    servers(home)
    known = mail_settings.read(home)
    for about, server in (("sending", known.send), ("fetching", known.fetch)):
        one = found(home, about, log_in=True)
        assert server is not None and one.state == HAND and f" {server.port}" in one.text


def test_a_password_that_is_refused_is_told_without_the_servers_words(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Client:
        def login(self, user: str, _password: str) -> None:
            raise smtplib.SMTPAuthenticationError(535, f"no {user} of secret.example.org".encode())

        def close(self) -> None:
            pass

    def refuse(_client: object, _server: object, _password: str) -> None:
        raise LoginError("ann@example.org is unknown")

    servers(home)
    monkeypatch.setattr(transport, "smtp", lambda _server: Client())
    monkeypatch.setattr(imap, "connect", lambda _server: None)
    monkeypatch.setattr(imap, "sign_in", refuse)
    monkeypatch.setattr(imap, "leave", lambda _client: None)
    for about in ("sending", "fetching"):
        one = found(home, about, log_in=True)
        assert one.state == HAND and "example.org" not in one.text
        assert "password" in one.text, "no other reason"


def test_no_password_for_a_server(home: Home) -> None:
    servers(home)
    text = (home.folder / "mail.toml").read_text(encoding="utf-8").replace('"echo"', '"false"')
    (home.folder / "mail.toml").write_text(text, encoding="utf-8")
    one = found(home, "sending", log_in=True)
    assert one.state == HAND and "password-command" in one.todo


def test_a_wrong_mail_toml(home: Home) -> None:
    (home.folder / "mail.toml").write_text("[send]\nhost = 3\n", encoding="utf-8")
    assert found(home, "mail").state == HAND


def test_what_is_printed_can_be_posted(begun_with_switch: Home) -> None:
    """Whatever is wrong: no name, address, key, path, password or game of the home stands in it."""
    home = begun_with_switch
    servers(home, password="secret")
    [game] = home.folder.glob("games/*")
    outbox.note(
        game, 0, b"turn", lambda turn: turn.went_to([], {"ben@example.org": "secret words"})
    )
    (home.folder / "contacts.toml").write_text("no toml", encoding="utf-8")
    facts = doctor.check_up(home, log_in=True)
    text = command.in_words(facts) + json.dumps([one.text + one.todo for one in facts.findings])
    public = home.identity().public
    for word in (*SECRET, str(home.folder), home.folder.name + "/", game.name, public.hex()[:8]):
        assert word not in text, word
    assert facts.needs_a_hand


DAMAGED = (
    *(
        "",
        "games",
        "watch",
        "inbox",
        "identity.pem",
        "player.toml",
        "place.toml",
        "contacts.toml",
        "ignore.toml",
    ),
    *("mail.toml", "clock.json", "watch/heartbeat.json", "inbox/bad-turns.json", "checked.bin"),
)


@pytest.mark.parametrize("how", ["garbage", "a folder", "a link to nothing"])
@pytest.mark.parametrize("name", DAMAGED)
def test_no_damage_ends_it_or_makes_it_name_the_home(
    begun_with_switch: Home, tmp_path: Path, name: str, how: str
) -> None:
    home = begun_with_switch.folder
    victim = home / name
    shutil.rmtree(victim) if victim.is_dir() else victim.unlink(missing_ok=True)
    victim.parent.mkdir(parents=True, exist_ok=True)
    if how == "garbage":
        victim.write_bytes(b"garbage\x00")
    elif how == "a folder":
        victim.mkdir()
    else:
        victim.symlink_to(tmp_path / "nothing")
    code, out, err = Player("Ann", home, tmp_path, in_process=True).types("doctor")
    assert code in (0, 1) and err == "" and "versions" in out
    assert len(out.splitlines()) <= 24
    for word in (*SECRET, str(tmp_path), tmp_path.name):
        assert word not in "".join(out.split()), word


def test_the_command_fits_a_screen_and_tells_by_its_exit_code(ann: Player) -> None:
    code, out, _ = ann.types("doctor")
    assert code == 0 and len(out.splitlines()) <= 24 and max(map(len, out.splitlines())) <= 80
    servers(Home(ann.home))
    code, out, _ = ann.types("doctor", "--log-in")
    assert code == 1 and "! sending" in out
    assert sum(line.startswith("! ") for line in out.splitlines()) == 2


def test_json_signs_in_nowhere(ann: Player) -> None:
    servers(Home(ann.home))
    facts = ann.asks("doctor")
    assert not facts["needs_a_hand"]
    states = [one["state"] for one in facts["findings"] if one["about"] in ("sending", "fetching")]
    assert states == [UNKNOWN] * 2
    assert ann.types("doctor", "--json", "--log-in")[0] == 2


def test_in_words_marks_what_needs_a_hand() -> None:
    facts = CheckUp(
        [Finding("home", HAND, "gone", "return"), Finding("mail", UNKNOWN, "why")],
        needs_a_hand=True,
    )
    *lines, last = command.in_words(facts).splitlines()
    assert [line.split() for line in lines] == [
        ["!", "home", "gone"],
        ["->", "return"],
        ["?", "mail", "why"],
    ]
    assert last.startswith("1 ") and "(!)" in last
