"""Backgammon, as the program meets it."""

from __future__ import annotations

from engine.backgammon.tables import UNLESS_ORDERED
from pbem.games.descriptor import API, CommandOption, GameDescriptor, Picture, Stage, TerminalBoard
from pbem.games.templates import shipped

GAME = GameDescriptor(
    api=API,
    name="backgammon",
    rules={1: "engine.backgammon:RULES"},
    templates=shipped() / "backgammon",
    options=(
        CommandOption(
            "match", "Points that win the match, 1 to 99; without it one game for points.", "number"
        ),
        CommandOption(
            "games", "How many games are played for points, where it is no match.", "number"
        ),
        CommandOption(
            "sealed",
            "With every play you seal whether to double before your next throw, unless you order"
            " otherwise.",
            value=UNLESS_ORDERED,
        ),
        CommandOption(
            "jacoby", "Gammons count once until the cube was turned, where it is no match."
        ),
        CommandOption(
            "beavers", "Whoever is doubled may double back and keep the cube, where it is no match."
        ),
    ),
    picture=Picture("pbem.games.backgammon.board:layout", "backgammon/picture.svg.j2"),
    stage=Stage("pbem.games.backgammon.stage_board:board", "backgammon/backdrop.svg.j2"),
    board=TerminalBoard("pbem.games.backgammon.terminal_board:board", 60),
    concerns="pbem.games.backgammon.clicks:concerns",
    steps="pbem.games.backgammon.clicks:steps",
    help="help.txt",
    exports={
        "mat": "pbem.games.backgammon.match_files:mat",
        "sgf": "pbem.games.backgammon.match_files:sgf",
    },
    analysis="pbem.games.backgammon.gnubg:analysis",
)
