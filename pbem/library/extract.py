"""The rows of a verified game, read from what its ledger kept: nothing is replayed a second time."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from engine.cards import write_handle
from engine.flow import Answer, Ask, Card, Draw, Handle, Open, Outcome, Pick, Request, Roll, Seat
from pbem.fileformat.turnfile import Entry
from pbem.games import registry
from pbem.ledger.clock import DAY, seconds
from pbem.ledger.events import Chanced, Said
from pbem.ledger.file_entry import write_answer
from pbem.ledger.interpreter import Referee
from pbem.ledger.ledger import Ledger
from pbem.library import position
from pbem.library.rows import (
    CardRow,
    Ended,
    EntryRow,
    GameRow,
    GameRows,
    Known,
    PlayerRow,
    PositionRow,
    Result,
    Role,
    RollRow,
)


class Onlooker:
    """Notes the position before each answer while a file is verified."""

    def __init__(self) -> None:
        self.seen: list[tuple[bytes, str]] = []
        """The digest of each position, and the question."""

    def __call__(self, referee: Referee, ask: Ask) -> None:
        self.seen.append((position.digest_of(referee, ask), ask.rule))


def rows_of(game: Ledger, seen: Sequence[tuple[bytes, str]]) -> GameRows:
    """All rows of a game; `seen` is what an `Onlooker` saw of it."""
    told = _Told(game, seen)
    told.go_through()
    return GameRows(
        _game(game, len(told.positions)),
        [_player(game, seat) for seat in range(len(game.seats))],
        list(_entries(game.entries)),
        told.rolls,
        told.cards,
        told.positions,
    )


def listed(texts: Sequence[object]) -> str:
    """A list as JSON text."""
    return json.dumps(texts, ensure_ascii=False, separators=(",", ":")) if texts else "[]"


def _game(game: Ledger, decisions: int) -> GameRow:
    first, last, outcome = game.entries[0], game.entries[-1], game.outcome
    return GameRow(
        game_id=game.game_id.hex(),
        sha256=last.after.hex(),
        game=game.rules.name,
        rules=game.rules.version,
        package=str(registry.distribution(game.rules.name)),
        options=listed(first.list("options")),
        seats=listed(game.seats),
        began=first.date,
        last=last.date,
        days=_days(first, last),
        entries=len(game.entries),
        decisions=decisions,
        periods=game.referee.game.period() if game.referee else 0,
        witnessed=int(game.invitation.is_witnessed()),
        over=int(outcome is not None),
        proven=int(game.is_proven()),
        ended=_ended(game),
        how=outcome.how if outcome else None,
        winners=listed([game.seats[seat] for seat in outcome.winners] if outcome else ()),
    )


def _ended(game: Ledger) -> Ended | None:
    """In which way a game ended (docs/format.md, section 8)."""
    if game.outcome is None or game.referee is None:
        return None
    if game.outcome is game.referee.outcome:
        return "rules"
    if not game.outcome.winners:
        return "draw"
    return "left" if game.referee.randomness.left else "resignation"


def _player(game: Ledger, seat: Seat) -> PlayerRow:
    rules, settings, player = game.rules, game.settings, game.players[seat]
    role: Role = "player"
    if seat in rules.bystanders(settings):
        role = "witness"
    elif seat in rules.played_by_rules(settings):
        role = "rules"
    outcome = game.outcome
    return PlayerRow(
        number=seat,
        seat=game.seats[seat],
        side=rules.side(settings, seat),
        role=role,
        key=player.key.hex() if player else None,
        name=player.name if player else None,
        result=None if role == "witness" else _result(outcome, seat),
        points=outcome.points[seat] if outcome and seat < len(outcome.points) else None,
        has_left=int(game.referee is not None and seat in game.referee.randomness.left),
    )


def _result(outcome: Outcome | None, seat: Seat) -> Result:
    if outcome is None:
        return "open"
    if not outcome.winners:
        return "drew"
    return "won" if seat in outcome.winners else "lost"


def _entries(entries: Sequence[Entry]) -> Iterator[EntryRow]:
    passed: list[float | None] = [None, *(_days(before, entry) for before, entry in pairwise(entries))]
    for entry, days in zip(entries, passed, strict=True):
        yield EntryRow(
            number=entry.number,
            seat=entry.seat,
            date=entry.date,
            days=days,
            answers=listed(entry.list("answers")),
            orders=listed(entry.list("orders")),
            draw=entry.text("draw") or None,
            resigned=int("resign" in entry.fields),
            prefix=entry.after,
        )


def _days(before: Entry, after: Entry) -> float:
    return round((seconds(after.date) - seconds(before.date)) / DAY, 5)


class _Event(NamedTuple):
    """A request of the rules as it was answered, and the entry that answered it."""

    request: Request
    value: Any
    entry: int


def _events(referee: Referee) -> Iterator[_Event]:
    request: Request | None = None
    for happened in referee.asked:
        if happened.kind == "asked":
            request = happened.facts.request
        elif happened.kind == "answered" and request is not None:
            yield _Event(request, happened.facts, happened.entry)


class _Told:
    """The rolls, cards and positions of a game, gathered in the order in which they came."""

    def __init__(self, game: Ledger, seen: Sequence[tuple[bytes, str]]) -> None:
        self.rolls: list[RollRow] = []
        self.cards: list[CardRow] = []
        self.positions: list[PositionRow] = []
        self._game = game
        self._seen = seen
        self._line = position.start(game.rules.name)
        self._public = game.referee.faces() if game.referee else {}

    def go_through(self) -> None:
        """Gather everything; nothing before the last seat was taken."""
        referee = self._game.referee
        if referee is None:
            return
        said = iter([h.facts for h in referee.record if isinstance(h.facts, Said)])
        chanced = iter(referee.chanced)
        for event in _events(referee):
            match event.request:
                case Ask():
                    self._answered(event, next(said))
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
