"""Both verifiers on games from which seats leave, in which draws are offered and answered, and that
are resigned."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from engine.flow import Ask
from tests.support.loot_left import say_of_draw
from tests.support.loot_match import Match, anything
from tests.support.mutations import mutated
from tests.support.players import Pair
from tests.support.second_verifier import by_pbem, compare, needs_node


def left(count: int, partners: int, seed: int) -> Match:
    """A game of Loot with random leavings and offers of a draw."""
    chance = random.Random(seed)
    match, gone = Match(count, seed=seed, partners=partners), 0
    offered: set[int] = set()
    while (seat := match.maker.to_act()) is not None:
        game = match.maker
        begun = game.playing is not None and game.players[seat] is not None and not game.is_over()
        if begun and game.offer is not None:
            say_of_draw(match, "decline" if chance.random() < 0.9 else "accept")
            continue
        if begun and chance.random() < 0.06 and is_asked(match, seat) and seat not in offered:
            offered.add(seat)  # once a seat: the same question takes no second offer
            say_of_draw(match, "offer")
            continue
        leaves = begun and chance.random() < 0.05 and gone < count - 1
        entry = match.step(anything(chance), resign=leaves)
        gone += "resign" in entry.fields
    return match


def is_asked(match: Match, seat: int) -> bool:
    """Whether this seat's own question is what the game waits for."""
    turn = match.maker.begun().referee.turn
    return (
        isinstance(turn.request, Ask)
        and turn.request.seat == seat
        and not turn.seats_owing_shares()
    )


def cases(match: Match, name: str, changes: int) -> list[tuple[str, bytes]]:
    rng = random.Random(name)
    signers = {seat: person.sign for seat, person in zip(match.names, match.people, strict=True)}
    made = [(name, match.data)]
    return made + [
        (f"{name}: {one.name}", one.data)
        for one in (mutated(match.data, rng, signers) for _ in range(changes))
    ]


@pytest.mark.dear("runs both verifiers over changed files")
@needs_node
def test_seats_that_leave_a_game_of_three() -> None:
    match = left(3, 0, 11)
    assert any("decryption" in entry.fields for entry in match.checker.entries)
    found = compare(cases(match, "three", 12))
    assert found.different == []


@needs_node
@pytest.mark.slow
@pytest.mark.parametrize(("count", "partners"), [(3, 0), (4, 0), (5, 0), (4, 1), (6, 1)])
def test_seats_that_leave_larger_games(count: int, partners: int) -> None:
    for seed in range(20, 24):
        found = compare(cases(left(count, partners, seed), f"{count} {partners} {seed}", 15))
        assert found.different == []


@needs_node
def test_draws_and_resignations_between_two(tmp_path: Path) -> None:
    pair = Pair(tmp_path, 3).play(8)
    files = []

    def branch(name: str, **what: object) -> None:
        files.append((name, pair.next(**what)))  # type: ignore[arg-type]

    branch("resigned", resign=True)
    branch("offered with a move", draw="offer")
    pair.step(draw="offer")
    branch("accepted", answers=[], draw="accept")
    branch("declined", draw="decline")
    branch("lapsed")
    files += [
        (f"{name}, said otherwise: {draw}", pair.cheat(data, draw=draw))
        for name, data in list(files)
        for draw in ("offer", "accept", "decline", "perhaps")
    ]
    found = compare(files)
    assert found.different == [] and 0 < found.failed < len(files)


@pytest.mark.dear("runs both verifiers over whole games")
@needs_node
def test_nobody_writes_before_the_inviter() -> None:
    """After the last join the second seat gives its shares first, as the rules would have it: both
    verifiers refuse it there."""
    match = Match(3).until(3)
    early, good = match.fork(), match.fork()
    early.maker.to_act = lambda: 1  # type: ignore[method-assign]
    entry = early.sign(early.draft())
    good.step()
    found = compare([("early", early.data), ("good", good.data)])
    assert found.different == [] and found.failed == 1
    (verdict, _) = by_pbem(early.data)
    assert (verdict.entry, verdict.layer) == (entry.number, "chain")
