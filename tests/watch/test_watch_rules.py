"""The seven rules of entries that write themselves, each broken by whoever writes to a home that
watches."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pbem.errors import Refused
from pbem.fileformat import turnfile
from pbem.fileformat.encoding import b64
from pbem.home import outbox, outside
from pbem.home.clock import now
from pbem.home.home import Home
from pbem.home.outside import BY_HAND
from pbem.ledger.gate import ALLOWED, decides_nothing
from pbem.mail.compose import turn_mail
from pbem.turn import inbox, joining, named_file, open_game, outgoing, questions, take_turn
from pbem.turn.draft_lines import Intent
from pbem.turn.extras import clock_fields
from pbem.turn.signing import body_of
from pbem.watch import failing, gather, rules
from pbem.watch.rules import DAY, Facts
from pbem.watch.switch import switch_on
from tests.support import read_game
from tests.support.homes import another_computer, copy_homes, make_home
from tests.support.loot_homes import Table
from tests.support.watch_kit import Correspondent, Stage, correspondent, of_two, solitaire, tripoli

FINE = Facts(
    is_home_on=True,
    mark="",
    why="",
    is_witness=False,
    newest_join=1,
    own=(0, 2),
    is_extended=True,
    second_version=None,
    fields=frozenset(("seat", "date", "nonce", "proof", "position")),
    is_draw_offered=False,
    addresses=("ben@example.org",),
    is_reached=True,
    today=0,
    today_in_all=0,
    lacking="",
    is_noted=True,
    ended=0.0,
    came=0.0,
    now=10.0,
    has_notes=False,
    may_reveal_notes=False,
    is_prepared=False,
    may_answer_prepared=False,
)


def test_an_entry_that_decides_nothing_may_be_written() -> None:
    assert rules.may_answer(FINE) is None


@pytest.mark.parametrize(
    ("rule", "change"),
    [
        (0, {"is_home_on": False}),
        (0, {"mark": "by hand"}),
        (1, {"own": (0,)}),
        (1, {"own": ()}),
        (1, {"newest_join": 3}),
        (1, {"is_witness": True}),
        (2, {"second_version": 1}),
        (2, {"is_extended": False}),
        (3, {"fields": None}),
        (3, {"is_draw_offered": True}),
        (3, {"is_prepared": True, "fields": frozenset(("answers",))}),
        (3, {"is_prepared": True, "may_answer_prepared": True, "is_draw_offered": True}),
        (2, {"is_prepared": True, "may_answer_prepared": True, "second_version": 1}),
        *(
            (3, {"fields": frozenset(("proof", name))})
            for name in ("answers", "orders", "seals", "message", "draw")
        ),
        (3, {"fields": frozenset(("resign", "root"))}),
        (4, {"addresses": ()}),
        (4, {"is_reached": False}),
        (4, {"today": 100}),
        (4, {"today_in_all": 400}),
        (5, {"lacking": "turn 2 of this game was signed on this computer"}),
        (5, {"is_noted": False}),
        (6, {"fields": frozenset(("proof", "root"))}),
        (6, {"fields": frozenset(("root",)), "has_notes": True, "now": 2.0 * DAY}),
        (7, {"fields": frozenset(("end",))}),
        (7, {"fields": frozenset(("end",)), "now": 30.5 * DAY}),
        (7, {"fields": frozenset(("end",)), "ended": -30.0 * DAY, "now": 1.5 * DAY}),
        (7, {"fields": frozenset(("end",)), "ended": 90.0 * DAY, "now": 31.0 * DAY}),
    ],
)
def test_each_rule_holds_an_entry_back(rule: int, change: dict[str, object]) -> None:
    held = rules.may_answer(replace(FINE, **change))  # type: ignore[arg-type]
    assert held is not None and held.rule == rule and held.reason


@pytest.mark.parametrize(
    ("change", "until"),
    [
        ({"today": 100, "now": 5.5 * DAY}, 5.5 * DAY + 3600),
        ({"fields": frozenset(("root",)), "came": 4.0 * DAY, "now": 4.5 * DAY}, 5.0 * DAY),
        ({"fields": frozenset(("end",)), "came": 4.0 * DAY, "now": 4.5 * DAY}, 5.0 * DAY),
        ({"fields": frozenset(("end",)), "now": 31.0 * DAY}, None),
        ({"is_noted": False}, None),
    ],
)
def test_what_time_alone_holds_back_is_looked_at_again_then(
    change: dict[str, object], until: float | None
) -> None:
    held = rules.may_answer(replace(FINE, **change))  # type: ignore[arg-type]
    assert held is not None and held.until == until


def test_why_a_game_is_played_by_hand_is_said_where_it_is_known() -> None:
    bare, known = (
        rules.may_answer(replace(FINE, mark=BY_HAND, why=why)) for why in ("", "two versions")
    )
    assert bare is not None and known is not None
    assert known.reason == f"{bare.reason}: two versions"


def test_a_day_is_one_and_its_last_mails_go_out() -> None:
    """docs/mail.md, "Entries that write themselves"."""
    assert (DAY, rules.LAST) == (86_400, 30 * 86_400)
    assert rules.may_answer(replace(FINE, today=99, today_in_all=399)) is None


def test_a_witness_that_is_switched_on_and_a_root_a_day_later_may_be_written() -> None:
    witness = replace(FINE, is_witness=True, mark="on", newest_join=3, is_home_on=False, own=(1,))
    assert rules.may_answer(witness) is None
    inviting = rules.may_answer(replace(witness, own=(0,)))
    assert inviting is not None and inviting.rule == 1, "who invites settles who plays, by hand"
    late = replace(FINE, fields=frozenset(("root",)), now=float(DAY))
    assert rules.may_answer(late) is None
    assert rules.may_answer(replace(late, has_notes=True, may_reveal_notes=True)) is None


def test_that_the_end_was_seen_may_be_written_after_a_day_and_for_a_month() -> None:
    seen = replace(FINE, fields=frozenset(("seat", "date", "nonce", "end", "position")))
    assert rules.may_answer(replace(seen, now=float(DAY))) is None
    assert rules.may_answer(replace(seen, now=30.0 * DAY)) is None


# ---- with homes and mails ------------------------------------------------------------------------


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[tuple[Stage, bytes]]:
    """Ann has made her first play of a game that Ben witnesses, and has not sent it."""
    stage, data = solitaire(tmp_path)
    yield stage, stage.write(stage.one, data)
    for who in (stage.one, stage.other):
        who.restart()


@pytest.fixture
def two(tmp_path: Path) -> Iterator[tuple[Stage, bytes]]:
    """Ann and Ben play on until one of them owes nothing but a proof."""
    stage, data = tripoli(tmp_path)
    yield stage, data
    for who in (stage.one, stage.other):
        who.restart()


def signed(who: Correspondent) -> list[str]:
    return sorted(path.name for path in who.home.folder.glob("games/*/signed/*.toml"))


def copied(who: Correspondent, to: Path) -> Home:
    """The home as it is now: with it its player can sign another version of whatever comes next."""
    copy_homes(who.home.folder, to)
    return Home(to)


def mail(data: bytes) -> bytes:
    made = turn_mail(turnfile.read(data), "turn.toml", None)
    assert made is not None
    return made


# Rule 1


def test_no_join_is_answered_by_itself(tmp_path: Path) -> None:
    """Eve and Ben want the one free seat: an answer to either would settle who plays."""
    ann, ben = correspondent(tmp_path, "Ann", ["Ben"]), correspondent(tmp_path, "Ben", ["Ann"])
    eve = make_home(tmp_path / "eve", "Eve")
    data = joining.invite(ann.home, joining.NewGame("tripoli"))
    switch_on(ann.home, None, notes=False)
    switch_on(ben.home, None, notes=False)
    ann.look()
    for home in (ben.home, eve):
        ann.receive(joining.join(open_game.open_file(data, home), home))
        assert ann.look().sent == []
    ben.receive(data)
    assert ben.look().sent == [] and signed(ben) == ["0001.toml"], "it joined by hand"
    assert signed(ann) == ["0000.toml"] and not ann.mails()
    stage = Stage(ann, ben)
    chosen = next(
        path
        for path in ann.home.folder.glob("games/*/read/0001-*")
        if b'"Ben"' in path.read_bytes()
    )
    stage.write(ann, chosen.read_bytes())
    ann.restart()
    ann.look()
    assert outside.read(ann.home.identity().public).games == {}, (
        "a join that was not taken is no second version"
    )
    ann.restart()
    ben.restart()


def test_a_witness_never_joins_by_itself_and_is_switched_on_for_each_game(tmp_path: Path) -> None:
    ann, ben = correspondent(tmp_path, "Ann", ["Ben"]), correspondent(tmp_path, "Ben", ["Ann"])
    switch_on(ben.home, None, notes=False)
    ben.look()
    key = b64(ben.home.identity().public)
    data = joining.invite(
        ann.home,
        joining.NewGame("tripoli-solitaire", options={"witness": 1}, witnesses=[key]),
    )
    ben.receive(data)
    done = ben.look()
    assert (
        [news.kind for news in done.news] == ["invitation"]
        and done.sent == []
        and signed(ben) == []
    )
    data = joining.join(open_game.open_file(data, ben.home), ben.home)
    data = Stage(ann, ben).write(ann, data)
    ben.receive(data)
    done = ben.look()
    assert (
        [held.rule for held in done.held] == [1]
        and done.sent == []
        and signed(ben) == ["0001.toml"]
    )
    switch_on(ben.home, "tripoli-solitaire", notes=False)
    assert [one.entry for one in ben.look().sent] == [3]
    ben.restart()


# Rule 2


def test_of_two_versions_in_one_batch_neither_is_answered(
    alone: tuple[Stage, bytes], tmp_path: Path
) -> None:
    stage, data = alone
    ann, ben = stage.one, stage.other
    before = turnfile.read(data).prefix(2)
    # Ann has the file alone, and throws what she signed away
    shutil.rmtree(ann.home.folder / "games")
    opened = open_game.open_file(before, ann.home, nothing_newer=True)
    other = take_turn.next_entry(opened, Intent(stage.chosen(ann, before), message="another nonce"))
    assert other != data
    ben.receive(data)
    ben.receive(other)
    done = ben.look()
    assert done.sent == [] and signed(ben) == ["0001.toml"] and not ben.mails()
    assert [held.rule for held in done.held] == [2]
    assert {news.kind for news in done.news} >= {"version"}
    kept = outside.read(ben.home.identity().public)
    assert list(kept.games.values()) == [BY_HAND] and "two versions" in next(
        iter(kept.why.values())
    )
    for again in (data, other):
        ben.restart()
        ben.receive(again)
        assert ben.look().sent == []
    switch_on(ben.home, "tripoli", notes=False)
    ben.restart()
    assert ben.look().sent == [] and signed(ben) == ["0001.toml"], (
        "two versions are known all the same"
    )


def test_a_version_that_comes_after_the_answer_is_never_answered(
    alone: tuple[Stage, bytes], tmp_path: Path
) -> None:
    stage, data = alone
    ann, ben = stage.one, stage.other
    ben.receive(data)
    assert [one.entry for one in ben.look().sent] == [3]
    before = turnfile.read(data).prefix(2)
    shutil.rmtree(ann.home.folder / "games")
    opened = open_game.open_file(before, ann.home, nothing_newer=True)
    ben.receive(take_turn.next_entry(opened, Intent(stage.chosen(ann, before))))
    assert (
        ben.look().sent == []
        and signed(ben) == ["0001.toml", "0003.toml"]
        and len(ben.mails()) == 1
    )


# Rule 3


def test_what_is_written_holds_nothing_that_decides(alone: tuple[Stage, bytes]) -> None:
    """Every entry of the witness was written by itself, and nothing else was."""
    stage, data = alone
    ann, ben = stage.one, stage.other
    stage.send(ann, data)
    for _ in range(5):
        ben.look()
        ann.look()
        data = ann.newest()
        game = read_game.replay_bytes(data)
        if game.to_act() != 0 or game.is_over():
            break
        data = stage.write(ann, data)
        stage.send(ann, data)
    entries = turnfile.read(data).entries
    proofs = [entry for entry in entries[2:] if entry.seat == "witness"]
    assert proofs and all(entry.fields.keys() <= ALLOWED for entry in proofs)
    assert len(ben.mails()) == len(proofs) and not ann.mails()


def test_a_proof_is_answered_and_nothing_is_sealed_ahead(two: tuple[Stage, bytes]) -> None:
    stage, data = two
    stage.dice = random.Random(4)  # with which it is soon due
    data, who = stage.to_a_proof(data)
    who.receive(data)
    (done,) = who.look().sent
    newest = turnfile.read(who.newest()).entries[-1]
    assert (
        newest.number == done.entry and "proof" in newest.fields and newest.fields.keys() <= ALLOWED
    )


@pytest.mark.parametrize("entries", [16, pytest.param(40, marks=pytest.mark.slow)])
def test_a_question_with_one_legal_answer_is_a_question(
    two: tuple[Stage, bytes], entries: int
) -> None:
    stage, data = two
    alone = 0
    for number in range(entries):
        game = read_game.replay_bytes(data)
        turn = game.to_act()
        if turn is None or game.is_over():
            break
        who = stage.one if turn == 0 else stage.other
        facts = questions.moves(open_game.open_file(data, who.home), [])
        if facts.options and number:
            who.receive(data)
            done = who.look()
            assert done.sent == [] and [held.rule for held in done.held] in ([1], [3], []), (
                number,
                done,
            )
            alone += len(facts.options) == 1
        data = stage.write(who, data)
    assert alone


def test_an_offered_draw_is_not_answered(two: tuple[Stage, bytes]) -> None:
    stage, data = two
    data = stage.write(stage.one, data)
    game = read_game.replay_bytes(data)
    who = stage.one if game.to_act() == 0 else stage.other
    opened = open_game.open_file(data, who.home)
    data = take_turn.next_entry(opened, Intent(draw="offer"))
    other = stage.other if who is stage.one else stage.one
    other.receive(data)
    assert other.look().sent == []


# Rule 4


def test_a_mail_goes_to_the_addresses_in_the_first_entries_whatever_the_mail_said(
    alone: tuple[Stage, bytes],
) -> None:
    stage, data = alone
    forged = mail(data).replace(
        b"\r\nDate:", b"\r\nReply-To: eve@example.net\r\nCc: eve@example.net\r\nDate:", 1
    )
    forged = forged.replace(b"From: Ann <ann@example.org>", b"From: Eve <eve@example.net>")
    stage.other.receive(forged)
    (done,) = stage.other.look().sent
    assert done.to == ("ann@example.org",)
    (sent,) = stage.other.mails()
    assert b"eve@" not in sent.partition(b"\n\n")[0] and b"To: Ann <ann@example.org>" in sent
    assert stage.other.look().sent == [], "once"


def test_so_many_a_day(alone: tuple[Stage, bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    stage, data = alone
    ann, ben = stage.one, stage.other
    monkeypatch.setattr(rules, "MOST_IN_A_GAME", 1)
    ben.receive(data)
    assert len(ben.look().sent) == 1
    ann.look()
    data = stage.write(ann, ann.newest())
    ben.receive(data)
    done = ben.look()
    assert done.sent == [] and [held.rule for held in done.held] == [4]


def test_versions_games_and_megabytes_are_bounded(
    alone: tuple[Stage, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage, data = alone
    ann, ben = stage.one, stage.other
    before = turnfile.read(data).prefix(2)
    for number in range(inbox.MOST_VERSIONS + 3):
        shutil.rmtree(ann.home.folder / "games")
        opened = open_game.open_file(before, ann.home, nothing_newer=True)
        chosen = stage.chosen(ann, before)
        ben.receive(take_turn.next_entry(opened, Intent(chosen, message=str(number))))
    done = ben.look()
    kept = [*ben.home.folder.glob("games/*/read/0002-*")]
    assert len(kept) == inbox.MOST_VERSIONS and done.sent == []
    assert any(
        news.kind == "problem" and f"{inbox.MOST_VERSIONS} " in news.text for news in done.news
    )
    monkeypatch.setattr(inbox, "MOST_INVITATIONS", 2)
    for _ in range(4):
        ben.receive(joining.invite(ann.home, joining.NewGame("tripoli")))
    ben.look()
    assert len([*ben.home.folder.glob("games/*")]) == 1 + 2
    monkeypatch.setattr(inbox, "MOST_INVITATIONS", 100)
    monkeypatch.setattr(inbox, "MOST_A_DAY", 5)
    ben.receive(joining.invite(ann.home, joining.NewGame("tripoli")))
    assert any("megabytes" in news.text for news in ben.look().news)
    assert len([*ben.home.folder.glob("games/*")]) == 1 + 2


def test_nothing_is_signed_that_could_not_be_sent(alone: tuple[Stage, bytes]) -> None:
    stage, data = alone
    path = stage.other.home.folder / "mail.toml"
    settings = path.read_text()
    path.write_text(settings.partition("[send]")[0])
    stage.other.receive(data)
    done = stage.other.look()
    assert [held.rule for held in done.held] == [4] and signed(stage.other) == ["0001.toml"]


def test_what_could_not_be_sent_is_sent_later_with_the_same_bytes(
    alone: tuple[Stage, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    stage, data = alone
    ben = stage.other
    monkeypatch.setattr(failing, "FIRST", 0.0)
    monkeypatch.setattr(outbox, "FIRST", 0.0)
    program = next(ben.home.folder.parent.glob("send-for-ben"))
    works = program.read_text()
    program.write_text("#!/bin/sh\ncat >> " + str(program) + ".tried\nexit 75\n")
    ben.receive(data)
    assert ben.look().sent == [] and signed(ben) == ["0001.toml", "0003.toml"]
    (mail,) = ben.home.folder.glob("games/*/outgoing/*.eml")
    assert ben.look().sent == []
    program.write_text(works)
    ben.restart()
    assert [one.entry for one in ben.look().sent] == [3]
    (sent,) = ben.mails()
    tried = program.with_suffix(".tried").read_bytes()
    assert (
        tried == sent * (len(tried) // len(sent))
        and len(tried) >= 2 * len(sent)
        and not mail.exists()
    )
    assert ben.look().sent == []


def test_what_the_player_has_sent_is_not_sent_again(alone: tuple[Stage, bytes]) -> None:
    stage, data = alone
    ben = stage.other
    program = next(ben.home.folder.parent.glob("send-for-ben"))
    works = program.read_text()
    program.write_text("#!/bin/sh\nexit 75\n")
    ben.receive(data)
    assert ben.look().sent == []
    program.write_text(works)
    outgoing.send(
        ben.home,
        named_file.find(next(ben.home.folder.glob("games/*/signed/0003.toml")), ben.home).turn,
    )
    ben.restart()
    assert ben.look().sent == [] and len(ben.mails()) == 1


def test_a_mistake_in_one_game_stops_no_other(
    alone: tuple[Stage, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    stage, data = alone
    ben = stage.other
    other = joining.invite(ben.home, joining.NewGame("tripoli"))
    switch_on(ben.home, None, notes=False)
    candidate, broken = gather.candidate, read_game.replay_bytes(other).game_id

    def fails(home: Home, found: bytes, *rest: Any) -> Any:
        if read_game.replay_bytes(found).game_id == broken:
            raise AssertionError("a mistake")
        return candidate(home, found, *rest)

    monkeypatch.setattr(gather, "candidate", fails)
    ben.receive(data)
    done = ben.look()
    assert [one.entry for one in done.sent] == [3]
    assert any(AssertionError.__name__ in one.text for one in done.news)


# Rule 5


def test_a_restored_home_is_not_answered_from(alone: tuple[Stage, bytes], tmp_path: Path) -> None:
    stage, data = alone
    ben = stage.other
    copied(ben, tmp_path / "copy")
    ben.receive(data)
    assert [one.entry for one in ben.look().sent] == [3]
    first = ben.newest()
    ben.restart()
    shutil.rmtree(ben.home.folder)
    copy_homes(tmp_path / "copy", ben.home.folder)
    ben.receive(data)
    done = ben.look()
    assert [held.rule for held in done.held] == [5] and done.sent == []
    assert signed(ben) == ["0001.toml"] and len(ben.mails()) == 1
    ben.receive(first)
    assert ben.look().sent == [] and signed(ben) == ["0001.toml", "0003.toml"], (
        "it is taken in as it was"
    )
    assert ben.newest() == first


def test_a_turn_of_a_key_on_another_computer_is_not_taken_in_by_itself(
    alone: tuple[Stage, bytes], tmp_path: Path
) -> None:
    stage, data = alone
    ben = stage.other
    copied(ben, tmp_path / "copy")
    ben.receive(data)
    assert [one.entry for one in ben.look().sent] == [3]
    first = ben.newest()
    # that was noted elsewhere
    shutil.rmtree(outside.folder_of(ben.home.identity().public) / "signed")
    ben.restart()
    shutil.rmtree(ben.home.folder)
    copy_homes(tmp_path / "copy", ben.home.folder)
    ben.receive(first)
    assert ben.look().sent == [] and signed(ben) == ["0001.toml"]


def test_what_was_signed_by_hand_counts_outside_too(
    alone: tuple[Stage, bytes], tmp_path: Path
) -> None:
    stage, data = alone
    ben = stage.other
    copied(ben, tmp_path / "copy")
    Stage(ben, stage.one).write(ben, data)
    shutil.rmtree(ben.home.folder)
    copy_homes(tmp_path / "copy", ben.home.folder)
    ben.receive(data)
    done = ben.look()
    assert [held.rule for held in done.held] == [5] and signed(ben) == ["0001.toml"]


# Rule 6


def over(stage: Stage, data: bytes) -> bytes:
    """Ann gives up: the file that asks for Ben's root."""
    who = stage.one if read_game.replay_bytes(data).to_act() == 0 else stage.other
    return take_turn.next_entry(open_game.open_file(data, who.home), Intent(resign=True))


def came_earlier(who: Correspondent, seconds: float) -> None:
    """Whatever was read came so much earlier."""
    for path in who.home.folder.glob("games/*/read/*"):
        state = path.stat()
        os.utime(path, (state.st_mtime - seconds, state.st_mtime - seconds))
    who.restart()


def played_and_over(stage: Stage, data: bytes) -> tuple[bytes, Correspondent]:
    for _ in range(6):
        data = stage.write(
            stage.one if read_game.replay_bytes(data).to_act() == 0 else stage.other, data
        )
    other = stage.other if read_game.replay_bytes(data).to_act() == 0 else stage.one
    return over(stage, data), other


def test_a_root_goes_out_a_day_later(two: tuple[Stage, bytes]) -> None:
    stage, data = two
    data, other = played_and_over(stage, data)
    other.receive(data)
    done = other.look()
    assert [held.rule for held in done.held] == [6] and done.sent == []
    came_earlier(other, DAY - 100)
    assert other.look().sent == []
    came_earlier(other, 101)
    assert len(other.look().sent) == 1
    assert "root" in turnfile.read(other.newest()).entries[-1].fields


def test_a_second_version_within_the_day_keeps_the_root(
    two: tuple[Stage, bytes], tmp_path: Path
) -> None:
    stage, data = two
    for _ in range(6):
        data = stage.write(
            stage.one if read_game.replay_bytes(data).to_act() == 0 else stage.other, data
        )
    one, other = (
        (stage.one, stage.other)
        if read_game.replay_bytes(data).to_act() == 0
        else (stage.other, stage.one)
    )
    copy = copied(one, tmp_path / "copy")
    ended = over(stage, data)
    other.receive(ended)
    assert other.look().sent == []
    with another_computer():
        opened = open_game.open_file(data, copy)
        second = take_turn.next_entry(opened, Intent(resign=True, message="no, wait"))
    other.receive(second)
    assert other.look().sent == []
    came_earlier(other, 3 * DAY)
    assert other.look().sent == []
    switch_on(other.home, "tripoli", notes=False)
    assert other.look().sent == []


def test_notes_are_revealed_only_where_the_player_agreed(two: tuple[Stage, bytes]) -> None:
    stage, data = two
    for _ in range(6):
        who = stage.one if read_game.replay_bytes(data).to_act() == 0 else stage.other
        opened, note = open_game.open_file(data, who.home), "They have no frigate left."
        data = take_turn.next_entry(opened, Intent(stage.chosen(who, data), note=note))
    other = stage.other if read_game.replay_bytes(data).to_act() == 0 else stage.one
    other.receive(over(stage, data))
    other.look()
    came_earlier(other, 2 * DAY)
    assert [held.rule for held in other.look().held] == [6]
    switch_on(other.home, None, notes=True)
    assert len(other.look().sent) == 1
    assert "root" in turnfile.read(other.newest()).entries[-1].fields


# Rule 7


@pytest.fixture
def match(tmp_path: Path) -> Iterator[tuple[Stage, bytes, Correspondent, Correspondent]]:
    """A game of backgammon that one of the two gives up: its file, who gave up, and who won."""
    stage, data = of_two(tmp_path, "backgammon", {"match": 25})
    for _ in range(6):
        data = stage.write(
            stage.one if read_game.replay_bytes(data).to_act() == 0 else stage.other, data
        )
    one, other = (
        (stage.one, stage.other)
        if read_game.replay_bytes(data).to_act() == 0
        else (stage.other, stage.one)
    )
    yield stage, over(stage, data), one, other
    for who in (stage.one, stage.other):
        who.restart()


def test_that_the_end_was_seen_goes_out_a_day_later_and_once(
    match: tuple[Stage, bytes, Correspondent, Correspondent],
) -> None:
    """Nobody waits for it, so nothing is told before."""
    _, data, loser, winner = match
    winner.receive(data)
    first = winner.look()
    assert first.sent == [] and first.held == []
    came_earlier(winner, DAY - 100)
    assert winner.look().sent == []
    came_earlier(winner, 101)
    assert len(winner.look().sent) == 1
    entry = turnfile.read(winner.newest()).entries[-1]
    assert (
        set(entry.fields) == {"seat", "date", "nonce", "end", "position"}
        and entry.fields["end"] == "seen"
    )
    came_earlier(winner, DAY)
    assert winner.look().sent == [] and len(winner.mails()) == 1
    done = loser.look()
    (news,) = done.news
    assert (news.kind, news.entry) == ("turn", len(turnfile.read(winner.newest()).entries) - 1)
    came_earlier(loser, DAY)
    assert loser.look().sent == [], "they wrote the last turn"


def test_a_witness_of_solitaire_signs_the_end_too(alone: tuple[Stage, bytes]) -> None:
    stage, data = alone
    ann, ben = stage.one, stage.other
    ben.receive(data)
    ben.look()
    ann.look()
    data = take_turn.next_entry(open_game.open_file(ann.newest(), ann.home), Intent(resign=True))
    ben.receive(data)
    assert ben.look().sent == []
    came_earlier(ben, DAY)
    assert len(ben.look().sent) == 1
    newest = turnfile.read(ben.newest()).entries[-1]
    assert (newest.seat, newest.fields.get("end")) == ("witness", "seen")


def test_an_end_of_long_ago_is_not_signed(
    match: tuple[Stage, bytes, Correspondent, Correspondent],
) -> None:
    _, data, _, winner = match
    winner.receive(data)
    winner.look()
    came_earlier(winner, 30 * DAY + 100)
    done = winner.look()
    assert done.sent == [] and done.held == []


def test_where_two_versions_are_known_no_end_is_signed(
    match: tuple[Stage, bytes, Correspondent, Correspondent],
) -> None:
    _, data, loser, winner = match
    shutil.rmtree(loser.home.folder / "games")
    before = turnfile.read(data).prefix(len(turnfile.read(data).entries) - 1)
    with another_computer():
        opened = open_game.open_file(before, loser.home, nothing_newer=True)
        second = take_turn.next_entry(opened, Intent(resign=True, message="no, wait"))
    winner.receive(data)
    winner.receive(second)
    winner.look()
    came_earlier(winner, 2 * DAY)
    assert winner.look().sent == []
    switch_on(winner.home, "backgammon", notes=False)
    assert (
        winner.look().sent == [] and "end" not in turnfile.read(winner.newest()).entries[-1].fields
    )


def test_with_a_clock_an_entry_says_when_the_file_was_seen_and_no_more(tmp_path: Path) -> None:
    ann, ben = correspondent(tmp_path, "Ann", ["Ben"]), correspondent(tmp_path, "Ben", ["Ann"])
    key, time = b64(ben.home.identity().public), clock_fields("30+3", 7)
    data = joining.invite(
        ann.home,
        joining.NewGame("tripoli-solitaire", options={"witness": 1}, witnesses=[key], clock=time),
    )
    data = joining.join(open_game.open_file(data, ben.home), ben.home)
    switch_on(ben.home, "tripoli", notes=False)
    ben.receive(Stage(ann, ben).write(ann, data))
    assert [one.entry for one in ben.look().sent] == [3]
    fields = turnfile.read(ben.newest()).entries[-1].fields
    assert set(fields) == {"seat", "date", "nonce", "received", "proof", "position"}
    ben.restart()


def test_the_fields_of_such_an_entry_are_those_and_nothing_else() -> None:
    listed = (
        "seat",
        "date",
        "nonce",
        "received",
        "proof",
        "openings",
        "chosen",
        "opened-plans",
        "shares",
        "box",
        "root",
        "position",
    )
    assert {*listed, "end"} == ALLOWED


# The common deck


def test_shares_are_given_and_nothing_else(tmp_path: Path) -> None:
    """Loot among three: wherever an entry decides nothing it holds shares, boxes or the root, and
    no more."""
    table, dice = Table(tmp_path, 3), random.Random(3)
    table.seat_all()
    kinds: set[str] = set()
    for _ in range(40):
        turn = table.game().to_act()
        if turn is None or "shares" in kinds:
            break
        opened = table.opened(turn)
        try:
            draft = take_turn.draft(opened)
        except Refused:
            pass
        else:
            fields = body_of(draft, table.data, now(), bytes(32)).fields
            assert decides_nothing(fields)
            kinds |= fields.keys()
        table.step(lambda _seat, options: dice.choice(options))
    assert "shares" in kinds
