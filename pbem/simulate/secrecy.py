"""Checks that rules and views keep what only one seat knows, at an open table and in all reports of
a signed game."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from engine.cards import deck_of
from engine.flow import Answer, Ask, Card, Handle, Request, Seal, Seat
from pbem.fileformat import turnfile
from pbem.games.foreign import package_of, raised
from pbem.ledger import gate
from pbem.ledger.ledger import Ledger
from pbem.report import render
from pbem.report.facts import report
from pbem.simulate.playthrough import Playthrough, RecordedChance, Step
from pbem.turn.draft_entry import Hand

EVERY = 7
"""Views are checked at every so many requests, and reports at every so many entries."""
FORMS = {0: "report.md.j2", 3: "report.txt.j2"}
"""The forms of report that are checked, by the remainder of the entry's number divided by `EVERY`.
Each has the entries since the last report of its form."""
WHOLE = 3 * EVERY
"""After every so many entries the report has the whole game."""


class PublicStep(NamedTuple):
    """What everybody sees at one step; the view as JSON, "" where it is not checked."""

    prompt: str
    story: tuple[dict[str, Any], ...]
    position: str
    view: str


def secrets_of(table: Playthrough, viewer: Seat | None) -> set[str]:
    """The names of cards that only others know. A name is left out if the viewer knows another card
    of that name."""
    known = dict(table.known(viewer))
    for seat in range(len(table.seats)):
        if viewer is not None and table.rules.may_see(table.settings, viewer, seat):
            known |= table.known(seat)
    names = table.rules.cards
    hidden = {
        names[card]
        for handle, card in table.faces.items()
        if handle not in known and (viewer is None or table.decks[deck_of(handle)].owner != viewer)
    }
    return hidden - {names[card] for card in known.values()}


def named_in(page: str, names: set[str]) -> list[str]:
    """Those of these names that stand in a text as words of their own."""
    return [
        name
        for name in sorted(names)
        if name in page and re.search(rf"\b{re.escape(name)}\b", page)
    ]


def artefacts(table: Playthrough, viewer: Seat | None, public_step: PublicStep) -> str:
    """All that the rules give a viewer at a step at which everybody is given this."""
    view = (
        public_step.view if viewer is None else json.dumps(table.view(viewer), ensure_ascii=False)
    )
    return "\n".join(
        [
            public_step.prompt,
            json.dumps(public_step.story, ensure_ascii=False),
            public_step.position,
            view,
        ]
    )


def comparable(request: Request) -> Any:
    """A request without the function that only the program of its owner calls."""
    return request[:5] if isinstance(request, Ask) else request


def turn_faces(table: Playthrough, steps: Sequence[Step]) -> Mapping[Handle, Card]:
    """The faces of a game in which, within each deck, the cards that never mattered have changed
    places: those that were not opened, not played and not shuffled into a later pile."""
    fixed = set(table.game.faces())
    for step in steps:
        if isinstance(step.result, Answer) and step.result.handle is not None:
            fixed.add(step.result.handle)
        if isinstance(step.request, Seal):
            fixed.update(step.request.sources)
    faces = dict(table.faces)
    for step in steps:
        if isinstance(step.request, Seal) and not step.request.sources:
            free = [handle for handle in step.request.handles if handle not in fixed]
            cards = [table.faces[handle] for handle in free]
            faces |= zip(free, cards[1:] + cards[:1], strict=True)
    return faces


def follow_hidden(
    table: Playthrough, steps: Sequence[Step], public_steps: Sequence[PublicStep]
) -> str:
    """Play a game again with other cards behind the backs; returns where something differs that
    everybody sees ("": nowhere)."""
    other = Playthrough(
        table.rules, table.settings, RecordedChance(steps, turn_faces(table, steps)), lists=False
    )
    again = other.steps()
    for number, (step, before) in enumerate(zip(steps, public_steps, strict=True)):
        try:
            other_step = next(again)
        except Exception as error:  # foreign code: it met a card it did not expect
            own = {package_of(type(table.rules).__module__)}
            return f"request {step.number}: {raised(error, own)}"
        if (
            comparable(other_step.request) != comparable(step.request)
            or public(other, other_step, number) != before
        ):
            return f"request {step.number}"
    return ""


def public(table: Playthrough, step: Step, number: int) -> PublicStep:
    """What everybody sees at a step: the position, and now and then the view."""
    position = table.game.position()
    view = json.dumps(table.view(None), ensure_ascii=False) if number % EVERY == 0 else ""
    return PublicStep(step.prompt, step.story, position, view)


def count_leaks(data: bytes) -> tuple[list[str], int]:
    """Search reports for every viewer, after about two in seven entries of a finished file. Returns
    what was found, and how many names were searched for."""
    entries = turnfile.read(data).entries
    roots = {entry.seat: entry.blob("root", 32) for entry in entries if "root" in entry.fields}
    game, found, count = Ledger(), [], 0
    for entry in entries[:-1]:
        gate.admit(game, entry)
        if (
            game.playing is None
            or game.is_over()
            or (form := FORMS.get(entry.number % EVERY)) is None
        ):
            continue
        since = 0 if entry.number % WHOLE == 0 else max(0, entry.number - EVERY)
        for viewer, names, page in _pages(game, roots, form, since):
            leaks = named_in(page, names)
            found += (
                [f"entry {entry.number}, as {viewer} sees it: {', '.join(leaks)}"] if leaks else []
            )
            count += len(names)
    return found, count


def _pages(
    game: Ledger, roots: Mapping[str, bytes], form: str, since: int
) -> Iterator[tuple[str, set[str], str]]:
    """For each viewer: their name, the names that only others know, and everything that a report of
    this form prints from the entry `since` on, with the facts behind it."""
    names, public_faces = game.rules.cards, dict(game.begun().referee.game.faces())
    own = {
        seat: Hand(game, seat, roots[name]).faces
        for seat, name in enumerate(game.seats)
        if name in roots
    }
    for viewer in (None, *own):
        faces = public_faces if viewer is None else {**public_faces, **own[viewer]}
        others = [known for seat, known in own.items() if seat != viewer]
        hidden = {
            names[card] for known in others for handle, card in known.items() if handle not in faces
        }
        hidden -= {names[card] for card in faces.values()}
        facts = report(game, viewer, faces, since)
        page = f"{render.render(form, facts)}\n{facts!r}"
        yield ("everybody" if viewer is None else game.seats[viewer]), hidden, page
