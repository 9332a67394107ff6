"""Hex, a plug-in for pbem: two players connect opposite sides of a board of hexes."""

from pathlib import Path

from pbem.games.descriptor import CommandOption, GameDescriptor, Introduction
from pbem.games.grid import GRID_STAGE

GAME = GameDescriptor(
    api=3,
    name="hex",
    rules={1: "pbem_hex.game:RULES"},
    board="pbem_hex.board:board",
    stage=GRID_STAGE,
    concerns="pbem.games.grid:concerns",
    templates=Path(__file__).parent / "templates",
    help="help.txt",
    options=(
        CommandOption("size", "How many hexes a side has, 3 to 19; 11 unless you say.", "number"),
        CommandOption("no-swap", "Blue may not swap sides after the first stone."),
    ),
    introduction=Introduction(
        pitch="Connect your two sides of the board with an unbroken chain of stones.",
        aim="Red wins with a chain of stones from the top to the bottom, blue with one from the"
        " left to the right. One of you always does.",
        sides="Two: red and blue.",
        length="Forty to seventy stones on the usual board, one mail and some minutes each.",
        hidden="Nothing.",
        chance="None.",
        sample=38,
    ),
)
