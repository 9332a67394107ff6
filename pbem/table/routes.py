"""The pages of the table and what their buttons do: functions from a request to an answer, found by
their address. Each answer is a whole page, or its main part where the page asks for that, so that
everything works without JavaScript as well, but for dropping files."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from pbem import files
from pbem.errors import PbemError
from pbem.files import shipped
from pbem.home import clock, looked, place
from pbem.home.clock import ClockDoubt
from pbem.home.game_index import short_name
from pbem.home.memory import ForgottenTurn
from pbem.mail import settings
from pbem.report import facts as report_facts
from pbem.report import picture, render
from pbem.table import (
    drawing,
    film,
    game_page,
    home_page,
    mail_preview,
    parts,
    request,
    turn_steps,
)
from pbem.table.drawing import PageBoard
from pbem.table.game_page import Reply
from pbem.table.home_page import in_words, number_in
from pbem.table.look_back import Story
from pbem.table.open_games import OpenGame, OpenGames
from pbem.table.request import PageAnswer, PageRequest
from pbem.turn import joining, outgoing, signing
from pbem.turn.inbox import Inbox

# Imported late: pages that are seldom asked for.

_FOLDERS = ("stage", "table")
_KINDS = {"js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8"}
_STATIC = {
    **{
        path.name: path
        for folder in _FOLDERS
        for kind in _KINDS
        for path in (shipped() / folder).glob(f"*.{kind}")
    },
    **{name: picture.DATA / name for name in picture.FONTS},
}
"""Scripts, styles and letters of the pages, by their names."""
_STYLE = re.compile(r"<style[^>]*>(.*?)</style>", re.DOTALL)
_IN_PAGE = (
    (' href="/style/', ' data-href="/style/'),
    (' href="/', ' href="#/'),
    (' src="/', ' data-src="/'),
)
"""The addresses of the table where the page itself runs the program: nothing there may ask a server
for them."""
_GAME = r"/game/([^/]+)"
_GAME_PAGE = re.compile(r"/game/[a-z0-9-]+\Z")
_MAX_WRITTEN = 30_000_000
_MAX_SMALL = 60
"""Small boards of the list of games that are kept once they are drawn."""

Page = Callable[..., PageAnswer]
"""A function that answers one address: from the request, and the parts of the path that name
something."""


class Table:
    """The pages of one home; files are written to the folder of its open games. It takes one
    request at a time: whoever serves it to several sees to that. `in_page`: the page itself runs
    the program, so there is no terminal and no folder to speak of. `in_chat`: it does so in a chat,
    to which turns go by themselves, so there is no mail to speak of. `sample`: its game is one to
    try, of which nothing is signed or sent."""

    def __init__(self, games: OpenGames, *, in_page: bool = False, sample: bool = False) -> None:
        self.games = games
        self._in_page, self.in_chat = in_page, False
        self._sample = sample
        self._own: Path = games.home.folder / "templates"
        self._story: Story | None = None  # of the game that was looked back at last
        self._styles: dict[str, str] = {}
        self._small: dict[str, tuple[str, str]] = {}  # by page: the digest of its file, its board
        self._pages: tuple[tuple[str, re.Pattern[str], Page], ...] = tuple(
            (method, re.compile(rf"{path}\Z"), page)
            for method, path, page in (
                ("GET", "/", self._home),
                ("POST", request.TAKE, self._take),
                ("GET", "/help/([^/]+)", self._help),
                ("POST", "/name", self._name),
                ("POST", "/new", self._new),
                ("POST", "/clock", self._clock),
                ("GET", _GAME, self._game),
                ("POST", _GAME + "/do", self._do),
                ("POST", _GAME + "/words", self._words),
                ("POST", _GAME + "/remember", self._remember),
                ("POST", _GAME + "/rematch", self._rematch),
                ("GET", _GAME + "/news", self._news),
                ("GET", _GAME + "/film", self._film),
                ("POST", _GAME + "/looked", self._looked),
                ("POST", _GAME + "/habits", self._habits),
                ("GET", _GAME + "/log", self._log),
                ("GET", _GAME + "/cards", self._cards),
                ("GET", _GAME + "/entry/([^/]+)", self._entry),
                ("GET", _GAME + "/preview", self._preview),
                ("GET", _GAME + "/file/([^/]+)", self._file),
                ("GET", _GAME + r"/replay\.html", self._replay),
                ("GET", _GAME + r"/board\.svg", self._small_board),
                ("GET", "/static/([^/]+)", self._static),
                ("GET", r"/style/([^/]+)\.css", self._style),
            )
        )

    def answer(self, asked: PageRequest) -> PageAnswer:
        """The answer to a request. If anything is wrong with a game or the home, it is a page that
        says so."""
        method = "GET" if asked.method == "HEAD" else asked.method
        found = [
            (taken, page, match)
            for taken, path, page in self._pages
            if (match := path.match(asked.path))
        ]
        for taken, page, match in found:
            if taken == method:
                try:
                    return page(asked, *match.groups())
                except PbemError as error:
                    forgotten = (
                        match[1] if isinstance(error, ForgottenTurn) and match.re.groups else ""
                    )
                    return self.page(
                        asked, "table/failed.html.j2", _Failed(in_words(error), forgotten), 404
                    )
        return request.html("", 405 if found else 404)

    # Pages

    def _home(self, asked: PageRequest) -> PageAnswer:
        return self.page(asked, "table/home.html.j2", home_page.page(self.games.home))

    def _help(self, asked: PageRequest, topic: str) -> PageAnswer:
        from pbem.table import help_page

        return self.page(asked, "table/help.html.j2", help_page.page(topic[:40]))

    def _game(self, asked: PageRequest, name: str) -> PageAnswer:
        return self._game_page(asked, self._find(name), Reply())

    def _game_page(self, asked: PageRequest, game: OpenGame, reply: Reply) -> PageAnswer:
        home = self.games.home
        try:
            can_send = not self._in_page and settings.read(home).can_send
        except PbemError:
            can_send = False
        unsent, with_picture = (
            outgoing.is_unsent(home, game.opened),
            not (asked.is_part or self._in_page),
        )
        facts = game_page.page(
            game,
            reply,
            home,
            can_send=can_send,
            unsent=unsent,
            with_picture=with_picture,
            film_starts=looked.film_starts(home.folder),
        )
        return self.page(asked, "table/game.html.j2", facts)

    def _entry(self, asked: PageRequest, name: str, entry: str) -> PageAnswer:
        game, number = self._find(name), number_in(entry)
        page = self._story_of(game).page(
            game.name,
            -1 if number is None else number,
            with_picture=not (asked.is_part or self._in_page),
        )
        return self.page(asked, "table/entry.html.j2", page)

    def _story_of(self, game: OpenGame) -> Story:
        if self._story is None or self._story.data != game.data:
            self._story = Story(game, self._own)
        return self._story

    def _news(self, _asked: PageRequest, name: str) -> PageAnswer:
        return request.facts({"mark": self._find(name).mark()})

    def _film(self, asked: PageRequest, name: str) -> PageAnswer:
        """What happened, or what comes of the answers, step by step."""
        game, since = self._find(name), number_in(asked.query.get("since", "")) or 0
        if "whole" in asked.query:
            made = self._story_of(game).watched.film()
        else:
            made = film.film_of(game, since, self._own, is_trying="trying" in asked.query)
        made.before = self._as_sent(made.before)
        for step in made.steps:
            step["board"] = self._as_sent(step.get("board"))
        return request.facts(vars(made))

    def _as_sent(self, board: object) -> object:
        """A board of the film, with the styles of a picture as links."""
        return self._in_page_links(self._with_links(board)) if isinstance(board, str) else board

    def _looked(self, _asked: PageRequest, name: str) -> PageAnswer:
        """Note that the player has looked at what is new."""
        game = self._find(name)
        self._keep_looked(game)
        return request.facts({})

    def _keep_looked(self, game: OpenGame) -> None:
        if game.opened.memory is not None:
            looked.keep(game.opened.memory.folder, len(game.opened.file.entries))

    def _habits(self, asked: PageRequest, name: str) -> PageAnswer:
        """Keep how the player likes the table: whether the film starts by itself."""
        looked.let_film_start(self.games.home.folder, starts="film-starts" in asked.fields)
        return self._game_page(asked, self._find(name), Reply(said="kept"))

    def _log(self, asked: PageRequest, name: str) -> PageAnswer:
        return self.page(asked, "table/log.html.j2", game_page.log_page(self._find(name)))

    def _cards(self, _asked: PageRequest, name: str) -> PageAnswer:
        """What each card of the game does, for whoever reads its name in the log."""
        rules = self._find(name).opened.ledger.rules
        return request.facts(
            {card: report_facts.card_text(rules, card) for card in report_facts.card_names(rules)}
        )

    def _preview(self, _asked: PageRequest, name: str) -> PageAnswer:
        game = self._find(name)
        if game.turn is None:
            return request.html("", 404)
        document = mail_preview.document(game, game.turn.preview().game, self.games.home)
        return request.html(document, content_security_policy=mail_preview.POLICY)

    def _file(self, _asked: PageRequest, name: str, file: str) -> PageAnswer:
        game = self._find(name)
        written = game.written
        stem = signing.stem(game.opened.ledger)
        if written is None and file == f"{stem}.toml":
            kept = _kept(file)
            return request.data(game.data, "application/octet-stream", content_disposition=kept)
        if written is None and file == f"{stem}.eml":
            mail = outgoing.outgoing_of(self.games.home, Path(short_name(game.opened.ledger)))
            kept = _kept(file)
            return request.data(mail.message, "message/rfc822", content_disposition=kept)
        for path in (written.file, written.summary, written.mail) if written is not None else ():
            if path is not None and path.name == file:
                kind = "message/rfc822" if path.suffix == ".eml" else "application/octet-stream"
                return request.data(
                    files.read_own(path, _MAX_WRITTEN), kind, content_disposition=_kept(path.name)
                )
        return request.html("", 404)

    def _replay(self, _asked: PageRequest, name: str) -> PageAnswer:
        """The page that shows and checks the game, as a file to keep: it runs from disk, with a
        policy of its own."""
        from pbem.replay.page import page
        from pbem.replay.scenes import Replayed

        game = self._find(name)
        kept = _kept(f"{short_name(game.opened.ledger)}.html")
        return request.html(page(game.data, Replayed(game.data)), content_disposition=kept)

    def _small_board(self, _asked: PageRequest, name: str) -> PageAnswer:
        data = self.games.newest(name[:120])
        digest = hashlib.sha256(data).hexdigest()
        if self._small.get(name, ("",))[0] != digest:
            self._small[name] = (digest, drawing.small(self.games.home, data))
        while len(self._small) > _MAX_SMALL:
            del self._small[next(iter(self._small))]
        drawn = self._small[name][1].encode()
        kind = "image/svg+xml; charset=utf-8"
        return (
            request.data(drawn, kind, content_security_policy=drawing.SMALL_POLICY)
            if drawn
            else request.html("", 404)
        )

    def _static(self, _asked: PageRequest, name: str) -> PageAnswer:
        if name not in _STATIC:
            return request.html("", 404)
        return request.data(
            _STATIC[name].read_bytes(), _KINDS.get(name.rpartition(".")[2], "font/ttf")
        )

    # Buttons

    def _do(self, asked: PageRequest, name: str) -> PageAnswer:
        before = self._find(name)
        self._keep_looked(before)
        game, reply = turn_steps.do(self.games, before, asked.fields)
        return self._game_page(asked, game, reply)

    def _words(self, asked: PageRequest, name: str) -> PageAnswer:
        """What is being written, kept before any button is pressed."""
        return request.facts(turn_steps.keep_words(self._find(name), asked.fields))

    def _remember(self, asked: PageRequest, name: str) -> PageAnswer:
        """The player confirms that in this game they have signed nothing newer than what their home
        holds."""
        if asked.fields.get("sure") == "yes":
            Inbox(self.games.home, name[:120]).confirm_kept()
            self.games.close(name[:120])
        return request.leads_to(f"/game/{name[:120]}")

    def _name(self, asked: PageRequest) -> PageAnswer:
        """Who plays here: asked once, of somebody who is new."""
        try:
            home_page.introduce(self.games.home, asked.fields)
        except PbemError as error:
            page = home_page.page(self.games.home, refusal=error, entered=asked.fields)
            return self.page(asked, "table/home.html.j2", page)
        return request.leads_to("/")

    def _clock(self, asked: PageRequest) -> PageAnswer:
        """The player confirms that the clock is right, and goes on where it was doubted."""
        clock.confirm(self.games.home.folder)
        to = asked.fields.get("to", "")
        return request.leads_to(to if _GAME_PAGE.match(to) else "/")

    def _new(self, asked: PageRequest) -> PageAnswer:
        try:
            return self._begun(lambda: home_page.invited(self.games.home, asked.fields))
        except PbemError as error:
            page = home_page.page(self.games.home, refusal=error, entered=asked.fields)
            return self.page(asked, "table/home.html.j2", page)

    def _rematch(self, asked: PageRequest, name: str) -> PageAnswer:
        """Invite to a game that is over once more."""
        game = self._find(name)
        try:
            return self._begun(lambda: joining.rematch(self.games.home, game.opened))
        except PbemError as error:
            in_doubt = isinstance(error, ClockDoubt)
            return self._game_page(
                asked, game, Reply(refusal=in_words(error), clock_in_doubt=in_doubt)
            )

    def _begun(self, invited: Callable[[], bytes]) -> PageAnswer:
        """Write an invitation and lead to the new game. Raises what the commands raise."""
        signing.check_folder(self.games.folder)
        written = joining.write(self.games.home, invited(), self.games.folder)
        game = self.games.open_path(written.file)
        game.written = written
        return request.leads_to(f"/game/{game.name}")

    def _take(self, asked: PageRequest) -> PageAnswer:
        """Take in a file that was dropped or a text that was pasted."""
        where = Path(asked.query.get("name", "")[:200]).name or "what was pasted"
        try:
            taken = home_page.take(self.games.home, asked.file, where)
        except PbemError as error:
            return request.facts({"error": in_words(error)}, 400)
        text = render.render("table/taken.txt.j2", {"items": taken.items}, self._own)
        is_new = all(item.kind == "new" for item in taken.items)
        return request.facts({"game": taken.game, "new": is_new, "told": render.lines(text)})

    # Inside

    def _find(self, name: str) -> OpenGame:
        return self.games.find(name[:120])

    def page(
        self, asked: PageRequest, template: str, facts: object, status: int = 200
    ) -> PageAnswer:
        """A page, or the parts of one that have changed, from its template and its facts."""
        names = {**render.names_of(facts), "is_part": asked.is_part, "sample": self._sample}
        names |= {"in_page": self._in_page, "in_chat": self.in_chat}
        folder = self.games.home.folder
        names["stopped"] = place.warning(folder) if place.signs_nothing(folder) else ""
        if isinstance(drawn := names.get("drawn"), PageBoard):
            ground, flat = self._with_links(drawn.ground), self._with_links(drawn.drawing)
            names["drawn"] = replace(drawn, ground=ground, drawing=flat)
        page = render.render(template, names, self._own)
        page = self._in_page_links(page)
        if not parts.has_parts(page):
            return request.html(page, status)
        if asked.is_part:
            return request.facts(parts.changed(page, asked.has), status)
        return request.html(parts.named(page), status)

    def _in_page_links(self, text: str) -> str:
        for here, there in _IN_PAGE if self._in_page else ():
            text = text.replace(here, there)
        return text

    def _with_links(self, svg: str) -> str:
        """A picture whose style sheets are replaced by links before it: the policy takes styles
        from the table's own addresses alone."""
        links = ""
        for style in _STYLE.findall(svg):
            name = hashlib.sha256(style.encode()).hexdigest()[:32]
            self._styles[name] = style
            links += f'<link rel="stylesheet" href="/style/{name}.css">'
        return links + _STYLE.sub("", svg)

    def _style(self, _asked: PageRequest, name: str) -> PageAnswer:
        style = self._styles.get(name)
        return (
            request.html("", 404)
            if style is None
            else request.data(style.encode(), "text/css; charset=utf-8")
        )


def _kept(name: str) -> str:
    """The header with which a browser keeps an answer as a file of this name; the name is one of
    the program's own."""
    return f'attachment; filename="{name}"'


class _Failed:
    """What could not be shown. `forgotten` names the page of a game in which the home does not
    remember turns of its player."""

    def __init__(self, what: str, forgotten: str) -> None:
        self.what = what
        self.forgotten = forgotten
