"""Chooses which two answers of a random game are given in the other order, so that both orders lead
to one position.

In many games most swaps lead to another position, so places are not chosen evenly. `Bets` counts
for each kind of place how often the two orders met, and prefers kinds where they did, without
giving up those that were hardly tried (Thompson sampling: W. R. Thompson, On the likelihood that
one unknown probability exceeds another in view of the evidence of two samples, Biometrika 25,
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
"""How many questions after an answer another answer of the same seat is looked for that might have
come first."""
QUESTIONS = 40
"""Questions of one game at which swaps are looked for."""
OTHERS = 3
"""Answers of one verb that are tried at one question, first those that were given nearby."""
RARE = (0.1, 5.0)
"""The successes and failures with which every kind begins: about one swap in fifty meets."""
HOPELESS = 0.01
"""If no kind of swap in a game has a better chance than this, another game is tried, once it is
known that orders can meet at all."""


class Swap(NamedTuple):
    """Two answers of one seat. `early` was given at the step `first`; `late` was legal there as
    well, and is legal at the step `second`, the seat's next question."""

    first: int
    second: int
    early: Answer
    late: Answer


Kind = tuple[Hashable, ...]
"""What swaps have in common: whether `late` was also the answer before, both verbs, how many
questions lie between (0, 1, more), and whether cards are drawn in between."""


def verb(answer: Answer) -> Hashable:
    """The first word of an answer: `("sail", 3, 4)` and `("sail", 1, 2)` are both `sail`."""
    return answer.option[0] if answer.option else ""


class ByVerb(Dealer):
    """Chooses every verb equally often, however many answers begin with it, so that many kinds of
    answers are tried in few steps."""

    def __call__(self, table: Any, request: Request) -> Any:
        if not isinstance(request, Ask):
            return super().__call__(table, request)
        found: defaultdict[Hashable, list[Answer]] = defaultdict(list)
        for answer in table.legal:
            found[verb(answer)].append(answer)
        answers = list(found.values())[self.below(len(found))]
        return answers[self.below(len(answers))]


def swaps_of(steps: Sequence[Step], rng: random.Random) -> Iterator[tuple[Kind, Swap]]:
    """The swaps that are possible in a game, with their kinds; in a long game only at some of its
    questions."""
    questions = [
        place
        for place, step in enumerate(steps)
        if isinstance(step.request, Ask) and not step.request.sealed
    ]
    for number in sorted(rng.sample(range(len(questions)), min(len(questions), QUESTIONS))):
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
    """A few answers of each verb that are legal at both steps."""
    legal, counts = set(one.legal), Counter[Hashable]()
    both = [answer for answer in two.legal if answer in legal and answer != one.result]
    rng.shuffle(both)
    for answer in sorted(both, key=lambda answer: answer not in near):
        counts[verb(answer)] += 1
        if counts[verb(answer)] <= OTHERS:
            yield answer


def levels(kind: Kind) -> tuple[Kind, Kind, Kind]:
    """A kind and the wider kinds to which it belongs; what is known of those counts a little for it
    too."""
    return kind, kind[2:], kind[3:]


class Bets:
    """Counts how often each kind succeeded, and chooses which of several to try next."""

    def __init__(self) -> None:
        self._won: Counter[Kind] = Counter()
        self._lost: Counter[Kind] = Counter()

    def best(self, kinds: Iterable[Kind], rng: random.Random) -> tuple[float, Kind]:
        """The kind that does best in a random draw from its estimated chances, and the chance that
        was drawn."""
        hopes = [(self._hope(kind, rng), kind) for kind in kinds]
        return max(hopes, key=lambda hope: hope[0])

    def note(self, kind: Kind, won: bool) -> None:
        """Note whether trying this kind succeeded."""
        (self._won if won else self._lost).update(dict.fromkeys(levels(kind), 1))

    def has_won(self) -> bool:
        """Whether anything has succeeded yet."""
        return bool(self._won)

    def _hope(self, kind: Kind, rng: random.Random) -> float:
        """A random draw from the estimated chance of a kind (a beta distribution)."""
        won, lost = RARE
        for level, known in enumerate(levels(kind)):
            won += self._won[known] / 10**level
            lost += self._lost[known] / 10**level
        return rng.betavariate(won, lost)


def choose(
    bets: Bets, steps: Sequence[Step], tries: int, rng: random.Random
) -> Iterator[tuple[Kind, Swap]]:
    """At most so many swaps of this game, one after the other; call `Bets.note` after each."""
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
