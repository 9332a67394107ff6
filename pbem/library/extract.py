"""The rows of a verified game for the library, read from what its ledger kept; nothing is replayed
a second time.

`EventRows` goes through the requests of the rules in their order and makes rows of rolls, cards and
positions. Positions, and lines of answers from the start, are kept as short digests by which games
are compared (docs/library.md).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

from engine.cards import Deck, write_handle
from engine.flow import Ask, Card, Draw, Handle, Open, Outcome, Pick, Request, Roll, Seat
from pbem.fileformat.encoding import framed
from pbem.fileformat.turnfile import Entry
from pbem.games import registry
from pbem.games.descriptor import FOREIGN
from pbem.ledger.clock import DAY, seconds
from pbem.ledger.events import ChanceUse, GivenAnswer, Reply
from pbem.ledger.file_entry import write_answer
from pbem.ledger.ledger import Ledger
from pbem.ledger.referee import Referee
from pbem.library.schema import (
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
    TallyRow,
)

SIZE = 16
"""Bytes of a digest."""
HIDDEN = "…"
"""Stands in a move for a card that stays hidden."""


def digest_of(referee: Referee, ask: Ask) -> bytes:
    """The digest of the position as everybody sees it, with the question. It is the same for two
    positions that differ only in the numbers on the backs of cards."""
    return _digest(b"position", referee.rules.name, _public_view(referee), f"{ask.seat} {ask.rule}")


def _public_view(referee: Referee) -> str:
    """The public view as canonical JSON without the numbers on the backs of cards. If the view of a
    plug-in's game cannot be written so, the line that it makes for digests."""
    try:
        view = referee.game.view(None, referee.faces())
        text = json.dumps(
            view, ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=str
        )
    except FOREIGN:
        return referee.game.position()
    return _backs(referee.decks).sub('"?"', text)


@lru_cache(maxsize=16)
def _backs(decks: Sequence[Deck]) -> re.Pattern[str]:
    """A pattern for every back of these decks, as it stands in JSON."""
    letters = "".join(sorted({deck.letter for deck in decks}))
    return re.compile(f'"[{letters}][1-9][0-9]{{0,2}}"') if letters else re.compile(r"(?!)")


def now(game: Ledger) -> bytes | None:
    """The digest of the position at the end of a game, by which `positions` is searched; None where
    nobody is asked anything."""
    playing = game.playing
    if playing is None or playing.is_over() or not isinstance(playing.referee.turn.request, Ask):
        return None
    return digest_of(playing.referee, playing.referee.turn.request)


def start(game: str) -> bytes:
    """The digest of the line of a game before its first answer."""
    return _digest(b"line", game)


def further(line: bytes, move: str) -> bytes:
    """The digest of a line after one more answer."""
    return hashlib.sha256(line + move.encode()).digest()[:SIZE]


def line_of(game: str, moves: Sequence[str]) -> bytes:
    """The digest of the line of a game after these answers."""
    line = start(game)
    for move in moves:
        line = further(line, move)
    return line


def move_of(words: str) -> str:
    """The words of an answer without the backs of cards, so that they read the same in every
    game."""
    return words.replace("{}", HIDDEN)


def _digest(*parts: bytes | str) -> bytes:
    pieces = [
        part.encode(errors="surrogatepass") if isinstance(part, str) else part for part in parts
    ]
    return hashlib.sha256(framed(b"pbem library", *pieces)).digest()[:SIZE]


def json_list(texts: Sequence[object]) -> str:
    """A list as JSON text."""
    return json.dumps(texts, ensure_ascii=False, separators=(",", ":")) if texts else "[]"


class _Event(NamedTuple):
    """A request of the rules as it was answered, and the entry that answered it."""

    request: Request
    value: Any
    entry: int


def _events(referee: Referee) -> Iterator[_Event]:
    for step in referee.trace.events:
        if step.kind == "answered":
            yield _Event(step.facts.request, step.facts.value, step.entry)


class EventRows:
    """Gathers the rolls, cards and positions of a game in the order in which they came. `seen` is
    what an `Onlooker` noted of the game."""

    def __init__(self, game: Ledger, seen: Sequence[tuple[bytes, str]]) -> None:
        self.rolls: list[RollRow] = []
        self.cards: list[CardRow] = []
        self.positions: list[PositionRow] = []
        self._game = game
        self._seen = seen
        self._line = start(game.rules.name)
        self._public = game.public_faces()

    def go_through(self) -> None:
        """Gather everything; there is nothing before the last seat is taken."""
        if self._game.playing is None:
            return
        referee = self._game.playing.referee
        chanced = iter(referee.chance_uses)
        for event in _events(referee):
            match event.request:
                case Ask(sealed=False):
                    self._add_position(event, event.value)
                case Roll():
                    self._add_roll(event, next(chanced))
                case Pick(handles=handles):
                    next(chanced)
                    self._add_cards(event, referee.turn.owner(handles[0]), "taken")
                case Draw(seat=seat):
                    if not referee.turn.is_common(event.request):
                        next(chanced)
                    self._add_cards(event, seat, "drawn")
                case Open(handle=handle):
                    self._add_card(event.entry, referee.turn.owner(handle), handle, "opened")

    def _add_position(self, event: _Event, said: GivenAnswer) -> None:
        """Add a position with the answer that was given there."""
        game, answer = self._game, said.answer
        digest, question = self._seen[len(self.positions)]
        move = move_of(said.words)
        card = self._known(answer.handle)[0] if answer.handle is not None else None
        self.positions.append(
            PositionRow(
                number=len(self.positions),
                entry=event.entry,
                seat=game.seats[said.seat],
                position=digest,
                line=self._line,
                question=question,
                answer=write_answer(game.decks, said.words, answer.handle),
                move=move,
                card=game.rules.cards[card] if card is not None else None,
                ordered=int(said.by_order),
            )
        )
        self._line = further(self._line, move)
        if answer.handle is not None:
            self._add_card(event.entry, said.seat, answer.handle, str(answer.option[0]))

    def _add_roll(self, event: _Event, chanced: ChanceUse) -> None:
        """Add the dice of one roll."""
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
                hits=json_list(request.hits),
                dice=json_list(dice),
                thrown=len(dice),
                got=sum(die in request.hits for die in dice) if request.hits else None,
                witnesses=json_list([seats[seat] for seat in chanced.witnesses]),
            )
        )

    def _add_cards(self, event: _Event, seat: Seat, done: str) -> None:
        """Add several cards to which the same was done."""
        for handle in event.value:
            self._add_card(event.entry, seat, handle, done)

    def _add_card(self, entry: int, seat: Seat, handle: Handle, done: str) -> None:
        """Add one card and what was done with it."""
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
        """The card behind a back and how it is known; None and "hidden" if not everybody can know
        it."""
        referee = self._game.begun().referee
        if handle in self._public:
            return self._public[handle], "opened"
        card = referee.opened.revealed.get(handle)
        if card is None and referee.common is not None and referee.common.has(handle):
            card = referee.common.readable(handle)
        return card, "hidden" if card is None else "root"


class Onlooker:
    """Notes the position before each answer while a file is verified."""

    def __init__(self) -> None:
        self.seen: list[tuple[bytes, str]] = []
        """For each answer, the digest of the position and the question."""

    def __call__(self, referee: Referee, answered: Reply) -> None:
        ask, value = answered
        if isinstance(ask, Ask) and isinstance(value, GivenAnswer):
            self.seen.append((digest_of(referee, ask), ask.rule))


def rows_of(game: Ledger, seen: Sequence[tuple[bytes, str]]) -> GameRows:
    """All rows of a game; `seen` is what an `Onlooker` noted of it."""
    rows = EventRows(game, seen)
    rows.go_through()
    return GameRows(
        game=_game(game, len(rows.positions)),
        players=[_player(game, seat) for seat in range(len(game.seats))],
        entries=list(_entries(game.entries)),
        rolls=rows.rolls,
        tallies=tally_rolls(rows.rolls),
        cards=rows.cards,
        positions=rows.positions,
    )


def _game(game: Ledger, decisions: int) -> GameRow:
    """The row of the game itself."""
    first, last, outcome = game.entries[0], game.entries[-1], game.outcome
    return GameRow(
        game_id=game.game_id.hex(),
        sha256=last.after.hex(),
        game=game.rules.name,
        rules=game.rules.version,
        package=str(registry.distribution(game.rules.name)),
        options=json_list(first.list("options")),
        seats=json_list(game.seats),
        began=first.date,
        last=last.date,
        days=_days(first, last),
        entries=len(game.entries),
        decisions=decisions,
        periods=game.playing.referee.game.period() if game.playing is not None else 0,
        witnessed=int(game.invitation.is_witnessed()),
        over=int(outcome is not None),
        proven=int(game.is_proven()),
        ended=_ending(game),
        how=outcome.how if outcome else None,
        winners=json_list([game.seats[seat] for seat in outcome.winners] if outcome else ()),
    )


def _ending(game: Ledger) -> Ended | None:
    """How a game ended (docs/format.md, section 8); None while it goes on."""
    playing = game.playing
    if playing is None or playing.outcome is None:
        return None
    if playing.outcome is playing.referee.outcome:
        return "rules"
    if not playing.outcome.winners:
        return "draw"
    return "left" if game.left else "resignation"


def _player(game: Ledger, seat: Seat) -> PlayerRow:
    """The row of a seat."""
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
        has_left=int(seat in game.left),
    )


def _result(outcome: Outcome | None, seat: Seat) -> Result:
    """How the game went for a seat."""
    if outcome is None:
        return "open"
    if not outcome.winners:
        return "drew"
    return "won" if seat in outcome.winners else "lost"


def _entries(entries: Sequence[Entry]) -> Iterator[EntryRow]:
    """The rows of the entries."""
    gaps: list[float | None] = [
        None,
        *(_days(before, entry) for before, entry in pairwise(entries)),
    ]
    for entry, days in zip(entries, gaps, strict=True):
        yield EntryRow(
            number=entry.number,
            seat=entry.seat,
            date=entry.date,
            days=days,
            answers=json_list(entry.list("answers")),
            orders=json_list(entry.list("orders")),
            draw=entry.text("draw") or None,
            resigned=int("resign" in entry.fields),
            prefix=entry.after,
        )


def _days(before: Entry, after: Entry) -> float:
    """Days between the dates of two entries."""
    return round((seconds(after.date) - seconds(before.date)) / DAY, 5)


def tally_rolls(rolls: Iterable[RollRow]) -> list[TallyRow]:
    """The rolls of a game added up by seat, kind of roll, sides and hits; each kind stands where it
    first came."""
    dice: dict[tuple[str, str, int, str], list[list[int]]] = {}
    for roll in rolls:
        dice.setdefault((roll.seat, roll.kind, roll.sides, roll.hits), []).append(
            json.loads(roll.dice)
        )
    return [
        _tally(number, *one, dice_thrown) for number, (one, dice_thrown) in enumerate(dice.items())
    ]


def _tally(
    number: int, seat: str, kind: str, sides: int, hits: str, rolls: Sequence[Sequence[int]]
) -> TallyRow:
    came = Counter(die for dice in rolls for die in dice)
    hitting = set(json.loads(hits))
    return TallyRow(
        number=number,
        seat=seat,
        kind=kind,
        sides=sides,
        hits=hits,
        rolls=len(rolls),
        thrown=came.total(),
        faces=json_list([came[face] for face in range(1, sides + 1)]),
        got=sum(came[face] for face in hitting) if hitting else None,
    )
