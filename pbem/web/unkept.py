"""What is played before anything is kept: the first page, and games that nobody else waits for.

The home lies where it always does, but in memory alone until its player signs for the first time:
the page asks then who they are, and keeps it (`templates/web/door.js`). Until then nothing is
signed but the beginning of a game against the rules, which nobody has and nobody awaits.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from pbem.home.home import Home
from pbem.table import request
from pbem.table.request import PageAnswer, PageRequest
from pbem.table.routes import Table

_LOOKS = re.compile(
    r"/(?:|find|game/[^/]+(?:/(?:news|film|log|cards|preview|entry/[^/]+))?|help/[^/]+|style/[^/]+\.css)\Z"
)
_WORKS = re.compile(r"/game/[^/]+/(?:do|ahead|words|looked|habits)\Z")
_SIGNS = frozenset(("sign", "resign", "join", "send", "sent"))
"""The fields of a form that signs or gives something away (`pbem.table.turn_steps`)."""
_ALONE = frozenset(("game", "alone"))
"""The fields of the button that begins a game against the rules."""


def answer(table: Table, asked: PageRequest) -> PageAnswer:
    """The answer to a request while nothing is kept; `asked.path` has its prefix no more."""
    if asked.path == request.TAKE:
        nothing = {"error": "nothing is kept here yet: sign this turn first"}
        return table.take_seeks(asked.file) or request.facts(nothing, 400)
    if asked.method == "GET":
        is_known = _LOOKS.match(asked.path) is not None
    elif asked.path == "/new":
        is_known = asked.fields.keys() == _ALONE
    else:
        is_known = _WORKS.match(asked.path) is not None and not asked.fields.keys() & _SIGNS
    return table.answer(asked) if is_known else request.html("", 404)


@contextmanager
def set_aside(home: Home, fields: Mapping[str, str]) -> Iterator[None]:
    """While a packed home is opened, put aside what was played here and is not kept (`unkept` in
    the form says so); it comes back where the pack does not open, else it is forgotten."""
    aside = home.folder.with_name(f"{home.folder.name}-aside")
    if fields.get("unkept") != "yes" or not home.folder.exists():
        yield
        return
    home.folder.rename(aside)
    try:
        yield
    except BaseException:
        shutil.rmtree(home.folder, ignore_errors=True)
        aside.rename(home.folder)
        raise
    shutil.rmtree(aside, ignore_errors=True)
