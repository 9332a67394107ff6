"""The pages of the table and what their buttons do: functions from a request to an answer, found by
their address. Each answer is a whole page, or its main part where the page asks for that, so that
everything works without JavaScript as well, but for dropping files."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from pbem import files
from pbem.errors import PbemError, Refused, worded_by
from pbem.files import shipped
from pbem.games import plugins, registry
from pbem.home import clock
from pbem.home.memory import ForgottenTurn
from pbem.report import picture, render
from pbem.table import drawing, home_page, request
from pbem.table.clicked import clicked, clicked_or_typed
from pbem.table.home_page import in_words
from pbem.table.open_games import OpenGames
from pbem.table.pages import Pages
from pbem.table.request import PageAnswer, PageRequest

if TYPE_CHECKING:
    from pbem.table.game_routes import GamePages

# Imported late: the pages of a game, which the list of games does without, help, and seeks.

_FOLDERS = ("stage", "table")
_KINDS = {"js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8"}
_OF_GAMES = re.compile(r"/(?:game/|watch/|new\Z)")
"""What the addresses begin with that `pbem.table.game_routes` answers."""
_GAME_PAGE = re.compile(r"/game/[a-z0-9-]+\Z")


class Table(Pages):
    """The pages of one home, each found by its address."""

    def __init__(self, games: OpenGames, *, in_page: bool = False, sample: bool = False) -> None:
        super().__init__(games, in_page=in_page, sample=sample)
        self._of_games: GamePages | None = None
        self._had_key = False
        self._held = b""  # what a newcomer was sent, until they say who they are
        self._addresses = request.addresses(
            ("GET", "/find", self._find),
            ("POST", "/find/(seek|answer|taken)", self._find_do),
            ("GET", "/", self._home),
            ("POST", request.TAKE, self._take),
            ("GET", "/help/([^/]+)", self._help),
            ("POST", "/name", self._name),
            ("GET", "/came", self._came),
            ("GET", r"/sample/([a-z0-9-]+)\.svg", self._sample_board),
            ("POST", "/clock", self._clock),
            ("GET", "/static/([^/]+)", self._static),
            ("GET", r"/style/([^/]+)\.css", self._style),
        )

    def game_pages(self) -> GamePages:
        """The pages of its games, loaded when they are asked for first."""
        if self._of_games is None:
            from pbem.table.game_routes import GamePages

            self._of_games = GamePages(self)
        return self._of_games

    def answer(self, asked: PageRequest) -> PageAnswer:
        """The answer to a request, in the words of the table. If anything is wrong with a game or
        the home, it is a page that says so."""
        with worded_by(clicked if self.in_page else clicked_or_typed):
            return self._answer(asked)

    def _answer(self, asked: PageRequest) -> PageAnswer:
        method = "GET" if asked.method == "HEAD" else asked.method
        pages = self.game_pages().addresses if _OF_GAMES.match(asked.path) else self._addresses
        found = [
            (taken, page, match) for taken, path, page in pages if (match := path.match(asked.path))
        ]
        for taken, page, match in found:
            if taken == method:
                try:
                    self._check_home()
                    return page(asked, *match.groups())
                except PbemError as error:
                    forgotten = (
                        match[1] if isinstance(error, ForgottenTurn) and match.re.groups else ""
                    )
                    return self._failed(asked, error, forgotten)
                except Exception as error:
                    if (known := plugins.failure(error)) is None:
                        raise
                    return self._failed(asked, known)
        return request.html("", 405 if found else 404)

    def _failed(self, asked: PageRequest, error: PbemError, forgotten: str = "") -> PageAnswer:
        return self.page(asked, "table/failed.html.j2", _Failed(in_words(error), forgotten), 404)

    def _check_home(self) -> None:
        """Raise `Refused` if the home that was here when the table began is gone: nobody is to
        begin another one in its place unawares."""
        home = self.games.home
        self._had_key = self._had_key or home.has_identity()
        if self._had_key and not self.in_page and home_page.is_newcomer(home):
            raise Refused(
                f"the home lies in {files.printable(home.folder)} no more: it was moved, renamed or"
                " deleted",
                hint="end this table, and start it again for the folder in which the home lies now",
            )

    # Pages

    def _home(self, asked: PageRequest) -> PageAnswer:
        return self.page(asked, "table/home.html.j2", home_page.page(self.games.home))

    def _help(self, asked: PageRequest, topic: str) -> PageAnswer:
        from pbem.table import help_page

        return self.page(asked, "table/help.html.j2", help_page.page(topic[:40]))

    def _find(self, asked: PageRequest) -> PageAnswer:
        place = "" if self.in_page else asked.query.get("place", "").strip()[:1000]
        found = _finding().page(self.games.home, place)
        return self.page(asked, "table/find.html.j2", found)

    def _static(self, _asked: PageRequest, name: str) -> PageAnswer:
        path = _static_files().get(name)
        if path is None:
            return request.html("", 404)
        return request.data(path.read_bytes(), _KINDS.get(name.rpartition(".")[2], "font/ttf"))

    # Buttons

    def _name(self, asked: PageRequest) -> PageAnswer:
        """Who plays here: asked of somebody who is new, before they go on with what they were
        sent."""
        home = self.games.home
        if not self._held:
            return request.leads_to("/")
        try:
            home_page.introduce(home, asked.fields)
        except PbemError as error:
            page = home_page.came(self._held, asked.fields, in_words(error))
            return self.page(asked, "table/came.html.j2", page)
        taken = home_page.take(home, self._held, "what you were sent")
        self._held = b""
        return request.leads_to(f"/game/{taken.game}" if taken.game else "/")

    def _find_do(self, asked: PageRequest, what: str) -> PageAnswer:
        """Write a seek, answer one, or end one of the player's own."""
        find_somebody = _finding()
        home, folder, form = self.games.home, self.games.folder, asked.fields
        place = "" if self.in_page else form.get("place", "")[:1000]
        written, refusal = None, None
        try:
            if what == "answer":
                seek, invited = find_somebody.answered(home, form)
                return self.game_pages().answering(seek, invited)
            do = find_somebody.sought if what == "seek" else find_somebody.ended
            written = do(home, form, folder)
        except PbemError as error:
            refusal = error
        page = find_somebody.page(home, place, entered=form, refusal=refusal, written=written)
        return self.page(asked, "table/find.html.j2", page)

    def _came(self, asked: PageRequest) -> PageAnswer:
        return self.page(asked, "table/came.html.j2", home_page.came(self._held, {}))

    def _clock(self, asked: PageRequest) -> PageAnswer:
        """The player confirms that the clock is right, and goes on where it was doubted."""
        clock.confirm(self.games.home.folder)
        to = asked.fields.get("to", "")
        return request.leads_to(to if _GAME_PAGE.match(to) else "/")

    def _take(self, asked: PageRequest) -> PageAnswer:
        """Take in a file that was dropped or a text that was pasted."""
        where = Path(asked.query.get("name", "")[:200]).name or "what was pasted"
        try:
            if (taken_in := self.take_seeks(asked.file)) is not None:
                return taken_in
            if home_page.is_newcomer(self.games.home):
                self._held = home_page.one_turn(asked.file, where)
                return request.facts({"page": "/came"})
            if "with" in asked.query and not (
                "dropped" in asked.query and home_page.belongs_here(self.games.home, asked.file)
            ):
                return request.facts(self.game_pages().attach(asked))
            taken = home_page.take(self.games.home, asked.file, where)
        except PbemError as error:
            return request.facts({"error": in_words(error)}, 400)
        text = render.render("table/taken.txt.j2", {"items": taken.items}, self.own)
        is_new = all(item.kind == "new" for item in taken.items)
        return request.facts({"game": taken.game, "new": is_new, "told": render.lines(text)})

    def take_seeks(self, data: bytes) -> PageAnswer | None:
        """Take in the seeks in what holds no turn; None where there is none."""
        if b"seek" not in data.lower() or home_page.holds_turn(data):
            return None
        told = _finding().take_in(self.games.home, data)
        return request.facts({"told": [told], "page": "/find"}) if told else None

    def _sample_board(self, _asked: PageRequest, game: str) -> PageAnswer:
        found = registry.find_installed(game)
        is_known = found is not None and found.descriptor is not None
        return drawing.as_answer(drawing.sample_scene(game) if is_known else "")

    def _style(self, _asked: PageRequest, name: str) -> PageAnswer:
        style = self.styles.get(name)
        return (
            request.html("", 404)
            if style is None
            else request.data(style.encode(), "text/css; charset=utf-8")
        )


@dataclass(frozen=True)
class _Failed:
    """What could not be shown. `forgotten` names the page of a game in which the home does not
    remember turns of its player."""

    what: str
    forgotten: str


def _finding() -> ModuleType:
    """What looks for somebody to play with, loaded when it is asked for."""
    from pbem.table import find_somebody

    return find_somebody


@cache
def _static_files() -> Mapping[str, Path]:
    """Scripts, styles and letters of the pages, by their names."""
    own = {
        path.name: path
        for folder in _FOLDERS
        for kind in _KINDS
        for path in (shipped() / folder).glob(f"*.{kind}")
    }
    return own | {name: picture.DATA / name for name in picture.FONTS}
