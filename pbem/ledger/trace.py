"""The trace: what the rules asked of the entries and how that was answered, for a verifier that has
no rules.

docs/format.md, section 18. In a game whose entry 0 says so every position digest covers the steps
of its entry, so that a false trace contradicts the signatures of the players. The whole trace of a
file is `pbem.ledger.trace_file`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, TypeAlias

from engine.cards import Deck, deck_of, number_of, write_handle
from engine.flow import Ask, Draw, Handle, Open, Pick, Reveal, Roll, Seal
from engine.rules import Rules, Settings
from pbem import FORMAT
from pbem.fileformat.encoding import tagged_hash
from pbem.games import registry
from pbem.ledger.events import Event, Reply, RequestContext
from pbem.ledger.file_entry import write_answer

Step: TypeAlias = dict[str, Any]
"""One step of a trace, or another object of its JSON."""
_JSON = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))
UNSIGNED = "how"
"""What stands in a step and is not signed: words, which may be put better one day."""


class Trace:
    """What the rules of one game asked, in that order; `events` is all of it, with the entry
    during which it was.

    The rules begin with entry `begun`, that of the last join. `head` is what `head_digest` gives,
    or nothing in a game whose entries do not sign their trace."""

    def __init__(
        self, rules: Rules, decks: Sequence[Deck], seats: Sequence[str], begun: int, head: bytes
    ) -> None:
        self.events: list[Event] = []
        self._rules = rules
        self._decks = decks
        self._seats = seats
        self._head = head
        self._entry = begun
        self._first = 0

    def enter(self, number: int) -> None:
        """What is added from now on happens during this entry."""
        if number != self._entry:
            self._entry = number
            self._first = len(self.events)

    def add(self, kind: str, facts: Any = None) -> None:
        """One thing more that happened: `asked`, `answered`, `orders`, `early` `chosen` or
        `over`."""
        self.events.append(Event(self._entry, kind, facts))

    def take_back(self) -> None:
        """The newest thing did not happen."""
        del self.events[-1]

    def step(self, event: Event) -> Step:
        """One thing that happened, as it stands in a trace."""
        facts = event.facts
        match event.kind:
            case "asked":
                return self._request_step(facts)
            case "answered":
                return self._reply_step(facts)
            case "early":
                return {
                    "early": backs(self._decks, facts.handles),
                    "from": backs(self._decks, facts.sources),
                }
            case "chosen":
                return {"chosen": f"{facts.label} {facts.words}"}
            case "over":
                return {"over": [self._seats[seat] for seat in facts.winners], UNSIGNED: facts.how}
            case _:
                return {event.kind: True}

    def digest_parts(self) -> tuple[bytes, ...]:
        """What the digest of the position after the present entry covers of it."""
        steps = [self.step(one) for one in self.events[self._first :]] if self._head else []
        return digest_parts(self._head, steps)

    def _request_step(self, context: RequestContext) -> Step:
        decks, request = self._decks, context.request
        flags = {"out": context.played_out, "pause": context.may_pause}
        more: Step = {name: True for name, is_on in flags.items() if is_on}
        if isinstance(request, Roll | Pick) and request.reason in self._rules.reasons:
            more["why"] = request.reason
        match request:
            case Ask(seat=seat):
                hand = {"hand": backs(decks, context.hand)} if context.hand else {}
                secret = {"secret": list(context.secret)} if request.sealed else {}
                return {"ask": self._seats[seat], **secret, **hand, **more}
            case Roll(seat=seat, number=number, sides=sides):
                return {"roll": number, "sides": sides, "for": self._seats[seat], **more}
            case Pick(handles=handles, number=number):
                return {"pick": number, "from": backs(decks, handles), **more}
            case Draw(seat=seat, pile=pile, number=number):
                # Of a common deck the next cards are drawn: the others of its pile settle nothing.
                common = decks[deck_of(pile[0])].owner is None
                cards = pile[:number] if common else pile
                return {
                    "draw": number,
                    "from": backs(decks, cards),
                    "for": self._seats[seat],
                    **more,
                }
            case Open(handle=handle):
                return {"open": write_handle(decks, handle), **more}
            case Seal(handles=handles, sources=sources):
                return {"seal": backs(decks, handles), "from": backs(decks, sources), **more}
            case Reveal():
                return {"reveal": list(context.labels), **more}

    def _reply_step(self, reply: Reply) -> Step:
        value = reply.value
        match reply.request:
            case Ask(sealed=True):
                return {"concealed": True}
            case Ask():
                words = write_answer(self._decks, value.words, value.answer.handle)
                return {"obeyed" if value.by_order else "said": words}
            case Roll():
                return {"rolled": list(value)}
            case Pick() | Draw():
                return {"taken": [write_handle(self._decks, handle) for handle in value]}
            case Open():
                return {"opened": self._rules.cards[value]}
            case Reveal():
                return {"revealed": list(value.words)}
            case _:
                return {"sealed": True}


def head(rules: Rules, settings: Settings) -> Step:
    """A trace without its entries: what the rules say of the game before it begins."""
    names, keyed = rules.seats(settings), registry.keyed_seats(rules, settings)
    players = registry.players_of(rules, settings)
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
    named = {
        "format": f"{FORMAT} trace",
        "game": rules.name,
        "rules": rules.version,
        "dice": rules.dice,
    }
    if rules.seals_choices(settings):
        named["choices"] = True
    return {**named, "seats": seats, "decks": decks, "cards": list(rules.cards)}


def head_digest(rules: Rules, settings: Settings) -> bytes:
    """What stands for the head in every digest of a game."""
    return tagged_hash(f"{FORMAT} trace head", canonical(head(rules, settings)))


def digest_parts(head: bytes, steps: Sequence[Step]) -> tuple[bytes, ...]:
    """The part of a position's digest that covers the trace: that of an entry with these steps. No
    part without a head."""
    if not head:
        return ()
    kept = [
        {key: step[key] for key in step if key != UNSIGNED} if UNSIGNED in step else step
        for step in steps
    ]
    return (tagged_hash(f"{FORMAT} trace", head, canonical(kept)),)


def canonical(value: Any) -> bytes:
    """JSON in its one spelling (RFC 8785), of what a trace holds: no number in it but integers, and
    names in ASCII."""
    return _JSON.encode(value).encode()


def backs(decks: Sequence[Deck], handles: Sequence[Handle]) -> str:
    """Handles with blanks between, those that follow each other as `a3-9`."""
    runs: list[list[Handle]] = []
    for handle in handles:
        if runs and handle == runs[-1][-1] + 1 and deck_of(handle) == deck_of(runs[-1][-1]):
            runs[-1].append(handle)
        else:
            runs.append([handle])
    return " ".join(
        write_handle(decks, run[0]) + (f"-{number_of(run[-1])}" if len(run) > 1 else "")
        for run in runs
    )
