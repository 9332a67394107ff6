"""Backgammon, as the program meets it."""

from __future__ import annotations

from pbem.files import shipped
from pbem.games.descriptor import (
    API,
    CommandOption,
    GameDescriptor,
    Introduction,
    Question,
    Stage,
)

GAME = GameDescriptor(
    api=API,
    name="backgammon",
    title="Backgammon",
    seats=("white", "black"),
    rules={2: "engine.backgammon:RULES"},
    templates=shipped() / "backgammon",
    introduction=Introduction(
        pitch="Fifteen men, two dice that both have proven, and the doubling cube.",
        aim=(
            "Whoever first bears off all fifteen men wins what the doubling cube shows, twice "
            "or three times as much if the other has borne off none. A match is won by whoever "
            "first has its points."
        ),
        sides="Two: white and black.",
        length=(
            "A game is some 25 turns each, a minute a turn. By mail about 50 mails a game if you "
            "throw at once, 60 with sealed doubles, 120 if you are asked before each throw."
        ),
        hidden="Nothing; a double that is sealed stays secret until the next turn.",
        chance="Two dice a turn.",
        sample=9,
    ),
    options=(
        CommandOption(
            "match", "Points that win the match, 1 to 99; without it one game for points.", "number"
        ),
        CommandOption(
            "games", "How many games are played for points, where it is no match.", "number"
        ),
        CommandOption(
            "at-once",
            "Throw at once, unless a player says with a play that they are asked about the cube"
            " first; what you get unless you choose another way.",
        ),
        CommandOption(
            "asked",
            "Each is asked before a throw whether they double, unless they order otherwise.",
            value=0,
        ),
        CommandOption(
            "sealed",
            "With every play you seal whether to double before your next throw, unless you order"
            " otherwise.",
            value=2,  # UNLESS_ORDERED of rules that a list does not load
        ),
        CommandOption(
            "jacoby", "Gammons count once until the cube was turned, where it is no match."
        ),
        CommandOption(
            "beavers", "Whoever is doubled may double back and keep the cube, where it is no match."
        ),
    ),
    question=Question(
        "Before each throw a player may double what the game counts. By mail",
        (
            ("at-once", "you throw at once, until you say that you are asked: 50 mails a game"),
            ("sealed", "you decide in secret with each play, before the reply: 60 mails"),
            ("asked", "you are asked before each throw: 120 mails"),
        ),
        "pbem.games.backgammon.pace:has_live_cube",
    ),
    order_choices="pbem.games.backgammon.pace:order_choices",
    board="pbem.games.backgammon.stage_board:board",
    stage=Stage("backgammon/backdrop.svg.j2"),
    concerns="pbem.games.backgammon.clicks:concerns",
    steps="pbem.games.backgammon.clicks:steps",
    help="help.txt",
    exports={
        "mat": "pbem.games.backgammon.match_files:mat",
        "sgf": "pbem.games.backgammon.match_files:sgf",
    },
    analysis="pbem.games.backgammon.gnubg:analysis",
)
