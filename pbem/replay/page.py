"""One self-contained page that replays a game and checks it by itself: no network, no program of ours.

The page holds the bytes of the turn file in base64; the trace, and what only the rules tell (boards, story, hands),
besides, packed with zlib. Its scripts are the second verifier (templates/replay/verify.js) and what shows the game:
what is signed from the file alone, what is told in a frame of its own. A policy names each of them by its hash, so
nothing else runs, whatever a name or a message says.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from pbem.fileformat import fields, lookalikes
from pbem.games.templates import shipped
from pbem.replay.scenes import Replayed
from pbem.report import verdict_card
from pbem.report.picture import DATA, FAMILY, FONTS
from pbem.report.render import render

SCRIPTS = (
    *(
        "noble",
        "bytes",
        "words",
        "grammar",
        "multiples",
        "curve",
        "evidence",
        "shuffle",
        "decks",
        "choices",
        "contents",
    ),
    *(
        "referee",
        "trace",
        "beside",
        "gate",
        "ending",
        "card",
        "verify",
        "entries",
        "verdict",
        "told",
        "page",
        "given",
        "checking",
    ),
)
"""The parts of templates/replay, in the order in which they stand in the page."""
TAKES_FILES = ("evidence", "given")
"""Parts of the page without a game alone, which takes files."""
_INDENT = re.compile(r"^  ", re.MULTILINE)
_COMMENT = re.compile(r"^ *(//|/\*\* .* \*/$).*\n", re.MULTILINE)
"""A line that is a comment and nothing else."""


def page(data: bytes, replayed: Replayed) -> str:
    """The page of a turn file that was gone through, as far as it holds; the page itself finds where it does not.
    Raises what is wrong with a file of which no entry holds."""
    shown, boards = replayed.shown(), replayed.boards()
    told = {
        "title": shown.title,
        "when": [scene.when for scene in shown.scenes],
        "deeds": [scene.deeds for scene in shown.scenes],
        "hands": [scene.hands for scene in shown.scenes],
        "ending": shown.ending,
        "boards": {"elements": boards.elements, "changes": boards.changes},
    }
    packed = zlib.compress(json.dumps({"told": told, "trace": replayed.trace}, separators=(",", ":")).encode(), 9)
    return _written(shown.title, "", _b64(data), _b64(packed), boards.styles())


def empty_page() -> str:
    """The page without a game: it checks any file and trace dropped on it. Its hash is published in docs/trust.md."""
    return _written("Check a game", "A second verifier of turn files, independent of pbem.", "", "", [])


def _written(title: str, about: str, file: str, data: str, styles: Sequence[str]) -> str:
    parts = [name for name in SCRIPTS if not (file and name in TAKES_FILES)]
    scripts, css = [source(f"{name}.js") for name in parts], _font() + source("page.css")
    names = {"title": title, "about": about, "file": file, "data": data, "css": css, "scripts": scripts}
    return render("replay/page.html.j2", {**names, "has_file": bool(file), "policy": policy(scripts, [css, *styles])})


@lru_cache(maxsize=32)
def source(name: str) -> str:
    """A part of the page as it stands in templates/replay; a script without the lines that are comments, and without
    the two blanks with which each line inside its one function begins: a tenth of a page."""
    if name == "words.js":
        return _words()
    text = (Path(shipped()) / "replay" / name).read_text(encoding="utf-8")
    return _INDENT.sub("", _COMMENT.sub("", text)) if name.endswith(".js") and name != "noble.js" else text


def _words() -> str:
    """The words of the card, the characters of one look and the table of fields, as a script: so the policy covers them
    too."""
    parts = {"cardWords": dict(verdict_card.words()), "lookalikes": lookalikes.like_ascii()}
    parts["fields"] = json.loads(fields.PATH.read_text(encoding="utf-8"))
    text = json.dumps(parts, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return f"Object.assign((globalThis.pbem ??= {{}}), {text});\n"


def policy(scripts: Sequence[str], styles: Sequence[str]) -> str:
    """The Content-Security-Policy of a page with these scripts and style sheets inline, and nothing else."""
    allowed = {"script-src": scripts, "style-src": styles}
    rules = [f"{name} {' '.join(_hash(text) for text in texts)}" for name, texts in allowed.items()]
    return "; ".join(["default-src 'none'", *rules, "font-src data:", "base-uri 'none'", "form-action 'none'"])


def _font() -> str:
    """The letters of the boards, as they are in the pictures of a mail (packed by release/letters.py)."""
    letters = _b64((DATA / FONTS[0]).with_suffix(".woff").read_bytes())
    return f'@font-face {{ font-family: "{FAMILY}"; src: url(data:font/woff;base64,{letters}); }}\n'


def _hash(text: str) -> str:
    return f"'sha256-{_b64(hashlib.sha256(text.encode()).digest())}'"


def _b64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")
