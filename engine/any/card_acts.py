"""Acts with cards, as players write them and as they are kept.

=====================================  =============================================================
option                                 in words
=====================================  =============================================================
`("draw", deck, number, then)`         `draw 2 from strategy then ben's turn`
`("shuffle", deck, source)`            `shuffle discard into strategy`, or what lies on `top`; of a
                                       deck that is face up also what lies on the `table`
`("look", deck, number)`               `look at top 2 of strategy`, which then lie on it
`("top", deck, place, where)`          `put top 2 of strategy under the deck`, or `on` it, in the
                                       `discard` or the `hand`
`("put", where)`, with a back          `put under the deck {}`, or `on` it: a card of the hand
`("play", card)`, with its back        `play 37`: from the hand to the table
`("discard", card)`, with its back     `discard 12`
`("face down",)`, with a back          `discard face down {}`: nobody sees which card it is
`("remove", card)`, with its back      `remove 37`: out of the game
`("show", card)`, with its back        `show 37`: it stays in the hand
`("reveal",)`                          `reveal hand`
`("move", verb, card, area)`           `take 5 from discard`, `discard 37 from table`
=====================================  =============================================================

`("face down", card)` and `("put", where, card)` are what is read where somebody writes the card's
name; it is looked for among the cards of the hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from engine.any.cards import Area, Cards
from engine.any.setup import Setup
from engine.flow import Card, NotUnderstood, Option, Seat

MOST_DRAWN: Final = 60
FACE_DOWN: Final[Option] = ("face down",)
PUT: Final[tuple[Option, ...]] = (("put", "on"), ("put", "under"))
"""What is done with a card of the hand that nobody sees then."""
OF_THE_HAND: Final = ("play", "discard", "remove", "show")
"""What is done with a card of the hand that everybody sees then."""
TARGETS: Final[Mapping[str, Area]] = {"play": "table", "discard": "discard", "remove": "out"}
"""Where a card goes by each of these acts. By `take` it goes to the hand."""
_LISTED: Final = (1, 2, 3)
"""Cards on a deck with which something is offered in a list."""
_DRAW: Final = re.compile(
    r"(?:([1-9][0-9]?|a|an|one) ?)?(?:cards? ?)?(?:from (?:the )?([a-z0-9-]+)(?: deck)?)?\Z"
)
_SHUFFLE: Final = re.compile(
    r"(?:the )?(discards?|top|table)(?: (?:pile |cards? )?(?:into|to) (?:the )?([a-z0-9-]+)"
    r"(?: deck)?)?\Z"
    r"|([a-z0-9-]+)\Z"
)
_LOOK: Final = re.compile(
    r"(?:at )?(?:the )?top(?: ([1-9][0-9]?))?(?: cards?)?(?: of (?:the |my )?([a-z0-9-]+)"
    r"(?: deck)?)?\Z"
)
_TOP: Final = re.compile(
    r"(?:the )?top(?: card)?(?: ([1-9][0-9]?))?(?: of (?:the |my )?([a-z0-9-]+?)(?: deck)?)?"
    r"(?: (?:back )?(on|under|in|into|to)\b(.*))?\Z"
)
_PUT: Final = re.compile(
    r"(on|under) the deck (.+)\Z"
    r"|(.+?) (?:back )?(?:(on)(?:to)?|(under|below))(?: top of)?(?: (?:the|my|its))? deck\Z"
)
_FROM: Final = re.compile(r" from (?:the |my )?(hand|table|discard|out)(?: of the game)?\Z")
_WHERE: Final = re.compile(
    r" (?:to|on|into|in)(?: the| my)? (?:table|discard|hand)\Z"
    r"| (?:from|out of) the game\Z| face up\Z"
)
"""What may follow a card, and says no more than the verb."""
_VERBS: Final = {"reveal": "show", "return": "take"}


def words(setup: Setup, option: Option) -> str:
    """The one spelling of an act, but for `then` of a draw; empty if it is none with cards."""
    names = setup.card_names
    match option:
        case ("draw", deck, number, _):
            return f"draw {number} from {setup.decks[deck].name}"
        case ("shuffle", deck, source):
            return f"shuffle {source} into {setup.decks[deck].name}"
        case ("look", deck, number):
            return f"look at top {number} of {setup.decks[deck].name}"
        case ("top", deck, place, where):
            to = f"{where} the deck" if where in ("on", "under") else f"in the {where}"
            return f"put top {place} of {setup.decks[deck].name} {to}"
        case ("put", where, card):
            return f"put {where} the deck {names[card]}"
        case ("put", where):
            return f"put {where} the deck {{}}"
        case ("reveal",):
            return "reveal hand"
        case ("face down", card):
            return f"discard face down {names[card]}"
        case ("face down",):
            return "discard face down {}"
        case ("move", verb, card, area):
            return f"{verb} {names[card]} from {area}"
        case (("play" | "discard" | "remove" | "show") as verb, card):
            return f"{verb} {names[card]}"
    return ""


def read(setup: Setup, seat: Seat, text: str) -> Option | None:
    """The act with cards that a text in small letters means; None if it begins with no word of
    one. Raises `NotUnderstood`."""
    verb, _, rest = text.partition(" ")
    verb = _VERBS.get(verb, verb)
    if verb == "draw":
        return _draw(setup, seat, rest)
    if verb in ("shuffle", "reshuffle"):
        return _shuffle(setup, seat, rest)
    if verb == "look":
        return _look(setup, seat, rest)
    if verb in ("put", "take", "discard") and (match := _TOP.match(rest)):
        return _from_top(setup, seat, verb, match)
    if verb == "put":
        return _put(setup, seat, rest)
    if verb not in (*OF_THE_HAND, "take"):
        return None
    if verb == "show" and rest in ("hand", "my hand", "the hand"):
        return ("reveal",)
    return _with_card(setup, seat, verb, rest)


def _draw(setup: Setup, seat: Seat, text: str) -> Option:
    match = _DRAW.match(text)
    if match is None:
        raise NotUnderstood(f'"{text[:40]}" cannot be drawn: draw 2 from {_decks(setup, seat)}')
    number = int(match[1]) if match[1] and match[1].isdigit() else 1
    if number > MOST_DRAWN:
        raise NotUnderstood(f"{number} cards are too many: {MOST_DRAWN} at once at most")
    return ("draw", _deck(setup, seat, match[2]), number, -1)


def _shuffle(setup: Setup, seat: Seat, text: str) -> Option:
    match = _SHUFFLE.match(text)
    if match is None:
        raise NotUnderstood(
            f'"{text[:40]}" cannot be shuffled: shuffle discard into {_decks(setup, seat)}'
        )
    source = {"top": "top", "table": "table"}.get(match[1] or "", "discard")
    return ("shuffle", _deck(setup, seat, match[2] or match[3]), source)


def _look(setup: Setup, seat: Seat, text: str) -> Option:
    match = _LOOK.match(text)
    if match is None:
        raise NotUnderstood(
            f'"{text[:40]}" cannot be looked at: look at top 2 of {_decks(setup, seat)}'
        )
    return ("look", _deck(setup, seat, match[2]), int(match[1] or 1))


def _from_top(setup: Setup, seat: Seat, verb: str, match: re.Match[str]) -> Option:
    """What is done with a card that lies on a deck, by its place there."""
    place, deck, to, after = match.groups()
    where = {"take": "hand", "discard": "discard"}.get(verb, to if to in ("on", "under") else "")
    where = where or next((one for one in ("discard", "hand") if one in (after or "")), "")
    if not where:
        raise NotUnderstood("where to? put top 2 under the deck, on the deck, in the hand")
    return ("top", _deck(setup, seat, deck), int(place or 1), where)


def _put(setup: Setup, seat: Seat, text: str) -> Option:
    match = _PUT.match(text)
    if match is None:
        raise NotUnderstood(f'"{text[:40]}" goes nowhere: put 8 under the deck, or on the deck')
    where = "on" if "on" in (match[1], match[4]) else "under"
    card = (match[2] or match[3]).removeprefix("card ").removeprefix("the ")
    return ("put", where, _card(setup, seat, card))


def _decks(setup: Setup, seat: Seat) -> str:
    return " or ".join(one.name for one in setup.decks if one.is_of(seat)) or "a deck"


def _deck(setup: Setup, seat: Seat, name: str | None) -> int:
    """The deck of this name; where none is named, the only one that the player has. Decks that are
    face up are meant then only where there is no other."""
    own = [number for number, one in enumerate(setup.decks) if one.is_of(seat)]
    if not own:
        raise NotUnderstood("you have no deck in this game")
    if not name:
        meant = [number for number in own if not setup.decks[number].face_up] or own
        if len(meant) > 1:
            raise NotUnderstood(f"of which deck? {_decks(setup, seat)}")
        return meant[0]
    for number in own:
        if setup.decks[number].name == name:
            return number
    raise NotUnderstood(f'you have no deck "{name[:30]}": {_decks(setup, seat)}')


def _with_card(setup: Setup, seat: Seat, verb: str, text: str) -> Option:
    card = text.removeprefix("card ").removeprefix("the ")
    hidden = card.startswith("face down ") or card.endswith(" face down")
    card = card.removeprefix("face down ").removesuffix(" face down")
    if hidden and verb != "discard":
        raise NotUnderstood("only a card that is discarded goes face down: discard face down 12")
    area = ""
    if match := _FROM.search(card):
        area, card = match[1].replace("hand", ""), card[: match.start()]
    number = _card(setup, seat, _WHERE.sub("", card))
    if hidden:
        if area:
            raise NotUnderstood("a card that everybody has seen is not put away face down")
        return ("face down", number)
    if area:
        if verb == "show":
            raise NotUnderstood(f"everybody sees {setup.card_names[number]} there")
        return ("move", verb, number, area)
    if verb == "take":
        name = setup.card_names[number]
        raise NotUnderstood(f"from where? take {name} from discard, from table or from out")
    return (verb, number)


def _card(setup: Setup, seat: Seat, said: str) -> Card:
    name = said.replace(" ", "-")
    if setup.deck_with(seat, name) is None:
        raise NotUnderstood(f'"{said[:30]}" is no card of yours: {_decks(setup, seat)}')
    return setup.card_names.index(name)


def spent(setup: Setup) -> tuple[Option, ...]:
    """What can be done with any card of a hand, unseen."""
    return (FACE_DOWN, *PUT) if setup.has_tops() else (FACE_DOWN,)


def allowed(card: Card) -> tuple[Option, ...]:
    """What can be done with a card of the hand, whichever it is."""
    return tuple((verb, card) for verb in OF_THE_HAND)


def offered(setup: Setup, cards: Cards, seat: Seat, following: Seat) -> Iterator[Option]:
    """The usual acts with cards that need none of the hand; `following` has the next turn."""
    for deck, kind in enumerate(setup.decks):
        if kind.is_of(seat):
            yield from (
                ("draw", deck, number, then) for number in (1, 2) for then in (-1, following)
            )
            yield from (("shuffle", deck, source) for source in ("discard", "table", "top"))
            yield from (("look", deck, number) for number in _LISTED)
            yield from (
                ("top", deck, place, where)
                for place in _LISTED
                for where in ("on", "under", "hand", "discard")
            )
    if cards.hand(seat):
        yield ("reveal",)
    for area, card in cards.face_up(seat):
        verbs = ("take", *(verb for verb, target in TARGETS.items() if target != area))
        yield from (("move", verb, card, area) for verb in verbs)


def why_not(cards: Cards, seat: Seat, option: Option) -> str:
    """Why this act with cards cannot be done now, but for `then` of a draw; empty if it can, or has
    nothing to do with cards."""
    match option:
        case ("draw", deck, number, _):
            return cards.why_not_drawn(seat, deck, number)
        case ("shuffle", deck, source):
            return cards.why_not_shuffled(seat, deck, source)
        case ("look", deck, number):
            return cards.why_not_looked(seat, deck, number)
        case ("top", deck, place, where):
            if where == "on" and place == 1:
                return "it is the top card already"
            return cards.why_not_on_top(seat, deck, place)
        case ("put", _, card):
            return cards.why_not_held(seat, card)
        case ("reveal",):
            return "" if cards.hand(seat) else "your hand is empty"
        case ("move", verb, card, area):
            if TARGETS.get(verb) == area:
                return "it lies there already"
            found = cards.find(seat, card, area)
            if found is None:
                return cards.why_not_lies(seat, card, area)
            if verb == "take" and (deck := cards.deck_of(found)).is_face_up:
                return f"nobody holds cards of {cards.name_of(deck)}: they lie on the table"
        case (("play" | "discard" | "remove" | "show" | "face down"), card):
            return cards.why_not_held(seat, card)
    return ""
