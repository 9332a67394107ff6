"""What the cards of a game look like in a hand: data that the stage of a browser draws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Band = Literal["blue", "red", "green", "purple", "gold", "grey"]
BANDS: Sequence[str] = ("blue", "red", "green", "purple", "gold", "grey")


@dataclass(frozen=True)
class CardFace:
    """The face of a card below its name, which stands in a band of this colour.

    `pictures` are ids of groups of the backdrop (40 by 40, or as high as their `data-high`), drawn
    side by side; `value` is a large text on them, `marks` are the words of what it is: event,
    battle, once. A card without pictures and value shows the beginning of its text.
    """

    band: Band = "blue"
    pictures: Sequence[str] = ()
    value: str = ""
    marks: Sequence[str] = ()
