"""The one way in from the page: a request of its scripts, in the parts that HTTP has, and the
answer.

The pages are those of the table (`pbem.table.routes`). Besides these the page has a few addresses
of its own under `/web/`. Each takes a POST and answers with facts: what the page has to know before
there is a game, and what only a home in a browser needs. A refusal there is `{"error": ...}` with
status 400.
Under `/visit/` stand pages of the table for whoever has no home open (`pbem.web.visit`), under
`/unkept/` those of a home of which nothing is kept yet (`pbem.web.unkept`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from pbem import __version__, files
from pbem.errors import Damaged, PbemError, Usage, worded_by
from pbem.games.descriptor import Reference, load
from pbem.home import place
from pbem.home.home import Home
from pbem.mail import settings
from pbem.table import request
from pbem.table.clicked import clicked
from pbem.table.home_page import in_words, introduce
from pbem.table.open_games import OpenGames
from pbem.table.request import Headers, PageAnswer, PageRequest
from pbem.table.routes import Table

WRITTEN = Path("/home/pbem/out")
"""The folder that turn files are written to."""

Page = Callable[[Table, Mapping[str, str]], Mapping[str, object] | PageAnswer]
"""A function that answers one of the page's own addresses: from the fields that came it makes the
facts for the scripts, or a whole answer. Raises `PbemError`."""
_MOST: Mapping[str, Reference] = {
    "/web/open": "pbem.web.keeping:MAX_PACK",
    "/web/chat": "pbem.web.chat:MAX_UPDATES",
    "/web/look": "pbem.web.visit:MAX_LOOK",
}
"""The most bytes of a request to the addresses that take a packed home, updates of a chat, and an
invitation as it came."""
_VISIT = "/visit"
"""What the addresses begin with that are answered by the visit, and not by the home."""
_UNKEPT = "/unkept"
"""What they begin with as long as nothing of the home is kept."""

_tables: dict[Path, Table] = {}


def answer(
    method: str, path: str, query: str, headers: Headers, body: bytes
) -> tuple[int, dict[str, str], bytes]:
    """The answer to one request: status, headers, bytes. `path` is decoded, `query` is not, the
    names of headers are in small letters."""
    with worded_by(clicked):
        made = _answer(method, path, query, headers, body)
    return made.status, dict(made.headers), made.body


def _answer(method: str, path: str, query: str, headers: Headers, body: bytes) -> PageAnswer:
    if len(body) > (load(_MOST[path]) if path in _MOST else request.most_bytes(path)):
        return request.too_long(path)
    is_file = path in (_VISIT + request.TAKE, _UNKEPT + request.TAKE)
    asked = request.read_request(method, request.TAKE if is_file else path, query, headers, body)
    if asked is None:
        return request.html("", 413)
    if path in PAGES:
        return _own(PAGES[path], asked)
    if path.startswith(f"{_VISIT}/"):
        answered: PageAnswer = load("pbem.web.visit:answer")(
            replace(asked, path=path.removeprefix(_VISIT))
        )
        return answered
    if path.startswith(f"{_UNKEPT}/"):
        unkept: Callable[[Table, PageRequest], PageAnswer] = load("pbem.web.unkept:answer")
        return unkept(_table(), replace(asked, path=path.removeprefix(_UNKEPT)))
    return _table().answer(asked)


def _own(reference: Reference, asked: PageRequest) -> PageAnswer:
    if asked.method != "POST":
        return request.html("", 405)
    page: Page = load(reference)
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


def prepare(table: Table, _fields: Mapping[str, str]) -> Mapping[str, object]:
    """Make ready what the next answer needs, while nobody waits for one."""
    table.game_pages()
    for one in (table, *load("pbem.web.visit:tables")()):
        one.games.make_spare()
    return {}


def start(table: Table, fields: Mapping[str, str]) -> Mapping[str, object]:
    """What the page has to know first: the program's version, who plays here (empty: nobody yet),
    and what keeps the home from signing, if anything does (`state`). `page` is the address of the
    page that asks; mails name it from then on."""
    home = table.games.home
    with suppress(Usage):
        home.page = settings.check_address(fields.get("page", ""))
    known = home.has_identity()
    return {
        "version": __version__,
        "name": home.identity().name if known else "",
        **state(home),
    }


def state(home: Home) -> Mapping[str, object]:
    """The state of the home. `kind` is `new`, `open`, `moved` (away), `restored` (from a backup,
    not confirmed yet), or `damaged` where this cannot be told. With it: the day of that backup, and
    what the player should know, without a word of commands."""
    try:
        known = place.read(home.folder) or place.NOWHERE
    except Damaged as error:
        return {"kind": "damaged", "restored": "", "warning": error.what}
    kind = "restored" if known.restored else "open"
    if known.closed:
        kind = "moved"
    warning = place.warning(home.folder)
    return {
        "kind": kind if home.has_identity() else "new",
        "restored": known.restored[:10],
        "warning": warning.what if warning else "",
    }


def introduce_newcomer(table: Table, fields: Mapping[str, str]) -> Mapping[str, object]:
    """Make the key of a newcomer, with name and mail address."""
    introduce(table.games.home, fields)
    return start(table, fields)


def open_pack(table: Table, fields: Mapping[str, str]) -> Mapping[str, object]:
    """Open a packed home in place of this one, in which nobody plays yet or which was moved
    away."""
    aside = load("pbem.web.unkept:set_aside")(table.games.home, fields)
    with aside:
        load("pbem.web.keeping:open_pack")(table.games.home, fields)
    _tables.clear()
    return start(_table(), fields)


def keep(table: Table, fields: Mapping[str, str]) -> Mapping[str, object]:
    """The player confirms that this home is in use here."""
    load("pbem.web.keeping:keep")(table.games.home, fields)
    return start(table, fields)


PAGES: Mapping[str, Reference] = {
    "/web/start": "pbem.web.door:start",
    "/web/prepare": "pbem.web.door:prepare",
    "/web/introduce": "pbem.web.door:introduce_newcomer",
    "/web/arrived": "pbem.web.keeping:arrived",
    "/web/backup": "pbem.web.keeping:backup",
    "/web/move": "pbem.web.keeping:move",
    "/web/open": "pbem.web.door:open_pack",
    "/web/chat": "pbem.web.chat:page",
    "/web/keep": "pbem.web.door:keep",
    "/web/out": "pbem.web.out:out",
    "/web/look": "pbem.web.visit:look",
    "/web/watch": "pbem.web.visit:watch",
    "/web/try": "pbem.web.visit:begin_sample",
    "/web/leave": "pbem.web.visit:leave",
}
"""The page's own addresses, each with the function that answers it. What such a function needs is
loaded when it is asked for: the list of games does without."""
