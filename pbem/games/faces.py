"""What the cards of a game look like in a hand: data that the stage of a browser draws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Band = Literal["blue", "red", "green", "purple", "gold", "grey"]
BANDS: Sequence[str] = ("blue", "red", "green", "purple", "gold", "grey")
ENDS = "ends the game"
"""The mark of a card that wins or loses the game when it is played."""


OF_HAND = "{hand}"
"""Stands in the id of a picture for the colour of the reader's hand (`StageBoard.hand`)."""


@dataclass(frozen=True)
class CardFace:
    """The face of a card below its name, which stands in a band of this colour.

    `pictures` are ids of groups of the backdrop (40 by 40, or as high as their `data-high`), drawn
    side by side. Or they are a `scene` of 120 by 80, composed of the drawings of the template
    `art.svg.j2` in the game's folder, or where there is none of the common one: the ground, then
    each its name, the colour of its side after a colon, the spot of its middle, and its size
    ("soldier:blue 40 46 1.2"); drawings of the backdrop whose ids begin with `art-` are among them.
    `value` is a large text on it, in a scene about (60, 52), `gist` what the card does in the
    fewest words, `marks` are the words of what it is: event, battle, once, or `ENDS`. A card with
    nothing of it shows the beginning of its text. A `title` stands in the band in place of the
    name; an empty one leaves the band out.
    """

    band: Band = "blue"
    pictures: Sequence[str] = ()
    value: str = ""
    marks: Sequence[str] = ()
    scene: Sequence[str] = ()
    gist: str = ""
    title: str | None = None
