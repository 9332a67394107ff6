"""Standing orders: answers a seat gives ahead, in public, until it changes them.

An order answers for its owner. One that does not fit the position is not guessed at: the question is
asked. In words it is a topic and what to do about it: `hits: damage frigate, sink corsair`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias

from engine.flow import Card, Handle, NotUnderstood
from engine.words import pick_sentence

ASK = "ask"
"""What to do about a topic to have its questions asked again."""


HandleOf: TypeAlias = Callable[[Card], Handle]
"""The handle of a card that an order plays: from the file's words, or from the player's own hand. Raises `Illegal`."""


class Order(NamedTuple):
    """What one seat has ordered about one topic. `words` is the whole sentence with `{}` for the handle of the card
    it would play, `value` the same for the rules. An order with no value withdraws the topic's order.

    With a `handle` the owner promises that it is `card`: play goes on as if it were open, and their next entry opens
    it."""

    topic: str
    words: str
    value: tuple[Any, ...] = ()
    handle: Handle | None = None
    card: Card | None = None


Orders: TypeAlias = Mapping[str, Order]
"""The orders of one seat that are in force, by topic."""


OTHERS, ALL = "others", "all"
"""Topics that stand for several: cards with a window and without an order, those that are not held, or each."""


def short_topic(text: str) -> str:
    """`all` for `all: decline`, which is short for an order to decline each card that has a window and no order yet,
    held or not; `others` for `others: decline`, which leaves out those that are held; empty for any other order."""
    topic, _, rest = text.casefold().partition(":")
    is_short = rest.strip() == "decline" and topic.strip() in (ALL, OTHERS)
    return topic.strip() if is_short else ""


def split_order(text: str, topics: Iterable[str]) -> tuple[str, str]:
    """The topic of an order and the rest of the sentence. Raises a `Refusal`."""
    topic, colon, rest = text.partition(":")
    if not colon:
        raise NotUnderstood(f'"{text[:60]}" is no order: a topic, a colon, and what to do')
    try:
        return pick_sentence(topic, list(topics)), rest.strip()
    except NotUnderstood as error:
        raise NotUnderstood(f'"{topic.strip()[:60]}" is nothing that orders are about') from error


def preferred(text: str, choices: Iterable[str]) -> tuple[str, ...]:
    """A list of preferences, the first that is possible being taken. Raises a `Refusal`."""
    known = list(choices)
    found = tuple(pick_sentence(part, known) for part in text.split(","))
    if len(set(found)) < len(found):
        raise NotUnderstood(f'"{text[:60]}" names a preference twice')
    return found
