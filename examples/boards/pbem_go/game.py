"""Go: the flow of play, how it is counted, and what is the same for every position."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from copy import deepcopy
from functools import lru_cache
from typing import Any, ClassVar

from engine.flow import Answer, Ask, Card, Flow, Handle, Option, Outcome, Seat
from engine.rules import BadData, Game, Rules, Settings
from pbem_go.position import Board, names, point_at, star_points
from pbem_go.record import Record, read

SEATS = ("black", "white")
BLACK, WHITE = 0, 1
SIZES = (9, 13, 19)
LARGEST = SIZES[-1]
MOST_STONES, MOST_KOMI = 9, 99
PASS: Option = ("pass",)
COUNT: Option = ("count",)
AGREE: Option = ("agree",)
PLAY_ON: Option = ("play on",)


class Go(Game):
    """The stones, every board that was there, and, once both have passed, which stones are said to
    be dead."""

    def __init__(self, size: int, stones: int, komi: int) -> None:
        self.size = size
        self.record: Record | None = None
        self.given = stones
        self.komi = komi
        self.board = Board(size)
        self.turn: Seat = WHITE if stones else BLACK
        self.passes = 0
        self.moves = 0
        self.taken = [0, 0]
        self.last: int | None = None
        self.dead: set[int] = set()
        self.is_disputed = False
        self.is_over = False
        for point in star_points(size)[:stones]:
            self.board.put(point, BLACK)
        self.seen = {self.board.code}

    def flow(self) -> Flow[Outcome]:
        """Plays by turns until both pass, then an offer of what is dead, which is agreed on or
        played out; what stands after that counts."""
        if self.record is not None:
            self.note("begun", self.turn, self.record.sgf())
        for _ in range(2):
            yield from self.play()
            if self.is_disputed or not self.board.stones:
                break
            yield from self.offer()
            answer: Answer = yield Ask(self.turn, "agree", (AGREE, PLAY_ON))
            self.note("agreed" if answer.option == AGREE else "played on", self.turn)
            if answer.option == AGREE:
                break
            self.is_disputed = True
            self.dead.clear()
            self.passes = 0
            self.turn = 1 - self.turn
        self.is_over = True
        return self.counted()

    def begin_from(self, record: Record) -> None:
        """Lay out the stones of a record and repeat its moves. Raises `ValueError` where the rules
        here do not allow them."""
        self.record = record
        for seat, point in record.stones:
            self.board.put(point, seat)
        if choked := [point for point, group in self.board.groups().items() if not group.free]:
            raise ValueError(
                f"in the record the stone on {self.called(choked)[0]} has no free point"
            )
        self.turn = record.to_move
        self.seen = {self.board.code}
        for number, (seat, at) in enumerate(record.moves, 1):
            self.repeat(number, seat, at)

    def repeat(self, number: int, seat: Seat, point: int | None) -> None:
        """A move of a record. Raises `ValueError` for one that is not allowed."""
        if point is None:
            self.passes += 1
            self.last = None
        elif point in self.board.stones:
            raise ValueError(f"move {number} of the record is on a stone")
        else:
            taken = self.board.taken_by(seat, point, self.board.groups())
            if self.board.code_after(seat, point, taken) in self.seen:
                raise ValueError(f"move {number} of the record brings back a board that was there")
            self.lay(seat, point)
        self.moves += 1
        self.turn = 1 - seat

    def play(self) -> Flow[None]:
        while self.passes < 2:
            seat = self.turn
            answer: Answer = yield Ask(seat, "play", self.options())
            self.moves += 1
            if answer.option == PASS:
                self.passes += 1
                self.last = None
                self.note("passed", seat)
            else:
                self.lay(seat, point_at(answer.option[1], self.size))
            self.turn = 1 - seat

    def options(self) -> tuple[Option, ...]:
        """Every empty point whose play brings back no board that was there, and to pass."""
        board, seat, groups, called = self.board, self.turn, self.board.groups(), names(self.size)
        return (
            *(
                ("play", called[point])
                for point in range(self.size**2)
                if point not in board.stones
                and board.code_after(seat, point, board.taken_by(seat, point, groups))
                not in self.seen
            ),
            PASS,
        )

    def lay(self, seat: Seat, point: int) -> None:
        groups = self.board.taken_by(seat, point, self.board.groups())
        self.board.put(point, seat)
        gone = sorted(stone for group in groups for stone in group.stones)
        owner = self.board.stones[gone[0]] if gone else seat
        self.board.take(gone)
        self.taken[1 - owner] += len(gone)
        self.seen.add(self.board.code)
        self.passes = 0
        self.last = point
        self.note("played", seat, *self.called([point]))
        if gone:
            self.note("taken", owner, *self.called(gone))

    def offer(self) -> Flow[None]:
        """Who passed first says which groups are dead, one after the other."""
        groups, seat, called = self.board.groups(), self.turn, names(self.size)
        while True:
            options = (
                ("dead", called[point]) for point in sorted(groups) if point not in self.dead
            )
            answer: Answer = yield Ask(seat, "dead", (*options, COUNT))
            if answer.option == COUNT:
                break
            self.dead |= groups[point_at(answer.option[1], self.size)].stones
        self.note("offered", seat, *self.called(self.dead))
        self.turn = 1 - seat

    def counted(self) -> Outcome:
        """The end: points that hold a stone or are reached from one colour alone."""
        points = self.points()
        winner = BLACK if points[BLACK] > points[WHITE] + self.komi else WHITE
        how = f"black has {points[BLACK]} points, white {points[WHITE]} and {self.komi}.5 of komi"
        return Outcome((winner,), how)

    def points(self) -> tuple[int, int]:
        """How many points are each seat's, with dead stones taken off."""
        owners = list(self.cleared().owners().values())
        return owners.count(BLACK), owners.count(WHITE)

    def cleared(self) -> Board:
        """The board without the stones that are said to be dead."""
        board = Board(self.size)
        for point, seat in self.board.stones.items():
            if point not in self.dead:
                board.put(point, seat)
        return board

    def position(self) -> str:
        seen = " ".join(f"{code:x}" for code in sorted(self.seen))
        dead = "+".join(map(str, sorted(self.dead))) or "none"
        state = f"{SEATS[self.turn]} {self.passes} {self.moves} {self.taken} {self.is_disputed}"
        return f"{self.size} {self.komi} {self.board.code:x} {state} dead {dead} seen {seen}"

    def when(self) -> str:
        return f"move {self.moves + 1}"

    def period(self) -> int:
        return self.moves + 1

    def prompt(self, ask: Ask) -> str:
        if ask.rule == "dead":
            return "both have passed: which stones are dead"
        if ask.rule == "agree":
            return f"{len(self.dead)} stones are said to be dead: agree, or play on"
        return "lay a stone, or pass"

    def called(self, points: Collection[int]) -> list[str]:
        return [names(self.size)[point] for point in sorted(points)]

    def why_refused(self, ask: Ask, text: str) -> str:
        if ask.rule != "play":
            return ""
        name = text.strip().casefold()
        if name not in names(self.size):
            return ""
        owner = self.board.stones.get(point_at(name, self.size))
        if owner is not None:
            return f"{name} has a {SEATS[owner]} stone"
        return f"a stone on {name} would bring back a board that was there already"

    def view(self, viewer: Seat | None, faces: Mapping[Handle, Card]) -> dict[str, Any]:
        called, stones = names(self.size), sorted(self.board.stones.items())
        is_counted = self.passes >= 2
        owners = self.cleared().owners() if is_counted else {}
        return {
            "when": self.when(),
            "size": self.size,
            "komi": self.komi,
            "turn": "" if self.is_over else SEATS[self.turn],
            "stones": {called[point]: SEATS[seat] for point, seat in stones},
            "taken": dict(zip(SEATS, self.taken, strict=True)),
            "dead": self.called(self.dead),
            "last": [] if self.last is None else self.called([self.last]),
            "points": dict(zip(SEATS, self.points(), strict=True)) if is_counted else {},
            "area": {
                called[point]: SEATS[owner]
                for point, owner in sorted(owners.items())
                if point not in self.board.stones or point in self.dead
            },
        }


class GoRules(Rules):
    """Version 1."""

    name = "go"
    title = "Go"
    seat_names = SEATS
    dice = False
    measure = "move"
    settings: ClassVar = {
        "size": f"lines of a side: {', '.join(map(str, SIZES))}",
        "handicap": f"stones that black is given before, 2 to {MOST_STONES}",
        "komi": f"points that white is given, 0 to {MOST_KOMI}, and a half",
    }
    limits: ClassVar = {
        "size": (SIZES[0], LARGEST),
        "handicap": (0, MOST_STONES),
        "komi": (0, MOST_KOMI),
    }
    defaults: ClassVar = {"size": LARGEST}
    begun: Go | None = None
    """Where a record ends, for games that begin there."""

    def with_data(self, lines: Sequence[str]) -> Rules:
        return _begun_from(tuple(lines)) if lines else self

    def seats(self, settings: Settings) -> tuple[str, ...]:
        if self.begun is not None and (
            settings.get("handicap") or self.size(settings) != self.begun.size
        ):
            raise ValueError("the record says how large the board is, and what lies there")
        if self.size(settings) not in SIZES:
            raise ValueError(f"a board has {', '.join(map(str, SIZES))} lines")
        if settings.get("handicap") == 1:
            raise ValueError("black begins without a stone given before, or with 2 and more")
        return super().seats(settings)

    def begin(self, settings: Settings) -> Game:
        handicap = settings.get("handicap", 0)
        komi = settings.get("komi", self.defaults.get("komi", 0 if handicap else 7))
        if self.begun is None:
            return Go(self.size(settings), handicap, komi)
        game = deepcopy(self.begun)
        game.komi = komi
        return game

    def size(self, settings: Settings) -> int:
        return settings.get("size", self.defaults["size"])

    def words(self, option: Option) -> str:
        return option[1] if option[0] == "play" else " ".join(option)

    def vocabulary(self) -> frozenset[str]:
        words = ("pass", "dead", "count", "agree", "play", "on")
        return frozenset({*words, *names(LARGEST)})

    def tell(self, event: tuple[Any, ...]) -> dict[str, Any]:
        kind, seat, *points = event
        if kind == "begun":
            return {"kind": kind, "seat": SEATS[seat], "record": points[0], "points": []}
        return {"kind": kind, "seat": SEATS[seat], "points": points}


@lru_cache(maxsize=8)
def _begun_from(lines: tuple[str, ...]) -> GoRules:
    """The rules of a game that begins where a record ends. Raises `BadData`."""
    made = GoRules()
    try:
        record = read("".join(line.removeprefix("record: ") for line in lines))
        made.begun = Go(record.size, 0, 0)
        made.begun.begin_from(record)
        komi = {} if record.komi is None else {"komi": record.komi // 2}
        made.defaults = {"size": record.size, **komi}  # type: ignore[misc]
        made.seats({})
    except ValueError as error:
        raise BadData(f"{error}", 0) from None
    return made


RULES = GoRules()
