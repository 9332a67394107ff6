"""What the bot does where a Tripolitan player would be asked in the middle of a play: battle cards,
hits, zones, harbors (chapters "T-bot battle cards" and "T-bot strategy notes")."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine.automaton import Verdict, break_tie, says
from engine.flow import Answer, Ask, Card, Flow
from engine.tripoli import cards, places
from engine.tripoli.places import Place
from engine.tripoli.tables import AMERICAN, RESHUFFLE_YEAR, TRIPOLITAN, WINTER
from engine.tripoli_solitaire.position import BotPosition

Judge = Callable[[BotPosition], Verdict]


def decide(game: BotPosition, ask: Ask) -> Flow[Answer]:
    """The bot's answer to a question of the two-player rules."""
    return _DECIDE[ask.rule](game, ask)


# ---- battle cards --------------------------------------------------------------------------------


def happy_hunting(_game: BotPosition) -> Verdict:
    """The first raid from Tripoli with a corsair left. The window opens for nothing else (solitaire
    ruling 15)."""
    return Verdict(True, "the first raid from Tripoli with a corsair left")


def merchant_converted(_game: BotPosition) -> Verdict:
    """The first raid from Tripoli that took gold, with a corsair in the Supply. The window opens
    for nothing else (solitaire ruling 15)."""
    return Verdict(True, "the first raid from Tripoli that took gold")


def uncharted_waters(_game: BotPosition) -> Verdict:
    """The event is The Philadelphia Runs Aground. The window opens for nothing else."""
    return Verdict(True, "the Philadelphia runs aground")


def mercenaries_desert(game: BotPosition) -> Verdict:
    """Only against General Eaton's attack on Derne."""
    return Verdict(
        game.place == places.DERNE,
        f"the attack is on {places.NAMES[game.place]}",
        "an attack on Derne",
    )


def signal_books(game: BotPosition) -> Verdict:
    """The first raid from Tripoli in 1805 or 1806 that American frigates met, if the American has a
    card to lose (solitaire ruling 15)."""
    if game.place != places.TRIPOLI:
        return Verdict(
            False, f"the corsairs lie at {places.NAMES[game.place]}", "a raid from Tripoli"
        )
    if game.year < RESHUFFLE_YEAR:
        return Verdict(False, f"it is {game.year}", "1805 or 1806")
    if not game.hands[AMERICAN]:
        return Verdict(False, "the American hand is empty", "a card in the American hand")
    return Verdict(True, f"the first raid from Tripoli that American frigates met, in {game.year}")


def is_late(game: BotPosition) -> bool:
    """1805 or 1806, but not Winter 1805: the time in which corsairs are hit first."""
    return game.year > RESHUFFLE_YEAR or (game.year == RESHUFFLE_YEAR and game.season != WINTER)


def guns_of_tripoli(game: BotPosition) -> Verdict:
    """In 1805 and 1806 but for Winter 1805; in the Assault always. Only a naval battle opens the
    window (solitaire ruling 16)."""
    if game.in_assault:
        return Verdict(True, "the Assault on Tripoli")
    return Verdict(
        is_late(game), f"an attack on Tripoli in {game.when()}", "1805 or 1806, but for Winter 1805"
    )


BATTLE_JUDGES: Final[dict[Card, Judge]] = {
    cards.HAPPY_HUNTING: happy_hunting,
    cards.MERCHANT_CONVERTED: merchant_converted,
    cards.UNCHARTED_WATERS: uncharted_waters,
    cards.MERCENARIES_DESERT: mercenaries_desert,
    cards.SIGNAL_BOOKS: signal_books,
    cards.GUNS_OF_TRIPOLI: guns_of_tripoli,
}

PLAYED: Final[dict[Card, str]] = {
    cards.HAPPY_HUNTING: "the first raid from Tripoli with a corsair left",
    cards.MERCHANT_CONVERTED: (
        "the first raid from Tripoli that takes gold with a corsair in the Supply"
    ),
    cards.UNCHARTED_WATERS: "the first time the Philadelphia runs aground",
    cards.MERCENARIES_DESERT: "the attack on Derne",
    cards.SIGNAL_BOOKS: (
        "the first raid from Tripoli in 1805 or 1806 that American frigates meet, "
        "if the hand is not empty"
    ),
    cards.GUNS_OF_TRIPOLI: (
        "a naval battle in Tripoli in 1805 or 1806, but for Winter 1805, "
        "or in the Assault at any time"
    ),
}
"""When each card of the battle line is played, in words for the texts of the cards."""


def battle_card(game: BotPosition, ask: Ask) -> Flow[Answer]:
    """The first card of the battle card line that the window takes and whose requirement holds, or
    none (solitaire ruling 4)."""
    yield from ()
    for handle in ask.hand:
        card = game.opened[handle]
        options = ask.allows(card)
        if options and says(game, TRIPOLITAN, cards.NAMES[card], BATTLE_JUDGES[card](game)):
            return Answer(options[0], handle)
    return Answer(ask.options[0])


# ---- hits, zones, harbors ------------------------------------------------------------------------

EARLY: Final = ("damage", "sink", "sink damaged")
LATE: Final = ("sink", "damage", "sink damaged")
"""What takes a hit first: a frigate not yet hit, a small ship, a frigate hit before."""


def hits(game: BotPosition, ask: Ask) -> Flow[Answer]:
    """Frigates take one hit each, then corsairs are sunk; in 1805 and 1806 (but Winter 1805 and the
    Assault) corsairs go first. A frigate is sunk when nothing else is left (solitaire ruling
    17)."""
    yield from ()
    late = is_late(game) and not game.in_assault
    order = LATE if late else EARLY
    option = min(ask.options, key=lambda option: order.index(option[0]))
    why = "the Assault on Tripoli" if game.in_assault else game.when()
    says(
        game,
        TRIPOLITAN,
        "corsairs are hit first" if late else "frigates are hit first",
        Verdict(True, why),
    )
    return Answer(option)


def zone(game: BotPosition, ask: Ask) -> Flow[Answer]:
    """US Supplies Run Low looks at the zone of Tripoli. Storms blow where most American frigates
    are; a die breaks ties (solitaire rulings 12 and 18)."""
    zones = [option[1] for option in ask.options]
    if game.playing == cards.SUPPLIES_RUN_LOW:
        return Answer(ask.options[zones.index(places.TRIPOLI_ZONE)])
    most = max(game.frigates[place] for place in zones)
    tied = [place for place in zones if game.frigates[place] == most]
    chosen: Place = yield from break_tie(
        game, TRIPOLITAN, tied, f"where {cards.NAMES[game.playing]} blows", _name
    )
    verdict = Verdict(True, f"most American frigates: {most} in the {_name(chosen)}")
    says(game, TRIPOLITAN, cards.NAMES[game.playing], verdict)
    return Answer(ask.options[zones.index(chosen)])


def harbor(_game: BotPosition, ask: Ask) -> Flow[Answer]:
    """Yusuf Qaramanli raids from Tripoli, Algiers, Tangier, Tunis, from all that have corsairs
    (solitaire ruling 14)."""
    yield from ()
    return Answer(ask.options[0])


def _name(place: Place) -> str:
    return places.NAMES[place]


_DECIDE: Final[dict[str, Callable[[BotPosition, Ask], Flow[Answer]]]] = {
    "raid": battle_card,
    "after raid": battle_card,
    "naval battle": battle_card,
    "land battle": battle_card,
    "die": battle_card,
    "hits": hits,
    "zone": zone,
    "harbor": harbor,
}
