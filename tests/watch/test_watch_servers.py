"""Whole seasons over real servers: mails go out by SMTP and come in by IMAP's IDLE, and nobody does
anything but decide."""

from __future__ import annotations

import json
import os
import random
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime
from pathlib import Path

import pytest

from pbem.errors import Conflict, Refused
from pbem.fileformat import turnfile
from pbem.fileformat.encoding import b64
from pbem.home import clock
from pbem.home.game_index import newest_path
from pbem.home.home import Home
from pbem.ledger.gate import decides_nothing
from pbem.ledger.ledger import Ledger
from pbem.mail import compose, settings, transport
from pbem.turn import joining, open_game, signing, take_turn
from pbem.turn.draft_lines import Intent
from pbem.watch import failing, waiting
from pbem.watch.switch import switch_on
from pbem.watch.watcher import Watcher
from tests.mail.test_mail_servers import COMMAND, NEEDS_DOVECOT
from tests.support import known_pictures, known_templates, read_game, starter
from tests.support.effort import PATIENCE
from tests.support.homes import complete_answers, make_home
from tests.support.mail_servers import HOST, USER, dovecot, free_port, smtp_server

pytestmark = [
    NEEDS_DOVECOT,
    pytest.mark.filterwarnings("ignore::UserWarning"),  # raised inside the SMTP server
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]


@pytest.fixture(autouse=True)
def clock_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """By which the watchers sign, too."""
    monkeypatch.setattr(clock, "datetime", datetime)


def server_of(kind: str, port: int, cert: Path) -> str:
    return (
        f"[{kind}]\nhost = '{HOST}'\nport = {port}\nsecurity = 'tls'\nuser = '{USER}'\n"
        f"ca-file = '{cert}'\npassword-command = {COMMAND!r}\n"
    )


@contextmanager
def watching(home: Home) -> Iterator[subprocess.Popen[str]]:
    """`pbem watch --answer` in a process of its own, from its first line on."""
    known_templates.lay_in(home.folder)
    process = starter.start(
        ["-c", known_pictures.PROGRAM, "watch", "--answer"],
        cwd=starter.ROOT,
        env={**os.environ, "PBEM_HOME": str(home.folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None and process.stderr is not None
    try:
        assert process.stdout.readline().startswith("watching for"), process.stderr.read()
        yield process
    finally:
        process.terminate()
        _, said = process.communicate(timeout=PATIENCE)
        known_templates.learn(home.folder)
        assert process.returncode == 0 and "Traceback" not in said, said


class Post:
    """Two homes and the servers between them: one has its mails by IMAP, the other in a Maildir."""

    def __init__(self, folder: Path, stack: ExitStack, second: str) -> None:
        port, self.letters, cert = stack.enter_context(smtp_server(folder, "tls"))
        _, imap, own, mails = stack.enter_context(dovecot())
        box = folder / "Maildir"
        for below in ("cur", "new", "tmp"):
            (box / below).mkdir(parents=True)
        self.first, self.second = (
            make_home(folder / "first", "Ann"),
            make_home(folder / "second", second),
        )
        self.letters.boxes = {"ann@example.org": mails, f"{second.lower()}@example.org": box}
        for home, incoming in (
            (self.first, server_of("fetch", imap, own)),
            (self.second, f'inbox = ["{box}"]\n'),
        ):
            (home.folder / "mail.toml").write_text(incoming + server_of("send", port, cert))

    def send(self, home: Home, data: bytes) -> None:
        """By hand, as `pbem send` does."""
        made = compose.turn_mail(turnfile.read(data), "turn.toml")
        assert made is not None
        transport.way_of(settings.read(home)).send(transport.letter_of(made))


def play(post: Post, data: bytes, homes: list[Home], is_done: object, dice: random.Random) -> bytes:
    """Decide wherever a decision is asked, and wait for everything else to come by itself, but for
    what ends the game: that opens what was secret, and goes out a day later."""
    assert callable(is_done)
    name = signing.stem(read_game.replay_bytes(data))[:-5]
    until, waits = time.monotonic() + PATIENCE, [b""]
    while time.monotonic() < until:
        newest = [newest_path(home, name).read_bytes() for home in homes]
        if newest == waits:
            time.sleep(0.02)
            continue
        until = time.monotonic() + PATIENCE
        data = max(newest, key=len)
        game = read_game.replay_bytes(data)
        if is_done(game):
            return data
        turn = game.to_act()
        assert turn is not None
        home = next(home for home in homes if home.identity().public == game.player_of(turn).key)
        has_it = newest[homes.index(home)] == data
        given = chosen_answers(home, data, dice) if has_it else None
        if has_it and given is None and ends_the_game(home, data):
            return data
        if given is not None:
            data = take_turn.next_entry(open_game.open_file(data, home), Intent(given))
            post.send(home, data)
        else:
            waits = newest
    raise AssertionError(
        f"nothing comes any more after entry {len(turnfile.read(data).entries) - 1}"
    )


def chosen_answers(home: Home, data: bytes, dice: random.Random) -> list[str] | None:
    """Answers by chance; None where nothing is decided."""
    opened = open_game.open_file(data, home)
    if opened.stale:  # the watcher has answered in this very moment
        return None
    given = complete_answers(opened, dice.choice)
    # nothing is asked: a program may write it, unless there are seals to give
    with suppress(Refused):
        take_turn.draft(opened)
        return given or None
    return given


def ends_the_game(home: Home, data: bytes) -> bool:
    """Whether nothing is decided any more, and the proof that is due shows that the game is over:
    so it is in one of fifteen games here."""
    with suppress(Refused, Conflict):  # a decision is asked, or the watcher has written it
        return take_turn.draft(open_game.open_file(data, home)).ledger.is_over()
    return False


@pytest.mark.dear("plays seasons through mail servers")
@pytest.mark.parametrize("seasons", [3, pytest.param(5, marks=pytest.mark.slow)])
def test_seasons_of_witnessed_solitaire(
    tmp_path: Path, record_property: Callable[[str, object], None], seasons: int
) -> None:
    """Ann's machine is the witness: nobody is at its keyboard once it has joined and is switched
    on."""
    with ExitStack() as stack:
        post = Post(tmp_path, stack, "Ben")
        ann, ben = post.first, post.second
        data = joining.invite(
            ben,
            joining.NewGame(
                "tripoli-solitaire",
                options={"witness": 1},
                witnesses=[b64(ann.identity().public)],
            ),
        )
        data = joining.join(open_game.open_file(data, ann), ann)
        switch_on(ann, "tripoli", notes=False)
        post.send(ann, data)
        open_game.open_file(data, ben)
        stack.enter_context(watching(ann))
        stack.enter_context(watching(ben))
        first = read_game.replay_bytes(data).begun().referee
        began = first.game.period()

        def is_done(game: Ledger) -> bool:
            return game.outcome is not None or game.begun().referee.game.period() >= began + seasons

        data = play(post, data, [ben, ann], is_done, random.Random(3))
    assert _check(data, post, "witness")
    waits = [
        later - before
        for (sender, _, _), before, later in zip(
            post.letters.taken, post.letters.times, post.letters.times[1:], strict=False
        )
        if sender == "ben@example.org"
    ]
    record_property(
        "figure",
        f"a proof by IMAP's IDLE went out {max(waits, default=0):.1f} s after the mail asking"
        " for it",
    )


@pytest.mark.dear("plays seasons through mail servers")
def test_two_seasons_of_tripoli(tmp_path: Path) -> None:
    """A game that the throws end before anything is owed shows nothing, and another is played."""
    for folder in (tmp_path / str(number) for number in range(5)):
        folder.mkdir()
        if two_seasons(folder):
            return
    raise AssertionError("nothing was owed in any game")


def two_seasons(folder: Path) -> int:
    """How many entries were written by themselves in a game of two seasons."""
    with ExitStack() as stack:
        post = Post(folder, stack, "Ben")
        ann, ben = post.first, post.second
        data = joining.invite(ann, joining.NewGame("tripoli"))
        data = joining.join(open_game.open_file(data, ben), ben)
        open_game.open_file(data, ann)
        for home in (ann, ben):
            switch_on(home, None, notes=False)
        dice = random.Random(5)
        homes, by_hand = [ann, ben], set()
        while len(by_hand) < 2:  # each writes an entry by hand, which settles who plays
            turn = read_game.replay_bytes(data).to_act()
            assert turn is not None
            given = chosen_answers(homes[turn], data, dice)
            data = take_turn.next_entry(open_game.open_file(data, homes[turn]), Intent(given or []))
            open_game.open_file(data, homes[1 - turn])
            by_hand.add(turn)
        for home in (ann, ben):
            stack.enter_context(watching(home))

        def is_done(game: Ledger) -> bool:
            is_answered = any(decides_nothing(entry.fields) for entry in game.entries[4:])
            return game.outcome is not None or (
                game.begun().referee.game.period() >= 3 and is_answered
            )

        data = play(post, data, [ann, ben], is_done, dice)
    return _check(data, post, "")


def _check(data: bytes, post: Post, witness: str) -> int:
    """Every mail was sent once; what decides nothing was written by itself, and what decides was
    not. Returns how many entries decide nothing."""
    game = read_game.replay_bytes(data)
    idle = [entry for entry in game.entries if decides_nothing(entry.fields)]
    assert all(entry.seat == witness for entry in idle if witness)
    sent = [content for _, _, content in post.letters.taken]
    assert len(set(sent)) == len(sent)
    written = {
        int(one["number"])
        for home in (post.first, post.second)
        for path in home.folder.glob("games/*/outbox.json")
        for one in json.loads(path.read_text())["turns"]
        if one["written"]
    }
    assert written >= {entry.number for entry in idle}
    assert all(decides_nothing(entry.fields) for entry in game.entries if entry.number in written)
    return len(idle)


def test_a_lost_connection_is_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(failing, "FIRST", 0.01)
    woken = threading.Event()
    with dovecot() as (_, imap, cert, mails):
        home = make_home(tmp_path / "home")
        (home.folder / "mail.toml").write_text(server_of("fetch", imap, cert))
        server = settings.read(home).fetch
        assert server is not None
        waiter = waiting.MailWaiter(server, lambda _what: woken.set())
        waiter.start()
        for _ in range(3):
            assert woken.wait(PATIENCE), "IDLE is on"
            woken.clear()
            client = waiter._client
            client.socket().shutdown(socket.SHUT_RDWR)
        assert woken.wait(PATIENCE)
        woken.clear()
        (mails / "tmp" / "x").write_bytes(b"Subject: hello\r\n\r\nx\r\n")
        (mails / "tmp" / "x").chmod(0o644)
        (mails / "tmp" / "x").rename(mails / "new" / "1.host")
        assert woken.wait(PATIENCE), "a mail has come"
        waiter.stop()
        assert not waiter.is_waiting


def test_a_server_that_is_not_there_is_tried_again_and_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[float] = []

    def begin(_pause: failing.Pause) -> float:
        tried.append(0.0)
        return 0.01

    monkeypatch.setattr(failing.Pause, "begin", begin)
    home = make_home(tmp_path / "home")
    (home.folder / "mail.toml").write_text(
        server_of("fetch", free_port(), tmp_path / "none").replace("ca-file", "# ca-file")
    )
    server = settings.read(home).fetch
    assert server is not None
    waiter = waiting.MailWaiter(server, lambda _what: None)
    waiter.start()
    until = time.monotonic() + PATIENCE
    while len(tried) < 3 and time.monotonic() < until:
        time.sleep(0.01)
    waiter.stop()
    assert len(tried) >= 3 and not waiter.is_waiting
    watcher = Watcher(home, answers=False)
    assert [one.kind for one in watcher.round().news] == ["problem"]
    assert watcher.round().news == [], "told once, and not tried again before the pause is over"
    watcher.close()


def test_folders_wake_the_watcher(tmp_path: Path) -> None:
    woken = threading.Event()
    box = tmp_path / "box" / "Maildir"
    for below in ("cur", "new", "tmp"):
        (box / below).mkdir(parents=True)
    places = [tmp_path / "box", tmp_path / "nowhere", tmp_path / "box" / "mails.mbox"]
    waiter = waiting.FolderWaiter(places, lambda _what: woken.set())
    assert set(waiter.folders) == {tmp_path, tmp_path / "box", box, box / "cur", box / "new"}
    waiter.start()
    until = time.monotonic() + PATIENCE
    number = 0
    while not woken.is_set() and time.monotonic() < until:  # it may take a moment until it hears
        number += 1
        (box / "new" / f"{number}.host").write_bytes(b"x")
        woken.wait(0.2)
    assert woken.is_set() and waiter.is_watching(places)
    waiter.stop()
    assert not waiter.is_watching(places)
