"""Conquest of Paradise, the solitaire opponent at the player's own board, as the program meets
it."""

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
    name="paradise",
    title="Conquest of Paradise, solitaire",
    seats=("tonga",),
    rules={4: "engine.paradise:RULES"},
    templates=shipped() / "paradise",
    introduction=Introduction(
        pitch=("You sail for Tonga, the program for Samoa: find islands, and hold them."),
        aim=(
            "You are Tonga and win with thirty victory points at the end of a turn, while two "
            "chits or more are left in the cup. If two or fewer are left and you have not won, "
            "you lose."
        ),
        sides=(
            "One, at the printed game, which you need: you play Tonga at your board, the program "
            "plays Samoa. A friend may prove its dice."
        ),
        length=(
            "About 12 turns, ten minutes each at your board. Alone there is no mail; with a "
            "friend who proves the dice four or five a turn, both ways together."
        ),
        hidden=(
            "Which chits are left in the cup is known, which comes next is not; Samoa's cards lie "
            "face down until they are turned up."
        ),
        chance="Dice say which islands Samoa holds and break its ties; chits say what it does.",
        sample=18,
    ),
    options=(
        CommandOption(
            "witness",
            "This public key's owner proves the dice and chits, and decides nothing.",
            "key",
        ),
        CommandOption(
            "three-boxes", "The harder rule: free groups of three boxes bring a chit too."
        ),
        CommandOption("south-island", "With the South Island, an advanced rule."),
        CommandOption("saved-resources", "With saved resources, an advanced rule."),
        CommandOption("malaria", "With malaria, an advanced rule."),
        CommandOption("open-chits", "Chits that discoveries bring lie open, and you order them."),
        CommandOption(
            "no-off-course-knots", "The knots of Off Course markers do not count for Samoa."
        ),
        CommandOption("arioi-again", "An Arioi may stop more than one attack."),
        CommandOption(
            "own-dice", "You throw dice and draw chits at your table, and type the results."
        ),
    ),
    board="pbem.games.paradise.stage_board:board",
    stage=Stage("paradise/backdrop.svg.j2"),
    card_texts="pbem.games.paradise.chits:CARD_TEXTS",
    concerns="pbem.games.paradise.clicks:concerns",
    help="help.txt",
    reports=True,
    data=("chits", "map", "tiles", "cards", "movement", "setup"),
)
