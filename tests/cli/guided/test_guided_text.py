"""What a led turn says, line by line as on a plain terminal: its words are compared here, and the
tests beside this one say what is true."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.cli.guided.display import TurnDisplay
from pbem.cli.guided.guide import Guide
from pbem.cli.guided.screen import PlainScreen
from pbem.home.home import Home
from pbem.turn import joining, take_turn
from pbem.turn.draft import Draft
from pbem.turn.draft_lines import Intent
from pbem.turn.open_game import open_file
from tests.cli.guided.test_guided_games import alone
from tests.support.golden_words import Golden
from tests.support.homes import make_home
from tests.support.players import AMERICAN, Pair

SCENES = {
    "tripoli": """
help
new line
what if event jefferson
event jefferson
list gib tun
list nowhere
what if 3 gib > trip zone
gib
what if 9
9
2
3
order
story
order hits: spread
order weather: nice
drop order 7
card swedish
hand
board
back
back 9
back
9999999999999999999
xyzzy
accept draw
resign
draw
undo
event swedish; done

sign
event jefferson; 3 gib > trip zone; done
message Good luck, Ben
note Now or never
no
new line
event swedish
lines
drop line 2
offer draw
no draw
preview
""",
    "tripoli-solitaire": """
goal
hand
thomas
2 malta > tripoli
4 gibraltar > malta
bord
gib
back
1
patrol
tripoli
3
back
3 gib > tri
2
list
offer draw
order
""",
    "paradise": """
samoa has 4
samoa starts with nothing
discover
3
back
back
discover
3
2
1
list discover 1 tonga 1 samoa atoll
die 6
board
sign
""",
    "backgammon": """
resign ...
back
resign gammon
""",
}
"""What is entered in a turn of each game."""


def begun(folder: Path, game: str) -> tuple[Draft, Home]:
    """A turn of a game that has just begun."""
    if game == "tripoli":
        pair = Pair(folder, 3).play(2)
        return Draft(pair.open(AMERICAN)), pair.homes[AMERICAN]
    if game == "backgammon":
        homes = [make_home(folder / name, name) for name in ("Ann", "Ben")]
        data = joining.invite(homes[0], joining.NewGame(game, options={"match": 3}))
        data = joining.join(open_file(data, homes[1]), homes[1])
        if not Draft(open_file(data, homes[0])).point().choices:
            data = take_turn.next_entry(open_file(data, homes[0]), Intent())
            homes.reverse()
        return Draft(open_file(data, homes[0])), homes[0]
    home, file = alone(folder, game)
    return Draft(open_file(file.read_bytes(), home)), home


@pytest.mark.parametrize("game", SCENES)
def test_what_a_led_turn_says(
    game: str,
    golden: Golden,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines: Iterator[str] = iter(SCENES[game].split("\n")[1:-1])

    def types(prompt: str) -> str:
        if (line := next(lines, None)) is None:
            raise EOFError
        print(f"{prompt}{line}")
        return line

    turn, home = begun(tmp_path, game)
    screen = PlainScreen()
    with monkeypatch.context() as terminal:
        terminal.setattr("builtins.input", types)
        for name, size in (("COLUMNS", "80"), ("LINES", "50")):
            terminal.setenv(name, size)
        assert Guide(turn, TurnDisplay(turn, home, screen), screen).lead(Intent()) is None
    golden(capsys.readouterr().out)
    assert next(lines, None) is None
