"""Several who join at once in a game for three or more: every round of people who answer ends at
one table, whatever mails do and whoever joins besides (docs/design.md, "Who sits at a table")."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.flow import Ask
from pbem.errors import Conflict, Refused
from pbem.fileformat import turnfile
from pbem.fileformat.turnfile import TurnFile
from pbem.home.home import Home
from pbem.home.joins import has_gone_on
from pbem.ledger.evidence import evidence, signed_chain
from pbem.ledger.gate import replay
from pbem.turn import joining, open_game, own_report, take_turn
from pbem.turn.draft_lines import Intent
from tests.support import light_rounds
from tests.support.fixed import FixedRandom, fixed
from tests.support.homes import another_computer, copy_homes
from tests.support.light_rounds import LightGrinder, LightPerson, LightStranger
from tests.support.plugins import Site
from tests.support.rounds import Grinder, Person, Round, Stranger

PART = 12


@pytest.fixture(autouse=True)
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A small game for three to eight comes through the door that plug-ins use."""
    folder = tmp_path / "site-packages"
    folder.mkdir()
    made = Site(folder, monkeypatch)
    made.register("lots", "lots:GAME")
    yield made
    monkeypatch.undo()
    made.forget()


def people(folder: Path, count: int, chance: random.Random) -> list[Person]:
    return [Person(folder, f"Player {number}", chance) for number in range(count)]


def keys_in(file: TurnFile) -> set[bytes]:
    return {entry.blob("key", 32) for entry in file.entries if "key" in entry.fields}


def check(played: Round) -> TurnFile:
    """What holds of every round: nobody is refused where they sit or signs a number twice, and
    everybody is at the table with which the inviter has gone on. Returns its newest file."""
    assert [fault for person in played.people for fault in person.faults] == []
    assert played.evidence() == [], "nobody has signed two versions of anything"
    assert played.chosen is not None
    files = [turnfile.read(person.newest() or b"") for person in played.people]
    table = max(files, key=lambda file: len(file.entries))
    assert table.data.startswith(played.chosen)
    for person, file in zip(played.people, files, strict=True):
        assert table.data.startswith(file.data), "all look at one table"
        if person.key in keys_in(table):
            assert file.data == table.data
    written = {file for file in played.files if has_gone_on(turnfile.read(file))}
    assert all(file.startswith(played.chosen) for file in written), "nobody writes elsewhere"
    return table


def drawn(folder: Path, seed: int, extra: int = 0, strangers: int = 0) -> Round:
    """A round that has not begun, whose size and luck follow from the seed."""
    chance = random.Random(seed)
    seats = chance.choice((3, 3, 4, 4, 5, 6, 7, 8)) if seed % 4 else 4
    kinds = [(Stranger, Grinder)[one % 2](folder, "Mallory", chance) for one in range(strangers)]
    slow = chance.choice((2, 8, 20))
    return Round(people(folder, seats + extra, chance), seats, chance, kinds, slow=slow, lost=30)


def parts(count: int, few: int = 2) -> list[object]:
    """The seeds of each part: a few at any time, more where dear tests are made, and thousands in
    `./run slow`."""
    dear = pytest.mark.dear("plays rounds with a home for each player")
    return [
        pytest.param(range(few), id="few"),
        pytest.param(range(few, PART), id="more", marks=dear),
        *(
            pytest.param(range(PART * one, PART * one + PART), id=f"{one}", marks=pytest.mark.slow)
            for one in range(1, count)
        ),
    ]


@pytest.mark.parametrize("seeds", parts(125))
def test_every_round_of_honest_players_ends_at_one_table(seeds: range, tmp_path: Path) -> None:
    for seed in seeds:
        played = drawn(tmp_path / f"{seed}", seed)
        with another_computer(), fixed(FixedRandom(f"{seed}")):
            played.play(kept=seed % 7 == 0)
        table = check(played)
        assert keys_in(table) == {person.key for person in played.people}
        assert replay(table).is_over(), "and play it to its end"
        if seed % 7 == 0:
            assert played.joins == played.seats - 1, "a seat that is kept is joined once"


@pytest.mark.parametrize("seeds", parts(42))
def test_of_one_too_many_one_is_left_out_and_told(seeds: range, tmp_path: Path) -> None:
    for seed in seeds:
        played = drawn(tmp_path / f"{seed}", seed, extra=1)
        with another_computer(), fixed(FixedRandom(f"{seed}")):
            played.play()
            table = check(played)
            assert replay(table).is_over()
            (left,) = (person for person in played.people if person.key not in keys_in(table))
            opened = open_game.open_file(table.data, left.home)
            assert opened.seat is None and opened.to_play() is None


@pytest.mark.parametrize("seeds", parts(84, few=1))
def test_strangers_cost_a_new_invitation_at_most(seeds: range, tmp_path: Path) -> None:
    """One who joins and is silent, and one who tries keys until theirs goes first. Either the round
    ends without them; or the inviter has gone on with one, for whom the game waits, and the next
    invitation keeps the seats."""
    for seed in seeds:
        played = drawn(tmp_path / f"{seed}", seed, strangers=1 + seed % 2)
        with another_computer(), fixed(FixedRandom(f"{seed}")):
            played.play()
            table, honest = check(played), {person.key for person in played.people}
            game = replay(table)
            if keys_in(table) == honest:
                assert game.is_over()
                continue
            turn = game.to_act()
            assert turn is not None and game.player_of(turn).key not in honest
            fresh = people(tmp_path / f"{seed}", played.seats, played.chance)
            again = Round(fresh, played.seats, played.chance, played.strangers)
            again.play(kept=True)
            assert replay(check(again)).is_over()


@pytest.mark.parametrize(
    "count",
    [1500, pytest.param(5000, marks=pytest.mark.slow)],
)
@pytest.mark.parametrize(("extra", "strangers"), [(0, 0), (1, 0), (0, 1), (1, 2)])
@pytest.mark.dear("thousands of rounds")
def test_thousands_of_rounds_without_keys_and_rules(
    count: int, extra: int, strangers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What goes on, who may join and what may be signed is the program's; the files are light."""
    light_rounds.take_light_files(monkeypatch)
    ends = Counter[str]()
    for seed in range(count):
        chance = random.Random(seed)
        seats, slow = chance.randint(3, 8), chance.choice((1, 3, 8, 20))
        somebody = [LightPerson(Path(), f"p{one}", chance) for one in range(seats + extra)]
        kinds = [(LightGrinder, LightStranger)[one % 2] for one in range(strangers)]
        others = [kind(Path(), "m", chance) for kind in kinds]
        played = Round(somebody, seats, chance, others, slow=slow, lost=chance.choice((0, 30, 60)))
        played.play()
        ends[how_it_ended(played, seed)] += 1
        light_rounds.forget()
    assert ends[WHOLE] > count // 10
    assert strangers or set(ends) == {WHOLE}


WHOLE = "at one table, to its end"


def how_it_ended(played: Round, seed: int) -> str:
    """Of a light round, after what holds of each."""
    faults = [fault for person in played.people for fault in person.faults]
    assert faults == [] and played.chosen is not None, seed
    written = [file for file in played.files if has_gone_on(turnfile.read(file))]
    table = max(written, key=len)
    assert all(table.startswith(file) for file in written), f"round {seed}: two tables"
    file, honest = turnfile.read(table), {person.key for person in played.people}
    seated = keys_in(file)
    for person in played.people:
        assert person.newest() == table, f"round {seed}: all look at one table"
    if len(file.entries) == 2 * played.seats:
        assert seated <= honest
        return WHOLE
    waits = file.entries[len(file.entries) - played.seats]
    assert waits.blob("key", 32) not in honest, f"round {seed}: it waits for a stranger alone"
    return "waits for a stranger"


def test_an_inviter_who_goes_on_with_two_tables_binds_nobody_twice(tmp_path: Path) -> None:
    """A copy of the inviter's home goes on with the other table. Each player stays where they have
    written, the evidence names the inviter's key, and so does the refusal."""
    ann, ben, cleo = people(tmp_path, 3, random.Random(1))
    with another_computer():
        invitation = joining.invite(ann.home, joining.NewGame("lots", options={"players": 3}))
        with_ben, with_cleo = (joined(one, invitation) for one in (ben, cleo))
        first, second = sorted(
            (with_ben, with_cleo), key=lambda data: turnfile.read(data).entries[-1].after
        )
        stays, moves = (ben, cleo) if first == with_ben else (cleo, ben)
        full = joined(moves, first)
        dora = Person(tmp_path, "Dora", random.Random(2))
        other = joined(dora, second)
        copy_homes(ann.home.folder, tmp_path / "copy")
        table = ann.act(full)
        assert table is not None and moves.act(table) is None and stays.act(table)
        with another_computer():
            twin = Person.__new__(Person)
            twin.__dict__.update(ann.__dict__, home=Home(tmp_path / "copy"))
            elsewhere = twin.act(other)
    assert elsewhere is not None
    assert dora.act(elsewhere) is None and dora.faults == []
    (found,) = evidence([signed_chain(table), signed_chain(elsewhere)])
    assert (found.key, found.number, found.kind) == (ann.key, 3, "versions")
    # who has signed nothing but joins may write at either table, and then at no other
    assert moves.act(elsewhere)
    for bound, file in ((stays, elsewhere), (moves, table)):
        with pytest.raises(Conflict, match="Player 0"):
            open_game.open_file(file, bound.home)


def joined(person: Person, data: bytes) -> bytes:
    made = person.act(data)
    assert made is not None
    return made


def test_nobody_writes_before_the_inviter(tmp_path: Path) -> None:
    """The rules ask the second seat first, and it may not answer yet."""
    ann, ben, cleo = people(tmp_path, 3, random.Random(1))
    with another_computer():
        new = joining.NewGame("lots", options={"players": 3})
        data = joining.invite(ann.home, new)
        for person in (ben, cleo):
            data = joined(person, data)
        asked = replay(turnfile.read(data)).begun().referee.turn.request
        assert isinstance(asked, Ask) and asked.seat == 1
        with pytest.raises(Refused, match="Player 0"):
            take_turn.next_entry(open_game.open_file(data, ben.home), Intent(["show 1 call 2"]))
        facts, _ = own_report.facts_for(open_game.open_file(data, ann.home), public=False)
        assert facts.turn.due is not None and (
            facts.turn.due.seat,
            facts.turn.due.what,
        ) == ("first", "table")
        data = joined(ann, data)
        entry = turnfile.read(data).entries[-1]
        assert set(entry.fields) == {"seat", "date", "nonce", "position"}
        assert joined(ben, data)
