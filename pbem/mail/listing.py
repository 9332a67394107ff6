"""Every game of a home at one look: whose turn it is, since when, what the game waits for, and what was not sent."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from engine.flow import Refusal
from pbem import files
from pbem.errors import PbemError, Usage
from pbem.fileformat.turnfile import MAX_FILE
from pbem.ledger import ledger
from pbem.ledger.ledger import Ledger
from pbem.mail import sent
from pbem.mail.inbox import Inbox, Item, may_join
from pbem.player import open_game
from pbem.player.game_index import game_folders, kept_in, short_name
from pbem.player.home import Home
from pbem.player.identity import Identity
from pbem.player.open_game import Opened
from pbem.report.facts import asked, over, passes_on, to_act
from pbem.report.model import Waiting

_LAYOUT = 6
"""Of the remembered summaries; another number makes them anew."""


def games(home: Home, identity: Identity, damaged: list[Item] | None = None) -> list[dict[str, Any]]:
    """Every game of the home, those first that wait for its player. What cannot be read goes to `damaged`."""
    found: list[Item] = []
    told = [facts for path in game_folders(home) if (facts := _told(path, identity, found)) is not None]
    if damaged is not None:
        damaged += found
    return sorted(told, key=_rank)


def _rank(facts: dict[str, Any]) -> tuple[bool, bool, bool, str]:
    """Games that wait for the player first, what others invite to after all of his own."""
    return facts["over"] is not None, facts["seat"] is None, not facts["yours"], facts["since"]


def _told(folder: Path, identity: Identity, damaged: list[Item]) -> dict[str, Any] | None:
    """What there is to know of a game, remembered beside it: replaying a long one takes a moment."""
    kept = kept_in(folder)
    damaged += [Item(files.shown(one.path), "damaged", one.what) for one in kept.damages]
    if (shelf := kept.shelf) is None:
        return None
    of = [_LAYOUT, identity.public.hex()[:16], hashlib.sha256(shelf.file.data).hexdigest()]
    facts = _remembered(folder / "summary.json", of)
    if facts is None:
        try:
            game = ledger.replay(shelf.file)
            facts = summary(game, identity.public)
            own = decision(Opened(shelf.file, game, game.seat_with(identity.public), identity=identity))
            facts["owed"] = own or facts["owed"]
        except PbemError as error:
            damaged.append(Item(files.shown(shelf.path), "damaged", f"{error}; restore it from your copy"))
            return None
        text = json.dumps(facts)
        try:
            files.replace(folder / "summary.json", json.dumps({"of": of, "sum": _sum(text), "facts": text}).encode())
        except Usage:
            what = "cannot be written anew, which only makes the list slow; make room, or remove it"
            damaged.append(Item(files.shown(folder / "summary.json"), "damaged", what))
    forked = [str(path) for path in shelf.rivals]
    unsent = facts.pop("written_here") and not sent.is_sent(folder, shelf.file.data)
    both = [str(shelf.path), *forked] if forked else []
    return {**facts, "file": str(shelf.path), "forked": both, "not_sent": unsent}


def _remembered(path: Path, of: list[Any]) -> dict[str, Any] | None:
    """The facts that were written for this very file; None if they are of another one or damaged."""
    try:
        stored = json.loads(files.read_bytes(path, MAX_FILE))
        if stored["of"] != of or stored["sum"] != _sum(stored["facts"]):
            return None
        facts: dict[str, Any] = json.loads(stored["facts"])
    except (Usage, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    return facts


def _sum(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def summary(game: Ledger, key: bytes) -> dict[str, Any]:
    """A game in a few facts, for the player with this key."""
    seat = game.seat_with(key)
    question = asked(game)
    turn = game.to_act()
    invited = seat is None and may_join(game, key)
    ending = over(game)
    keyed = [(number, game.players[number]) for number in game.keyed()]
    return {
        "short": short_name(game),
        "game": game.rules.name,
        "title": game.rules.title,
        "game_id": game.game_id.hex(),
        "seat": None if seat is None else game.seats[seat],
        "opponents": [{"seat": game.seats[n], "name": p.name} for n, p in keyed if p is not None and n != seat],
        "free": [game.seats[number] for number in sorted(game.free_seats())],
        "when": game.referee.game.when() if game.referee else "players are joining",
        "entry": len(game.entries) - 1,
        "to_act": to_act(game),
        "to_act_name": question.name if question else None,
        "passes_on": _passes_on(game),
        "written_here": seat is not None and game.is_witnessed() and game.seat_of(game.entries[-1]) == seat,
        "yours": invited or (turn is not None and turn == seat),
        "since": game.entries[-1].date,
        "owed": owed(question),
        "offer": None if game.offer is None else game.seats[game.offer.seat],
        "over": None if ending is None else {**asdict(ending)},
    }


def _passes_on(game: Ledger) -> dict[str, str] | None:
    """Who is to give the file to the next player, while somebody is to join: who invited knows whom."""
    passer = passes_on(game)
    return None if passer is None else {"seat": game.seats[passer], "name": game.seated(passer).name}


def decision(opened: Opened) -> str:
    """What the player is asked himself, once his entry has paid what it owes; nothing where that is told to everybody.
    The game has run on after this."""
    game = opened.ledger
    if game.is_over() or (game.offer is not None and game.offer.alone):
        return ""
    try:
        draft = opened.draft()
    except (PbemError, Refusal):  # pbem show tells what is wrong; here the public words have to do
        return ""
    if draft is None or game.referee is None:
        return ""
    ask = open_game.asked(draft)
    return game.rules.prompt(game.referee.game, ask) if ask else "nothing to decide, pbem play writes what you owe"


def owed(question: Waiting | None) -> str:
    """What the game waits for, in words."""
    if question is None:
        return "nothing"
    prompt, roll = question.prompt, question.roll
    words = {
        "join": f"somebody to join as {question.seat}",
        "root": "the root that proves what was hidden",
        "draw": "an answer to the draw that is offered",
        "answer": prompt,
        "open": f"the opening of {prompt}",
        "seal": "the seals of a new pile",
        "share": f"the shares with which {prompt} reads cards",
        "settle": f"the next entry, which settles: {roll}",
        "proof": f"a proof: {roll}",
    }
    return str(words[question.what])


def facts(inbox: Inbox) -> dict[str, Any]:
    """All that `pbem inbox` tells."""
    return {"games": games(inbox.home, inbox.identity, inbox.items), "files": [asdict(item) for item in inbox.items]}
