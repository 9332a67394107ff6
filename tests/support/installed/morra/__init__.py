"""Morra, a small game to try sealed choices with: all players show fingers and call their sum at
once."""

from pathlib import Path

from pbem.games.descriptor import API, CommandOption, GameDescriptor

GAME = GameDescriptor(
    api=API,
    name="morra",
    rules={1: "morra.game:RULES"},
    templates=Path(__file__).parent / "templates",
    board="morra.board:board",
    options=(CommandOption("players", "How many play, 2 or 3; 2 unless you say.", "number"),),
    help="help.txt",
)
