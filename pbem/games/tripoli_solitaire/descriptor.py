"""The Shores of Tripoli for one, against the game's own rules, as the program meets it."""

from __future__ import annotations

from pbem.files import shipped
from pbem.games.descriptor import API, CommandOption, GameDescriptor, Introduction
from pbem.games.tripoli.descriptor import BOARD, PLAY_ALONE, STAGE

GAME = GameDescriptor(
    api=API,
    name="tripoli-solitaire",
    title="The Shores of Tripoli, solitaire",
    seats=("american",),
    rules={1: "engine.tripoli_solitaire:RULES"},
    templates=shipped() / "tripoli-solitaire",
    introduction=Introduction(
        pitch="You lead the American squadron; the rules play Tripolitania.",
        aim=(
            "You, America, win from Fall 1805 on: by the Treaty card (Derne captured, no ally "
            "at war, no Tripolitan frigate in Tripoli), or by taking Tripoli with the Assault "
            "card. You lose with twelve gold for Tripolitania, four of your frigates sunk, or "
            "Hamet's Army destroyed."
        ),
        sides=(
            "One: the rules play Tripolitania, from a table that you can read. A friend may prove "
            "your dice."
        ),
        length=(
            "Up to 24 turns, four a year until Winter 1806, then it is a draw; some three minutes "
            "a turn. Alone there is no mail; a friend who proves the dice sends one for nearly "
            "every turn."
        ),
        hidden="Your hand has nobody to hide from; what the piles bring next nobody knows.",
        chance=(
            "Dice decide raids, interceptions and battles; your cards are drawn once a year, "
            "those of Tripolitania one by one."
        ),
        sample=14,
    ),
    options=(
        PLAY_ALONE,
        CommandOption(
            "witness",
            "Solitaire: this public key's owner proves your dice, and decides nothing.",
            "key",
        ),
    ),
    board=BOARD,
    stage=STAGE,
    card_texts="pbem.games.tripoli_solitaire.card_texts:CARD_TEXTS",
    faces="pbem.games.tripoli.card_faces:SOLITAIRE_FACES",
    concerns="pbem.games.tripoli.clicks:concerns",
    used_once="pbem.games.tripoli.clicks:used_once",
    help="help.txt",
    standing=("passed over",),
)
