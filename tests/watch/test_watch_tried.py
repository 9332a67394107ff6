"""What had not been tried against a watcher that goes on: forks and stale files, a plug-in's game,
a key with a passphrase, a home that may only be read, and the ends of Loot."""

from __future__ import annotations

import json
import os
import random
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from examples.correspondence import Player
from pbem.errors import Refused
from pbem.fileformat import turnfile
from pbem.home.home import Home
from pbem.home.identity import write_pem
from pbem.turn import joining, open_game, take_turn
from pbem.turn.draft_lines import Intent
from pbem.watch.rules import DAY
from pbem.watch.switch import switch_on
from pbem.watch.watcher import Watcher
from tests.support import known_templates, read_game, starter
from tests.support.homes import another_computer
from tests.support.loot_homes import Table
from tests.support.loot_match import whole_game
from tests.support.plugins import Site
from tests.support.rights import open_to_all, rights_hold, stranger
from tests.support.watch_kit import Stage, correspondent, solitaire, tripoli
from tests.watch.test_watch_failing import Days
from tests.watch.test_watch_rules import copied, signed


@pytest.fixture
def days(monkeypatch: pytest.MonkeyPatch) -> Days:
    return Days(monkeypatch)


@pytest.mark.dear("tries thousands of versions")
@pytest.mark.parametrize("seed", [1, 2])
def test_forks_and_stale_files_in_any_order_are_answered_at_most_once(
    tmp_path: Path, seed: int
) -> None:
    """Of each number one entry is signed and one mail sent, whatever comes, and when."""
    stage, data = solitaire(tmp_path)
    ann, ben, dice = stage.one, stage.other, random.Random(seed)
    came: list[bytes] = []
    for number in range(4):
        copy = copied(ann, tmp_path / f"copy{number}")
        before = data
        data = stage.write(ann, data)
        with another_computer():
            fork = take_turn.next_entry(open_game.open_file(before, copy), Intent((), resign=True))
        came += [before, data, data[:-200], b"nothing", *([fork] if number == 2 + seed % 2 else [])]
        dice.shuffle(came)
        for file in came:
            ben.receive(file, f"{len([*(ben.maildir / 'new').iterdir()]):05}.host")
            done = ben.look()
            assert not [text for text in done.failed if "pbem itself" in text]
        assert (
            len(signed(ben)) == len(set(signed(ben))) and len(ben.mails()) == len(signed(ben)) - 1
        )
        newest = [
            path.read_bytes() for path in sorted(ben.home.folder.glob("games/*/signed/*.toml"))
        ][-1]
        if not newest.startswith(data) or read_game.replay_bytes(newest).to_act() != 0:
            break  # a fork has come, and the game is played by hand from then on
        data = newest
        open_game.open_file(data, ann.home)
    assert len(ben.mails()) >= 1
    versions = {
        turnfile.read(path.read_bytes()).entries[-1].number
        for path in ben.home.folder.glob("games/*/signed/*")
    }
    assert len(versions) == len(signed(ben))
    ben.restart()


def test_a_plug_ins_game_is_answered_where_nothing_is_decided(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = Site(tmp_path / "site", monkeypatch)
    site.install()
    ann, ben = correspondent(tmp_path, "Ann", ["Ben"]), correspondent(tmp_path, "Ben", ["Ann"])
    data = joining.invite(ann.home, joining.NewGame("goofspiel"))
    data = joining.join(open_game.open_file(data, ben.home), ben.home)
    stage = Stage(ann, ben)
    for who in (ann, ben):
        open_game.open_file(data, who.home)
        switch_on(who.home, None, notes=False)
    data, who = stage.to_a_proof(data)
    who.receive(data)
    done = who.look()
    assert len(done.sent) == 1 and done.failed == []
    assert "answers" not in turnfile.read(who.newest()).entries[-1].fields
    for one in (ann, ben):
        one.restart()
    site.remove()


def test_a_key_with_a_passphrase_is_opened_once_and_answers(tmp_path: Path) -> None:
    stage, data = solitaire(tmp_path)
    ben = stage.other
    ben.receive(stage.write(stage.one, data))
    (key,) = ben.home.folder.glob("*.pem")
    key.write_bytes(write_pem(ben.home.identity().seed, "wind & tide"))
    credentials = tmp_path / "credentials"
    credentials.mkdir()
    (credentials / "pbem-passphrase").write_text("wind & tide\n")
    known_templates.lay_in(ben.home.folder)
    environment = {name: value for name, value in os.environ.items() if name != "PBEM_PASSPHRASE"}
    command = ["-m", "pbem", "watch", "--answer", "--once"]

    def once(**more: str) -> subprocess.CompletedProcess[str]:
        return starter.run(
            command,
            env={**environment, "PBEM_HOME": str(ben.home.folder), **more},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )

    locked = once()
    assert locked.returncode == 2 and "passphrase" in locked.stderr and not ben.mails()
    done = once(CREDENTIALS_DIRECTORY=str(credentials))
    assert done.returncode == 0 and "turn 3 " in done.stdout, done.stderr
    assert len(ben.mails()) == 1 and "wind" not in done.stdout + done.stderr


def test_a_home_that_may_only_be_read_is_looked_into_and_says_so(tmp_path: Path) -> None:
    stage, data = tripoli(tmp_path)
    ann = stage.one
    (tmp_path / "turn.toml").write_bytes(stage.write(ann, data))
    player = Player("Ann", ann.home.folder, tmp_path, in_process=True)
    folders = [ann.home.folder, *(path for path in ann.home.folder.rglob("*") if path.is_dir())]
    for folder in folders:
        folder.chmod(0o500)
    try:
        with rights_hold() as hold:
            if not hold:
                pytest.skip("rights do not hold for this user")
            code, out, said = player.types("inbox")
            assert "Waiting for others" in out or "Your turn" in out, said
            assert code in (0, 2) and "Traceback" not in said
            code, out, said = player.types("watch", "--once")
            assert code == 2 and "cannot" in said + out and "Traceback" not in said
            code, out, said = player.types("show", "turn.toml")
            assert code == 0 and "Traceback" not in said
    finally:
        for folder in folders:
            folder.chmod(0o700)
    assert player.types("watch", "--once")[0] == 0


@pytest.mark.dear("tries thousands of versions")
@pytest.mark.parametrize("is_readable", [True, False], ids=["may be read", "key may not be read"])
def test_a_home_of_another_user_is_looked_into_as_far_as_it_may_be(is_readable: bool) -> None:
    """Truly another user: nothing in the home is theirs, and the key is for its owner's eyes unless
    they open it."""
    with open_to_all() as folder:
        stage, data = tripoli(folder)
        ann = stage.one
        data = stage.write(ann, data)
        (folder / "turn.toml").write_bytes(data)
        commands = (
            ["inbox"],
            ["inbox", "--json"],
            ["watch", "--once"],
            ["show", "turn.toml"],
            ["auto"],
        )
        with stranger(ann.home.folder, folder) as nobody:
            nobody.prepare(*commands)
            ann.receive(stage.write(stage.other, data))
            for path in (folder, *folder.rglob("*")):
                path.chmod(0o755 if path.is_dir() else 0o644)
            if not is_readable:
                (ann.home.folder / "identity.pem").chmod(0o600)
            before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
            inbox, as_json, existing_folders, shown, auto = nobody.types(*commands)
            assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before, (
                "nothing is written"
            )
    for _, out, said in (inbox, as_json, existing_folders, shown, auto):
        assert "Traceback" not in out + said and "pbem itself" not in out + said
    if not is_readable:
        assert {(code, out) for code, out, _ in (inbox, existing_folders, shown, auto)} == {(2, "")}
        assert all(
            "cannot read" in out + said
            for _, out, said in (inbox, as_json, existing_folders, shown, auto)
        )
        return
    assert inbox[0] == 2 and "unkept" in inbox[1] and "Permission denied" in inbox[1], (
        "a turn that it cannot keep"
    )
    kinds = [found["kind"] for found in json.loads(as_json[1])["files"]]
    assert (
        as_json[0] == 2
        and kinds == ["unkept", "damaged"]
        and "identity.pem (hint: chmod 600" in inbox[2]
    )
    assert (
        existing_folders[0] == 2
        and "cannot write" in existing_folders[2]
        and shown[0] == 0
        and "Your hand:" in shown[1]
    )
    assert auto[0] == 0 and "off" in auto[1].split()


def test_the_last_entries_of_loot_write_themselves_a_day_late(tmp_path: Path) -> None:
    """Two of three leave, so the game is over: each home gives its root when the file that asks for
    it is a day old."""
    table = Table.joined(tmp_path, 3)
    dice = random.Random(5)
    for _ in range(40):
        turn = table.game().to_act()
        if turn is None or table.game().is_over():
            break
        own = [entry for entry in table.game().entries if table.game().seat_of(entry) == turn]
        try:
            if len(own) < 2 or turn == 0:
                raise Refused("they play on")
            table.data = take_turn.next_entry(table.opened(turn), Intent(resign=True))
        except Refused:
            table.step(lambda _seat, options: dice.choice(options))
    assert table.game().is_over()
    (new := tmp_path / "new").mkdir()
    sending(table, tmp_path, new)
    for _ in range(4):
        turn = table.game().to_act()
        if turn is None:
            break
        home = table.homes[turn]
        (new / "turn.toml").write_bytes(table.data)
        for later in (False, True):
            watcher = Watcher(home, answers=True)
            done = watcher.round()
            watcher.close()
            assert bool(done.sent) == later, done
            for path in home.folder.glob("games/*/read/*"):
                os.utime(path, (path.stat().st_atime, path.stat().st_mtime - DAY - 10))
        table.data = newest_signed(home)
        assert "root" in turnfile.read(table.data).entries[-1].fields
    assert table.game().to_act() is None, "proven"


@pytest.mark.slow
@pytest.mark.parametrize("last", [12, 0], ids=["its last entries", "all of it"])
def test_loot_is_played_to_its_end_while_everybody_watches(
    tmp_path: Path, days: Days, last: int, record_property: Callable[[str, object], None]
) -> None:
    """Three players decide by hand until the deck and the hands are empty; every watcher looks at
    every entry, writes what decides nothing, and gives its root a day after the file that asks for
    it."""
    whole = whole_game(3, 0)
    begun = whole.fork(len(whole.maker.entries) - last if last else 5)
    table, dice, post = Table.of(begun, tmp_path), random.Random(7), tmp_path / "post"
    post.mkdir()
    mailed = sending(table, tmp_path, post)
    watchers = [Watcher(home, answers=True) for home in table.homes]
    by_themselves: list[int] = []
    began, failed = len(turnfile.read(table.data).entries), []
    while table.game().to_act() is not None:
        number = len(turnfile.read(table.data).entries)
        assert number < 400
        (post / f"{number:04}.toml").write_bytes(table.data)
        done = [watcher.round() for watcher in watchers]
        failed += [text for one in done for text in one.failed]
        sent = [entry for one in done for entry in one.sent]
        if sent:
            (entry,) = sent
            by_themselves.append(entry.entry)
            table.data = max((newest_signed(home) for home in table.homes), key=len)
        elif table.game().is_over():
            assert days.later < 5 * DAY, done
            days.later += DAY + 10
        else:
            table.step(lambda _seat, options: dice.choice(options))
    for watcher in watchers:
        watcher.close()
    game, entries = table.game(), turnfile.read(table.data).entries
    assert game.is_proven() and failed == []
    roots = [entry.number for entry in entries if "root" in entry.fields]
    assert len(roots) == 3 and roots[1:] == by_themselves[-2:] == [
        len(entries) - 2,
        len(entries) - 1,
    ]
    assert len([*mailed.iterdir()]) == len(by_themselves), "each mail once"
    record_property(
        "figure",
        f"Loot of three, {len(entries) - began} entries under watchers: {len(by_themselves)} of"
        " them wrote themselves",
    )


def newest_signed(home: Home) -> bytes:
    return max((path.read_bytes() for path in home.folder.glob("games/*/signed/*.toml")), key=len)


def sending(table: Table, folder: Path, new: Path) -> Path:
    """Let everybody at the table send into a folder, look into `new`, and answer by themselves; the
    folder."""
    mailed, program = folder / "mailed", folder / "send"
    mailed.mkdir()
    program.write_text(f"#!/bin/sh\nn=$(ls {mailed} | wc -l)\ncat > {mailed}/$n\n")
    program.chmod(0o755)
    for home in table.homes:
        (home.folder / "mail.toml").write_text(
            f'inbox = ["{new}"]\n[send]\nprogram = ["{program}"]\n'
        )
        switch_on(home, None, notes=False)
    return mailed
