"""The Shores of Tripoli for two, as the program meets it."""

from __future__ import annotations

from pbem.files import shipped
from pbem.games.descriptor import (
    API,
    CommandOption,
    GameDescriptor,
    Introduction,
    Stage,
)

PLAY_ALONE = CommandOption(
    "solitaire", "Play alone against the game's own rules.", plays="tripoli-solitaire"
)
BOARD = "pbem.games.tripoli.stage_board:board"
STAGE = Stage("tripoli/backdrop.svg.j2")

GAME = GameDescriptor(
    api=API,
    name="tripoli",
    title="The Shores of Tripoli",
    seats=("american", "tripolitan"),
    rules={1: "engine.tripoli:RULES"},
    templates=shipped() / "tripoli",
    introduction=Introduction(
        pitch=(
            "American frigates against corsairs who raid for gold, 1801 to 1806: cards, and dice "
            "for every fight."
        ),
        aim=(
            "Tripolitania wins with twelve gold, four American frigates sunk, or Hamet's Army "
            "destroyed. America wins from Fall 1805 on: by the Treaty card (Derne captured, no "
            "ally at war, no Tripolitan frigate in Tripoli), or by taking Tripoli with the "
            "Assault card."
        ),
        sides="Two: America hunts pirates and lands an army, Tripolitania raids for gold.",
        length=(
            "Up to 24 turns each, four a year until Winter 1806, then it is a draw; some five "
            "minutes a turn. By mail about 65 mails, with standing orders about 45."
        ),
        hidden="The cards in a hand, and the order of both piles.",
        chance="Dice decide raids, interceptions and battles; cards are drawn once a year.",
        sample=14,
    ),
    options=(
        CommandOption("hidden-discard", "Play with hidden discard piles."),
        CommandOption(
            "quick-hand-limit",
            "Tripolitania discards to eight with its Spring play: fewer mails.",
            spares_mails=True,
        ),
        PLAY_ALONE,
    ),
    board=BOARD,
    stage=STAGE,
    card_texts="pbem.games.tripoli.cards:CARD_TEXTS",
    faces="pbem.games.tripoli.card_faces:FACES",
    concerns="pbem.games.tripoli.clicks:concerns",
    used_once="pbem.games.tripoli.clicks:used_once",
    help="help.txt",
)
