"""A question with many answers, parted into short ones: which card or piece, then what with it or
where to. The steps are those that are clicked at the table (`pbem.table.choices`); answers that are
about no card and no place are parted by their words. What is still too much is offered from one to
another: so no question has more than `MOST` answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import ceil

from engine.flow import Ask
from engine.rules import words_of
from pbem.games import registry
from pbem.games.descriptor import StepGraph
from pbem.report.board import board_at
from pbem.table.choices import Choice, choices_of, path_of, step_graph
from pbem.turn.questions import Point

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
    """One short question, what can be chosen there, and what was chosen to come there."""

    question: str
    items: Sequence[Item]
    chosen: str = ""


class Narrowing:
    """The short questions of one point of a turn, from the first one on. `fits` says whether so
    many whole answers can be listed at once."""

    def __init__(self, point: Point, fits: Callable[[Sequence[str]], bool]) -> None:
        self._fits = fits
        game = point.entry.ledger.rules.name
        self._reports = registry.descriptor(game).reports
        places = board_at(game, point.entry.ledger.begun().referee.game.view(None, {})).places
        self._board = {place.name: number for number, place in enumerate(places)}
        choices, aside = _without_others(point, choices_of(point))
        sentences = [one.sentence for one in choices]
        graph = None if self._may_list(sentences) else step_graph(point)
        if graph is not None:
            first = _by_steps(graph, point)
        else:
            first = self._by_path([one for one in choices if one.amends != "last"], 0, "")
            taking_back = [
                Item(one.sentence, one.sentence) for one in choices if one.amends == "last"
            ]
            first = replace(first, items=_parted([*first.items, *taking_back], first.question, ""))
        if aside:
            first = replace(first, items=_parted([*first.items, *aside], first.question, ""))
        self._levels = [first]

    @property
    def level(self) -> Level:
        """The question that is asked now."""
        return self._levels[-1]

    def choose(self, opens: Callable[[], Level]) -> None:
        """Go on with a step."""
        self._levels.append(opens())

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
        groups = dict(sorted(groups.items(), key=lambda group: self._place_of(group[0])))
        whole = [one.sentence for one in groups.pop("", [])]
        if self._may_list(sentences) or (not groups and len(whole) <= MOST):
            items = [Item(one, one) for one in sentences]
            how = "How many?" if all(one.count for one in choices) else self._what_of_it
            return Level(how if chosen else "", items, chosen)
        if not groups:
            return _by_words(whole, 0, chosen)
        items = [self._step(step, some, at, chosen) for step, some in groups.items()]
        question = self._question(groups, chosen)
        if len(items) + len(whole) > MOST:
            items = _by_kind(items, question, chosen)
        others: Sequence[Item] = [Item(one, one) for one in whole]
        if self._reports:
            if len(whole) > 3:
                others = _by_words(whole, 0, chosen, max(3, MOST - 1 - len(items))).items
            found = [*others, *items]
        elif len(others) > max(1, MOST - len(items)):
            other = Item("something else", opens=lambda: _by_words(whole, 0, chosen))
            found = [*items, other]
        else:
            found = [*items, *others]
        return Level(question, _parted(found, question, chosen), chosen)

    def _place_of(self, step: str) -> int:
        """Where the board has a place; cards and what is no place keep their order before them."""
        return self._board.get(step.removeprefix(_PLACE), -1) if step.startswith(_PLACE) else -1

    def _step(self, step: str, some: Sequence[Choice], at: int, chosen: str) -> Item:
        """What can be chosen where answers go on with this step: the answer, if it is one alone."""
        if len(some) == 1:
            return Item(some[0].sentence, some[0].sentence)
        name = step[step.index(":") + 1 :]
        trail = f"{chosen}, {name}" if chosen else name
        return Item(name, opens=lambda: self._by_path(some, at + 1, trail))

    @property
    def _what_of_it(self) -> str:
        return "What of it?" if self._reports else "What with it?"

    def _question(self, steps: Iterable[str], chosen: str) -> str:
        kinds = {step[: step.index(":") + 1] for step in steps}
        if self._reports:
            return "Which?" if chosen else "What is it about?"
        if chosen:
            return "Where to?" if kinds == {_PLACE} else "What with it?"
        if kinds == {_CARD}:
            return "Which card?"
        return "From where?" if kinds == {_PLACE} else "Which card or place?"


def _without_others(point: Point, choices: Sequence[Choice]) -> tuple[list[Choice], list[Item]]:
    """The answers to the question itself, and those that may be given instead, such as giving the
    game up, together where they begin alike: what amends an earlier answer is none of these."""
    referee = point.entry.ledger.begun().referee if choices else None
    request = None if referee is None else referee.turn.request
    if referee is None or not isinstance(request, Ask):
        return list(choices), []
    rules, game = point.entry.ledger.rules, referee.game
    others = {words_of(rules, game, option) for option in request.mends}
    kept, aside = list[Choice](), dict[str, list[str]]()
    for one in choices:
        if one.sentence in others and not one.amends:
            aside.setdefault(one.sentence.partition(" ")[0], []).append(one.sentence)
        else:
            kept.append(one)
    return kept, [
        Item(some[0], some[0])
        if len(some) == 1
        else Item(f"{word} ...", opens=partial(_by_words, some, 0, word))
        for word, some in aside.items()
    ]


def _parted(items: Sequence[Item], question: str, chosen: str, most: int = MOST) -> Sequence[Item]:
    """The items where they are few; else as many as there may be, each from one to another."""
    if len(items) <= most:
        return items
    size, found = ceil(len(items) / most), list[Item]()
    for first in range(0, len(items), size):
        some = items[first : first + size]
        if len(some) == 1:
            found += some
            continue
        level = Level(question, _parted(some, question, chosen), chosen)
        ends = [one.words.removesuffix(" ...").split(" ") for one in (some[0], some[-1])]
        words = f"{' '.join(ends[0])} to {' '.join(ends[1][_alike(ends) :])}"
        found.append(Item(words, opens=partial(_same, level)))
    return found


def _by_kind(items: Sequence[Item], question: str, chosen: str) -> list[Item]:
    """Those things together that end with the same word, where there are too many; if all do, those
    that begin with the same words up to a comma."""
    kinds: dict[str, list[Item]] = {}
    for item in items:
        kinds.setdefault(item.words.rpartition(" ")[2], []).append(item)
    found: list[Item] = []
    if len(kinds) == 1:
        begun: dict[str, list[Item]] = {}
        for item in items:
            begun.setdefault(item.words.partition(", ")[0], []).append(item)
        for words, some in begun.items():
            level = Level(question, some, f"{chosen}, {words}" if chosen else words)
            found += some if len(some) == 1 else [Item(words, opens=partial(_same, level))]
        return found
    for word, some in kinds.items():
        if len(some) < 3:
            found += some
        else:
            *_, first, _last = some[0].words.split(" ") if " " in some[0].words else ["", word]
            kind = (
                f"{first} {word}" if all(f" {first} {word}" in one.words for one in some) else word
            )
            level = Level(question, some, f"{chosen}, {kind}" if chosen else kind)
            found.append(Item(f"{kind}, one of {len(some)}", opens=partial(_same, level)))
    return found


def _same(level: Level) -> Level:
    return level


def _by_words(sentences: Sequence[str], at: int, chosen: str, most: int = MOST) -> Level:
    """What may be said next of sentences that begin with the same words, so many."""
    if len(sentences) <= most:
        return Level("What of it?" if chosen else "", [Item(one, one) for one in sentences], chosen)
    parts = [sentence.split(" ") for sentence in sentences]
    at = max(at, _alike(parts))
    groups: dict[str, list[list[str]]] = {}
    for words in parts:
        groups.setdefault(words[at] if len(words) > at else "", []).append(words)
    items = []
    for some in groups.values():
        alike = _alike(some)
        trail = " ".join(some[0][:alike])
        opens = partial(_by_words, [" ".join(words) for words in some], alike, trail)
        items.append(Item(trail, trail) if len(some) == 1 else Item(f"{trail} ...", opens=opens))
    question = "How does it go on?" if chosen else "How does it begin?"
    return Level(question, _parted(items, question, chosen, most), chosen)


def _alike(sentences: Sequence[Sequence[str]]) -> int:
    """With how many words all of them begin alike."""
    columns = zip(*sentences, strict=False)
    return next(
        (at for at, words in enumerate(columns) if len(set(words)) > 1), min(map(len, sentences))
    )


def _by_steps(graph: StepGraph, point: Point) -> Level:
    """Answers that move several pieces: one after the other, in whichever order."""
    ledger = point.entry.ledger
    words = partial(words_of, ledger.rules, ledger.begun().referee.game)

    def next_piece(number: int, done: str) -> Level:
        node = graph.nodes[number]
        sources = sorted(node.steps, key=lambda name: -int(name) if name.isdecimal() else -1000)
        items = []
        for one in sources:
            places = next_place(number, one, done)
            only = len(places.items) == 1
            items.append(places.items[0] if only else Item(one, opens=partial(_same, places)))
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
