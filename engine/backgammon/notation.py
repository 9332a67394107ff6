"""The words of backgammon: plays as players write them, and the three questions.

A play is written from the mover's side: `13/7 8/7`, `bar/21*`, `6/off(2)`, `24/14`. A star says
that a man was hit there, a number in brackets how often a step was made.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from itertools import pairwise
from typing import Final

from engine.backgammon.plays import (
    MOVE,
    Board,
    Dice,
    Play,
    Step,
    as_play,
    board_after,
    board_after_step,
    steps_with,
)
from engine.backgammon.position import Position
from engine.backgammon.tables import (
    ACCEPT,
    BAR,
    BEAVER,
    BEFORE_THE_ROLL,
    CUBE,
    DOUBLED,
    DROP,
    HOME,
    NEXT,
    OFF,
    PLAY,
    RESIGNATIONS,
    RESIGNED,
    SEAL,
    SEALING,
    TAKE,
    WAIT,
    WORTH,
    Point,
)
from engine.flow import Ask, Option

_NAMES: Final = {BAR: "bar", OFF: "off"}
_PART: Final = re.compile(r"(\d{1,2}|bar|b)((?:/(?:\d{1,2}|off|o)\*?)+)(?:\(([1-4])\))?\Z")
_PLAIN: Final = frozenset(
    str(option[0]) for option in (*BEFORE_THE_ROLL, TAKE, DROP, BEAVER, SEAL, WAIT, ACCEPT)
)
_LOSING: Final = frozenset(
    {"play", "on", *(str(word) for option in RESIGNATIONS for word in option)}
)


@lru_cache(4096)
def words(option: Option) -> str:
    """`13/7 8/7`, `roll`, `double`, `take`, `drop`, `beaver`, `resign gammon`."""
    return write(as_play(option)) if option[0] == MOVE else " ".join(map(str, option))


def write(play: Play) -> str:
    """A play in words. Steps that are alike are written once, with how many there are."""
    parts = [
        f"{point(step.source)}/{point(step.target)}{'*' if step.hits else ''}" for step in play
    ]
    # A man is hit by the first of those who come: the others' step has no star, and one sign says
    # it of both.
    bare = [part.removesuffix("*") for part in parts]
    texts = []
    for at, part in enumerate(bare):
        if part in bare[:at]:
            continue
        star = "*" if f"{part}*" in parts else ""
        count = bare.count(part)
        texts.append(f"{part}{star}({count})" if count > 1 else f"{part}{star}")
    return " ".join(texts)


def point(number: Point) -> str:
    """A point as it is written."""
    return _NAMES.get(number, str(number))


def vocabulary() -> frozenset[str]:
    """Every word of an answer."""
    return _PLAIN | _LOSING | {"bar", "off"} | {str(number) for number in range(1, BAR)}


def prompt(game: Position, ask: Ask) -> str:
    """The question in words."""
    if ask.rule == CUBE:
        return f"throw the dice, or double to {2 * game.cube} first"
    if ask.rule == NEXT:
        return (
            f"seal what you do before your next throw: just throw, or double to {2 * game.cube}"
            " first"
        )
    if ask.rule == SEALING:
        return "seal what you do before your next throw, or wait until you are asked"
    if ask.rule == RESIGNED:
        lost = game.resigned * game.cube
        return (
            f"your opponent gives up {WORTH[game.resigned]}, {lost} point{'s' * (lost != 1)}:"
            " accept, or have them play on"
        )
    if ask.rule == DOUBLED:
        what = "your opponent doubles back" if game.beaver else "you are doubled"
        return f"{what}: play on for {game.doubled}, or give up {game.cube}"
    first, second = game.dice
    return f"play {first} and {second}" if first != second else f"play {first} four times"


def respelled(game: Position, ask: Ask, text: str) -> str:
    """The sentence of the legal play that leads to the same position as the steps in the text, in
    whatever order they were entered and however they were joined; the text itself if there is none.
    """
    if ask.rule != PLAY or (steps := _read(text)) is None:
        return text
    board = game.board(ask.seat)
    reached = _follow(board, steps)
    for option in ask.options:
        if reached is not None and board_after(board, as_play(option)) == reached:
            return words(option)
    return text


def why_refused(game: Position, ask: Ask, text: str) -> str:
    """Why the men cannot be moved as the text says; empty if the text is no play."""
    if (steps := _read(text)) is None:
        return ""
    if ask.rule != PLAY:
        return {
            CUBE: "the dice are not thrown yet: roll, or double first",
            NEXT: "the play stands: seal roll or double for your next throw",
            SEALING: "the play stands: seal what you do before your next throw, or wait",
            DOUBLED: "the double is answered first: take or drop",
            RESIGNED: "what is offered is answered first: accept or play on",
        }[ask.rule]
    board = game.board(ask.seat)
    if board.own[BAR] and all(source != BAR for source, _ in steps):
        return "a man of yours is on the bar, and enters first"
    if (
        any(target == OFF for _, target in steps)
        and any(board.own[HOME + 1 :])
        and not _all_come_home(board, steps)
    ):
        return "men are borne off when all of yours are in your home board"
    first, second = game.dice
    dice: Dice = (first, second) if first != second else (first,) * 4
    left = {dice}
    for source, target in sorted(steps, reverse=True):
        after = {rest for some in left for rest in _dice_left(board, source, target, some)}
        if not after:
            return _why_no_step(board, source, target, dice, left)
        hits = target != OFF and board.other[BAR - target] == 1
        board, left = board_after_step(board, Step(source, target, hits)), after
    return _why_no_play(game.board(ask.seat), board, dice, left)


def _dice_left(board: Board, source: Point, target: Point, dice: Dice) -> set[Dice]:
    """What may be left of these dice when one man has gone from a point to another, hitting nobody
    on the way."""
    found: set[Dice] = set()
    for at, die in enumerate(dice):
        rest = dice[:at] + dice[at + 1 :]
        for step in steps_with(board, die):
            if step.source == source and step.target == target:
                found.add(rest)
            elif step.source == source and step.target > target and not step.hits:
                found |= _dice_left(board_after_step(board, step), step.target, target, rest)
    return found


def _sums(dice: Dice) -> list[int]:
    """How many pips one man can go with some of these dice, the fewest first."""
    sums = {0}
    for die in dice:
        sums |= {more + die for more in sums}
    return sorted(sums - {0})


def _why_no_step(
    board: Board, source: Point, target: Point, dice: Dice, left: AbstractSet[Dice]
) -> str:
    """Why one man cannot go from a point to another; `left` is what may be left of the dice."""
    if not board.own[source]:
        went = " left" if all(len(some) < len(dice) for some in left) else ""
        return f"no man of yours is{went} on {point(source)}"
    step, way, sums = f"{point(source)}/{point(target)}", source - target, _sums(dice)
    if source == BAR and board.own[BAR] > 1 and way not in dice and way in sums:
        return "another man of yours is on the bar, and enters first"
    if board.own[BAR] and source != BAR:
        return "a man of yours is on the bar, and enters first"
    if way not in sums:
        if target == OFF and sums[-1] > way:
            return f"{step} with more than {way} is for when no man of yours is farther back"
        return f"{step} is {_pips(way)}, and the dice play {_or(sums)}"
    if all(way not in _sums(some) for some in left):
        rest = _or(sorted({die for some in left for die in some}))
        return f"no die is left for {step}" + (f": it is {_pips(way)}, left is {rest}" * bool(rest))
    if target != OFF and board.other[BAR - target] > 1:
        no_die = f": no {way} from {point(source)}" if way in dice else ""
        return f"{point(target)} is held by the other player{no_die}"
    if dice[0] == dice[1]:
        between = [source - dice[0] * count for count in range(1, way // dice[0])]
    else:
        between = sorted({source - die for die in dice if die < way})
    held = [number for number in between if board.other[BAR - number] > 1]
    hit = [number for number in between if board.other[BAR - number] == 1]
    if hit and (dice[0] != dice[1] or not held):
        return f"a man is hit on the way: write {point(source)}/{hit[0]}*/{point(target)}"
    if held:
        return f"{step} goes by {_or(held)}: held by the other player"
    return f"the dice do not play {step}"


def _why_no_play(before: Board, board: Board, dice: Dice, left: AbstractSet[Dice]) -> str:
    """Why a play whose steps are all possible is not one: more of the dice can be played."""
    low, high = min(dice), max(dice)
    rest = min(left, key=len)
    if low == high:
        return f"that plays {4 - len(rest)} of the four {high}s, and more can be played"
    if not any(
        steps_with(board_after_step(before, step), high + low - die)
        for die in (low, high)
        for step in steps_with(before, die)
    ):
        return f"only one of the dice can be played, and then it is the higher one, the {high}"
    if any(steps_with(board, die) for some in left for die in some):
        return f"the {_or(rest)} is left, and can be played too"
    return f"the {_or(rest)} cannot be played after that, and another play has both dice"


def _pips(count: int) -> str:
    return f"{count} pip{'s' * (count != 1)}"


def _or(numbers: Sequence[int]) -> str:
    """Numbers in words: `2, 4 or 6`."""
    *most, last = map(str, numbers or ("",))
    return f"{', '.join(most)} or {last}" if most else last


def _all_come_home(board: Board, steps: list[tuple[Point, Point]]) -> bool:
    """Whether these steps bring every man that is outside of the home board into it."""
    outside = sum(board.own[HOME + 1 :])
    return outside == sum(1 for source, target in steps if source > HOME >= target > OFF)


def _read(text: str) -> list[tuple[Point, Point]] | None:
    """The steps that a text names, in its order; None if it is no play."""
    steps: list[tuple[Point, Point]] = []
    for part in text.casefold().replace(",", " ").split():
        match = _PART.match(part)
        if match is None:
            return None
        path = [BAR if match[1] in ("bar", "b") else int(match[1])]
        path += [
            OFF if name in ("off", "o") else int(name)
            for name in match[2].replace("*", "").split("/")[1:]
        ]
        hops = list(pairwise(path))
        if any(source <= target or source > BAR for source, target in hops):
            return None
        steps += hops * int(match[3] or 1)
    return steps or None


def _follow(board: Board, steps: list[tuple[Point, Point]]) -> Board | None:
    """The board after these steps, the farthest men first; None if there is no man where a step
    begins."""
    for source, target in sorted(steps, reverse=True):
        if not board.own[source]:
            return None
        hits = target != OFF and board.other[BAR - target] == 1
        board = board_after_step(board, Step(source, target, hits))
    return board
