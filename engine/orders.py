"""Standing orders: answers that a seat gives in advance, in public, until it changes them.

An order answers for its owner. Where it does not fit the position, nothing is guessed and the
question is asked. An order is written as a topic and what to do about it: `hits: damage frigate,
sink corsair`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias

from engine.flow import Card, Handle, NotUnderstood
from engine.words import pick_sentence

ASK = "ask"
"""The value of an order that withdraws the topic's order: its questions are asked again."""


HandleOf: TypeAlias = Callable[[Card], Handle]
"""A function from a card to the handle that an order names for it: read from the file, or taken
from the player's own hand. Raises `Illegal`."""


class Order(NamedTuple):
    """What one seat has ordered about one topic. `words` is the whole sentence, with `{}` for the
    handle of the card that it would play; `value` is the same for the rules. An order with an empty
    value withdraws the topic's order.

    With a `handle` the owner promises that it is `card`: play goes on as if the card were open, and
    the owner's next entry opens it.
    """

    topic: str
    words: str
    value: tuple[Any, ...] = ()
    handle: Handle | None = None
    card: Card | None = None


Orders: TypeAlias = Mapping[str, Order]
"""The orders of one seat that are in force, by topic."""


OTHERS, ALL = "others", "all"
"""Topics for several cards at once, of those that have a window and no order yet: `all` is each of
them, `others` only those that the player does not hold."""


def short_topic(text: str) -> str:
    """The topic of `all: decline` or `others: decline`, which stand for an order to decline each of
    several cards (`ALL`, `OTHERS`); empty for any other order."""
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
    """The preferences that a text lists, most wanted first. Raises a `Refusal`."""
    known = list(choices)
    found = tuple(pick_sentence(part, known) for part in text.split(","))
    if len(set(found)) < len(found):
        raise NotUnderstood(f'"{text[:60]}" names a preference twice')
    return found
