"""What each chit says, in our words, and what a report is about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from engine.flow import Answer
from engine.paradise import RULES
from engine.paradise.tables import ACTIONS, EXPANDS
from pbem.games.descriptor import Concerned

_EXPANDS: Final = dict(
    zip(
        EXPANDS,
        (
            "Samoa gets a card, face down",
            "Transport Canoes join Samoa's groups to its home",
            "Samoa gets a village where most boxes are empty",
            "each group of Samoa's with an empty box gets a village",
            "Samoa gets two warriors",
            "Samoa gets a warrior",
            "each group of Samoa's gets the warriors it lacks for one a village",
            "Samoa's home gets a War Canoe",
        ),
        strict=True,
    )
)
_ACTIONS: Final = dict(
    zip(
        ACTIONS,
        (
            "it does nothing more, and builds",
            "it does nothing more, and defends",
            "it explores around Samoa until five knots show",
            "all its War Canoes attack your weakest groups in reach",
        ),
        strict=True,
    )
)


PRACTICE: Final = "practice "
UNOFFICIAL: Final = (
    " Unofficial: made up for this program, to try it without the chits of a printed copy."
)


class _Texts(Mapping[str, str]):
    """The text of any chit, also of one that players have filled in: its name says what is on its
    two sides."""

    def __getitem__(self, name: str) -> str:
        number, _, sides = name.partition(": ")
        expand, _, action = sides.partition(", ")
        practice = number.startswith(PRACTICE)
        if (
            not number.removeprefix(PRACTICE).startswith("chit ")
            or expand not in _EXPANDS
            or action not in _ACTIONS
        ):
            raise KeyError(name)
        text = f"{_EXPANDS[expand]}; then {_ACTIONS[action]}."
        return text[0].upper() + text[1:] + (UNOFFICIAL if practice else "")

    def __iter__(self) -> Iterator[str]:
        return iter(RULES.cards)

    def __len__(self) -> int:
        return len(RULES.cards)


CARD_TEXTS: Final = _Texts()
"""What each chit does, by its name."""

_PLACES: Final = frozenset(
    {
        "take",
        "battle",
        "malaria",
        "cut off",
        "canoe gone",
        "retreat",
        "needs",
        "apart",
        "reach",
        "far",
        "call",
    }
)
_NAMES: Final = RULES.data.names


def concerns(answer: Answer) -> Concerned:
    """The place that a report is about, where its name is the same with any data: hexes that only a
    map of the players' names are not among them."""
    verb, *numbers = answer.option
    if verb not in _PLACES:
        return Concerned()
    return Concerned(tuple(_NAMES[place] for place in numbers[:1] if place < len(_NAMES)))
