"""Chess, a plug-in for pbem: the whole rules, from the usual position, a shuffled one or any."""

from pathlib import Path

from pbem.games.descriptor import CommandOption, GameDescriptor, Introduction
from pbem.games.grid import GRID_STAGE

GAME = GameDescriptor(
    api=3,
    name="chess",
    title="Chess",
    seats=("white", "black"),
    rules={1: "pbem_chess.game:RULES"},
    templates=Path(__file__).parent / "templates",
    introduction=Introduction(
        pitch="Attack the king so that it cannot escape. Nothing is hidden or left to chance.",
        aim="Whoever gives check so that the other cannot get out of it has won. Without a move, or"
        " without what a checkmate takes, the game is a draw.",
        sides="Two: white and black.",
        length="Some forty moves each, one mail and some minutes a move.",
        hidden="Nothing.",
        chance="None; the first row too is shuffled by proven throws, if you want Chess960.",
        sample=24,
    ),
    options=(
        CommandOption("shuffled", "The first row stands as four proven throws have it: Chess960."),
    ),
    board="pbem_chess.board:board",
    stage=GRID_STAGE,
    concerns="pbem_chess.board:concerns",
    help="help.txt",
    data=("position",),
    exports={"pgn": "pbem_chess.pgn:pgn", "fen": "pbem_chess.pgn:fen"},
)
