"""The mail of an entry before it is signed, as the others will read it: for whoever leads a player through a turn."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from pbem.ledger.ledger import Ledger
from pbem.ledger.replay import Seen
from pbem.mail.compose import html_part
from pbem.mail.facts import facts_of
from pbem.report import render


@dataclass(frozen=True)
class PreviewedMail:
    """The subject of a turn mail and its two parts; the turn itself, which is not signed yet, is left out of them."""

    subject: str
    text: str
    html: str


def preview_mail(game: Ledger, seen: Seen, file: str, own: Path | None = None) -> PreviewedMail | None:
    """The mail of a game whose newest entry is not signed (`pbem.player.turn.Preview.game`), under this file name; None
    where a game goes to nobody else. `seen` is what each player saw last in the file before it.

    Raises `Usage` if a template of the player's own does not work."""
    if sum(player is not None and bool(player.key) for player in game.players) < 2:
        return None
    facts = replace(facts_of(game, seen)[0], file=file)
    subject = " ".join(render.render("subject.txt.j2", facts, own).split())[:200]
    return PreviewedMail(subject, render.render("mail.txt.j2", facts, own), html_part(facts, own))
