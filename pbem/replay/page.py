"""One self-contained page that replays a game and checks it by itself: it needs no network and no
program of ours.

The page holds the bytes of the turn file. Beside them it holds the trace, and what only the rules
can tell: boards, film and hands. Both are packed (packed.py). Its script is the second verifier
(templates/replay/verify.js) and the scripts that show the game. What is signed is shown from the
file alone; everything else is shown in a frame of its own. The script builds all that is seen
(root.js), and the page's policy names the script by its hash, so nothing else runs, whatever a name
or a message says.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from pbem import files
from pbem.errors import Conflict, Typed, Usage
from pbem.fileformat import characters, turnfile
from pbem.fileformat.bare_picture import BoardPicture
from pbem.fileformat.packed import in_page, packed
from pbem.fileformat.turnfile import MAX_MESSAGE
from pbem.files import shipped
from pbem.games import registry
from pbem.replay.boards import Boards
from pbem.replay.scenes import Replayed, ShownStep
from pbem.report import verdict_card
from pbem.report.picture import DATA, FAMILY, FONTS
from pbem.report.render import render

SCRIPTS = (
    *("frame", "root", "noble", "bytes", "words", "grammar", "multiples", "curve", "evidence"),
    *(
        "shuffle",
        "decks",
        "choices",
        "contents",
        "referee",
        "trace",
        "plans",
        "beside",
        "series",
        "gate",
        "ending",
    ),
    *("card", "verify", "entries", "verdict", "page", "told", "film", "stage", "given", "checking"),
)
"""The parts of the page's script, in their order: those of templates/replay, and what `source`
makes."""
TAKES_FILES = ("evidence", "given")
"""Scripts of the page without a game, which takes files."""
SHOWS_GAME = ("told", "film", "stage")
"""Scripts of a page with a game."""
STAGE = ("board", "camera", "arrows", "seats", "bars", "dice", "player")
"""Scripts of the stage (templates/stage), as the table has them, in one function with the page's
own `watch`."""
_INDENT = re.compile(r"^ +", re.MULTILINE)
_COMMENT = re.compile(r"^ *(?://.*|/\*\*(?s:.*?)\*/)\n|(?<=[;{},(\[]) // .*$", re.MULTILINE)
"""Lines that are a comment and nothing else, or one at the end of a line."""
_COMMENTED = re.compile(r"^#.*\n", re.MULTILINE)
"""A comment in a table."""
_NOTHING = re.compile(r'^(?:"use strict";)?\n', re.MULTILINE)
"""Empty lines, and what says something in a file of its own; in the middle of a script it says
nothing."""
_TEXT = r'"(?:[^"\\\n]|\\.)*"|`(?:[^`\\$\n]|\\.|\$(?!\{)|\$\{[^`{}\n]*\})*`'
_CODE = re.compile(
    rf"""^(?:{_TEXT}|[^"'`/\n]|(?<=[\w)\]] )/(?= ))+(?:(?<=[;{{}},(])\n)?""", re.MULTILINE
)
"""The beginning of a line up to what might be a comment, an expression in slashes or a text that is
not told apart from them so simply; to the next line where none is in it and none is needed."""
_WIDE = re.compile(
    rf"({_TEXT})|(?: ?(=>|[=!&|?:*%,;{{}}()\[\]>]+) ?)|(?<![+-]) ([+-]|[+-]=|/) (?![+-])"
)
"""Texts in it, and the signs that need no blanks round them. (A `<` keeps the one behind it: `<!--`
would begin a comment.)"""
_STYLE = re.compile(r"<style>([^<]*)</style>")
_BLANKS = re.compile(r"(?:/\*.*?\*/|\s)+", re.DOTALL)
_JOINTS = re.compile(
    r";? ?(\}) ?| ?([{;>,~]) ?|(:) (?!\")|(?<=[\w)]) (\*) (?=[\w(])|(?<=[ :,(])0(?=\.[0-9])"
    r"|(?<=@media) | (?=!imp)"
)
"""Blanks and comments of a style sheet, and the blanks, noughts and last semicolons that it does
not need."""
_CHOOSING = re.compile(
    r"(?<=[{}])[^{}]*(?<!not\()\.(?:can-go|chosen-place|touched|badge|film-words|news|home-link|beside|board|counts|dragged|takes-card|work|scripted|desked|writing|brief|where-brief|fighting|deed|ghost|held)\b"
    r"[^{}]*\{[^{}]*\}"
)
"""Rules of a style sheet for what can be clicked at a table, where a page only shows."""
_EMPTY = re.compile(r"@media[^{}]*\{\}")
"""What is left of rules for some windows, where none of them is for a page."""
_OF_HANDS = re.compile(r"--(?:wide|high)-card:[^;}]*;?")
"""Sizes of the cards of a hand, which lies on a table alone."""


def page(
    data: bytes, replayed: Replayed, pictures: Mapping[int, BoardPicture] = MappingProxyType({})
) -> str:
    """The page of a turn file that was gone through, as far as it holds; the page itself finds
    where it does not. `pictures` are those that players made of their board, by the entry with
    which each goes: in a game that has no other board the page shows those whose digest the entry
    signs. In the film a number stands for each player in the order of their first entries, as long
    as their name ("{1____}"): the page puts the name there that this entry signs.
    Raises what is wrong with a file of which no entry holds."""
    joined = list(dict.fromkeys(entry.seat for entry in replayed.game.entries))
    named = {
        seat: f"{{{joined.index(seat)}{'_' * (len(name) - 3)}}}"
        for seat, name in replayed.names().items()
    }
    if replayed.game.rules.keeps_rules:
        pictures = {}
    whole, (film, drawn) = replayed.whole_game(), replayed.film(named)
    facts = {
        "title": whole.title,
        "when": [scene.when for scene in whole.scenes],
        "film": [[_step(step) for step in steps] for steps in film],
        "hands": [scene.hands for scene in whole.scenes],
        "ending": replayed.ending(named),
        "boards": _sorted(drawn.boards),
        "ground": drawn.ground,
        "pictures": {number: [_b64(one.data), *one.size] for number, one in pictures.items()},
    }
    told = json.dumps({"told": facts, "trace": replayed.trace}, separators=(",", ":")).encode()
    styles, shows = _STYLE.findall(drawn.ground), bool(pictures)
    return _written(whole.title, packed(data), packed(told), styles, has_pictures=shows)


def write_page(path: Path, text: str, data: bytes) -> None:
    """Write the page that shows a turn file, also over a page of the same game that this one goes
    on from. Raises `Conflict` if something else stands there, `Usage` if it cannot be written."""
    shown = b""
    with suppress(Usage):
        shown = in_page(files.read_own(path, MAX_MESSAGE))
    if shown and data.startswith(shown):
        files.replace(path, text.encode(), mode=0o644)
        return
    try:
        files.write_new(path, text.encode())
    except Conflict as error:
        remedy = Typed("move it away, or name another place")
        raise Conflict(error.what, hint=("nothing was overwritten", remedy)) from error


def _sorted(boards: Boards) -> dict[str, object]:
    """The boards as the page has them: parts that begin alike side by side, which packs better."""
    order = sorted(range(len(boards.elements)), key=boards.elements.__getitem__)
    place = {number: at for at, number in enumerate(order)}
    changes = [
        None
        if change is None
        else [(at, gone, [place[one] for one in new]) for at, gone, new in change]
        for change in boards.changes
    ]
    return {"elements": [boards.elements[number] for number in order], "changes": changes}


def _step(step: ShownStep) -> dict[str, object]:
    """A step of the film for the page; what is empty is left out."""
    moves = [[move.piece, move.count, move.source, move.target] for move in step.moves]
    facts = {"lines": step.lines, "moves": moves, "rolls": step.rolls, "opened": step.opened}
    return {name: value for name, value in facts.items() if value}


def empty_page() -> str:
    """The page without a game: it checks any file and trace dropped on it. Its hash is published in
    docs/trust.md."""
    return _written("Check a game", "", "", [])


def _written(
    title: str, file: str, data: str, styles: Sequence[str], *, has_pictures: bool = False
) -> str:
    text = script(bool(file))
    names = {"title": title, "file": file, "data": data, "script": text}
    rules = policy(text, styles, has_pictures=has_pictures)
    return render("replay/page.html.j2", {**names, "policy": rules})


def script(has_game: bool) -> str:
    """The script of a page. It is the same for every page with a game, and another one for the page
    without."""
    others = TAKES_FILES if has_game else SHOWS_GAME
    return "".join(source(f"{name}.js", has_game) for name in SCRIPTS if name not in others)


@lru_cache(maxsize=64)
def source(name: str, has_game: bool = True) -> str:
    """A script from templates/replay or templates/stage, without the lines that are comments and
    without the blanks at the beginning of lines, which saves a tenth of a page. (No text in the
    scripts goes on in another line.) With a game the other blanks and ends of lines that it does
    not need are left out too; the page without one stays as it can be read."""
    if name == "words.js":
        return _words()
    if name == "frame.js":
        return _frame(has_game)
    if name == "stage.js":
        parts = "".join(source(f"{part}.js") for part in (*STAGE, "watch"))
        return f'(function () {{\n"use strict";\n{parts}}})();\n'
    folder = "stage" if name[:-3] in (*STAGE, "film") else "replay"
    text = (Path(shipped()) / folder / name).read_text(encoding="utf-8")
    if name == "noble.js":
        return text
    lines = _INDENT.sub("", _COMMENT.sub("", text))
    if not has_game:
        return lines
    return _CODE.sub(lambda part: _narrow(part[0]), _NOTHING.sub("", lines))


def _narrow(code: str) -> str:
    """Code without the blanks and the end of a line that it does not need."""
    return _WIDE.sub(lambda part: part[1] or part[2] or part[3], code).removesuffix("\n")


def _frame(has_game: bool) -> str:
    """The elements of a page and its style, as a script. Its names cannot be taken by elements of
    the file."""
    markup = render("replay/frame.html.j2", {"has_file": has_game})
    sheets = ("stage/stage.css", "replay/page.css", "replay/game.css")
    css = "".join(
        (Path(shipped()) / name).read_text(encoding="utf-8")
        for name in (sheets if has_game else sheets[1:2])
    )
    style = _JOINTS.sub(r"\1\2\3\4", _BLANKS.sub(" ", css))
    for unneeded in (_CHOOSING, _EMPTY, _OF_HANDS):
        style = unneeded.sub("", style)
    parts = (
        f"hasGame:{_literal(has_game)},frame:{_template(markup)},style:{_template(_font() + style)}"
    )
    return f'Object.defineProperty(globalThis, "pbem", {{ value: {{{parts}}} }});\n'


def _words() -> str:
    """The words of the card, the characters of one look, the titles of our games and the table of
    fields without what only readers of the format want, as a script: so the policy covers them
    too."""
    parts: dict[str, object] = {
        "cardWords": dict(verdict_card.words()),
        "lookalikes": _COMMENTED.sub("", characters.like_ascii()),
    }
    parts["titles"] = {name: registry.title(name) for name in registry.known_games()}
    parts["fields"] = [
        {key: value for key, value in field.items() if key not in ("since", "section")}
        for field in json.loads(turnfile.PATH.read_text(encoding="utf-8"))
    ]
    return f"Object.assign((globalThis.pbem ??= {{}}), {_literal(parts)});\n"


def _literal(value: object) -> str:
    """A value as a literal of a script that stands in a page: neither an end tag nor a comment of
    the page is in it."""
    return _unended(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def _template(text: str) -> str:
    """The same for a text with many quotation marks."""
    literal = re.sub(r"[`$\\]", r"\\\g<0>", text)
    return f"`{_unended(literal)}`"


def _unended(literal: str) -> str:
    return literal.replace("</", "<\\/").replace("<!", "\\u003c!")


def policy(text: str, styles: Sequence[str], *, has_pictures: bool = False) -> str:
    """The Content-Security-Policy of a page with this script and these style sheets inline, and
    nothing else, but for pictures that stand in it."""
    allowed = {"script-src": [text], "style-src": styles}
    rules = [
        " ".join([name, *([_hash(one) for one in texts] or ["'none'"])])
        for name, texts in allowed.items()
    ]
    fixed = ["font-src data:", "base-uri 'none'", "form-action 'none'"]
    shown = ["img-src data:"] if has_pictures else []
    return "; ".join(["default-src 'none'", *rules, *shown, *fixed])


def _font() -> str:
    """The letters of the boards, as they are in the pictures of a mail (packed by
    release/letters.py)."""
    letters = _b64((DATA / FONTS[0]).with_suffix(".woff").read_bytes())
    return f'@font-face {{ font-family: "{FAMILY}"; src: url(data:font/woff;base64,{letters}); }}\n'


def _hash(text: str) -> str:
    return f"'sha256-{_b64(hashlib.sha256(text.encode()).digest())}'"


def _b64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")
