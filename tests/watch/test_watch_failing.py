"""Nothing fails in silence: it is told when it begins and each day while it lasts, and forgotten
when it works. Nobody is written to for ever, or kept from their mails by strangers."""

from __future__ import annotations

import errno
import json
import os
import random
import smtplib
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from examples.correspondence import Player
from pbem.errors import Refused
from pbem.fileformat import armor, turnfile
from pbem.fileformat.turnfile import START
from pbem.home import clock
from pbem.home.game_index import newest_path, short_name
from pbem.home.home import Home
from pbem.home.outbox import MOST_TRIES, read
from pbem.mail import fetch, transport
from pbem.mail.fetched_mails import SHARES, FetchedMails
from pbem.turn import inbox, joining, named_file, outgoing, take_turn
from pbem.watch import failing, intake
from pbem.watch.failing import DAY, LOOK, Failing
from pbem.watch.switch import switch_on
from pbem.watch.watcher import Round, Watcher
from tests.mail.test_mail_servers import NEEDS_DOVECOT, NO_COMMAND, printing
from tests.support.effort import PATIENCE, processor_seconds
from tests.support.homes import copy_homes, make_home
from tests.support.loot_homes import Table
from tests.support.mail_kit import mail_of, parsed, start
from tests.support.mail_servers import (
    HOST,
    PASSWORD,
    USER,
    Letters,
    dovecot,
    fetch_settings,
    free_port,
    smtp_server,
)
from tests.support.watch_kit import correspondent, solitaire, tripoli

pytestmark = [  # raised inside the SMTP server
    pytest.mark.filterwarnings("ignore::UserWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]


class Days:
    """The system's time, some days later; no clock was set meanwhile."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.later, true, steady = 0.0, time.time, clock.steady
        monkeypatch.setattr(clock, "steady", lambda: steady() + self.later)
        monkeypatch.setattr(time, "time", lambda: true() + self.later)


@pytest.fixture
def days(monkeypatch: pytest.MonkeyPatch) -> Days:
    return Days(monkeypatch)


def look(home: Home, *, answers: bool = False) -> Round:
    """What a new watcher finds, as with `--once`."""
    watcher = Watcher(Home(home.folder), answers=answers)
    try:
        done = watcher.round()
        watcher.finish(done)
        return done
    finally:
        watcher.close()


def finds_nothing(player: Player) -> bool:
    """Whether a look as it is typed tells nothing new, and nothing fails."""
    code, said, _ = player.types("watch", "--once", "--json")
    return code == 0 and not any(json.loads(said).values())


def problems(done: Round) -> list[str]:
    return [one.text for one in done.news if one.kind == "problem"]


# ---- told again each day, forgotten when it works ------------------------------------------------


def test_a_failure_is_told_each_day_while_it_lasts_and_forgotten_when_it_works(
    tmp_path: Path,
) -> None:
    kept = Failing(tmp_path)
    for thing in ("fetch", f"{LOOK}place"):
        kept.fails(thing, "the server 7f3 is away")
        assert kept.due(1000.0) == ["the server 7f3 is away"] and kept.texts()
        kept.fails(thing, "the server 8a4 is away")
        assert kept.due(1000.0 + DAY - 1) == [], "the same, but for a number of the server"
        assert kept.due(1000.0 + DAY) == ["the server 7f3 is away"]
        kept.fails(thing, "wrong password")
        assert kept.due(1000.0 + DAY + 1) == ["wrong password"]
        kept.begin()
        kept.end()
        assert kept.texts() == (["wrong password"] if thing == "fetch" else [])
        kept.works(thing)
        kept.fails(thing, "wrong password")
        assert kept.due(1000.0 + DAY + 2) == ["wrong password"]
        kept.works(thing)
        assert kept.texts() == []
    kept.fails("fetch", "x")
    assert kept.due(1e12) == ["x"] and kept.due(5.0) == ["x"], (
        "a clock that was set back tells it too"
    )


@NEEDS_DOVECOT
def test_a_wrong_password_is_told_whenever_it_is_wrong_again(tmp_path: Path, days: Days) -> None:
    home = make_home(tmp_path / "home")
    ann = Player("Ann", home.folder, tmp_path, in_process=True)
    with dovecot() as (_, tls, cert, _mails):
        path, closed = home.folder / "mail.toml", free_port()

        def set_up(command: list[str], port: int = tls) -> None:
            path.write_text(fetch_settings(port, cert, command))

        for wrong, named in (
            (lambda: set_up(NO_COMMAND), HOST),
            (lambda: set_up(["false"]), "password-command"),
            (lambda: set_up(printing(PASSWORD), closed), f"{closed}"),
        ):
            wrong()
            code, out, _ = ann.types("watch", "--once")
            assert code == 2 and named in out and "still:" not in out
            code, out, _ = ann.types("watch", "--once")
            assert code == 2 and "still: " in out and named in out
            days.later += DAY
            code, out, _ = ann.types("watch", "--once")
            assert code == 2 and named in out and "still:" not in out, "a day later"
            code, out, _ = ann.types("watch", "--once", "--json")
            facts = json.loads(out)
            assert code == 2 and facts["news"] == [] and named in facts["failed"][0]
            set_up(printing(PASSWORD))
            assert finds_nothing(ann)
            wrong()
            code, out, _ = ann.types("watch", "--once")
            assert code == 2 and named in out and "still:" not in out, "told anew"


def test_what_cannot_be_sent_is_told_each_day_until_it_goes_out(
    tmp_path: Path, days: Days, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(failing, "FIRST", 0.0)
    stage, data = solitaire(tmp_path)
    ben = stage.other
    ben.receive(stage.write(stage.one, data))
    path = ben.home.folder / "mail.toml"
    fine, closed = path.read_text(), free_port()
    path.write_text(
        fine.partition("[send]")[0]
        + f"[send]\nhost = '{HOST}'\nport = {closed}\nsecurity = 'none'\n"
    )
    first = look(ben.home, answers=True)
    assert any("turn 3" in text and str(closed) in text for text in problems(first))
    again = look(ben.home, answers=True)
    assert problems(again) == [] and "turn 3" in again.failed[0]
    days.later = DAY
    assert any("turn 3" in text for text in problems(look(ben.home, answers=True)))
    path.write_text(fine)
    done = look(ben.home, answers=True)
    assert [one.entry for one in done.sent] == [3] and done.failed == []


def test_other_failures_of_what_goes_on_by_itself(tmp_path: Path, days: Days) -> None:
    """A place that is gone, a damaged mail.toml, a notify command that does not work."""
    ann = correspondent(tmp_path, "Ann", [])
    path = ann.home.folder / "mail.toml"
    fine = path.read_text()
    player = Player("Ann", ann.home.folder, tmp_path, in_process=True)
    notify = 'notify = ["/no/such/program"]\n' + fine
    ben = correspondent(tmp_path, "Ben", [])
    assert look(ann.home).failed == []
    for wrong, named in ((fine.replace("mail-of-ann", "gone"), "gone"), ("[send", path.name)):
        path.write_text(wrong)
        assert any(named in text for text in problems(look(ann.home)))
        assert problems(look(ann.home)) == []
        assert player.types("watch", "--once")[0] == 2
        days.later += DAY
        assert any(named in text for text in problems(look(ann.home)))
        path.write_text(fine)
        assert finds_nothing(player)
        path.write_text(wrong)
        assert any(named in text for text in problems(look(ann.home))), "again"
    path.write_text(notify)
    ann.receive(joining.invite(ben.home, joining.NewGame("tripoli")))
    facts = player.asks("watch", "--once")
    assert [one["kind"] for one in facts["news"]] == ["invitation"]
    assert len(facts["failed"]) == 1 and "notify" in facts["failed"][0]
    path.write_text(notify.replace("/no/such/program", "true"))
    ann.receive(joining.invite(ben.home, joining.NewGame("tripoli")))
    assert player.types("watch", "--once")[0] == 0


def test_a_reminder_that_nobody_can_have_is_sent_again_and_one_that_somebody_may_have_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pbem.turn import open_game

    stage, data = tripoli(tmp_path)
    ann = stage.one
    open_game.open_file(stage.write(ann, data), ann.home)
    monkeypatch.setattr(clock, "now", lambda: "2126-12-24T09:30:00Z")
    path = ann.home.folder / "mail.toml"
    fine = f"remind-after = 14\n{path.read_text()}"
    path.write_text(fine.partition("[send]")[0] + "[send]\nprogram = ['/no/such/program']\n")
    for told in (1, 0):
        done = look(ann.home)
        assert done.reminded == [] and len(problems(done)) == told and len(done.failed) == 1
    path.write_text(fine)
    done = look(ann.home)
    assert [one.name for one in done.reminded] == ["Ben"] and done.failed == []
    (mail,) = ann.mails()
    assert b"Auto-Submitted: auto-generated" in mail
    assert look(ann.home).reminded == []
    (noted,) = ann.home.folder.glob("games/*/outbox.json")
    noted.unlink()

    def doubtful(*_given: object) -> None:
        raise transport.Doubtful("broken")

    with monkeypatch.context() as patched:
        patched.setattr(transport.Program, "send", doubtful)
        done = look(ann.home)
        assert done.reminded == [] and "broken" in done.failed[0] and noted.exists()
    done = look(ann.home)
    assert done.reminded == [] and done.failed == [] and len(ann.mails()) == 1
    noted.write_bytes(b"[")
    done = look(ann.home, answers=True)
    assert done.reminded == [] and len(ann.mails()) == 1
    assert any("outbox.json" in one and "pbem inbox" in one for one in done.failed)
    player = Player("Ann", ann.home.folder, tmp_path, in_process=True)
    assert "outbox.json" in "".join(player.types("inbox")[1:])


# ---- one mail each -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def owing(tmp_path_factory: pytest.TempPathFactory) -> tuple[Home, str, list[str]]:
    """A game of three in which one owes an entry that decides nothing: their home, the game's short
    name, and the addresses of the two others."""
    table, dice = Table.joined(tmp_path_factory.mktemp("three"), 3), random.Random(3)
    for _ in range(60):
        turn = table.game().to_act()
        assert turn is not None
        try:
            draft = take_turn.draft(table.opened(turn))
        except Refused:
            draft = None
        own = [entry for entry in table.game().entries if table.game().seat_of(entry) == turn]
        if draft is not None and "root" not in draft.contents() and len(own) > 1:
            break
        table.step(lambda _seat, options: dice.choice(options))
    others = [
        player.mail for player in table.game().players if player is not None and player.seat != turn
    ]
    return table.homes[turn], short_name(table.game()), others


@contextmanager
def three(
    folder: Path, owing: tuple[Home, str, list[str]]
) -> Iterator[tuple[Home, Letters, str, list[str]]]:
    """That game with a home of the test's own, and a server that takes their mails."""
    played, name, others = owing
    home = Home(folder / "home")
    copy_homes(played.folder, home.folder)
    switch_on(home, name, notes=False)
    with smtp_server(folder, "tls") as (port, letters, cert):
        (home.folder / "mail.toml").write_text(
            f"[send]\nhost = '{HOST}'\nport = {port}\nsecurity = 'tls'\nuser = '{USER}'\n"
            f"ca-file = '{cert}'\npassword-command = {printing(PASSWORD)!r}\n"
        )
        yield home, letters, name, others


@pytest.mark.dear("runs watchers beside servers")
def test_who_has_a_mail_has_it_once_and_the_refused_one_is_tried_ten_times(
    tmp_path: Path, days: Days, owing: tuple[Home, str, list[str]]
) -> None:
    with three(tmp_path, owing) as (home, letters, name, (dead, alive)):
        letters.refuse.add(dead)
        watcher = Watcher(home, answers=True)
        done = watcher.round()
        assert [one.to for one in done.sent] == [(alive,)]
        assert all(
            any(dead in text and "550" in text for text in said)
            for said in (done.failed, problems(done))
        )
        tried: list[float] = []
        rcpt = letters.handle_RCPT

        async def counted(*given: Any) -> str:
            tried.append(time.time())
            return await rcpt(*given)

        letters.handle_RCPT = counted  # type: ignore[method-assign]
        for step in (300,) * 12 + (3600,) * 24 * 3:
            days.later += step
            watcher.round()
        assert len(tried) == MOST_TRIES - 1, "the first one made ten"
        gaps = [round(later - before) for before, later in pairwise(tried)]
        assert gaps == sorted(gaps) and gaps[0] >= 300
        assert [to for _, to, _ in letters.taken] == [[alive]], "nobody has it twice"
        days.later += DAY
        assert any("pbem send" in text for text in problems(watcher.round())), "told each day"
        letters.refuse.clear()
        outgoing.send(home, named_file.find(Path(name), home).turn)
        assert [to for _, to, _ in letters.taken] == [[alive], [dead]]
        assert watcher.round().failed == []
        watcher.close()
    for _, _, content in letters.taken[:1]:
        assert b"Auto-Submitted: auto-generated" in content
    assert b"Auto-Submitted" not in letters.taken[1][2], "by hand"


def test_the_refused_one_has_it_as_soon_as_it_is_taken(
    tmp_path: Path, days: Days, owing: tuple[Home, str, list[str]]
) -> None:
    with three(tmp_path, owing) as (home, letters, _, (dead, alive)):
        letters.refuse.add(dead)
        look(home, answers=True)
        letters.refuse.clear()
        look(home, answers=True)
        assert [to for _, to, _ in letters.taken] == [[alive]], (
            "after a pause, also with another watcher"
        )
        days.later += 301
        done = look(home, answers=True)
        assert [to for _, to, _ in letters.taken] == [[alive], [dead]] and done.failed == []
        first, second = (content for _, _, content in letters.taken)
        assert first == second, "the same bytes"


@pytest.mark.dear("runs watchers beside servers")
def test_a_mail_that_may_have_gone_out_is_sent_a_few_times_a_day_and_counts_each_time(
    tmp_path: Path, days: Days, owing: tuple[Home, str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection breaks after every mail was handed over."""
    with three(tmp_path, owing) as (home, letters, _, _others):
        getreply = smtplib.SMTP.getreply

        def broken(smtp: smtplib.SMTP) -> Any:
            answer = getreply(smtp)
            if b"taken" in answer[1]:
                smtp.close()
                raise smtplib.SMTPServerDisconnected("Connection unexpectedly closed")
            return answer

        monkeypatch.setattr(smtplib.SMTP, "getreply", broken)
        monkeypatch.setattr(failing.Pause, "is_over", lambda _pause: True)
        watcher = Watcher(home, answers=True)
        for step in (60,) * 10 + (300,) * 10 + (1800,) * 46:
            watcher.round()
            days.later += step
        assert 5 <= len(letters.taken) <= 16, "in a day"
        (kept,) = home.folder.glob("games/*/outbox.json")
        since = time.time() - 2 * DAY
        assert sum(one.count_since(since) for one in read(kept.parent)) == len(letters.taken)
        watcher.close()


def test_by_hand_only_the_refused_one_is_tried_again(
    tmp_path: Path, owing: tuple[Home, str, list[str]]
) -> None:
    with three(tmp_path, owing) as (home, letters, name, (dead, alive)):
        player = Player("Ann", home.folder, tmp_path, in_process=True)
        player.types("play", name)
        letters.refuse.add(dead)
        for taken in (1, 1):
            code, _, said = player.types("send", name)
            assert code == 1 and len(letters.taken) == taken
            assert all(named in said for named in (dead, alive, f"pbem send {name} "))
            (listed,) = player.does("inbox")["games"]
            assert (listed["not_sent"], listed["not_taken"]) == (False, [dead])
        letters.refuse.clear()
        assert player.types("send", name)[0] == 0 and letters.taken[-1][1] == [dead]
        assert player.does("inbox")["games"][0]["not_taken"] == []
        assert player.types("send", name)[0] == 0 and letters.taken[-1][1] == [
            dead,
            alive,
        ], "once more to all, by hand"
        first, other, again = (parsed(content)["Message-ID"] for _, _, content in letters.taken)
        assert first == other != again, "a mail service may drop the second mail of one id"


def test_whoever_has_a_turn_is_not_said_to_lack_it(
    tmp_path: Path, owing: tuple[Home, str, list[str]]
) -> None:
    with three(tmp_path, owing) as (home, letters, name, (dead, alive)):
        player = Player("Ann", home.folder, tmp_path, in_process=True)
        player.types("play", name)
        letters.refuse.update((dead, "wrong@example.org"))
        player.types("send", name)
        code, _, said = player.types("send", name, "--to", "wrong@example.org")
        assert code == 1 and alive in said and f"pbem send {name} --to ADDRESS" in said
        assert player.types("send", name, "--to", "right@example.org")[0] == 0
        _, _, said = player.types("send", name)
        assert f"{alive}, right@example.org" in said
        assert f"pbem sent {name}" in player.types("inbox")[1]
        earlier = tmp_path / "earlier.toml"
        earlier.write_bytes(turnfile.read(newest_path(home, name).read_bytes()).prefix(3))
        player.types("send", str(earlier), "--to", alive)
        assert f"refused by {dead}" in player.types("inbox")[1], (
            "an older turn sent since changes nothing"
        )
        player.types("sent", name)
        assert "refused by" not in player.types("inbox")[1]
    assert [to for _, to, _ in letters.taken] == [[alive], ["right@example.org"], [alive]]


# ---- strangers -----------------------------------------------------------------------------------


def bad_mail(number: int, size: int) -> bytes:
    """From anybody: an attachment that begins like a turn and verifies nowhere."""
    head = (
        f"From: eve{number % 3}@example.net\r\nSubject: {number}\r\nContent-Type:"
        " application/octet-stream\r\n\r\n"
    )
    line = b"x" * 70 + b"\r\n"
    return (head.encode() + START + b'1"\n' + line * (size // len(line))) + str(number).encode()


@pytest.mark.dear("runs watchers beside servers")
@NEEDS_DOVECOT
@pytest.mark.parametrize("count", [3, pytest.param(21, marks=pytest.mark.slow)])
def test_mails_of_25_megabytes_that_verify_nowhere_blind_nobody(
    tmp_path: Path, count: int, record_property: Callable[[str, object], None]
) -> None:
    home = make_home(tmp_path / "home")
    ann = Player("Ann", home.folder, tmp_path, in_process=True)
    with dovecot() as (_, tls, cert, mails):
        (home.folder / "mail.toml").write_text(fetch_settings(tls, cert, printing(PASSWORD)))
        for number in range(count):
            (mails / "new" / f"{number:03}.host").write_bytes(bad_mail(number, 25_000_000))
        looked: list[tuple[int, str, str]] = []
        first = processor_seconds(lambda: looked.append(ann.types("watch", "--once")))
        ((code, out, _),) = looked
        assert code == 0 and out.count("invalid:") == min(count, intake.MOST_EVENTS)
        assert not [*(home.folder / "inbox").glob("*.eml")] and not [
            *(home.folder / "inbox").glob("*.toml")
        ]
        (mails / "new" / "turn.host").write_bytes(mail_of(start(tmp_path / "game").files[0]))
        looked.clear()
        spent = processor_seconds(lambda: looked.append(ann.types("watch", "--once")))
        ((code, out, _),) = looked
        assert code == 0 and len(out.splitlines()) == 1 and "invalid" not in out
        mails = f"{count} bad mails of 25 MB and then an invitation"
        record_property(
            "figure",
            f"{mails}: {first:.1f} s of processor time for the first look, {spent:.1f} s for the"
            " next",
        )
        assert spent < PATIENCE / 10, "none of them is read again"
        assert finds_nothing(ann)


@NEEDS_DOVECOT
def test_a_full_store_is_told_each_day_and_takes_the_turns_of_ones_own_games(
    tmp_path: Path, days: Days, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = start(tmp_path / "game")
    ann = game.homes["american"]
    player = Player("Ann", ann.folder, tmp_path, in_process=True)
    size = max(len(mail_of(data)) for data in game.files) * 5 // 4
    monkeypatch.setattr(fetch, "MOST_MAIL", SHARES * size)
    monkeypatch.setattr(inbox, "MOST_INVITATIONS", 1)
    few = size // len(mail_of(game.files[0]))
    strangers = [
        make_home(tmp_path / f"eve{number}", f"Eve {number}", "eve@example.net")
        for number in range(few + 3)
    ]
    with dovecot() as (_, tls, cert, mails):
        (ann.folder / "mail.toml").write_text(fetch_settings(tls, cert, printing(PASSWORD)))
        for number, eve in enumerate(strangers):
            data = mail_of(joining.invite(eve, joining.NewGame("tripoli")))
            (mails / "new" / f"{number}.host").write_bytes(data)
        (mails / "new" / "99.host").write_bytes(mail_of(game.files[1]))
        code, out, _ = player.types("watch", "--once", "--json")
        facts = json.loads(out)
        assert code == 2 and "eve@example.net" in facts["failed"][0], "Eve's share is full"
        kinds = [one["kind"] for one in facts["news"]]
        assert kinds.count("turn") == kinds.count("invitation") == 1, "Ben's turn is here"
        assert player.types("watch", "--once")[0] == 2
        days.later = DAY
        code, out, _ = player.types("watch", "--once")
        assert code == 2 and "eve@example.net" in out and "still:" not in out
        assert len([*(ann.folder / "inbox").glob("*.eml")]) == few, "what was taken in is gone"
        for left in (1, 0, 0):
            player.types("inbox")
            assert [*(ann.folder / "inbox").glob("*.eml")] == [], "it takes in what can be"
            assert player.asks("fetch")["left"] == left, "there is room again"
        assert len(player.does("inbox")["games"]) == len(strangers) + 1


def test_the_room_of_strangers_is_half_and_a_tenth_each(tmp_path: Path) -> None:
    home = make_home(tmp_path / "home")
    kept = FetchedMails(home, 1000)
    assert not kept.full(100, "a@example.org", is_here=False)
    assert "a@example.org" in kept.full(101, "a@example.org", is_here=True)
    for number in range(5):
        kept.keep(str(number), b"x" * 100, [], f"{number}@example.org")
    kept.write_down()
    kept = FetchedMails(home, 1000)
    assert kept.full(1, "9@example.org", is_here=False)
    assert not kept.full(100, "9@example.org", is_here=True)
    assert kept.full(1, "3@example.org", is_here=True)
    (home.folder / "inbox" / "3.eml").unlink()
    kept.count_anew()
    assert not kept.full(1, "3@example.org", is_here=False)


@pytest.mark.parametrize("count", [2100])
def test_thousands_of_bad_files_are_told_once_and_looked_at_once(
    tmp_path: Path, count: int
) -> None:
    ann = correspondent(tmp_path, "Ann", [])
    begin, end = armor.BEGIN, armor.END
    for number in range(count):
        path = ann.maildir / "new" / f"{number}.host"
        path.write_text(f"Subject: {number}\n\n{begin}\nAAAA{number:04}\n{end}\n")
    for path in (ann.maildir / "new").iterdir():
        old = time.time() - 60
        os.utime(path, (old, old))
    done = look(ann.home)
    assert len(problems(done)) == intake.MOST_EVENTS + 1
    assert problems(done)[-1].startswith(f"{count - intake.MOST_EVENTS} ")
    for _ in range(2):
        again: list[list[str]] = []
        spent = processor_seconds(lambda told=again: told.append(problems(look(ann.home))))
        assert again == [[]] and spent < PATIENCE / 10
    path = ann.maildir / "new" / "7.host"
    path.write_text(f"Subject: another\n\n{begin}\nBBBB\n{end}\n")
    os.utime(path, (old, old))
    assert len(problems(look(ann.home))) == 1, "it has changed"


def test_strangers_games_have_half_of_a_days_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage, data = tripoli(tmp_path)
    ben = stage.other
    ben.look()
    eve = make_home(tmp_path / "eve", "Eve")
    data = stage.write(stage.one, data)
    monkeypatch.setattr(inbox, "MOST_A_DAY", 2 * len(data))
    for _ in range(9):
        ben.receive(joining.invite(eve, joining.NewGame("tripoli")))
    done = ben.look()
    assert len([one for one in done.news if one.kind == "invitation"]) < 9 and done.failed
    ben.receive(data)
    assert any(one.kind == "turn" for one in ben.look().news)
    ben.restart()


def test_a_file_that_may_not_be_read_is_told_until_it_may(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, ben = correspondent(tmp_path, "Ann", []), correspondent(tmp_path, "Ben", [])
    ann.receive(joining.invite(ben.home, joining.NewGame("tripoli")), "turn.host")
    opened = Path.open

    def refuse(path: Path, *given: Any, **more: Any) -> Any:
        if path.name == "turn.host":
            raise PermissionError(13, "Permission denied")
        return opened(path, *given, **more)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", refuse)
        done = look(ann.home)
        assert any(os.strerror(errno.EACCES) in text for text in done.failed)
    done = look(ann.home)
    assert [one.kind for one in done.news] == ["invitation"] and done.failed == []
