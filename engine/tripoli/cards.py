"""The cards: two decks of 24 and three core cards for each side (chapter "Card decks").

A card is its index in `NAMES`. What cards do stands in `american` and `tripolitan`, which register
their events here; `carry_out` plays one (chapters "American play", "Tripolitan play"). Battle cards
act where their window opens.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

from engine.cards import Backs, Deck
from engine.flow import Card, Flow, Handle, Option, Seat
from engine.requirements import Predicate, Requirement, all_hold
from engine.tripoli.position import Position
from engine.tripoli.tables import AMERICAN, TRIPOLITAN

CORE: Final = "core"
COMMON: Final = "common"
UNIQUE: Final = "unique"
BATTLE: Final = "battle"
VICTORY: Final = "victory"
SOLITAIRE: Final = "solitaire"


class CardLine(NamedTuple):
    """One line of the card table."""

    name: str
    owner: Seat
    kind: str
    copies: int = 1


TABLE: Final = (
    CardLine("Thomas Jefferson", AMERICAN, CORE),
    CardLine("Swedish Frigates Arrive", AMERICAN, CORE),
    CardLine("Hamet's Army Created", AMERICAN, CORE),
    CardLine("Treaty of Peace and Amity", AMERICAN, VICTORY),
    CardLine("Assault on Tripoli", AMERICAN, VICTORY),
    CardLine("Naval Movement", AMERICAN, COMMON, 4),
    CardLine("Early Deployment", AMERICAN, COMMON),
    CardLine("A Show of Force", AMERICAN, COMMON),
    CardLine("Tribute Paid", AMERICAN, COMMON),
    CardLine("Constantinople Demands Tribute", AMERICAN, COMMON),
    CardLine("Hamet Recruits Bedouins", AMERICAN, COMMON),
    CardLine("Bainbridge Supplies Intel", AMERICAN, COMMON),
    CardLine("Congress Authorizes Action", AMERICAN, UNIQUE),
    CardLine("Corsairs Confiscated", AMERICAN, UNIQUE),
    CardLine("Burn the Philadelphia", AMERICAN, UNIQUE),
    CardLine("Launch the Intrepid", AMERICAN, UNIQUE),
    CardLine("General Eaton Attacks Derne", AMERICAN, UNIQUE),
    CardLine("General Eaton Attacks Benghazi", AMERICAN, UNIQUE),
    CardLine("Lieutenant Sterett in Pursuit", AMERICAN, BATTLE),
    CardLine("Preble's Boys Take Aim", AMERICAN, BATTLE),
    CardLine("The Daring Stephen Decatur", AMERICAN, BATTLE),
    CardLine("Send in the Marines", AMERICAN, BATTLE),
    CardLine("Lieutenant O'Bannon Leads the Charge", AMERICAN, BATTLE),
    CardLine("Marine Sharpshooters", AMERICAN, BATTLE),
    CardLine("Yusuf Qaramanli", TRIPOLITAN, CORE),
    CardLine("Murad Reis Breaks Out", TRIPOLITAN, CORE),
    CardLine("Constantinople Sends Aid", TRIPOLITAN, CORE),
    CardLine("US Supplies Run Low", TRIPOLITAN, COMMON),
    CardLine("Algerine Corsairs Raid", TRIPOLITAN, COMMON, 2),
    CardLine("Moroccan Corsairs Raid", TRIPOLITAN, COMMON, 2),
    CardLine("Tunisian Corsairs Raid", TRIPOLITAN, COMMON, 2),
    CardLine("Troops to Derne", TRIPOLITAN, COMMON),
    CardLine("Troops to Benghazi", TRIPOLITAN, COMMON),
    CardLine("Troops to Tripoli", TRIPOLITAN, COMMON),
    CardLine("Storms", TRIPOLITAN, COMMON),
    CardLine("Tripoli Attacks", TRIPOLITAN, COMMON),
    CardLine("Sweden Pays Tribute", TRIPOLITAN, UNIQUE),
    CardLine("Tripoli Acquires Corsairs", TRIPOLITAN, UNIQUE),
    CardLine("The Philadelphia Runs Aground", TRIPOLITAN, UNIQUE),
    CardLine("Algiers Declares War", TRIPOLITAN, UNIQUE),
    CardLine("Morocco Declares War", TRIPOLITAN, UNIQUE),
    CardLine("Tunis Declares War", TRIPOLITAN, UNIQUE),
    CardLine("US Signal Books Overboard", TRIPOLITAN, BATTLE),
    CardLine("Uncharted Waters", TRIPOLITAN, BATTLE),
    CardLine("Merchant Ship Converted", TRIPOLITAN, BATTLE),
    CardLine("Happy Hunting", TRIPOLITAN, BATTLE),
    CardLine("The Guns of Tripoli", TRIPOLITAN, BATTLE),
    CardLine("Mercenaries Desert", TRIPOLITAN, BATTLE),
    CardLine("Second Storms", TRIPOLITAN, SOLITAIRE),
)
NAMES: Final = tuple(line.name for line in TABLE)
NAMES_FOR_TWO: Final = tuple(line.name for line in TABLE if line.kind != SOLITAIRE)
"""The first of them: those of the game for two players."""
KIND: Final = tuple(line.kind for line in TABLE)
CORE_CARDS: Final = tuple(
    tuple(card for card, line in enumerate(TABLE) if line.owner == seat and line.kind == CORE)
    for seat in (AMERICAN, TRIPOLITAN)
)

THOMAS_JEFFERSON: Final = 0
SWEDISH_FRIGATES_ARRIVE: Final = 1
HAMETS_ARMY_CREATED: Final = 2
TREATY_OF_PEACE: Final = 3
ASSAULT_ON_TRIPOLI: Final = 4
NAVAL_MOVEMENT: Final = 5
EARLY_DEPLOYMENT: Final = 6
SHOW_OF_FORCE: Final = 7
TRIBUTE_PAID: Final = 8
DEMANDS_TRIBUTE: Final = 9
RECRUITS_BEDOUINS: Final = 10
BAINBRIDGE: Final = 11
CONGRESS_AUTHORIZES: Final = 12
CORSAIRS_CONFISCATED: Final = 13
BURN_THE_PHILADELPHIA: Final = 14
LAUNCH_THE_INTREPID: Final = 15
EATON_ATTACKS_DERNE: Final = 16
EATON_ATTACKS_BENGHAZI: Final = 17
STERETT: Final = 18
PREBLES_BOYS: Final = 19
DECATUR: Final = 20
SEND_IN_THE_MARINES: Final = 21
OBANNON: Final = 22
SHARPSHOOTERS: Final = 23
YUSUF_QARAMANLI: Final = 24
MURAD_REIS: Final = 25
SENDS_AID: Final = 26
SUPPLIES_RUN_LOW: Final = 27
ALGERINE_RAID: Final = 28
MOROCCAN_RAID: Final = 29
TUNISIAN_RAID: Final = 30
TROOPS_TO_DERNE: Final = 31
TROOPS_TO_BENGHAZI: Final = 32
TROOPS_TO_TRIPOLI: Final = 33
STORMS: Final = 34
TRIPOLI_ATTACKS: Final = 35
SWEDEN_PAYS: Final = 36
ACQUIRES_CORSAIRS: Final = 37
PHILADELPHIA_AGROUND: Final = 38
ALGIERS_DECLARES: Final = 39
MOROCCO_DECLARES: Final = 40
TUNIS_DECLARES: Final = 41
SIGNAL_BOOKS: Final = 42
UNCHARTED_WATERS: Final = 43
MERCHANT_CONVERTED: Final = 44
HAPPY_HUNTING: Final = 45
GUNS_OF_TRIPOLI: Final = 46
MERCENARIES_DESERT: Final = 47
SECOND_STORMS: Final = 48


def _contents(seat: Seat) -> tuple[Card, ...]:
    return tuple(
        card
        for card, line in enumerate(TABLE)
        if line.owner == seat and line.kind not in (CORE, SOLITAIRE)
        for _ in range(line.copies)
    )


DECKS: Final = (
    Deck("a", AMERICAN, _contents(AMERICAN)),
    Deck("t", TRIPOLITAN, _contents(TRIPOLITAN)),
)
BACKS: Final = Backs(DECKS)

Event: TypeAlias = Callable[[Position], Flow[None] | None]
"""A card's event: carried out at once, or a stretch of play where it asks for something."""


def _nothing(_game: Position) -> None:
    raise AssertionError("a battle card has no event")


EVENTS: Final[list[Event]] = [_nothing] * len(TABLE)
NEEDED: Final[list[tuple[Requirement, ...]]] = [()] * len(TABLE)
"""What each card's event needs, in words too."""
NEEDS: Final[list[Predicate]] = [lambda _game: False] * len(TABLE)
"""Whether each card's event may be played, as one question; no battle card is ever the season's
event."""
EVENT_OPTION: Final[tuple[tuple[Option, ...], ...]] = tuple(
    (("event", card),) for card in range(len(TABLE))
)


def event(card: Card, *needs: Requirement) -> Callable[[Event], Event]:
    """Register a function as the event of a card that may be played when all of `needs` hold."""

    def register(function: Event) -> Event:
        EVENTS[card] = function
        NEEDED[card], NEEDS[card] = needs, all_hold(needs)
        return function

    return register


def events_of(game: Position, card: Card) -> tuple[Option, ...]:
    """What this card allows as the season's event: one option, or nothing while its needs are not
    met."""
    return EVENT_OPTION[card] if NEEDS[card](game) else ()


def carry_out(game: Position, seat: Seat, card: Card, handle: Handle | None) -> Flow[None]:
    """Core and unique cards are removed from the game, all others go to the discard; then the event
    takes place."""
    game.note("event", seat, card)
    if handle is None or KIND[card] in (CORE, UNIQUE):
        game.remove_card(seat, card)
    else:
        game.discards[seat].append(handle)
    flow = EVENTS[card](game)
    if flow is not None:
        yield from flow
