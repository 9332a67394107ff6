"""A game in a chat: the updates, without a browser and without a messenger."""

from __future__ import annotations

import base64
import hashlib
import json
import random
import re
import secrets
import shutil
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from examples.correspondence import Player
from pbem.crypto import primitives
from pbem.errors import Conflict, Refused
from pbem.fileformat import turnfile
from pbem.fileformat.turnfile import write_signature
from pbem.home.game_index import game_folders
from pbem.home.joins import has_gone_on
from pbem.ledger.gate import replay
from pbem.ledger.invitation import game_id_of
from pbem.ledger.signatures import SIGNATURE_TAG
from pbem.mail.find_turns import Found
from pbem.turn import joining, open_game
from pbem.turn.inbox import MOST_INVITATIONS, Inbox
from pbem.web import chat, updates
from tests.support.chat_kit import Chat, Member, Payload, kept
from tests.support.effort import PATIENCE
from tests.support.golden_words import Golden
from tests.support.hex_match import hex_installed

pytestmark = pytest.mark.dear("plays games in chats")


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


def test_a_game_goes_by_updates_and_whoever_watches_has_it_too(
    tmp_path: Path, golden: Golden
) -> None:
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
    golden(*ann.shown[0], *ben.shown[0])
    assert all(len(line) <= 200 and len(summary) <= 40 for line, summary in ann.shown + ben.shown)


def test_a_prepared_answer_goes_to_the_chat_when_the_turn_has_come(tmp_path: Path) -> None:
    """Once, also where all turns come again."""
    with hex_installed(tmp_path / "site-packages"):
        ann, ben = Member(tmp_path, "Ann"), Member(tmp_path, "Ben", choose=lambda _: "b2")
        group = Chat(ann, ben)
        ann.invite("hex", size=5)
        ann.act = ben.act = lambda: False  # type: ignore[method-assign]
        group.settle()
        ben.join(only(ben.newest()))
        group.settle()
        types = Player("Ann", ann.home.folder, tmp_path, in_process=True)
        (game,) = (f"hex-{number[:8]}" for number in ann.newest())
        types.does("play", game, "c3", "--if", "b2 then b3", "--if", "d4 then d5", "--no-mail")
        group.settle()
        ben.play(only(ben.newest()))
        group.settle()
        last = turnfile.read(only(ben.newest())).entries[-1]
        assert (last.number, last.list("answers")) == (4, ["b3"])
        assert any("as you had prepared: b3" in line for line in ann.lines)
        count = len(group.sent)
        ann.held += group.sent
        group.settle()
        assert len(group.sent) == count and kept(ann, "signed")[-1] == only(ben.newest())


def test_decks_and_hands_of_a_game_from_the_shelf_go_by_chat(tmp_path: Path) -> None:
    """Each sees their own hand, what is played is seen by both, and the file is sound."""
    ann, ben = people(tmp_path, "Ann", "Ben")
    group = Chat(ann, ben)
    ann.act = ben.act = lambda: False  # type: ignore[method-assign]
    (tmp_path / "war").mkdir()
    setup = ("title War", "seats north, south", "deck plans: plan 1-9, each, start 3")
    (tmp_path / "war" / "setup.txt").write_text("\n".join(setup), encoding="utf-8")
    north, south = (Player(one.name, one.home.folder, tmp_path, True) for one in (ann, ben))
    north.does("new", "any", "--data", "war", "--seat", "north", "--no-mail")
    (game,) = (f"any-{number[:8]}" for number in ann.newest())
    group.settle()
    ben.join(only(ben.newest()))
    played = dict[Player, str]()
    for _ in range(12):  # proofs of the deal come between
        group.settle()
        if north.asks("show", game)["to_act"] == "north":
            player, other = north, "south"
        else:
            player, other = south, "north"
        hand = player.asks("show", game)["hand"]
        if not hand or player.types("moves", game)[0]:
            player.does("play", game, "--no-mail")
            continue
        card = played[player] = hand[0].rpartition(" ")[2]
        player.does("play", game, f"play {card} to the table; {other}'s turn", "--no-mail")
        if len(played) == 2:
            break
    group.settle()
    assert only(ann.newest()) == only(ben.newest())
    board = north.asks("show", game)
    assert all(card in json.dumps(board["board"]) for card in played.values())
    assert north.asks("show", game)["hand"] != south.asks("show", game)["hand"]
    assert north.types("verify", game)[0] == 0


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


def test_of_two_joins_the_one_that_the_inviter_goes_on_with_counts(
    tmp_path: Path, golden: Golden
) -> None:
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
    golden(*loser.lines)
    assert winner.lines == loser.lines[:1] and len(ann.lines) == 1
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
    assert is_claimed(second) and not is_claimed(ben)


def is_claimed(member: Member) -> bool:
    """Whether the player is told that somebody claims their account."""
    facts: Any = chat.page(member.table, {"address": member.address})
    return bool(facts["elsewhere"])


def test_a_claim_to_an_account_that_anybody_can_make_lapses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Mal puts what Ann's messenger calls her onto an invitation of theirs: for a week she is told
    that somebody claims it, and no longer than that; what she signs is hers all the while."""
    group, ann, ben = begun(tmp_path)
    mal = onlooker(tmp_path, "Mal")
    mal.address = ann.address
    mal.invite("backgammon", match=1)
    for update in mal.read():
        group.send(mal, update)
    group.settle()
    assert is_claimed(ann) and not is_claimed(ben)
    now = time.time()
    monkeypatch.setattr(chat.time, "time", lambda: now + chat.CLAIM_LAPSES - 60)
    assert is_claimed(ann)
    monkeypatch.setattr(chat.time, "time", lambda: now + chat.CLAIM_LAPSES + 60)
    assert not is_claimed(ann)
    count = len(group.sent)
    group.play(4)
    assert len(group.sent) > count


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


def in_one_moment(folder: Path, *names: str, **options: int) -> tuple[Chat, list[Member]]:
    """A game of Loot, to which the first invites and which the others join at once."""
    members = people(folder, *names)
    group = Chat(*members)
    members[0].invite("loot", **options)
    group.settle()
    assert all(member.act() for member in members[1:])
    group.settle()
    return group, members


def seats_of(member: Member) -> list[str]:
    return [player["name"] for player in _players(only(member.newest()))]


def test_who_joins_too_late_in_a_game_of_three_takes_the_next_seat(
    tmp_path: Path, golden: Golden
) -> None:
    group, (ann, ben, cleo) = in_one_moment(tmp_path, "Ann", "Ben", "Cleo", players=3)
    late = ben if ben.lines[-1].startswith("Somebody else has the seat") else cleo
    first = cleo if late is ben else ben
    golden(*late.lines, *first.lines)
    assert ann.lines == []
    assert not first.act() and not ann.act(), "exactly one gives way"
    late.home.folder.joinpath("chat.json").unlink()
    late.serial = 0
    assert not any(first.name in one.get("info", "") for one in late.read()), "no other's line"
    assert late.act() and not late.act()
    group.settle()
    assert seats_of(ann) == seats_of(ben) == seats_of(cleo) == ["Ann", first.name, late.name]
    group.play(12)
    group.settle()
    data = only(ann.newest())
    assert len(turnfile.read(data).entries) > 8, "the game goes on"
    assert only(ben.newest()) == only(cleo.newest()) == data


def test_of_four_in_a_game_of_three_one_is_left_over(tmp_path: Path, golden: Golden) -> None:
    """Ben, Cleo and Dora take the second seat at once; two of them the third one then."""
    group, members = in_one_moment(tmp_path, "Ann", "Ben", "Cleo", "Dora", players=3)
    ann = members[0]
    assert sorted(member.act() for member in members[1:]) == [False, True, True]
    group.settle()
    golden(*ann.lines)
    (number,) = ann.newest()
    assert ann.table.games.newest(f"loot-{number}") == only(ann.newest()), "her page opens it"
    group.play(8)
    group.settle()
    seated = seats_of(ann)
    assert all(seats_of(member) == seated for member in members)
    (left,) = (member for member in members if member.name not in seated)
    golden(left.lines[-1])
    group.play(12)
    group.settle()
    assert {only(member.newest()) for member in members} == {only(ann.newest())}


def takes(member: Member, *files: bytes) -> None:
    """The member takes in these files."""
    inbox = Inbox(member.home, confirmed="", watches=True)
    inbox.take([Found("a file", data) for data in files])


def test_who_sits_in_two_files_plays_in_the_one_that_the_inviter_goes_on_with(
    tmp_path: Path, golden: Golden
) -> None:
    """While one gives way, another joins on the file that they leave: that is full first, and has
    come to the inviter when the other one does."""
    group, (ann, ben, cleo) = in_one_moment(tmp_path, "Ann", "Ben", "Cleo", players=3)
    late = ben if "you wanted" in ben.lines[-1] else cleo
    (left,) = kept(late, "signed")
    dora = Member(tmp_path, "Dora")
    takes(dora, left)
    assert dora.act() and late.act()
    with_dora = kept(dora, "signed")[-1]
    with pytest.raises(Conflict):
        open_game.open_file(with_dora, late.home)
    group = Chat(ann, ben, cleo, dora)
    for member in group.members:
        member.held.append(update_of(with_dora))
        member.serial += 100
    group.play(12)
    group.settle()
    data = only(ann.newest())
    assert len(turnfile.read(data).entries) > 8 and data.startswith(with_dora)
    assert seats_of(ann) == ["Ann", late.name, "Dora"]
    assert {only(one.newest()) for one in group.members} == {data}
    (left_out,) = {ben, cleo} - {late}
    golden(left_out.lines[-1])


def stranger_joins(folder: Path, data: bytes, *, before: bytes = b"", most: int = 200) -> bytes:
    """The join of a stranger, who tries keys until theirs goes before the other one."""
    for _ in range(most):
        home = Member(folder, f"Mallory {secrets.token_hex(4)}").home
        made = joining.join(open_game.open_file(data, home), home)
        if not before or hashlib.sha256(made).digest() < hashlib.sha256(before).digest():
            return made
    raise AssertionError


def update_of(data: bytes) -> Payload:
    """The newest turn of a file as an update."""
    file = turnfile.read(data)
    last, first = file.entries[-1], file.entries[0]
    game = game_id_of(first.blob("key", 32), first.blob("nonce", 32)).hex()[:32]
    before = file.entries[-2].end if last.number else 0
    made = updates.TurnUpdate(
        game, last.number, last.before.hex() if last.number else "", data[before:].decode(), ""
    )
    return updates.written(made)


@pytest.mark.parametrize("options", [{}, {"players": 3}], ids=["two", "three"])
def test_nobody_pushes_a_player_out_of_a_seat(tmp_path: Path, options: dict[str, int]) -> None:
    """Strangers join after Ben, with digests that go before his, before Ann has seen any of it."""
    ann, ben = people(tmp_path, "Ann", "Ben")
    ann.invite("loot" if options else "backgammon", **(options or {"match": 1}))
    group = Chat(ann, ben)
    group.settle()
    (invitation,) = kept(ann, "signed")
    assert ben.act()
    joined = kept(ben, "signed")[0]
    if options:
        cleo = Member(tmp_path, "Cleo")
        takes(cleo, joined)
        cleo.act()
        group.members = (ann, ben, cleo)
    group.settle(*group.members[1:])
    full = kept(group.members[-1], "signed")[-1]
    before = turnfile.read(full).prefix(len(turnfile.read(full).entries) - 1)
    for number in range(12):
        pushed = stranger_joins(tmp_path / f"m{number}", before, before=full)
        for member in group.members:
            member.held.append(update_of(pushed))
    ann.read()
    assert only(ann.newest()) == full, "who came first is shown to the inviter"
    group.play(4)
    group.settle()
    data = only(ann.newest())
    assert data.startswith(full) and has_gone_on(turnfile.read(data))
    for number in range(4):
        for base in {invitation, before}:
            rival = stranger_joins(tmp_path / f"n{number}", base)
            if base is not before:
                with suppress(Refused):
                    rival = stranger_joins(tmp_path / f"o{number}", rival)
            for member in group.members:
                member.held.append(update_of(rival))
    group.settle()
    assert all(only(member.newest()) == data for member in group.members)
    group.play(3)
    group.settle()
    assert only(ann.newest()) == only(ben.newest()) != data


def test_strangers_that_want_the_seat_keep_nobody_from_watching(tmp_path: Path) -> None:
    """Cleo gets many joins of strangers before the one with which the game goes on."""
    ann, ben = people(tmp_path, "Ann", "Ben")
    group = Chat(ann, ben)
    ann.invite("backgammon", match=1)
    group.settle()
    (invitation,) = kept(ann, "signed")
    junk = [update_of(stranger_joins(tmp_path / f"m{number}", invitation)) for number in range(9)]
    group.play(4)
    group.settle()
    cleo = onlooker(tmp_path, "Cleo")
    cleo.held = [group.sent[0], *junk, *group.sent[1:]]
    late = Chat(ann, ben, cleo)
    late.settle()
    assert only(cleo.newest()) == only(ann.newest())
    (folder,) = game_folders(cleo.home)
    numbers = [path.name[:4] for path in (folder / "read").iterdir()]
    assert numbers.count("0001") <= 2 * chat.MOST_VERSIONS


def played(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of all who play a game again from here on, in the order in which they do."""
    made: list[str] = []
    real = chat.Chat._play
    monkeypatch.setattr(
        chat.Chat,
        "_play",
        lambda self, *given: (
            made.append(self.home.identity().name),
            real(self, *given),
        )[1],
    )
    return made


def test_a_known_turn_in_another_dress_is_not_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    group, ann, _ = begun(tmp_path, 4)
    again = played(monkeypatch)
    turns = [one for one in group.sent if "turn" in one]
    ann.held = [{**one, "turn": one["turn"].replace("\n", "\r\n")} for one in turns]
    ann.held += [{**one, "by": "0" * 16} for one in turns]
    assert ann.read() == [] and again == [] and ann.lines == []


def test_what_is_not_kept_is_played_a_few_times_and_friends_wait_for_the_next_hour(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stranger sends an invitation after the other; then Ben joins a game of Ann's."""
    ann, ben, mallory = people(tmp_path, "Ann", "Ben", "Mallory")
    group = Chat(ann, ben)
    ann.invite("backgammon", match=1)
    group.settle()
    again = played(monkeypatch)
    for _ in range(40):
        mallory.invite("backgammon", match=1)
    ann.held = [update_of(data) for data in mallory.newest().values()]
    ann.read()
    assert len(again) == MOST_INVITATIONS + chat.MOST_BAD
    ann.read()
    assert len(again) == MOST_INVITATIONS + chat.MOST_BAD
    (ours,) = (data for data in ann.newest().values() if b'"Ann"' in data)
    ann.invite("backgammon", match=3)
    for one in ann.read():
        group.send(ann, one)
    assert ann.read() == [], "one's own come back all the same"
    assert ben.act()
    joined = only(ben.newest())
    group.settle()
    assert ours in ann.newest().values(), "his join waits"
    now = time.time() + chat.HOUR
    monkeypatch.setattr(chat.time, "time", lambda: now)
    group.settle()
    assert joined in ann.newest().values()


def test_junk_for_other_games_keeps_nobody_from_asking_for_what_is_missing(tmp_path: Path) -> None:
    group, ann, ben = begun(tmp_path, 4)
    cleo = onlooker(tmp_path, "Cleo")
    cleo.held = list(group.sent)
    cleo.read()
    count = len(group.sent)
    group.play(3)
    group.settle()
    missed = [one for one in group.sent[count:] if "turn" in one]
    junk = [
        {**missed[0], "game": f"{number:032x}", "number": 1, "before": f"{number:064x}"}
        for number in range(chat.MOST_ASKED * 6)
    ]
    early = missed[-1]
    for half in (junk[::2], [early], junk[1::2]):
        cleo.held += half
        asked = [one["payload"] for one in cleo.read()]
        if early in half:
            assert [one["to"] for one in asked] == [early["number"] - 1]
    state = chat.Chat(cleo.home).state
    assert len(state.waiting) <= chat.MOST_WAITING
    assert early["turn"] in [one.turn for one in state.waiting], "it waits all the same"
    cleo.held += missed[:-1]
    cleo.read()
    assert only(cleo.newest()) == only(ann.newest()) == only(ben.newest())


def test_who_misses_more_turns_than_may_wait_catches_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chat, "MOST_WAITING", 6)
    monkeypatch.setattr(chat, "MOST_UNKNOWN", 2)
    group, ann, ben = begun(tmp_path, 16)
    cleo = onlooker(tmp_path, "Cleo")
    turns = [one for one in group.sent if "turn" in one]
    assert len(turns) > 12
    for one in turns[2:]:  # each is looked at by itself, and the first one is lost
        cleo.held = [one]
        cleo.read()
    late, now = Chat(ann, ben, cleo), time.time()
    for hours in range(8):
        monkeypatch.setattr(chat.time, "time", lambda hours=hours: now + hours * (chat.HOUR + 1))
        late.settle()
    assert only(cleo.newest()) == only(ann.newest()) == only(ben.newest())


def test_the_join_of_a_stranger_does_not_count_as_heard(tmp_path: Path) -> None:
    """Ben has joined by a file: his turn still goes to the chat with Ann's next one."""
    ann, ben = people(tmp_path, "Ann", "Ben")
    cleo = onlooker(tmp_path, "Cleo")
    group = Chat(ann, cleo)
    ann.invite("backgammon", match=1)
    group.settle()
    (invitation,) = kept(ann, "signed")
    takes(ben, invitation)
    assert ben.act()
    joined = only(ben.newest())
    takes(ann, joined)
    rival = update_of(stranger_joins(tmp_path / "m", invitation))
    for member in (ann, cleo):
        member.held += [rival, rival]
    group.settle()
    while not ann.act():
        assert ben.act()
        takes(ann, only(ben.newest()))
    group.settle()
    assert only(cleo.newest()) == only(ann.newest()) and only(ann.newest()).startswith(joined)


SCRIPT = """
const fs = require("fs"), vm = require("vm"), sizes = [], sent = [];
const scope = {
  console, setTimeout, encodeURIComponent, JSON, came: null,
  document: { addEventListener() {} }, localStorage: { getItem: () => "yes" }, here: "/",
  isAtDoor: () => true, main: () => ({ querySelector: () => null }), tell: (words) => { throw new Error(words); },
  go: async () => {}, again: async () => {}, keepTexts: async () => {}, call: async () => {},
  webxdc: {
    selfAddr: "ann", sendUpdateInterval: 1,
    sendUpdate: ({ payload }) => sent.push(payload.number ?? payload),
    async setUpdateListener(heard) { JSON.parse(process.argv[2]).forEach((payload, at) => heard({ serial: at + 1, payload })); },
  },
  askFacts: async (path, fields) => {
    const some = JSON.parse(fields.updates ?? "[]");
    sizes.push([some.length, new URLSearchParams(fields).toString().length]);
    return { read: 0, left: 0, games: [], lines: [], sends: [], elsewhere: false };
  },
};
vm.createContext(scope);
vm.runInContext(fs.readFileSync(process.argv[1], "utf8"), scope);
scope.readChat().then(async () => {
  const answers = [1, 2, 3].map((number) => ({ payload: { number } }));
  answers.forEach((one) => scope.sendLater(one));
  scope.sendLater({ payload: { number: 100 }, signed: "a file" });
  scope.sendLater({ payload: { number: 101 }, signed: "a file" });
  await new Promise((resolve) => setTimeout(resolve, 200));
  console.log(JSON.stringify({ sizes, sent }));
});
"""  # noqa: E501


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_large_updates_and_answers_hold_nothing_up(tmp_path: Path) -> None:
    """What the script carries: no request is too large for the program, and an own turn goes before
    what others have asked for."""
    large = [{"turn": "\u20ac" * 100_000}, {"turn": "\n" * 50_000}, {"turn": "x" * 109_000}] * 9
    junk = [{"x" * 200_000: 1}, {f"{at}": "y" * 100_000 for at in range(8)}, [1], {"a": {}}]
    path = tmp_path / "given.json"
    path.write_text(json.dumps([*large, *junk, {"turn": "z"}]))
    script = Path(__file__).parents[2] / "templates" / "messenger" / "chat.js"
    reads = SCRIPT.replace("process.argv[2]", f"fs.readFileSync({json.dumps(str(path))}, 'utf8')")
    run = subprocess.run(
        ["node", "-e", reads, str(script)],
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
    )
    facts = json.loads(run.stdout)
    counts, sizes = zip(*facts["sizes"], strict=True)
    assert sum(counts) == len(large) + len(junk) + 1 and max(sizes) < chat.MAX_UPDATES
    assert facts["sent"] == [1, 100, 101, 2, 3]
