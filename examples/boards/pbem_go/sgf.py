"""A game as SGF, with the messages as comments."""

from __future__ import annotations

from pbem.games.record import GameRecord, Said
from pbem_go.game import BLACK, LARGEST, WHITE
from pbem_go.position import LETTERS, names, star_points

_COLUMNS = "abcdefghijklmnopqrs"


def sgf(record: GameRecord) -> str:
    """The game from its first stone to what was counted."""
    size, handicap = record.settings.get("size", LARGEST), record.settings.get("handicap", 0)
    komi = record.settings.get("komi", 0 if handicap else 7)
    head = [
        f"(;GM[1]FF[4]CA[UTF-8]AP[pbem]RU[Tromp-Taylor]SZ[{size}]KM[{komi}.5]DT[{record.date}]",
        f"PB[{_text(record.names[BLACK])}]PW[{_text(record.names[WHITE])}]{_result(record)}",
    ]
    if handicap:
        given = (names(size)[point] for point in star_points(size)[:handicap])
        head.append(f"HA[{handicap}]AB{''.join(f'[{_point(name, size)}]' for name in given)}")
    nodes, said = ["\n".join(head)], [list[str]()]
    left = list(record.said)
    for nth, (kind, seat, *points) in enumerate(record.story):
        while left and left[0].after <= nth:
            said[-1].append(_message(record, left.pop(0)))
        if kind in ("played", "passed"):
            nodes.append(f";{'BW'[seat]}[{_point(points[0], size) if points else ''}]")
            said.append([])
    said[-1] += [_message(record, one) for one in left]
    ends = [f"C[{_text(chr(10).join(texts))}]" if texts else "" for texts in said]
    return "\n".join(node + end for node, end in zip(nodes, ends, strict=True)) + ")\n"


def _message(record: GameRecord, one: Said) -> str:
    return f"{record.names[one.seat]}: {one.text}"


def _point(name: str, size: int) -> str:
    """A point as SGF calls it: two letters, of the column and of the row from above."""
    column, row = LETTERS.index(name[0]), size - int(name[1:])
    return f"{_COLUMNS[column]}{_COLUMNS[row]}"


def _result(record: GameRecord) -> str:
    if record.outcome is None:
        return ""
    return {(BLACK,): "RE[B+]", (WHITE,): "RE[W+]", (): "RE[0]"}[record.outcome.winners]


def _text(text: str) -> str:
    """A text, in which nothing ends it."""
    return text.replace("\\", "\\\\").replace("]", "\\]")
