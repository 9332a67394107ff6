"""The words of the game: answers as they are entered, and the question."""

from __future__ import annotations

from functools import cache

from engine.flow import Ask, Handle, Option
from engine.loot.position import LootPosition
from engine.loot.tables import MOST_SHIPS, NAMES


def words(option: Option) -> str:
    """`draw`, `merchant 5`, `blue 3 at ship 2`, `captain blue at ship 2`, `admiral at ship 1`, `discard blue 2`."""
    match option:
        case ("draw",):
            return "draw"
        case ("merchant", card):
            return NAMES[card]
        case ("discard", card):
            return f"discard {NAMES[card]}"
        case (_, card, ship):
            return f"{NAMES[card]} at ship {ship}"
    raise ValueError(f"no option of Loot: {option}")


@cache
def vocabulary() -> frozenset[str]:
    """Every word of an answer."""
    from_cards = {word for name in NAMES for word in name.split()}
    ships = {str(number) for number in range(1, MOST_SHIPS + 1)}
    return frozenset({"draw", "discard", "at", "ship"} | from_cards | ships)


def prompt(game: LootPosition, ask: Ask) -> str:
    """The question in words."""
    if not ask.options:
        return "the pile is empty: play or discard one card"
    return f"play one card or draw, {_cards(len(game.pile))} left in the pile"


def opening(game: LootPosition, handle: Handle) -> str:
    """What a seat opens when the score is counted; a card that is played its owner opens with that same turn."""
    hand = next((hand for hand in game.hands if handle in hand), [])
    left = sum(card not in game.open for card in hand)
    return "the last card of its hand" if left == 1 else f"the last {left} cards of its hand"


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"
