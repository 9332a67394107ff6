"""Games of Loot in the ledger from which somebody leaves, and what the tests ask of them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache

from engine.loot.game import LootGame
from pbem.ledger.ledger import Ledger
from tests.support.loot_match import Choose, Match, anything


def draws(_seat: str, options: Sequence[str]) -> str:
    return "draw" if "draw" in options else options[-1]


def begun(count: int, partners: int = 0) -> Match:
    """A game of which the first turn has been taken; each time another copy of it."""
    return _begun(count, partners).fork()


@lru_cache(maxsize=8)
def _begun(count: int, partners: int) -> Match:
    match = Match(count, partners=partners)
    while not any("answers" in entry.fields for entry in match.maker.entries):
        match.step(draws)
    return match


def turn_of(match: Match, seat: int, choose: Choose = draws) -> Match:
    """Play on until it is this seat's turn to write."""
    while match.maker.to_act() != seat:
        match.step(choose)
    return match


def table(game: Ledger) -> LootGame:
    assert isinstance(game.begun().referee.game, LootGame)
    return game.begun().referee.game


def finished(match: Match, choose: Choose | None = None) -> Ledger:
    """The game at its end, as anybody finds it who checks the file. Unless a policy is given all
    `draws`, and a game that came by the same point before ends as it did then: for looking only."""
    if choose is None and (end := _ends.get(match.data)) is not None:
        match.data, match.maker = end
        match._checker = match.maker
        return match.maker
    passed = []
    while match.maker.to_act() is not None:
        passed.append(match.data)
        match.step(choose or draws)
    if choose is None:
        _ends.update(dict.fromkeys(passed, (match.data, match.checker)))
    return match.checker


def given_up(match: Match) -> Ledger:
    """The game at its end, which comes soon: whoever writes next resigns, until one side is
    left."""
    while match.maker.to_act() is not None:
        match.step(draws, resign=not match.maker.is_over())
    return match.checker


_ends: dict[bytes, tuple[bytes, Ledger]] = {}


def say_of_draw(match: Match, draw: str) -> None:
    """The next entry says this about a draw and decides nothing else."""
    game, seat = match.maker, match.maker.to_act()
    assert seat is not None and game.playing is not None
    alone = game.offer is not None and game.offer.alone

    draft = match.bare() if alone else match.draft()
    draft.fields["draw"] = draw
    game.begun().end_by_consent(draft, draw, False)
    match.reveal(draft)
    match.keep(draft)


def steady(match: Match) -> Choose:
    """A policy that answers the same whenever the file is as long."""
    return anything(random.Random(len(match.maker.entries)))
