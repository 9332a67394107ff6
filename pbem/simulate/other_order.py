"""Which two answers of a random game are given in the other order, so that both orders lead to one
position.

In many games most orders leave different positions, so places are not taken at random: `Bets`
counts how often the two orders met for each kind of place, and prefers the kinds where they did,
without giving up those that were hardly tried (Thompson sampling: W. R. Thompson, On the likelihood
that one unknown probability exceeds another in view of the evidence of two samples, Biometrika 25,
1933).
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence, Set
from typing import Any, NamedTuple

from engine.flow import Answer, Ask, Draw, Pick, Request
from pbem.simulate.playthrough import Dealer, Step

AHEAD = 5
"""How many questions ahead of an answer another of the same seat is looked for that might have come
first."""
SAMPLE = 40
"""Questions of one game at which swaps are looked for."""
OTHERS = 3
"""Answers of one verb that are looked at at one question; those that were given nearby come
first."""
RARE = (0.1, 5.0)
"""What is believed of a kind before it is tried: about one swap in fifty meets."""
HOPELESS = 0.01
"""Where nothing in a game promises more, another game is better looked at, once it is known that
orders can meet."""


class Swap(NamedTuple):
    """Two answers of one seat. `early` was given at the step `first`; `late` could have been given
    there as well, and can at the step `second`, the seat's next question."""

    first: int
    second: int
    early: Answer
    late: Answer


Kind = tuple[Hashable, ...]
"""What swaps have in common: whether `late` was also the answer before, the verbs, how many
questions lie between (0, 1, more), and whether cards are drawn between."""


def verb(answer: Answer) -> Hashable:
    """What an answer begins with: `("sail", 3, 4)` and `("sail", 1, 2)` are both `sail`."""
    return answer.option[0] if answer.option else ""


class ByVerb(Dealer):
    """Every verb is as likely as any other, however many answers begin with it: in few steps much
    is tried."""

    def __call__(self, table: Any, request: Request) -> Any:
        if not isinstance(request, Ask):
            return super().__call__(table, request)
        found: defaultdict[Hashable, list[Answer]] = defaultdict(list)
        for answer in table.legal:
            found[verb(answer)].append(answer)
        answers = list(found.values())[self.below(len(found))]
        return answers[self.below(len(answers))]


def swaps_of(steps: Sequence[Step], rng: random.Random) -> Iterator[tuple[Kind, Swap]]:
    """Swaps that a game has room for, with their kinds; of a long game at some of its questions."""
    questions = [
        place
        for place, step in enumerate(steps)
        if isinstance(step.request, Ask) and not step.request.sealed
    ]
    for number in sorted(rng.sample(range(len(questions)), min(len(questions), SAMPLE))):
        first = questions[number]
        ahead = questions[number + 1 : number + 1 + AHEAD]
        second = next(
            (place for place in ahead if steps[place].request[0] == steps[first].request[0]), None
        )
        if second is None:
            continue
        near = {steps[place].result for place in questions[max(0, number - AHEAD) : number + AHEAD]}
        early, before = steps[first].result, steps[questions[number - 1]].result
        draws = any(isinstance(step.request, (Draw, Pick)) for step in steps[ahead[0] : second])
        between = min(2, ahead.index(second))
        for late in _lates(steps[first], steps[second], near, rng):
            yield (
                (late == before, verb(late), verb(early), between, draws),
                Swap(first, second, early, late),
            )


def _lates(one: Step, two: Step, near: Set[Answer], rng: random.Random) -> Iterator[Answer]:
    """A few answers that are legal at both steps, of each verb."""
    legal, counts = set(one.legal), Counter[Hashable]()
    both = [answer for answer in two.legal if answer in legal and answer != one.result]
    rng.shuffle(both)
    for answer in sorted(both, key=lambda answer: answer not in near):
        counts[verb(answer)] += 1
        if counts[verb(answer)] <= OTHERS:
            yield answer


def levels(kind: Kind) -> tuple[Kind, Kind, Kind]:
    """A kind, and the wider kinds it belongs to: what is known of those counts a little for it
    too."""
    return kind, kind[2:], kind[3:]


class Bets:
    """How often something of each kind succeeded, and which of several to try next."""

    def __init__(self) -> None:
        self._won: Counter[Kind] = Counter()
        self._lost: Counter[Kind] = Counter()

    def best(self, kinds: Iterable[Kind], rng: random.Random) -> tuple[float, Kind]:
        """The kind that does best in a draw from what is believed of each, and how it did."""
        hopes = [(self._hope(kind, rng), kind) for kind in kinds]
        return max(hopes, key=lambda hope: hope[0])

    def note(self, kind: Kind, won: bool) -> None:
        """What came of trying this kind."""
        (self._won if won else self._lost).update(dict.fromkeys(levels(kind), 1))

    def has_won(self) -> bool:
        """Whether anything has succeeded yet."""
        return bool(self._won)

    def _hope(self, kind: Kind, rng: random.Random) -> float:
        won, lost = RARE
        for level, known in enumerate(levels(kind)):
            won += self._won[known] / 10**level
            lost += self._lost[known] / 10**level
        return rng.betavariate(won, lost)


def choose(
    bets: Bets, steps: Sequence[Step], tries: int, rng: random.Random
) -> Iterator[tuple[Kind, Swap]]:
    """At most so many swaps of this game; after each, `Bets.note` takes what came of it."""
    found: defaultdict[Kind, list[Swap]] = defaultdict(list)
    for kind, swap in swaps_of(steps, rng):
        found[kind].append(swap)
    for _ in range(tries):
        if not found:
            return
        hope, kind = bets.best(found, rng)
        if hope < HOPELESS and bets.has_won():
            return
        swaps = found[kind]
        yield kind, swaps.pop(rng.randrange(len(swaps)))
        if not swaps:
            del found[kind]
