"""Orders that lie, and orders that would have a roll again: none may hurt the opponent or bend
chance."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from pbem.errors import PbemError, Refused, RulesBroken
from pbem.fileformat import turnfile
from pbem.games import registry
from pbem.ledger import gate
from pbem.ledger.ledger import Ledger
from pbem.simulate import by_mail
from pbem.simulate.policies import RandomPolicy
from tests.support.players import Pair, forge, refused


def played(seeds: Iterable[int], level: str = "all") -> Iterator[tuple[str, turnfile.TurnFile]]:
    for number in seeds:
        seed = f"orders attacked {number}"
        game = by_mail.play_by_mail(registry.newest("tripoli"), {}, RandomPolicy, seed, level)
        yield seed, turnfile.read(game.data)


def admitted(data: bytes) -> tuple[Ledger, PbemError | None]:
    game = Ledger()
    try:
        for entry in turnfile.read(data).entries:
            gate.admit(game, entry)
    except PbemError as error:
        return game, error
    return game, None


def test_two_orders_cannot_name_one_back(tmp_path: Path) -> None:
    """Whichever of the two is a lie, the opponent's honest entry would be refused where it is found
    out."""
    pair = Pair(tmp_path, 5).play(2)
    honest = pair.next()
    back = f"a{admitted(honest)[0].begun().referee.game.hand(0)[0]}"
    names = ("Lieutenant Sterett in Pursuit", "Preble's Boys Take Aim")
    one = pair.cheat(honest, orders=[f"{names[0]}: play {back}"])
    assert admitted(one)[1] is None, "alone it can be taken back or paid for by its owner only"
    refused(
        pair.cheat(honest, orders=[f"{name}: play {back}" for name in names]),
        "two orders would play the same card",
    )


def test_an_order_never_moves_what_chance_still_owes_under_the_old_decision() -> None:
    assert count_bent([33]) > 10


@pytest.mark.slow
def test_an_order_never_moves_what_chance_still_owes_in_many_games(
    record_property: Callable[[str, object], None],
) -> None:
    tried = count_bent(range(1, 33))
    assert tried > 200
    record_property(
        "figure",
        f"entries with an order more, in 32 games: {tried} taken by the gate, no chance moved",
    )


def count_bent(seeds: Iterable[int]) -> int:
    """Bends every witness's entry of these games: one more order that says nothing. Whatever the
    gate still takes, the chance that the entry settles under the older E is the same, roll by roll.
    Returns how many it took."""
    tried = 0
    for seed, file in played(seeds):
        for entry in file.entries[2:]:
            fields = dict(entry.fields)
            if "proof" not in fields or "draw: accept" in fields.get("orders", []):  # type: ignore[operator]
                continue
            honest, _ = admitted(file.prefix(entry.number + 1))
            bent = {**fields, "orders": [*fields.get("orders", []), "draw: accept"]}  # type: ignore[misc]
            for without in ((), ("answers", "root"), ("answers", "root", "openings")):
                what = {key: value for key, value in bent.items() if key not in without}
                seat = honest.seat_of(entry)
                author = by_mail.stranger(seed, seat)
                other, error = admitted(forge(file.prefix(entry.number), author, what))
                if error is None:
                    tried += 1
                    assert settled(other, entry.number) == settled(honest, entry.number)
    return tried


def settled(game: Ledger, number: int) -> list[object]:
    """What chance brought under decisions before entry `number`."""
    return [
        (c.entry, c.request, c.result)
        for c in game.begun().referee.chance_uses
        if c.entry < number and c.result is not None
    ]


@pytest.mark.parametrize(
    "orders", [["hits: ask"], ["draw: accept", "draw: ask"], ["draw: accept"] * 2]
)
def test_orders_that_change_nothing_or_twice_the_same_are_refused(orders: list[str]) -> None:
    seed, file = next(played(range(1), ""))
    entry = next(entry for entry in file.entries[2:] if "answers" in entry.fields)
    game, _ = admitted(file.prefix(entry.number))
    forged = forge(
        file.prefix(entry.number),
        by_mail.stranger(seed, game.seat_of(entry)),
        {**entry.fields, "orders": orders},
    )
    _, error = admitted(forged)
    assert isinstance(error, RulesBroken)
    assert "changes nothing" in str(error) or "is the second about" in str(error)


@pytest.mark.parametrize(
    "orders", [[], ["hits: spread", "hits: ask"]], ids=["alone", "with orders to and fro"]
)
def test_a_draw_is_offered_alone_once_for_a_question(tmp_path: Path, orders: list[str]) -> None:
    """An order is a new decision; turned to and fro it must not let a player offer until the file
    is full."""
    pair = Pair(tmp_path, 3).until(
        lambda game: game.playing is not None and not game.playing.referee.turn.pending()
    )
    pair.step([], draw="answer", orders=orders[:1])
    pair.step([], draw="decline")
    with pytest.raises(Refused, match="offered already while this question waited"):
        pair.step([], draw="answer", orders=orders[1:])


def test_a_killed_process_leaves_no_rival(tmp_path: Path) -> None:
    """What a process that was killed while signing left in the folder is no version of anything."""
    pair = Pair(tmp_path, 4).until(lambda game: game.to_act() == 0 and game.playing is not None)
    opened = pair.open(0)
    assert opened.memory is not None
    (opened.memory.folder / "signed" / ".pbem-abandoned.tmp").write_bytes(b"another version")
    before = len(pair.ledger().entries)
    pair.step()
    assert len(pair.ledger().entries) == before + 1
