"""A picture in the colours that a page has, which follow the system's light or dark ones.

A picture in a mail or a file has one set of colours. On a page each becomes a custom property,
whose dark value is as light as the light one is dark, of the same hue: what can be told apart in
the one can be told apart in the other. Symbols of pieces (`<defs>`) keep theirs, and so does a
picture whose root says `data-dark="keep"`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

_KEPT = re.compile(r"(<defs>.*?</defs>)", re.DOTALL)
_COLOUR = re.compile(r"((?:fill|stroke|stop-color)(?:=\"|:\s*))#([0-9a-f]{6}|[0-9a-f]{3})\b")
_DARKEST, _SPAN, _CHROMA = 0.2, 0.78, 0.85
"""The lightness of what is white in light colours, how much lighter black is, and how strong
colours are of what they were."""


def palette(drawings: Iterable[str]) -> set[str]:
    """The colours of pictures, each as six digits."""
    return {
        _whole(match[2])
        for drawing in drawings
        for part in _KEPT.split(drawing)[::2]
        for match in _COLOUR.finditer(part)
    }


def _whole(colour: str) -> str:
    return colour if len(colour) == 6 else "".join(one * 2 for one in colour)


def themed(drawing: str, colours: set[str] | None = None) -> str:
    """The picture with its colours as custom properties, which a style sheet inside it defines; no
    picture (empty) stays none. `colours` are those of several pictures, which then have one style
    sheet."""
    root, end, rest = drawing.partition(">")
    if not drawing or 'data-dark="keep"' in root:
        return drawing
    found = palette([drawing]) if colours is None else colours
    parts = _KEPT.split(drawing)
    parts[::2] = [
        _COLOUR.sub(lambda match: f"{match[1]}var(--c{_whole(match[2])})", part)
        for part in parts[::2]
    ]
    light = "".join(f"--c{colour}:#{colour};" for colour in sorted(found))
    dark = "".join(f"--c{colour}:#{dark_of(colour)};" for colour in sorted(found))
    style = f"svg{{{light}}}@media (prefers-color-scheme: dark){{svg{{{dark}}}}}"
    root, end, rest = "".join(parts).partition(">")
    return f"{root}{end}<style>{style}</style>{rest}"


@cache
def dark_of(colour: str) -> str:
    """The dark value of a colour, both as six digits: its lightness in Oklab turned round."""
    red, green, blue = (_linear(int(colour[at : at + 2], 16) / 255) for at in (0, 2, 4))
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    middle = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    light = 0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short
    a = _CHROMA * (1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short)
    b = _CHROMA * (0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short)
    light = _DARKEST + _SPAN * (1 - light)
    long = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3
    middle = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (light - 0.0894841775 * a - 1.2914855480 * b) ** 3
    made = (
        4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short,
    )
    return "".join(f"{round(255 * _encoded(min(1.0, max(0.0, one)))):02x}" for one in made)


def _linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def _encoded(value: float) -> float:
    return 12.92 * value if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055
