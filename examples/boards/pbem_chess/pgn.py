"""A game for other programs: as PGN, with clocks and messages as comments, and its position as
FEN."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from pbem.games.record import GameRecord, Said
from pbem_chess.game import SEATS, shuffled_fen
from pbem_chess.position import START, read_fen

_WIDE = 79
_LONGEST_TAG = 200


def pgn(record: GameRecord) -> str:
    """The game with the seven tags that every PGN has, and its first position where that is not the
    usual one."""
    start, result = _start(record), _result(record)
    tags = {
        "Event": "A game by mail",
        "Site": "?",
        "Date": record.date.replace("-", "."),
        "Round": "-",
        "White": record.names[0],
        "Black": record.names[1],
        "Result": result,
    }
    if record.clocks:
        tags["TimeControl"] = f"{record.base}+{record.increment}"
    if record.settings.get("shuffled"):
        tags["Variant"] = "Chess960"
    if start != START:
        tags |= {"SetUp": "1", "FEN": start}
    heads = "".join(f'[{name} "{_tag(value)}"]\n' for name, value in tags.items())
    text = " ".join([*_moves(record), *([_comment(record.outcome.how)] if record.outcome else [])])
    lines = textwrap.wrap(f"{text} {result}", _WIDE, break_long_words=False, break_on_hyphens=False)
    # a line that begins so is none of the game for other programs
    return "\n".join([heads, *(f" {line}" if line[0] == "%" else line for line in lines), ""])


def fen(record: GameRecord) -> str:
    """The position after the last move."""
    now = read_fen(_start(record))
    for kind, *facts in record.story:
        if kind == "moved":
            _, _, _, source, target, special = facts
            now = now.after((source, target, special))
    return f"{now.fen()}\n"


def _start(record: GameRecord) -> str:
    """The position before the first move."""
    for kind, *facts in record.story:
        if kind == "begun":
            return str(facts[0])
        if kind == "set up":
            return shuffled_fen(facts[0])
    return START


def _result(record: GameRecord) -> str:
    if record.outcome is None:
        return "*"
    return {(): "1/2-1/2", (0,): "1-0", (1,): "0-1"}.get(record.outcome.winners, "*")


def _moves(record: GameRecord) -> Iterator[str]:
    """Moves with their numbers, what was left on the clock and what was said after each. A number
    stands before each of white's, and before one of black's where something else comes before
    it."""
    said, clocks = list(record.said), {one.after: one for one in record.clocks}
    is_numbered = False
    for nth, (kind, *facts) in enumerate(record.story):
        while said and said[0].after <= nth:
            yield _message(record, said.pop(0))
            is_numbered = False
        if kind == "moved":
            seat, number, move, *_ = facts
            if seat == 0 or not is_numbered:
                yield f"{number}{'.' if seat == 0 else '...'}"
            yield move
            is_numbered = seat == 0
            if nth + 1 in clocks:
                yield f"{{[%clk {_clock(clocks[nth + 1].left)}]}}"
                is_numbered = False
        elif kind == "claimed":
            yield _comment(f"{SEATS[facts[0]]} claims a draw")
    yield from (_message(record, one) for one in said)


def _clock(left: int) -> str:
    """Hours, minutes and seconds."""
    minutes, seconds = divmod(max(left, 0), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"


def _message(record: GameRecord, one: Said) -> str:
    return _comment(f"{record.names[one.seat]}: {one.text}")


def _comment(text: str) -> str:
    """A text as a comment. A brace would end it, and programs take what begins with [% as their
    own."""
    plain = text.translate({ord("{"): "(", ord("}"): ")"}).replace("[%", "[ %")
    return f"{{{' '.join(plain.split())}}}"


def _tag(text: str) -> str:
    """A value of a tag: one line, with its quotation marks escaped."""
    plain = " ".join("".join(one if one.isprintable() else " " for one in text).split()) or "?"
    return plain[:_LONGEST_TAG].replace("\\", "\\\\").replace('"', '\\"')
