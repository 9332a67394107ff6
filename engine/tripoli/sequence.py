"""The sequence of play: set-up, six years of four seasons, plays of both sides (chapters "Game
setup", "Sequence of play")."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final, NamedTuple

from engine.flow import Answer, Ask, Draw, Flow, Handle, Option, Outcome, Seal, Seat
from engine.tripoli import pieces, places
from engine.tripoli.battle_cards import throw_away, use
from engine.tripoli.cards import DECKS, EVENT_OPTION, NEEDS, carry_out, events_of
from engine.tripoli.movement import move_frigates
from engine.tripoli.needs import has_corsair_in_tripoli, has_corsair_to_build, has_gunboat_to_build
from engine.tripoli.position import GameOver, Position
from engine.tripoli.raids import pirate_raid
from engine.tripoli.tables import (
    AMERICAN,
    BOTH,
    FIRST_YEAR,
    LAST_YEAR,
    NOBODY,
    RESHUFFLE_YEAR,
    SPRING,
    TRIPOLITAN,
    WINTER,
    YEARLY_DRAW,
)

PASS: Option = ("pass",)
MOVE: Option = ("move",)
BUILD: Option = ("build",)
RAID: Option = ("raid",)
DISCARD: tuple[Option, ...] = (("discard",),)
ACTIONS = ((), (BUILD,), (RAID,), (RAID, BUILD))
ACTION_NEEDS: Final = (
    {"move": (), "build": (has_gunboat_to_build,)},
    {"raid": (has_corsair_in_tripoli,), "build": (has_corsair_to_build,)},
)
"""What each action of a side needs, by its verb."""


class Phases(NamedTuple):
    """What differs between the game for two and the solitaire game."""

    set_up: Callable[[Any], Flow[None]]
    start_of_year: Callable[[Any, int], Flow[None]]
    seasonal_round: Callable[[Any, int], Flow[None]]


def whole_game(game: Position, phases: Phases | None = None) -> Flow[Outcome]:
    """Years and seasons until somebody wins; a draw after 1806."""
    phases = phases or FOR_TWO
    try:
        yield from phases.set_up(game)
        for year in range(FIRST_YEAR, LAST_YEAR + 1):
            yield from phases.start_of_year(game, year)
            for season in range(SPRING, WINTER + 1):
                yield from phases.seasonal_round(game, season)
        outcome = game.outcome((), "neither side has won by the end of 1806")
    except GameOver as end:
        outcome = end.outcome
    game.active = NOBODY
    game.note("over", outcome.winners, outcome.how)
    return outcome


def set_up(game: Position) -> Flow[None]:
    """Place the pieces; each side shuffles its 24 cards."""
    for seat in (AMERICAN, TRIPOLITAN):
        yield from shuffle_deck(game, seat)


def shuffle_deck(game: Position, seat: Seat) -> Flow[None]:
    """A side's whole deck is its draw pile."""
    handles = game.new_handles(seat, len(DECKS[seat].contents))
    yield Seal(seat, handles)
    game.piles[seat] = list(handles)


# ---- start of year -------------------------------------------------------------------------------


def start_of_year(game: Position, year: int) -> Flow[None]:
    """Frigates arrive, in 1805 the discards are shuffled, cards are drawn, hands are cut to the
    limit."""
    turn_year(game, year)
    if year == RESHUFFLE_YEAR:
        yield from reshuffle(game, TRIPOLITAN)
        yield from reshuffle(game, AMERICAN)
    yield from draw_cards(game, AMERICAN)
    yield from draw_cards(game, TRIPOLITAN)
    yield from hand_limit(game, (AMERICAN,) if game.quick_hand_limit else (AMERICAN, TRIPOLITAN))


def turn_year(game: Position, year: int) -> None:
    """A new year: it is Spring, and new frigates arrive."""
    game.year = year
    game.season = SPRING
    game.active = AMERICAN
    game.note("year", year)
    frigates_arrive(game)


def frigates_arrive(game: Position) -> None:
    """Frigates due this year: American ones in Gibraltar, Tripolitan ones in Tripoli."""
    if game.year > FIRST_YEAR:
        space = places.TRACK + game.year - FIRST_YEAR - 1
        game.move(pieces.FRIGATE, space, places.GIBRALTAR, game.frigates[space])
        game.move(pieces.ENEMY_FRIGATE, space, places.TRIPOLI, game.enemy_frigates[space])


def reshuffle(game: Position, seat: Seat) -> Flow[None]:
    """The discard becomes the new draw pile."""
    sources = tuple(game.discards[seat])
    if not sources:
        return
    handles = game.new_handles(seat, len(sources))
    yield Seal(seat, handles, sources)
    game.forget(sources)
    game.discards[seat] = []
    game.piles[seat] += handles
    game.note("shuffled", seat, len(sources))


def coming_reshuffles(game: Position) -> Iterator[Seal]:
    """The reshuffle that comes next. Once a side has chosen its last play before it, the discard is
    known unless a battle changes it, and may be sealed with that entry, which saves mails."""
    if (game.year, game.season) == (RESHUFFLE_YEAR - 1, WINTER):
        for seat in (TRIPOLITAN, AMERICAN):
            sources = tuple(game.discards[seat])
            if sources and game.has_played[seat]:
                yield Seal(seat, game.next_handles(seat, len(sources)), sources)


def draw_cards(game: Position, seat: Seat) -> Flow[None]:
    """Six cards, in 1806 all that are left; fewer if the pile has fewer (ruling 16)."""
    pile = game.piles[seat]
    number = len(pile) if game.year == LAST_YEAR else min(YEARLY_DRAW, len(pile))
    if number:
        handles: tuple[Handle, ...] = yield Draw(seat, tuple(pile), number)
        game.draw(seat, handles)


def hand_limit(game: Position, seats: tuple[Seat, ...]) -> Flow[None]:
    """Hands are cut to eight cards. Each side chooses its cards before any is shown. Tripolitania
    shows first, so that each side shows in an entry that it writes anyway (ruling 13)."""
    many = [seat for seat in seats if game.excess(seat)]
    if not many:
        return
    before = game.active
    game.active = BOTH if len(many) == 2 else many[0]
    for seat in many:
        yield from choose_discards(game, seat)
    for seat in reversed(many):
        # a card stays aside, and in the position, until it is shown
        while aside := game.aside[seat]:
            card = yield from throw_away(game, seat, aside[0])
            del aside[0]
            game.note("discarded", seat, card)
    game.active = before


def choose_discards(game: Position, seat: Seat) -> Flow[None]:
    """One card after the other, until eight are left."""
    hand = game.hands[seat]
    while game.excess(seat):
        game.left = game.excess(seat)
        answer: Answer = yield Ask(seat, "hand limit", (), tuple(hand), DISCARD)
        assert answer.handle is not None
        hand.remove(answer.handle)
        game.aside[seat].append(answer.handle)


# ---- seasonal rounds -----------------------------------------------------------------------------


def seasonal_round(game: Position, season: int) -> Flow[None]:
    """An American play, then a Tripolitan one."""
    yield from american_turn(game, season)
    game.active = TRIPOLITAN
    if season == SPRING and game.quick_hand_limit:
        yield from hand_limit(game, (TRIPOLITAN,))
    yield from play(game, TRIPOLITAN)


def american_turn(game: Position, season: int) -> Flow[None]:
    """The season begins with the American play."""
    game.season = season
    game.has_played = [False, False]
    game.note("season", game.year, season)
    game.active = AMERICAN
    yield from play(game, AMERICAN)


def play(game: Position, seat: Seat) -> Flow[None]:
    """An event, or a card spent for an action. Only an empty hand may pass, and it may still play a
    core card (ruling 14)."""
    hand = tuple(game.hands[seat])
    options = tuple([EVENT_OPTION[card][0] for card in game.core[seat] if NEEDS[card](game)])
    if not hand:
        options += (PASS,)
    if options == (PASS,):
        game.has_played[seat] = True
        game.note("passed", seat)
        return
    ask = Ask(seat, "play", options, hand, actions(game, seat), partial(events_of, game))
    answer: Answer = yield ask
    game.has_played[seat] = True
    if answer.option == PASS:
        game.note("passed", seat)
    elif answer.option[0] == "event":
        yield from play_event(game, seat, ask, answer)
    else:
        yield from spend(game, seat, answer)


def actions(game: Position, seat: Seat) -> tuple[Option, ...]:
    """What any card can be spent for: to move frigates or build a gunboat; to raid from Tripoli or
    build a corsair."""
    if seat == AMERICAN:
        return (MOVE, BUILD) if has_gunboat_to_build.holds(game) else (MOVE,)
    return ACTIONS[2 * has_corsair_in_tripoli.holds(game) + has_corsair_to_build.holds(game)]


def play_event(game: Position, seat: Seat, ask: Ask, answer: Answer) -> Flow[None]:
    """Play a core card from the table, or a card of the hand, which is then shown."""
    card = answer.option[1]
    if answer.handle is None:
        game.core[seat].remove(card)
    else:
        yield from use(game, ask, answer)
        game.hands[seat].remove(answer.handle)
    yield from carry_out(game, seat, card, answer.handle)


def spend(game: Position, seat: Seat, answer: Answer) -> Flow[None]:
    """A card goes to the discard for one of the actions."""
    assert answer.handle is not None
    game.hands[seat].remove(answer.handle)
    card = yield from throw_away(game, seat, answer.handle)
    game.note("spent", seat, card, answer.option[0])
    if answer.option == MOVE:
        yield from move_frigates(game, 2)
    elif answer.option == RAID:
        yield from pirate_raid(game, places.TRIPOLI)
    elif seat == AMERICAN:
        game.place_new(pieces.GUNBOAT, places.MALTA, 1)
    else:
        game.place_new(pieces.CORSAIR, places.TRIPOLI, 1)


FOR_TWO: Final = Phases(set_up, start_of_year, seasonal_round)
