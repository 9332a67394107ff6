"""Any game whose rules are its players' own, as the program meets it."""

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
    name="any",
    title="Any game",
    seats=("first", "second"),
    rules={1: "engine.any:RULES"},
    templates=shipped() / "any",
    introduction=Introduction(
        pitch="A game from your shelf: you move the pieces, dice and cards are proven here.",
        aim=(
            "Your own game says how one wins; this program knows no rules of it. When it is over "
            "one of you says how it ended, and the others agree or do not."
        ),
        sides="Two to eight, named by a setup.",
        length=(
            "As long as your game. A turn is what you write in it: dice, cards, counters, whose "
            "turn it is: one mail, and a minute beside your board. A throw, or a card drawn, is "
            "one mail there and one back."
        ),
        hidden="The hands, where a setup has decks of cards, and what was discarded face down.",
        chance=(
            "Dice with 2 to 100 sides, or with names on their faces, and cards from decks that "
            "nobody can stack, proven by the others."
        ),
        sample=9,
    ),
    options=(CommandOption("players", "How many play, 2 to 8, without a setup.", "number"),),
    board="pbem.games.any.stage_board:board",
    stage=Stage("any/backdrop.svg.j2"),
    faces="pbem.games.any.card_faces:FACES",
    concerns="pbem.games.any.clicks:concerns",
    joined="pbem.games.any.clicks:joined",
    desk="pbem.games.any.desk:desk",
    said="pbem.games.any.names:said",
    meant="pbem.games.any.names:meant",
    help="help.txt",
    reports=True,
    data=("setup",),
)
