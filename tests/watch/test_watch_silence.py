"""A watcher that is silent is noticed: by the lists of games, by whoever is told why it ended, by
systemd, and by a service that rings when it hears nothing."""

from __future__ import annotations

import http.server
import os
import re
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from examples.correspondence import Player
from pbem.errors import Refused
from pbem.home import clock, heartbeat
from pbem.home.home import KEY_FILE, Home
from pbem.table import home_page
from pbem.turn import joining
from pbem.watch import intake, news, watcher
from pbem.watch.alive import end_is_announced
from pbem.watch.watcher import Round, Watcher
from tests.support import starter
from tests.support.effort import PATIENCE
from tests.support.homes import make_home
from tests.support.mail_servers import HOST, USER, certificate, free_port
from tests.support.rights import open_to_all
from tests.support.watch_kit import tripoli

SILENT = re.compile(r"pbem watch --answer .*?(\d+) days")
"""For how many days nobody has looked, in what is said of it."""


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """Ann's home, with a game in which nobody has joined, and a way to send."""
    home = make_home(tmp_path / "home", "Ann")
    (home.folder / "mail.toml").write_text('[send]\nprogram = ["true"]\n')
    joining.invite(home, joining.NewGame("tripoli"))
    return home


@pytest.fixture
def ann(home: Home, tmp_path: Path) -> Player:
    return Player("Ann", home.folder, tmp_path, in_process=True)


class Days:
    """The system's time, some days later; no clock was set meanwhile."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.later, true, steady = 0.0, time.time, clock.steady
        monkeypatch.setattr(clock, "steady", lambda: steady() + self.later)
        monkeypatch.setattr(time, "time", lambda: true() + self.later)

    def pass_by(self, days: float) -> None:
        self.later += days * heartbeat.DAY


@pytest.fixture
def days(monkeypatch: pytest.MonkeyPatch) -> Days:
    return Days(monkeypatch)


# ---- the lists of games --------------------------------------------------------------------------


def silence(ann: Player) -> str:
    """What inbox, auto and the table say, each the same."""
    said: str = ann.does("inbox")["silence"]
    assert ann.does("auto")["silence"] == said == home_page.page(Home(ann.home)).silence
    for command in ("inbox", "auto"):
        assert (said in ann.types(command)[1]) is bool(said) or not said
    return said


def test_the_lists_say_when_nobody_looks_though_turns_write_themselves(
    ann: Player, days: Days
) -> None:
    assert silence(ann) == "", "nothing writes itself"
    ann.types("auto", "on")
    never = silence(ann)
    assert "pbem watch --answer" in never
    ann.types("watch", "--once")
    assert silence(ann) == never, "that one writes nothing"
    ann.types("watch", "--once", "--answer")
    assert silence(ann) == ""
    days.pass_by(0.9)
    assert silence(ann) == ""
    days.pass_by(20.2)
    assert SILENT.findall(silence(ann)) == ["21"] and "\n" not in silence(ann)
    ann.types("auto", "off")
    assert silence(ann) == ""
    ann.types("auto", "on")
    ann.types("watch", "--once", "--answer")
    assert silence(ann) == ""
    days.pass_by(2)
    assert SILENT.findall(silence(ann)) == ["2"], "the long silence before was no round"


def test_a_job_that_looks_once_a_week_is_not_silent_on_the_second_day(
    ann: Player, days: Days
) -> None:
    ann.types("auto", "on")
    for _ in range(4):
        ann.types("watch", "--once", "--answer")
        days.pass_by(7)
    days.pass_by(13)
    assert silence(ann) == ""
    days.pass_by(2)
    assert SILENT.findall(silence(ann)) == ["22"]
    days.pass_by(-300)
    assert "pbem watch --answer" in silence(ann) and not SILENT.search(silence(ann)), (
        "in the future"
    )


def test_the_heartbeat_has_looks_servers_and_the_turn_sent_last(tmp_path: Path) -> None:
    stage, data = tripoli(tmp_path)
    data, who = stage.to_a_proof(data)
    who.receive(data)
    (sent,) = who.look().sent
    who.restart()
    beat = heartbeat.read(who.home.folder)
    assert (
        beat.sent is not None
        and beat.sent[:2] == (sent.game, sent.entry)
        and beat.answered == beat.looked > 0
    )
    (who.home.folder / "watch" / "heartbeat.json").write_text("{")
    assert heartbeat.read(who.home.folder) == heartbeat.Heartbeat(), "a damaged one begins anew"


# ---- what ends it is told ------------------------------------------------------------------------


def notified(home: Home) -> Path:
    """The file to which whatever is told of this home is written, a line each."""
    told = home.folder.parent / "notified"
    told.touch()
    path = home.folder / "mail.toml"
    path.write_text(
        f'notify = ["sh", "-c", "echo \\"$0 ${{NOTIFY_SOCKET-}}\\" >> {told}", "{{text}}"]\n'
    )
    return told


def test_a_watcher_that_cannot_start_tells_why_once_a_day(
    home: Home, ann: Player, days: Days
) -> None:
    told = notified(home)
    (home.folder / KEY_FILE).write_text("no key")
    for _ in range(3):
        assert ann.types("watch", "--answer")[0] == 2
    (line,) = told.read_text().splitlines()
    assert KEY_FILE in line
    days.pass_by(1.01)
    ann.types("watch", "--answer")
    assert told.read_text().splitlines() == [line, line]


def test_a_second_watcher_tells_it_and_a_job_that_looks_now_and_then_does_not(
    home: Home, ann: Player
) -> None:
    told = notified(home)
    first = Watcher(home, answers=False)
    assert ann.types("watch", "--once")[0] == 1 and told.read_text() == ""
    assert ann.types("watch")[0] == 1 and len(told.read_text().splitlines()) == 1
    first.close()


@pytest.mark.parametrize("cause", ["gone", "another", "lock"])
def test_a_home_that_was_taken_away_is_told_as_that(home: Home, cause: str) -> None:
    told, watching = notified(home), Watcher(home, answers=False)

    def take_away(_done: Round) -> None:
        if cause == "lock":
            (home.folder / "watch" / "lock").unlink()
        else:
            home.folder.rename(home.folder.with_name("elsewhere"))
        if cause == "another":
            make_home(home.folder, "Ben")
        watching.wake("files")

    with pytest.raises(Refused) as found, end_is_announced(home):
        watching.run(take_away)
    watching.close()
    (line,) = told.read_text().splitlines()
    assert news.plain(found.value.what) in line
    assert (
        (str(home.folder) in found.value.what)
        is ("PBEM_HOME" in str(found.value))
        is (cause != "lock")
    )
    assert home.folder.exists() is (cause != "gone"), "nothing makes it anew"


def test_a_mail_toml_that_breaks_does_not_silence_the_watcher(home: Home) -> None:
    told, watching = notified(home), Watcher(home, answers=False)
    watching.round()
    (home.folder / "mail.toml").write_text("notify = [")
    watching.finish(watching.round())
    watching.close()
    assert "mail.toml" in told.read_text()


def test_a_mistake_of_pbem_itself_leaves_its_traceback(
    home: Home, ann: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_given: object) -> None:
        raise ZeroDivisionError("by\nzero")

    told = notified(home)
    monkeypatch.setattr(intake, "events", broken)
    for _ in range(2):
        code, out, _ = ann.types("watch", "--once")
        (path,) = home.folder.glob("watch/error-*.txt")
        assert code == 2 and "ZeroDivisionError" in out and str(path) in out
    assert "in broken\n" in path.read_text() and "ZeroDivisionError: by\nzero" in path.read_text()
    assert path.stat().st_mode & 0o777 == 0o600 and path.name in told.read_text()
    monkeypatch.setattr(watcher.Watcher, "_wait_on", broken)
    code, out, err = ann.types("watch")
    ended = set(home.folder.glob("watch/error-*.txt")) - {path}
    assert code == 1 and "Traceback" not in err and str(ended.pop()) in err
    assert len(told.read_text().splitlines()) == 2


# ---- systemd -------------------------------------------------------------------------------------


def test_systemd_is_told_what_it_waits_for_and_programs_it_starts_are_not(home: Home) -> None:
    told, path = notified(home), home.folder / "mail.toml"
    with (
        open_to_all() as folder,
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager,
    ):
        address = f"{folder}/notify"
        manager.bind(address)
        manager.settimeout(PATIENCE)
        path.write_text(f'inbox = ["{home.folder}/none"]\n{path.read_text()}')
        process = starter.start(
            ["-m", "pbem", "watch"],
            env={**os.environ, "PBEM_HOME": str(home.folder), "NOTIFY_SOCKET": address},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert [manager.recv(100) for _ in range(2)] == [b"READY=1", b"WATCHDOG=1"]
        assert process.stdout is not None and process.stdout.readline().startswith(
            "watching for Ann"
        )
        assert "none" in process.stdout.readline(), "a look is over"
        process.terminate()
        process.communicate(timeout=PATIENCE)
        said = [manager.recv(100)]
        while said[-1] != b"STOPPING=1":
            said.append(manager.recv(100))
    until = time.monotonic() + PATIENCE
    while not told.read_text() and time.monotonic() < until:
        time.sleep(0.05)
    assert "missing" in told.read_text() and "notify" not in told.read_text()


# ---- a service that rings ------------------------------------------------------------------------


@contextmanager
def service(folder: Path, status: int = 200) -> Iterator[tuple[str, list[str]]]:
    """Its address, and whatever it is sent: the first line and the headers, which name no
    content."""
    asked: list[str] = []

    class Answer(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(f"{self.requestline}\n{self.headers}")
            self.send_response(status)
            self.send_header("Location", "/elsewhere")
            self.end_headers()

        def log_message(self, *_given: object) -> None:
            return

    cert, key = certificate(folder)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    server = http.server.ThreadingHTTPServer((HOST, 0), Answer)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"https://{HOST}:{server.server_address[1]}/ring/5ecret?a=b", asked
    finally:
        server.shutdown()
        server.server_close()


def beats(home: Home, address: str, rest: str = "") -> None:
    (home.folder / "mail.toml").write_text(f'heartbeat = "{address}"\n{rest}')


def test_a_service_is_asked_after_a_look_in_which_all_is_well(
    home: Home, ann: Player, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "cert.pem"))
    with service(tmp_path) as (address, asked):
        beats(home, address)
        assert ann.types("watch", "--once")[:2] == (0, "nothing new\n")
        (one,) = asked
        names = {line.partition(":")[0] for line in one.splitlines()[1:] if line}
        assert one.startswith("GET /ring/5ecret?a=b HTTP/1.1\n") and names == {
            "Host",
            "Accept-Encoding",
        }
        watching = Watcher(Home(home.folder), answers=False)
        for _ in range(2):
            watching.round()
        watching.finish(watching.round())
        watching.close()
        assert len(asked) == 2, "once a minute at most"
        unreachable = (
            f"[fetch]\nhost = '{HOST}'\nport = {free_port()}\nuser = '{USER}'\npassword-command ="
            " ['echo', 'x']\n"
        )
        beats(home, address, unreachable)
        assert ann.types("watch", "--once")[0] == 2 and len(asked) == 2, "a server does not answer"
        beats(home, address, 'inbox = ["/nowhere"]\n')
        assert ann.types("watch", "--once")[0] == 2 and len(asked) == 3, (
            "a place that is gone is no server"
        )


def test_a_redirection_is_not_followed_and_the_address_stays_a_secret(
    home: Home, ann: Player, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "cert.pem"))
    with service(tmp_path, 302) as (address, asked):
        beats(home, address)
        code, out, _ = ann.types("watch", "--once")
        assert code == 2 and HOST in out and "302" in out
        assert len(asked) == 1 and "5ecret" not in out
    monkeypatch.delenv("SSL_CERT_FILE")
    with service(tmp_path) as (address, asked):
        beats(home, address)
        code, out, _ = ann.types("watch", "--once")
        assert code == 2 and HOST in out and asked == [], "a certificate that nobody vouches for"


def test_no_service_is_asked_as_long_as_something_due_is_unsent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, days: Days
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "cert.pem"))
    stage, data = tripoli(tmp_path)
    data, who = stage.to_a_proof(data)
    who.receive(data)
    path = who.home.folder / "mail.toml"
    before = path.read_text()
    player = Player(who.name, who.home.folder, tmp_path, in_process=True)
    with service(tmp_path) as (address, asked):
        path.write_text(
            f'heartbeat = "{address}"\ninbox = ["{who.maildir}"]\n[send]\nprogram = ["false"]\n'
        )
        assert player.types("watch", "--once", "--answer")[0] == 2 and asked == []
        path.write_text(f'heartbeat = "{address}"\n{before}')
        days.pass_by(0.01)
        assert player.types("watch", "--once", "--answer")[0] == 0 and len(asked) == 1


@pytest.mark.parametrize(
    "wrong",
    [
        "http://ring.example.org/1",
        "https://",
        "https://ann:x@ring.example.org/",
        "https://a b/",
        "https://a:x/",
    ],
)
def test_no_other_address_is_taken(ann: Player, home: Home, wrong: str) -> None:
    beats(home, wrong)
    code, out, _ = ann.types("watch", "--once")
    assert code == 2 and "heartbeat" in out and "https" in out
