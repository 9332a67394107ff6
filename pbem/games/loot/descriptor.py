"""Loot, as the program meets it."""

from __future__ import annotations

from pbem.games.descriptor import API, CommandOption, GameDescriptor, Picture, TerminalBoard
from pbem.games.templates import shipped

GAME = GameDescriptor(
    api=API,
    name="loot",
    rules={1: "engine.loot:RULES"},
    templates=shipped() / "loot",
    options=(
        CommandOption("players", "How many play: 2 to 5, or 4, 6 or 8 as pairs.", "number"),
        CommandOption("partners", "Neighbours play as pairs."),
        CommandOption("start", "Which player begins, counted from 1.", "number"),
    ),
    picture=Picture("pbem.games.loot.table_layout:layout", "loot/picture.svg.j2"),
    board=TerminalBoard(
        "pbem.games.loot.terminal_board:board", 40, "pbem.games.loot.terminal_board:narrow_board"
    ),
    card_texts="pbem.games.loot.cards:CARD_TEXTS",
    concerns="pbem.games.loot.cards:concerns",
    help="help.txt",
)
