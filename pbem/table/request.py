"""What the table's pages are asked and what they answer: plain values, however they are brought
here.

A server on this machine (`server.py`) reads them from a connection; a page that runs the program
itself makes them from what its forms send.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import parse_qsl

Headers = Sequence[tuple[str, str]]
"""Names in small letters with their values, in the order in which they came; a name may occur
several times."""

MAX_FORM = 100_000
MAX_FILE = 26_000_000
MAX_FIELDS = 200
TAKE = "/take"
"""The one address that takes a file as it is; all others take the fields of a form."""


@dataclass(frozen=True)
class PageRequest:
    """One request. `path` is decoded; `query` and `fields` hold the last value of each name; `file`
    is what was dropped or pasted. `is_part`: the page puts the answer in place of its own main
    part; `has` are the digests of the parts that the page has."""

    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, str] = field(default_factory=dict)
    file: bytes = b""
    is_part: bool = False
    has: frozenset[str] = frozenset()


@dataclass(frozen=True)
class PageAnswer:
    """One answer: the status of HTTP, headers by name, and the bytes."""

    status: int
    headers: Mapping[str, str]
    body: bytes


Page = Callable[..., PageAnswer]
"""A function that answers one address: from the request, and the parts of the path that name
something."""


def addresses(*pages: tuple[str, str, Page]) -> list[tuple[str, re.Pattern[str], Page]]:
    """Pages by method and whole path, whose parts in parentheses they are given."""
    return [(method, re.compile(rf"{path}\Z"), page) for method, path, page in pages]


def html(text: str, status: int = 200, **headers: str) -> PageAnswer:
    """A page. Further headers are written with underscores."""
    more = {name.replace("_", "-"): value for name, value in headers.items()}
    return PageAnswer(status, {"content-type": "text/html; charset=utf-8", **more}, text.encode())


def plain(text: str, status: int) -> PageAnswer:
    """An answer of plain text."""
    return PageAnswer(status, {"content-type": "text/plain; charset=utf-8"}, text.encode())


def facts(table: Mapping[str, object], status: int = 200) -> PageAnswer:
    """An answer of facts, as JSON for a script."""
    text = json.dumps(table, ensure_ascii=False, separators=(",", ":"))
    return PageAnswer(status, {"content-type": "application/json"}, text.encode())


def data(body: bytes, kind: str, **headers: str) -> PageAnswer:
    """A file, of this media type. Further headers are written with underscores."""
    return PageAnswer(
        200,
        {
            "content-type": kind,
            **{name.replace("_", "-"): value for name, value in headers.items()},
        },
        body,
    )


def leads_to(path: str) -> PageAnswer:
    """An answer that leads the browser to another page of the table."""
    return PageAnswer(303, {"location": path}, b"")


def most_bytes(path: str) -> int:
    """The most bytes that may come with a request for this path."""
    return MAX_FILE if path == TAKE else MAX_FORM


def too_long(path: str) -> PageAnswer:
    """The answer to a request that brings more."""
    return (
        facts({"error": "too large for a mail or a turn file"}, 413)
        if path == TAKE
        else html("", 413)
    )


def read_request(
    method: str, path: str, query: str, headers: Headers, body: bytes
) -> PageRequest | None:
    """A request, made of its parts as HTTP has them; None if what should be a form is none, or too
    long."""
    try:
        asked = dict(parse_qsl(query, keep_blank_values=True, max_num_fields=MAX_FIELDS))
        is_form = method == "POST" and path != TAKE
        fields = (
            dict(parse_qsl(body.decode("ascii"), keep_blank_values=True, max_num_fields=MAX_FIELDS))
            if is_form
            else {}
        )
    except ValueError:
        return None
    is_part = ("table-part", "1") in headers
    has = frozenset(
        digest for name, value in headers if name == "table-has" for digest in value.split()
    )
    return PageRequest(method, path, asked, fields, b"" if is_form else body, is_part, has)
