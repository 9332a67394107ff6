"""A game in a chat: the updates, without a browser and without a messenger."""

from __future__ import annotations

import base64
import hashlib
import random
import re
import time
from pathlib import Path
from typing import Any

import pytest

from pbem.crypto import primitives
from pbem.fileformat import turnfile
from pbem.fileformat.turnfile import write_signature
from pbem.home.game_index import game_folders
from pbem.ledger.gate import replay
from pbem.ledger.signatures import SIGNATURE_TAG
from pbem.web import chat, updates
from tests.support.chat_kit import Chat, Member, Payload, kept


def people(folder: Path, *names: str) -> list[Member]:
    return [Member(folder, name) for name in names]


def onlooker(folder: Path, name: str) -> Member:
    """Somebody who never joins."""
    made = Member(folder, name)
    made.act = lambda: False  # type: ignore[method-assign]
    return made


def only(files: dict[str, bytes]) -> bytes:
    (data,) = files.values()
    return data


def begun(folder: Path, turns: int = 2) -> tuple[Chat, Member, Member]:
    """Ann and Ben, some turns into a game of backgammon."""
    ann, ben = people(folder, "Ann", "Ben")
    group = Chat(ann, ben)
    ann.invite("backgammon", match=1)
    group.play(turns)
    group.settle()
    return group, ann, ben


def test_a_game_goes_by_updates_and_whoever_watches_has_it_too(tmp_path: Path) -> None:
    ann, ben = people(tmp_path, "Ann", "Ben")
    cleo = onlooker(tmp_path, "Cleo")
    group = Chat(ann, ben, cleo)
    ann.invite("backgammon", match=1)
    group.play(12)
    group.settle()
    data = only(ann.newest())
    assert [only(ben.newest()), only(cleo.newest())] == [data, data]
    assert len(group.sent) == len(turnfile.read(data).entries), "each turn went once"
    assert ann.lines == ben.lines == cleo.lines == []
    assert ann.shown[0] == ("Ann invites you to Backgammon", "Backgammon: a seat is free")
    assert ben.shown[0][0].endswith("Ben joins and plays Black; it is Ann's turn")
    assert all(len(line) <= 200 and len(summary) <= 40 for line, summary in ann.shown + ben.shown)


@pytest.mark.parametrize("seed", range(3))
def test_lost_doubled_late_and_out_of_order_updates_are_asked_for_and_once_only(
    tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody loses the newest one twice: then nobody would know that there is one."""
    chance, lost = random.Random(seed), set[str]()
    ann, ben = people(tmp_path, "Ann", "Ben")
    cleo = onlooker(tmp_path, "Cleo")
    group = Chat(ann, ben, cleo)

    def way(member: Member, payload: Payload) -> int:
        chance.shuffle(member.held)
        text = f"{member.name}{sorted(payload.items())}"
        if member is cleo and "turn" in payload and text not in lost and chance.random() < 0.4:
            lost.add(text)
            return 0
        return chance.choice((1, 1, 2))

    group.way = way
    ann.invite("backgammon", match=1)
    group.play(14)
    group.settle()
    assert only(ben.newest()) == only(ann.newest()) and len(lost) > 2
    group.way = lambda _member, _payload: 1
    now = time.time() + 2 * chat.HOUR
    monkeypatch.setattr(chat.time, "time", lambda: now)
    assert ann.act() or ben.act()
    group.settle()
    assert only(cleo.newest()) == only(ann.newest()) == only(ben.newest())


def test_whoever_comes_later_asks_and_only_authors_answer_once_in_an_hour(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    group, ann, ben = begun(tmp_path, 6)
    cleo = onlooker(tmp_path, "Cleo")
    late = Chat(ann, ben, cleo)
    assert ann.act() or ben.act()
    late.settle()
    asked = [one for one in late.sent if "ask" in one]
    numbers = len(turnfile.read(only(ann.newest())).entries)
    assert [(one["from"], one["to"]) for one in asked] == [(0, numbers - 2)]
    assert only(cleo.newest()) == only(ann.newest())
    sent = [one["number"] for one in late.sent if "turn" in one]
    assert sorted(sent[1:]) == list(range(numbers - 1)), "each by its author alone"
    count = len(late.sent)
    late.send(cleo, {"payload": asked[0]})
    late.settle()
    assert len(late.sent) == count + 1, "once in an hour"
    now = time.time() + chat.HOUR + 1
    monkeypatch.setattr(chat.time, "time", lambda: now)
    late.send(cleo, {"payload": {**asked[0], "from": 1, "to": 1}})
    late.settle()
    again = [one for one in late.sent[count + 2 :] if "turn" in one]
    assert [one["number"] for one in again] == [1] and again[0] in group.sent, "the same bytes"


def test_an_unsent_turn_goes_again_after_a_kill_as_the_same_bytes(tmp_path: Path) -> None:
    group, ann, ben = begun(tmp_path)
    writer, other = (ann, ben) if ann.act() else (ben, ann)
    writer.act()
    first = writer.read()
    assert len(first) == 1 and first[0]["info"]
    again = writer.read()  # nothing has come back: killed before it went
    assert again == first
    group.send(writer, again[0])
    group.send(writer, again[0])
    group.settle()
    assert only(other.newest()) == only(writer.newest())
    assert writer.read() == []
    signed = kept(writer, "signed")[-1]
    path = str(first[0]["signed"])
    assert (writer.home.folder / path.removeprefix("home/")).read_bytes() == signed


def test_of_two_joins_the_one_that_the_inviter_goes_on_with_counts(tmp_path: Path) -> None:
    ann, ben, cleo = people(tmp_path, "Ann", "Ben", "Cleo")
    group = Chat(ann, ben, cleo)
    ann.invite("backgammon", match=1)
    group.settle()
    assert ben.act() and cleo.act()
    group.settle()
    assert ann.act()
    group.settle()
    names = [player["name"] for player in _players(only(ann.newest()))]
    winner, loser = (ben, cleo) if names[1] == "Ben" else (cleo, ben)
    assert only(winner.newest()) == only(ann.newest())
    twice = "Somebody else has joined in the same moment: Ann goes on with one of you."
    assert loser.lines == [
        twice,
        "Ann has gone on with somebody else: you have no seat, and watch this game.",
    ]
    assert winner.lines == [twice] and len(ann.lines) == 1
    assert winner.act() and not loser.act()
    group.settle()
    assert only(loser.newest()) == only(winner.newest()) == only(ann.newest())


def test_turns_that_come_as_files_go_to_the_chat_with_the_next_own_one(tmp_path: Path) -> None:
    """Ben has lost the app, and goes on with files."""
    ann, ben = people(tmp_path, "Ann", "Ben")
    cleo = onlooker(tmp_path, "Cleo")
    group = Chat(ann, ben, cleo)
    ann.invite("backgammon", match=1)
    group.play(4)
    group.settle()
    group.members = (ann, cleo)
    ben.take(only(ann.newest()))
    while not ben.act():
        ann.act()
        ben.take(only(ann.newest()))
    group.settle()
    assert only(cleo.newest()) == only(ann.newest())
    ann.take(only(ben.newest()))
    count = len(group.sent)
    group.settle()
    assert len(group.sent) == count, "not before Ann goes on"
    assert ann.act()
    group.settle()
    assert only(cleo.newest()) == only(ann.newest())
    assert [one["by"] == "" for one in group.sent[count:]] == [True, False]
    assert len(ann.shown) == sum(one["by"] != "" for one in group.sent) - len(ben.shown)


def _players(data: bytes) -> list[dict[str, str]]:
    entries = turnfile.read(data).entries
    return [{"name": one.text("name")} for one in entries if "key" in one.fields]


def test_a_second_device_of_an_account_is_noticed_and_writes_nothing(tmp_path: Path) -> None:
    group, ann, ben = begun(tmp_path)
    second = onlooker(tmp_path, "Ann on a tablet")
    second.address = ann.address
    second.held = list(group.sent)
    assert second.read() == []
    assert only(second.newest()) == only(ann.newest())
    state = chat.Chat(second.home).state
    assert state.elsewhere and not chat.Chat(ben.home).state.elsewhere


def test_own_turns_that_the_storage_has_lost_count_as_signed(tmp_path: Path) -> None:
    group, ann, ben = begun(tmp_path, 4)
    writer = ann if ann.act() else ben
    if writer is ben:
        ben.act()
    group.settle()
    (folder,) = game_folders(writer.home)
    numbers = sorted(path.name for path in (folder / "signed").iterdir())
    (folder / "signed" / numbers[-1]).unlink()
    for path in (folder / "read").iterdir():
        path.unlink()
    writer.home.folder.joinpath("chat.json").unlink()
    writer.held = list(group.sent)
    group.settle()
    assert sorted(path.name for path in (folder / "signed").iterdir()) == numbers
    group.play(2)
    group.settle()
    assert only(ann.newest()) == only(ben.newest())


def test_the_chat_shows_nothing_of_a_hand(tmp_path: Path) -> None:
    ann, ben = people(tmp_path, "Ann", "Ben")
    group = Chat(ann, ben)
    ann.invite("tripoli")
    group.play(12)
    data = only(ann.newest())
    file = turnfile.read(data)
    public = [
        updates.in_chat(replay(turnfile.read(file.prefix(number + 1))))
        for number in range(len(file.entries))
    ]
    assert set(ann.shown + ben.shown) <= set(public), "made from what everybody can read"


JUNK: list[Any] = [
    None,
    "",
    7,
    [],
    {},
    {"pbem": 1},
    {"pbem": True, "ask": "0" * 32, "from": 0, "to": 1},
    {"pbem": 1, "ask": "0" * 31, "from": 0, "to": 1},
    {"pbem": 1, "ask": "0" * 32, "from": 2, "to": 1},
    {"pbem": 1, "ask": "0" * 32, "from": -1, "to": 1},
    {"pbem": 1, "ask": "0" * 32, "from": 0, "to": 1e300},
    {"pbem": 1, "ask": "0" * 32, "from": 0, "to": True},
    {"pbem": 2, "game": "0" * 32, "number": 0, "before": "", "turn": "x", "by": ""},
    {"pbem": 1, "game": "../" * 10 + "00", "number": 0, "before": "", "turn": "x", "by": ""},
    {"pbem": 1, "game": "0" * 32, "number": 1, "before": "", "turn": "x", "by": ""},
    {"pbem": 1, "game": "0" * 32, "number": 0, "before": "", "turn": "", "by": ""},
    {"pbem": 1, "game": "0" * 32, "number": 0, "before": "", "turn": "x" * 100_001, "by": ""},
    {"pbem": 1, "game": "0" * 32, "number": 0, "before": "", "turn": "\ud800", "by": ""},
    {"pbem": 1, "game": "0" * 32, "number": 0, "before": "", "turn": 5, "by": ""},
    {"pbem": 1, "game": "0" * 32, "number": 0, "before": "", "turn": "x", "by": "", "more": 1},
    {"pbem": 1, "game": "0" * 32, "number": 0, "before": "", "turn": "x", "by": "z"},
]


def test_junk_is_passed_over_in_silence(tmp_path: Path) -> None:
    group, ann, _ = begun(tmp_path)
    before = only(ann.newest())
    ann.held = [*JUNK]
    assert ann.read() == [] and ann.lines == [] and only(ann.newest()) == before
    assert chat.Chat(ann.home).state.read == len(group.sent) + len(JUNK)
    for made in ("nonsense", "[1]", "[[1]]", '[["1", {}]]', "{}", "[" * 100_000):
        assert chat.page(ann.table, {"updates": made})["sends"] == []


def test_nobody_writes_in_anothers_name_and_junk_spoils_no_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stranger in the chat changes turns, makes up some, and sends many that wait."""
    group, ann, ben = begun(tmp_path, 4)
    played: list[int] = []
    real = chat.Chat._play
    monkeypatch.setattr(
        chat.Chat,
        "_play",
        lambda self, *given: (played.append(1), real(self, *given))[1],
    )
    before = only(ann.newest())
    newest = next(one for one in reversed(group.sent) if one.get("number", 0) > 1)
    text = newest["turn"]
    changed = {**newest, "turn": text.replace("2026", "2025", 1)}
    assert changed != newest
    early = [
        {**newest, "number": 40 + number, "before": hashlib.sha256(b"%d" % number).hexdigest()}
        for number in range(1000)
    ]
    ann.held = [changed, {**newest, "game": "f" * 32}, *early, changed]
    began = time.process_time()
    sends = ann.read()
    assert time.process_time() - began < 10
    assert played == [], "a signature is checked before a game is played again"
    assert len(sends) <= chat.MOST_ASKED and all("ask" in one["payload"] for one in sends)
    state = chat.Chat(ann.home).state
    assert len(state.waiting) <= chat.MOST_WAITING
    assert (ann.home.folder / "chat.json").stat().st_size < 2_000_000
    group.play(2)
    group.settle()
    assert only(ann.newest()) == only(ben.newest()) != before


def test_a_player_who_signs_what_does_not_hold_is_looked_at_a_few_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    group, ann, ben = begun(tmp_path, 4)
    writer, other = (ann, ben) if ann.act() else (ben, ann)
    writer.act()
    data = kept(writer, "signed")[-1]
    file = turnfile.read(data)
    start = file.entries[-2].end
    body = data[start:].partition(b"\n[entry.signature]")[0]
    seed = writer.home.seed()
    for number in range(20):
        nonce = base64.b64encode(hashlib.sha256(b"%d" % number).digest())
        forged = re.sub(b'(position = )".*"', b'\\1"%s"' % nonce, body) + b"\n"
        digest = hashlib.sha256(data[:start] + forged).digest()
        whole = forged + write_signature(primitives.sign(seed, SIGNATURE_TAG + digest))
        payload = {
            "pbem": 1,
            "game": _game(other),
            "number": len(file.entries) - 1,
            "before": file.entries[-2].after.hex(),
            "turn": whole.decode(),
            "by": "",
        }
        other.held.append(payload)
    other.read()
    bad = chat.Chat(other.home).state.bad
    assert [count for _, count in bad.values()] == [chat.MOST_BAD]
    now = time.time() + chat.HOUR
    monkeypatch.setattr(chat.time, "time", lambda: now)
    group.play(2)
    group.settle()
    assert only(ann.newest()) == only(ben.newest()) and only(ann.newest()).startswith(data)


def _game(member: Member) -> Any:
    (folder,) = game_folders(member.home)
    return folder.name
