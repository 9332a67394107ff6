"""Where a turn is led: a terminal with a line to edit and completion, or plain lines for a screen
reader.

Every text passes `clean` before it is printed: nothing in a file, a home or a name can make the
terminal do anything."""

from __future__ import annotations

import os
import shutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from io import StringIO
from typing import TYPE_CHECKING, Any

from pbem.cli.guided.words import candidates
from pbem.cli.streams import tell
from pbem.english import folded
from pbem.errors import Refused
from pbem.fileformat.characters import without_hidden

# Imported late: what only some of the commands need that come here.

_MENU, _TALL = 5, 30
"""Rows kept free for completions below the line, in a terminal of so many rows."""
_AS_IT_IS: Any = {"highlight": False, "markup": False, "emoji": False}
"""Text is shown as it is, without colours of its own."""
FEW = 12
"""So many texts at most are listed one below the other, where there is room."""

if TYPE_CHECKING:
    from rich.console import RenderableType


def clean(text: str) -> str:
    """Text without anything that a terminal would obey; its lines stay."""
    return "\n".join(without_hidden(line) for line in text.split("\n"))


class Screen(ABC):
    """Shows text and boards, and asks for lines."""

    is_plain = False
    printed = asked = 0
    """So many rows were shown so far, and so many when the newest line was entered."""

    @abstractmethod
    def show(self, text: str, style: str = "") -> None:
        """Print lines of text."""

    @abstractmethod
    def draw(self, board: RenderableType) -> None:
        """Print what a game draws."""

    @abstractmethod
    def numbered(self, rows: Sequence[tuple[int, str]], *, close: bool = False) -> None:
        """Print texts with their numbers, in columns where they are many or are to lie `close`."""

    @abstractmethod
    def columns(self, texts: Sequence[str]) -> None:
        """Print texts in as many columns as there is room for."""

    @abstractmethod
    def pairs(self, rows: Sequence[tuple[str, str]]) -> None:
        """Print names, each beside what it stands for."""

    @abstractmethod
    def ask(self, prompt: str, known: Sequence[str] = ()) -> str:
        """A line that was entered; `known` are sentences to complete. Raises `KeyboardInterrupt`,
        `EOFError` where nothing more can be entered, and `Refused` for what is no text."""

    @abstractmethod
    def width(self) -> int:
        """Columns."""

    @abstractmethod
    def height(self) -> int:
        """Rows that can be seen at once."""

    @abstractmethod
    def rows_of(self, show: Callable[[], None]) -> int:
        """How many rows this would take; nothing is shown."""


class PlainScreen(Screen):
    """Line by line, without colours, boxes or anything that moves the cursor."""

    is_plain = True

    def __init__(self) -> None:
        self._rows: int | None = None
        """Where rows are only counted: so many."""

    def show(self, text: str, style: str = "") -> None:
        lines = folded(clean(text), self.width())
        if self._rows is None:
            tell(lines)
            self.printed += lines.count("\n") + 1
        else:
            self._rows += lines.count("\n") + 1

    def draw(self, board: RenderableType) -> None:
        raise AssertionError("a plain screen tells the position in words")

    def numbered(self, rows: Sequence[tuple[int, str]], *, close: bool = False) -> None:
        self.show("\n".join(f"{number}: {text}" for number, text in rows))

    def columns(self, texts: Sequence[str]) -> None:
        self.show("\n".join(texts))

    def pairs(self, rows: Sequence[tuple[str, str]]) -> None:
        self.show("\n".join(f"{left}: {right}" for left, right in rows))

    def ask(self, prompt: str, known: Sequence[str] = ()) -> str:
        self.asked = self.printed = self.printed + 1
        try:
            return input(prompt)
        except UnicodeDecodeError as error:
            raise Refused("what was entered is no text") from error

    def width(self) -> int:
        return shutil.get_terminal_size().columns

    def height(self) -> int:
        return shutil.get_terminal_size().lines

    def rows_of(self, show: Callable[[], None]) -> int:
        before, self._rows = self._rows, 0
        try:
            show()
            return self._rows
        finally:
            self._rows = before


class TerminalScreen(Screen):
    """A terminal in colour, with a line that can be edited and completes what is known."""

    def __init__(self) -> None:
        from prompt_toolkit import PromptSession
        from rich.console import Console

        # no question to the terminal whose answer a kill leaves
        os.environ.setdefault("PROMPT_TOOLKIT_NO_CPR", "1")
        self._console = Console(**_AS_IT_IS)
        # it scrolls away what stands above the question
        menu = _MENU if self._console.height >= _TALL else 0
        self._session: Any = PromptSession(complete_while_typing=False, reserve_space_for_menu=menu)

    def show(self, text: str, style: str = "") -> None:
        from rich.padding import Padding
        from rich.text import Text

        # what goes on in the next line stands as far in as it began
        for line in clean(text).split("\n"):
            words = line.lstrip(" ")
            indent = min(len(line) - len(words), self.width() // 4)
            self._print(Padding(Text(words, style=style), (0, 0, 0, indent)))

    def _print(self, what: RenderableType) -> None:
        self.printed += len(self._console.render_lines(what, pad=False))
        self._console.print(what)

    def pairs(self, rows: Sequence[tuple[str, str]]) -> None:
        from rich.table import Table
        from rich.text import Text

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
        from rich.columns import Columns
        from rich.text import Text

        self._print(
            Columns((Text(clean(text)) for text in texts), padding=(0, 3), column_first=True)
        )

    def ask(self, prompt: str, known: Sequence[str] = ()) -> str:
        self.asked = self.printed = self.printed + 1
        return str(self._session.prompt(prompt, completer=_completer(known)))

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


def _completer(known: Sequence[str]) -> Any:
    from prompt_toolkit.completion import Completer, Completion

    class AnswerCompleter(Completer):
        """What may stand after the last semicolon of the line."""

        def get_completions(self, document: Any, complete_event: Any) -> Any:
            begun = document.text_before_cursor.rpartition(";")[2].lstrip()
            return [
                Completion(clean(found), start_position=-len(begun))
                for found in candidates(begun, known)
            ]

    return AnswerCompleter()


def open_screen(*, plain: bool) -> Screen:
    """The screen for this terminal: plain lines where it is asked for, or where the terminal can do
    no more."""
    is_simple = os.name == "posix" and os.environ.get("TERM", "") in ("", "dumb", "unknown")
    return PlainScreen() if plain or is_simple else TerminalScreen()
