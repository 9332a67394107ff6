"""The requests of the rules in a verified game, as rows in the order in which they came: rolls,
cards and positions."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from engine.cards import write_handle
from engine.flow import Answer, Ask, Card, Draw, Handle, Open, Pick, Request, Roll, Seat
from pbem.ledger.events import Chanced, Said
from pbem.ledger.file_entry import write_answer
from pbem.ledger.ledger import Ledger
from pbem.ledger.referee import Referee
from pbem.library import position
from pbem.library.rows import CardRow, Known, PositionRow, RollRow


def listed(texts: Sequence[object]) -> str:
    """A list as JSON text."""
    return json.dumps(texts, ensure_ascii=False, separators=(",", ":")) if texts else "[]"


class _Event(NamedTuple):
    """A request of the rules as it was answered, and the entry that answered it."""

    request: Request
    value: Any
    entry: int


def _events(referee: Referee) -> Iterator[_Event]:
    for happened in referee.trace.happened:
        if happened.kind == "answered":
            yield _Event(happened.facts.request, happened.facts.value, happened.entry)


class EventRows:
    """The rolls, cards and positions of a game, gathered in the order in which they came."""

    def __init__(self, game: Ledger, seen: Sequence[tuple[bytes, str]]) -> None:
        self.rolls: list[RollRow] = []
        self.cards: list[CardRow] = []
        self.positions: list[PositionRow] = []
        self._game = game
        self._seen = seen
        self._line = position.start(game.rules.name)
        self._public = game.public_faces()

    def go_through(self) -> None:
        """Gather everything; nothing before the last seat was taken."""
        if self._game.playing is None:
            return
        referee = self._game.playing.referee
        chanced = iter(referee.chanced)
        for event in _events(referee):
            match event.request:
                case Ask(sealed=False):
                    self._answered(event, event.value)
                case Roll():
                    self._rolled(event, next(chanced))
                case Pick(handles=handles):
                    next(chanced)
                    self._took(event, referee.turn.owner(handles[0]), "taken")
                case Draw(seat=seat):
                    if not referee.turn.is_common(event.request):
                        next(chanced)
                    self._took(event, seat, "drawn")
                case Open(handle=handle):
                    self._card(event.entry, referee.turn.owner(handle), handle, "opened")

    def _answered(self, event: _Event, said: Said) -> None:
        game, answer = self._game, said.answer
        digest, question = self._seen[len(self.positions)]
        move = position.move_of(game.rules, answer)
        card = self._known(answer.handle)[0] if answer.handle is not None else None
        self.positions.append(
            PositionRow(
                number=len(self.positions),
                entry=event.entry,
                seat=game.seats[said.seat],
                position=digest,
                line=self._line,
                question=question,
                answer=self._written(answer),
                move=move,
                card=game.rules.cards[card] if card is not None else None,
                ordered=int(said.ordered),
            )
        )
        self._line = position.further(self._line, move)
        if answer.handle is not None:
            self._card(event.entry, said.seat, answer.handle, str(answer.option[0]))

    def _written(self, answer: Answer) -> str:
        return write_answer(self._game.rules, self._game.decks, answer)

    def _rolled(self, event: _Event, chanced: Chanced) -> None:
        request, seats = event.request, self._game.seats
        assert isinstance(request, Roll)
        dice: tuple[int, ...] = event.value
        self.rolls.append(
            RollRow(
                number=len(self.rolls),
                entry=chanced.entry,
                settled=event.entry,
                period=chanced.when,
                seat=seats[request.seat],
                kind=request.why.partition(":")[0],
                reason=request.why,
                sides=request.sides,
                hits=listed(request.hits),
                dice=listed(dice),
                thrown=len(dice),
                got=sum(die in request.hits for die in dice) if request.hits else None,
                witnesses=listed([seats[seat] for seat in chanced.witnesses]),
            )
        )

    def _took(self, event: _Event, seat: Seat, done: str) -> None:
        for handle in event.value:
            self._card(event.entry, seat, handle, done)

    def _card(self, entry: int, seat: Seat, handle: Handle, done: str) -> None:
        card, known = self._known(handle)
        self.cards.append(
            CardRow(
                number=len(self.cards),
                entry=entry,
                seat=self._game.seats[seat],
                back=write_handle(self._game.decks, handle),
                card=self._game.rules.cards[card] if card is not None else None,
                known=known,
                done=done,
            )
        )

    def _known(self, handle: Handle) -> tuple[Card | None, Known]:
        """The card behind a back, if everybody can know it, and how."""
        referee = self._game.begun().referee
        if handle in self._public:
            return self._public[handle], "opened"
        card = referee.opened.revealed.get(handle)
        if card is None and referee.common is not None and referee.common.has(handle):
            card = referee.common.readable(handle)
        return card, "hidden" if card is None else "root"
