"""The page of help about a game, as `pbem help GAME` has it: what its `help` says, and its page of
docs/ as HTML."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.token import Token

from pbem.errors import Usage
from pbem.games import registry
from pbem.report import pages

_COMMENT = re.compile(r"<!--.*?-->\n?", re.DOTALL)
"""What a page says to those who write it."""
_PAGE = re.compile(r"([a-z-]+)\.md(?:#.*)?\Z")


@dataclass(frozen=True)
class HelpPage:
    """`game` is the one that it is about, if it is about one; `brief` is plain text; `html` is made
    of a page of ours alone, without any HTML of its own."""

    title: str
    game: str
    brief: str
    html: str


def page(topic: str) -> HelpPage:
    """What there is to read about a game, or a page of docs/. Raises `Usage` if the word names
    nothing."""
    game = registry.find_installed(topic)
    descriptor = game.descriptor if game is not None else None
    found = pages.find(topic) if descriptor is None else pages.of_game(topic)
    brief = ""
    if descriptor is not None and descriptor.help is not None:
        brief = (descriptor.templates / descriptor.help).read_text(encoding="utf-8")
    if found is None and not brief:
        raise Usage(f'there is no page about "{topic[:40]}"')
    title = topic if found is None else found.title
    if descriptor is not None:
        title = registry.title(topic)
    return HelpPage(
        title,
        topic if descriptor is not None else "",
        brief,
        "" if found is None else _html(pages.text(found)),
    )


def _html(markdown: str) -> str:
    """A page as HTML: links between pages lead to those of the table, pictures are left out."""
    made = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = made.parse(_COMMENT.sub("", markdown))
    for at, token in enumerate(tokens):
        if token.type == "th_open" and not tokens[at + 1].content:
            token.tag = tokens[at + 2].tag = "td"  # a heading of nothing
        token.children = _followed(token.children) if token.children else token.children
    return str(made.renderer.render(tokens, made.options, {}))


def _followed(tokens: Sequence[Token]) -> list[Token]:
    kept = [token for token in tokens if token.type != "image"]
    for token in kept:
        if token.type == "link_open":
            match = _PAGE.match(str(token.attrGet("href")))
            token.attrs = {"href": f"/help/{match[1]}"} if match is not None else {}
    return kept
