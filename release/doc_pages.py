"""Writes what is made from the program on the pages of docs/ (part of ./run golden).

docs/commands.md, how one wins each game on its own page, the games and the addresses in README, the
table of fields in docs/format.md, and docs/check.html with its hash in docs/trust.md; docs/json.md
has a module of its own, `json_page.py`."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pbem import PAGE_ADDRESS, PROGRAM_ADDRESS
from pbem.cli.app import SECTIONS, every_command
from pbem.cli.shells import ENDS, named
from pbem.cli.startup.parameters import usage_word
from pbem.fileformat.turnfile import TABLE, Field
from pbem.games import registry
from pbem.games.introduction import introduction
from pbem.replay.page import empty_page
from pbem.report.render import render

ROOT = Path(__file__).parents[1]
README, DOCS = ROOT / "README.md", ROOT / "docs"
COMMANDS, FORMAT, CHECK, TRUST = (
    DOCS / name for name in ("commands.md", "format.md", "check.html", "trust.md")
)

HEAD = f"""# All commands

What `pbem COMMAND --help` says, on one page, made from the program by `./run golden`; do not edit it. What the games
add to `pbem new`, and what standing orders can be about, stands on the games' own pages and in the help itself.

FILE may be a turn file, a saved mail with the turn attached or in its text, or the short name that `pbem inbox` gives
a game, cut short as long as no other game begins so. A key with a passphrase asks for it, or takes it from
`PBEM_PASSPHRASE`. `--json` prints one object for other programs ([json.md](json.md)). {ENDS}
"""  # noqa: E501


def commands_page() -> str:
    """All of docs/commands.md."""
    commands = every_command()
    parts = [HEAD, "| | |\n|---|---|"]
    parts += [
        f"| `{name}` | {_in_one_line(command)} |"
        for name, command in commands.items()
        if not command.hidden
    ]
    parts.append("")
    for heading, names in SECTIONS.items():
        listed = [name for name in names if not commands[name].hidden]
        parts.append(f"## {heading}\n")
        for name in listed:
            parts += _command(name, commands[name])
    return "\n".join(parts).rstrip("\n") + "\n"


def _in_one_line(command: Any) -> str:
    return " ".join((command.help or "").split("\n\n")[0].split())


def _command(name: str, command: Any) -> Iterator[str]:
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    usage = " ".join(["pbem", name, *map(usage_word, arguments)])
    yield f"### `{usage}`\n"
    for paragraph in (command.help or "").split("\n\n"):
        yield " ".join(paragraph.split()) + "\n"
    rows = [
        (named(one), one.help)
        for one in command.params
        if getattr(one, "help", None) and one.name != "as_json"
    ]
    if rows:
        yield "| | |\n|---|---|"
        yield from (f"| `{what}` | {' '.join(words.split())} |" for what, words in rows)
        yield ""


TABLE_HEAD = "| field | kind | bounds | stands in | what |\n|---|---|---|---|---|\n"
_ROW = re.compile(r"\| `([^`]+)` (?:\| [^|]* ){3}\| (.+) \|\n")
_WHERE = {"always": "every entry", "invitation": "entry 0", "first": "first entries"}


def with_table(text: str) -> str:
    """The page with its table made anew. Raises `ValueError` where a field has no words yet."""
    before, _, rest = text.partition(TABLE_HEAD)
    rows, after = [], rest
    while match := _ROW.match(after):
        rows.append((match[1], match[2]))
        after = after[match.end() :]
    words = dict(rows)
    if missing := [key for key in TABLE if key not in words]:
        raise ValueError(
            f"docs/format.md has no words for {', '.join(missing)}: add a row to its table of"
            " fields"
        )
    return (
        before
        + TABLE_HEAD
        + "".join(_field_row(field, words[field.key]) for field in TABLE.values())
        + after
    )


def _field_row(field: Field, words: str) -> str:
    bounds = f"{field.longest}"
    if field.kind == "number":
        bounds = f"{field.least} to {field.most}" if field.least != field.most else f"{field.least}"
    where = _WHERE.get(field.where, f"see {field.section}")
    return f"| `{field.key}` | {field.kind} | {bounds} | {where} | {words} |\n"


GAMES = {
    "tripoli": "tripoli",
    "solitaire": "tripoli-solitaire",
    "loot": "loot",
    "paradise": "paradise",
    "backgammon": "backgammon",
    "any": "any",
}
"""The pages of the games that come with the program."""
_INTRODUCED = re.compile(
    r"(<!-- made by \./run golden: how to win -->\n).*?(<!-- made by \./run golden: end -->)",
    re.DOTALL,
)


def with_introduction(text: str, game: str) -> str:
    """The page of a game with what the game says of itself."""
    said = render("introduction.md.j2", {"game": game})
    text_after, count = _INTRODUCED.subn(lambda marks: f"{marks[1]}{said}{marks[2]}", text)
    assert count == 1, f"the page of {game} has one place for how it is won"
    return text_after


_LISTED = re.compile(
    r"(<!-- made by \./run golden: games -->\n).*?(<!-- made by \./run golden: end -->)", re.DOTALL
)


def with_games(text: str) -> str:
    """README with the games and who plays each; what else they say of themselves, `pbem games`
    tells."""
    table = "\n".join(
        f"- [{registry.newest(game).title}](docs/{name}.md): {introduction(game).sides}"
        for name, game in GAMES.items()
    )
    text_after, count = _LISTED.subn(lambda marks: f"{marks[1]}\n{table}\n\n{marks[2]}", text)
    assert count == 1, "README has one place for the games"
    return text_after


_ADDRESSES = re.compile(
    r"(<!-- made by \./run golden: addresses -->\n).*?(<!-- made by \./run golden: end -->)",
    re.DOTALL,
)


def with_addresses(text: str, page: str, program: str) -> str:
    """README with where one can play without installing anything, and where the program can be
    fetched; with nothing where there is no such place."""
    lines = [f"Or play in any browser, with nothing to install: <{page}>"] if page else []
    lines += [f"Releases: <{program}>"] if program else []
    said = "".join(f"\n{line}\n" for line in lines) + ("\n" if lines else "")
    text_after, count = _ADDRESSES.subn(lambda marks: f"{marks[1]}{said}{marks[2]}", text)
    assert count == 1, "README has one place for the addresses"
    return text_after


_PUBLISHED = re.compile(r"(SHA-256 of `check\.html`: )`[0-9a-f]{64}`")


def with_hash(trust: str, page: bytes) -> str:
    """The page about trust with the hash of the empty page in it."""
    text_after, count = _PUBLISHED.subn(rf"\1`{hashlib.sha256(page).hexdigest()}`", trust)
    assert count == 1, "docs/trust.md names the hash of check.html once"
    return text_after


def main() -> None:
    COMMANDS.write_text(commands_page(), encoding="utf-8", newline="\n")
    FORMAT.write_text(
        with_table(FORMAT.read_text(encoding="utf-8")), encoding="utf-8", newline="\n"
    )
    for name, game in GAMES.items():
        path = DOCS / f"{name}.md"
        text = with_introduction(path.read_text(encoding="utf-8"), game)
        path.write_text(text, encoding="utf-8", newline="\n")
    readme = with_games(README.read_text(encoding="utf-8"))
    readme = with_addresses(readme, PAGE_ADDRESS, PROGRAM_ADDRESS)
    README.write_text(readme, encoding="utf-8", newline="\n")
    page = empty_page().encode()
    CHECK.write_bytes(page)
    TRUST.write_text(
        with_hash(TRUST.read_text(encoding="utf-8"), page), encoding="utf-8", newline="\n"
    )


if __name__ == "__main__":
    main()
