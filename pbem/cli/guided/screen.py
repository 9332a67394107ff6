"""Where a turn is led: a terminal with a line to edit and completion, or plain lines for a screen
reader.

Every text passes `clean` before it is printed: nothing in a file, a home or a name can make the
terminal do anything."""

from __future__ import annotations

import shutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from pbem.cli.streams import tell
from pbem.english import folded
from pbem.errors import Refused
from pbem.fileformat.characters import without_hidden

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
        self.show("\n".join(f"{left.removesuffix(':')}: {right}" for left, right in rows))

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
