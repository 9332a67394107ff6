"""The trace of a game: what its rules asked of the entries, for a verifier that has no rules (docs/format.md, 18)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

from engine.cards import Deck, deck_of, number_of, write_handle
from engine.flow import Answer, Ask, Draw, Handle, Open, Pick, Request, Roll, Seal
from pbem import FORMAT
from pbem.errors import Invalid, PbemError
from pbem.fileformat import turnfile
from pbem.fileformat.entries import TurnFile
from pbem.games import registry
from pbem.games.registry import players_of
from pbem.ledger import gate
from pbem.ledger.events import Asked, Happened, Said
from pbem.ledger.file_entry import write_answer
from pbem.ledger.invitation import read_game
from pbem.ledger.ledger import Ledger
from pbem.ledger.verifier import Verifier

Step: TypeAlias = dict[str, Any]
"""One step of a trace as it stands in its JSON."""


class Traced(NamedTuple):
    """A trace, the game as far as it holds, and the first thing that is wrong with its file if anything is."""

    trace: Step
    game: Ledger
    failure: PbemError | None


def trace(data: bytes, verifier: Verifier | None = None, watch: Callable[[Ledger], object] | None = None) -> Traced:
    """The trace of a turn file, up to its end or to the entry that does not verify; that one as far as it goes.
    `verifier` may know signatures and proofs that hold; without one everything is checked. `watch` sees the game after
    each entry that holds."""
    game, boards = Ledger(verifier), []
    failure: PbemError | None = None
    file: TurnFile | None = None
    try:
        file = turnfile.read(data)
        for entry in file.entries:
            try:
                gate.admit(game, entry)
            finally:
                boards.append("" if game.playing is None else game.playing.referee.game.position())
            if watch is not None:
                watch(game)
    except PbemError as error:
        failure = error
    made = {"format": f"{FORMAT} trace", **_game(file), "entries": _entries(game, boards)}
    if failure is not None and failure.layer == "rules" and boards:
        made["entries"][-1].setdefault("steps", []).append({"refused": failure.what})
    return Traced(made, game, failure)


def write(made: Step) -> str:
    """A trace as it stands in a file: JSON, an entry a line."""
    head = {key: value for key, value in made.items() if key != "entries"}
    lines = ",\n".join(_json(entry) for entry in made["entries"])
    return f'{_json(head)[:-1]},"entries":[\n{lines}\n]}}\n'


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _game(file: TurnFile | None) -> Step:
    """What the rules say of the game before it begins; nothing if entry 0 names none."""
    if file is None:
        return {}
    try:
        rules, settings = read_game(file.entries[0], "entry 0")
    except Invalid:
        return {}
    names, keyed, players = rules.seats(settings), registry.keyed_seats(rules, settings), players_of(rules, settings)
    seats = [
        {
            "name": name,
            "keyed": seat in keyed,
            "plays": seat in players,
            "side": rules.side(settings, seat),
            "shown": [names[other] for other in registry.partners(rules, settings, seat)],
        }
        for seat, name in enumerate(names)
    ]
    decks = [
        {
            "letter": deck.letter,
            "owner": None if deck.owner is None else names[deck.owner],
            "cards": [rules.cards[card] for card in deck.contents],
        }
        for deck in rules.decks(settings)
    ]
    named = {"game": rules.name, "rules": rules.version, "dice": rules.dice}
    return {**named, "seats": seats, "decks": decks, "cards": list(rules.cards)}


def _entries(game: Ledger, boards: Sequence[str]) -> list[Step]:
    """The steps of each entry, and the board at its end."""
    made: list[Step] = [{} if not board else {"board": board} for board in boards]
    if game.playing is None:
        return made
    referee = game.playing.referee
    steps: list[list[Step]] = [[] for _ in boards]
    begun = next(number for number, board in enumerate(boards) if board)
    said = iter([h.facts for h in referee.record if isinstance(h.facts, Said)])
    request: Request | None = None
    for happened in referee.asked:
        if happened.kind == "asked":
            request = happened.facts.request
        step = _step(game, happened, request, said)
        steps[max(happened.entry, begun)].append(step)  # the first is asked before the last join is told
    return [{"steps": ours, **entry} if ours else entry for ours, entry in zip(steps, made, strict=True)]


def _step(game: Ledger, happened: Happened, request: Request | None, said: Iterator[Said]) -> Step:
    facts = happened.facts
    match happened.kind:
        case "asked":
            return _asked(game, facts)
        case "orders":
            return {"orders": True}
        case "early":
            return {"early": backs(game.decks, facts.handles), "from": backs(game.decks, facts.sources)}
        case "over":
            return {"over": [game.seats[seat] for seat in facts.winners], "how": facts.how}
        case _:
            return _answered(game, request, facts, said)


def _asked(game: Ledger, asked: Asked) -> Step:
    decks, request = game.decks, asked.request
    flags = {"out": asked.played_out, "pause": asked.may_pause}
    more: Step = {name: True for name, is_on in flags.items() if is_on}
    match request:
        case Ask(seat=seat):
            hand = {"hand": backs(decks, asked.hand)} if asked.hand else {}
            return {"ask": game.seats[seat], **hand, **more}
        case Roll(seat=seat, number=number, sides=sides):
            return {"roll": number, "sides": sides, "for": game.seats[seat], **more}
        case Pick(handles=handles, number=number):
            return {"pick": number, "from": backs(decks, handles), **more}
        case Draw(seat=seat, pile=pile, number=number):
            # Of a common deck the next cards are drawn: the others of its pile settle nothing.
            common = decks[deck_of(pile[0])].owner is None
            cards = pile[:number] if common else pile
            return {"draw": number, "from": backs(decks, cards), "for": game.seats[seat], **more}
        case Open(handle=handle):
            return {"open": write_handle(decks, handle), **more}
        case Seal(handles=handles, sources=sources):
            return {"seal": backs(decks, handles), "from": backs(decks, sources), **more}


def _answered(game: Ledger, request: Request | None, value: Any, said: Iterator[Said]) -> Step:
    match request:
        case Ask():
            one = next(said)
            return {"obeyed" if one.ordered else "said": answer_of(game, one.answer)}
        case Roll():
            return {"rolled": list(value)}
        case Pick() | Draw():
            return {"taken": [write_handle(game.decks, handle) for handle in value]}
        case Open():
            return {"opened": game.rules.cards[value]}
        case _:
            return {"sealed": True}


def answer_of(game: Ledger, answer: Answer) -> str:
    """An answer as a file holds it."""
    return write_answer(game.rules, game.decks, answer)


def backs(decks: Sequence[Deck], handles: Sequence[Handle]) -> str:
    """Handles with blanks between, those that follow each other as `a3-9`."""
    runs: list[list[Handle]] = []
    for handle in handles:
        if runs and handle == runs[-1][-1] + 1 and deck_of(handle) == deck_of(runs[-1][-1]):
            runs[-1].append(handle)
        else:
            runs.append([handle])
    return " ".join(write_handle(decks, run[0]) + (f"-{number_of(run[-1])}" if len(run) > 1 else "") for run in runs)
