"""Goofspiel with dice, a plug-in for pbem: two players bid hidden cards for prizes that a die
names."""

from pathlib import Path

from pbem.games.descriptor import CommandOption, GameDescriptor, Introduction, Stage

GAME = GameDescriptor(
    api=2,
    name="goofspiel",
    rules={1: "pbem_goofspiel.rules:RULES"},
    templates=Path(__file__).parent / "templates",
    introduction=Introduction(
        aim="A die adds to the prize of each round, and the higher card takes it. Whoever has more"
        " points when all cards are laid wins.",
        sides="Two: first and second.",
        length="A round for each card, two mails a round, half a minute each: 18 with 9 cards.",
        hidden="Three cards in each hand, and the card you lay until both are laid.",
        chance="A ten-sided die names each prize; your cards come in random order.",
        sample=8,
    ),
    options=(
        CommandOption(
            "cards", "How many cards each player has, 5 to 13; 9 unless you say.", "number"
        ),
    ),
    board="pbem_goofspiel.board:board",
    stage=Stage("goofspiel/backdrop.svg.j2"),
    card_texts="pbem_goofspiel.rules:CARD_TEXTS",
    faces="pbem_goofspiel.rules:FACES",
    concerns="pbem_goofspiel.rules:concerns",
    help="help.txt",
)
