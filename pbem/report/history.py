"""What happened, entry by entry, as it is told to somebody: plain facts for templates and for JSON.

It keeps no secret that its viewer does not know: names of hidden cards come from `faces`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.cards import number_of, read_handle, write_handle
from engine.flow import Card, Handle, Pick, Roll
from pbem.crypto.group import SIZE
from pbem.fileformat.encoding import unb64
from pbem.fileformat.turnfile import Entry
from pbem.ledger.events import Chanced, Happened, Said
from pbem.ledger.file_entry import write_answer, write_order
from pbem.ledger.ledger import Ledger


def entries(game: Ledger, since: int, faces: Mapping[Handle, Card]) -> list[dict[str, Any]]:
    """The entries from number `since` on, each with what it brought. `faces` are the cards that the viewer knows."""
    return [_entry(game, number, faces) for number in range(since, _entries_told(game))]


def _entries_told(game: Ledger) -> int:
    """Entries of the file, and one in the making if the position has run ahead of it."""
    last = game.referee.record[-1].entry if game.referee and game.referee.record else 0
    return max(len(game.entries), last + 1)


def _entry(game: Ledger, number: int, faces: Mapping[Handle, Card]) -> dict[str, Any]:
    happened = [h for h in game.referee.record if h.entry == number] if game.referee else []
    lines = [_line(game, line, faces) for line in happened]
    told: dict[str, Any] = {"number": number, "seat": None, "name": None, "date": None, "message": "", "lines": lines}
    told |= {"joined": False, "draw": "", "resigned": False, "revealed": False}
    told |= {"shuffled": None, "shares": 0}
    if number < len(game.entries):
        entry = game.entries[number]
        told |= {"seat": entry.seat, "name": game.seated(game.seat_of(entry)).name, "date": entry.date}
        told |= _deck_work(game, entry)
        told |= {"message": entry.text("message"), "joined": "key" in entry.fields}
        told |= {"draw": entry.text("draw"), "resigned": bool(entry.text("resign")), "revealed": "root" in entry.fields}
    return told


def _deck_work(game: Ledger, entry: Entry) -> dict[str, Any]:
    """What an entry did for the common deck: which shuffle of how many it brought, and how many shares if that is what
    it was for (in a turn with answers they go without saying)."""
    done: dict[str, Any] = {"shuffled": None, "shares": 0}
    if "pile" in entry.fields:
        nth = sum("pile" in earlier.fields for earlier in game.entries[: entry.number + 1])
        done["shuffled"] = {"number": nth, "of": len(game.seats)}
    if "shares" in entry.fields and "answers" not in entry.fields:
        from pbem.crypto.decryption_shares import PROOF_SIZE  # only games with such a deck need it

        done["shares"] = (len(unb64(entry.text("shares"))) - PROOF_SIZE) // SIZE
    return done


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
