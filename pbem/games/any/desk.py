"""What stands beside the question of a game whose rules are its players': a tray of dice, whose
turn it is, questions, and how the game ended."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engine.any import acts, dice
from engine.any.dice import MOST_DICE, Dice, Die
from engine.any.position import Position
from engine.flow import Ask
from pbem.english import listed
from pbem.games.any.clicks import TITLES
from pbem.games.any.names import said
from pbem.games.any.stage_board import name_of
from pbem.games.desk import Desk, DeskCounter, DeskDice, DeskDie, DeskForm, DeskRoll, DeskWords


def desk(game: Position, ask: Ask, called: Mapping[str, str]) -> Desk:
    """The controls for what this player is asked; `called` are the names of the players by seat."""
    setup, seat = game.setup, ask.seat
    covers = (*TITLES.values(), "dice", *(one.name for one in setup.rolls), *_counted(game))
    if game.claim is not None:
        return Desk(
            covers, buttons=[DeskWords("Agree", "agree"), DeskWords("Disagree", "disagree")]
        )
    if game.question is not None:
        return Desk(
            covers,
            dice=_dice(game, ()),
            buttons=[
                DeskWords("Yes", 'answer "yes"'),
                DeskWords("No", 'answer "no"'),
                DeskWords("Decline", "decline"),
            ],
            forms=[DeskForm("Answer", 'answer "{text}"', field="Your answer")],
            counters=list(_counters(game, called)),
        )
    names = {name: name_of({"called": called}, name) for name in setup.seats}
    counters = list(_counters(game, called))
    setting = DeskForm(
        "Set a number",
        "{choice} = {text}",
        [
            DeskWords(f"{one.label}, now {one.value}", one.more.removesuffix(" +1"))
            for one in counters
        ],
        field="The number",
        longest=5,
    )
    others = [setup.seats[one] for one in game.others(seat)]
    turns = [DeskWords(f"{names[one]}'s turn", f"{one}'s turn") for one in others]
    return Desk(
        covers,
        dice=_dice(game, turns),
        buttons=turns,
        forms=[
            DeskForm(
                "Ask",
                'ask {choice} "{text}"',
                [DeskWords(names[one], one) for one in others],
                field="Your question",
                hint="do you react?",
            ),
            DeskForm(
                "It is over",
                "end: {choice} {text}",
                list(_ends(game, names)),
                field=f"Points of {listed(names.values())}",
                hint=" to ".join(map(str, range(42, 42 - 5 * len(names), -5))),
                longest=60,
                optional=True,
            ),
            *([setting] if counters else []),
        ],
        counters=counters,
        says_all=True,
    )


def _counted(game: Position) -> Iterator[str]:
    """Counters, by the words for them: they are counted where they lie."""
    return (acts.counter_words(game.setup, *one) for one in game.setup.counted())


def _counters(game: Position, called: Mapping[str, str]) -> Iterator[DeskCounter]:
    for one, value in game.values.items():
        words = acts.counter_words(game.setup, *one)
        yield DeskCounter(said(words, called), value, f"{words} -1", f"{words} +1")


def _dice(game: Position, turns: Sequence[DeskWords]) -> DeskDice:
    setup = game.setup
    return DeskDice(
        "roll",
        [_die(die) for die in setup.dice.values()],
        MOST_DICE,
        [
            DeskRoll(
                one.name.replace("-", " "),
                one.name,
                "" if one.dice is None else dice.words(one.dice),
            )
            for one in setup.rolls
        ],
        [DeskWords(f"then {one.label}", f"then {one.words}") for one in turns],
    )


def _die(die: Die) -> DeskDie:
    return DeskDie(
        die.name,
        dice.words(Dice(1, 1, die)).replace("1", "{number}", 1),
        die.sides,
        ", ".join(dict.fromkeys(die.faces)),
    )


def _ends(game: Position, names: Mapping[str, str]) -> Iterator[DeskWords]:
    """Who may have won."""
    for seat, (word, name) in enumerate(names.items()):
        if game.playing(seat):
            yield DeskWords(f"{name} wins", f"{word} wins")
    yield DeskWords("A draw", "a draw")
