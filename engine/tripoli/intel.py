"""Bainbridge Supplies Intel: the American looks for a card in their discard."""

from __future__ import annotations

from functools import partial

from engine.flow import Answer, Ask, Card, Flow, Handle, Option, Seal
from engine.tripoli.cards import BAINBRIDGE, event, events_of
from engine.tripoli.events import carry_out
from engine.tripoli.needs import has_discards
from engine.tripoli.position import Position
from engine.tripoli.tables import AMERICAN
from engine.tripoli.windows import use

TAKE: tuple[Option, ...] = (("take",),)


@event(BAINBRIDGE, has_discards)
def bainbridge_supplies_intel(game: Position) -> Flow[None]:
    """Take another card from the American discard, or play it at once as the season's event."""
    if game.hidden_discard:
        yield from look_in_secret(game)
    else:
        yield from look(game)


def look(game: Position) -> Flow[None]:
    """The discard is open: everybody knows which cards there are, and sees which one is chosen (ruling 19)."""
    lowest: dict[Card, Handle] = {}
    for handle in sorted(game.discards[AMERICAN][:-1], reverse=True):
        lowest[game.opened[handle]] = handle
    options: list[Option] = []
    for card in sorted(lowest):
        options += (("take", card), *events_of(game, card))
    answer = Answer(options[0])
    if len(options) > 1:
        answer = yield Ask(AMERICAN, "intel", tuple(options))
    verb, card = answer.option
    yield from pull_out(game, lowest[card], card, verb == "event")


def look_in_secret(game: Position) -> Flow[None]:
    """Hidden discard (ruling 18): the pile is shuffled first, so that nobody can follow the card they take; a card they
    play is shown."""
    own = game.discards[AMERICAN].pop()
    sources = tuple(game.discards[AMERICAN])
    handles = game.new_handles(AMERICAN, len(sources))
    yield Seal(AMERICAN, handles, sources)
    game.forget(sources)
    game.discards[AMERICAN] = [*handles, own]
    ask = Ask(AMERICAN, "intel", (), handles, TAKE, partial(events_of, game))
    answer: Answer = yield ask
    handle = answer.handle
    assert handle is not None
    if answer.option in TAKE:
        yield from pull_out(game, handle, -1, False)
    else:
        card = yield from use(game, ask, answer)
        yield from pull_out(game, handle, card, True)


def pull_out(game: Position, handle: Handle, card: Card, as_event: bool) -> Flow[None]:
    """The card leaves the discard, for the hand or for the event."""
    game.discards[AMERICAN].remove(handle)
    if as_event:
        yield from carry_out(game, AMERICAN, card, handle)
    else:
        game.hands[AMERICAN] = sorted((*game.hands[AMERICAN], handle))
        game.drawn[handle] = game.period()
        game.note("took", AMERICAN, card)
