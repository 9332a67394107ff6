"""A game as SGF, with the messages as comments and the clocks as time left."""

from __future__ import annotations

from pbem.games.record import GameRecord, Said
from pbem_go.game import BLACK, LARGEST, WHITE
from pbem_go.position import point_at, star_points
from pbem_go.record import Record, point_name, read


def sgf(record: GameRecord) -> str:
    """The game from its first stone, or that of the record it began from, to what was counted."""
    start = _start(record)
    nodes = [_head(record, start), *start.nodes()]
    said, times = [list[str]() for _ in nodes], [""] * len(nodes)
    left, clocks = list(record.said), list(record.clocks)
    for nth, (kind, seat, *points) in enumerate(record.story):
        while left and left[0].after <= nth:
            said[-1].append(_message(record, left.pop(0)))
        if kind in ("played", "passed"):
            at = point_name(point_at(points[0], start.size), start.size) if points else ""
            nodes.append(f";{'BW'[seat]}[{at}]")
            said.append([])
            times.append(next((_time(seat, one.left) for one in clocks if one.after > nth), ""))
    said[-1] += [_message(record, one) for one in left]
    ends = [f"C[{_text(chr(10).join(texts))}]" if texts else "" for texts in said]
    return "\n".join(map("".join, zip(nodes, times, ends, strict=True))) + ")\n"


def _start(record: GameRecord) -> Record:
    """What the game began with."""
    if record.story and record.story[0][0] == "begun":
        return read(record.story[0][2])
    size, handicap = record.settings.get("size", LARGEST), record.settings.get("handicap", 0)
    stones = tuple((BLACK, point) for point in star_points(size)[:handicap])
    komi = 1 if handicap else 15
    return Record(size, komi, stones, (), WHITE if handicap else BLACK)


def _head(record: GameRecord, start: Record) -> str:
    usual = 7 if start.komi is None else start.komi // 2
    handicap = record.settings.get("handicap", 0)
    clock = f"TM[{record.base}]" if record.clocks else ""
    return (
        f"(;GM[1]FF[4]CA[UTF-8]AP[pbem]RU[Tromp-Taylor]SZ[{start.size}]"
        f"KM[{record.settings.get('komi', usual)}.5]DT[{record.date}]{clock}\n"
        f"PB[{_text(record.names[BLACK])}]PW[{_text(record.names[WHITE])}]{_result(record)}"
        f"{f'HA[{handicap}]' if handicap else ''}{start.setup()}"
    )


def _message(record: GameRecord, one: Said) -> str:
    return f"{record.names[one.seat]}: {one.text}"


def _time(seat: int, left: int) -> str:
    return f"{'BW'[seat]}L[{max(left, 0)}]"


def _result(record: GameRecord) -> str:
    if record.outcome is None:
        return ""
    return {(BLACK,): "RE[B+]", (WHITE,): "RE[W+]", (): "RE[0]"}[record.outcome.winners]


def _text(text: str) -> str:
    """A text, in which nothing ends it."""
    return text.replace("\\", "\\\\").replace("]", "\\]")
