"""Every card of every game is played in some golden game, by each side that can hold it, and
changes what it holds."""

from __future__ import annotations

import difflib
import re

import pytest

from engine.paradise import RULES as PARADISE
from engine.tripoli import RULES as TRIPOLI
from engine.tripoli import cards
from engine.tripoli.cards import KIND, SOLITAIRE, TABLE
from engine.tripoli_solitaire.requirements import REQUIRED, never
from pbem.games import registry
from tests.golden import every_card
from tests.golden.every_card import GAMES, GoldenGame
from tests.support.compiled_engine import CHANGES_RULES

_PLAYED = re.compile(
    r"(?P<seat>\w+)> .* \| plays (?P<card>.+)$"
    r"|(?:event|battle card) \| seat (?P<side>\w+) \| card (?P<name>[^|]+?)(?: \||$)"
)


def kept(golden: GoldenGame) -> str:
    return golden.path.read_text(encoding="utf-8")


def played(game: str) -> set[tuple[str, str]]:
    """Who played which card in the golden games of a game, as their files tell it."""
    found = (
        _PLAYED.match(line)
        for golden in GAMES
        if golden.game == game
        for line in kept(golden).splitlines()
    )
    return {
        (match["seat"] or match["side"], match["card"] or match["name"]) for match in found if match
    }


@pytest.mark.parametrize("golden", GAMES, ids=lambda golden: golden.path.stem)
def test_a_golden_game_comes_out_the_same(golden: GoldenGame) -> None:
    old, new = kept(golden), every_card.text(golden)
    difference = difflib.unified_diff(
        old.splitlines(), new.splitlines(), "kept", "made", lineterm="", n=1
    )
    assert old == new, "./run golden writes it anew; the first lines that differ:\n" + "\n".join(
        line for line, _ in zip(difference, range(30), strict=False)
    )


def test_every_golden_file_belongs_to_a_game() -> None:
    assert sorted(every_card.HERE.glob("*.txt")) == sorted(golden.path for golden in GAMES)
    newest = {
        (name, registry.newest(name).version)
        for name in registry.known_games()
        if name not in CARDLESS
    }
    assert {(golden.game, golden.version) for golden in GAMES} == newest
    assert [registry.newest(name).decks({}) for name in CARDLESS] == [(), ()]


def test_every_card_of_tripoli_is_played() -> None:
    owners = {line.name: ("american", "tripolitan")[line.owner] for line in TABLE}
    assert played("tripoli") == {(owners[name], name) for name in TRIPOLI.cards}


def test_every_card_of_solitaire_is_played_by_the_player_or_the_bot() -> None:
    """But for those that the bot only ever spends: they are turned over."""
    seats = {line.name: ("american", "tripolitan")[line.owner] for line in TABLE}
    spent = {TABLE[card].name for card, needs in REQUIRED.items() if needs == (never,)}
    assert played("tripoli-solitaire") == {
        (seat, name) for name, seat in seats.items() if name not in spent
    }
    turned = "".join(kept(golden) for golden in GAMES if golden.game == "tripoli-solitaire")
    assert len(spent) == 3 and all(
        re.search(rf"turned over \| .*card {name}", turned) for name in spent
    )


def test_every_card_of_loot_is_played_by_both() -> None:
    names = registry.newest("loot").cards
    assert played("loot") == {(seat, name) for seat in ("first", "second") for name in names}


def test_every_chit_of_paradise_is_drawn_and_every_card_shown() -> None:
    told = "".join(kept(golden) for golden in GAMES if golden.game == "paradise")
    assert set(re.findall(r"^chit \| number (\d+)", told, re.MULTILINE)) == set(
        map(str, range(1, 16))
    )
    assert set(re.findall(r"^tonga> card (.+)$", told, re.MULTILINE)) == set(PARADISE.table_cards())


CARDLESS = ("any", "backgammon")
"""The games that come with the program and have no cards."""
ALL_EVENTS = tuple(cards.EVENTS)
EVENTS = [
    card
    for card, event in enumerate(cards.EVENTS)
    if event is not cards._nothing and KIND[card] != SOLITAIRE
]
"""Cards of the game for two that are played as a season's event."""


@CHANGES_RULES
@pytest.mark.parametrize("card", EVENTS, ids=lambda card: TABLE[card].name)
def test_a_card_without_its_event_changes_a_golden_game(
    card: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Storms once did something else, and no golden playthrough told."""
    monkeypatch.setattr(
        cards,
        "EVENTS",
        [cards._nothing if one == card else event for one, event in enumerate(ALL_EVENTS)],
    )
    name = TABLE[card].name
    games = [
        golden for golden in GAMES if golden.game == "tripoli" and f"card {name}" in kept(golden)
    ]
    assert any(_differs(golden) for golden in games)


def _differs(golden: GoldenGame) -> bool:
    try:
        return every_card.text(golden) != kept(golden)
    except Exception:  # the policy finds no such answer any more
        return True
