"""Go, a plug-in for pbem: two players surround as much of the board as they can."""

from pathlib import Path

from pbem.games.descriptor import CommandOption, GameDescriptor, Introduction
from pbem.games.grid import GRID_STAGE

GAME = GameDescriptor(
    api=3,
    name="go",
    title="Go",
    seats=("black", "white"),
    rules={1: "pbem_go.game:RULES"},
    templates=Path(__file__).parent / "templates",
    introduction=Introduction(
        pitch="Lay stones by turns and surround more of the board than the other.",
        aim="Stones without a free point beside their group are taken. Whoever has more points at"
        " the end, with a stone or surrounded, wins.",
        sides="Two: black and white.",
        length="Some forty plays each on 9 lines, 120 on 19; one mail and a minute or more a play.",
        hidden="Nothing.",
        chance="None.",
        made_with={"size": 9},
        sample=40,
    ),
    options=(
        CommandOption("size", "Lines of a side: 9, 13 or 19; 19 unless you say.", "number"),
        CommandOption("handicap", "Stones that black is given before, 2 to 9.", "number"),
        CommandOption(
            "komi",
            "Points that white is given, and always a half more; 7 unless you say, none where black"
            " is given stones.",
            "number",
        ),
    ),
    board="pbem_go.board:board",
    stage=GRID_STAGE,
    concerns="pbem.games.grid:concerns",
    data=("record",),
    reads="pbem_go.record:lines",
    exports={"sgf": "pbem_go.sgf:sgf"},
    help="help.txt",
)
