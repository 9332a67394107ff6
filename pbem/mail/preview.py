"""The mail of an entry before it is signed, as the others will read it: for whoever leads a player
through a turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from pbem.ledger.gate import Seen
from pbem.ledger.ledger import Ledger
from pbem.mail.compose import html_part
from pbem.mail.facts import facts_of
from pbem.report import picture, render
from pbem.report.model import names_of


@dataclass(frozen=True)
class PreviewedMail:
    """The subject of a turn mail and its two parts; the turn itself, which is not signed yet, is
    left out of them."""

    subject: str
    text: str
    html: str


def preview_mail(
    game: Ledger,
    seen: Seen,
    file: str,
    own: Path | None = None,
    address_of: Callable[[str], str | None] | None = None,
) -> PreviewedMail | None:
    """The mail of a game whose newest entry is not signed (`Preview.game`), under this file name;
    None where a game goes to nobody else. `seen` is what each player saw last in the file before
    it; `address_of` makes the address of the board's picture from its SVG, and without it there is
    no picture.

    Raises `Usage` if a template of the player's own does not work."""
    if sum(player is not None and bool(player.key) for player in game.players) < 2:
        return None
    facts, before = facts_of(game, seen)
    # not signed yet: whether it fits the text is not known
    facts = replace(facts, file=file, armor=None)
    public = facts.report
    if address_of is not None and public.view:
        lines = [
            line for entry in public.entries for line in entry.lines if isinstance(line, Mapping)
        ]
        names = picture.drawable(names_of(public.players))
        drawing = picture.svg(public.game, public.view, before, lines, own, public.asked, names)
        facts = replace(facts, image=None if drawing is None else address_of(drawing))
    subject = " ".join(render.render("subject.txt.j2", facts, own).split())[:200]
    return PreviewedMail(subject, render.render("mail.txt.j2", facts, own), html_part(facts, own))
