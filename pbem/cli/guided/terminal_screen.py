"""A terminal in colour in which a turn is led, with a line to edit and completion."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from io import StringIO
from typing import Any

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from rich.columns import Columns
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from pbem.cli.guided.screen import Screen, clean
from pbem.cli.guided.words import candidates

_MENU, _TALL = 5, 30
"""Rows kept free for completions below the line, in a terminal of so many rows."""
_AS_IT_IS: Any = {"highlight": False, "markup": False, "emoji": False}
"""Text is shown as it is, without colours of its own."""
FEW = 12
"""So many texts at most are listed one below the other, where there is room."""


class TerminalScreen(Screen):
    """A terminal in colour, with a line that can be edited and completes what is known."""

    def __init__(self) -> None:
        # no question to the terminal whose answer a kill leaves
        os.environ.setdefault("PROMPT_TOOLKIT_NO_CPR", "1")
        self._console = Console(**_AS_IT_IS)
        # it scrolls away what stands above the question
        menu = _MENU if self._console.height >= _TALL else 0
        self._session: Any = PromptSession(complete_while_typing=False, reserve_space_for_menu=menu)

    def show(self, text: str, style: str = "") -> None:
        # what goes on in the next line stands as far in as it began
        for line in clean(text).split("\n"):
            words = line.lstrip(" ")
            indent = min(len(line) - len(words), self.width() // 4)
            self._print(Padding(Text(words, style=style), (0, 0, 0, indent)))

    def _print(self, what: RenderableType) -> None:
        self.printed += len(self._console.render_lines(what, pad=False))
        self._console.print(what)

    def pairs(self, rows: Sequence[tuple[str, str]]) -> None:
        table = Table.grid(padding=(0, 2))
        for left, right in rows:
            table.add_row(Text(clean(left)), Text(clean(right)))
        self._print(table)

    def draw(self, board: RenderableType) -> None:
        self._print(board)

    def numbered(self, rows: Sequence[tuple[int, str]], *, close: bool = False) -> None:
        texts = [f"{number:>3}  {clean(text)}" for number, text in rows]
        if len(rows) <= FEW and not close:
            self.pairs([(f"{number:>3}", text) for number, text in rows])
        else:
            self.columns(texts)

    def columns(self, texts: Sequence[str]) -> None:
        self._print(
            Columns((Text(clean(text)) for text in texts), padding=(0, 3), column_first=True)
        )

    def ask(self, prompt: str, known: Sequence[str] = ()) -> str:
        self.asked = self.printed = self.printed + 1
        return str(self._session.prompt(prompt, completer=AnswerCompleter(known)))

    def width(self) -> int:
        return self._console.width

    def height(self) -> int:
        return self._console.height

    def rows_of(self, show: Callable[[], None]) -> int:
        console, counted, printed = self._console, StringIO(), self.printed
        self._console = type(console)(
            file=counted, width=console.width, height=console.height, **_AS_IT_IS
        )
        try:
            show()
            return counted.getvalue().count("\n")
        finally:
            self._console, self.printed = console, printed


class AnswerCompleter(Completer):
    """What may stand after the last semicolon of the line."""

    def __init__(self, known: Sequence[str]) -> None:
        self._known = known

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterator[Completion]:
        """The known sentences whose words begin as what was entered does."""
        begun = document.text_before_cursor.rpartition(";")[2].lstrip()
        for found in candidates(begun, self._known):
            yield Completion(clean(found), start_position=-len(begun))
