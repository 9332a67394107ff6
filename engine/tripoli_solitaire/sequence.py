"""The sequence of play against the bot, and the bot's turn (chapter "Solitaire play")."""

from __future__ import annotations

from functools import partial
from typing import Final

from engine.automaton import Verdict, break_tie, played_by, says
from engine.flow import Card, Flow, Handle, Outcome, Pick
from engine.tripoli import pieces, places
from engine.tripoli.cards import NAMES, STERETT, carry_out
from engine.tripoli.combat import american_fleet, may_choose_hits
from engine.tripoli.places import Place
from engine.tripoli.raids import pirate_raid
from engine.tripoli.sequence import (
    Phases,
    american_turn,
    draw_cards,
    hand_limit,
    reshuffle,
    shuffle_deck,
    turn_year,
    whole_game,
)
from engine.tripoli.tables import AMERICAN, RESHUFFLE_YEAR, TRIPOLITAN
from engine.tripoli_solitaire.position import BotPosition
from engine.tripoli_solitaire.reactions import decide
from engine.tripoli_solitaire.requirements import WAITING, five_corsairs, judge, weigh

RAID_OR_BUILD: Final = "Raid or Build"
RAIDERS_NEEDED: Final = 3

BOT_CARD: Final = "bot-card"
"""The reason for which the bot turns a card over (`Rules.reasons`)."""


def solitaire_game(game: BotPosition) -> Flow[Outcome]:
    """The game for two, with every question to Tripolitania answered by the bot's tables."""
    return played_by(game, TRIPOLITAN, partial(decide, game), whole_game(game, SOLITAIRE))


def set_up(game: BotPosition) -> Flow[None]:
    """The American shuffles their deck; the bot's cards are laid out."""
    yield from shuffle_deck(game, AMERICAN)
    game.lay_out()


def start_of_year(game: BotPosition, year: int) -> Flow[None]:
    """A new year: only the American draws, and the bot never shuffles its discard (solitaire ruling
    7)."""
    turn_year(game, year)
    if year == RESHUFFLE_YEAR:
        yield from reshuffle(game, AMERICAN)
    yield from draw_cards(game, AMERICAN)
    yield from hand_limit(game, (AMERICAN,))


def seasonal_round(game: BotPosition, season: int) -> Flow[None]:
    """An American play, then the bot's turn."""
    yield from american_turn(game, season)
    game.active = TRIPOLITAN
    if not may_ask_american(game):
        game.end_last_play()
    yield from bot_turn(game)


SOLITAIRE: Final = Phases(set_up, start_of_year, seasonal_round)


# ---- the bot's turn ------------------------------------------------------------------------------


def may_ask_american(game: BotPosition) -> bool:
    """Whether the bot's turn may ask the American anything: Lieutenant Sterett against corsairs
    that sail, a battle against an ally that declares war, or what a battle before Tripoli hits."""
    intercepts = any(game.frigates[zone] for zone in places.ZONES) and game.may_hold(
        AMERICAN, STERETT
    )
    meets = any(game.frigates[harbor] for harbor in places.ALLIES)
    return (
        intercepts
        or meets
        or may_choose_hits(game, american_fleet(places.TRIPOLI_ZONE, game.next_year()))
    )


def bot_turn(game: BotPosition) -> Flow[None]:
    """The event card line from its start, then the Five Corsair Check, then cards from the pile
    until one is used; if the pile runs out, Raid or Build (solitaire ruling 11)."""
    for card in game.event_line():
        if says(game, TRIPOLITAN, NAMES[card], judge(game, card)):
            yield from play_from_line(game, card)
            return
    if says(game, TRIPOLITAN, "Five Corsair Check", weigh(game, five_corsairs)):
        yield from pirate_raid(game, places.TRIPOLI)
        return
    while game.piles[TRIPOLITAN]:
        handle = yield from turn_over(game)
        if (yield from is_used(game, handle)):
            return
    says(game, TRIPOLITAN, "the draw pile", Verdict(False, "it is empty"))
    yield from raid_or_build(game, None)


def play_from_line(game: BotPosition, card: Card) -> Flow[None]:
    """A card of the event card line is the bot's event."""
    if card in game.added:
        game.added.remove(card)
        yield from play_event(game, card, game.known[card])
    else:
        game.core[TRIPOLITAN].remove(card)
        yield from play_event(game, card, None)


def turn_over(game: BotPosition) -> Flow[Handle]:
    """Turn over a random card of the pile; the last one needs no chance (solitaire rulings 1 and
    13)."""
    pile = game.piles[TRIPOLITAN]
    handle = pile[0]
    if len(pile) > 1:
        (handle,) = yield Pick(tuple(pile), 1, "the bot turns a card over", BOT_CARD)
    pile.remove(handle)
    game.note("turned over", TRIPOLITAN, game.opened[handle])
    return handle


def is_used(game: BotPosition, handle: Handle) -> Flow[bool]:
    """Play the card if its requirement holds; else it waits in the event card line, and another is
    drawn, or it is spent (solitaire ruling 8)."""
    card = game.opened[handle]
    if says(game, TRIPOLITAN, NAMES[card], judge(game, card)):
        yield from play_event(game, card, handle)
    elif card in WAITING:
        game.added.append(card)
        game.note("lined up", TRIPOLITAN, card)
        return False
    else:
        yield from raid_or_build(game, handle)
    return True


def play_event(game: BotPosition, card: Card, handle: Handle | None) -> Flow[None]:
    """The card's event takes place as in the game for two."""
    game.playing = card
    yield from carry_out(game, TRIPOLITAN, card, handle)
    game.playing = -1


# ---- raid or build -------------------------------------------------------------------------------


def raid_or_build(game: BotPosition, handle: Handle | None) -> Flow[None]:
    """Raid or Build: raid from the harbor with three corsairs or more that exceed the frigates
    outside by most, a die breaks ties; else build a corsair in Tripoli if the Supply has one. The
    card spent for it goes to the discard (solitaire rulings 5, 10 and 18)."""
    raiders = {
        place: surplus(game, place)
        for place in (*places.ALLIES, places.TRIPOLI)
        if can_raid(game, place)
    }
    harbor = None
    if raiders:
        best = max(raiders.values())
        tied = [place for place, more in raiders.items() if more == best]
        harbor = yield from break_tie(
            game, TRIPOLITAN, tied, "which harbor raids", places.NAMES.__getitem__
        )
    action = "build" if game.corsairs[places.SUPPLY] else "nothing"
    if harbor is not None:
        action = "raid"
    says(game, TRIPOLITAN, RAID_OR_BUILD, Verdict(True, account(game)))
    if handle is not None:
        game.discards[TRIPOLITAN].append(handle)
        game.note("spent", TRIPOLITAN, game.opened[handle], action)
    if harbor is not None:
        yield from pirate_raid(game, harbor)
    else:
        game.place_new(pieces.CORSAIR, places.TRIPOLI, 1)


def corsairs_in(game: BotPosition, harbor: Place) -> int:
    """Corsairs that would raid from there."""
    return game.pieces[pieces.CORSAIR if harbor == places.TRIPOLI else pieces.ALLIED][harbor]


def patrol_of(game: BotPosition, harbor: Place) -> int:
    """American and Swedish frigates outside."""
    zone = places.ZONE_OF[harbor]
    return game.frigates[zone] + game.swedes[zone]


def surplus(game: BotPosition, harbor: Place) -> int:
    """How many corsairs more than frigates outside."""
    return corsairs_in(game, harbor) - patrol_of(game, harbor)


def can_raid(game: BotPosition, harbor: Place) -> bool:
    """Three corsairs or more, and more than the frigates outside."""
    return corsairs_in(game, harbor) >= RAIDERS_NEEDED and surplus(game, harbor) > 0


def account(game: BotPosition) -> str:
    """The harbors that were weighed, in words."""
    weighed = [place for place in (*places.ALLIES, places.TRIPOLI) if corsairs_in(game, place)]
    found = [
        f"{places.NAMES[place]} {corsairs_in(game, place)} to {patrol_of(game, place)}"
        for place in weighed
    ]
    return "corsairs to frigates outside: " + (", ".join(found) or "no corsairs anywhere")
