"""Plays of backgammon against the rules of OpenSpiel (PyPI `open_spiel`, only for this test): with
the same dice the same set of positions at each throw."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

from engine.backgammon.plays import Board, as_play, board_after, play_options
from engine.backgammon.tables import BAR, MEN, OFF, Men

pytestmark = pytest.mark.slow
GAMES = 1000
_BAR_THERE = 100
_PASS_THERE = -1


def men(state: Any, player: int) -> Men:
    """A player's men by their own points."""
    places = [0] * 26
    for place in range(24):
        places[24 - place if player == 0 else place + 1] = state.board(player, place)
    places[BAR] = state.board(player, _BAR_THERE)
    places[OFF] = MEN - sum(places)
    return tuple(places)


def board(state: Any, player: int) -> Board:
    return Board(men(state, player), men(state, 1 - player))


def reached(state: Any, player: int) -> Iterator[tuple[int, Board]]:
    """Where a turn can lead, with how many dice were played; a double is two turns there."""
    for action in state.legal_actions():
        used = sum(
            move.pos != _PASS_THERE for move in state.spiel_move_to_checker_moves(player, action)
        )
        after = state.child(action)
        if (
            not after.is_terminal()
            and not after.is_chance_node()
            and after.current_player() == player
        ):
            yield from ((used + more, end) for more, end in reached(after, player))
        else:
            yield used, board(after, player)


def test_a_throw_leads_to_the_same_positions() -> None:
    spiel = pytest.importorskip(
        "pyspiel", reason="open_spiel is not installed (pip install open_spiel)"
    )
    game, rng, turns, positions = (
        spiel.load_game("backgammon(scoring_type=full_scoring)"),
        random.Random("oracle"),
        0,
        0,
    )
    for _ in range(GAMES):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(rng.choice(state.chance_outcomes())[0])
                continue
            player, told = state.current_player(), str(state)
            if "Extra turn: 0" in told:
                found = re.search(r"Dice: ([1-6])([1-6])", told)
                assert found is not None
                first, second = map(int, found.groups())
                theirs = set(reached(state, player))
                most = max(used for used, _ in theirs)
                expected = {end for used, end in theirs if used == most}
                before = board(state, player)
                options = play_options(before, first, second)
                ours = {board_after(before, as_play(option)) for option in options}
                assert ours == expected, told
                turns, positions = turns + 1, positions + len(expected)
            state.apply_action(rng.choice(state.legal_actions()))
    print(f"{GAMES} games, {turns} turns, {positions} positions: the same")
