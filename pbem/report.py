"""A game as it is told to somebody: plain facts for templates and for JSON. It decides nothing and keeps no secret
that its viewer does not know: all names of cards come from `faces`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.cards import number_of, read_handle, write_handle
from engine.flow import Ask, Card, Handle, Open, Pick, Roll, Seal, Seat
from pbem.encoding import b64, fingerprint
from pbem.games import write_settings
from pbem.ledger import Ledger
from pbem.record import Chanced, Happened, Said
from pbem.recorded import write_answer, write_order


def report(game: Ledger, viewer: Seat | None, faces: Mapping[Handle, Card], since: int) -> dict[str, Any]:
    """Everything a report shows. `faces` are the cards that the viewer knows, `since` the first entry to tell of."""
    referee = game.referee
    return {
        "title": game.rules.title,
        "game": game.rules.name,
        "game_id": game.game_id.hex(),
        "entry": len(game.entries) - 1,
        "options": write_settings(game.rules, game.settings),
        "seat": None if viewer is None else game.seats[viewer],
        "witnessed": game.is_witnessed(),
        "players": [_player(game, seat) for seat in range(len(game.seats))],
        "when": referee.game.when() if referee else None,
        "view": game.rules.view(referee.game, viewer, faces) if referee else None,
        "entries": [_entry(game, number, faces) for number in range(since, _entries_told(game))],
        "asked": asked(game),
        "orders": orders(game),
        "offer": None if game.offer is None else game.seats[game.offer.seat],
        "over": over(game),
    }


def board(game: Ledger, viewer: Seat | None, faces: Mapping[Handle, Card]) -> dict[str, Any]:
    """Board and hand alone, for JSON."""
    view = game.rules.view(game.referee.game, viewer, faces) if game.referee else {}
    return {"board": view.get("board", view), "view": view, "hand": hand(game, viewer, faces)}


def hand(game: Ledger, viewer: Seat | None, faces: Mapping[Handle, Card]) -> list[str] | None:
    """Names of the cards in the viewer's own hand."""
    if viewer is None or game.referee is None or viewer in game.rules.bystanders(game.settings):
        return None
    return sorted(game.rules.cards[faces[handle]] for handle in game.referee.game.hand(viewer) if handle in faces)


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
        asked["what"], asked["prompt"] = "open", write_handle(game.decks, request.handle)
    elif isinstance(request, Seal):
        asked["what"] = "seal" if game.decks[request.deck].owner is not None else "shuffle"
    else:
        asked["what"] = "proof" if referee.witnesses() else "settle"
        asked["roll"] = request.why if isinstance(request, Roll | Pick) else "cards"
    return asked


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
        "proven": game.is_proven(),
        "unproven": [game.seats[seat] for seat in game.unrevealed()],
    }


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


def _entries_told(game: Ledger) -> int:
    """Entries of the file, and one in the making if the position has run ahead of it."""
    last = game.referee.record[-1].entry if game.referee and game.referee.record else 0
    return max(len(game.entries), last + 1)


def _entry(game: Ledger, number: int, faces: Mapping[Handle, Card]) -> dict[str, Any]:
    happened = [h for h in game.referee.record if h.entry == number] if game.referee else []
    lines = [_line(game, line, faces) for line in happened]
    told: dict[str, Any] = {"number": number, "seat": None, "name": None, "date": None, "message": "", "lines": lines}
    told |= {"paid": False, "joined": False, "draw": "", "resigned": False, "revealed": False}
    if number < len(game.entries):
        entry = game.entries[number]
        told |= {"seat": entry.seat, "name": game.seated(game.seat_of(entry)).name, "date": entry.date}
        told["paid"] = not lines and bool({"proof", "shares"} & set(entry.fields))
        told |= {"message": entry.text("message"), "joined": "key" in entry.fields}
        told |= {"draw": entry.text("draw"), "resigned": bool(entry.text("resign")), "revealed": "root" in entry.fields}
    return told


def _line(game: Ledger, happened: Happened, faces: Mapping[Handle, Card]) -> dict[str, Any]:
    facts = happened.facts
    if isinstance(facts, Said):
        text = _told(game, facts, faces)
        return {"kind": "answer", "seat": game.seats[facts.seat], "text": text, "ordered": facts.ordered}
    if isinstance(facts, Chanced):
        return _chance(game, facts, faces)
    if happened.kind == "accepted":
        return {"kind": "accepted", "seat": game.seats[facts]}
    if happened.kind == "ordered":
        return {"kind": "ordered", "seat": game.seats[facts[0]], "text": write_order(game.decks, facts[1])}
    if happened.kind == "opened":
        handle, card = facts
        seat = game.seats[game.referee.owner(handle)] if game.referee else None
        back = write_handle(game.decks, handle)
        return {"kind": "opened", "seat": seat, "back": back, "card": game.rules.cards[card]}
    return _story(game, game.rules.tell(facts), faces)


def _story(game: Ledger, told: dict[str, Any], faces: Mapping[Handle, Card]) -> dict[str, Any]:
    """A line of the story; if it tells of a back, also the card's name as `face`, None if the viewer does not know."""
    back = told.get("card")
    handle = read_handle(game.decks, back) if isinstance(back, str) else None
    if handle is None:
        return told
    return {**told, "face": game.rules.cards[faces[handle]] if handle in faces else None}


def _told(game: Ledger, said: Said, faces: Mapping[Handle, Card]) -> str:
    """An answer in words, hidden cards by name where the viewer knows them and by handle where not."""
    handle, words = said.answer.handle, game.rules.words(said.answer.option)
    if handle is None:
        return words
    if "{}" in words and handle in faces:
        return words.replace("{}", game.rules.cards[faces[handle]])
    return write_answer(game.rules, game.decks, said.answer) if "{}" in words else words


def _chance(game: Ledger, chanced: Chanced, faces: Mapping[Handle, Card]) -> dict[str, Any]:
    request, result = chanced.request, chanced.result or ()
    facts: dict[str, Any] = {"witnesses": [game.seats[seat] for seat in chanced.witnesses], "entry": chanced.entry}
    if isinstance(request, Roll):
        seat = game.seats[request.seat]
        return {"kind": "dice", "seat": seat, "why": request.why, "dice": list(result), **facts}
    known = [game.rules.cards[faces[handle]] for handle in result if handle in faces]
    backs = [write_handle(game.decks, handle) for handle in sorted(result, key=number_of)]
    facts |= {"count": request.number, "cards": sorted(known), "backs": backs}
    if isinstance(request, Pick):
        return {"kind": "pick", "why": request.why, **facts}
    return {"kind": "draw", "seat": game.seats[request.seat], **facts}
