"""What a card of Loot can be used for, and why not: the same as what the rules allow, in every turn
of random games."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from engine.flow import Answer, Ask
from engine.loot import RULES
from engine.loot.tables import NAMES
from engine.notation import held_cards, sentences
from engine.requirements import why_not
from engine.rules import Game, legal_answers
from engine.table import OpenTable
from tests.support.golden_words import Golden
from tests.support.loot_bench import Bench


@pytest.mark.parametrize(
    "settings",
    [
        {"players": 3},
        {"players": 4, "partners": 1},
        {"players": 5, "pirates_on_trumped_ship": 0},
        {"players": 4, "partners": 1, "captain_on_partner_ship": 0},
    ],
)
@pytest.mark.parametrize(
    "seeds", [range(3), pytest.param(range(3, 20), marks=pytest.mark.slow)], ids=["few", "more"]
)
def test_uses_are_open_where_the_rules_allow_them_and_nowhere_else(
    settings: dict[str, int], seeds: range
) -> None:
    for seed in seeds:
        table = OpenTable(RULES, settings, random.Random(seed))
        chance = random.Random(seed)

        def choose(
            game: Game, ask: Ask, answers: Sequence[Answer], table: OpenTable = table, chance=chance
        ) -> Answer:
            held = held_cards(game, ask, ask.seat, table.faces)
            for card in range(len(NAMES)):
                open_now = {
                    u.what for u in game.card_uses(ask, ask.seat, card, held) if not u.unmet
                }
                verbs = {
                    a.option[0]
                    for a in legal_answers(ask, table.faces)
                    if a.handle and a.option[1] == card
                }
                assert open_now == {"discard" if verb == "discard" else "play" for verb in verbs}, (
                    NAMES[card]
                )
            return chance.choice(answers)

        table.play(choose)


def why(bench: Bench, seat: int, name: str) -> list[str]:
    ask = Ask(seat, "turn", ())
    held = held_cards(bench.game, ask, seat, bench.faces)
    return [
        why_not(name, use.unmet) for use in bench.game.card_uses(ask, seat, NAMES.index(name), held)
    ]


def test_a_reason_tells_what_keeps_the_card_from_each_ship(golden: Golden) -> None:
    bench = Bench(
        ["merchant 5, captain blue, admiral, blue 2", "blue 3, green 1, captain blue"],
        pile="merchant 2",
    )
    golden(*why(bench, 0, "captain blue"))
    bench.play((0, "merchant 5"), (1, "blue 3 at ship 1"))
    for seat, card in ((0, "blue 2"), (1, "green 1"), (0, "merchant 7")):
        golden(why(bench, seat, card)[0])
    assert why(bench, 1, "captain blue")[0] == ""
    assert why(bench, 0, "admiral")[0] == ""


def test_a_card_that_a_ship_does_not_take_has_one_reason(golden: Golden) -> None:
    """In every turn of random games: each ship that a card cannot go to says why, and the others
    nothing."""
    table, chance, reasons = (
        OpenTable(RULES, {"players": 3}, random.Random(2)),
        random.Random(2),
        set(),
    )

    def choose(game: Game, ask: Ask, answers: Sequence[Answer]) -> Answer:
        legal = sentences(RULES, game, ask, table.faces)
        for handle in ask.hand:
            name = NAMES[table.faces[handle]]
            for ship in game.ships if not name.startswith("merchant") else ():
                entered = f"{name} at ship {ship.number}"
                told = game.why_refused(ask, entered)
                assert bool(told) is (entered not in legal), entered
                reasons.add(told.partition(": ")[2])
        assert " 99 " in game.why_refused(ask, "blue 1 at ship 99")
        return chance.choice(answers)

    table.play(choose)
    golden(*sorted(reasons))
