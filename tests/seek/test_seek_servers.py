"""Lists of seeks on a web server, honest and not, and the seeks that a mailing list has sent into a
mail account; against servers on the loopback."""

from __future__ import annotations

import http.server
import json
import os
import shlex
import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

import pytest

from examples.correspondence import Player
from pbem.errors import Refused, Usage
from pbem.home import clock
from pbem.mail import web_file
from tests.support.homes import make_home
from tests.support.mail_servers import (
    HOST,
    PASSWORD,
    USER,
    Letters,
    certificate,
    dovecot,
    fetch_settings,
    postfix,
    wait_until,
)

Answers = Mapping[str, tuple[int, str, bytes]]
"""By path: the status, where it leads, and what is served."""


@contextmanager
def served(folder: Path, answers: Answers) -> Iterator[tuple[str, list[str]]]:
    """The address of a server, and whatever it was sent."""
    asked: list[str] = []

    class Answer(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(f"{self.requestline}\n{self.headers}")
            status, leads, data = answers.get(self.path, (404, "", b""))
            self.send_response(status)
            if leads:
                self.send_header("Location", leads)
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_given: object) -> None:
            return

    cert, key = certificate(folder)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    server = http.server.ThreadingHTTPServer((HOST, 0), Answer)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"https://{HOST}:{server.server_address[1]}", asked
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture(autouse=True)
def trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "cert.pem"))


@pytest.fixture
def seek(tmp_path: Path) -> tuple[Player, dict[str, str]]:
    """Ben, and the seek that Ann has written."""
    (tmp_path / "club").mkdir()
    for name in ("Ann", "Ben"):
        make_home(tmp_path / name, name)
    ann, ben = (
        Player(name, tmp_path / name, tmp_path / "club", in_process=True) for name in ("Ann", "Ben")
    )
    return ben, ann.does("seek", "backgammon")


def they_play(ben: Player, invited: str) -> int:
    """Ann joins the game that answers her seek, and both write a turn; how many files there are."""
    ann = Player("Ann", ben.folder.parent / "Ann", ben.folder, in_process=True)
    written = ann.does("join", invited, "--no-mail")
    for _ in range(2):
        shown = ben.does("show", written["file"])
        names = {one["seat"]: one["name"] for one in shown["players"]}
        player = ann if names[written["to_act"]] == "Ann" else ben
        options = player.does("moves", written["file"])["options"]
        written = player.does("play", written["file"], *options[:1], "--no-mail")
    return len(list(ben.folder.glob("backgammon-*.toml")))


def test_a_list_on_the_web_is_looked_at_and_answered(
    seek: tuple[Player, dict[str, str]], tmp_path: Path
) -> None:
    ben, made = seek
    data = (ben.folder / made["file"]).read_bytes()
    with served(tmp_path, {"/club/seeks.txt?a=1": (200, "", data)}) as (address, asked):
        place = f"{address}/club/seeks.txt?a=1"
        (found,) = ben.does("seeks", place)["seeks"]
        assert (found["seek"], found["where"]) == (made["seek"], place)
        answering = ("seeks", place, "--answer", made["seek"][:8])
        told = ben.types("seeks", place)[1].splitlines()[-1]
        assert told == f"To invite Ann: pbem {shlex.join(answering)}"
        invited = ben.does(*answering)["file"]
    assert they_play(ben, invited) == 4
    (line, *headers) = asked[0].splitlines()
    assert line == "GET /club/seeks.txt?a=1 HTTP/1.1"
    names = {header.partition(":")[0].lower() for header in headers if header}
    assert names == {"host", "accept", "accept-encoding"}
    assert "Ben" not in "".join(asked) and "pbem" not in "".join(asked)


def test_nobody_is_led_elsewhere(tmp_path: Path) -> None:
    answers = {
        "/moved": (302, "/list", b""),
        "/list": (200, "", b"here"),
        "/away": (302, "https://127.0.0.2/list", b""),
        "/port": (307, f"https://{HOST}:1/list", b""),
        "/plain": (301, f"http://{HOST}/list", b""),
        "/user": (302, f"https://{HOST}@evil.example/\x1b[2J", b""),
        "/nowhere": (302, "", b""),
        "/round": (302, "/round", b""),
        "/broken": (500, "", b""),
        "/no-address": (302, "https://[x/", b""),
        "/half": (302, "//[", b""),
        "/bracket": (302, "https://a]b/", b""),
    }
    with served(tmp_path, answers) as (address, asked):
        assert web_file.fetch(f"{address}/moved") == b"here"
        for path in [*answers.keys() - {"/moved", "/list", "/round"}, "/gone"]:
            with pytest.raises(Refused) as refused:
                web_file.fetch(address + path)
            assert str(refused.value).isprintable(), path
        before = len(asked)
        with pytest.raises(Refused):
            web_file.fetch(f"{address}/round")
        assert len(asked) - before == web_file.MOST_MOVES + 1


def test_a_long_list_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_file, "MAX_MESSAGE", 10_000)
    with served(tmp_path, {"/": (200, "", b"#" * 10_001)}) as (address, _), pytest.raises(Refused):
        web_file.fetch(address)


@pytest.mark.parametrize("bound", [{"MOST_AROUND": 1_000, "MAX_MESSAGE": 1_000}, {"LONGEST": 1.0}])
def test_a_server_that_answers_without_end_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bound: dict[str, float]
) -> None:
    """It says again and again that it goes on, fast enough for any other bound."""
    for name, value in bound.items():
        monkeypatch.setattr(web_file, name, value)
    cert, key = certificate(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    with socket.create_server((HOST, 0)) as listening:

        def answers() -> None:
            with suppress(OSError), context.wrap_socket(listening.accept()[0], True) as one:
                while True:
                    one.sendall(b"HTTP/1.1 100 Continue\r\n\r\n" * 100)

        threading.Thread(target=answers, daemon=True).start()
        with pytest.raises(Refused, match="in time"):
            web_file.fetch(f"https://{HOST}:{listening.getsockname()[1]}/")


def test_a_server_that_is_not_trusted_is_not_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(tmp_path, {"/": (200, "", b"here")}) as (address, asked):
        monkeypatch.delenv("SSL_CERT_FILE")
        with pytest.raises(Refused):
            web_file.fetch(address)
        assert asked == []


def test_only_https(tmp_path: Path) -> None:
    assert web_file.address_in(Path("https://example.org/a")) == "https://example.org/a"
    assert web_file.address_in(tmp_path) == ""
    for wrong in ("https://a b/", "https://ann:x@example.org/", "https://a:x/"):
        with pytest.raises(Usage):
            web_file.address_in(Path(wrong))


@pytest.mark.skipif(
    not shutil.which("dovecot", path=os.environ.get("PATH", "") + ":/usr/sbin"),
    reason="dovecot is not installed",
)
@pytest.mark.parametrize("kind", ["text", "mail"])
def test_what_a_mailing_list_has_sent(seek: tuple[Player, dict[str, str]], kind: str) -> None:
    """Two strangers meet by a list on a real server, which keeps its mails as they are, and play:
    Ann has pasted the text of her seek, or sent the mail that was written with it."""
    ben, made = seek
    text = (ben.folder / made[kind]).read_text()
    with dovecot() as (_, tls, cert, mails):
        (ben.home / "mail.toml").write_text(fetch_settings(tls, cert, ("echo", PASSWORD)))
        for number in range(5):
            (mails / "new" / f"{number}.host").write_bytes(b"Subject: hello\r\n\r\nno seek\r\n")
        mail = f"List-Id: <club.example.org>\nSubject: A game?\n\n{text}-- \nThe club\n"
        if kind == "mail":
            mail = f"List-Id: <club.example.org>\n{text}"
        (mails / "new" / "9.host").write_bytes(mail.replace("\n", "\r\n").encode())
        (found,) = ben.does("seeks", "--fetch")["seeks"]
        assert found["seek"] == made["seek"] and HOST in found["where"]
        told = ben.types("seeks", "--fetch")[1].splitlines()[-1]
        assert told == f"To invite Ann: pbem seeks --fetch --answer {made['seek'][:8]}"
        answer = ben.does(*told.split()[4:])["file"]
        assert they_play(ben, answer) == 4
        assert len(list((mails / "new").iterdir()) + list((mails / "cur").iterdir())) == 6
    assert ben.types("seeks")[0] == 2


@pytest.mark.skipif(
    not Path("/usr/lib/postfix/sbin/master").exists()
    or os.getuid() != 0
    or not shutil.which("dovecot", path=os.environ.get("PATH", "") + ":/usr/sbin"),
    reason="postfix or dovecot is not installed, or this is not root, as postfix needs",
)
@pytest.mark.dear("starts two mail systems")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_two_strangers_meet_by_a_mailing_list_and_play_by_mail(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing goes from hand to hand: Ann's mail goes through a Postfix to the list, whose members
    have their mails in a Dovecot; Ben finds it there, and their game goes the same way."""
    monkeypatch.setattr(clock, "datetime", datetime)
    letters, people = Letters(), {}
    with dovecot("ann") as (_, tls, cert, bens), postfix(letters) as sendmail:
        letters.boxes = {
            "club@example.org": bens,
            "ben@example.org": bens,
            "ann@example.org": bens.parent / "ann",
        }
        for name, user in {"Ann": "ann", "Ben": USER}.items():
            home = make_home(tmp_path / name, name).folder
            (home / "mail.toml").write_text(
                fetch_settings(tls, cert, ("echo", PASSWORD), user)
                + f"[send]\nprogram = {json.dumps([*sendmail, '-t', '-i'])}\n"
            )
            (tmp_path / f"at-{name}").mkdir()
            people[name] = Player(name, home, tmp_path / f"at-{name}", in_process=True)
        ann, ben = people.values()

        def comes(to: str, number: int) -> None:
            box = letters.boxes[f"{to}@example.org"]
            wait_until(lambda: len([*box.glob("new/*"), *box.glob("cur/*")]) >= number)

        made = ann.does("seek", "backgammon")
        mail = (ann.folder / made["mail"]).read_bytes()
        subprocess.run([*sendmail, "-i", "club@example.org"], input=mail, check=True)
        comes("ben", 1)
        (found,) = ben.does("seeks", "--fetch")["seeks"]
        assert (found["seek"], found["name"]) == (made["seek"], "Ann")
        code, _, told = ben.types("seeks", "--fetch", "--answer", found["seek"][:8], "--send")
        assert code == 0 and "sent to ann@example.org" in told
        comes("ann", 1)
        (game,) = ann.does("fetch")["games"]
        short = game["short"]
        assert ann.types("join", short)[0] == 0 and ann.types("send", short)[0] == 0
        comes("ben", 2)
        for turn in range(3):
            who, other = ((ben, "ann"), (ann, "ben"))[turn % 2]
            shown = next(one for one in who.does("fetch")["games"] if one["short"] == short)
            assert shown["yours"], turn
            options = who.does("moves", short)["options"]
            who.does("play", short, *options[:1], "--yes")
            assert who.types("send", short)[0] == 0
            comes(other, 2 + turn // 2 + (other == "ben"))
        assert next(iter(ann.does("fetch")["games"]))["entry"] >= 4
