"""The pages of the table and what their buttons do: routes only. Each answer is a whole page, or its main part where
the page asks for that (`Table-Part`), so that everything works without JavaScript as well, but for dropping files."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qsl

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from pbem.errors import PbemError
from pbem.games.templates import shipped
from pbem.home.game_index import short_name
from pbem.mail import settings
from pbem.report import picture, render
from pbem.table import game_page, home_page, mail_preview, turn_steps
from pbem.table.game_page import Told
from pbem.table.home_page import in_words, number_in
from pbem.table.look_back import Story
from pbem.table.open_games import OpenGame, OpenGames
from pbem.turn import turn_files

MAX_FORM = 100_000
MAX_UPLOAD = 26_000_000
_SCRIPTS = ("table.js", "look_back.js", "take.js")
_STATIC = {
    **dict.fromkeys(_SCRIPTS, "text/javascript"),
    "table.css": "text/css",
    **dict.fromkeys(picture.FONTS, "font/ttf"),
}
_STYLE = re.compile(r"<style[^>]*>(.*?)</style>", re.DOTALL)


class Table:
    """The application of one home; what is written goes to `folder`."""

    def __init__(self, games: OpenGames) -> None:
        self.games = games
        self._own: Path = games.home.folder / "templates"
        self._story: Story | None = None  # of the game that was looked back at last
        self._styles: dict[str, str] = {}
        name = "/game/{name:str}"
        self.app = Starlette(
            routes=[
                Route("/", self._locked(self._home)),
                Route("/take", self._take, methods=["POST"]),
                Route("/help/{topic:str}", self._locked(self._help)),
                Route("/new", self._form(self._new), methods=["POST"]),
                Route(name, self._locked(self._game)),
                Route(name + "/do", self._form(self._do), methods=["POST"]),
                Route(name + "/news", self._locked(self._news)),
                Route(name + "/entry/{number:str}", self._locked(self._entry)),
                Route(name + "/preview", self._locked(self._preview)),
                Route(name + "/file/{file:str}", self._locked(self._file)),
                Route(name + "/replay.html", self._locked(self._replay)),
                Route("/static/{file:str}", self._static),
                Route("/style/{name:str}.css", self._style),
            ]
        )

    # Pages

    def _home(self, request: Request) -> Response:
        return self._page(request, "table/home.html.j2", home_page.page(self.games.home))

    def _help(self, request: Request) -> Response:
        from pbem.table import help_page

        return self._page(request, "table/help.html.j2", help_page.page(str(request.path_params["topic"])[:40]))

    def _game(self, request: Request) -> Response:
        return self._shown(request, self._find(request), Told())

    def _shown(self, request: Request, game: OpenGame, told: Told) -> Response:
        try:
            can_send = (found := settings.read(self.games.home)).send is not None or bool(found.program)
        except PbemError:
            can_send = False
        return self._page(request, "table/game.html.j2", game_page.page(game, told, can_send=can_send))

    def _entry(self, request: Request) -> Response:
        game = self._find(request)
        number = number_in(str(request.path_params["number"]))
        if self._story is None or self._story.data != game.data:
            self._story = Story(game)
        return self._page(request, "table/entry.html.j2", self._story.page(game.name, -1 if number is None else number))

    def _news(self, request: Request) -> Response:
        return JSONResponse({"mark": self._find(request).mark()})

    def _preview(self, request: Request) -> Response:
        game = self._find(request)
        if game.turn is None:
            return HTMLResponse("", 404)
        html = mail_preview.document(game, game.turn.preview().game, self.games.home)
        return HTMLResponse(html, headers={"Content-Security-Policy": mail_preview.POLICY})

    def _file(self, request: Request) -> Response:
        written = self._find(request).written
        for path in (written.file, written.summary, written.mail) if written is not None else ():
            if path is not None and path.name == request.path_params["file"]:
                kind = "message/rfc822" if path.suffix == ".eml" else "application/octet-stream"
                return FileResponse(path, media_type=kind, filename=path.name)
        return HTMLResponse("", 404)

    def _replay(self, request: Request) -> Response:
        """The page that shows and checks the game, to be kept: it runs from disk, with a policy of its own."""
        from pbem.replay.page import page
        from pbem.replay.scenes import Replayed

        game = self._find(request)
        kept = {"Content-Disposition": f'attachment; filename="{short_name(game.opened.ledger)}.html"'}
        return HTMLResponse(page(game.data, Replayed(game.data)), headers=kept)

    def _static(self, request: Request) -> Response:
        name = request.path_params["file"]
        if name not in _STATIC:
            return HTMLResponse("", 404)
        folder = picture.DATA if name in picture.FONTS else shipped() / "table"
        return FileResponse(folder / name, media_type=_STATIC[name])

    # Buttons

    def _do(self, request: Request, form: dict[str, str]) -> Response:
        game, told = turn_steps.do(self.games, self._find(request), form)
        return self._shown(request, game, told)

    def _new(self, request: Request, form: dict[str, str]) -> Response:
        try:
            turn_files.check_folder(self.games.folder)
            data = home_page.invited(self.games.home, form)
            written = turn_files.write_turn(data, self.games.folder, self.games.home)
            game = self.games.open_path(written.file)
            game.written = written
        except PbemError as error:
            return self._page(request, "table/home.html.j2", home_page.page(self.games.home, refusal=in_words(error)))
        return RedirectResponse(f"/game/{game.name}", 303)

    async def _take(self, request: Request) -> Response:
        """A file that was dropped or a text that was pasted: its bytes as they are."""
        data = await _read_body(request, MAX_UPLOAD)
        if data is None:
            return JSONResponse({"error": "too large for a mail or a turn file"}, 413)
        name = Path(request.query_params.get("name", "")[:200]).name or "what was pasted"
        return await run_in_threadpool(self._taken, data, name)

    def _taken(self, data: bytes, name: str) -> Response:
        try:
            with self.games.lock:
                taken = home_page.take(self.games.home, data, name)
        except PbemError as error:
            return JSONResponse({"error": in_words(error)}, 400)
        told = render.render("table/taken.txt.j2", {"items": taken.items}, self._own)
        return JSONResponse({"game": taken.game, "told": render.lines(told)})

    # Inside

    def _find(self, request: Request) -> OpenGame:
        return self.games.find(str(request.path_params["name"])[:120])

    def _page(self, request: Request, template: str, facts: object, status: int = 200) -> Response:
        is_part = request.headers.get("table-part") == "1"
        names = {**vars(facts), "is_part": is_part}
        if "drawing" in names:
            names["drawing"] = self._with_links(str(names["drawing"]))
        return HTMLResponse(render.render(template, names, self._own), status)

    def _with_links(self, drawing: str) -> str:
        """A picture with links before it in place of the style sheets in it: the policy takes only those of the
        table."""
        links = ""
        for style in _STYLE.findall(drawing):
            name = hashlib.sha256(style.encode()).hexdigest()[:32]
            self._styles[name] = style
            links += f'<link rel="stylesheet" href="/style/{name}.css">'
        return links + _STYLE.sub("", drawing)

    def _style(self, request: Request) -> Response:
        style = self._styles.get(str(request.path_params["name"]))
        return HTMLResponse("", 404) if style is None else Response(style, media_type="text/css")

    def _locked(self, page: Callable[[Request], Response]) -> Callable[[Request], Response]:
        """A page that is made while no other one is: the games of a home are changed by one request at a time."""

        def made(request: Request) -> Response:
            with self.games.lock:
                try:
                    return page(request)
                except PbemError as error:
                    return self._failed(request, error)

        return made

    def _form(self, page: Callable[[Request, dict[str, str]], Response]) -> Callable[[Request], object]:
        """The same for what a button sends."""

        async def made(request: Request) -> Response:
            form = await _read_form(request)
            if form is None:
                return HTMLResponse("", 413)
            return await run_in_threadpool(self._locked(lambda asked: page(asked, form)), request)

        return made

    def _failed(self, request: Request, error: PbemError) -> Response:
        return self._page(request, "table/failed.html.j2", _Failed(in_words(error)), 404)


class _Failed:
    """What could not be shown."""

    def __init__(self, what: str) -> None:
        self.what = what


async def _read_body(request: Request, most: int) -> bytes | None:
    """What a request carries; None for more than so many bytes, of which the rest is not read."""
    data = bytearray()
    async for chunk in request.stream():
        data += chunk
        if len(data) > most:
            return None
    return bytes(data)


async def _read_form(request: Request) -> dict[str, str] | None:
    """The fields of a form; None for one that is too long or no form."""
    data = await _read_body(request, MAX_FORM)
    if data is None:
        return None
    try:
        return dict(parse_qsl(data.decode("ascii"), keep_blank_values=True, max_num_fields=200))
    except ValueError:
        return None
