"""The rows of a verified game, read from what its ledger kept: nothing is replayed a second
time."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from engine.flow import Ask, Outcome, Seat
from pbem.fileformat.turnfile import Entry
from pbem.games import registry
from pbem.ledger.clock import DAY, seconds
from pbem.ledger.events import Answered, Said
from pbem.ledger.ledger import Ledger
from pbem.ledger.referee import Referee
from pbem.library import position
from pbem.library.event_rows import EventRows, listed
from pbem.library.rows import (
    Ended,
    EntryRow,
    GameRow,
    GameRows,
    PlayerRow,
    Result,
    Role,
    RollRow,
    TallyRow,
)


class Onlooker:
    """Notes the position before each answer while a file is verified."""

    def __init__(self) -> None:
        self.seen: list[tuple[bytes, str]] = []
        """The digest of each position, and the question."""

    def __call__(self, referee: Referee, answered: Answered) -> None:
        ask, value = answered
        if isinstance(ask, Ask) and isinstance(value, Said):
            self.seen.append((position.digest_of(referee, ask), ask.rule))


def rows_of(game: Ledger, seen: Sequence[tuple[bytes, str]]) -> GameRows:
    """All rows of a game; `seen` is what an `Onlooker` saw of it."""
    told = EventRows(game, seen)
    told.go_through()
    return GameRows(
        game=_game(game, len(told.positions)),
        players=[_player(game, seat) for seat in range(len(game.seats))],
        entries=list(_entries(game.entries)),
        rolls=told.rolls,
        tallies=tallied(told.rolls),
        cards=told.cards,
        positions=told.positions,
    )


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
        periods=game.playing.referee.game.period() if game.playing is not None else 0,
        witnessed=int(game.invitation.is_witnessed()),
        over=int(outcome is not None),
        proven=int(game.is_proven()),
        ended=_ended(game),
        how=outcome.how if outcome else None,
        winners=listed([game.seats[seat] for seat in outcome.winners] if outcome else ()),
    )


def _ended(game: Ledger) -> Ended | None:
    """In which way a game ended (docs/format.md, section 8)."""
    playing = game.playing
    if playing is None or playing.outcome is None:
        return None
    if playing.outcome is playing.referee.outcome:
        return "rules"
    if not playing.outcome.winners:
        return "draw"
    return "left" if game.left else "resignation"


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
        has_left=int(seat in game.left),
    )


def _result(outcome: Outcome | None, seat: Seat) -> Result:
    if outcome is None:
        return "open"
    if not outcome.winners:
        return "drew"
    return "won" if seat in outcome.winners else "lost"


def _entries(entries: Sequence[Entry]) -> Iterator[EntryRow]:
    passed: list[float | None] = [
        None,
        *(_days(before, entry) for before, entry in pairwise(entries)),
    ]
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


def tallied(rolls: Iterable[RollRow]) -> list[TallyRow]:
    """Rolls of a game added up by seat, kind of roll, sides and hits, in the order in which each
    kind first came."""
    dice: dict[tuple[str, str, int, str], list[list[int]]] = {}
    for roll in rolls:
        dice.setdefault((roll.seat, roll.kind, roll.sides, roll.hits), []).append(
            json.loads(roll.dice)
        )
    return [_tally(number, *one, thrown) for number, (one, thrown) in enumerate(dice.items())]


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
        faces=listed([came[face] for face in range(1, sides + 1)]),
        got=sum(came[face] for face in hitting) if hitting else None,
    )
