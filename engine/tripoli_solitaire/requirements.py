"""When the bot plays which card for its turn (chapter "Solitaire card play requirements").

Each requirement is a question to public facts with its words and the fact that answers it
(`engine.requirements`). The book's condition and the card's own need must both hold (solitaire
ruling 2).
"""

from __future__ import annotations

from typing import Final

from engine.automaton import Verdict
from engine.flow import Card
from engine.requirements import Requirement, requires
from engine.tripoli import cards, pieces, places
from engine.tripoli.needs import active_allies, allies_at_war, there
from engine.tripoli.places import Place
from engine.tripoli.position import Position
from engine.tripoli.tables import FIRST_YEAR, RESHUFFLE_YEAR, WINTER

FLEET_TO_ATTACK: Final = 5
"""Dice of Tripolitan ships that Tripoli Attacks asks for."""


# ---- the event card line -------------------------------------------------------------------------


def _is_first_winter(game: Position) -> bool:
    return (game.year, game.season) == (FIRST_YEAR, WINTER)


def _before_murad_reis(game: Position) -> str:
    return (
        "it is Winter 1801"
        if _is_first_winter(game)
        else there(pieces.FRIGATE, places.GIBRALTAR_ZONE)(game)
    )


@requires("the Gibraltar Patrol Zone free of American frigates, or Winter 1801", _before_murad_reis)
def murad_reis(game: Position) -> bool:
    return _is_first_winter(game) or not game.frigates[places.GIBRALTAR_ZONE]


def _at_war_when(game: Position) -> str:
    return f"{allies_at_war(game)} in {game.year}"


@requires("two allies at war, or one from 1805 on", _at_war_when)
def yusuf_qaramanli(game: Position) -> bool:
    return len(active_allies(game)) >= (2 if game.year < RESHUFFLE_YEAR else 1)


@requires("five corsairs in Tripoli", there(pieces.CORSAIR, places.TRIPOLI))
def five_corsairs(game: Position) -> bool:
    """Five Corsair Check: five or more in the harbor of Tripoli (solitaire ruling 3)."""
    return game.corsairs[places.TRIPOLI] >= 5


# ---- cards that wait in the line for their moment ------------------------------------------------


def _most_patrolled(game: Position) -> Place:
    return max(places.ZONES, key=lambda place: game.frigates[place])


def _fullest_zone(game: Position) -> str:
    zone = _most_patrolled(game)
    return there(pieces.FRIGATE, zone)(game) if game.frigates[zone] >= 2 else "no zone has two"


@requires("two American frigates in one zone", _fullest_zone)
def storms(game: Position) -> bool:
    return game.frigates[_most_patrolled(game)] >= 2


@requires("two Tripolitan corsairs in the Supply", there(pieces.CORSAIR, places.SUPPLY))
def acquires_corsairs(game: Position) -> bool:
    return game.corsairs[places.SUPPLY] >= 2


# ---- cards played at once or spent ---------------------------------------------------------------


@requires("", lambda _game: "the bot always spends it")
def never(_game: Position) -> bool:
    """The bot does not raid an ally's harbor by its card."""
    return False


def _dice(game: Position) -> int:
    return 2 * game.pieces[pieces.ENEMY_FRIGATE][places.TRIPOLI] + game.corsairs[places.TRIPOLI]


def _ready_to_attack(game: Position) -> str:
    dice = _dice(game)
    return f"the ships in Tripoli have {dice or 'no'} {'die' if dice == 1 else 'dice'}"


@requires(
    "exactly one American frigate in the Tripoli Patrol Zone",
    there(pieces.FRIGATE, places.TRIPOLI_ZONE),
)
def has_one_frigate_outside(game: Position) -> bool:
    return game.frigates[places.TRIPOLI_ZONE] == 1


@requires("ships with five dice in Tripoli", _ready_to_attack)
def has_fleet(game: Position) -> bool:
    """Five dice of ships in the harbor (solitaire ruling 3)."""
    return _dice(game) >= FLEET_TO_ATTACK


@requires(
    "exactly two American frigates in the Tripoli Patrol Zone",
    there(pieces.FRIGATE, places.TRIPOLI_ZONE),
)
def has_two_frigates_outside(game: Position) -> bool:
    return game.frigates[places.TRIPOLI_ZONE] == 2


REQUIRED: Final[dict[Card, tuple[Requirement, ...]]] = {
    cards.MURAD_REIS: (murad_reis,),
    cards.SENDS_AID: cards.NEEDED[cards.SENDS_AID],
    cards.YUSUF_QARAMANLI: (yusuf_qaramanli,),
    cards.SWEDEN_PAYS: cards.NEEDED[cards.SWEDEN_PAYS],
    cards.PHILADELPHIA_AGROUND: cards.NEEDED[cards.PHILADELPHIA_AGROUND],
    cards.STORMS: (storms,),
    cards.SECOND_STORMS: (storms,),
    cards.ACQUIRES_CORSAIRS: (acquires_corsairs,),
    cards.ALGIERS_DECLARES: (),
    cards.MOROCCO_DECLARES: (),
    cards.TUNIS_DECLARES: (),
    cards.TRIPOLI_ATTACKS: (has_one_frigate_outside, has_fleet),
    cards.TROOPS_TO_TRIPOLI: (),
    cards.TROOPS_TO_BENGHAZI: cards.NEEDED[cards.TROOPS_TO_BENGHAZI],
    cards.TROOPS_TO_DERNE: cards.NEEDED[cards.TROOPS_TO_DERNE],
    cards.SUPPLIES_RUN_LOW: (has_two_frigates_outside,),
    cards.ALGERINE_RAID: (never,),
    cards.MOROCCAN_RAID: (never,),
    cards.TUNISIAN_RAID: (never,),
}
"""What every card needs that can be the bot's event; Sweden Pays Tribute from 1803 on (solitaire
ruling 9)."""

WAITING: Final = frozenset(
    (cards.PHILADELPHIA_AGROUND, cards.STORMS, cards.SECOND_STORMS, cards.ACQUIRES_CORSAIRS)
)
"""Cards that join the event card line if they are drawn before they can be played; another card is
drawn then. Any other card is spent to raid or build."""


def weigh(game: Position, *required: Requirement) -> Verdict:
    """A verdict: it fires if all requirements hold, with the facts; otherwise with the first
    requirement that does not hold and the fact against it."""
    for requirement in required:
        if not requirement.holds(game):
            return Verdict(False, requirement.fact(game), requirement.words)
    return Verdict(
        True, ", ".join(requirement.fact(game) for requirement in required) or "always played"
    )


def judge(game: Position, card: Card) -> Verdict:
    """Whether the bot plays this card now."""
    return weigh(game, *REQUIRED[card])
