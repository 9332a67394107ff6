"""Hex, a plug-in for pbem: two players connect opposite sides of a board of hexes."""

from pathlib import Path

from pbem.games.descriptor import CommandOption, GameDescriptor, Introduction
from pbem.games.grid import GRID_STAGE

GAME = GameDescriptor(
    api=2,
    name="hex",
    title="Hex",
    seats=("red", "blue"),
    rules={1: "pbem_hex.game:RULES"},
    templates=Path(__file__).parent / "templates",
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
    options=(
        CommandOption("size", "How many hexes a side has, 3 to 19; 11 unless you say.", "number"),
        CommandOption(
            "no-swap", "Blue may not swap sides after the first stone, as they else may."
        ),
    ),
    board="pbem_hex.board:board",
    stage=GRID_STAGE,
    concerns="pbem.games.grid:concerns",
    help="help.txt",
)
