"""Loot, as the program meets it."""

from __future__ import annotations

from pbem.files import shipped
from pbem.games.descriptor import (
    API,
    CommandOption,
    GameDescriptor,
    Introduction,
    Stage,
)

GAME = GameDescriptor(
    api=API,
    name="loot",
    title="Loot",
    seats=("first", "second"),
    rules={1: "engine.loot:RULES"},
    templates=shipped() / "loot",
    introduction=Introduction(
        pitch="Pirates and merchant ships: attack, defend, and carry off the most gold.",
        aim=(
            "Whoever has the most gold wins: that of the merchant ships they took, less that of "
            "the merchant ships left in their hand. A ship is yours if your turn begins and you "
            "lead the fight for it, or if you played it and nobody has attacked it."
        ),
        sides="Two to five, each alone; or four, six or eight as pairs of neighbours.",
        length=(
            "One action a turn, and each is one mail of about a minute: some 140 between two "
            "players, 130 among three, 115 among five."
        ),
        hidden="The cards in a hand (partners see each other's), and the order of the pile.",
        chance="The deck is shuffled. No dice.",
        made_with={"players": 4},
        sample=20,
    ),
    options=(
        CommandOption("players", "How many play: 2 to 5, or 4, 6 or 8 as pairs.", "number"),
        CommandOption("partners", "Neighbours play as pairs."),
        CommandOption("start", "Which player begins, counted from 1.", "number"),
    ),
    board="pbem.games.loot.stage_board:board",
    stage=Stage("loot/backdrop.svg.j2", "pbem.games.loot.stage_board:moves"),
    card_texts="pbem.games.loot.cards:CARD_TEXTS",
    faces="pbem.games.loot.cards:CARD_FACES",
    concerns="pbem.games.loot.cards:concerns",
    help="help.txt",
)
