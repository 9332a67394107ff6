"""The pages of docs/ as they come with the program."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pbem.errors import Usage

FIRST = "start"
"""The page that is opened where none is named."""
FOR_PLAYERS = (
    *("turn", "table", "mail", "seek", "league", "web", "messenger", "trust", "commands"),
    "library",
)
"""Pages that are about no game, in the order in which they are listed, after those of the games."""
FOR_PROGRAMS = ("write-a-game", "json", "format", "contributing", "release", "design")
"""Pages for whoever writes games or programs: the word opens them, but players get no list of
them."""


@dataclass(frozen=True)
class Page:
    """A page: the word that names it, and its heading."""

    KEYS = ("topic", "title")
    topic: str
    title: str
    path: Path
    """Where it lies."""


@dataclass(frozen=True)
class TopicList:
    """The pages for players."""

    pages: list[Page]


@dataclass(frozen=True)
class HelpText:
    """What a topic says: a page in Markdown, or a command's or a game's help as plain text."""

    topic: str
    text: str


def folder() -> Path:
    """Where the pages lie: inside the package when installed, beside it in a checkout."""
    package = Path(__file__).parents[1]
    inside = package / "docs"
    return inside if inside.is_dir() else package.parent / "docs"


def pages() -> list[Page]:
    """Every page, in the order in which they are listed: the first one, the games by the alphabet,
    then what concerns all, from what everybody needs to what few do."""
    found = [Page(path.stem, _title(path), path) for path in folder().glob("*.md")]
    known = {topic: number for number, topic in enumerate((*FOR_PLAYERS, *FOR_PROGRAMS))}
    known[FIRST] = -2
    return sorted(found, key=lambda page: (known.get(page.topic, -1), page.topic))


def find(topic: str) -> Page | None:
    """The page that a topic names, cut short if only one fits. Raises `Usage` if several do."""
    wanted = topic.casefold()
    every = pages()
    found = [page for page in every if page.topic == wanted]
    found = found or [page for page in every if wanted and page.topic.startswith(wanted)]
    if len(found) > 1:
        raise Usage(
            f'"{topic[:40]}" could be {", ".join(page.topic for page in found)}',
            hint="type more of the topic",
        )
    return found[0] if found else None


def of_game(game: str) -> Page | None:
    """The page of a game, which it may share with another form of it."""
    return find(game) or find(game.rpartition("-")[2])


def text(page: Page) -> str:
    """The page as it was written, in Markdown."""
    return page.path.read_text(encoding="utf-8")


def _title(path: Path) -> str:
    with path.open(encoding="utf-8") as page:
        return page.readline().lstrip("# ").strip()
