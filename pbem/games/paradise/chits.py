"""What each chit says, in our words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from engine.paradise import RULES
from engine.paradise.tables import ACTIONS, EXPANDS

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
