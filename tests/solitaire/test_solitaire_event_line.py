"""The bot's set-up, and each row of its event card line (chapters "Solitaire setup" and "Solitaire
play")."""

from __future__ import annotations

import pytest

from engine.tripoli.american import corsairs_confiscated
from engine.tripoli.tables import SPRING, TRIPOLITAN, WINTER
from engine.tripoli_solitaire.game import Solitaire
from engine.tripoli_solitaire.position import BATTLE_LINE, BOT_DECK
from tests.support.golden_words import Golden
from tests.support.solitaire_stage import CARD, Stage, names

LINE = [
    "Murad Reis Breaks Out",
    "Constantinople Sends Aid",
    "Yusuf Qaramanli",
    "Sweden Pays Tribute",
]


def test_set_up_board() -> None:
    """Five corsairs in Tripoli, four infantry in each city; the American set-up is that of the game
    for two."""
    board = Solitaire({}).view(None, {})["board"]
    assert board["Tripoli"] == {"tr_corsairs": 5, "tr_infantry": 4}
    assert board["Benghazi"] == board["Derne"] == {"tr_infantry": 4}
    assert board["Gibraltar"] == {"us_frigates": 3, "tr_corsairs": 2}
    assert [board[year] for year in ("1802", "1803", "1804")] == [{"us_frigates": 1}] * 3


def test_set_up_cards() -> None:
    game = Solitaire({})
    game.lay_out()
    assert names(game.event_line()) == LINE
    assert game.battle_line() == BATTLE_LINE
    assert len(game.piles[TRIPOLITAN]) == 18 and len(BOT_DECK.contents) == 25
    pile = names(game.opened[handle] for handle in game.piles[TRIPOLITAN])
    assert {"Storms", "Second Storms"} < set(pile) and not set(pile) & {*LINE, *names(BATTLE_LINE)}


@pytest.mark.parametrize(
    ("year", "season", "frigates", "fires"),
    [
        (1801, SPRING, 0, True),
        (1801, SPRING, 1, False),
        (1801, WINTER, 1, True),
        (1802, WINTER, 2, False),
    ],
    ids=["zone empty", "zone patrolled", "Winter 1801", "a later Winter"],
)
def test_murad_reis_breaks_out(year: int, season: int, frigates: int, fires: bool) -> None:
    stage = (
        Stage(year, season)
        .has("frigates", frigates, "gibraltar zone")
        .has("corsairs", 2, "gibraltar")
    )
    stage.has("corsairs", 5, "tripoli").turn()
    assert (stage.fired()[0] == "Murad Reis Breaks Out") == fires
    assert stage.count("corsairs", "tripoli") == (7 if fires else 5)
    assert ("Murad Reis Breaks Out" in names(stage.game.event_line())) != fires


def test_murad_reis_left_when_corsairs_were_confiscated() -> None:
    stage = Stage(1801, WINTER).has("corsairs", 5, "tripoli").has("corsairs", 2, "gibraltar")
    corsairs_confiscated(stage.game)
    stage.turn()
    assert (
        "Murad Reis Breaks Out" not in stage.passed() and stage.fired()[0] == "Five Corsair Check"
    )


@pytest.mark.parametrize("captured", [True, False])
def test_constantinople_sends_aid(captured: bool) -> None:
    stage = Stage()
    if captured:
        stage.capture_derne()
    stage.deal("Troops to Tripoli").turn()
    assert (stage.fired()[0] == "Constantinople Sends Aid") == captured
    assert stage.count("red frigates", "tripoli") == captured


def test_constantinople_sends_aid_with_the_army_in_benghazi() -> None:
    assert Stage().has("arabs", 3, "benghazi").turn().fired() == ["Constantinople Sends Aid"]


@pytest.mark.parametrize(
    ("year", "allies", "fires"),
    [(1804, 1, False), (1804, 2, True), (1805, 0, False), (1805, 1, True), (1806, 3, True)],
)
def test_yusuf_qaramanli(year: int, allies: int, fires: bool) -> None:
    """Two active allies until 1804, one from 1805."""
    stage = Stage(year)
    for place in ("algiers", "tangier", "tunis")[:allies]:
        stage.has("allied", 3, place)
    stage.deal("Troops to Tripoli").turn()
    assert (stage.fired()[0] == "Yusuf Qaramanli") == fires


def test_yusuf_raids_tripoli_first_then_algiers_tangier_tunis() -> None:
    stage = Stage(1804).has("corsairs", 1, "tripoli").lacks("Happy Hunting")
    for place in ("tunis", "tangier", "algiers"):
        stage.has("allied", 1, place)
    assert stage.turn().told("raid", "place") == ["Tripoli", "Algiers", "Tangier", "Tunis"]


@pytest.mark.parametrize(
    ("year", "swedes", "fires"),
    [(1802, 2, False), (1803, 2, True), (1803, 0, False), (1806, 1, True)],
)
def test_sweden_pays_tribute(year: int, swedes: int, fires: bool) -> None:
    """From 1803 on, while Swedish frigates are there."""
    stage = Stage(year).has("swedes", swedes, "tripoli zone").deal("Troops to Tripoli").turn()
    assert (stage.fired()[0] == "Sweden Pays Tribute") == fires
    assert (stage.game.gold, stage.count("swedes", "tripoli zone")) == (
        (2, 0) if fires else (0, swedes)
    )
    assert ("Sweden Pays Tribute" in stage.waiting()) != fires


@pytest.mark.parametrize(("corsairs", "fires"), [(4, False), (5, True), (9, True)])
def test_five_corsair_check(corsairs: int, fires: bool) -> None:
    """Five or more in the harbor raid, whatever waits outside, and no card is spent."""
    stage = Stage().has("corsairs", corsairs, "tripoli").has("frigates", 6, "tripoli zone")
    stage.deal("Troops to Tripoli").turn()
    assert (stage.fired()[0] == "Five Corsair Check") == fires
    assert (stage.told("raid", "place") == ["Tripoli"]) == fires
    assert len(stage.game.piles[TRIPOLITAN]) == fires and not stage.told("spent", "card")


def test_every_line_before_the_one_that_fires_is_explained(golden: Golden) -> None:
    stage = Stage().has("corsairs", 5, "tripoli").turn()
    assert list(stage.passed()) == LINE
    for name, why in stage.passed().items():
        golden(f"{name}: {why}")


WAITING = {
    "The Philadelphia Runs Aground": ("frigates", 1, "tripoli zone"),
    "Storms": ("frigates", 2, "tunis zone"),
    "Second Storms": ("frigates", 2, "gibraltar zone"),
    "Tripoli Acquires Corsairs": ("corsairs", 4, "tripoli"),
}


@pytest.mark.parametrize("card", WAITING)
def test_drawn_in_time_it_is_played_at_once(card: str) -> None:
    stage = Stage().has(*WAITING[card]).deal(card).turn()
    assert stage.fired()[0] == card and stage.told("event", "card") == [card]


@pytest.mark.parametrize("card", WAITING)
def test_drawn_too_early_it_joins_the_line_and_another_is_drawn(card: str) -> None:
    stage = Stage().deal(card, "Troops to Tripoli")
    if card == "Tripoli Acquires Corsairs":
        stage.has("corsairs", 4, "tripoli").has("corsairs", 4, "gibraltar")
    stage.turn()
    assert stage.told("turned over", "card") == [card, "Troops to Tripoli"]
    assert stage.waiting() == ["Sweden Pays Tribute", card]
    assert stage.told("event", "card") == ["Troops to Tripoli"]


@pytest.mark.parametrize("card", WAITING)
def test_from_the_line_it_is_played_when_its_moment_comes(card: str) -> None:
    stage = Stage()
    stage.game.added.append(CARD[card])
    stage.has(*WAITING[card]).turn()
    assert stage.fired()[0] == card and stage.waiting() == ["Sweden Pays Tribute"]
    in_discard = [stage.game.opened[handle] for handle in stage.game.discards[TRIPOLITAN]]
    assert (CARD[card] in in_discard) == (card in ("Storms", "Second Storms"))


def test_the_line_is_looked_at_in_the_order_in_which_cards_came() -> None:
    stage = Stage().has("frigates", 2, "tripoli zone")
    stage.game.added += [
        CARD["Second Storms"],
        CARD["The Philadelphia Runs Aground"],
        CARD["Storms"],
    ]
    assert stage.turn().fired()[0] == "Second Storms"
    assert stage.turn().fired()[2] == "The Philadelphia Runs Aground"
