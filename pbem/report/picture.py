"""The board as a picture: one SVG from its description and its backdrop
(`pbem.report.picture_board`), and the PNG that mail programs can show.

No message ever stands in a picture, and of the players' names only those that sentences call them
by: letters and digits that mean nothing else. The letters come from the fonts that ship with the
program (pbem/report/data), so a picture is the same on every machine.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any
from unicodedata import combining, normalize

from pbem.errors import Usage
from pbem.files import shipped
from pbem.games import registry
from pbem.games.introduction import sample_view
from pbem.games.stage import GridGround, StageBoard, StagePlace, TableGround
from pbem.report.board import board_at
from pbem.report.model import Waiting
from pbem.report.picture_board import WIDTH, board_picture, turn_words
from pbem.report.render import render

# Imported late: what draws, and reads pictures, for most reports have none.

DATA = Path(__file__).parent / "data"
FONTS = ("ChartSans-Bold.ttf", "ChartSerif-Italic.ttf")
FAMILY = "Chart Sans"
PNG_WIDTH = 800
SCENE = 1.6
"""Where there is little room a picture is so many times as wide as high."""
COLOURS = 128
MAX_SIDE = 5000
"""Dots of a side, as the template gives it and as it is drawn."""
MAX_DEPTH = 100
SVG = "http://www.w3.org/2000/svg"
_EXAMPLE = {"first": "Ann", "second": "Ben", "third": "Cleo", "fourth": "Dora"}
"""Who plays the game that somebody is shown who does not know it yet, where seats are numbers."""
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_SIDE = re.compile(r"([0-9]{1,4}(?:\.[0-9]{1,6})?)(?:px)?\Z", re.ASCII)


def svg(
    game: str,
    view: Mapping[str, Any],
    before: Mapping[str, Any] | None = None,
    lines: Iterable[Mapping[str, Any]] = (),
    own: Path | None = None,
    waiting: Waiting | None = None,
    names: Mapping[str, str] | None = None,
) -> str:
    """The picture of a position. `before` is the one at the reader's last turn and `lines` the
    story since then: what differs is marked. `waiting` is whom the game waits for."""
    board = board_at(game, view, before, lines, waiting, names)
    title = registry.newest(game).title
    turn = turn_words(waiting, names or {})
    return render(
        "picture.svg.j2", vars(board_picture(board, backdrop(game, board, own), title, turn)), own
    )


def scene(
    game: str, view: Mapping[str, Any], before: Mapping[str, Any] | None, names: Mapping[str, str]
) -> str:
    """A position where there is little room, as in a list of games: the board whole, or the part
    of it in which something has changed."""
    board = board_at(game, view, before, (), None, names)
    made = board_picture(board, backdrop(game, board), "", "", WIDTH / SCENE)
    return render("picture.svg.j2", {**vars(made), "seen": made.scene(SCENE)})


def sample(game: str, own: Path | None = None) -> str:
    """The picture of a game for somebody who does not know it yet: its own, where it has no board
    that could be shown (`sample.svg` among its templates), else a position of a sample game."""
    return _own_sample(game) or svg(game, sample_view(game), own=own, names=_EXAMPLE)


def sample_scene(game: str) -> str:
    """The same where there is little room."""
    return _own_sample(game) or scene(game, sample_view(game), None, _EXAMPLE)


def _own_sample(game: str) -> str:
    drawn = shipped() / game / "sample.svg"
    return drawn.read_text("utf-8") if drawn.is_file() else ""


def backdrop(game: str, board: StageBoard, own: Path | None = None) -> str:
    """What lies under the places of a board, as SVG with the symbols of its pieces. It is drawn
    from where the places are, and not from what stands there."""
    stage = registry.descriptor(game).stage
    empty = [replace(one, stack=None, pieces=(), note="", marked=False) for one in board.places]
    return _backdrop(
        stage.backdrop, tuple(board.whole), tuple(empty), board.turns, board.ground, own
    )


def stage_backdrop(game: str, board: StageBoard) -> str:
    """The same on the stage: the style of a chart's begins with what a chart alone looks like
    (templates/stage/chart.css), which no page of another game has to hold."""
    drawn = backdrop(game, board)
    return drawn.replace("<style>", f"<style>{_chart_style()}", 1) if board.stretches else drawn


@lru_cache(maxsize=1)
def _chart_style() -> str:
    text = (shipped() / "stage" / "chart.css").read_text("utf-8")
    return " ".join(_COMMENT.sub("", text).split())


@lru_cache(maxsize=8)
def _backdrop(
    template: str,
    whole: tuple[float, float, float, float],
    places: Sequence[StagePlace],
    turns: bool,
    ground: GridGround | TableGround | None,
    own: Path | None,
) -> str:
    return render(template, vars(StageBoard(whole, places, turns=turns, ground=ground)), own)


def drawable(names: Mapping[str, str]) -> dict[str, str]:
    """These names in the letters of a drawn picture, which are those of ASCII: others lose their
    marks. Where letters are left that it does not have, or two would be alike, the seat's own word
    stands."""
    plain = {
        seat: "".join(c for c in normalize("NFKD", name) if not combining(c))
        for seat, name in names.items()
    }
    taken = Counter(name.casefold() for name in (*plain.values(), *names))
    return {
        seat: name if name.isascii() and taken[name.casefold()] == 1 else seat
        for seat, name in plain.items()
    }


def png(drawing: str, width: int = PNG_WIDTH) -> bytes:
    """The picture as PNG of 128 colours, so many dots wide. Raises `Usage`, or `ImportError` where
    no library is made for this machine."""
    draw = _drawer()
    try:
        _check(drawing, width)
        return _with_palette(draw(drawing, width))
    # what the library did not expect is no `Exception`, but has a name
    except BaseException as error:
        if not isinstance(error, ValueError) and type(error).__name__ != "PanicException":
            raise
        hint = "mend or remove your own template"
        raise Usage(f"the picture is no SVG that can be drawn: {error}", hint=hint) from error


def _with_palette(drawn: bytes) -> bytes:
    """A picture in its 128 most useful colours: less than half as long, and alike to the eye.
    Without dithering, which shows on plain areas and takes more bytes."""
    from PIL import Image

    made = BytesIO()
    with Image.open(BytesIO(drawn)) as image:
        plain = image.convert("RGB").quantize(
            COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE
        )
        plain.save(made, "PNG", optimize=True)
    return made.getvalue()


def _check(drawing: str, width: int) -> None:
    """Whether this is a drawing of a size that a screen can show: the library has no words for one
    that is not, and may end the whole program. Only a template of the player's own can make such a
    drawing. Raises `ValueError`."""
    from xml.parsers import expat

    depth = 0

    def begin(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        if not depth:
            _check_root(name, attributes, width)
        depth += 1
        if depth > MAX_DEPTH:
            raise ValueError(f"its groups lie more than {MAX_DEPTH} deep")

    def end(_: str) -> None:
        nonlocal depth
        depth -= 1

    def declare(*_: Any) -> None:
        raise ValueError("it declares entities")

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = begin
    parser.EndElementHandler = end
    parser.EntityDeclHandler = declare
    try:
        parser.Parse(drawing, True)
    except expat.ExpatError as error:
        raise ValueError(str(error)) from error


def _check_root(name: str, attributes: dict[str, str], width: int) -> None:
    if name != f"{SVG} svg":
        raise ValueError(f'it begins with <{name.split(" ")[-1]}>, not with <svg xmlns="{SVG}">')
    sides: dict[str, float] = {}
    for side in ("width", "height"):
        match = _SIDE.match(attributes.get(side, ""))
        sides[side] = float(match[1]) if match else 0
        if not 1 <= sides[side] <= MAX_SIDE:
            raise ValueError(f"its {side} is to be a number from 1 to {MAX_SIDE}")
    if sides["height"] / sides["width"] * width > MAX_SIDE:
        raise ValueError("it is too high for its width")


def _drawer() -> Callable[[str, int], bytes]:
    """The faster library; the other one for a Python that is newer than the faster one."""
    try:
        return _with_resvg()
    except ImportError:
        return _with_resvg_py()


def _with_resvg() -> Callable[[str, int], bytes]:
    from resvg import render, usvg

    def draw(drawing: str, width: int) -> bytes:
        options = usvg.Options.default()
        options.font_family = FAMILY
        for font in FONTS:
            options.load_font_data((DATA / font).read_bytes())
        tree = usvg.Tree.from_str(drawing, options)
        across, down = tree.int_size()
        scale = width / across
        return render(
            tree, (scale, 0, 0, 0, scale, 0), bg_size=(width, max(1, round(down * scale)))
        )

    return draw


def _with_resvg_py() -> Callable[[str, int], bytes]:
    import resvg_py

    def draw(drawing: str, width: int) -> bytes:
        fonts = [str(DATA / font) for font in FONTS]
        return resvg_py.svg_to_bytes(
            svg_string=drawing,
            width=width,
            skip_system_fonts=True,
            font_files=fonts,
            font_family=FAMILY,
        )

    return draw
