"""When the bot plays which card for its turn (chapter "Solitaire card play requirements").

Each function looks at public facts only and returns a verdict: whether the card is played, and the facts that decide
it. The book's condition and the card's own need must both hold (solitaire ruling 2).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from engine.automaton import Verdict
from engine.flow import Card
from engine.tripoli.cards import (
    ACQUIRES_CORSAIRS,
    ALGERINE_RAID,
    ALGIERS_DECLARES,
    MOROCCAN_RAID,
    MOROCCO_DECLARES,
    MURAD_REIS,
    NEEDS,
    PHILADELPHIA_AGROUND,
    SECOND_STORMS,
    SENDS_AID,
    STORMS,
    SUPPLIES_RUN_LOW,
    SWEDEN_PAYS,
    TRIPOLI_ATTACKS,
    TROOPS_TO_BENGHAZI,
    TROOPS_TO_DERNE,
    TROOPS_TO_TRIPOLI,
    TUNIS_DECLARES,
    TUNISIAN_RAID,
    YUSUF_QARAMANLI,
)
from engine.tripoli.position import Position
from engine.tripoli.tables import (
    ALLIES,
    BENGHAZI,
    CORSAIR,
    DERNE,
    ENEMY_FRIGATE,
    FIRST_YEAR,
    FRIGATE,
    GIBRALTAR_ZONE,
    PIECE_NAMES,
    PLACE_NAMES,
    RESHUFFLE_YEAR,
    SUPPLY,
    SWEDE,
    TRIPOLI,
    TRIPOLI_ZONE,
    WINTER,
    ZONES,
    Kind,
    Place,
)

Judge: TypeAlias = Callable[[Position], Verdict]

FLEET_TO_ATTACK: Final = 5
"""Dice of Tripolitan ships that Tripoli Attacks asks for."""


def there(game: Position, kind: Kind, place: Place) -> str:
    """How many of these pieces are at a place: `2 American frigates in the Tripoli Patrol Zone`."""
    count = game.pieces[kind][place]
    what = PIECE_NAMES[kind] + ("" if count == 1 else "s")
    where = f"the {PLACE_NAMES[place]}" if place in ZONES or place == SUPPLY else PLACE_NAMES[place]
    return f"{count or 'no'} {what} in {where}"


# ---- the event card line ----------------------------------------------------------------------------------------


def murad_reis(game: Position) -> Verdict:
    """No American frigate in the zone of Gibraltar, or Winter 1801."""
    if (game.year, game.season) == (FIRST_YEAR, WINTER):
        return Verdict(True, "it is Winter 1801")
    seen = there(game, FRIGATE, GIBRALTAR_ZONE)
    return Verdict(not game.frigates[GIBRALTAR_ZONE], seen)


def sends_aid(game: Position) -> Verdict:
    """Derne is captured."""
    captured = game.is_derne_captured()
    return Verdict(captured, "Derne is captured" if captured else "Derne is not captured")


def yusuf_qaramanli(game: Position) -> Verdict:
    """Two active allies until 1804, one from 1805 on."""
    active = [PLACE_NAMES[harbor] for harbor in ALLIES if game.allied[harbor]]
    needed = 2 if game.year < RESHUFFLE_YEAR else 1
    at_war = " and ".join(active) or "no ally"
    return Verdict(len(active) >= needed, f"{at_war} at war, {needed} needed in {game.year}")


def sweden_pays(game: Position) -> Verdict:
    """1803 or later, with Swedish frigates to send home (solitaire ruling 9)."""
    if game.year < FIRST_YEAR + 2:
        return Verdict(False, f"it is {game.year}")
    return Verdict(NEEDS[SWEDEN_PAYS](game), f"it is {game.year}, {there(game, SWEDE, TRIPOLI_ZONE)}")


def five_corsairs(game: Position) -> Verdict:
    """Five Corsair Check: five or more corsairs in the harbor of Tripoli (solitaire ruling 3)."""
    return Verdict(game.corsairs[TRIPOLI] >= 5, there(game, CORSAIR, TRIPOLI))


# ---- cards that wait in the line for their moment ---------------------------------------------------------------


def philadelphia_aground(game: Position) -> Verdict:
    """An American frigate in the zone of Tripoli."""
    return Verdict(game.frigates[TRIPOLI_ZONE] > 0, there(game, FRIGATE, TRIPOLI_ZONE))


def storms(game: Position) -> Verdict:
    """Some zone with at least two American frigates."""
    zone = max(ZONES, key=lambda place: game.frigates[place])
    if game.frigates[zone] >= 2:
        return Verdict(True, there(game, FRIGATE, zone))
    return Verdict(False, "no zone with two American frigates")


def acquires_corsairs(game: Position) -> Verdict:
    """At least two Tripolitan corsairs in the Supply."""
    return Verdict(game.corsairs[SUPPLY] >= 2, there(game, CORSAIR, SUPPLY))


# ---- cards played at once or spent ------------------------------------------------------------------------------


def at_once(_game: Position) -> Verdict:
    """Nothing is needed."""
    return Verdict(True, "always played")


def never(_game: Position) -> Verdict:
    """The bot does not raid an ally's harbor by its card."""
    return Verdict(False, "always spent")


def tripoli_attacks(game: Position) -> Verdict:
    """Exactly one American frigate in the zone of Tripoli, and five dice of ships in the harbor (solitaire
    ruling 3)."""
    seen = there(game, FRIGATE, TRIPOLI_ZONE)
    dice = 2 * game.pieces[ENEMY_FRIGATE][TRIPOLI] + game.corsairs[TRIPOLI]
    return Verdict(
        game.frigates[TRIPOLI_ZONE] == 1 and dice >= FLEET_TO_ATTACK,
        f"{seen}, ships worth {dice} {'die' if dice == 1 else 'dice'} in Tripoli",
    )


def supplies_run_low(game: Position) -> Verdict:
    """Exactly two American frigates in the zone of Tripoli."""
    return Verdict(game.frigates[TRIPOLI_ZONE] == 2, there(game, FRIGATE, TRIPOLI_ZONE))


def _held(card: Card, city: Place) -> Judge:
    def judge(game: Position) -> Verdict:
        held = NEEDS[card](game)
        return Verdict(held, f"{PLACE_NAMES[city]} is {'held' if held else 'captured'}")

    return judge


JUDGES: Final[dict[Card, Judge]] = {
    MURAD_REIS: murad_reis,
    SENDS_AID: sends_aid,
    YUSUF_QARAMANLI: yusuf_qaramanli,
    SWEDEN_PAYS: sweden_pays,
    PHILADELPHIA_AGROUND: philadelphia_aground,
    STORMS: storms,
    SECOND_STORMS: storms,
    ACQUIRES_CORSAIRS: acquires_corsairs,
    ALGIERS_DECLARES: at_once,
    MOROCCO_DECLARES: at_once,
    TUNIS_DECLARES: at_once,
    TRIPOLI_ATTACKS: tripoli_attacks,
    TROOPS_TO_TRIPOLI: at_once,
    TROOPS_TO_BENGHAZI: _held(TROOPS_TO_BENGHAZI, BENGHAZI),
    TROOPS_TO_DERNE: _held(TROOPS_TO_DERNE, DERNE),
    SUPPLIES_RUN_LOW: supplies_run_low,
    ALGERINE_RAID: never,
    MOROCCAN_RAID: never,
    TUNISIAN_RAID: never,
}
"""The requirement of every card that can be the bot's event."""

WAITING: Final = frozenset((PHILADELPHIA_AGROUND, STORMS, SECOND_STORMS, ACQUIRES_CORSAIRS))
"""Drawn too early these join the event card line, and another card is drawn; any other is spent to raid or build."""


def judge(game: Position, card: Card) -> Verdict:
    """Whether the bot plays this card now."""
    return JUDGES[card](game)
