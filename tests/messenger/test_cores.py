"""Games in a chat of real cores of Delta Chat, with mail servers on the loopback: what was tried by
hand in docs/messenger.md is played here by `pbem/web/chat.py`."""

from __future__ import annotations

import hashlib
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from pbem.fileformat import turnfile
from pbem.web import chat
from tests.support.chat_kit import Member, Payload
from tests.support.core_chat import AtCore, Group, Servers, app_in, small_app
from tests.support.cores import Core, needs_core
from tests.support.web_players import Follower
from tests.web.test_seasons import season

pytestmark = [
    needs_core,
    pytest.mark.slow,  # raised inside the mail server, they would only stop its answer
    pytest.mark.filterwarnings("ignore::UserWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]


@pytest.fixture
def group(tmp_path: Path) -> Iterator[Group]:
    """Ann, Ben and Cleo in a chat, with the app that Ann has sent."""
    with ExitStack() as stack:
        servers = Servers(tmp_path, stack, ("Ann", "Ben", "Cleo"))
        yield Group(servers, small_app(tmp_path))


def only(member: Member) -> bytes:
    (data,) = member.newest().values()
    return data


def verify(folder: Path, *members: Member) -> None:
    """`pbem verify` finds the saved file of each of them good, and they are the same."""
    saved = {member.name: only(member) for member in members}
    counts = {name: len(turnfile.read(data).entries) for name, data in saved.items()}
    assert len(set(saved.values())) == 1, counts
    path = folder / "saved.toml"
    path.write_bytes(only(members[0]))
    run = subprocess.run(
        [sys.executable, "-m", "pbem", "verify", path], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr


class Match:
    """A game that some members of a chat play until this holds of its newest file, or to its end.
    Seats are taken one after the other."""

    def __init__(
        self,
        group: Group,
        players: list[AtCore],
        is_over: Callable[[bytes], bool] = lambda _data: False,
    ) -> None:
        self.group, self.players, self._is_over = group, players, is_over
        self._follower = Follower()

    def newest(self) -> bytes:
        return max((only(one) for one in self.players if one.newest()), key=len)

    def next(self) -> AtCore | None:
        """Whoever is to write; None once it is over."""
        data = self.newest()
        name = self._follower.to_act(data)
        if name is None or self._is_over(data):
            return None
        if name:
            return next(one for one in self.players if one.name == name)
        return self.players[sum(seat is not None for seat in self._follower.ledger.players)]

    def play(self, most: int = 1000) -> None:
        for _ in range(most):
            self.group.settle()
            writer = self.next()
            if writer is None:
                return
            if not writer.act():  # what they wait for is late
                self.group.deliver_late()
                self.group.settle()
                assert writer.act(), f"{writer.name} has nothing to do"
        self.group.settle()


def is_a_year_over(data: bytes) -> bool:
    return len(turnfile.read(data).entries) > 3 and season(Follower(), data)[0] > 1801


@pytest.mark.parametrize(
    ("game", "options", "seats", "is_over"),
    [
        ("backgammon", {"match": 1}, 2, lambda _data: False),
        ("tripoli", {}, 2, is_a_year_over),
        ("loot", {"players": 3}, 3, lambda _data: False),
    ],
    ids=["backgammon", "tripoli", "loot"],
)
def test_a_whole_game_whose_mails_are_lost_doubled_late_and_out_of_order(
    group: Group,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    game: str,
    options: dict[str, int],
    seats: int,
    is_over: Callable[[bytes], bool],
) -> None:
    """Whoever is to write next loses nothing: of the newest turn nobody but its author knows."""
    chance = random.Random(game)
    match = Match(group, group.people[:seats], is_over)
    done: dict[str, int] = {}

    def fate(member: Member, payload: Payload) -> str:
        writer = match.next()
        if "ask" in payload or writer is None:
            made = "now"
        elif writer is member:
            made = chance.choice(("now", "now", "twice", "late"))
        else:
            made = chance.choice(("now", "twice", "late", "lost"))
        done[made] = done.get(made, 0) + 1
        return made

    group.fate = fate
    group.people[0].invite(game, **options)
    began = time.monotonic()
    match.play()
    spent = time.monotonic() - began
    group.fate = lambda _member, _payload: "now"
    group.deliver_late()
    for hours in (2, 4):  # an answer that was lost is asked for again
        now = time.time() + hours * chat.HOUR
        monkeypatch.setattr(time, "time", lambda now=now: now)
        group.settle()
    turns = [one for one in group.sent if "turn" in one]
    again = len(turns) - len({(one["number"], one["before"]) for one in turns})
    print(
        f"{game}: {len(turns) - again} turns, {again} sent again, {len(group.sent) - len(turns)}"
        f" requests; mails to members: {done}; {spent:.0f} s"
    )
    verify(tmp_path, *group.people)


def test_two_who_join_at_once_in_a_game_of_three_both_play(group: Group, tmp_path: Path) -> None:
    """Ben and Cleo have both signed before either sees the other's join."""
    ann, ben, cleo = group.people
    ann.invite("loot", players=3)
    group.settle()
    assert ben.act() and cleo.act()
    group.settle()
    assert sorted([ben.act(), cleo.act()]) == [False, True], "exactly one gives way"
    group.settle()
    names = [one.text("name") for one in turnfile.read(only(ann)).entries if "key" in one.fields]
    assert sorted(names) == ["Ann", "Ben", "Cleo"]
    Match(group, group.people).play(9)
    verify(tmp_path, *group.people)


def begun(group: Group, turns: int) -> Match:
    """Ann and Ben, some turns into a game of backgammon."""
    group.people[0].invite("backgammon", match=1)
    match = Match(group, group.people[:2])
    match.play(turns)
    return match


def test_a_stranger_in_the_group_changes_nothing(group: Group, tmp_path: Path) -> None:
    """Cleo sends turns of others that she has changed, turns that nobody has signed, and many for
    which older ones are missing; then every update that there was, once more."""
    ann, ben, cleo = group.people
    match = begun(group, 5)
    before, turn = only(ann), next(one for one in reversed(group.sent) if "turn" in one)
    changed = {**turn, "turn": turn["turn"].replace("2026", "2025", 1)}
    other = {**turn, "game": "f" * 32}
    early = [
        {**turn, "number": 40 + at, "before": hashlib.sha256(b"%d" % at).hexdigest()}
        for at in range(30)
    ]
    junk = [{"pbem": 1}, "junk", {**turn, "number": -1}, {"pbem": 1, "ask": other["game"]}]
    asks = [{"pbem": 1, "ask": turn["game"], "from": 0, "to": 400}] * 3
    made: list[Any] = [changed, other, *early, *junk, *asks, *group.sent]
    for payload in made:
        cleo.send({"payload": payload, "info": "Ben gives up", "summary": "Ann has won"})
    for one in (ann, ben):
        one.await_update(made[-1], 1)
    count, began = len(group.sent), time.process_time()
    group.settle()
    assert time.process_time() - began < 20
    again = group.sent[count:]
    own = [one for one in again if "turn" in one]
    assert len(own) == len(turnfile.read(before).entries), "each once in an hour, by its author"
    assert len(again) - len(own) <= 6, "all three ask for what is missing of two games, once"
    assert only(ann) == only(ben) == only(cleo) == before
    assert ann.lines == ben.lines == cleo.lines == []
    match.play(2)
    verify(tmp_path, *group.people)


def test_whoever_deletes_the_message_goes_on_with_files(group: Group, tmp_path: Path) -> None:
    """Ben has a backup on a computer, for which his home stands here."""
    ann, ben, cleo = group.people
    match = begun(group, 4)
    ben.core.tell("delete_messages", [ben.message])
    ben.core.until(lambda: app_in(ben.core) is None)
    writer = match.next()
    if writer is ben:
        ben.take(only(ann))
        ben.act()
        ann.take(only(ben))
    assert ann.act()
    group.people.remove(ben)
    group.members = (ann, cleo)
    group.settle()
    assert only(cleo) == only(ann), "the others play on in the chat"
    ben.take(only(ann))
    assert ben.act()
    ann.take(only(ben))
    group.settle()
    assert ann.act()
    group.settle()
    ben.take(only(ann))
    verify(tmp_path, ann, ben)
    new = ann.core.tell(
        "send_msg", chat_of(ann.core), {"file": str(small_app(tmp_path)), "viewtype": "Webxdc"}
    )
    again = AtCore(tmp_path / "new", "Ann", ann.core, new)
    assert again.address != ann.address and again.updates() == [], "nothing of it is in a new one"


def chat_of(core: Core) -> int:
    (chat_id,) = {
        core.tell("get_message", number)["chatId"]
        for number in [app_in(core)]
        if number is not None
    }
    return int(chat_id)


def test_the_second_device_of_an_account_watches(group: Group, tmp_path: Path) -> None:
    ann, ben, cleo = group.people
    match = begun(group, 4)
    (tmp_path / "copy").mkdir()
    ann.core.tell("export_backup", str(tmp_path / "copy"), None)
    (copy,) = (tmp_path / "copy").iterdir()
    ann.core.tell("start_io")
    core = group.servers.core("Ann", device="-2")
    core.tell("import_backup", str(copy), None)
    core.connect()
    message = core.until(lambda: app_in(core))
    second = AtCore(tmp_path / "second", "Ann", core, message)
    assert second.address == ann.address
    assert second.read() == [] and only(second) == only(ann)
    match.play(3)
    second.await_update(group.sent[-1])
    assert second.read() == [] and only(second) == only(ann), "own turns come there too"
    assert chat.Chat(second.home).state.elsewhere, "it says so before it would sign"
    assert not any(chat.Chat(one.home).state.elsewhere for one in (ann, ben, cleo))
    verify(tmp_path, ann, ben, cleo, second)


def test_a_core_that_is_off_for_a_day_misses_nothing(
    group: Group, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, ben, cleo = group.people
    match = begun(group, 3)
    cleo.core.stop()
    group.members = (ann, ben)
    match.play(4)
    writer = match.next()
    reader = ben if writer is ann else ann
    assert writer is not None
    reader.core.stop()
    group.members = (writer,)
    assert writer.act()
    group.settle()
    tomorrow = time.time() + 24 * chat.HOUR
    monkeypatch.setattr(time, "time", lambda: tomorrow)
    group.members = (ann, ben, cleo)
    for one in (reader, cleo):
        one.core.start()
        one.await_update(group.sent[-1])
    count = len(group.sent)
    group.settle()
    assert len(group.sent) == count, "nobody has to ask, and nothing goes twice"
    match.play(2)
    verify(tmp_path, ann, ben, cleo)
