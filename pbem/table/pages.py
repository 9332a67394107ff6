"""What each page of the table is made by: its template and its facts, for the place it is shown
in."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from pbem.home import place
from pbem.report import render
from pbem.table import parts, request
from pbem.table.drawing import PageBoard
from pbem.table.open_games import OpenGames
from pbem.table.request import PageAnswer, PageRequest

_STYLE = re.compile(r"<style[^>]*>(.*?)</style>", re.DOTALL)
_IN_PAGE = (
    (' href="/style/', ' data-href="/style/'),
    (' href="/', ' href="#/'),
    (' src="/', ' data-src="/'),
)
"""The addresses of the table where the page itself runs the program: nothing there may ask a server
for them."""


class Pages:
    """The pages of one home; files are written to the folder of its open games. It takes one
    request at a time: whoever serves it to several sees to that. `in_page`: the page itself runs
    the program, so there is no terminal and no folder to speak of. `in_chat`: it does so in a chat,
    to which turns go by themselves, so there is no mail to speak of. `sample`: its game is one to
    try, of which nothing is signed or sent. `own` is the folder of the player's own templates,
    `styles` are those of the pictures that were shown, by name."""

    def __init__(self, games: OpenGames, *, in_page: bool, sample: bool) -> None:
        self.games = games
        self.in_page, self.in_chat = in_page, False
        self._sample = sample
        self.own: Path = games.home.folder / "templates"
        self.styles: dict[str, str] = {}
        self._newest_part: tuple[tuple[object, ...], str] = ((), "")

    def page(
        self, asked: PageRequest, template: str, facts: object, status: int = 200
    ) -> PageAnswer:
        """A page, or the parts of one that have changed, from its template and its facts."""
        names = {**render.names_of(facts), "is_part": asked.is_part, "sample": self._sample}
        names |= {"in_page": self.in_page, "in_chat": self.in_chat}
        folder = self.games.home.folder
        names["once"] = self._once
        names["stopped"] = str(place.warning(folder) or "") if place.signs_nothing(folder) else ""
        if isinstance(drawn := names.get("drawn"), PageBoard):
            ground, flat = self._with_links(drawn.ground), self._with_links(drawn.drawing)
            names["drawn"] = replace(drawn, ground=ground, drawing=flat)
        page = render.render(template, names, self.own)
        page = self._in_page_links(page)
        if not parts.has_parts(page):
            return request.html(page, status)
        if asked.is_part:
            return request.facts(parts.changed(page, asked.has), status)
        return request.html(parts.named(page), status)

    def _once(self, *facts: object, caller: Callable[[], str]) -> str:
        """A part of the page of a game that hangs on nothing but these facts: with the same ones
        as the last time it is the text of the last time. How long ago something was is a fact."""
        if self._newest_part[0] != facts:
            self._newest_part = facts, caller()
        return self._newest_part[1]

    def _in_page_links(self, text: str) -> str:
        for here, there in _IN_PAGE if self.in_page else ():
            text = text.replace(here, there)
        return text

    def _with_links(self, svg: str) -> str:
        """A picture whose style sheets are replaced by links before it: the policy takes styles
        from the table's own addresses alone. A page keeps them, so the classes in them have names
        of their own: a selector that names what lies around would not hold in a symbol."""
        links = ""
        for style in _STYLE.findall(svg):
            name = hashlib.sha256(style.encode()).hexdigest()[:32]
            self.styles[name] = style
            links += f'<link rel="stylesheet" href="/style/{name}.css">'
        return links + _STYLE.sub("", svg)
