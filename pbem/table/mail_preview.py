"""The mail of an entry that is not signed yet, as a page of its own that is shown in a frame."""

from __future__ import annotations

import base64

from markupsafe import escape

from pbem.home.home import Home
from pbem.ledger.ledger import Ledger
from pbem.mail import compose
from pbem.mail.compose import preview_mail
from pbem.report import picture
from pbem.table.open_games import OpenGame
from pbem.turn.signing import public_summary, stem

POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; frame-ancestors 'self'"
)
"""The Content-Security-Policy of the preview: the styles of a mail stand in its lines."""


def headers(game: OpenGame, after: Ledger, home: Home) -> list[str]:
    """To whom the mail goes, its subject and its attachments; empty where no mail is written."""
    name = f"{stem(after)}.toml"
    mail = preview_mail(after, game.opened.seen, name, home.folder / "templates")
    if mail is None:
        return []
    author = after.seat_of(after.entries[-1])
    others = [
        player
        for player in after.players
        if player is not None and player.key and player.seat != author
    ]
    to = [f"{player.name} <{player.mail}>" if player.mail else player.name for player in others]
    return [f"To: {', '.join(to)}", f"Subject: {mail.subject}", f"Attached: {name}"]


def document(game: OpenGame, after: Ledger, home: Home) -> str:
    """The HTML part of the mail, or the public summary where nobody gets a mail."""
    own = home.folder / "templates"
    mail = preview_mail(after, game.opened.seen, f"{stem(after)}.toml", own, _png)
    if mail is not None:
        return mail.html
    text = escape(public_summary(after, home))
    head = "<!DOCTYPE html><html lang=en><meta charset=utf-8><title>Summary</title>"
    return f'{head}<pre style="white-space: pre-wrap; overflow-wrap: anywhere">{text}</pre></html>'


def _png(drawing: str) -> str | None:
    """The picture within the page, as large as the mail has it; empty where nothing can draw it, as
    in a browser."""
    try:
        return (
            "data:image/png;base64,"
            + base64.b64encode(picture.png(drawing, compose.WIDTHS[1])).decode()
        )
    except ImportError:
        return None
