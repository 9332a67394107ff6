"""A report in a terminal: its text, with the board between the halves, as much of both as there is
room for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.text import Text

from pbem.english import folded
from pbem.games.stage import View
from pbem.report import terminal_board
from pbem.report.board import board_at
from pbem.report.terminal_board import Form

_NEWS = 4
"""So many lines of what happened are worth more than a roomier board."""


def boards(
    game: str,
    view: View,
    before: View | None,
    width: int = 80,
    names: Mapping[str, str] | None = None,
    told: Sequence[View] = (),
) -> list[Form]:
    """The board of a position in its forms for that width, the roomiest first, with what changed
    since `before`, and the dice of the newest event of the story (`told`)."""
    return terminal_board.forms(board_at(game, view, before, names=names, told=told), width)


def width() -> int:
    """The width of the terminal in columns."""
    return Console().width


@dataclass(frozen=True)
class ReportTexts:
    """The parts of a report as text: above the board what happened (`head`), below it the rest of
    the position (`status`) and what is asked (`asked`; `brief` without what a command of its own
    lists). `rest` says where what was left out is; without it all is shown, room or not."""

    head: str
    status: str
    asked: str
    brief: str
    rest: str


def print_report(
    texts: ReportTexts, boards: Sequence[Form], console: Console | None = None
) -> None:
    """A report with the first of these forms of its board that there is room for. What has none is
    left out: first what `brief` lacks, then the oldest of what happened, then the rest of the
    position, and last the board itself."""
    console = console or Console(highlight=False, markup=False, emoji=False)
    for part in next(_that_fit(texts, boards, console.width, console.height - 1)):
        console.print(part)


def _that_fit(
    texts: ReportTexts, boards: Sequence[Form], width: int, room: int
) -> Iterator[Sequence[Text]]:
    """The ways to show a report that have room, the best first; the last one in any case."""

    def lines(text: str) -> list[str]:
        return folded(text.strip("\n"), width).split("\n") if text.strip() else []

    news = [lines(line) or [""] for line in texts.head.rstrip("\n").split("\n")]
    title, head = news.pop(0), lines(texts.head)
    status, asked, brief = map(lines, (texts.status, texts.asked, texts.brief))
    whole = [*status, *asked]
    if not texts.rest:
        yield [_text(head), boards[0].text, _text(whole)]
        return
    best = [board for board in boards if board.kind == "plain"]
    for board in boards:
        if board.kind != "last" and len(head) + board.rows + len(whole) <= room:
            yield [_text(head), board.text, _text(whole)]
    title = [*title, *lines(texts.rest)]
    fewest = min(_NEWS, sum(map(len, news)))
    last = [board for board in boards if board.kind == "last"]
    for forms, rows in ((best, fewest), (last, fewest), ([*best, *last], 0)):
        for below in ([*status, *brief], brief):
            for board in forms:
                left = room - len(title) - board.rows - len(below)
                if left >= rows:
                    yield [_text([*title, *_newest(news, left)]), board.text, _text(below)]
    below = [*status, *brief]
    if len(title) + len(below) > room:
        below = brief
    yield [_text([*title, *_newest(news, room - len(title) - len(below))]), _text(below)]


def _newest(news: Sequence[Sequence[str]], rows: int) -> list[str]:
    """The newest of what happened that has room in so many rows, each whole."""
    found: list[str] = []
    for lines in reversed(news):
        if len(found) + len(lines) > rows:
            break
        found = [*lines, *found]
    return found


def _text(lines: Sequence[str]) -> Text:
    return Text("\n".join(lines))
