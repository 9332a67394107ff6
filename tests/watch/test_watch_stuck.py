"""One server, program or place that is stuck holds nothing else up: each answer, look and command
has a deadline, what a command prints is bounded, and what lies on this machine is looked at
first."""

from __future__ import annotations

import asyncio
import os
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from examples.correspondence import Player
from pbem.errors import Refused
from pbem.fileformat.turnfile import read
from pbem.home.home import Home
from pbem.mail import commands, deadline, fetch, settings, transport
from pbem.turn import game_list, joining
from pbem.watch import intake, sending
from pbem.watch.sending import Sending
from pbem.watch.watcher import Watcher
from tests.mail.test_mail_room import Account
from tests.mail.test_mail_servers import NEEDS_DOVECOT, write_settings
from tests.support.effort import PATIENCE
from tests.support.homes import make_home
from tests.support.mail_servers import HOST, Letters, certificate, dovecot, smtp_server
from tests.support.watch_kit import Correspondent, Stage, correspondent, tripoli

SHORT = 0.3
"""Seconds that an answer may take in these tests."""
NEEDS_POSIX = pytest.mark.skipif(os.name != "posix", reason="pipes and signals of POSIX")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return make_home(tmp_path / "home", "Ann", "ann@example.org")


@contextmanager
def trickle(
    folder: Path, security: str, greeting: bytes = b"", on_connect: Callable[[], object] = bool
) -> Iterator[tuple[int, Path, list[int]]]:
    """A server that says its greeting and then sends a byte now and then, for ever: its port, its
    certificate, and how many bytes each connection got."""
    cert, key = certificate(folder)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    counts: list[int] = []
    is_over = threading.Event()
    listener = socket.create_server((HOST, 0))

    def serve() -> None:
        while not is_over.is_set():
            with suppress(OSError):
                plain, _ = listener.accept()
                on_connect()
                counts.append(0)
                made = context.wrap_socket(plain, server_side=True) if security == "tls" else plain
                with made as connection:
                    connection.sendall(greeting)
                    while not is_over.wait(SHORT / 6):
                        connection.sendall(b"*")
                        counts[-1] += 1

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield listener.getsockname()[1], cert, counts
    finally:
        is_over.set()
        # closing alone wakes nobody who waits for a connection
        with suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)
        listener.close()


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadline, "TIMEOUT", SHORT)
    monkeypatch.setattr(deadline._Bounded, "most", SHORT)


def ask(home: Home) -> None:
    """Fetch, or send a mail, as mail.toml says."""
    found = settings.read(home)
    if found.fetch is not None:
        fetch.fetch(home, found.fetch)
    else:
        mail = b"From: a@example.org\nTo: b@example.org\nSubject: x\n\nx\n"
        transport.way_of(found).send(transport.letter_of(mail))


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("security", ["tls", "starttls"])
@pytest.mark.parametrize("kind", ["fetch", "send"])
def test_a_server_that_sends_a_byte_now_and_then_is_given_up(
    home: Home, tmp_path: Path, kind: str, security: str
) -> None:
    with trickle(tmp_path, security) as (port, cert, counts):
        write_settings(home, kind, port, security, cert)
        with pytest.raises(Refused):
            ask(home)
        assert len(counts) == 1 and counts[0] <= 8, "it would have gone on for ever"


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("kind", ["fetch", "send"])
def test_a_name_server_that_never_answers_is_given_up(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    asked: list[str] = []
    is_over = threading.Event()

    def never(host: str, *_given: object, **_more: object) -> object:
        asked.append(host)
        is_over.wait(PATIENCE)
        raise socket.gaierror("too late")

    for name in ("getaddrinfo", "gethostbyaddr", "gethostbyname"):
        monkeypatch.setattr(socket, name, never)
    write_settings(home, kind, 993, "tls", certificate(tmp_path)[0])
    for _ in range(3):
        with pytest.raises(Refused, match="nobody tells this machine the address") as found:
            ask(home)
        assert "DNS" in str(found.value)
    assert len(asked) == 1, "while it is stuck nobody asks again"
    is_over.set()


@pytest.mark.usefixtures("impatient")
def test_an_address_at_which_nobody_answers_leaves_time_for_the_next_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    silent = socket.create_server((HOST, 0), backlog=0)
    full = [socket.socket() for _ in range(4)]
    for one in full:  # whoever comes now waits for ever
        one.setblocking(False)
        one.connect_ex(silent.getsockname())
    with trickle(tmp_path, "starttls", b"220 hello\r\n") as (port, _cert, _counts):
        both = [
            (socket.AF_INET, socket.SOCK_STREAM, 0, "", (HOST, where))
            for where in (silent.getsockname()[1], port)
        ]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_given, **_more: both)
        monkeypatch.setattr(deadline, "_LEAST_WAIT", SHORT)
        with deadline.connect("mail.example.org", 25, None) as made:
            assert made.getpeername()[1] == port
    for one in (silent, *full):
        one.close()


@pytest.mark.usefixtures("impatient")
def test_what_lies_here_is_taken_in_before_a_server_is_asked(tmp_path: Path) -> None:
    ann = correspondent(tmp_path, "Ann", [])
    ben = make_home(tmp_path / "ben", "Ben", "ben@example.org")
    ann.receive(joining.invite(ben, joining.NewGame("tripoli")))
    taken: list[int] = []

    def look() -> None:
        taken.append(len([*ann.home.folder.glob("games/*/read/*")]))

    with trickle(tmp_path, "tls", on_connect=look) as (port, cert, _counts):
        write_settings(ann.home, "fetch", port, "tls", cert)
        path = ann.home.folder / "mail.toml"
        path.write_text(f'inbox = ["{ann.maildir}"]\n{path.read_text()}')
        watcher = Watcher(ann.home, answers=False)
        done = watcher.round()
        watcher.close()
    assert taken == [1] and [one.kind for one in done.news] == ["invitation", "problem"]


@NEEDS_DOVECOT
def test_a_look_ends_in_time_and_the_next_one_fetches_on(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intake, "LONGEST_FETCH", 0.0)
    ben = make_home(tmp_path / "ben", "Ben", "ben@example.org")
    with dovecot() as (_, port, cert, mails):
        write_settings(home, "fetch", port, "tls", cert)
        account = Account(mails)
        for _ in range(3):
            account.receive(joining.invite(ben, joining.NewGame("backgammon")))
        watcher = Watcher(home, answers=False)
        assert [len(watcher.round().news) for _ in range(4)] == [1, 1, 1, 0]
        watcher.close()


@NEEDS_POSIX
def test_a_password_command_that_hangs_is_ended_with_all_it_started(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.mail.server._PATIENCE", SHORT)
    started = tmp_path / "pid"
    command = ["sh", "-c", f"sleep 1000 & echo $! > {started}; wait"]
    write_settings(home, "fetch", 1, "tls", tmp_path / "none", command)
    server = settings.read(home).fetch
    assert server is not None
    with pytest.raises(Refused) as found:
        server.password()
    assert "password-command" in str(found.value)
    state = Path(f"/proc/{started.read_text().strip()}/stat")
    assert not state.exists() or state.read_text().split()[2] == "Z"


@NEEDS_POSIX
def test_a_password_command_may_leave_something_running(home: Home, tmp_path: Path) -> None:
    """As `gpg` leaves its agent, which may hold the output open."""
    command = ["sh", "-c", "sleep 5 & echo secret"]
    write_settings(home, "fetch", 1, "tls", tmp_path / "none", command)
    server = settings.read(home).fetch
    assert server is not None and server.password() == "secret"


@NEEDS_POSIX
@pytest.mark.parametrize("command", [["yes"], ["sh", "-c", "yes >&2"]])
def test_what_a_command_prints_is_bounded(home: Home, tmp_path: Path, command: list[str]) -> None:
    write_settings(home, "fetch", 1, "tls", tmp_path / "none", command)
    server = settings.read(home).fetch
    assert server is not None
    with pytest.raises(Refused) as found:
        server.password()
    assert isinstance(found.value.__cause__, commands.Endless)


@NEEDS_POSIX
def test_a_program_that_takes_no_mail_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "_PROGRAM_PATIENCE", SHORT)
    letter = transport.letter_of(
        b"From: a@example.org\nTo: b@example.org\n\n" + b"x" * 60 * 40_000 + b"\n"
    )
    with pytest.raises(transport.Doubtful):
        transport.Program(["sleep", "1000"]).send(letter)
    assert commands.run(["cat"], 60, b"y" * 90_000).output == b"y" * 90_000


@NEEDS_POSIX
@pytest.mark.parametrize("where", ["place", "folder", "maildir", "inbox", "ca-file", "mail.toml"])
def test_a_pipe_that_nobody_writes_to_is_not_read(home: Home, tmp_path: Path, where: str) -> None:
    box = tmp_path / "Maildir"
    for below in ("cur", "new", "tmp"):
        (box / below).mkdir(parents=True)
    pipe = {
        "maildir": box / "new" / "1.host",
        "inbox": home.make_folder("inbox") / "1.eml",
        "mail.toml": home.folder / "mail.toml",
    }.get(where, tmp_path / "pipe")
    os.mkfifo(pipe)
    if where == "ca-file":
        write_settings(home, "fetch", 1, "tls", pipe)
    elif where != "mail.toml":
        place = pipe if where == "place" else tmp_path if where == "folder" else box
        (home.folder / "mail.toml").write_text(f'inbox = ["{place}"]\n')
    ann = Player("Ann", home.folder, tmp_path, in_process=True)
    code, out, _ = ann.types("watch", "--once")
    told = {"place": pipe.name, "ca-file": "ca-file", "mail.toml": "mail.toml", "inbox": pipe.name}
    assert where not in told or (code == 2 and told[where] in out)
    code, out, _ = ann.types("inbox")
    assert where != "place" or (code == 2 and pipe.name in out)


# ---- a mail that was handed over whole -----------------------------------------------------------


class SlowLetters(Letters):
    """A server that has taken a mail and looks through it for as long as it likes, before it says
    so."""

    def __init__(self) -> None:
        super().__init__()
        self.may_answer = threading.Event()

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        said = await super().handle_DATA(server, session, envelope)
        while not self.may_answer.is_set():
            await asyncio.sleep(0.01)
        return said


@pytest.fixture
def slow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Stage, SlowLetters, Correspondent]]:
    """Two games in which somebody owes a proof and no decision, that player's server, which is
    slow, and the player."""
    stage, data = tripoli(tmp_path)
    data, who = stage.to_a_proof(data)
    other = stage.one if who is stage.other else stage.other
    monkeypatch.setattr(sending, "PATIENCE", SHORT)
    with smtp_server(tmp_path, "tls", SlowLetters()) as (port, letters, cert):
        assert isinstance(letters, SlowLetters)
        write_settings(who.home, "send", port, "tls", cert)
        path = who.home.folder / "mail.toml"
        path.write_text(f'inbox = ["{who.maildir}"]\n{path.read_text()}')
        stage.send(other, data)
        try:
            yield stage, letters, who
        finally:
            letters.may_answer.set()
            who.restart()


@pytest.mark.filterwarnings("ignore::UserWarning")  # raised inside the SMTP server
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_server_that_ponders_over_a_mail_holds_up_no_look(
    slow: tuple[Stage, SlowLetters, Correspondent], tmp_path: Path
) -> None:
    _, letters, who = slow
    first = who.look()
    assert [one.kind for one in first.news] == ["turn"] and not first.sent
    cleo = make_home(tmp_path / "cleo", "Cleo", "cleo@example.org")
    who.receive(joining.invite(cleo, joining.NewGame("backgammon")))
    assert [one.kind for one in who.look().news] == ["invitation"], "what lies here is taken in"
    assert [who.look().is_empty() for _ in range(3)] == [True] * 3
    assert len(letters.taken) == 1, "it has the mail: it gets no second one"
    assert who.watcher is not None
    who.watcher._came.clear()
    letters.may_answer.set()
    assert who.watcher._came.wait(PATIENCE), "the watcher looks again once the mail is over"
    after = who.look()
    assert [one.entry for one in after.sent] == [len(read(who.newest()).entries) - 1]
    assert not after.failed and len(after.sent[0].to) == 1
    who.restart()
    assert who.look().sent == [] and len(letters.taken) == 1


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_watcher_that_looks_once_waits_for_the_answer_in_the_end(
    slow: tuple[Stage, SlowLetters, Correspondent],
) -> None:
    _, letters, who = slow
    done = who.look()
    assert not done.sent and who.watcher is not None
    threading.Timer(2 * SHORT, letters.may_answer.set).start()
    assert len(who.watcher.finish(done).sent) == 1
    assert len(letters.taken) == 1


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_what_a_watcher_is_sending_is_not_sent_by_hand_as_well(
    slow: tuple[Stage, SlowLetters, Correspondent], tmp_path: Path
) -> None:
    _, letters, who = slow
    who.look()
    player = Player(who.name, who.home.folder, tmp_path, in_process=True)
    threading.Timer(2 * SHORT, letters.may_answer.set).start()
    game = game_list.games(who.home, who.home.identity()).games[0].short
    code, _, err = player.types("send", game)
    assert code == 1 and "sent just now by another window or command" in err, err
    assert "another pbem is sending turn" in err
    assert len(letters.taken) == 1


def test_while_a_mail_is_under_way_no_other_one_is_handed_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sending, "PATIENCE", 0.0)
    go, woken, said = threading.Event(), threading.Event(), []
    mails = Sending(woken.set)
    mails.hand_over(lambda: go.wait(PATIENCE), lambda result: said.append(result()))
    assert mails.is_busy() and not mails.is_free() and not said
    go.set()
    assert woken.wait(PATIENCE) and mails.is_busy(), "until somebody has asked"
    assert mails.is_free() and said == [True] and not mails.is_busy()

    def fails() -> None:
        raise Refused("nobody has it")

    def then(result: Callable[[], None]) -> None:
        with pytest.raises(Refused):
            result()
        said.append(False)

    mails.hand_over(fails, then)
    assert mails.is_free(PATIENCE) and said == [True, False]
