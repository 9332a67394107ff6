"""The Shores of Tripoli for one, against the game's own rules, as the program meets it."""

from __future__ import annotations

from pbem.games.descriptor import API, CommandOption, GameDescriptor
from pbem.games.templates import shipped
from pbem.games.tripoli.descriptor import BOARD, PICTURE, PLAY_ALONE, STAGE

GAME = GameDescriptor(
    api=API,
    name="tripoli-solitaire",
    rules={1: "engine.tripoli_solitaire:RULES"},
    templates=shipped() / "tripoli-solitaire",
    options=(
        PLAY_ALONE,
        CommandOption(
            "witness",
            "Solitaire: this public key's owner proves your dice, and decides nothing.",
            "key",
        ),
    ),
    picture=PICTURE,
    stage=STAGE,
    board=BOARD,
    card_texts="pbem.games.tripoli_solitaire.card_texts:CARD_TEXTS",
    concerns="pbem.games.tripoli.concerns:concerns",
    help="help.txt",
    standing=("passed over",),
)
