"""A game in a terminal, entry by entry, with keys."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from pbem.english import numbered, size
from pbem.ledger.ledger import player_names
from pbem.replay import keys
from pbem.replay.scenes import Replayed, Scene, WholeGame
from pbem.report import terminal
from pbem.report.render import plain

_AROUND = 3
"""Rows of a screen that are neither the board nor deeds."""
_KEYS = "right and left arrow, Home, End; q leaves:"


def step_through(replayed: Replayed, start: int = 0) -> int:
    """Show entry after entry until the reader leaves; returns the entry that was shown last."""
    whole, console = replayed.whole_game(), Console(highlight=False, markup=False, emoji=False)
    number = min(max(start, 0), len(whole.scenes) - 1)
    with keys.reading() as key:
        while True:
            draw(console, replayed, whole, number)
            wish = keys.meaning(key())
            if wish == keys.QUIT:
                console.print()
                return number
            number = place_after(wish, number, len(whole.scenes))


def place_after(wish: str | None, number: int, count: int) -> int:
    """The number of the entry to which a key leads."""
    places = {keys.ON: number + 1, keys.BACK: number - 1, keys.FIRST: 0, keys.LAST: count - 1}
    return min(max(places.get(wish or "", number), 0), count - 1)


def draw(console: Console, replayed: Replayed, whole: WholeGame, number: int) -> None:
    """Show one entry on a cleared screen: whose it was, the board after it, and what it brought."""
    scene = whole.scenes[number]
    console.clear()
    console.print(Text(_head(whole, scene), style="bold"))
    view, before = replayed.views(number)
    names = dict(zip(replayed.game.seats, player_names(replayed.game), strict=True))
    if view is not None:
        room = console.height - len(scene.deeds) - _AROUND
        forms = terminal.boards(whole.game, view, before, console.width, names)
        fitting = [form for form in forms if form.rows <= room]
        for board in (fitting or forms[-1:])[:1]:
            console.print(board.text)
    for deed in scene.deeds:
        console.print(Text(f"  {deed}"))
    for line in scene.message.split("\n") if scene.message else ():
        console.print(Text(f"    | {plain(line)}"))
    for file in scene.files:
        console.print(Text(f"    with it: {plain(file.name)}, {size(file.size)}"))
    for line in scene.note.split("\n") if scene.note else ():
        console.print(Text(f"    (note) {plain(line)}"))
    if whole.ending is not None and number == len(whole.scenes) - 1:
        console.print(Text(whole.ending, style="bold"))
    if whole.failure is not None and number == len(whole.scenes) - 1:
        console.print(
            Text(f"The next turn does not hold: {plain(whole.failure)}", style="bold red")
        )
    console.print(Text(_KEYS), end=" ")


def _head(whole: WholeGame, scene: Scene) -> str:
    when = f"{scene.when}, " if scene.when else ""
    of, number = len(whole.scenes) - 1, numbered(scene.number, whole.measure)
    return f"{whole.title}: {when}{number} of {of}, {plain(scene.name or scene.seat)}"
