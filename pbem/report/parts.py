"""Facts put together from parts: whoever holds a part has the part's names, for templates and for
JSON, as if they were their own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


class Part:
    """A dataclass whose fields are named beside those of whoever holds it."""


def flat(facts: Any) -> dict[str, object]:
    """The fields of a dataclass by their names, those of its parts where the part stands. Raises
    `ValueError` if two of them have one name."""
    names: dict[str, object] = {}
    for name, value in _fields(facts):
        if name in names:
            raise ValueError(f'"{name}" stands in a part and beside it')
        names[name] = value
    return names


def _fields(facts: Any) -> Iterator[tuple[str, object]]:
    for name in facts.__dataclass_fields__:
        value = getattr(facts, name)
        if isinstance(value, Part):
            yield from _fields(value)
        else:
            yield name, value
