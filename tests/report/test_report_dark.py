"""The colours of pictures on a page that follows the system's dark ones."""

from __future__ import annotations

import random
import re

import pytest

from engine.table import OpenTable
from pbem.games import registry
from pbem.report import picture
from pbem.report.dark import dark_of, themed


def lightness(colour: str) -> float:
    """The relative luminance of a colour, as contrast is reckoned."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (
        one / 12.92 if one <= 0.03928 else ((one + 0.055) / 1.055) ** 2.4 for one in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((lightness(one), lightness(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("ground", ["faf5e8", "cfe1e8", "ffd84d", "ffd9c7", "fffdf6"])
def test_ink_can_be_read_in_both(ground: str) -> None:
    assert contrast("1c1a17", ground) > 7
    assert contrast(dark_of("1c1a17"), dark_of(ground)) > 6
    assert lightness(dark_of(ground)) < 0.1 < lightness(ground)


@pytest.mark.parametrize("name", ["tripoli", "paradise"])
def test_every_colour_of_a_picture_has_a_dark_one_but_those_of_its_pieces(name: str) -> None:
    game = OpenTable(registry.newest(name), {}, random.Random(1)).game
    drawing = picture.svg(name, game.view(None, {}))
    assert drawing is not None
    made = themed(drawing)
    pieces = re.findall(r"<defs>.*?</defs>", drawing, re.DOTALL)
    assert re.findall(r"<defs>.*?</defs>", made, re.DOTALL) == pieces
    rest = re.sub(r"<defs>.*?</defs>", "", made, flags=re.DOTALL)
    style = rest.partition("<style>svg")[2].partition("</style>")[0]
    assert not re.search(r'(?:fill|stroke)="#', rest)
    used, defined = set(re.findall(r"var\(--c(\w+)\)", rest)), re.findall(r"--c(\w+):#(\w+)", style)
    assert used and sorted(defined) == sorted(
        [(one, one) for one in used] + [(one, dark_of(one)) for one in used]
    )


def test_a_picture_may_keep_its_colours() -> None:
    kept = '<svg data-dark="keep"><rect fill="#ffffff"/></svg>'
    assert themed(kept) == kept and themed("") == ""
