"""Sending and fetching against real servers on the loopback."""

from __future__ import annotations

import imaplib
import json
import os
import re
import shutil
import smtplib
import socket
import ssl
import sys
import threading
import types
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from pbem.cli import inbox, mail
from pbem.errors import Refused, Usage, parts
from pbem.home import game_index
from pbem.home.home import Home
from pbem.mail import fetch as fetching
from pbem.mail import server_errors, settings, transport
from pbem.mail.server import Server
from pbem.turn import named_file, outgoing, signing
from tests.support.mail_kit import Played, attachment, mail_of, make_home, parsed, start
from tests.support.mail_servers import (
    HOST,
    PASSWORD,
    USER,
    certificate,
    dovecot,
    free_port,
    smtp_server,
)

pytestmark = [  # raised inside the server, they would only stop its answer
    pytest.mark.filterwarnings("ignore::UserWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]
NEEDS_DOVECOT = pytest.mark.skipif(
    not shutil.which("dovecot", path=os.environ.get("PATH", "") + ":/usr/sbin"),
    reason="dovecot is not installed",
)


def printing(text: str) -> list[str]:
    """A command that prints this: asked for each password, so the smallest there is."""
    return ["echo", text] if os.name == "posix" else [sys.executable, "-c", f"print({text!r})"]


COMMAND, NO_COMMAND = printing(PASSWORD), printing("wrong")


def write_settings(
    home: Home, kind: str, port: int, security: str, cert: Path, command: list[str] = COMMAND
) -> None:
    (home.folder / "mail.toml").write_text(
        f"[{kind}]\nhost = '{HOST}'\nport = {port}\nsecurity = '{security}'\nuser = '{USER}'\n"
        f"ca-file = '{cert}'\npassword-command = {command!r}\n"
    )


@pytest.mark.parametrize("security", ["starttls", "tls"])
def test_a_server_takes_the_draft(tmp_path: Path, security: str) -> None:
    game = start(tmp_path / "game")
    ben = game.homes["tripolitan"]
    written = signing.write_turn(game.newest, tmp_path, ben)
    assert written.mail is not None
    with smtp_server(tmp_path, security) as (port, letters, cert):
        write_settings(ben, "send", port, security, cert)
        assert mail.send(ben, written.mail) == (["ann@example.org"], "")
        short = game_index.short_name(written.game)
        assert mail.send(ben, Path(short)) == (["ann@example.org"], "")
        write_settings(ben, "send", port, security, cert, NO_COMMAND)
        with pytest.raises(Refused, match="password"):
            mail.send(ben, written.mail)
        write_settings(ben, "send", port, security, tmp_path / "key.pem")
        with pytest.raises((Usage, Refused)):
            mail.send(ben, written.mail)
        letters.refuse.add("ann@example.org")
        write_settings(ben, "send", port, security, cert)
        with pytest.raises(Refused, match="ann@example"):
            mail.send(ben, written.mail)
    assert len(letters.taken) == 2
    for sender, to, content in letters.taken:
        assert (sender, to) == ("ben@example.org", ["ann@example.org"])
        message = parsed(content)
        assert message["X-Unsent"] is None
        assert attachment(message) == game.newest
    own = parsed(written.mail.read_bytes())["Message-ID"]
    assert [parsed(content)["Message-ID"] == own for _, _, content in letters.taken] == [
        True,
        False,
    ]


def test_an_untrusted_server_gets_no_password(tmp_path: Path) -> None:
    game = start(tmp_path / "game")
    ben = game.homes["tripolitan"]
    other = tmp_path / "other"
    other.mkdir()
    with (
        smtp_server(tmp_path, "starttls") as (port, letters, _),
        smtp_server(other, "tls") as (_, _, wrong),
    ):
        write_settings(ben, "send", port, "starttls", wrong)
        with pytest.raises(Refused, match="certificate"):
            mail.send(ben, Path(signing.write_turn(game.newest, tmp_path, ben).mail or ""))
    assert letters.taken == []


def test_an_interrupt_while_a_mail_is_sent_stays_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever goes on with it would never know that it was to end, as a watcher that is sent
    SIGTERM."""

    def interrupted(smtp: smtplib.SMTP, _message: object) -> None:
        smtp.putcmd("data")
        raise KeyboardInterrupt

    game = start(tmp_path / "game")
    ben = game.homes["tripolitan"]
    written = signing.write_turn(game.newest, tmp_path, ben)
    assert written.mail is not None
    with smtp_server(tmp_path, "tls") as (port, letters, cert):
        write_settings(ben, "send", port, "tls", cert)
        monkeypatch.setattr(smtplib.SMTP, "data", interrupted)
        with pytest.raises(KeyboardInterrupt):
            mail.send(ben, written.mail)
        assert letters.taken == []


def test_a_mail_that_was_taken_is_sent_however_the_server_says_goodbye(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = start(tmp_path / "game")
    ben = game.homes["tripolitan"]
    written = signing.write_turn(game.newest, tmp_path, ben)
    assert written.mail is not None
    docmd = smtplib.SMTP.docmd

    def spoken(smtp: smtplib.SMTP, what: str, more: str = "") -> tuple[int, bytes]:
        return docmd(smtp, "NONSENSE" if what.upper() == "QUIT" else what, more)

    monkeypatch.setattr(smtplib.SMTP, "docmd", spoken)
    with smtp_server(tmp_path, "tls") as (port, letters, cert):
        write_settings(ben, "send", port, "tls", cert)
        assert mail.send(ben, written.mail) == (["ann@example.org"], "")
        assert len(letters.taken) == 1


def test_a_program_takes_the_draft(tmp_path: Path) -> None:
    game = start(tmp_path / "game")
    ben = game.homes["tripolitan"]
    program = tmp_path / "my-mailer"
    program.write_text(f"#!/bin/sh\ncat > {tmp_path}/taken\necho rejected >&2\nexit ${{1:-0}}\n")
    program.chmod(0o755)
    (ben.folder / "mail.toml").write_text(f"[send]\nprogram = ['{program}']\n")
    written = signing.write_turn(game.newest, tmp_path, ben)
    assert written.mail is not None
    mail.send(ben, written.mail)
    taken = (tmp_path / "taken").read_bytes()
    assert b"\r\n" not in taken
    assert b"To: Ann <ann@example.org>" in taken
    assert b"X-Unsent" not in taken
    assert attachment(parsed(taken)) == game.newest
    (ben.folder / "mail.toml").write_text(f"[send]\nprogram = ['{program}', '75']\n")
    with pytest.raises(Refused, match="rejected"):
        mail.send(ben, written.mail)


def test_what_cannot_be_sent(played: Played, tmp_path: Path) -> None:
    loner = make_home(tmp_path / "eve", "Eve", "")
    with pytest.raises(transport.NotSetUp):
        transport.way_of(settings.read(loner)).send(transport.letter_of(mail_of(played.newest)))
    with pytest.raises(Usage) as caught:
        mail.fetch(loner)
    assert caught.value.where == "mail.toml" and "[fetch]" in str(caught.value)
    path = tmp_path / "turn.toml"
    path.write_bytes(played.newest)
    other = next(home for seat, home in played.homes.items() if seat == played.to_act())
    with pytest.raises(Refused, match="not yours"):
        outgoing.outgoing_of(other, named_file.find(path, other).turn)
    game = start(tmp_path / "game", mails=("", ""))
    with pytest.raises(transport.NoAddress):
        transport.letter_of(mail_of(game.newest))


def test_the_keyring_is_asked_and_nothing_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, str]] = []

    def get_password(service: str, user: str) -> str | None:
        asked.append((service, user))
        return PASSWORD if len(asked) == 1 else None

    monkeypatch.setitem(sys.modules, "keyring", types.SimpleNamespace(get_password=get_password))
    game = start(tmp_path / "game")
    ben = game.homes["tripolitan"]
    written = signing.write_turn(game.newest, tmp_path, ben)
    with smtp_server(tmp_path, "tls") as (port, letters, cert):
        write_settings(ben, "send", port, "tls", cert, [])
        mail.send(ben, Path(written.mail or ""))
        with pytest.raises(Refused):
            mail.send(ben, Path(written.mail or ""))
    assert asked[0] == (f"pbem {HOST}", USER)
    assert len(letters.taken) == 1
    for path in ben.folder.rglob("*"):
        assert not path.is_file() or PASSWORD.encode() not in path.read_bytes()


@pytest.fixture
def file_keyring(tmp_path: Path) -> Iterator[Any]:
    """The library `keyring` with a backend of its own, which keeps passwords in a file outside of
    every home."""
    keyring = pytest.importorskip(
        "keyring", reason="the library keyring is not installed: pip install pbem[keyring]"
    )
    backend: Any = pytest.importorskip("keyring.backend")

    class InOneFile(backend.KeyringBackend):  # type: ignore[misc]
        priority = 1
        path = tmp_path / "kept" / "passwords.json"

        def _all(self) -> dict[str, str]:
            return dict(json.loads(self.path.read_text())) if self.path.exists() else {}

        def get_password(self, service: str, username: str) -> str | None:
            return self._all().get(f"{service}/{username}")

        def set_password(self, service: str, username: str, password: str) -> None:
            self.path.parent.mkdir(exist_ok=True)
            self.path.write_text(json.dumps({**self._all(), f"{service}/{username}": password}))

    before = keyring.get_keyring()
    keyring.set_keyring(InOneFile())
    yield keyring
    keyring.set_keyring(before)


@pytest.mark.parametrize("security", ["starttls", "tls"])
def test_a_real_keyring_opens_a_real_server(
    tmp_path: Path, file_keyring: Any, security: str
) -> None:
    game = start(tmp_path / "game")
    ben = game.homes["tripolitan"]
    written = signing.write_turn(game.newest, tmp_path, ben)
    assert written.mail is not None
    with smtp_server(tmp_path, security) as (port, letters, cert):
        write_settings(ben, "send", port, security, cert, [])
        with pytest.raises(Refused, match=r'keyring set "pbem 127\.0\.0\.1" ann'):
            mail.send(ben, written.mail)
        file_keyring.set_password(f"pbem {HOST}", USER, "of another time")
        with pytest.raises(Refused, match="password"):
            mail.send(ben, written.mail)
        file_keyring.set_password(f"pbem {HOST}", USER, PASSWORD)
        assert mail.send(ben, written.mail) == (["ann@example.org"], "")
    assert len(letters.taken) == 1
    assert not any(
        PASSWORD.encode() in path.read_bytes() for path in ben.folder.rglob("*") if path.is_file()
    )


def test_a_machine_without_a_keyring_is_told_what_else_there_is(
    tmp_path: Path, file_keyring: Any
) -> None:
    file_keyring.set_keyring(pytest.importorskip("keyring.backends.fail").Keyring())
    server = Server(HOST, 25, "tls", USER, (), None, "INBOX", 90)
    with pytest.raises(Refused, match=r"keyring.*password-command"):
        server.password()


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("inbox = 'x'", "inbox"),
        ("colour = 1", "colour"),
        ("[send]\nhost = 'smtp.example.org'\nsecurity = 'none'", "send.security"),
        ("[send]\nhost = '127.0.0.1.example.org'\nsecurity = 'none'", "send.security"),
        ("[send]\nhost = '-x'", "send.host"),
        ("[send]\nhost = 'a'\npassword = 'x'", "send.password"),
        ("[fetch]\nhost = 'a'\nport = 0", "fetch.port"),
        ("[fetch]\nhost = 'a'\nfolder = \"a\\nb\"", "fetch.folder"),
        ("[send", "TOML"),
    ],
)
def test_wrong_settings_are_named(tmp_path: Path, text: str, wrong: str) -> None:
    home = make_home(tmp_path / "home")
    (home.folder / "mail.toml").write_text(text)
    with pytest.raises(Usage, match=wrong):
        settings.read(home)


@NEEDS_DOVECOT
def test_dovecot_gives_the_mails(played: Played, tmp_path: Path) -> None:
    home = make_home(tmp_path / "eve", "Eve", "")
    with dovecot() as (plain, tls, cert, mails):
        for number, data in enumerate(
            (mail_of(played.files[0]), b"Subject: hello\r\n\r\nno turn\r\n")
        ):
            (mails / "new" / f"{number}.host").write_bytes(data)
        write_settings(home, "fetch", plain, "starttls", cert)
        written, looked = mail.fetch(home)[:2]
        assert (len(written), looked) == (1, 2)
        assert attachment(parsed(written[0].read_bytes())) == played.files[0]
        assert mail.fetch(home)[:2] == ([], 0)
        facts, _, code = inbox.look(home, [])
        assert code == 0
        assert facts.games[0].yours
        assert not any("S" in path.name.rpartition(",")[2] for path in (mails / "cur").iterdir())
        (mails / "new" / "2.host").write_bytes(mail_of(played.files[1]))
        assert len(mail.fetch(home)[0]) == 1
        write_settings(home, "fetch", tls, "tls", cert)
        assert len(mail.fetch(home)[0]) == 1, "of another account, and one turn is here"
        with (home.folder / "mail.toml").open("a") as file:
            file.write("folder = 'No \"such'\n")
        with pytest.raises(Refused, match="no folder"):
            mail.fetch(home)
        write_settings(home, "fetch", tls, "tls", cert, NO_COMMAND)
        # last: whoever comes after it has to wait
        with pytest.raises(Refused, match=r"(?i)authentication"):
            mail.fetch(home)


@NEEDS_DOVECOT
def test_fetch_reads_all_and_looks_again_for_a_lost_turn(
    played: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = make_home(tmp_path / "eve", "Eve", "")
    monkeypatch.setattr(fetching, "_AT_ONCE", 3)
    stripped = re.sub(
        rb"(?s)\r\n\r\n.*",
        b"\r\n\r\ntaken out\r\n",
        mail_of(played.files[2]).replace(b"multipart/mixed", b"text/plain"),
    )
    told: list[tuple[int, int]] = []
    with dovecot() as (_, tls, cert, mails):
        write_settings(home, "fetch", tls, "tls", cert)
        for number in range(8):
            (mails / "new" / f"{number}.host").write_bytes(b"Subject: hello\r\n\r\nno turn\r\n")
        (mails / "new" / "8.host").write_bytes(mail_of(played.files[0]))
        (mails / "new" / "9.host").write_bytes(stripped)
        written, looked = mail.fetch(home, lambda done, total: told.append((done, total)))[:2]
        assert (len(written), looked) == (2, 10)
        assert [done for done, _ in told] == list(range(1, 11)) and told[-1] == (10, 10)
        (item,) = [file for file in inbox.look(home, [])[0].files if file.kind == "lost"]
        assert item.entry == 2
        # looked at again, and told by the inbox until its turn is here
        assert mail.fetch(home)[:2] == ([], 1)
        fetched = json.loads((home.folder / "inbox" / "fetched.json").read_text())
        assert [len(account["again"]) for account in fetched.values()] == [1]
        (tmp_path / "turn.toml").write_bytes(played.files[2])
        (home.folder / "identity.pem").unlink()
        (home.folder / "player.toml").unlink()
        identity = next(iter(played.homes.values())).identity()
        home.create("Ann", "", identity.seed, "")
        inbox.look(home, [tmp_path / "turn.toml"], "")
        assert mail.fetch(home)[:2] == ([], 1)
        assert mail.fetch(home)[:2] == ([], 0)
        (mails / "new" / "10.host").write_bytes(
            stripped.replace(b" 2\r\n", b" 7\r\n") + b"spam\r\n" * 50_000
        )
        assert [len(mails) for mails in (mail.fetch(home)[0], mail.fetch(home)[0])] == [1, 0]
        assert mail.fetch(home)[:2] == ([], 0), (
            "a long one is told by the inbox, and not loaded with every fetch"
        )


def test_what_stands_between_here_and_a_server_is_said_in_words(tmp_path: Path) -> None:
    game = start(tmp_path / "game")
    ben = game.homes["tripolitan"]
    draft = Path(signing.write_turn(game.newest, tmp_path, ben).mail or "")
    with smtp_server(tmp_path, "starttls") as (port, letters, cert):
        write_settings(ben, "send", port, "tls", cert)
        with pytest.raises(Refused) as caught:
            mail.send(ben, draft)
        assert 'security = "starttls"' in str(caught.value)
        write_settings(ben, "send", free_port(), "tls", cert)
        with pytest.raises(Refused) as caught:
            mail.send(ben, draft)
        assert "check port" in str(caught.value)
        write_settings(ben, "send", port, "starttls", cert, NO_COMMAND)
        with pytest.raises(Refused, match="password"):
            mail.send(ben, draft)
    assert letters.taken == []


@contextmanager
def line_server(folder: Path, lines: dict[str, str], *, days: float = 1) -> Iterator[int]:
    """A server under TLS that greets, and answers each command by its first word; its certificate
    is valid for so many days."""
    cert, key = certificate(folder, days)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    listener = socket.create_server((HOST, 0))

    def serve() -> None:
        with suppress(OSError):
            while True:
                plain, _ = listener.accept()
                with suppress(OSError), context.wrap_socket(plain, server_side=True) as connection:
                    connection.sendall(lines[""].encode())
                    for line in connection.makefile("rb"):
                        words = line.decode().split()
                        tag, word = (
                            (words[0], words[1]) if "CAPABILITY" in lines else ("", words[0])
                        )
                        connection.sendall(
                            lines.get(word.upper(), "{} NO\r\n").format(tag).encode()
                        )

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield listener.getsockname()[1]
    finally:
        with suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)
        listener.close()


OAUTH_ALONE = {
    "": "* OK hello\r\n",
    "CAPABILITY": "* CAPABILITY IMAP4rev1 LOGINDISABLED AUTH=XOAUTH2\r\n{} OK done\r\n",
}
SMTP_ANSWERS = {
    "oauth": ({"EHLO": "250-hello\r\n250 AUTH XOAUTH2\r\n"}, server_errors._OAUTH),
    "no auth": ({"EHLO": "250 hello\r\n"}, server_errors._NO_AUTH),
}


@pytest.mark.parametrize("what", SMTP_ANSWERS)
def test_a_server_without_a_sign_in_by_password_says_what_else_there_is(
    tmp_path: Path, what: str
) -> None:
    game = start(tmp_path / "game")
    ben = game.homes["tripolitan"]
    draft = Path(signing.write_turn(game.newest, tmp_path, ben).mail or "")
    answers, hint = SMTP_ANSWERS[what]
    with line_server(tmp_path, {"": "220 hello\r\n", **answers}) as port:
        write_settings(ben, "send", port, "tls", tmp_path / "cert.pem")
        with pytest.raises(Refused) as caught:
            mail.send(ben, draft)
    assert caught.value.hint[1:] == parts(hint)


def test_an_imap_server_that_takes_oauth_alone_says_what_else_there_is(tmp_path: Path) -> None:
    home = make_home(tmp_path / "eve", "Eve", "")
    with line_server(tmp_path, OAUTH_ALONE) as port:
        write_settings(home, "fetch", port, "tls", tmp_path / "cert.pem")
        with pytest.raises(Refused, match="OAuth") as caught:
            mail.fetch(home)
    assert caught.value.hint == parts(server_errors._OAUTH)


def test_an_expired_certificate_is_no_wrong_name(tmp_path: Path) -> None:
    home = make_home(tmp_path / "eve", "Eve", "")
    with line_server(tmp_path, OAUTH_ALONE, days=-1) as port:
        write_settings(home, "fetch", port, "tls", tmp_path / "cert.pem")
        with pytest.raises(Refused, match="expired") as caught:
            mail.fetch(home)
    assert caught.value.hint == parts(server_errors._DATE)


@pytest.mark.parametrize("at", ["MAIL", "RCPT", "DATA"])
def test_after_a_refusal_for_now_the_inbox_names_the_address(tmp_path: Path, at: str) -> None:
    game = start(tmp_path / "game")
    ben = game.homes["tripolitan"]
    draft = Path(signing.write_turn(game.newest, tmp_path, ben).mail or "")
    answers = {
        "": "220 hello\r\n",
        "EHLO": "250 hello\r\n",
        "MAIL": "250 ok\r\n",
        "RCPT": "250 ok\r\n",
        "DATA": "354 go on\r\n",
        "RSET": "250 ok\r\n",
        "QUIT": "221 bye\r\n",
        at: "451 4.7.1 greylisted\r\n",
    }
    with line_server(tmp_path, answers) as port:
        write_settings(ben, "send", port, "tls", tmp_path / "cert.pem")
        path = ben.folder / "mail.toml"
        path.write_text(re.sub(r"user = .*\n", "", path.read_text()))
        with pytest.raises(Refused, match=r"ann@example\.org.* 451") as caught:
            mail.send(ben, draft)
    assert "later" in str(caught.value)
    (listed,) = inbox.look(ben, [])[0].games
    assert listed.not_sent and listed.not_taken == ["ann@example.org"]


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (socket.gaierror(-2, "Name or service not known"), "no server imap.example.org"),
        (TimeoutError("timed out"), "does not answer on port 993"),
        (imaplib.IMAP4.abort("socket error: EOF"), "closed the connection"),
        (
            imaplib.IMAP4.error("STARTTLS extension not supported by server"),
            'no STARTTLS.*security = "tls"',
        ),
        (
            smtplib.SMTPNotSupportedError("STARTTLS extension not supported by server."),
            "no STARTTLS",
        ),
        (
            server_errors.LoginError("b'[AUTHENTICATIONFAILED] Authentication\x1b failed.'"),
            "made for programs",
        ),
        (ConnectionResetError(104, "Connection reset by peer"), "closed the connection"),
        (
            smtplib.SMTPAuthenticationError(535, b"5.7.139 Authentication unsuccessful, basic"),
            "no password, only.*OAuth.*app password",
        ),
        (server_errors.LoginError("it offers OAuth alone"), "no password, only.*OAuth.*a Maildir"),
        (
            smtplib.SMTPException("No suitable authentication method found."),
            "no sign-in by user and password.*a password for programs",
        ),
        (
            smtplib.SMTPNotSupportedError("SMTP AUTH extension not supported by server."),
            "offers no sign-in on port 993.*587.*465",
        ),
        (ValueError("odd"), "imap.example.org: odd"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_every_failure_has_a_hint(error: Exception, words: str) -> None:
    server = Server("imap.example.org", 993, "tls", USER, (), None, "INBOX", 90)
    told = str(server_errors.in_words(error, server))
    assert re.search(words, told)
    assert "(hint: " in told and "\x1b" not in told
