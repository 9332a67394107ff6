"""Answers of a library as tables for a terminal. What they mean and what they do not stands in the
templates' words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from typing import TYPE_CHECKING

from rich.box import SIMPLE_HEAD
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from pbem.library import pages
from pbem.library.pages import ended_words, options_words, percent, probability, whom
from pbem.report.render import plain

if TYPE_CHECKING:
    from pbem.library.explore import EndingFacts, ExploreFacts, NextMove
    from pbem.library.luck import LuckFacts
    from pbem.library.luck_figures import FaceFacts, HitFacts, PlayerLuck
    from pbem.library.stats import GroupStats, Range, StatsFacts

FIRST_ROWS = 20
"""Rows of a list that is shown in part; `--all` shows it whole."""


def written(
    name: str, facts: object, tables: Iterable[RenderableType], *, width: int | None, colour: bool
) -> str:
    """These facts as text, and the tables below it. No `width`: what the terminal has."""
    out = Console(
        file=StringIO(),
        width=width,
        force_terminal=colour,
        highlight=False,
        markup=False,
        emoji=False,
        soft_wrap=False,
    )
    for table in tables:
        out.print(table)
    assert isinstance(out.file, StringIO)
    return "\n".join([pages.text(name, facts), out.file.getvalue()]).rstrip("\n")


def luck(facts: LuckFacts, *, everything: bool = False) -> Iterator[RenderableType]:
    """Everybody's hits, then their kinds of roll and their faces, then what stands apart."""
    players = facts.players if everything else facts.players[:FIRST_ROWS]
    if players:
        if any(one.hits for one in players):
            yield _hits(
                "Hits of all kinds together", [(one, one.hits) for one in players if one.hits]
            )
            yield _hits(
                "Hits by kind of roll", [(one, kind) for one in players for kind in one.kinds]
            )
        yield from _faces(players)
        yield from _left_out(len(facts.players), everything)
    for apart in facts.apart:
        rows = [(one, one.hits) for one in apart.players if one.hits]
        if rows:
            yield _hits(f"Not tested: {apart.why} games", rows if everything else rows[:FIRST_ROWS])


def _hits(title: str, rows: Sequence[tuple[PlayerLuck, HitFacts]]) -> Table:
    kinds = any(hits.kind is not None for _, hits in rows)
    several = len({hits.game for _, hits in rows}) > 1
    word = "stands out" if kinds else "alarm"
    heads = ["player", *(["game", "roll"] if kinds else ["games"])]
    cells = []
    for player, hits in rows:
        what = (
            [hits.game or "" if several else "", hits.kind or ""] if kinds else [str(player.games)]
        )
        figures = [
            f"{hits.dice:,}",
            f"{hits.hits:,}",
            f"{hits.expected:,.1f}",
            f"{hits.low:,}–{hits.high:,}",
        ]
        judged = [probability(hits.p), probability(hits.corrected), word if hits.alarm else ""]
        cells.append([whom(player.name, player.key), *what, *figures, *judged])
    heads += ["dice", "hits", "expected", "fair (99 %)", "p", "corrected", word]
    return _of_filled(title, heads, cells, left=3 if kinds else 1)


def _faces(players: Sequence[PlayerLuck]) -> Iterator[Table]:
    for sides in sorted({faces.sides for player in players for faces in player.faces}):
        rows = [
            (player, faces) for player in players for faces in player.faces if faces.sides == sides
        ]
        numbers = [str(face) for face in range(1, sides + 1)] if sides <= _ACROSS else []
        cells = []
        for player, faces in rows:
            counts = [f"{count:,}" for count in faces.faces] if numbers else []
            figures = [f"{faces.dice:,}", *counts, f"{faces.expected:,.1f}"]
            cells.append([whom(player.name, player.key), *figures, *_judged(faces)])
        heads = ["player", "dice", *numbers, "expected", "p", "corrected", "alarm"]
        yield _of_filled(f"Faces of dice of {sides} sides", heads, cells)


def _of_filled(
    title: str, heads: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1
) -> Table:
    """A table without the columns in which nothing stands."""
    kept = [
        number for number in range(len(heads)) if not number or any(row[number] for row in rows)
    ]
    table = _table(
        title, *(heads[number] for number in kept), left=sum(number < left for number in kept)
    )
    for row in rows:
        _row(table, [row[number] for number in kept], row[-1] != "")
    return table


_ACROSS = 12
"""Faces that a table has columns for."""


def _judged(faces: FaceFacts) -> list[str]:
    if faces.p is None:
        return ["too few", "", ""]
    return [probability(faces.p), probability(faces.corrected), "alarm" if faces.alarm else ""]


def explore(facts: ExploreFacts, *, everything: bool = False) -> Iterator[RenderableType]:
    """What was answered, most frequent first, and how these games ended."""
    seats = len({move.seat for move in facts.moves}) > 1
    heads = [
        *(["seat"] if seats else []),
        "answer",
        "games",
        "share",
        "won",
        "drew",
        "lost",
        "open",
        "by",
    ]
    table = _table("Answered next", *heads, left=2 if seats else 1)
    table.columns[-1].justify, table.columns[-1].no_wrap = "left", False
    for move in facts.moves if everything else facts.moves[:FIRST_ROWS]:
        counts = [f"{number:,}" for number in (move.won, move.drew, move.lost, move.open)]
        share = percent(move.games, facts.games)
        _row(
            table,
            [
                *([move.seat] if seats else []),
                move.move,
                f"{move.games:,}",
                share,
                *counts,
                _players(move),
            ],
        )
    if facts.moves:
        yield table
        yield from _left_out(len(facts.moves), everything)
        yield _endings(facts.endings, facts.games)


_NAMED = 3


def _players(move: NextMove) -> str:
    named = [f"{whom(one.name, one.key)} {one.games:,}" for one in move.players[:_NAMED]]
    more = len(move.players) - _NAMED
    return ", ".join([*named, *([f"{more:,} more"] if more > 0 else [])])


def _endings(endings: Sequence[EndingFacts], games: int) -> Table:
    table = _table("How these games ended", "ended", "games", "share")
    for one in endings:
        _row(table, [ended_words(one), f"{one.games:,}", percent(one.games, games)])
    return table


def stats(facts: StatsFacts, *, everything: bool = False) -> Iterator[RenderableType]:
    """Each game with the same options: results by seat, endings, length and pace, first answers."""
    for group in facts.groups:
        yield Text(f"\n{group.game}, {options_words(group.options)}", style="bold")
        if group.unfinished is not None:
            yield Text(pages.text("unfinished", group.unfinished).strip())
        if group.games:
            yield from _group(group, everything)


def _group(group: GroupStats, everything: bool) -> Iterator[RenderableType]:
    seats = _table(
        f"Results of {group.games:,} ended games", "seat", "won", "share", "drew", "lost"
    )
    for one in group.seats:
        numbers = [f"{one.won:,}", percent(one.won, group.games), f"{one.drew:,}", f"{one.lost:,}"]
        _row(seats, [one.seat, *numbers])
    yield seats
    yield _endings(group.endings, group.games)
    ranges = _table("Length and pace", "", "least", "quarter", "median", "3 quarters", "most")
    for name, found in (
        ("seasons or turns", group.length),
        ("entries", group.entries),
        ("days", group.days),
        ("days a move", group.days_a_move),
    ):
        if found is not None:
            _row(ranges, [name, *_five(found)])
    yield ranges
    openings = _table(
        "First answers", "seat", "answer", "games", "won", "share", "drew", "lost", left=2
    )
    for seat in dict.fromkeys(one.seat for one in group.openings):
        own = [one for one in group.openings if one.seat == seat]
        for first in own if everything else own[:_FIRST]:
            numbers = [
                f"{first.won:,}",
                percent(first.won, first.games),
                f"{first.drew:,}",
                f"{first.lost:,}",
            ]
            _row(openings, [first.seat, first.answer, f"{first.games:,}", *numbers])
    if group.openings:
        yield openings


_FIRST = 6
"""First answers of a seat that are shown without `--all`."""


def _five(found: Range) -> list[str]:
    return [
        f"{one:,g}"
        for one in (found.least, found.quarter, found.median, found.three_quarters, found.most)
    ]


def _left_out(number: int, everything: bool) -> Iterator[Text]:
    if number > FIRST_ROWS and not everything:
        yield Text(f"and {number - FIRST_ROWS:,} more (--all)")


def _table(title: str, *heads: str, left: int = 1) -> Table:
    """A table whose first columns are words, which break where the terminal is narrow, and the
    others figures."""
    table = Table(
        title=title,
        title_justify="left",
        title_style="bold",
        expand=False,
        box=SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
        pad_edge=False,
    )
    for number, head in enumerate(heads):
        is_word = number < left
        table.add_column(
            head, overflow="fold", justify="left" if is_word else "right", no_wrap=not is_word
        )
    return table


def _row(table: Table, cells: Sequence[str], alarm: bool = False) -> None:
    """A row of somebody's words and of figures; nothing in it is obeyed by a terminal."""
    table.add_row(*(Text(plain(cell)) for cell in cells), style="bold" if alarm else None)
