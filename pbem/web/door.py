"""The one way in from the page: a request of its scripts, in the parts that HTTP has, and the
answer.

The pages are those of the table (`pbem.table.routes`). Besides these the page has a few addresses
of its own under `/web/`. Each takes a POST and answers with facts: what the page has to know before
there is a game, and what only a home in a browser needs. A refusal there is `{"error": ...}` with
status 400.
Under `/visit/` stand pages of the table for whoever has no home open (`pbem.web.visit`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from email import message_from_bytes, policy
from pathlib import Path

from pbem import __version__, files
from pbem.errors import PbemError, Refused, Usage, without_commands
from pbem.fileformat import armor
from pbem.home import game_index
from pbem.home.home import Home
from pbem.mail import links, settings
from pbem.table import request
from pbem.table.home_page import in_words, introduce
from pbem.table.open_games import OpenGames
from pbem.table.request import Headers, PageAnswer, PageRequest
from pbem.table.routes import Table
from pbem.turn import outgoing
from pbem.turn.signing import stem
from pbem.web import chat, keeping, visit

WRITTEN = Path("/home/pbem/out")
"""The folder that turn files are written to."""

Page = Callable[[Table, Mapping[str, str]], Mapping[str, object] | PageAnswer]
"""A function that answers one of the page's own addresses: from the fields that came it makes the
facts for the scripts, or a whole answer. Raises `PbemError`."""
_PACK = "/web/open"
"""The address that takes a packed home as text."""

_CHAT = "/web/chat"
"""The address that takes updates of a chat."""
_MOST = {_PACK: keeping.MAX_PACK, _CHAT: chat.MAX_UPDATES}
"""The most bytes of a request to one of these addresses."""

_tables: dict[Path, Table] = {}


def answer(
    method: str, path: str, query: str, headers: Headers, body: bytes
) -> tuple[int, dict[str, str], bytes]:
    """The answer to one request: status, headers, bytes. `path` is decoded, `query` is not, the
    names of headers are in small letters."""
    with without_commands():
        made = _answer(method, path, query, headers, body)
    return made.status, dict(made.headers), made.body


def _answer(method: str, path: str, query: str, headers: Headers, body: bytes) -> PageAnswer:
    if len(body) > _MOST.get(path, request.most_bytes(path)):
        return request.too_long(path)
    is_file = path == visit.PREFIX + request.TAKE
    asked = request.read_request(method, request.TAKE if is_file else path, query, headers, body)
    if asked is None:
        return request.html("", 413)
    if path in PAGES:
        return _own(PAGES[path], asked)
    if path.startswith(f"{visit.PREFIX}/"):
        return visit.answer(replace(asked, path=path.removeprefix(visit.PREFIX)))
    return _table().answer(asked)


def _own(page: Page, asked: PageRequest) -> PageAnswer:
    if asked.method != "POST":
        return request.html("", 405)
    try:
        made = page(_table(), asked.fields)
        return made if isinstance(made, PageAnswer) else request.facts(made)
    except PbemError as error:
        return request.facts({"error": in_words(error)}, 400)


def _table() -> Table:
    """The table of the home that `PBEM_HOME` names. It is kept as long as the page is open."""
    home = Home()
    if home.folder not in _tables:
        files.make_folder(WRITTEN)
        os.chdir(WRITTEN)
        _tables[home.folder] = Table(OpenGames(home, Path()), in_page=True)
    return _tables[home.folder]


def _prepare(table: Table, _fields: Mapping[str, str]) -> Mapping[str, object]:
    """Make ready what the next answer needs, while nobody waits for one."""
    for one in (table, *visit.tables()):
        one.games.make_spare()
    return {}


def _start(table: Table, fields: Mapping[str, str]) -> Mapping[str, object]:
    """What the page has to know first: the program's version, who plays here (empty: nobody yet),
    and what keeps the home from signing, if anything does. `page` is the address of the page that
    asks; mails name it from then on."""
    home = table.games.home
    with suppress(Usage):
        home.page = settings.check_address(fields.get("page", ""))
    known = home.has_identity()
    return {
        "version": __version__,
        "name": home.identity().name if known else "",
        **keeping.state(home),
    }


def _introduce(table: Table, fields: Mapping[str, str]) -> Mapping[str, object]:
    """Make the key of a newcomer, with name and mail address."""
    introduce(table.games.home, fields)
    return _start(table, fields)


def _open(table: Table, fields: Mapping[str, str]) -> Mapping[str, object]:
    """Open a packed home in place of this one, in which nobody plays yet or which was moved
    away."""
    keeping.open_pack(table.games.home, fields)
    _tables.clear()
    return _start(_table(), fields)


def _keep(table: Table, fields: Mapping[str, str]) -> Mapping[str, object]:
    """The player confirms that this home is in use here."""
    keeping.keep(table.games.home, fields)
    return _start(table, fields)


def out(table: Table, fields: Mapping[str, str]) -> Mapping[str, object]:
    """The newest turn of a game, ready to be sent: the name of its `file`, the `turn` itself, its
    `armored` text, the whole `mail` with its addresses (`to`) and `subject`, and, if the turn fits
    into one, a `link` to the page that was named for the game or else to this one. Empty if the
    newest turn is not the player's own, or nobody needs it. Raises `PbemError` for a game that
    cannot be read."""
    game = table.games.find(fields.get("game", "")[:120])
    path = game_index.newest_path(table.games.home, game.name.rpartition("-")[2])
    try:
        made = outgoing.outgoing_of(table.games.home, path)
    except (Refused, Usage):
        return {}
    mail = message_from_bytes(made.message, policy=policy.default)
    return {
        "file": f"{stem(made.game)}.toml",
        "turn": made.file.data.decode(),
        "armored": armor.wrap(made.file.data),
        "mail": made.message.decode(),
        "to": [one.addr_spec for one in mail["to"].addresses] if mail["to"] is not None else [],
        "subject": str(mail["subject"]),
        "link": links.page_for(table.games.home, made.game, made.file.data).link,
    }


PAGES: dict[str, Page] = {
    "/web/start": _start,
    "/web/prepare": _prepare,
    "/web/introduce": _introduce,
    "/web/arrived": keeping.arrived,
    "/web/backup": keeping.backup,
    "/web/move": keeping.move,
    _PACK: _open,
    _CHAT: chat.page,
    "/web/keep": _keep,
    "/web/out": out,
    "/web/look": visit.look,
    "/web/games": visit.games,
    "/web/try": visit.begin_sample,
    "/web/leave": visit.leave,
}
"""The page's own addresses."""
