"""The questions about sending at a pseudo-terminal, with a real server for the trial mail."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
import typer

from pbem.cli import mail, mail_setup
from pbem.errors import Refused, Usage
from pbem.home.game_index import short_name
from pbem.home.home import Home
from pbem.home.known_names import Names
from pbem.mail import first_settings, settings
from pbem.mail.first_settings import Sending
from pbem.mail.transport import NotSetUp
from pbem.turn import named_file, outgoing
from tests.support import read_game
from tests.support.mail_kit import attachment, parsed, start
from tests.support.mail_servers import HOST, PASSWORD, USER, smtp_server
from tests.support.screen import at_a_screen
from tests.support.terminal import at_a_terminal

WITH_PASSWORD = f"echo '{PASSWORD}'"


@pytest.fixture
def ben(tmp_path: Path) -> tuple[Home, str, bytes]:
    """A home with a turn to send, the short name of its game, and that turn."""
    game = start(tmp_path / "game")
    return game.homes["tripolitan"], short_name(read_game.replay_bytes(game.newest)), game.newest


def test_whoever_sends_for_the_first_time_is_led_to_it(
    ben: tuple[Home, str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With something wrong in each answer, and a password that the server does not take."""
    home, short, newest = ben
    (home.folder / "mail.toml").write_text(
        "# mine\ninbox = []\n\n[fetch]\nhost = 'imap.example.org'\nuser = 'ben'\n"
    )
    with smtp_server(tmp_path, "starttls") as (port, letters, cert):
        entered = [
            *("ben at home", "ben@example.org"),
            *("two words", f"{HOST}:eighty", "/no/such/program", f"{HOST}:{port}"),
            *("ssl", "starttls"),
            USER,
            *("'open", "false", "echo wrong"),
            "y",  # and once more, where Enter keeps what was right
            *("", "", "", "", WITH_PASSWORD, ""),
        ]
        shown = at_a_terminal(
            home.folder, tmp_path, ["send", short], entered, 200, SSL_CERT_FILE=str(cert)
        )
        told = (
            *('"ben at home"', '"two words"', '"eighty"', "program /no/such/program", '"ssl"'),
            *("command: ", "window: ", f"{HOST} ", "Enter ", "mail.toml; ", "sent to ann@"),
        )
        places = [" ".join(shown.split()).index(words) for words in told]
        assert places == sorted(places), shown
        assert "Traceback" not in shown and PASSWORD not in shown.replace(WITH_PASSWORD, "")
        (_, trial_to, trial), (_, to, turn) = letters.taken
        assert trial_to == ["ben@example.org"] and parsed(trial)["Subject"].startswith("pbem: ")
        assert to == ["ann@example.org"] and attachment(parsed(turn)) == newest
        text = (home.folder / "mail.toml").read_text()
        assert (
            text.startswith("# mine\n")
            and tomllib.loads(text)["fetch"]["host"] == "imap.example.org"
        )
        assert tomllib.loads(text)["send"] == {
            "host": HOST,
            "security": "starttls",
            "port": port,
            "user": USER,
            "password-command": ["echo", PASSWORD],
        }
        monkeypatch.setenv("SSL_CERT_FILE", str(cert))
        assert mail.send(home, Path(short)) == (["ann@example.org"], "") and len(letters.taken) == 3


def test_a_reminder_asks_too_and_a_program_needs_no_password(
    ben: tuple[Home, str, bytes], tmp_path: Path
) -> None:
    home, short, _ = ben
    program = f"/bin/sh -c 'cat >> {tmp_path}/taken'"
    shown = at_a_terminal(
        home.folder, tmp_path, ["remind", short, "--send"], ["", program, "n"], 200
    )
    assert " [ben@example.org]:" in shown and ": ann@example.org" in shown
    assert settings.read(home).program == ("/bin/sh", "-c", f"cat >> {tmp_path}/taken")
    assert (tmp_path / "taken").read_bytes().count(b"Subject:") == 1, "no trial mail was wanted"


def test_ctrl_c_keeps_nothing(ben: tuple[Home, str, bytes], tmp_path: Path) -> None:
    home, short, _ = ben
    with at_a_screen(home.folder, tmp_path, "send", short) as seat:
        while "[ben@example.org]" not in seat.text():
            assert seat.reads()
        seat.keys("\r")
        while "sendmail" not in seat.text():
            assert seat.reads()
        assert seat.interrupted() == 1
        assert "Traceback" not in seat.text()
    assert not (home.folder / "mail.toml").exists()


def test_where_nobody_can_be_asked_it_says_what_to_write(
    ben: tuple[Home, str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    home, short, _ = ben
    monkeypatch.setattr(mail_setup, "_lead", lambda _home: pytest.fail("nobody can answer"))

    for quiet in (False, True):
        with pytest.raises(NotSetUp, match=r"\[send\], host = .*password-command.*pbem sent GAME"):
            mail_setup.with_settings(home, lambda: mail.send(home, Path(short)), quiet=quiet)


def test_doubts_about_names_are_told_once_it_is_known_how_to_send(
    ben: tuple[Home, str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else whoever is led through the settings reads them before and after."""
    home, short, _ = ben
    told: list[str] = []
    monkeypatch.setattr(Names, "look", lambda *_given: ["ANOTHER KEY"])
    with pytest.raises(NotSetUp):
        outgoing.send(home, named_file.find(Path(short), home).turn, warn=told.append)
    assert told == []
    (home.folder / "mail.toml").write_text('[send]\nprogram = ["/bin/false"]\n')
    with pytest.raises(Refused):
        outgoing.send(home, named_file.find(Path(short), home).turn, warn=told.append)
    assert told == ["ANOTHER KEY"]


@pytest.fixture
def answering(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Give these answers to the questions, and then press Ctrl-C; the questions as they were
    put."""

    def begin(*answers: str) -> list[str]:
        left, put = [*answers], list[str]()

        def prompt(words: str, default: str = "", **_more: object) -> str:
            put.append(f"{words} [{default}]" if default else words)
            if not left:
                raise typer.Abort
            return left.pop(0) or default

        def confirm(words: str, **more: object) -> bool:
            return (
                prompt(words, "y", **{name: more[name] for name in more if name != "default"})
                == "y"
            )

        monkeypatch.setattr(mail_setup.typer, "prompt", prompt)
        monkeypatch.setattr(mail_setup.typer, "confirm", confirm)
        return put

    return begin


def test_ctrl_c_at_any_question_keeps_nothing(
    ben: tuple[Home, str, bytes], answering: Callable[..., list[str]]
) -> None:
    home, _, _ = ben
    answers = ("", "smtp.example.org", "", "", WITH_PASSWORD)
    for number in range(len(answers) + 1):
        put = answering(*answers[:number])
        with pytest.raises(typer.Abort):
            mail_setup._lead(home)
        assert len(put) == number + 1 and not (home.folder / "mail.toml").exists()
    proposed = [words.partition(" [")[2] for words in put]
    assert proposed == ["ben@example.org]", "", "starttls]", "ben@example.org]", "keyring]", "y]"]


def test_the_server_of_a_known_service_needs_only_a_password(
    ben: tuple[Home, str, bytes],
    answering: Callable[..., list[str]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    home, _, _ = ben
    put = answering("ben@gmail.com", "", "", WITH_PASSWORD, "n")
    mail_setup._lead(home)
    assert put[1].endswith("[smtp.gmail.com]") and len(put) == 5
    assert "gmail.com " in capsys.readouterr().err
    found = settings.read(home).send
    assert found is not None and (found.host, found.port, found.user) == (
        "smtp.gmail.com",
        587,
        "ben@gmail.com",
    )


def test_a_service_without_passwords_for_programs_is_told(
    ben: tuple[Home, str, bytes],
    answering: Callable[..., list[str]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    home, _, _ = ben
    answering("ben@outlook.com")
    with pytest.raises(typer.Abort):
        mail_setup._lead(home)
    assert "outlook.com " in capsys.readouterr().err


@pytest.mark.parametrize("port", [0, 465, 587, 2525])
def test_each_port_comes_with_a_security(port: int, answering: Callable[..., list[str]]) -> None:
    put = answering("")
    found = mail_setup._secured(
        Sending("ben@example.org", host="smtp.example.org", port=port, user="ben")
    )
    assert found.security == {465: "tls"}.get(port, "starttls") and len(put) == 1
    server = found.settings().send
    assert server is not None and server.port == (port or 587)


def test_what_stands_in_the_settings_stays_or_nothing_is_written(
    ben: tuple[Home, str, bytes], tmp_path: Path
) -> None:
    home, _, _ = ben
    kept, path = tmp_path / "dotfiles.toml", home.folder / "mail.toml"
    path.symlink_to(kept)
    first_settings.keep(home, Sending("ben@example.org", program=("true",)))
    assert path.is_symlink() and tomllib.loads(kept.read_text()) == {"send": {"program": ["true"]}}
    kept.write_text("[send]\n")
    with pytest.raises(Usage, match=r"\[send\]"):
        first_settings.keep(home, Sending("ben@example.org", program=("true",)))
    assert kept.read_text() == "[send]\n"
