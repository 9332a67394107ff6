"""Searches everything that is printed of a signed game for what only another seat knows."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from engine.flow import Card, Handle, Seat
from pbem.cli.errors import plain
from pbem.fileformat import turnfile
from pbem.ledger import gate
from pbem.ledger.ledger import Ledger
from pbem.report import render
from pbem.report.facts import report
from pbem.turn.draft_entry import Hand


def prefixes(data: bytes) -> Iterator[Ledger]:
    """A game after each of its entries, from the one that begins it to the last but one: then roots
    are known."""
    game = Ledger()
    for entry in turnfile.read(data).entries[:-1]:
        gate.admit(game, entry)
        if game.playing is not None:
            yield game


FORMS = ("report.md.j2", "report.txt.j2")
WHOLE = 5
"""After every so many entries a report tells the whole game so far; after the others the last two
entries."""


def printed(game: Ledger, viewer: Seat | None, faces: Mapping[Handle, Card]) -> str:
    """What a report prints for a viewer, and all that any report is made of. After every other
    entry it is the other form of the report: both tell every entry, as the game goes on."""
    number = len(game.entries)
    facts = report(game, viewer, faces, 0 if number % WHOLE == 0 else max(0, number - 2))
    form = FORMS[number % len(FORMS)]
    return "\n".join([render.render(form, facts), json.dumps(plain(facts), ensure_ascii=False)])


def count_secrets_kept(data: bytes) -> int:
    """Search the report to every viewer after every entry; how many names were searched for."""
    roots = {
        entry.seat: entry.blob("root", 32)
        for entry in turnfile.read(data).entries
        if "root" in entry.fields
    }
    looked = 0
    for game in prefixes(data):
        names = game.rules.cards
        public = dict(game.begun().referee.game.faces())
        own = [Hand(game, seat, roots[name]).faces for seat, name in enumerate(game.seats)]
        for viewer in (None, *range(len(game.seats))):
            faces = public if viewer is None else {**public, **own[viewer]}
            others = [known for seat, known in enumerate(own) if seat != viewer]
            hidden = {
                names[card]
                for known in others
                for handle, card in known.items()
                if handle not in public
            }
            hidden -= {names[card] for card in faces.values()}
            page = printed(game, viewer, faces)
            found = [
                name
                for name in sorted(hidden)
                if name in page and re.search(rf"\b{re.escape(name)}\b", page)
            ]
            assert not found, f"entry {len(game.entries) - 1}, viewer {viewer}: {found}"
            looked += len(hidden)
            if viewer is not None:
                hand = game.begun().referee.game.hand(viewer)
                held = {names[faces[handle]] for handle in hand if handle in faces}
                assert all(name in page for name in held), "the owner sees their own hand"
    return looked
