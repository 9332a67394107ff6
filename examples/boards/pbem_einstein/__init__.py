"""EinStein würfelt nicht!, a plug-in for pbem: a die says which of your stones may go."""

from pathlib import Path

from pbem.games.descriptor import GameDescriptor, Introduction
from pbem.games.grid import GRID_STAGE

GAME = GameDescriptor(
    api=2,
    name="einstein",
    title="EinStein",
    seats=("red", "white"),
    rules={1: "pbem_einstein.game:RULES"},
    templates=Path(__file__).parent / "templates",
    introduction=Introduction(
        pitch="Race your stones to the far corner; a die says which may go.",
        aim="You win by bringing one stone to the corner opposite your own, or by taking all"
        " stones of the other.",
        sides="Two: red and white.",
        length="Some twenty turns, one mail and half a minute each.",
        hidden="Nothing.",
        chance="A die before each move: the stone with that number goes, or one with the next"
        " number up or down where it is gone.",
        sample=8,
    ),
    board="pbem_einstein.board:board",
    stage=GRID_STAGE,
    concerns="pbem.games.grid:concerns",
    help="help.txt",
)
