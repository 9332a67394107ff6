"""Scenes for the golden texts (golden_text.py): mails that do not go out or come in, watchers that
tell of it, and the check-up."""

from __future__ import annotations

import imaplib
import smtplib
import socket
import ssl
import sys
from collections.abc import Mapping
from types import SimpleNamespace
from typing import TYPE_CHECKING
from unittest.mock import patch

import pytest
import typer

from examples.correspondence import Player, preferring
from pbem.cli import mail_setup
from pbem.fileformat import armor, turnfile
from pbem.fileformat.encoding import b64
from pbem.fileformat.link import turn_link
from pbem.home.home import Home
from pbem.mail import compose, imap, transport
from pbem.mail.server_errors import LoginError
from pbem.watch import intake
from pbem.watch.watcher import Watcher
from tests.support.homes import seed_of
from tests.support.notices import postfix
from tests.support.plain_shuffles import take_plain_shuffles

if TYPE_CHECKING:
    from tests.cli.golden_text import TextScript

CLOSED = "[{}]\nhost = '127.0.0.1'\nport = 1\nsecurity = 'none'\nuser = 'cleo'\n{}"
"""A server that takes no connection."""
PASSWORD = "password-command = ['echo', 'wind']\n"
PAGE = "https://page.example.org/pbem/"
TAKES_ALL = "[send]\nprogram = ['true']\n"


def scenes(script: TextScript) -> None:
    for name in ("Cleo", "Dan"):
        script.players[name] = Player(
            name, script.folder / name, script.folder / "mails", in_process=True
        )
    script.says("Cleo", "doctor")
    for name in ("Cleo", "Dan"):
        Home(script.folder / name).create(name, f"{name.lower()}@example.org", seed_of(name), "")
    script.says("Cleo", "doctor")
    with pytest.MonkeyPatch.context() as quick:
        take_plain_shuffles(quick)
        _sends(script)
        _fetches(script)
        _watches(script)
        _witnesses(script)
        _plays_in_a_page(script)
    _odd_files(script)


def _settings(script: TextScript, text: str, who: str = "Cleo") -> None:
    (script.folder / who / "mail.toml").write_text(text)


class _Connection:
    """To a server that refuses these addresses with this answer, or a sign-in with this error."""

    def __init__(self, refused: Mapping[str, tuple[int, bytes]], error: Exception | None) -> None:
        self.refused, self.error = refused, error

    def login(self, _user: str, _password: str) -> None:
        if self.error is not None:
            raise self.error

    def send_message(self, *_letter: object) -> Mapping[str, tuple[int, bytes]]:
        if len(self.refused) > 1:
            raise smtplib.SMTPRecipientsRefused(dict(self.refused))
        return self.refused

    def quit(self) -> None:
        pass

    def close(self) -> None:
        pass


def _newest(script: TextScript, game: str) -> str:
    return max(
        (script.folder / "mails").glob(f"{game}-*.toml"), key=lambda one: one.stat().st_mtime_ns
    ).name


def _sends(script: TextScript) -> None:
    """An invitation to a game of three, a join, and what mail servers say to them."""
    script.says("Cleo", "new", "loot", "--option", "players=3")
    invitation = _newest(script, "loot")
    game = invitation.removesuffix("-0000.toml")
    script.says("Cleo", "inbox")
    script.says("Cleo", "send", invitation)
    script.says("Cleo", "send", invitation, "--to", "dan at example")
    _settings(script, TAKES_ALL)
    script.says("Cleo", "send", invitation)
    script.says("Cleo", "send", invitation, "--to", "dan@example.org")
    script.says("Dan", "join", invitation)
    joined = f"{game}-0001.toml"
    script.says("Cleo", "inbox", joined)
    script.says("Cleo", "send", joined)
    for program in ("false", "/nowhere/sendmail"):
        _settings(script, f"[send]\nprogram = ['{program}']\n", "Dan")
        script.says("Dan", "send", joined)
    script.says("Dan", "inbox")
    _settings(script, CLOSED.format("send", PASSWORD), "Dan")
    script.says("Dan", "send", joined)
    no, later = (550, b"no such user"), (451, b"try later")
    cleo, eve = "cleo@example.org", "eve@example.org"
    for connection in (
        _Connection({cleo: no}, None),
        _Connection({}, smtplib.SMTPAuthenticationError(535, b"bad password")),
    ):
        with patch.object(transport, "smtp", return_value=connection):
            script.says("Dan", "send", joined)
    both = ("--to", cleo, "--to", eve)
    for connection in (_Connection({cleo: no}, None), _Connection({cleo: no, eve: later}, None)):
        with patch.object(transport, "smtp", return_value=connection):
            script.says("Dan", "send", joined, *both)
    script.says("Dan", "inbox")
    script.says("Dan", "doctor")
    _sets_up(script, joined)
    _comes_back(script, joined)
    # the invitation alone has room for its turn or not, as its picture was drawn
    script.reads(script.folder / "mails" / f"{game}-0001.eml")


def _sets_up(script: TextScript, file: str) -> None:
    """The questions of whoever sends for the first time, and their answers."""
    stream = SimpleNamespace(isatty=lambda: True)
    at_a_terminal = SimpleNamespace(stdin=stream, stderr=stream)
    for answers in (
        ("dan@outlook.com",),
        ("dan@gmail.com", "", "", "echo wind", "n"),
        ("dan at home", "", "two words", "/no/such/program", "smtp.example.org:eighty",
         "smtp.example.org", "ssl", "", "", "'open", "false", "echo wind", "n"),
    ):  # fmt: skip
        (script.folder / "Dan" / "mail.toml").unlink()
        left = [*answers]

        def prompt(words: str, default: str = "", left: list[str] = left, **_more: object) -> str:
            print(f"{words} [{default}]: {left[0] if left else '^C'}", file=sys.stderr)
            if not left:
                raise typer.Abort
            return left.pop(0) or default

        def confirm(words: str, **_more: object) -> bool:
            return prompt(words, "y") == "y"

        with (
            patch.object(mail_setup, "sys", at_a_terminal),
            patch.object(typer, "prompt", prompt),
            patch.object(typer, "confirm", confirm),
            patch.object(transport, "smtp", return_value=_Connection({}, None)),
        ):
            script.says("Dan", "send", file)
        _settings(script, TAKES_ALL, "Dan")


def _comes_back(script: TextScript, file: str) -> None:
    """Why a mail did not arrive, as a mail system says."""
    sent, notice = script.folder / "sent", script.folder / "mails" / "notice.eml"
    _settings(script, f"[send]\nprogram = ['/bin/sh', '-c', 'cat > {sent}']\n", "Dan")
    for status in ("5.1.1", "5.2.2", "5.1.10", "4.4.7", "5.7.26", "5.9.9"):
        script.players["Dan"].does("send", file)
        notice.write_bytes(postfix(sent.read_bytes(), "cleo@example.org", status))
        script.says("Dan", "inbox", "notice.eml")
    script.says("Dan", "inbox", "notice.eml")
    script.players["Dan"].does("send", file)
    script.says("Dan", "inbox", "notice.eml")


def _fetches(script: TextScript) -> None:
    """Everything that a server for mails that come in answers."""
    expired, unknown = ssl.SSLCertVerificationError("x"), ssl.SSLCertVerificationError("x")
    expired.verify_code, expired.verify_message = 10, "certificate has expired"
    unknown.verify_code, unknown.verify_message = 20, "unable to get local issuer certificate"
    plain = ssl.SSLError("x")
    plain.reason = "WRONG_VERSION_NUMBER"
    for command in ("['false']", "['/nowhere/pass']"):
        _settings(script, CLOSED.format("fetch", f"password-command = {command}\n"))
        script.says("Cleo", "fetch")
    _settings(script, CLOSED.format("fetch", PASSWORD))
    script.says("Cleo", "fetch")
    for error in (
        LoginError("bad password"),
        LoginError("OAuth is wanted"),
        smtplib.SMTPNotSupportedError("no AUTH"),
        expired,
        unknown,
        plain,
        socket.gaierror(-2, "Name or service not known"),
        TimeoutError(),
        imaplib.IMAP4.abort("gone"),
    ):
        with patch.object(imap, "connect", side_effect=error):
            script.says("Cleo", "fetch")


def _watches(script: TextScript) -> None:
    """Settings that are wrong, and what a watcher, the lists and the check-up say of it."""
    looks = ("watch", "--once", "--answer")
    script.says("Cleo", "auto", "on")
    script.says("Cleo", "inbox")
    script.says("Cleo", "doctor")
    for wrong in ("", "[send", "[send]\nhost = 3\n", "inbox = ['gone']\n"):
        _settings(script, wrong)
        script.says("Cleo", *looks)
        script.says("Cleo", "inbox")
    _settings(script, CLOSED.format("fetch", PASSWORD) + TAKES_ALL)
    for _ in range(2):
        script.says("Cleo", *looks)
    script.says("Cleo", "auto")
    script.says("Cleo", "doctor")
    script.says("Cleo", "doctor", "--log-in")
    mails = script.folder / "mails"
    _settings(script, f"inbox = ['{mails}/cleo']\nnotify = ['false']\n")
    (mails / "cleo").mkdir()
    script.players["Dan"].does("new", "tripoli", "--dir", "cleo")
    script.says("Cleo", *looks)
    with patch.object(intake, "events", side_effect=ZeroDivisionError("zero")):
        script.says("Cleo", *looks)
    watcher = Watcher(Home(script.folder / "Cleo"), answers=True)
    script.says("Cleo", *looks)
    script.says("Cleo", "doctor")
    watcher.close()
    script.says("Cleo", "auto", "off")
    _settings(script, CLOSED.format("fetch", PASSWORD))
    script.says("Cleo", "doctor")


def _witnesses(script: TextScript) -> None:
    """A game that is played alone, with a witness whose turns write themselves."""
    key = Home(script.folder / "Dan").identity().public
    script.says("Cleo", "new", "tripoli", "--solitaire", "--witness", b64(key))
    invitation = _newest(script, "tripoli-solitaire")
    script.says("Dan", "join", invitation)
    joined, played = (invitation.replace("-0000", f"-000{number}") for number in (1, 2))
    answers = script.players["Cleo"].answers(joined, preferring("done"))
    script.says("Cleo", "play", joined, "; ".join(answers))
    _settings(script, f"inbox = ['{script.folder / 'mails' / played}']\n{TAKES_ALL}", "Dan")
    for game in ((), (invitation.removesuffix("-0000.toml"),)):
        script.says("Dan", "auto", "on", *game)
        script.says("Dan", "watch", "--once", "--answer")
    script.says("Dan", "witness")


def _plays_in_a_page(script: TextScript) -> None:
    """Mails with a page to play in, and one whose turn is too long for a link and for its own
    text."""
    mails = script.folder / "mails"
    invitation = script.players["Cleo"].does("new", "tripoli", "--web", PAGE)["file"]
    joined = script.players["Dan"].does("join", invitation)["file"]
    turn = "event thomas jefferson; 3 gibraltar > tripoli zone; done"
    written = [invitation, script.players["Cleo"].does("play", joined, turn)["file"]]
    with patch.object(compose, "MAX_MAIL", 10_000):
        written.append(script.players["Cleo"].does("new", "loot", "--web", PAGE)["file"])
    for file in written:
        script.reads((mails / file).with_suffix(".eml"))
    script.says("Cleo", "new", "tripoli-solitaire", "--option", "unwitnessed")
    script.says("Cleo", "show", "tri")
    script.says("Cleo", "inbox")


def _odd_files(script: TextScript) -> None:
    """What comes by mail and is no turn, or not all of one."""
    mails = script.folder / "mails"
    odd, turn = mails / "odd", (mails / script.running).read_bytes()
    odd.mkdir()
    link = turn_link(PAGE, bytes(32), turnfile.read(turn))
    found = {
        "picture.png": b"\x89PNG\r\n\x1a\n",
        "page.html": b"<!doctype html><html><body>hi</body></html>",
        "letter.txt": b"Dear Cleo,\nit is your turn.\n",
        "zeros.toml": bytes(5000),
        "armor.txt": armor.wrap(turn).replace("A", "!").encode(),
        "link.txt": link[: len(link) // 2].encode(),
        "service.eml": b"Subject: pbem\n\nhttps://protect-eu.mimecast.com/s/AbCdEfGhIjKl\n",
        "yenc.eml": b"Subject: pbem\n\n=ybegin line=128 size=9 name=x.toml\n",
        "lost.eml": f"From: ann@example.org\nX-PBEM-Game: {'0' * 64} 1\n\nhello\n".encode(),
        "middle.toml": turn[:-300],
        "line.toml": turn[: turn.rindex(b"\n", 0, -300) - 3],
        "cut.toml": turn[:9],
    }
    for name, data in found.items():
        (odd / name).write_bytes(data)
    script.says("Cleo", "inbox", "odd")
    for name in found:
        script.says("Cleo", "show", f"odd/{name}")
