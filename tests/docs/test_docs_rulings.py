"""The rulings on the pages of the games are those that the code cites by number: all of them, and
no others."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = ("tripoli", "solitaire", "loot", "paradise", "backgammon")
NOT_CITED = "*(not in the code)*"
"""What a ruling ends with that no line of code can carry."""

_BY_NAME = re.compile(
    r"(solitaire\s+|loot\s+|paradise\s+|backgammon\s+)?rulings?\s+([0-9]+(?:(?:,\s+|\s+and\s+)[0-9]+)*)"
)
_IN_BRACKETS = re.compile(r"\[([0-9]+(?:,\s+[0-9]+)*)\]")
_RULING = re.compile(r"^([0-9]+)\. (.*(?:\n(?:   .*)?(?=\n|\Z))*)", re.MULTILINE)

Citation = tuple[str, int]


def prose(source: str) -> Iterator[str]:
    """Docstrings (of constants too) and comments: code like `left[0]` cites nothing."""
    for node in ast.walk(ast.parse(source)):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            yield node.value.value
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.string


def citations(source: str, folder: str) -> Iterator[Citation]:
    """Pages and numbers of the rulings that a module cites. In the modules of Loot numbers stand in
    brackets."""
    if "ruling" not in source and folder != "loot":
        return  # as in most modules: to take all of them apart takes a second
    for text in prose(source):
        for page, numbers in _BY_NAME.findall(text):
            for number in re.findall("[0-9]+", numbers):
                yield page.strip() or ("loot" if folder == "loot" else "tripoli"), int(number)
        if folder == "loot":
            for numbers in _IN_BRACKETS.findall(text):
                for number in re.findall("[0-9]+", numbers):
                    yield "loot", int(number)


def rulings(page: str) -> list[tuple[int, str]]:
    """The numbered rulings of a page, in its order."""
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    section = re.split(r"^## (?:Our r|R)ulings.*$", text, flags=re.MULTILINE)[1]
    section = re.split(r"^## ", section, flags=re.MULTILINE)[0]
    return [(int(number), words) for number, words in _RULING.findall(section)]


@pytest.fixture(scope="module")
def cited() -> dict[Citation, str]:
    """Every ruling that is cited, with a module that does."""
    found: dict[Citation, str] = {}
    for path in sorted([*ROOT.glob("engine/**/*.py"), *ROOT.glob("pbem/**/*.py")]):
        for citation in citations(path.read_text(encoding="utf-8"), path.parent.name):
            found[citation] = path.relative_to(ROOT).as_posix()
    return found


@pytest.mark.parametrize("page", PAGES)
def test_rulings_are_numbered_from_one_without_a_gap(page: str) -> None:
    numbers = [number for number, _ in rulings(page)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) >= 12


@pytest.mark.parametrize("page", PAGES)
def test_every_ruling_that_is_cited_stands_on_the_page(
    page: str, cited: dict[Citation, str]
) -> None:
    known = {number for number, _ in rulings(page)}
    lost = {
        number: module
        for (where, number), module in cited.items()
        if where == page and number not in known
    }
    assert not lost, f"docs/{page}.md has no such rulings: {lost}"


@pytest.mark.parametrize("page", PAGES)
def test_every_ruling_is_cited_or_marked(page: str, cited: dict[Citation, str]) -> None:
    uncited = {
        number
        for number, words in rulings(page)
        if (page, number) not in cited and NOT_CITED not in words
    }
    assert not uncited, (
        f"cite these rulings of docs/{page}.md where the code follows them, or end them with"
        f" {NOT_CITED}"
    )


@pytest.mark.parametrize("page", PAGES)
def test_no_ruling_is_marked_although_it_is_cited(page: str, cited: dict[Citation, str]) -> None:
    assert not [
        number for number, words in rulings(page) if NOT_CITED in words and (page, number) in cited
    ]


def test_steps_that_the_program_tells_quote_rulings_of_the_page() -> None:
    """In `engine/paradise` a step carries the number of its ruling as an argument."""
    known = {number for number, _ in rulings("paradise")}
    sources = [
        path.read_text(encoding="utf-8")
        for path in sorted((ROOT / "engine" / "paradise").glob("*.py"))
    ]
    told = {
        int(number) for source in sources for number in re.findall(r"\.tell\(([0-9]+),", source)
    }
    assert len(told) > 12 and told <= known


def test_departures_from_the_book_are_called_so() -> None:
    departures = [
        words for page in PAGES[:2] for _, words in rulings(page) if "*Departure" in words
    ]
    told = Counter(topic for words in departures for topic in DEPARTURES if topic in words)
    assert told == Counter(DEPARTURES)
    assert len(departures) == len(DEPARTURES)


DEPARTURES = (
    "not moved by itself",
    "Yusuf Qaramanli",
    "the higher counts",
    "Sweden Pays Tribute",
    "`quick-hand-limit`",
)
"""Rulings that do something else than the book: pointless moves, stopping early, two dice for one,
1803, an option."""


def test_citations_are_found_where_they_stand() -> None:
    source = (
        '"""One (rulings 3 and 4)."""\nx = [5]  # ruling 6\ny = "ruling 7"\n"""As told'
        ' (solitaire\nruling 12)."""'
    )
    assert set(citations(source, "tripoli")) == {
        ("tripoli", 3),
        ("tripoli", 4),
        ("tripoli", 6),
        ("solitaire", 12),
    }
    assert set(citations('"""Bound there [1, 27]."""\nx = [5]', "loot")) == {
        ("loot", 1),
        ("loot", 27),
    }
