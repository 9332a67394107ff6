"""A golden playthrough: one whole game from a seed, written down so that a changed rule shows as a
changed line.

At the start of each period it has the position as everybody sees it, and what each seat sees
besides. At each step it has what changed in each view, the legal answers and the one that was
given, dice and draws.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from engine.flow import Ask, Draw, Open, Pick, Request, Reveal, Roll, Seal, Seat
from engine.rules import Rules, Settings
from pbem.simulate.playthrough import Dealer, Playthrough, Respond, Step, in_words


class AnswersInWords:
    """Deals a game, and notes before each answer is given what the `legal` ones and the `answer`
    are called there, and those that were `sealed`."""

    def __init__(self, deal: Respond) -> None:
        self.legal: list[str] = []
        self.answer = ""
        self.sealed: list[str] = []
        self._deal = deal

    def __call__(self, table: Playthrough, request: Request) -> Any:
        result = self._deal(table, request)
        if isinstance(request, Ask):
            self.legal = [in_words(table, answer) for answer in table.legal]
            self.answer = in_words(table, result)
            self.sealed += [self.answer] if request.sealed else []
        return result


def text(rules: Rules, settings: Settings, seed: int) -> str:
    """The whole file of a golden playthrough."""
    return "\n".join(lines(rules, settings, seed)) + "\n"


def lines(rules: Rules, settings: Settings, seed: int) -> Iterator[str]:
    """One golden playthrough, line by line."""
    said = AnswersInWords(Dealer(seed))
    table = Playthrough(rules, settings, said)
    options = ", ".join(sorted(settings)) or "no options"
    yield f"{rules.title}, rules version {rules.version}, {options}, seed {seed}"
    viewers: list[Seat | None] = [None, *range(len(table.seats))]
    before: dict[Seat | None, dict[str, str]] = {viewer: {} for viewer in viewers}
    period = -1
    for step in table.steps():
        yield ""
        yield from _step(table, said, step)
        now = {viewer: _flat(table.view(viewer)) for viewer in viewers}
        if table.game.period() != period:
            period = table.game.period()
            yield f"== {table.game.when()}"
            yield from (f"  {path}: {value}" for path, value in now[None].items())
            for seat, seat_name in enumerate(table.seats):
                yield from (
                    f"  {seat_name} sees {change}" for change in _changes(now[None], now[seat])
                )
        else:
            changes = {viewer: _changes(before[viewer], now[viewer]) for viewer in viewers}
            yield from (f"  all: {change}" for change in changes[None])
            for seat, seat_name in enumerate(table.seats):
                yield from (
                    f"  {seat_name}: {change}"
                    for change in changes[seat]
                    if change not in changes[None]
                )
                yield from (
                    f"  not {seat_name}: {change}"
                    for change in changes[None]
                    if change not in changes[seat]
                )
        before = now
    assert table.outcome is not None
    winners = " and ".join(table.seats[seat] for seat in table.outcome.winners) or "nobody"
    yield ""
    yield f"{winners} won: {table.outcome.how}; points {list(table.outcome.points)}"


def _step(table: Playthrough, said: AnswersInWords, step: Step) -> Iterator[str]:
    request, names = step.request, table.rules.cards
    match request:
        case Ask():
            yield f"{step.number}. {table.seats[request.seat]} is asked: {step.prompt}"
            yield "  legal: " + " | ".join(said.legal)
            yield f"  {'seals' if request.sealed else 'takes'}: {said.answer}"
        case Roll():
            dice = " ".join(map(str, step.result))
            yield f"{step.number}. dice for {table.seats[request.seat]}, {request.why}: {dice}"
        case Draw():
            handles = sorted(step.result)
            yield (
                f"{step.number}. {table.seats[request.seat]} draws"
                f" {' '.join(map(table.back, handles))}"
            )
            known = ", ".join(
                f"{table.back(handle)} {names[step.faces[handle]]}" for handle in handles
            )
            yield f"  {table.seats[request.seat]} knows {known}"
        case Pick():
            backs = " ".join(map(table.back, step.result))
            yield f"{step.number}. chance takes {backs} of {len(request.handles)}, {request.why}"
        case Open():
            yield f"{step.number}. {table.back(request.handle)} is opened: {names[step.result]}"
        case Reveal():
            shown = [said.sealed[token] for token in request.tokens]
            yield f"{step.number}. shown: {', '.join(shown)}"
        case Seal():
            letter = table.decks[request.deck].letter
            made = f"{len(request.sources)} backs" if request.sources else "the whole deck"
            yield (
                f"{step.number}. deck {letter} is sealed: {len(request.handles)} cards, from {made}"
            )
    for event in step.story:
        yield "  told: " + ", ".join(f"{key} {value}" for key, value in event.items())


def _flat(value: Any, path: str = "") -> dict[str, str]:
    """A view as a dictionary from the path of a value to that value. Lists are values."""
    if not isinstance(value, dict):
        if isinstance(value, list) and value and isinstance(value[0], dict):
            value = [
                " ".join("-" if part is None else str(part) for part in row.values())
                for row in value
            ]
        return {path: json.dumps(value, ensure_ascii=False)}
    flat: dict[str, str] = {}
    for key, part in value.items():
        flat |= _flat(part, f"{path} / {key}" if path else str(key))
    return flat


def _changes(before: dict[str, str], after: dict[str, str]) -> list[str]:
    """The differences, one line for each."""
    changes = [f"{path}: {value}" for path, value in after.items() if before.get(path) != value]
    return changes + [f"{path}: gone" for path in before if path not in after]
