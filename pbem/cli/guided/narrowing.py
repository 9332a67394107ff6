"""A question with many answers, parted into short ones: which card or piece, then what with it or
where to. The steps are those that are clicked at the table (`pbem.table.choices`); answers that are
about no card and no place are parted by their words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from pbem.games import registry
from pbem.games.descriptor import StepGraph
from pbem.table.choices import Choice, choices_of, path_of, step_graph
from pbem.turn.run_line import Point

MOST = 12
"""So many things are offered at once."""
_CARD, _PLACE = "card:", "place:"


@dataclass(frozen=True)
class Item:
    """One thing that can be chosen: an answer by its whole `sentence`, or one of the steps to
    several of them, which `opens` what is offered next."""

    words: str
    sentence: str = ""
    opens: Callable[[], Level] | None = None


@dataclass(frozen=True)
class Level:
    """One short question, what can be chosen there, and what was chosen to come there. More than
    `items` can be typed: so many are `left_out`."""

    question: str
    items: Sequence[Item]
    chosen: str = ""
    left_out: int = 0


class Narrowing:
    """The short questions of one point of a turn, from the first one on. `fits` says whether so
    many whole answers can be listed at once."""

    def __init__(self, point: Point, fits: Callable[[Sequence[str]], bool]) -> None:
        self._fits = fits
        choices = choices_of(point)
        sentences = [one.sentence for one in choices]
        graph = None if self._may_list(sentences) else step_graph(point)
        if graph is not None:
            first = _by_steps(graph, point)
        elif registry.descriptor(point.draft.ledger.rules.name).reports:
            first = _by_words(sentences, 0, "")
        else:
            first = self._by_path(choices, 0, "")
        self._levels = [first]

    @property
    def level(self) -> Level:
        """The question that is asked now."""
        return self._levels[-1]

    def choose(self, item: Item) -> None:
        """Go on with a step."""
        assert item.opens is not None
        self._levels.append(item.opens())

    def offer(self, sentences: Iterable[str]) -> None:
        """Ask which of these answers it is to be."""
        items = [Item(sentence, sentence) for sentence in sentences]
        self._levels.append(Level("Which of these?", items))

    def back(self) -> bool:
        """Let the newest step go; whether there was one."""
        if len(self._levels) == 1:
            return False
        self._levels.pop()
        return True

    def _may_list(self, sentences: Sequence[str]) -> bool:
        return len(sentences) <= MOST and self._fits(sentences)

    def _by_path(self, choices: Sequence[Choice], at: int, chosen: str) -> Level:
        """What is clicked next of answers whose first steps, so many, were chosen."""
        sentences = [one.sentence for one in choices]
        groups: dict[str, list[Choice]] = {}
        for one in choices:
            path = path_of(one)
            groups.setdefault(path[at] if len(path) > at else "", []).append(one)
        whole = [one.sentence for one in groups.pop("", [])]
        if self._may_list(sentences) or (not groups and len(whole) <= MOST):
            items = [Item(one, one) for one in sentences]
            how = "How many?" if all(one.count for one in choices) else "What with it?"
            return Level(how if chosen else "", items, chosen)
        if not groups:
            return _by_words(whole, 0, chosen)
        items = [self._step(step, some, at, chosen) for step, some in groups.items()]
        question = _question(groups, chosen)
        if len(items) + len(whole) > MOST:
            items = _by_kind(items, question, chosen)
        if len(whole) > max(1, MOST - len(items)):
            items.append(Item("something else", opens=lambda: _by_words(whole, 0, chosen)))
        else:
            items += [Item(one, one) for one in whole]
        return Level(question, items, chosen)

    def _step(self, step: str, some: Sequence[Choice], at: int, chosen: str) -> Item:
        """What can be chosen where answers go on with this step: the answer, if it is one alone."""
        if len(some) == 1:
            return Item(some[0].sentence, some[0].sentence)
        name = step[step.index(":") + 1 :]
        trail = f"{chosen}, {name}" if chosen else name
        return Item(name, opens=lambda: self._by_path(some, at + 1, trail))


def _question(steps: Iterable[str], chosen: str) -> str:
    kinds = {step[: step.index(":") + 1] for step in steps}
    if chosen:
        return "Where to?" if kinds == {_PLACE} else "What with it?"
    if kinds == {_CARD}:
        return "Which card?"
    return "From where?" if kinds == {_PLACE} else "Which card or place?"


def _by_kind(items: Sequence[Item], question: str, chosen: str) -> list[Item]:
    """Those things together that end with the same word, where there are too many."""
    kinds: dict[str, list[Item]] = {}
    for item in items:
        kinds.setdefault(item.words.rpartition(" ")[2], []).append(item)
    found: list[Item] = []
    for word, some in kinds.items():
        if len(some) < 3:
            found += some
        else:
            *_, first, _last = some[0].words.split(" ") if " " in some[0].words else ["", word]
            kind = (
                f"{first} {word}" if all(f" {first} {word}" in one.words for one in some) else word
            )
            level = Level(question, some, f"{chosen}, {kind}" if chosen else kind)
            found.append(Item(f"{kind} ({len(some)})", opens=partial(_same, level)))
    return found


def _same(level: Level) -> Level:
    return level


def _by_words(sentences: Sequence[str], at: int, chosen: str) -> Level:
    """What may be said next of sentences that begin with the same words, so many."""
    if len(sentences) <= MOST:
        return Level("What of it?" if chosen else "", [Item(one, one) for one in sentences], chosen)
    parts = [sentence.split(" ") for sentence in sentences]
    while all(len(words) > at and words[at] == parts[0][at] for words in parts):
        at += 1
    groups: dict[str, list[str]] = {}
    for words, sentence in zip(parts, sentences, strict=True):
        groups.setdefault(words[at] if len(words) > at else "", []).append(sentence)
    begun = " ".join(parts[0][:at])
    items = []
    for word, some in groups.items():
        trail = f"{begun} {word}".strip()
        opens = partial(_by_words, some, at + 1, trail)
        items.append(
            Item(some[0], some[0]) if len(some) == 1 else Item(f"{trail} ...", opens=opens)
        )
    question = "How does it go on?" if chosen else "How does it begin?"
    return Level(question, items[:MOST], chosen, max(0, len(items) - MOST))


def _by_steps(graph: StepGraph, point: Point) -> Level:
    """Answers that move several pieces: one after the other, in whichever order."""
    words = point.draft.ledger.rules.words

    def next_piece(number: int, done: str) -> Level:
        node = graph.nodes[number]
        sources = sorted(node.steps, key=lambda name: -int(name) if name.isdecimal() else -1000)
        items = [Item(one, opens=partial(next_place, number, one, done)) for one in sources]
        if node.option is not None:
            sentence = words(node.option)
            items.append(Item(sentence, sentence))
        return Level("From where next?" if done else "From where?", items, done)

    def next_place(number: int, source: str, done: str) -> Level:
        items = []
        for target, then in graph.nodes[number].steps[source].items():
            node, step = graph.nodes[then], f"{source}/{target}"
            if node.option is not None and not node.steps:
                items.append(Item(step, words(node.option)))
            else:
                trail = f"{done} {step}".strip()
                items.append(Item(step, opens=partial(next_piece, then, trail)))
        return Level("Where to?", items, f"{done} {source}".strip())

    return next_piece(0, "")
