"""The pages of one game at the table, those that are made of it, and what their buttons do. A table
loads them when a game is opened or begun."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple
from urllib.parse import quote

from pbem import files
from pbem.errors import PbemError
from pbem.home import looked
from pbem.home.clock import ClockDoubt
from pbem.home.game_index import short_name
from pbem.mail import settings
from pbem.replay.page import page
from pbem.replay.scenes import Replayed
from pbem.report import facts as report_facts
from pbem.seek import kept
from pbem.seek.seek_file import Seek
from pbem.table import (
    board_picture,
    drawing,
    film,
    game_page,
    home_page,
    mail_preview,
    request,
    turn_steps,
)
from pbem.table.game_page import Reply
from pbem.table.home_page import in_words, number_in
from pbem.table.look_back import Story
from pbem.table.open_games import OpenGame
from pbem.table.pages import Pages
from pbem.table.request import PageAnswer, PageRequest
from pbem.turn import joining, outgoing, signing
from pbem.turn.inbox import Inbox
from pbem.turn.open_game import HomeFile
from pbem.turn.rematch import addresses_of_others, rematch

_GAME = r"/game/([^/]+)"
_APART = (
    "sandbox allow-scripts allow-downloads allow-modals; default-src 'none'; script-src"
    " 'unsafe-inline' 'wasm-unsafe-eval' blob:; worker-src blob:; style-src 'unsafe-inline';"
    " img-src data: blob:; font-src data:; base-uri 'none'; form-action 'none'"
)
"""The Content-Security-Policy of a page that is one file, with its scripts in it: it has an origin
of its own, and reaches nothing."""
_MAX_WRITTEN = 30_000_000
_MAX_SMALL = 60
"""Small boards of the list of games that are kept once they are drawn."""


class Foreseen(NamedTuple):
    """The answer to a step that was asked for ahead, and the mark of the game after that step."""

    asked: PageRequest
    mark: str
    answer: PageAnswer

    def is_of(self, asked: PageRequest, game: OpenGame) -> bool:
        """Whether this very step was asked for now, and has led to the same game."""
        ahead = replace(self.asked, path=asked.path)
        return ahead == asked and self.mark == game.mark() and not game.notices


class GamePages:
    """The pages of a table that belong to its games."""

    def __init__(self, pages: Pages) -> None:
        self._pages, self._games = pages, pages.games
        self._story: Story | None = None  # of the game that was looked back at last
        self._small: dict[str, tuple[str, str]] = {}  # by page: the digest of its file, its board
        self._foreseen: Foreseen | None = None
        self.addresses = request.addresses(
            ("POST", "/new", self._new),
            ("GET", "/watch/([a-z0-9-]+)", self._watch),
            ("GET", _GAME, self._game),
            ("POST", _GAME + "/do", self._do),
            ("POST", _GAME + "/ahead", self._ahead),
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
            ("GET", _GAME + "/with/([0-9]{1,6})/([0-9])", self._attached),
            ("GET", _GAME + r"/replay\.html", self._replay),
            ("GET", _GAME + r"/board\.svg", self._small_board),
        )

    def _game(self, asked: PageRequest, name: str) -> PageAnswer:
        return self._game_page(asked, self._find(name), Reply())

    def _game_page(self, asked: PageRequest, game: OpenGame, reply: Reply) -> PageAnswer:
        home = self._games.home
        try:
            can_send = not self._pages.in_page and settings.read(home).can_send
        except PbemError:
            can_send = False
        unsent, with_picture = (
            outgoing.is_unsent(home, game.opened),
            not (asked.is_part or self._pages.in_page),
        )
        facts = game_page.page(
            game,
            reply,
            home,
            can_send=can_send,
            unsent=unsent,
            last_sent=outgoing.last_sent(home, game.opened) if unsent else 0.0,
            with_picture=with_picture,
            film_starts=looked.film_starts(home.folder),
        )
        return self._pages.page(asked, "table/game.html.j2", facts)

    def _entry(self, asked: PageRequest, name: str, entry: str) -> PageAnswer:
        game, number = self._find(name), number_in(entry)
        page = self._story_of(game).page(
            game.name,
            -1 if number is None else number,
            with_picture=not (asked.is_part or self._pages.in_page),
        )
        return self._pages.page(asked, "table/entry.html.j2", page)

    def _story_of(self, game: OpenGame) -> Story:
        if self._story is None or self._story.data != game.data:
            self._story = Story(game, self._pages.own)
        return self._story

    def _news(self, _asked: PageRequest, name: str) -> PageAnswer:
        return request.facts({"mark": self._find(name).mark()})

    def _film(self, asked: PageRequest, name: str) -> PageAnswer:
        """What happened, or what comes of the answers, step by step."""
        game, since = self._find(name), number_in(asked.query.get("since", "")) or 0
        if "whole" in asked.query:
            made = self._story_of(game).watched.film()
        else:
            made = film.film_of(game, since, self._pages.own, is_trying="trying" in asked.query)
        return request.facts(vars(made))

    def _looked(self, _asked: PageRequest, name: str) -> PageAnswer:
        """Note that the player has looked at what is new."""
        game = self._find(name)
        self._keep_looked(game)
        return request.facts({})

    def _keep_looked(self, game: OpenGame) -> None:
        if isinstance(game.opened, HomeFile):
            looked.keep(game.opened.memory.folder, len(game.opened.file.entries))

    def _ahead(self, asked: PageRequest, name: str) -> PageAnswer:
        """What `_do` will answer to an answer of the player, who is still pressing its button.
        Nothing is changed by it, so the first look at what is new is noted by `_do` alone."""
        game = self._find(name)
        opened = game.opened
        is_known = isinstance(opened, HomeFile) and looked.entries_looked_at(
            opened.memory.folder
        ) >= len(opened.file.entries)
        seen = turn_steps.foreseen(self._games, game, asked.fields) if is_known else None
        if seen is None:
            return PageAnswer(204, {}, b"")
        answer = self._game_page(asked, *seen)
        self._foreseen = Foreseen(asked, seen[0].mark(), answer)
        return answer

    def _habits(self, asked: PageRequest, name: str) -> PageAnswer:
        """Keep how the player likes the table: whether the film starts by itself."""
        looked.let_film_start(self._games.home.folder, starts="film-starts" in asked.fields)
        return self._game_page(asked, self._find(name), Reply(said="kept"))

    def _log(self, asked: PageRequest, name: str) -> PageAnswer:
        return self._pages.page(asked, "table/log.html.j2", game_page.log_page(self._find(name)))

    def _cards(self, _asked: PageRequest, name: str) -> PageAnswer:
        """What each card of the game does, for whoever reads its name in the log."""
        rules = self._find(name).opened.ledger.rules
        return request.facts(
            {card: report_facts.card_text(rules, card) for card in report_facts.card_names(rules)}
        )

    def _preview(self, _asked: PageRequest, name: str) -> PageAnswer:
        game = self._find(name)
        if game.draft is None:
            return request.html("", 404)
        document = mail_preview.document(game, game.draft.preview().game, self._games.home)
        return request.html(document, content_security_policy=mail_preview.POLICY)

    def _file(self, _asked: PageRequest, name: str, file: str) -> PageAnswer:
        game = self._find(name)
        written = game.written
        stem = signing.stem(game.opened.ledger)
        if written is None and file == f"{stem}.toml":
            kept = _kept(file)
            return request.data(game.data, "application/octet-stream", content_disposition=kept)
        if written is None and file == f"{stem}.eml":
            mail = outgoing.outgoing_of(self._games.home, game.data)
            kept = _kept(file)
            return request.data(mail.message, "message/rfc822", content_disposition=kept)
        for path in (written.file, written.summary, written.mail) if written is not None else ():
            if path is not None and path.name == file:
                kind = "message/rfc822" if path.suffix == ".eml" else "application/octet-stream"
                return request.data(
                    files.read_own(path, _MAX_WRITTEN), kind, content_disposition=_kept(path.name)
                )
        return request.html("", 404)

    def attach(self, asked: PageRequest) -> dict[str, object]:
        """Let a file go with the turn that is being made: what is to be said of it, and the mark of
        the game from then on. Raises what is wrong with it."""
        game = self._find(asked.query.get("with", ""))
        said = turn_steps.attach(game, asked.query.get("name", ""), asked.file)
        return {"attached": said, "mark": game.mark()}

    def _attached(self, _asked: PageRequest, name: str, entry: str, index: str) -> PageAnswer:
        """A file that goes with a turn, to keep. Whatever is in it, a browser neither shows nor
        runs it as a page of the table."""
        kept = board_picture.kept_with(self._find(name), int(entry))
        one = kept[int(index)] if int(index) < len(kept) else None
        if one is None or one.state != "here":
            return request.html("", 404)
        data = files.read_own(one.path, one.file.size)
        if not one.file.is_file(data):  # it was changed at this moment
            return request.html("", 404)
        return request.data(
            data,
            "application/octet-stream",
            content_disposition=_kept(one.file.name),
            content_security_policy="sandbox; default-src 'none'",
            x_content_type_options="nosniff",
        )

    def _replay(self, _asked: PageRequest, name: str) -> PageAnswer:
        """The page that shows and checks the game, as a file to keep: it runs from disk, with a
        policy of its own."""
        game = self._find(name)
        kept = _kept(f"{short_name(game.opened.ledger)}.html")
        return request.html(page(game.data, Replayed(game.data)), content_disposition=kept)

    def _watch(self, _asked: PageRequest, game: str) -> PageAnswer:
        """A game that is over and came with the program, as the page that replays and checks it;
        its scripts run apart from the table."""
        path = files.example(game)
        if path is None:
            return request.html("", 404)
        data = path.read_bytes()
        return request.html(page(data, Replayed(data)), content_security_policy=_APART)

    def _small_board(self, _asked: PageRequest, name: str) -> PageAnswer:
        data = self._games.newest(name[:120])
        digest = hashlib.sha256(data).hexdigest()
        if self._small.get(name, ("",))[0] != digest:
            self._small[name] = (digest, drawing.small(self._games.home, data))
        while len(self._small) > _MAX_SMALL:
            del self._small[next(iter(self._small))]
        return drawing.as_answer(self._small[name][1])

    def _do(self, asked: PageRequest, name: str) -> PageAnswer:
        before = self._find(name)
        self._keep_looked(before)
        game, reply = turn_steps.do(self._games, before, asked.fields)
        ahead, self._foreseen = self._foreseen, None
        if ahead is not None and ahead.is_of(asked, game):
            return ahead.answer
        return self._game_page(asked, game, reply)

    def _words(self, asked: PageRequest, name: str) -> PageAnswer:
        """What is being written, kept before any button is pressed."""
        return request.facts(turn_steps.keep_words(self._find(name), asked.fields))

    def _remember(self, asked: PageRequest, name: str) -> PageAnswer:
        """The player confirms that in this game they have signed nothing newer than what their home
        holds."""
        if asked.fields.get("sure") == "yes":
            Inbox(self._games.home, name[:120]).confirm_kept()
            self._games.close(name[:120])
        return request.leads_to(f"/game/{name[:120]}")

    def _new(self, asked: PageRequest) -> PageAnswer:
        try:
            return self._begun(lambda: home_page.invited(self._games.home, asked.fields))
        except PbemError as error:
            page = home_page.page(self._games.home, refusal=error, entered=asked.fields)
            return self._pages.page(asked, "table/home.html.j2", page)

    def _rematch(self, asked: PageRequest, name: str) -> PageAnswer:
        """Invite to a game that is over once more."""
        game = self._find(name)
        try:
            return self._begun(
                lambda: rematch(self._games.home, game.opened), addresses_of_others(game.opened)
            )
        except PbemError as error:
            in_doubt = isinstance(error, ClockDoubt)
            return self._game_page(
                asked, game, Reply(refusal=in_words(error), clock_in_doubt=in_doubt)
            )

    def answering(self, seek: Seek, invited: Callable[[], bytes]) -> PageAnswer:
        """Write the invitation that answers a seek, and lead to its game. Raises what the commands
        raise."""
        wish = seek.wish
        game = self._begin(invited, [wish.mail] if wish.mail else [])
        kept.note_answered(self._games.home, seek, short_name(game.opened.ledger))
        if not wish.mail:
            game.notices.append(f"{wish.name} is reached so: {wish.page or wish.chat}")
        return request.leads_to(f"/game/{game.name}")

    def _begun(self, invited: Callable[[], bytes], to: Sequence[str] = ()) -> PageAnswer:
        """Write an invitation, its mail `to` these addresses, and lead to the new game. Raises what
        the commands raise."""
        return request.leads_to(f"/game/{self._begin(invited, to).name}")

    def _begin(self, invited: Callable[[], bytes], to: Sequence[str] = ()) -> OpenGame:
        """Write an invitation, its mail `to` whoever is invited, if that is known, and open the new
        game. Raises what the commands raise."""
        signing.check_folder(self._games.folder)
        data = invited()
        written = joining.write(self._games.home, data, self._games.folder, to=to)
        game = self._games.open_data(data)
        game.written = written
        return game

    def _find(self, name: str) -> OpenGame:
        return self._games.find(name[:120])


def _kept(name: str) -> str:
    """The header with which a browser keeps an answer as a file of this name; no name that comes
    here has a quotation mark or a backslash."""
    if name.isascii():
        return f'attachment; filename="{name}"'
    plain = "".join(letter if letter.isascii() else "_" for letter in name)
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"
