"""Acts: what a player does in a turn, as they write it and as it is kept.

=====================================  =============================================================
option                                 in words
=====================================  =============================================================
`("roll", dice, name, then)`           `roll 3d6 combat then ben's turn`
`("count", counter, owner, by)`        `ann's gold +2`, or `year +1` where only one has it
`("set", counter, owner, to)`          `ann's gold = 5`
`("turn", seat)`                       `ben's turn`
`("ask", seat, text)`                  `ask ben "do you react?"`
`("answer", text)`, `("decline",)`     `answer "no"`, `decline`
`("end", winners, points)`             `end: ann wins 42 to 37`, `end: a draw`
`("agree",)`, `("disagree",)`          `agree`, `disagree`
`("draw", deck, number, then)`         `draw 2 from strategy then ben's turn`, and more with cards:
                                       `engine.any.card_acts`
=====================================  =============================================================

`words` gives the one spelling that is signed; `read` takes what a player would write, capital
letters and all: `Ben: do you react?`, `gold +2` for their own gold, `roll combat` where the setup
says with which dice.
"""

from __future__ import annotations

import re
from typing import Final

from engine.any import card_acts, dice
from engine.any.setup import Setup
from engine.flow import NotUnderstood, Option, Seat

NOBODY: Final[Seat] = -1
LONGEST_TEXT: Final = 80
"""Characters of a question or an answer, so that the act fits into its line of a file."""
LARGEST_POINTS: Final = 9999
_TURN: Final = re.compile(
    r"([a-z]+)(?:'s?| s)? turn\Z|(?:turn(?: of)?|pass(?: to)?|over to) ([a-z]+)\Z"
)
_ASK: Final = re.compile(r"(?:ask )?([a-z]+) ?[:,] ?(.+)\Z|ask ([a-z]+) (.+)\Z", re.IGNORECASE)
_ANSWER: Final = re.compile(r"answer\b(?!-) ?:? ?(.+)\Z", re.IGNORECASE)
_COUNT: Final = re.compile(
    r"(?:([a-z]+)(?:'s?| s) )?([a-z][a-z0-9-]*) ?(=|to |[+-]) ?(-?[0-9]{1,4})\Z"
)
_END: Final = re.compile(
    r"(?:end ?:? ?)?(?:(?:(.+?) wins?)|(?:a |it is a )?(draw|tie))\b[ ,:]*(.*)\Z"
)
_POINTS: Final = re.compile(r"-?[0-9]{1,4}(?: ?(?:to|:) ?-?[0-9]{1,4})*\Z")


def words(setup: Setup, option: Option) -> str:
    """The one spelling of an act."""
    match option:
        case ("roll", thrown, name, then):
            said = f"roll {dice.words(thrown)} {name}".rstrip()
            return said + _then_words(setup, then)
        case ("count", counter, owner, by):
            return f"{counter_words(setup, counter, owner)} {by:+d}"
        case ("set", counter, owner, to):
            return f"{counter_words(setup, counter, owner)} = {to}"
        case ("turn", seat):
            return f"{setup.seats[seat]}'s turn"
        case ("ask", seat, text):
            return f'ask {setup.seats[seat]} "{text}"'
        case ("answer", text):
            return f'answer "{text}"'
        case ("end", winners, points):
            return f"end: {claim_words(setup, winners, points)}"
        case (("decline" | "agree" | "disagree") as verb,):
            return str(verb)
    if not (said := card_acts.words(setup, option)):
        raise ValueError(f"no act: {option}")
    return said + (_then_words(setup, option[3]) if option[0] == "draw" else "")


def _then_words(setup: Setup, then: Seat) -> str:
    return "" if then == NOBODY else f" then {setup.seats[then]}'s turn"


def counter_words(setup: Setup, counter: int, owner: Seat) -> str:
    """`ann's gold`, or `year` where it is the only one."""
    one = setup.counters[counter]
    return one.name if len(one.owners) == 1 else f"{setup.seats[owner]}'s {one.name}"


def claim_words(setup: Setup, winners: tuple[Seat, ...], points: tuple[int, ...]) -> str:
    """How it ended: `ann wins 42 to 37`, `ann and ben win`, `a draw`."""
    names = " and ".join(setup.seats[seat] for seat in winners)
    verb = "wins" if len(winners) == 1 else "win"
    result = f"{names} {verb}" if winners else "a draw"
    return f"{result} {' to '.join(map(str, points))}" if points else result


def read(setup: Setup, seat: Seat, text: str) -> Option:
    """The act of `seat` that a text means. Raises `NotUnderstood`; whether the act is allowed now
    is another question."""
    said = " ".join(text.replace("’", "'").replace("“", '"').replace("”", '"').split())
    try:
        return _read(setup, seat, said)
    except NotUnderstood as error:
        if any(_is_act(setup, seat, part.strip()) for part in said.split(",")[1:]):
            raise NotUnderstood(f'{error}; acts stand apart by ";"') from None
        raise


def _is_act(setup: Setup, seat: Seat, said: str) -> bool:
    try:
        _read(setup, seat, said)
    except NotUnderstood:
        return False
    return True


def _read(setup: Setup, seat: Seat, said: str) -> Option:
    low = said.lower().rstrip(".")
    if low in ("decline", "agree", "disagree"):
        return (low,)
    word = low.partition(" ")[0]
    if word in ("roll", "throw"):
        return _roll(setup, low[len(word) :].strip())
    if match := _ANSWER.match(said):
        return ("answer", _text(match[1]))
    if word == "draw":
        before, then = _then(setup, low)
        drawn = card_acts.read(setup, seat, before)
        assert drawn is not None
        return (*drawn[:3], then)
    if (with_cards := card_acts.read(setup, seat, low)) is not None:
        return with_cards
    if (match := _TURN.match(low)) and (match[1] or match[2]) in setup.seats:
        return ("turn", setup.seats.index(match[1] or match[2]))
    if (asked := _asked(setup, said)) is not None:
        return asked
    if match := _COUNT.match(low):
        return _count(setup, seat, match)
    if match := _END.match(low):
        return _end(setup, match)
    raise NotUnderstood(
        f'"{said[:60]}" is no act: roll, draw, play, a counter with + or -, whose turn it is, a'
        " question, or how it ended"
    )


def _roll(setup: Setup, text: str) -> Option:
    before, then = _then(setup, text)
    before = before.removeprefix("the ")
    named = setup.roll(before)
    if named is not None:
        if named.dice is None:
            raise NotUnderstood(f"with which dice? roll 2d6 {named.name}")
        return ("roll", named.dice, named.name, then)
    thrown, rest = dice.read(before, setup.dice)
    name = rest.strip(" ,:").removeprefix("for ").removeprefix("the ")
    if name and setup.roll(name) is None:
        known = ", ".join(one.name for one in setup.rolls) or "none: leave it out"
        raise NotUnderstood(f'"{name[:40]}" is no roll of this game; its rolls by name: {known}')
    return ("roll", thrown, name, then)


def _then(setup: Setup, text: str) -> tuple[str, Seat]:
    """What stands before `then ben's turn`, and whose turn it is then; `NOBODY` without it."""
    found = re.search(r"[ ,]then ", text)
    if found is None:
        return text.strip(" ,"), NOBODY
    before, after = text[: found.start()], text[found.end() :]
    match = _TURN.match(after)
    if match is None or (match[1] or match[2]) not in setup.seats:
        raise NotUnderstood(f'"then {after[:40]}" names nobody: then {setup.seats[-1]}\'s turn')
    return before.strip(" ,"), setup.seats.index(match[1] or match[2])


def _asked(setup: Setup, said: str) -> Option | None:
    """A question to another player, if the text begins with one of them."""
    match = _ASK.match(said)
    if match is None or (name := (match[1] or match[3]).lower()) not in setup.seats:
        return None
    return ("ask", setup.seats.index(name), _text(match[2] or match[4]))


def _text(text: str) -> str:
    """What stands in quotes, with or without them."""
    if len(text) > 1 and text.startswith('"') and text.endswith('"'):
        text = text[1:-1]
    if not text.strip() or text != text.strip() or len(text) > LONGEST_TEXT:
        raise NotUnderstood(f"a question or an answer has 1 to {LONGEST_TEXT} characters")
    if not text.isprintable() or '"' in text or ";" in text or "  " in text:
        raise NotUnderstood('a question or an answer has no quotes and no ";" in it')
    return text


def _count(setup: Setup, seat: Seat, match: re.Match[str]) -> Option:
    whose, name, sign, number = match.groups()
    counter = setup.counter(name)
    if counter is None:
        known = ", ".join(one.name for one in setup.counters) or "none"
        raise NotUnderstood(f'"{name[:30]}" is no counter of this game; its counters: {known}')
    at = setup.counters.index(counter)
    owner = seat if len(counter.owners) > 1 else counter.owners[0]
    if whose:
        if whose not in setup.seats or setup.seats.index(whose) not in counter.owners:
            raise NotUnderstood(f'"{whose[:30]}" has no {name}')
        owner = setup.seats.index(whose)
    if sign in ("+", "-"):
        if number.startswith("-"):
            raise NotUnderstood("one sign is enough: +2 or -2")
        return ("count", at, owner, int(sign + number))
    return ("set", at, owner, int(number))


def _end(setup: Setup, match: re.Match[str]) -> Option:
    names, _, points = match.groups()
    winners: set[Seat] = set()
    for name in re.split(r" and |, ?", names) if names else ():
        if name not in setup.seats:
            raise NotUnderstood(f'"{name[:30]}" plays no seat: {", ".join(setup.seats)}')
        winners.add(setup.seats.index(name))
    numbers: tuple[int, ...] = ()
    if points:
        if not _POINTS.match(points):
            raise NotUnderstood(f'"{points[:30]}" are no points: 42 to 37')
        numbers = tuple(int(one) for one in re.findall(r"-?[0-9]+", points))
        if len(numbers) != len(setup.seats):
            raise NotUnderstood(f"points of all, in this order: {', '.join(setup.seats)}")
    return ("end", tuple(sorted(winners)), numbers)
