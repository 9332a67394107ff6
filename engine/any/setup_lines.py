"""Reads the lines of a setup. Each is `setup: WHAT`; capital letters count in titles alone.

==================================================  ================================================
line                                                says
==================================================  ================================================
`title Wilderness War`                              what the game is called
`seats france, britain`                             two to eight players, in the order of play
`begins britain`                                    who has the first turn
`dice d6, d10`                                      the dice there are
`die hit: miss, miss, hit, flag`                    a die with a name on each face
`roll combat` or `roll combat: 3d6`                 what dice are thrown for, perhaps with which
`counter gold: 0 to 99, start 5, each`              a number: `each` player's, `shared`, `of ann`
`deck strategy: 1-110, each, start 9`               cards (`engine.any.card_lines`)
`cards strategy: siege x3`                          more cards of that deck
==================================================  ================================================
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from engine.any import card_lines, dice
from engine.any.card_lines import DeckLine
from engine.any.dice import Die
from engine.any.setup import EVERYBODY, MOST_SEATS, CardDeck, Counter, NamedRoll, Setup
from engine.flow import Refusal, Seat
from engine.rules import BadData

FILE: Final = "setup"
MOST: Final = 40
"""Dice, rolls, counters of each kind."""
MOST_FACES: Final = 20
LARGEST: Final = 9999
LONGEST_TITLE: Final = 40
_NAME = re.compile(r"[a-z][a-z0-9-]{0,19}\Z")
_SEAT = re.compile(r"[a-z]{2,20}\Z")
_BACK = re.compile(r"[a-z][0-9]{1,3}\Z|[0-9]*d[0-9]+\Z")
_DIE = re.compile(r"d([1-9][0-9]{0,2})\Z")
_RANGE = re.compile(r"(-?[0-9]{1,4}) to (-?[0-9]{1,4})\Z")
_START = re.compile(r"start (-?[0-9]{1,4})\Z")
_ALIKE = str.maketrans({"0": "o", "1": "l", "i": "l", "5": "s", "-": None})
_WORDS = """
    a agree all and answer answers ask asked asks at back begins bottom card cards complete
    counter deck decline dice die disagree discard down draw draws each end everybody face
    for from game hand hands highest i is it keep look me message my no nobody note of on
    one open order over pass pile play plays put react remove reshuffle resign return reveal
    roll rolls seal seat
    seats setup shared show shuffle start table take the then throw title to top turn under
    up win wins with x yes you your
"""
RESERVED: Final = frozenset(_WORDS.split())
"""Words of acts and of the program, which name nothing in a setup."""


def skeleton(name: str) -> str:
    """What a name looks like at a glance: names of one skeleton are not both taken."""
    return name.translate(_ALIKE).replace("rn", "m").replace("vv", "w")


class _Reader:
    """Reads the lines one by one, and then what they say of each other."""

    def __init__(self) -> None:
        self.number = -1
        """The line that is read, from 0."""
        self.title = ""
        self.seats: tuple[str, ...] = ()
        self.begins = ""
        self.dice: dict[str, Die] = {}
        self.later: list[tuple[int, Callable[[], object]]] = []
        """What is read when all seats and dice are known, with its line."""
        self.rolls: list[NamedRoll] = []
        self.counters: list[Counter] = []
        self.decks: list[CardDeck] = []
        self._deck_lines: dict[str, DeckLine] = {}
        self._cards_taken: dict[str, str] = {}
        self._taken: dict[str, str] = {}
        self._once: set[str] = set()

    def read(self, line: str) -> None:
        """One line of the invitation. Raises `BadData`."""
        self.number += 1
        file, colon, content = line.partition(": ")
        try:
            if not colon or file != FILE:
                raise ValueError(f'"{line[:60]}" is no line of a setup')
            if not content.isascii() or not content.isprintable():
                raise ValueError("names in a setup are letters from a to z")
            word, _, rest = content.partition(" ")
            read = self._readers().get(word.lower().rstrip(":"))
            if read is None:
                known = ", ".join(self._readers())
                raise ValueError(f'"{word[:30]}" begins no line of a setup: {known}')
            read(rest.strip())
        except ValueError as error:
            raise BadData(str(error), self.number) from error

    def finish(self) -> Setup:
        """The setup of all lines. Raises `BadData` at the line that is wrong."""
        for number, read in self.later:
            try:
                read()
            except (ValueError, Refusal) as error:
                raise BadData(str(error), number) from error
        if not self.seats:
            raise BadData("a setup says who plays: seats ann, ben", self.number)
        return Setup(
            self.seats,
            self.title,
            self.seats.index(self.begins) if self.begins else 0,
            dict(self.dice) or Setup(()).dice,
            tuple(self.rolls),
            tuple(self.counters),
            tuple(self.decks),
            tuple(dict.fromkeys(card for deck in self.decks for card in deck.cards)),
            given=True,
        )

    def _readers(self) -> Mapping[str, Callable[[str], None]]:
        return {
            "title": self._title,
            "seats": self._seats,
            "begins": self._begins,
            "dice": self._dice,
            "die": self._die,
            "roll": self._roll,
            "counter": self._counter,
            "deck": self._deck,
            "cards": self._cards,
        }

    def _title(self, text: str) -> None:
        self._only_once("title")
        if not text or len(text) > LONGEST_TITLE or '"' in text:
            raise ValueError(f"a title has 1 to {LONGEST_TITLE} letters")
        self.title = text

    def _seats(self, text: str) -> None:
        self._only_once("seats")
        names = tuple(_parts(text.lower()))
        if not 2 <= len(names) <= MOST_SEATS:
            raise ValueError(f"{len(names)} seats: two to {MOST_SEATS} can play")
        for name in names:
            if not _SEAT.match(name):
                raise ValueError(f'"{name[:30]}" is no name of a seat: 2 to 20 letters from a to z')
            self._take(name)
        self.seats = names

    def _begins(self, text: str) -> None:
        self._only_once("begins")
        self.begins = text.lower()
        self._when_known(lambda: self._seat(self.begins))

    def _dice(self, text: str) -> None:
        for name in _parts(text.lower()):
            if not (match := _DIE.match(name)):
                raise ValueError(f'"{name[:30]}" is no die: d6, or a line "die NAME: FACE, FACE"')
            if name in self.dice:
                raise ValueError(f"{name} is named twice")
            self._add_die(dice.plain_die(int(match[1])))

    def _die(self, text: str) -> None:
        name, faces = _named(text)
        names = tuple(_parts(faces))
        if not 2 <= len(names) <= MOST_FACES:
            raise ValueError(f"{len(names)} faces: a die has 2 to {MOST_FACES}")
        for face in names:
            if not _NAME.match(face):
                raise ValueError(
                    f'"{face[:30]}" is no name of a face: small letters, digits and "-"'
                )
        if len({skeleton(face) for face in names}) < len(set(names)):
            raise ValueError("two different faces look alike")
        self._take(name)
        self._add_die(Die(name, len(names), names))

    def _add_die(self, die: Die) -> None:
        if len(self.dice) >= MOST:
            raise ValueError(f"more than {MOST} kinds of dice")
        self.dice[die.name] = die

    def _roll(self, text: str) -> None:
        name, written = _named(text)
        self._take(name)
        if len(self.rolls) >= MOST:
            raise ValueError(f"more than {MOST} rolls by name")
        at = len(self.rolls)
        self.rolls.append(NamedRoll(name))
        if written:
            self._when_known(lambda: self._dice_of_roll(at, written))

    def _dice_of_roll(self, at: int, written: str) -> None:
        thrown, rest = dice.read(written, self.dice or Setup(()).dice)
        if rest:
            raise ValueError(f'"{rest[:30]}" follows the dice of a roll')
        self.rolls[at] = self.rolls[at]._replace(dice=thrown)

    def _counter(self, text: str) -> None:
        name, rest = _named(text)
        self._take(name)
        if len(self.counters) >= MOST:
            raise ValueError(f"more than {MOST} counters")
        least, most, start, whose = 0, LARGEST, None, "shared"
        for part in _parts(rest):
            if match := _RANGE.match(part):
                least, most = int(match[1]), int(match[2])
            elif match := _START.match(part):
                start = int(match[1])
            elif part in ("each", "shared") or part.startswith("of "):
                whose = part
            else:
                raise ValueError(f'"{part[:30]}" says nothing of a counter: 0 to 9, start 3, each')
        first = least if start is None else start
        if not -LARGEST <= least < most <= LARGEST or not least <= first <= most:
            raise ValueError("a counter goes from a number to a larger one, and starts between")
        at = len(self.counters)
        self.counters.append(Counter(name, least, most, first, ()))
        self._when_known(lambda: self._owned(at, whose))

    def _owned(self, at: int, whose: str) -> None:
        self.counters[at] = self.counters[at]._replace(owners=self._owners(whose))

    def _owners(self, whose: str) -> tuple[Seat, ...]:
        """`each` player, one (`of ann`), or all together: `shared`."""
        if whose == "shared":
            return (EVERYBODY,)
        if whose == "each":
            return tuple(range(len(self.seats)))
        return (self._seat(whose.removeprefix("of ")),)

    def _deck(self, text: str) -> None:
        name, rest = _named(text)
        self._take(name)
        self._deck_lines[name] = DeckLine(name)
        self._more_cards(name, rest)
        self._when_known(lambda: self._lay(name))

    def _cards(self, text: str) -> None:
        name, rest = _named(text)
        if name not in self._deck_lines:
            raise ValueError(f'there is no deck "{name[:30]}" above: deck NAME: 1-110')
        self._more_cards(name, rest)

    def _more_cards(self, deck: str, text: str) -> None:
        before = self._deck_lines[deck]
        after = card_lines.read_parts(before, _parts(text))
        for card in dict.fromkeys(after.cards[len(before.cards) :]):
            if not card.isdigit():
                _check_name(card)
            if card.startswith("face-down"):
                raise ValueError(f'"{card}" has a meaning already: take another name')
            if self._cards_taken.setdefault(skeleton(card), card) != card:
                raise ValueError(f'"{card}" looks like "{self._cards_taken[skeleton(card)]}"')
        self._deck_lines[deck] = after

    def _lay(self, name: str) -> None:
        """The deck lies on the table, now that it is known whose it is."""
        line = self._deck_lines[name]
        for card in line.cards:
            if card in self.seats:
                raise ValueError(f'"{card}" is a seat: take another name')
            is_numbered = card.rpartition("-")[2].isdigit()  # heart-5 of a deck hearts
            if not is_numbered and self._taken.get(skeleton(card), card) != card:
                raise ValueError(f'"{card}" looks like "{self._taken[skeleton(card)]}"')
        self.decks.append(line.owned(self._owners(line.whose)))
        card_lines.check(self.decks, len(self.seats))

    def _seat(self, name: str) -> Seat:
        if name not in self.seats:
            raise ValueError(f'"{name[:30]}" is no seat of this setup')
        return self.seats.index(name)

    def _take(self, name: str) -> None:
        """A name of the setup. Raises `ValueError` if it is none, or looks like another."""
        _check_name(name)
        look = skeleton(name)
        if look in self._taken:
            other = self._taken[look]
            what = "is named twice" if other == name else f'looks like "{other}"'
            raise ValueError(f'"{name}" {what}')
        self._taken[look] = name

    def _only_once(self, word: str) -> None:
        if word in self._once:
            raise ValueError(f'a second line "{word}"')
        self._once.add(word)

    def _when_known(self, read: Callable[[], object]) -> None:
        self.later.append((self.number, read))


def _check_name(name: str) -> None:
    """Raise `ValueError` if this names nothing, or means something else already."""
    if not _NAME.match(name) or name.endswith("-") or "--" in name:
        raise ValueError(f'"{name[:30]}" is no name: small letters, digits and "-", 20 at most')
    if name in RESERVED or _BACK.match(name):
        raise ValueError(f'"{name}" has a meaning already: take another name')


def _named(text: str) -> tuple[str, str]:
    """`NAME: REST` in small letters."""
    name, _, rest = text.lower().partition(":")
    return name.strip(), rest.strip()


def _parts(text: str) -> list[str]:
    """What stands between commas."""
    return [" ".join(part.split()) for part in text.split(",") if part.strip()]


def read(lines: Sequence[str]) -> Setup:
    """The setup that these lines of the invitation describe. Raises `BadData`."""
    reader = _Reader()
    for line in lines:
        reader.read(line)
    return reader.finish()
