"""Goofspiel with dice, a plug-in for pbem: two players bid hidden cards for prizes that a die
names."""

from pbem.games.descriptor import CommandOption, GameDescriptor, Introduction
from pbem.games.table import TABLE_STAGE

GAME = GameDescriptor(
    api=3,
    name="goofspiel",
    rules={1: "pbem_goofspiel.game:RULES"},
    board="pbem_goofspiel.board:board",
    stage=TABLE_STAGE,
    faces="pbem_goofspiel.board:TABLE.faces",
    card_texts="pbem_goofspiel.board:TABLE.texts",
    options=(
        CommandOption("cards", "How many cards each has, 5 to 13; 9 unless you say.", "number"),
    ),
    introduction=Introduction(
        aim="A die adds to the prize of each round, and the higher card takes it. Whoever has more"
        " points when all cards are laid wins.",
        sides="Two: first and second.",
        length="A round for each card, two mails a round, half a minute each: 18 with 9 cards.",
        hidden="Three cards in each hand, and the card you lay until both are laid.",
        chance="A ten-sided die names each prize; your cards come in random order.",
        sample=9,
    ),
)
