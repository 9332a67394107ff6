"""Goofspiel with dice, a plug-in for pbem: two players bid hidden cards for prizes that a die
names."""

from pathlib import Path

from pbem.games.descriptor import CommandOption, GameDescriptor, Picture, TerminalBoard

GAME = GameDescriptor(
    api=2,
    name="goofspiel",
    rules={1: "pbem_goofspiel.rules:RULES"},
    templates=Path(__file__).parent / "templates",
    options=(
        CommandOption(
            "cards", "How many cards each player has, 5 to 13; 9 unless you say.", "number"
        ),
    ),
    picture=Picture("pbem_goofspiel.picture:layout", "goofspiel/picture.svg.j2"),
    board=TerminalBoard("pbem_goofspiel.picture:board", 40),
    card_texts="pbem_goofspiel.rules:CARD_TEXTS",
    concerns="pbem_goofspiel.rules:concerns",
    help="help.txt",
)
