"""A watcher signs and sends what its player has prepared where they allow it, and nothing else that
decides."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.cli import watch
from pbem.fileformat import turnfile
from pbem.home import outside
from pbem.home.memory import Memory
from pbem.turn import open_game, prepared, take_turn
from pbem.turn.draft_lines import Intent
from pbem.watch.switch import facts, switch_off, switch_on
from tests.support.hex_match import hex_installed
from tests.support.kill_watch import killed_looks
from tests.support.mail_kit import attachment, parsed
from tests.support.watch_kit import Stage, of_two

TREE = ("b2 then b3; if then b4 then d2", "d4 then d5")


@pytest.fixture
def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Stage, bytes]]:
    """Ann has laid the first stone, prepared answers, and is watched; Ben has her turn."""
    monkeypatch.setenv("PBEM_STATE", str(tmp_path / "state"))
    with hex_installed(tmp_path / "site-packages"):
        made, data = of_two(tmp_path, "hex", {"size": 5})
        ann = made.one
        opened = open_game.open_file(data, ann.home)
        data = take_turn.next_entry(opened, Intent(("c3",), prepared=TREE))
        ann.look()
        yield made, data
        for who in (made.one, made.other):
            who.restart()


def plays(stage: Stage, data: bytes, answer: str) -> bytes:
    """Ben's answer, sent to Ann."""
    data = take_turn.next_entry(open_game.open_file(data, stage.other.home), Intent((answer,)))
    stage.send(stage.other, data)
    return data


def memory_of(stage: Stage, data: bytes) -> Memory:
    return Memory(stage.one.home, open_game.open_file(data, None).ledger.game_id)


def test_it_is_off_until_it_is_allowed(stage: tuple[Stage, bytes]) -> None:
    made, data = stage
    ann = made.one
    assert not facts(ann.home).prepared
    plays(made, data, "b2")
    done = ann.look()
    assert not done.sent and [held.rule for held in done.held] == [3]
    assert ann.mails() == [] and len(turnfile.read(ann.newest()).entries) == 4
    switch_on(ann.home, None, notes=False, prepared=True)
    assert facts(ann.home).prepared
    (sent,) = ann.look().sent
    assert (sent.entry, sent.answers, sent.prepared) == (4, ["b3"], ["if b4 then d2"])
    switch_off(ann.home)
    assert not outside.read(ann.home.identity().public).prepared


def test_it_is_signed_and_sent_and_told(stage: tuple[Stage, bytes]) -> None:
    made, data = stage
    ann = made.one
    switch_on(ann.home, None, notes=False, prepared=True)
    data = plays(made, data, "b2")
    done = ann.look()
    assert [(one.entry, list(one.to)) for one in done.sent] == [(4, ["ben@example.org"])]
    assert "b3" in watch.in_words(done) and "if b4 then d2" in watch.in_words(done)
    (mail,) = ann.mails()
    file = turnfile.read(attachment(parsed(mail)))
    assert file.data.startswith(data) and file.entries[-1].list("answers") == ["b3"]
    assert set(file.entries[-1].fields) == {"seat", "date", "nonce", "answers", "position"}
    plays(made, file.data, "b4")
    (sent,) = ann.look().sent
    assert (sent.answers, sent.prepared) == (["d2"], [])
    assert not ann.look().sent and len(ann.mails()) == 2


def test_what_fits_nothing_is_left_to_its_player(stage: tuple[Stage, bytes]) -> None:
    made, data = stage
    switch_on(made.one.home, None, notes=False, prepared=True)
    plays(made, data, "e5")
    assert not made.one.look().sent and made.one.mails() == []
    assert prepared.are_kept(memory_of(made, data)), "what its player is told of is theirs to hear"


def test_two_versions_that_come_together_are_not_answered(stage: tuple[Stage, bytes]) -> None:
    made, data = stage
    switch_on(made.one.home, None, notes=False, prepared=True)
    plays(made, data, "b2")
    for path in made.other.home.folder.glob("games/*/signed/0003.toml"):
        path.unlink()
    state = outside.folder_of(made.other.home.identity().public) / "signed"
    for path in state.iterdir():
        path.unlink()
    for path in made.other.home.folder.glob("games/*/read/0003*"):
        path.unlink()
    other = take_turn.next_entry(open_game.open_file(data, made.other.home), Intent(("d4",)))
    made.one.receive(other, "other.toml")
    done = made.one.look()
    assert not done.sent and made.one.mails() == []
    assert [held.rule for held in done.held] == [2]


def test_what_was_taken_back_is_not_signed(stage: tuple[Stage, bytes]) -> None:
    made, data = stage
    switch_on(made.one.home, None, notes=False, prepared=True)
    file, memory = turnfile.read(data), memory_of(made, data)
    assert prepared.take_back(memory, file, ["1"])
    plays(made, data, "b2")
    assert not made.one.look().sent and made.one.mails() == []


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="what is killed is waited for")
@pytest.mark.dear("kills watchers")
def test_a_killed_watcher_signs_and_sends_one_prepared_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_STATE", str(tmp_path / "stage" / "state"))
    with hex_installed(tmp_path / "site-packages"):
        made, data = of_two(tmp_path / "stage", "hex", {"size": 5})
        ann = made.one
        opened = open_game.open_file(data, ann.home)
        data = take_turn.next_entry(opened, Intent(("c3",), prepared=TREE))
        switch_on(ann.home, None, notes=False, prepared=True)
        ann.look()
        ann.restart()
        plays(made, data, "b2")
        killed = killed_looks(tmp_path / "stage", tmp_path / "killed", "Ann", [20, 40, 55, 65, 75])
    assert len(killed) == 5
    for step in killed:
        home = tmp_path / "killed" / str(step) / "home-of-ann"
        (signed,) = home.glob("games/*/signed/0004.toml")
        assert turnfile.read(signed.read_bytes()).entries[-1].list("answers") == ["b3"]
        sent = {one.read_bytes() for one in (home.parent / "sent-by-ann").iterdir()}
        assert len(sent) == 1 and attachment(parsed(sent.pop())) == signed.read_bytes()
