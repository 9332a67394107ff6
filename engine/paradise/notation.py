"""The words of the game: what a player reports, as options made once from tables, and the questions.

An option is a verb and small integers: places (`Data.names`), hexes, boxes, pieces, knots, faces of a die.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from engine.cards import number_of
from engine.flow import Ask, Option
from engine.notation import tokens
from engine.paradise.data import Data
from engine.paradise.tables import (
    ACTIONS,
    BOXES,
    DISTANCES,
    EXPANDS,
    FARTHEST,
    MOST_DEFENDERS,
    MOST_ELIGIBLE,
    MOST_KNOTS,
    MOST_POINTS,
    MOST_WAR_CANOES,
    MOST_WARRIORS,
    Place,
)

if TYPE_CHECKING:
    from engine.paradise.position import Realm

# ---- options ----------------------------------------------------------------------------------------------------

BOX_OPTIONS: Final = tuple(("boxes", *boxes) for boxes in BOXES)
CHARTED: Final = tuple(("boxes", boxes, green) for boxes, green in BOXES if boxes)
"""A group that has boxes: one with a village."""
OFF_COURSE: Final = tuple(("off course", number) for number in range(1, MOST_ELIGIBLE + 1))
VICTORY: Final = tuple(("victory", points) for points in range(MOST_POINTS + 1))
OVER: Final[tuple[Option, ...]] = (("over",),)
FACES: Final = tuple(("die", face) for face in range(1, 7))
MARKERS: Final = tuple((kind, knots) for kind in ("ocean", "island") for knots in range(1, MOST_KNOTS + 1))
ADRIFT: Final = tuple(("adrift", knots) for knots in range(1, MOST_KNOTS + 1))
STARTS: Final = tuple(
    ("starts", warriors, canoes, transport)
    for warriors in range(MOST_WARRIORS + 1)
    for canoes in range(MOST_WAR_CANOES + 1)
    for transport in (0, 1)
)
SAMOAN_BOXES: Final = tuple(("samoa boxes", boxes) for boxes in range(2, 7))


@lru_cache(64)
def tile_options(verb: str, tiles: int, used: frozenset[int]) -> tuple[Option, ...]:
    """A tile and where it lies: `verb` is discover or found. With data about so many tiles, by its name."""
    if not tiles:
        return tuple((verb, *far, *boxes) for far in DISTANCES for boxes in BOXES)
    left = [number for number in range(tiles) if number not in used]
    if not left:
        return tile_options(verb, 0, frozenset())
    return tuple((f"{verb} tile", *far, number) for far in DISTANCES for number in left)


@lru_cache(256)
def chain_options(place: Place, most: int) -> tuple[Option, ...]:
    """How many new canoes, at most so many, the way to a group needs, or that there is none."""
    return (*(("needs", place, number) for number in range(most + 1)), ("apart", place))


@lru_cache(256)
def far_options(place: Place) -> tuple[Option, ...]:
    """How far a place is from Samoa."""
    return tuple(("far", place, hexes) for hexes in range(1, FARTHEST + 1))


@lru_cache(1024)
def reach_options(place: Place) -> tuple[Option, ...]:
    """That a place can be reached, with its defenders."""
    return tuple(("reach", place, number) for number in range(MOST_DEFENDERS + 1))


@lru_cache(1024)
def losses(warriors: int, war_canoes: int) -> tuple[tuple[int, int], ...]:
    """What Samoa can have lost of so many pieces: warriors are removed before War Canoes (paradise ruling 14)."""
    total = warriors + war_canoes
    return tuple((min(lost, warriors), max(0, lost - warriors)) for lost in range(total + 1))


@lru_cache(1024)
def any_losses(warriors: int, war_canoes: int) -> tuple[tuple[int, int], ...]:
    """What malaria can take of so many pieces: no source says in which order (paradise ruling 19)."""
    pairs = [(some, canoes) for some in range(warriors + 1) for canoes in range(war_canoes + 1)]
    return tuple(pairs[1:])


@lru_cache(4096)
def battle_options(place: Place, warriors: int, war_canoes: int) -> tuple[Option, ...]:
    """A battle as the player saw it: with a defeat Samoa has a piece left (paradise ruling 18)."""
    lost = losses(warriors, war_canoes)
    won: list[Option] = [("battle", place, 1, *pieces) for pieces in lost]
    return (*won, *(("battle", place, 0, *pieces) for pieces in lost[:-1]))


# ---- words ------------------------------------------------------------------------------------------------------


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


_PLAIN: Final = {
    "undo": "undo",
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
}
"""Verbs that stand alone."""


def words(data: Data, option: Option) -> str:
    """The option as a player types it."""
    name = data.names.__getitem__
    match option:
        case (verb,):
            return _PLAIN[verb]
        case ("discover" | "found" as verb, tonga, samoa, boxes, green):
            return f"{verb} {tonga} from tonga {samoa} from samoa: {boxes_in_words(boxes, green)}"
        case ("discover tile" | "found tile" as verb, tonga, samoa, tile):
            return f"{verb.split()[0]} {tonga} from tonga {samoa} from samoa: {data.tiles[tile].name}"
        case ("battle", place, won, warriors, canoes):
            return f"battle at {name(place)} {'won' if won else 'lost'}, lost {pieces_in_words(warriors, canoes)}"
        case ("malaria", place, warriors, canoes):
            return f"malaria at {name(place)}, lost {pieces_in_words(warriors, canoes)}"
        case ("starts", warriors, canoes, transport):
            with_canoe = " and a transport canoe" if transport else ""
            return f"samoa starts with {pieces_in_words(warriors, canoes)}{with_canoe}"
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
        return "another card" if number == len(data.card_names) else f"card {data.card_names[number]}"
    if verb == "tile":
        return f"tile {data.tiles[number].name}"
    raise ValueError(f"no option of this game: {verb}")


MANY: Final = 40
"""Answers of a question that are listed one by one."""
_NUMBER: Final = re.compile(r"\b[0-9]+\b")
_OF_NAME: Final = re.compile(
    r"(call group [0-9]+|discover at|ocean at|you occupy|start at|can reach) ([^:]+)(: [0-9]+ defenders?)?\Z"
)


def shapes(sentences: Sequence[str]) -> Sequence[str]:
    """A long list of answers with `N` for numbers, those that differ in nothing else once, and those that differ in a
    name in one line."""
    if len(sentences) <= MANY:
        return sentences
    by_shape: dict[str, list[str]] = {}
    by_verb: dict[str, dict[str, None]] = {}
    for sentence in sentences:
        if of_name := _OF_NAME.match(sentence):
            shape = f"{_NUMBER.sub('N', of_name[1])} NAME{': N defenders' if of_name[3] else ''}"
            by_verb.setdefault(shape, {})[of_name[2]] = None
            continue
        plural = re.sub(r"\b1 (box|knot|canoe|defender|warrior|war canoe)\b", r"1 \1s", sentence)
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
        "discover found from tonga from samoa box boxes green atoll battle at won lost nothing malaria",
        "warrior warriors war canoe canoes samoa starts with and a transport call needs can reach defender defenders",
        "is knot knots another card tile group",
        *data.names,
        *data.card_names,
    )
    return frozenset(word for text in fixed for word in tokens(text.replace("{}", " ")))


# ---- questions --------------------------------------------------------------------------------------------------

_PROMPTS: Final = {
    "starts": "which pieces Samoa starts with, besides its home village and village",
    "samoa boxes": "how many village boxes the printed hex of Samoa has",
    "tile": "which tile lies there: its village boxes, and how many of them are green",
    "south island": "whether the South Island's tile comes with this one",
    "second": "where the South Island lies, and its boxes",
    "chain": "how many new Transport Canoes the way from {0} to the home group's network needs, without those of {0} "
    "and the home group themselves, over known hexes without a piece of yours",
    "occupied": "which other known hexes hold a piece of yours, one after the other",
    "far": "how many hexes {0} is from Samoa",
    "arioi": "whether your Arioi stops the attack on {0}",
    "attack": "how the battle at {0} ended for you, and what Samoa lost; it attacks with {1}; {2}",
    "retreat": "where Samoa's pieces retreat to: {0}",
    "card": "which card of Samoa's is turned face up, {0} left",
    "start": "at which hex Samoa's exploration of ring {0} begins",
    "victory": "your victory points",
    "die": "throw a die: {0}",
    "over": "whether the game is over: {0}",
}
REMOVED: Final = ("local warriors", "warriors", "War Canoes")
PANICS: Final = ("War Canoes", "warriors", "local warriors")
"""In which order Samoa's pieces are removed, and shifted back, where it must pick one (paradise ruling 14)."""
CASUALTIES: Final = f"Samoa removes {', '.join(REMOVED)} in this order, and panics {', '.join(PANICS)}"
RINGS: Final = (
    "ring 1 from Niue counter-clockwise to Tuvalu, ring 2 from the hex north of Tuvalu clockwise to Rarotonga, ring 3 "
    "from Tubai counter-clockwise, and so on outward"
)


def _unofficial(realm: Realm) -> str:
    return ", of the practice set, which is unofficial" if realm.data.is_practice else ""


def prompt(realm: Realm, ask: Ask) -> str:
    """The question in words, without a full stop."""
    about = realm.about
    match ask.rule:
        case "exploration":
            return "what your exploration shows, discovery by discovery, or that it is complete"
        case "movement":
            hidden = realm.hidden_cards
            turn_up = f" (before you attack Samoa, turn its {counted(hidden, 'card')} face up)" if hidden else ""
            return f"your battles with Samoa and what it loses, or that movement is complete{turn_up}; {CASUALTIES}"
        case "explore":
            ring, place, knots, limit = about
            if place is not None:
                return f"what the marker at {realm.name(place)} shows, ring {ring}; {knots} of {limit} knots so far"
            return f"what the next unexplored hex shows; {knots} of {limit} knots so far; the order: {RINGS}"
        case "found":
            return "which tile Samoa has found, and how far it is"
        case "reach":
            place, force, names = about
            helped = f"; cards that help: {names}" if names else ""
            where = realm.name(place)
            return (
                f"which groups that you control, with a village of yours, {where}'s {force} can reach, over its canoe "
                f"chains too, and the warriors, War Canoes and local warriors there{helped}"
            )
        case "retreat":
            return _PROMPTS["retreat"].format(about[0])
        case "chit":
            return f"draw a chit from the cup{_unofficial(realm)}"
        case "resolve":
            chits = [f"chit {number_of(one)}: {realm.data.chits[realm.chit(one)].sides()}" for one in realm.open]
            return f"which of the open chits is resolved first{_unofficial(realm)}; {', '.join(chits)}"
        case "chain" | "far" | "arioi":
            return _PROMPTS[ask.rule].format(realm.name(about[0]))
        case "attack":
            return _PROMPTS["attack"].format(realm.name(about[0]), about[1], CASUALTIES)
    return _PROMPTS[ask.rule].format(*about)
