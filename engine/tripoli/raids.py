"""Pirate raids and interception (chapter "Pirate raids")."""

from __future__ import annotations

from engine.flow import Flow, Pick
from engine.tripoli.cards import HAPPY_HUNTING, MERCHANT_CONVERTED, NAMES, SIGNAL_BOOKS, STERETT
from engine.tripoli.position import Position
from engine.tripoli.tables import (
    ALLIED,
    AMERICAN,
    CORSAIR,
    GIBRALTAR,
    SUPPLY,
    TRIPOLI,
    TRIPOLITAN,
    ZONE_OF,
    Kind,
    Place,
)
from engine.tripoli.windows import throw, throw_away, window

HAPPY_DICE = 3


def pirate_raid(game: Position, harbor: Place) -> Flow[None]:
    """Interception, then one die for each corsair left, 5 or 6 takes a merchant ship: one gold each."""
    game.note("raid", harbor)
    game.place = harbor
    kind = CORSAIR if harbor == TRIPOLI else ALLIED
    met = yield from interception(game, harbor, kind)
    happy = yield from raid_cards(game, harbor, met)
    gold = yield from throw(game, TRIPOLITAN, game.pieces[kind][harbor], "Corsairs raid", 5)
    if happy:
        gold += yield from throw(game, TRIPOLITAN, HAPPY_DICE, "Happy Hunting", 5)
    game.take_gold(gold)
    if gold and harbor == TRIPOLI and game.corsairs[SUPPLY]:
        yield from merchant_ship_converted(game)


def interception(game: Position, harbor: Place, kind: Kind) -> Flow[bool]:
    """Two dice for each American and Swedish frigate in the zone outside, each 6 sinks a corsair.
    Lieutenant Sterett in Pursuit: American frigates roll three.

    Returns whether an American frigate was among them.
    """
    zone = ZONE_OF[harbor]
    frigates, dice = game.frigates[zone], 2
    if frigates and (yield from window(game, AMERICAN, "interception", (STERETT,))) is not None:
        dice = 3
    hits = yield from throw(game, AMERICAN, game.swedes[zone] * 2, "Swedish frigates intercept")
    hits += yield from throw(game, AMERICAN, frigates * dice, "American frigates intercept")
    game.sink(kind, harbor, hits)
    return frigates > 0


def raid_cards(game: Position, harbor: Place, met: bool) -> Flow[bool]:
    """US Signal Books Overboard after an interception with American frigates; Happy Hunting in a raid from Tripoli
    with a corsair left: three more dice. Both may be played in one raid (ruling 10).

    Returns whether the hunting is happy.
    """
    happy = False
    while True:
        usable = [SIGNAL_BOOKS] if met else []
        if harbor == TRIPOLI and game.corsairs[TRIPOLI]:
            usable.append(HAPPY_HUNTING)
        card = yield from window(game, TRIPOLITAN, "raid", usable)
        if card is None:
            return happy
        if card == HAPPY_HUNTING:
            happy = True
        else:
            yield from signal_books(game)


def signal_books(game: Position) -> Flow[None]:
    """US Signal Books Overboard: a random card of the American hand goes to the discard; an empty hand loses none."""
    hand = game.hands[AMERICAN]
    if not hand:
        return
    handle = hand[0]
    if len(hand) > 1:
        (handle,) = yield Pick(tuple(hand), 1, NAMES[SIGNAL_BOOKS])
    hand.remove(handle)
    card = yield from throw_away(game, AMERICAN, handle)
    game.note("card lost", AMERICAN, card)


def merchant_ship_converted(game: Position) -> Flow[None]:
    """Merchant Ship Converted: a raid from Tripoli that took gold brings a corsair from the Supply to Tripoli."""
    card = yield from window(game, TRIPOLITAN, "after raid", (MERCHANT_CONVERTED,))
    if card is not None:
        game.place_new(CORSAIR, TRIPOLI, 1)


def break_out(game: Position) -> Flow[None]:
    """Murad Reis: an interception at Gibraltar, and the corsairs left sail to Tripoli; they do not raid."""
    game.place = GIBRALTAR
    met = yield from interception(game, GIBRALTAR, CORSAIR)
    yield from raid_cards(game, GIBRALTAR, met)
    game.move(CORSAIR, GIBRALTAR, TRIPOLI, game.corsairs[GIBRALTAR])
