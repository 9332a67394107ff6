"""What a watcher tells: each new turn once, to whoever the player chose, and nothing that one seat
alone knows."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.errors import Refused, Usage
from pbem.fileformat import turnfile
from pbem.home.home import Home
from pbem.lock import Lock
from pbem.mail import settings
from pbem.mail.settings import MailSettings
from pbem.turn import joining, open_game, own_report
from pbem.watch import news, notify
from pbem.watch.failing import FIRST, LONGEST, Pause
from pbem.watch.news import News
from pbem.watch.watcher import MOST_FETCHES, SPACED, Busy, Round, Watcher
from tests.support import read_game
from tests.support.homes import make_home, seed_of
from tests.support.watch_kit import Correspondent, Stage, correspondent, tripoli

TELLER = [sys.executable, "-E", "-P", str(Path(notify.__file__).with_name("teller.py"))]


@pytest.fixture
def two(tmp_path: Path) -> Iterator[tuple[Stage, bytes]]:
    """Ann and Ben play; Ben writes down whatever he is told, an argument a line."""
    stage, data = tripoli(tmp_path)
    ben = stage.other
    add_notify(ben, tmp_path / "told")
    yield stage, data
    for who in (stage.one, ben):
        who.restart()


def add_notify(who: Correspondent, target: Path) -> None:
    """Whatever this home is told is written to a file, each argument in a line of its own."""
    program = target.with_suffix(".sh")
    program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" >> {target}\n')
    program.chmod(0o755)
    path = who.home.folder / "mail.toml"
    path.write_text(f'notify = ["{program}", "-x", "{{title}}", "<{{text}}>"]\n{path.read_text()}')


def looked(who: Correspondent) -> list[News]:
    """One look, and everything that it tells told to the end."""
    done = who.look()
    assert who.watcher is not None
    who.watcher.finish(done)
    return list(done.news)


def test_each_turn_is_told_once_also_by_another_watcher(
    two: tuple[Stage, bytes], tmp_path: Path
) -> None:
    stage, data = two
    ben = stage.other
    looked(ben)
    data = stage.write(stage.one, data)
    ben.receive(data)
    assert [one.kind for one in looked(ben)] == ["turn"]
    ben.receive(data, "once-more.host")
    assert looked(ben) == []
    ben.restart()
    assert looked(ben) == []
    lines = (tmp_path / "told").read_text().splitlines()
    assert lines[:2] == ["-x", "The Shores of Tripoli: your turn"] and len(lines) == 3
    assert lines[2].startswith("<tripoli-") and "turn 2 by Ann" in lines[2]


def test_turns_that_come_together_are_told_one_by_one_and_an_older_one_not_at_all(
    two: tuple[Stage, bytes],
) -> None:
    stage, data = two
    ann, ben = stage.one, stage.other
    looked(ann)
    files = [data]
    for _ in range(4):
        files.append(
            stage.write(
                stage.one if read_game.replay_bytes(files[-1]).to_act() == 0 else ben, files[-1]
            )
        )
    ann.restart()
    ben_wrote = [file for file in files[1:] if turnfile.read(file).entries[-1].seat == "tripolitan"]
    for file in reversed(ben_wrote):
        ann.receive(file)
    entries = [one.entry for one in looked(ann)]
    assert entries == sorted(entries) and len(entries) <= len(ben_wrote)
    ann.receive(files[0], "old.host")
    assert looked(ann) == []


def test_what_was_here_before_the_first_look_is_no_news(two: tuple[Stage, bytes]) -> None:
    stage, data = two
    open_game.open_file(stage.write(stage.one, data), stage.other.home)
    assert looked(stage.other) == []


@pytest.mark.dear("runs watchers beside servers")
def test_nothing_that_one_seat_alone_knows_is_told(
    two: tuple[Stage, bytes], tmp_path: Path
) -> None:
    """A game by chance; no name of a card that was not open then, and nothing that looks like a
    file."""
    stage, data = two
    ben = stage.other
    looked(ben)
    hidden = 0
    for _ in range(14):
        who = stage.one if read_game.replay_bytes(data).to_act() == 0 else ben
        data = stage.write(who, data)
        if who is ben:
            continue
        ben.receive(data)
        opened = open_game.open_file(data, ben.home)
        public = opened.ledger.public_faces()
        own = own_report.own_faces(opened)
        names = {opened.ledger.rules.cards[own[handle]] for handle in own if handle not in public}
        names -= {opened.ledger.rules.cards[card] for card in public.values()}
        hidden += len(names)
        ben.restart()
        words = "\n".join(f"{one.title}\n{one.text}" for one in looked(ben))
        assert not [name for name in names if name in words]
        assert "PBEM TURN" not in words and str(ben.home.folder) not in words
    assert hidden
    said = (tmp_path / "told").read_text()
    assert all(len(line) < 700 for line in said.splitlines())


HOSTILE = [
    "--action=rm",
    "$(touch x)",
    "`touch x`",
    '"; touch x; "',
    "{text}",
    "<b>Ben</b>",
    "Ben\u202e",
    "%s%n",
    "Ben, your turn",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_stays_out(tmp_path: Path, name: str) -> None:
    ann = correspondent(tmp_path, "Ann", [])
    add_notify(ann, tmp_path / "told")
    looked(ann)
    eve = Home(tmp_path / "eve")
    try:
        eve.create(name, "eve@example.org", seed_of(name), "")
    except Exception:
        return  # no turn file may hold it
    ann.receive(joining.invite(eve, joining.NewGame("tripoli")))
    (one,) = looked(ann)
    assert one.kind == "invitation"
    for text in (one.title, one.text, (tmp_path / "told").read_text()):
        assert name not in text
    assert "american" in one.text
    ann.restart()


def test_words_are_put_in_once_and_begin_no_option() -> None:
    one = News("turn", "x", 1, "{text} {title}", "-{title}")
    assert notify.fill(["say", "{title}", "-m", "{text}", "{title}{text}"], one)[1:] == [
        *("{text} {title}", "-m", "-{title}", "{text} {title}-{title}")
    ]
    for text in ("--help me", "- - x", "…$(x)\n\x1b[31m;'\"`\\", "Hamet's army (two)", "x" * 1000):
        plain = news.plain(text)
        assert not plain.startswith("-") and len(plain) <= news.LONGEST
        assert all(c.isalnum() or c in news._PLAIN for c in plain)


def test_a_teller_tells_only_what_was_written_down(tmp_path: Path) -> None:
    record = tmp_path / "told.json"
    target = tmp_path / "out"
    what = {"record": str(record), "round": "aa", "services": [], "title": "t", "text": "x"}
    what["command"] = ["sh", "-c", f"echo told >> {target}"]

    def tell(text: bytes) -> int:
        return subprocess.run(TELLER, input=text, check=False, capture_output=True).returncode

    assert tell(json.dumps(what).encode()) == 0 and not target.exists(), "no record"
    record.write_text(json.dumps({"rounds": ["bb"]}))
    assert tell(json.dumps(what).encode()) == 0 and not target.exists(), (
        "killed before this round was written down"
    )
    record.write_text(json.dumps({"rounds": ["bb", "aa"]}))
    assert tell(json.dumps(what).encode()[:40]) == 0 and not target.exists(), (
        "killed while it was told what to tell"
    )
    assert tell(json.dumps(what).encode()) == 0 and target.read_text() == "told\n"
    assert tell(json.dumps({**what, "command": ["/no/such/program"]}).encode()) == 1
    assert tell(json.dumps({**what, "command": ["false"]}).encode()) == 1


@pytest.mark.dear("runs watchers beside servers")
def test_a_service_that_apprise_knows_is_told(tmp_path: Path) -> None:
    """A service of this machine: Apprise sends it JSON."""
    pytest.importorskip(
        "apprise", reason="the library apprise is not installed: pip install pbem[notify]"
    )
    import http.server
    import threading

    bodies = []

    class Service(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            bodies.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_args: object) -> None:
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Service)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        one = News("turn", "x", 1, "a title", "a text")
        record = tmp_path / "told.json"
        record.write_text(json.dumps({"rounds": ["aa"]}))
        chosen = MailSettings(services=(f"json://127.0.0.1:{server.server_port}/",))
        batch = notify.Notifications(chosen, [one], record, "aa")
        batch.release()
        for process in batch.processes:
            process.wait()
        assert notify.take_ended(batch.processes) == [] and batch.processes == []
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
    assert [(body["title"], body["message"]) for body in bodies] == [("a title", "a text")]


def test_a_command_that_fails_is_said_and_its_environment_holds_no_passphrase(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = tmp_path / "told.json"
    record.write_text(json.dumps({"rounds": ["aa"]}))
    monkeypatch.setenv("PBEM_PASSPHRASE", "wind & tide")
    monkeypatch.setattr(notify, "MOST_AT_ONCE", 2)
    chosen = MailSettings(notify=("sh", "-c", f"env > {tmp_path}/env; exit 3"))
    batch = notify.Notifications(chosen, [News("turn", "x", 1, "a", "b")] * 30, record, "aa")
    assert len(batch.processes) == notify.MOST_AT_ONCE
    batch.release()
    for process in batch.processes:
        process.wait()
    assert {said.split()[-1] for said in notify.take_ended(batch.processes)} == {"3"}
    assert "wind & tide" not in (tmp_path / "env").read_text()


def test_a_problem_is_told_once_and_only_in_the_terminal(
    two: tuple[Stage, bytes], tmp_path: Path
) -> None:
    stage, data = two
    ben = stage.other
    looked(ben)
    forged = stage.write(stage.one, data).replace(b'date = "20', b'date = "19')
    ben.receive(forged)
    first = looked(ben)
    assert [one.kind for one in first] in (["problem"], [])  # the file was written in this moment
    for path in (ben.maildir / "new").iterdir():
        os.utime(path, (1, 1))
    assert [one.kind for one in [*first, *looked(ben)]] == ["problem"]
    ben.restart()
    assert looked(ben) == [] and not (tmp_path / "told").exists()


def test_a_record_that_cannot_be_written_loses_nothing(
    two: tuple[Stage, bytes], tmp_path: Path
) -> None:
    stage, data = two
    ben = stage.other
    looked(ben)
    ben.receive(stage.write(stage.one, data))
    path = ben.home.folder / "watch" / "told.json"
    kept = path.read_bytes()
    path.unlink()
    path.mkdir()
    (path / "x").touch()
    assert [one.kind for one in looked(ben)] == ["problem"] and not (tmp_path / "told").exists()
    (path / "x").unlink()
    path.rmdir()
    path.write_bytes(kept)
    ben.restart()
    assert [one.kind for one in looked(ben)] == ["turn"]


def test_a_record_that_is_damaged_begins_anew(two: tuple[Stage, bytes]) -> None:
    stage, data = two
    ben = stage.other
    looked(ben)
    open_game.open_file(stage.write(stage.one, data), ben.home)
    ben.restart()
    path = ben.home.folder / "watch" / "told.json"
    path.write_text('{"games": {"x": [7]')
    assert looked(ben) == [] and json.loads(path.read_text())["rounds"]
    assert news.NewsRecord(ben.home).unreported(next((ben.home.folder / "games").iterdir())) == []


# ---- one watcher a home --------------------------------------------------------------------------


def test_one_watcher_has_a_home(tmp_path: Path) -> None:
    home = make_home(tmp_path / "home")
    first = Watcher(home, answers=False)
    with pytest.raises(Busy):
        Watcher(Home(home.folder), answers=False)
    first.close()
    Watcher(Home(home.folder), answers=False).close()


def test_one_key_is_answered_from_one_home(tmp_path: Path) -> None:
    one = Watcher(make_home(tmp_path / "one", "Ann", seed=seed_of("Ann")), answers=True)
    copy = make_home(tmp_path / "copy", "Ann", seed=seed_of("Ann"))
    with pytest.raises(Busy):
        Watcher(copy, answers=True)
    one.close()
    Watcher(copy, answers=True).close()


def test_whoever_removes_the_lock_ends_the_first_watcher(tmp_path: Path) -> None:
    home = make_home(tmp_path / "home")
    first = Watcher(home, answers=False)
    (home.folder / "watch" / "lock").unlink()
    second = Watcher(Home(home.folder), answers=False)
    with pytest.raises(Refused):
        first.run(lambda _done: None)
    first.close()
    second.close()


def test_a_lock_is_no_link_to_somewhere_else(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("x")
    (tmp_path / "lock").symlink_to(tmp_path / "precious")
    with pytest.raises(Exception, match="cannot write"):
        Lock(tmp_path / "lock").take()
    held = Lock(tmp_path / "other")
    with held:
        assert held.is_held() and not Lock(tmp_path / "other").take()
    assert not held.is_held()


def test_a_home_is_not_moved_while_it_is_watched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pbem.home import home_pack, moving, place

    monkeypatch.setattr(home_pack, "MEMORY", 8192)
    home = make_home(tmp_path / "home")
    monkeypatch.setenv("PBEM_PASSPHRASE", "wind & tide")
    watcher = Watcher(home, answers=False)
    with pytest.raises(Refused):
        moving.move(home, tmp_path / "packed")
    watcher.close()
    place.check_open(home.folder)
    moving.move(home, tmp_path / "packed")
    watcher = Watcher(Home(home.folder), answers=True)
    assert any("moved away" in one.text for one in watcher.round().news)
    watcher.close()


def test_a_server_is_asked_a_few_times_a_minute_however_fast_mails_come(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each mail wakes the watcher; each fetch is a sign-in. After many in a row it is asked at even
    times, so no turn waits until a minute is over."""
    now, asked = [0.0], list[bool]()
    monkeypatch.setattr("pbem.watch.watcher.time.monotonic", lambda: now[0])
    watcher = Watcher(make_home(tmp_path / "home"), answers=False)

    def look(*, fetch: bool) -> Round:
        asked.append(fetch)
        now[0] += SPACED / 3
        if len(asked) == 90:
            raise KeyboardInterrupt
        watcher.wake("mail")
        return Round()

    monkeypatch.setattr(watcher, "round", look)
    with pytest.raises(KeyboardInterrupt):
        watcher.run(lambda _done: None)
    in_a_row = asked.index(False)
    assert MOST_FETCHES <= in_a_row <= 1.5 * MOST_FETCHES + 1
    assert all(sum(asked[at : at + 3]) == 1 for at in range(in_a_row, 87))
    watcher.close()


def test_an_interrupt_that_a_library_took_for_itself_ends_the_watching(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    watcher = Watcher(make_home(tmp_path / "home"), answers=False)
    looks: list[bool] = []

    def look(*, fetch: bool) -> Round:
        looks.append(fetch)
        watcher.is_ended = len(looks) == 2
        watcher.wake("mail")
        return Round()

    monkeypatch.setattr(watcher, "round", look)
    watcher.run(lambda _done: None)
    assert len(looks) == 2
    watcher.close()


def test_pauses_grow_up_to_a_quarter_of_an_hour() -> None:
    pause = Pause()
    assert pause.is_over()
    seconds = [pause.begin() for _ in range(12)]
    assert (
        seconds[:3] == [FIRST, 2 * FIRST, 4 * FIRST]
        and seconds[-1] == LONGEST
        and not pause.is_over()
    )
    pause.end()
    assert pause.is_over()


# ---- hostile places ------------------------------------------------------------------------------


def test_folders_full_of_nonsense_stop_nothing(two: tuple[Stage, bytes], tmp_path: Path) -> None:
    stage, data = two
    ben = stage.other
    looked(ben)
    new = ben.maildir / "new"
    (new / "link").symlink_to("/dev/zero")
    (new / "dangling").symlink_to("nowhere")
    (new / "round").symlink_to(ben.maildir)
    os.mkfifo(new / "pipe")
    (new / "noise").write_bytes(os.urandom(100_000))
    (new / "empty").touch()
    (new / "-rf").write_bytes(b"x")
    ben.receive(stage.write(stage.one, data))
    assert "turn" in [one.kind for one in looked(ben)]
    path = ben.home.folder / "mail.toml"
    path.write_text(path.read_text().replace("inbox = [", f'inbox = ["{tmp_path}/nowhere", '))
    assert [one.kind for one in looked(ben)] == ["problem"]
    path.write_text("inbox = [")
    assert [one.kind for one in looked(ben)] == ["problem"]
    assert looked(ben) == []


def test_only_what_has_changed_is_looked_into(
    two: tuple[Stage, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    from pbem.mail import turn_files

    stage, data = two
    ben = stage.other
    for number in range(5):
        ben.receive(b"Subject: hello\n\nno turn\n", f"{number}.host")
    looked(ben)
    opened: list[Path] = []
    look_into = turn_files.look_into
    monkeypatch.setattr(
        turn_files, "look_into", lambda path: (opened.append(path), look_into(path))[1]
    )
    looked(ben)
    assert opened == []
    ben.receive(stage.write(stage.one, data), "new.host")
    looked(ben)
    assert [path.name for path in opened] == ["new.host"]


def test_an_invitation_is_told(tmp_path: Path) -> None:
    ann = correspondent(tmp_path, "Ann", [])
    looked(ann)
    ben = make_home(tmp_path / "ben", "Ben")
    data = joining.invite(ben, joining.NewGame("tripoli"))
    ann.receive(data)
    (one,) = looked(ann)
    assert one.kind == "invitation" and "Ben invites you" in one.text
    game = joining.join(open_game.open_file(data, ann.home), ann.home)
    ann.receive(game)
    assert looked(ann) == [], "an own turn is no news"
    ann.restart()


def test_mail_toml_names_what_is_wrong(tmp_path: Path) -> None:
    home = make_home(tmp_path / "home")
    for text in ('notify = "notify-send"', "services = [1]", 'notify = [""]'):
        (home.folder / "mail.toml").write_text(text)
        with pytest.raises(Usage, match=text.partition(" ")[0]):
            settings.read(home)
    assert replace(MailSettings(), notify=("a",)).services == ()
