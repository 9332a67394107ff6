"""Lines of a turn file to values and back: a small part of TOML, in one spelling only
(docs/format.md, section 2).

Every turn file is valid TOML and any TOML library reads the same values. We do not hand it to one:
its bytes come from outside, and a general parser takes seconds on a hostile file. Here each line is
bounded and matched as it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from pbem.errors import Malformed
from pbem.fileformat.characters import FORBIDDEN

Value: TypeAlias = str | int | list[str]
Fields: TypeAlias = dict[str, Value]

MAX_LINE = 8192
"""Characters in one line."""
MAX_ELEMENTS = 512
"""Strings in one array."""

_ALLOWED = rf'[^"\\{FORBIDDEN}]'
_TEXT = rf'"([ !#-\[\]-~]*+{_ALLOWED}*(?:\\["\\n]{_ALLOWED}*)*)"'
"""A quoted string. What it begins with is nearly always all of it, and found much faster for being
ASCII only."""
_KEY = "[a-z][a-z0-9-]{0,31}"
_STRING = re.compile(rf"({_KEY}) = {_TEXT}\Z")
_NUMBER = re.compile(rf"({_KEY}) = (0|[1-9][0-9]{{0,8}})\Z")
_ARRAY = re.compile(rf"({_KEY}) = \[\Z")
_ELEMENT = re.compile(rf"  {_TEXT},\Z")
_ESCAPE = re.compile(r"\\(.)")
_UNESCAPED = {'"': '"', "\\": "\\", "n": "\n"}
_NOT_ALLOWED = re.compile(f"[{FORBIDDEN}]")


def _unescape(text: str) -> str:
    return _ESCAPE.sub(lambda match: _UNESCAPED[match[1]], text) if "\\" in text else text


def write_string(text: str) -> str:
    """The quoted string. Raises `ValueError` where the text holds a character that no turn file may
    hold."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    if not (escaped.isascii() and escaped.isprintable()) and _NOT_ALLOWED.search(escaped):
        raise ValueError("characters that nobody sees, or that command a terminal, are not allowed")
    return f'"{escaped}"'


def write_fields(fields: Mapping[str, Value]) -> str:
    """The lines of these keys and values, in the order given."""
    lines: list[str] = []
    for key, value in fields.items():
        if isinstance(value, str):
            lines.append(f"{key} = {write_string(value)}\n")
        elif isinstance(value, int):
            lines.append(f"{key} = {value}\n")
        else:
            elements = "".join(f"  {write_string(element)},\n" for element in value)
            lines.append(f"{key} = [\n{elements}]\n")
    return "".join(lines)


class Lines:
    """The lines of a file with their numbers, read once from the top; none is made before its turn
    comes, since a file of nothing but line ends would take many times its size."""

    def __init__(self, text: str, number: int = 0) -> None:
        """`number`: lines before these."""
        if text and not text.endswith("\n"):
            where = f"line {number + text.count(chr(10)) + 1}"
            raise Malformed("the last line does not end", where=where, hint=TORN)
        self._text = text
        self._place = 0
        self.number = number

    def __bool__(self) -> bool:
        return self._place < len(self._text)

    def may_be_field(self) -> bool:
        """Whether there is a next line that is neither empty nor opens a table."""
        return self._text[self._place : self._place + 1] not in ("", "\n", "[")

    def take(self) -> str:
        """The next line. Raises `Malformed` at the end of the file or if the line is too long."""
        start = self._place
        end = self._text.find("\n", start)
        if end < 0:
            self.check_more()
        line = self._text[start:end]
        self._place = end + 1
        self.number += 1
        if end - start > MAX_LINE:
            raise self.error(f"a line of {len(line)} characters, {MAX_LINE} are allowed", "limit")
        return line

    def check_more(self) -> None:
        """Raise `Malformed` at the end of the file."""
        if not self:
            raise Malformed("the file ends in the middle of a turn", where=self.where(), hint=TORN)

    def expect(self, text: str) -> None:
        """Take the next line, which must be `text`."""
        if self.take() != text:
            raise self.error(f'expected "{text}"' if text else "expected an empty line")

    def where(self) -> str:
        return f"line {max(self.number, 1)}"

    def error(self, what: str, layer: str = "") -> Malformed:
        """A `Malformed` about the line just taken; its layer is *limit* where a bound is passed."""
        return Malformed(what, where=self.where(), hint=ASK_AGAIN, layer=layer)


NO_TURN = (
    "give the turn file (.toml), or the mail that carried it; if this is it, ask the sender for it"
    " again"
)
TORN = "the file is incomplete; ask for it again"
ASK_AGAIN = "this is not as it was written; ask the sender for the file again"


def read_fields(lines: Lines) -> Fields:
    """Keys and values up to the next line that is empty or opens a table.

    Raises `Malformed` at the first line our writer would not have written.
    """
    fields: Fields = {}
    for key, value in _pairs(lines):
        if key in fields:
            raise lines.error(f'the key "{key}" stands twice')
        fields[key] = value
    return fields


def _pairs(lines: Lines) -> Iterator[tuple[str, Value]]:
    while lines.may_be_field():
        line = lines.take()
        if match := _STRING.match(line):
            yield match[1], _unescape(match[2])
        elif match := _NUMBER.match(line):
            yield match[1], int(match[2])
        elif match := _ARRAY.match(line):
            yield match[1], _elements(lines)
        else:
            raise lines.error("not a key with a string, a number or a list as pbem writes it")


def _elements(lines: Lines) -> list[str]:
    elements: list[str] = []
    while (line := lines.take()) != "]":
        match = _ELEMENT.match(line)
        if match is None:
            raise lines.error("not an element of a list as pbem writes it")
        elements.append(_unescape(match[1]))
        if len(elements) > MAX_ELEMENTS:
            raise lines.error(f"a list of more than {MAX_ELEMENTS} elements", "limit")
    if not elements:
        raise lines.error("an empty list, which pbem leaves out")
    return elements
