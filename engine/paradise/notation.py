"""The words of the game: what a player reports (`engine.paradise.options`), as sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from engine.cards import number_of
from engine.flow import Option
from engine.paradise.data import Data
from engine.paradise.tables import ACTIONS, EXPANDS
from engine.words import tokens


def counted(number: int, one: str, many: str = "") -> str:
    """`1 warrior`, `2 warriors`, `2 boxes`."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def boxes_in_words(boxes: int, green: int) -> str:
    """`4 boxes 3 green`, or `atoll`."""
    return "atoll" if not boxes else f"{counted(boxes, 'box', 'boxes')} {green} green"


def pieces_in_words(warriors: int, war_canoes: int) -> str:
    """`2 warriors 1 war canoe`, or `nothing`."""
    named = [counted(warriors, "warrior")] if warriors else []
    named += [counted(war_canoes, "war canoe")] if war_canoes else []
    return " ".join(named) or "nothing"


def pieces_by_hand(warriors: int, war_canoes: int) -> str:
    """`2 warriors and 1 War Canoe`, or `nothing`: what hands place, move or remove."""
    named = [counted(warriors, "warrior")] if warriors else []
    named += [counted(war_canoes, "War Canoe")] if war_canoes else []
    return " and ".join(named) or "nothing"


_PLAIN: Final = {
    "undo": "undo",
    "again": "again",
    "that is all": "that is all",
    "exploration complete": "exploration complete",
    "movement complete": "movement complete",
    "south island": "the south island comes too",
    "no south island": "no south island",
    "arioi": "arioi stops it",
    "no arioi": "the attack goes on",
    "no retreat": "no retreat is possible",
    "no hex": "no hex is left",
    "canoe at sea gone": "a canoe at sea is gone",
    "over": "the game is over",
    "correct points": "correct points",
}
"""Verbs that stand alone."""


def words(data: Data, option: Option) -> str:
    """The option as a player enters it."""
    name = data.names.__getitem__
    match option:
        case (verb,):
            return _PLAIN[verb]
        case ("discover" | "found" as verb, tonga, samoa, boxes, green):
            return f"{verb} {tonga} from tonga {samoa} from samoa: {boxes_in_words(boxes, green)}"
        case ("discover tile" | "found tile" as verb, tonga, samoa, tile):
            return (
                f"{verb.split()[0]} {tonga} from tonga {samoa} from samoa: {data.tiles[tile].name}"
            )
        case ("battle", place, won, warriors, canoes):
            return (
                f"battle at {name(place)} {'won' if won else 'lost'}, lost"
                f" {pieces_in_words(warriors, canoes)}"
            )
        case ("malaria", place, warriors, canoes):
            return f"malaria at {name(place)}, lost {pieces_in_words(warriors, canoes)}"
        case ("starts", warriors, canoes, transport):
            with_canoe = " and a transport canoe" if transport else ""
            return f"samoa starts with {pieces_in_words(warriors, canoes)}{with_canoe}"
        case ("away", tonga, samoa):
            return f"{tonga} from tonga {samoa} from samoa"
        case ("piece", kind, number):
            return counted(number, PIECES[kind])
        case ("boxes", boxes, green):
            return boxes_in_words(boxes, green)
        case ("call", label, place):
            return f"call {name(label)} {name(place)}"
        case (verb, number):
            return _with_number(data, verb, number)
        case ("needs", place, number):
            return f"{name(place)} needs {counted(number, 'canoe')}"
        case ("reach", place, number):
            return f"can reach {name(place)}: {counted(number, 'defender')}"
        case ("far", place, number):
            return f"{name(place)} is {number} from samoa"
    raise ValueError(f"no option of this game: {option}")


PIECES: Final = ("village", "warrior", "war canoe", "transport canoe")
"""Kinds of Samoa's pieces, in the order in which `engine.paradise.correction` counts them."""


_OF_PLACE: Final = {
    "discover at": "discover at {}",
    "ocean at": "ocean at {}",
    "apart": "{} cannot be joined",
    "you occupy": "you occupy {}",
    "retreat": "retreat to {}",
    "take": "take {}",
    "cut off": "cut off {}",
    "canoe gone": "canoe gone at {}",
    "start at": "start at {}",
    "correct": "correct {}",
    "correct distance": "correct distance of {}",
    "correct pieces": "correct pieces on {}",
}
_OF_NUMBER: Final = {
    "off course": "off course among {}",
    "victory": "victory {}",
    "die": "die {}",
    "samoa boxes": "samoa has {} boxes",
}
_OF_KNOTS: Final = {"ocean": "ocean", "adrift": "off course", "island": "island group"}


def _with_number(data: Data, verb: str, number: int) -> str:
    """Verbs with one number or place."""
    if verb in _OF_PLACE:
        return _OF_PLACE[verb].format(data.names[number])
    if verb in _OF_NUMBER:
        return _OF_NUMBER[verb].format(number)
    if verb in _OF_KNOTS:
        return f"{_OF_KNOTS[verb]} {counted(number, 'knot')}"
    if verb == "resolve":
        return f"resolve chit {number_of(number)}"
    if verb == "chit":
        return f"drew {data.chits[number_of(number) - 1].sides()}"
    if verb == "card":
        return (
            "another card" if number == len(data.card_names) else f"card {data.card_names[number]}"
        )
    if verb == "tile":
        return f"tile {data.tiles[number].name}"
    raise ValueError(f"no option of this game: {verb}")


MANY: Final = 40
"""Answers of a question that are listed one by one."""
_NUMBER: Final = re.compile(r"\b[0-9]+\b")
_OF_NAME: Final = re.compile(
    r"(call group [0-9]+|discover at|ocean at|you occupy|start at|can reach|correct distance of|"
    r"correct pieces on|correct) ([^:]+)(: [0-9]+ defenders?)?\Z"
)


def shapes(sentences: Sequence[str]) -> Sequence[str]:
    """A long list of answers made short: numbers are written as `N`, answers that then are the same
    are listed once, and those that differ only in a name stand in one line."""
    if len(sentences) <= MANY:
        return sentences
    by_shape: dict[str, list[str]] = {}
    by_verb: dict[str, dict[str, None]] = {}
    for sentence in sentences:
        if of_name := _OF_NAME.match(sentence):
            shape = f"{_NUMBER.sub('N', of_name[1])} NAME{': N defenders' if of_name[3] else ''}"
            by_verb.setdefault(shape, {})[of_name[2]] = None
            continue
        plural = re.sub(
            r"\b1 (box|knot|canoe|defender|warrior|war canoe|village|transport canoe)\b",
            r"1 \1s",
            sentence,
        )
        by_shape.setdefault(_NUMBER.sub("N", plural.replace("boxs", "boxes")), []).append(sentence)
    named: dict[str, list[str]] = {}
    for shape, names in by_verb.items():
        named.setdefault(", ".join(names), []).append(shape)
    lists = [f"{' or '.join(some)}, NAME one of {names}" for names, some in named.items()]
    return [*(of[0] if len(of) == 1 else shape for shape, of in by_shape.items()), *lists]


def vocabulary(data: Data) -> frozenset[str]:
    """Every word of an answer, as `tokens` spells it."""
    fixed: Iterable[str] = (
        *_PLAIN.values(),
        *_OF_PLACE.values(),
        *_OF_NUMBER.values(),
        *_OF_KNOTS.values(),
        "resolve chit drew",
        *EXPANDS,
        *ACTIONS,
        (
            "discover found from tonga from samoa box boxes green atoll battle at won lost nothing"
            " malaria"
        ),
        (
            "warrior warriors war canoe canoes samoa starts with and a transport call needs can"
            " reach defender defenders"
        ),
        "is knot knots another card tile group village villages",
        *data.names,
        *data.card_names,
    )
    return frozenset(word for text in fixed for word in tokens(text.replace("{}", " ")))
