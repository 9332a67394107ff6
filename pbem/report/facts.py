"""A game as it is told to somebody: plain facts for templates and for JSON. It decides nothing and keeps no secret
that its viewer does not know: all names of cards come from `faces`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.cards import write_handle
from engine.flow import Ask, Card, Handle, Open, Pick, Roll, Seal, Seat
from pbem.english import listed
from pbem.fileformat.encoding import b64, fingerprint
from pbem.games.registry import write_settings
from pbem.ledger.events import Chanced
from pbem.ledger.file_entry import write_order
from pbem.ledger.ledger import Ledger
from pbem.report.history import entries
from pbem.report.order_hints import about_orders


def report(game: Ledger, viewer: Seat | None, faces: Mapping[Handle, Card], since: int) -> dict[str, Any]:
    """Everything a report shows. `faces` are the cards that the viewer knows, `since` the first entry to tell of."""
    referee = game.referee
    view = game.rules.view(referee.game, viewer, faces) if referee else {}
    return {
        "title": game.rules.title,
        "game": game.rules.name,
        "game_id": game.game_id.hex(),
        "entry": len(game.entries) - 1,
        "options": write_settings(game.rules, game.settings),
        "made_with": game.rules.told_settings({k: v for k, v in game.settings.items() if k != "unwitnessed"}),
        "dice": game.rules.dice,
        "common_deck": any(deck.owner is None for deck in game.decks),
        "seat": None if viewer is None else game.seats[viewer],
        "witnessed": game.is_witnessed(),
        "players": [_player(game, seat) for seat in range(len(game.seats))],
        "when": referee.game.when() if referee else None,
        "view": view,
        "board": view.get("board", view),
        "hand": hand(game, viewer, faces),
        "unread": unread(game, viewer, faces),
        "entries": entries(game, since, faces),
        "asked": asked(game),
        "owes": None,
        "moves": [],
        "fresh": [],
        "orders": orders(game),
        "advice": about_orders(game, viewer, faces) if viewer is not None and game.to_act() == viewer else None,
        "offer": None if game.offer is None else game.seats[game.offer.seat],
        "over": over(game),
    }


def hand(game: Ledger, viewer: Seat | None, faces: Mapping[Handle, Card]) -> list[str] | None:
    """Names of the cards in the viewer's own hand."""
    backs = _backs(game, viewer)
    return None if backs is None else sorted(game.rules.cards[faces[handle]] for handle in backs if handle in faces)


def unread(game: Ledger, viewer: Seat | None, faces: Mapping[Handle, Card]) -> dict[str, Any]:
    """How many cards of the viewer's own hand he cannot read yet, and the seats whose shares are missing for that."""
    backs = [handle for handle in _backs(game, viewer) or () if handle not in faces]
    common = game.referee.common if game.referee else None
    return {"count": len(backs), "until": [game.seats[seat] for seat in (common.missing(backs) if common else ())]}


def fresh(game: Ledger, viewer: Seat | None, faces: Mapping[Handle, Card], since: int) -> list[str]:
    """Cards of the viewer's hand that shares in entry `since` or later made readable; a card of his own deck he could
    read when he drew it."""
    common = game.referee.common if game.referee else None
    handles = common.read_since(_backs(game, viewer) or (), since - 1) if common else []
    return sorted(game.rules.cards[faces[handle]] for handle in handles if handle in faces)


def _backs(game: Ledger, viewer: Seat | None) -> tuple[Handle, ...] | None:
    """The viewer's own hand; None for somebody who has none."""
    if viewer is None or game.referee is None or viewer in game.rules.bystanders(game.settings):
        return None
    return game.referee.game.hand(viewer)


def to_act(game: Ledger) -> str | list[str]:
    """The seat that may write next; an empty list when nothing is left to write."""
    seat = game.to_act()
    return [] if seat is None else game.seats[seat]


def asked(game: Ledger) -> dict[str, Any] | None:
    """Who writes next, and why, in plain data; None when nothing is left to write."""
    seat = game.to_act()
    if seat is None:
        return None
    asked: dict[str, Any] = {"seat": game.seats[seat], "name": None, "what": "", "prompt": None, "roll": None}
    if (player := game.players[seat]) is not None:
        asked["name"] = player.name
    referee = game.referee
    request = referee.request if referee else None
    if referee is None:
        asked["what"] = "join"
    elif game.is_over():
        asked["what"] = "root"
    elif game.offer is not None and game.offer.alone:
        asked["what"] = "draw"
    elif referee.lenders():
        asked["what"], asked["prompt"] = "share", game.seats[referee.reader()]
    elif isinstance(request, Ask):
        asked["what"], asked["prompt"] = "answer", game.rules.prompt(referee.game, request)
    elif isinstance(request, Open):
        asked["what"] = "open"
        asked["prompt"] = _opening(game, request.handle)
    elif isinstance(request, Seal):
        asked["what"] = "seal" if game.decks[request.deck].owner is not None else "shuffle"
    else:
        asked["what"] = "proof" if referee.witnesses() else "settle"
        asked["roll"] = request.why if isinstance(request, Roll | Pick) else "cards"
    return asked


def _opening(game: Ledger, handle: Handle) -> str:
    in_words = game.rules.opening(game.referee.game, handle) if game.referee else None
    return in_words or write_handle(game.decks, handle)


def orders(game: Ledger) -> dict[str, list[str]]:
    """The standing orders in force, by seat, as everybody may read them."""
    referee, found = game.referee, {}
    for seat, by_topic in enumerate(referee.book.given if referee else []):
        hand = referee.game.hand(seat) if referee else ()
        standing = [order for order in by_topic.values() if order.handle is None or order.handle in hand]
        if standing:
            found[game.seats[seat]] = [write_order(game.decks, order) for order in standing]
    return found


def over(game: Ledger) -> dict[str, Any] | None:
    """How the game ended, and whether that is proven; None while it goes on."""
    outcome = game.outcome
    if outcome is None:
        return None
    return {
        "winners": [game.seats[seat] for seat in outcome.winners],
        "how": outcome.how,
        "points": dict(zip(game.seats, outcome.points, strict=False)),
        "totals": _totals(game, outcome.points),
        "unit": game.rules.unit,
        "proven": game.is_proven(),
        "unproven": [game.seats[seat] for seat in game.unrevealed()],
    }


def _totals(game: Ledger, points: Sequence[int]) -> list[dict[str, Any]]:
    """The points once for each side: seats that win and lose together have the same."""
    sides: dict[int, list[Seat]] = {}
    for seat in range(len(points)):
        sides.setdefault(game.rules.side(game.settings, seat), []).append(seat)
    return [{"side": listed(game.seats[seat] for seat in of), "points": points[of[0]]} for of in sides.values()]


def rolls(game: Ledger) -> list[dict[str, Any]]:
    """Every roll of dice with what is needed to compute it again (docs/trust.md)."""
    referee = game.referee
    return [_roll(game, chanced) for chanced in (referee.chanced if referee else []) if type(chanced.request) is Roll]


def _roll(game: Ledger, chanced: Chanced) -> dict[str, Any]:
    request, referee = chanced.request, game.referee
    assert isinstance(request, Roll) and referee is not None
    proofs = [
        {"seat": game.seats[seat], "proof": b64(found[0]), "output": found[1].hex()}
        for seat in chanced.sources
        if (found := referee.proofs.get((chanced.entry, seat)))
    ]
    return {
        "season": chanced.when,
        "reason": request.why,
        "seat": game.seats[request.seat],
        "dice": list(chanced.result or ()),
        "count": request.number,
        "witness": ", ".join(game.seats[seat] for seat in chanced.witnesses) or "nobody",
        "pending": chanced.result is None,
        "entry": chanced.entry,
        "message": referee.digests[chanced.entry].hex(),
        "offset": chanced.offset,
        "proofs": proofs,
    }


def _player(game: Ledger, seat: Seat) -> dict[str, Any]:
    player = game.players[seat]
    name = {"seat": game.seats[seat], "name": None, "mail": None, "key": None, "fingerprint": None, "by_rules": False}
    if seat not in game.keyed():
        return name | {"by_rules": True}
    if player is None:
        return name
    key = {"key": b64(player.key), "fingerprint": fingerprint(player.key)}
    return name | {"name": player.name, "mail": player.mail or None} | key
