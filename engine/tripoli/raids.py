"""Pirate raids and interception (chapter "Pirate raids")."""

from __future__ import annotations

from engine.flow import Flow, Pick
from engine.tripoli import pieces, places
from engine.tripoli.battle_cards import may_open, throw, throw_away, usable, window
from engine.tripoli.cards import HAPPY_HUNTING
from engine.tripoli.pieces import Kind
from engine.tripoli.places import Place
from engine.tripoli.position import Position
from engine.tripoli.tables import AMERICAN, CHANCE, TRIPOLITAN

HAPPY_DICE = 3


def pirate_raid(game: Position, harbor: Place, *, others: bool = False) -> Flow[None]:
    """Interception, then one die for each corsair left: 5 or 6 takes a merchant ship, which is one
    gold. `others` means that the same play may raid from other harbors afterwards."""
    game.note("raid", harbor)
    game.place = harbor
    kind = pieces.CORSAIR if harbor == places.TRIPOLI else pieces.ALLIED
    yield from interception(game, harbor, kind)
    happy = yield from raid_cards(game)
    if not others and not may_open(game, TRIPOLITAN, "after raid"):
        game.end_last_play()
    gold = yield from throw(game, TRIPOLITAN, game.pieces[kind][harbor], "raid", 5)
    if happy:
        gold += yield from throw(game, TRIPOLITAN, HAPPY_DICE, "happy-hunting", 5)
    game.take_gold(gold)
    if gold:
        yield from merchant_ship_converted(game)


def interception(game: Position, harbor: Place, kind: Kind) -> Flow[None]:
    """Two dice for each American and Swedish frigate in the zone outside, each 6 sinks a corsair.
    Lieutenant Sterett in Pursuit: American frigates roll three."""
    zone = places.ZONE_OF[harbor]
    frigates, dice = game.frigates[zone], 2
    usable_now = usable(game, AMERICAN, "interception")
    if (yield from window(game, AMERICAN, "interception", usable_now)) is not None:
        dice = 3
    hits = yield from throw(game, AMERICAN, game.swedes[zone] * 2, "interception-swedish-frigates")
    hits += yield from throw(game, AMERICAN, frigates * dice, "interception-frigates")
    game.sink(kind, harbor, hits)


def raid_cards(game: Position) -> Flow[bool]:
    """US Signal Books Overboard after an interception by American frigates; Happy Hunting in a raid
    from Tripoli with a corsair left: three more dice. Both may be played in one raid (ruling 10).

    Returns whether Happy Hunting was played.
    """
    happy = False
    while True:
        card = yield from window(game, TRIPOLITAN, "raid", usable(game, TRIPOLITAN, "raid"))
        if card is None:
            return happy
        if card == HAPPY_HUNTING:
            happy = True
        else:
            yield from signal_books(game)


def signal_books(game: Position) -> Flow[None]:
    """US Signal Books Overboard: a random card of the American hand goes to the discard; an empty
    hand loses none."""
    hand = game.hands[AMERICAN]
    if not hand:
        return
    handle = hand[0]
    if len(hand) > 1:
        (handle,) = yield Pick(tuple(hand), 1, CHANCE["signal-books"], "signal-books")
    hand.remove(handle)
    card = yield from throw_away(game, AMERICAN, handle)
    game.note("card lost", AMERICAN, card)


def merchant_ship_converted(game: Position) -> Flow[None]:
    """Merchant Ship Converted: a raid from Tripoli that took gold brings a corsair from the Supply
    to Tripoli."""
    card = yield from window(game, TRIPOLITAN, "after raid", usable(game, TRIPOLITAN, "after raid"))
    if card is not None:
        game.place_new(pieces.CORSAIR, places.TRIPOLI, 1)


def break_out(game: Position) -> Flow[None]:
    """Murad Reis: an interception at Gibraltar, and the corsairs left sail to Tripoli; they do not
    raid."""
    game.place = places.GIBRALTAR
    yield from interception(game, places.GIBRALTAR, pieces.CORSAIR)
    yield from raid_cards(game)
    game.move(pieces.CORSAIR, places.GIBRALTAR, places.TRIPOLI, game.corsairs[places.GIBRALTAR])
