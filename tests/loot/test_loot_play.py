"""Whole games: recorded ones replayed, random ones played, and what must hold in all of them."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path
from typing import Any

import pytest

from engine.flow import Answer, Ask
from engine.loot import RULES
from engine.loot.game import LootGame
from engine.loot.tables import FACES
from engine.notation import sentences, understand
from engine.rules import Game
from engine.table import OpenTable
from engine.words import tokens
from tests.support.conformance_loot import replay

DATA = Path(__file__).parent / "data"
SHARED = Path(__file__).parents[3] / "shared" / "conformance" / "loot.jsonl"
COUNTS = [(2, 0), (3, 0), (4, 0), (5, 0), (4, 1), (6, 1), (8, 1)]


def recorded() -> list[dict[str, Any]]:
    lines = [
        line
        for path in sorted(DATA.glob("*.jsonl.gz"))
        for line in gzip.decompress(path.read_bytes()).splitlines()
    ]
    return [json.loads(line) for line in lines]


def test_recorded_games() -> None:
    games = recorded()
    assert sorted(game["players"] for game in games) == [2, 3, 4, 5]
    for game in games:
        compared, wrong = replay(game)
        assert wrong == []
        assert compared > 200


def test_all_recorded_games() -> None:
    if not SHARED.exists():
        pytest.skip(
            f"the full set of recorded games is not at {SHARED}; the copies of four were replayed"
        )
    for line in SHARED.read_text().splitlines():
        assert replay(json.loads(line))[1] == []


def test_the_replay_notices_a_difference() -> None:
    """A recorded leader, capture or result changed by hand is reported."""
    for key in ("leaders", "captured", "result"):
        game = recorded()[0]
        event = next(event for event in reversed(game["events"]) if event.get(key))
        event[key] = {"99": 0} if key == "leaders" else [99, 99]
        assert len(replay(game)[1]) == 1


def check_position(game: LootGame) -> None:
    """78 cards in all, 100 gold in all, nobody with two colours on a ship, no colour twice."""
    in_play = [card for ship in game.ships for card in (ship.handle, *ship.cards())]
    taken = [ship.handle for ships in game.captured for ship in ships]
    hands = [card for hand in game.hands for card in hand]
    assert sorted([*game.pile, *hands, *in_play, *taken, *game.discard]) == list(range(1, 79))
    for ship in game.ships:
        pairs = {(game.setup.side(pirate.seat), pirate.colour) for pirate in ship.pirates}
        assert (
            len(pairs) == len({side for side, _ in pairs}) == len({colour for _, colour in pairs})
        )
    assert game.position().isascii()
    assert "\n" not in game.position()


def play_one(settings: dict[str, int], seed: int, listen: bool = True) -> OpenTable:
    chance = random.Random(seed)
    table = OpenTable(RULES, settings, chance)
    table.game.story = [] if listen else None

    def choose(game: Game, ask: Ask, answers: list[Answer]) -> Answer:
        assert isinstance(game, LootGame)
        check_position(game)
        legal = sentences(RULES, game, ask, table.faces)
        assert len(legal) == len(answers)
        if table.decisions % 7 == 0:
            for sentence, answer in legal.items():
                assert understand(RULES, sentence, legal) == answer
                assert set(tokens(sentence)) <= RULES.vocabulary()
            json.dumps([game.view(seat, table.faces) for seat in (None, 0, 1)])
            game.prompt(ask)
        return chance.choice(answers)

    outcome = table.play(choose)
    game = table.game
    assert isinstance(game, LootGame)
    check_position(game)
    assert game.ships == []
    gold = sum(FACES[card].value for card in table.faces.values() if FACES[card].kind == "merchant")
    assert gold == 100
    _check_score(game, table, outcome.points)
    assert outcome.winners == tuple(
        s for s, p in enumerate(outcome.points) if p == max(outcome.points)
    )
    for event in game.story or []:
        assert RULES.tell(event)["kind"] == event[0]
    return table


def _check_score(game: LootGame, table: OpenTable, points: tuple[int, ...]) -> None:
    """Counted again from the cards: captured gold less the gold in the side's hands; all in all at
    most 100."""
    gold = {
        handle: FACES[card].value
        for handle, card in table.faces.items()
        if FACES[card].kind == "merchant"
    }
    for seat, got in enumerate(points):
        side = game.setup.side(seat)
        held = sum(
            gold.get(handle, 0)
            for member in game.setup.members(side)
            for handle in game.hands[member]
        )
        assert got == sum(gold[ship.handle] for ship in game.captured[side]) - held
    assert all(handle in game.open for hand in game.hands for handle in hand)


@pytest.mark.parametrize(("players", "partners"), COUNTS)
@pytest.mark.parametrize(
    "seeds", [range(3), pytest.param(range(3, 20), marks=pytest.mark.slow)], ids=["few", "more"]
)
def test_random_games(players: int, partners: int, seeds: range) -> None:
    for seed in seeds:
        play_one({"players": players, "partners": partners, "start": 1 + seed % players}, seed)


@pytest.mark.parametrize(("players", "partners"), COUNTS)
@pytest.mark.parametrize(
    "switch",
    ["pirates_on_trumped_ship", "captain_on_partner_ship", "end_on_deck_out_with_empty_hand"],
)
def test_random_games_with_a_switch_off(players: int, partners: int, switch: str) -> None:
    play_one({"players": players, "partners": partners, switch: 0}, players)


def test_sitting_out_ends_no_game() -> None:
    """Without the switch a seat that never had to play its last card is passed over, again and
    again."""
    sat_out = 0
    for seed in range(40):
        chance = random.Random(seed)
        table = OpenTable(RULES, {"players": 5, "end_on_deck_out_with_empty_hand": 0}, chance)
        story = table.game.story = []
        table.play(lambda _game, _ask, answers, chance=chance: chance.choice(answers))  # type: ignore[misc]
        kinds = [event[0] for event in story]
        sat_out += "sits out" in kinds
        assert kinds[kinds.index("over") - 1] in (
            "merchant",
            "attack",
            "captain",
            "admiral",
            "discard",
        )
    assert sat_out >= 3


def test_the_same_choices_give_the_same_position_with_and_without_a_listener() -> None:
    listened, silent = (
        play_one({"players": 4, "partners": 1}, 5, listen) for listen in (True, False)
    )
    assert listened.game.position() == silent.game.position()


def test_a_view_names_no_card_of_another_side() -> None:
    """What a seat is shown is the same whatever the others and the pile hold."""
    for viewer in (None, 0, 3):
        table = OpenTable(RULES, {"players": 6, "partners": 1}, random.Random(1))
        chance = random.Random(2)

        def choose(
            game: Game,
            ask: Ask,
            answers: list[Answer],
            viewer: int | None = viewer,
            table: OpenTable = table,
        ) -> Answer:
            assert isinstance(game, LootGame)
            mine = () if viewer is None else game.setup.members(game.setup.side(viewer))
            known = {
                h: c
                for h, c in table.faces.items()
                if h in game.open or any(h in game.hands[s] for s in mine)
            }
            assert game.view(viewer, known) == game.view(viewer, table.faces)
            return chance.choice(answers)  # noqa: B023

        table.play(choose)
