"""Writes docs/commands.md from the words of the program: `python -m docs.commands_page` (part of ./run golden)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pbem.cli.app import SECTIONS, every_command
from pbem.cli.man import ENDS, named
from pbem.cli.startup.parameters import usage_word

PAGE = Path(__file__).parent / "commands.md"

HEAD = f"""# All commands

What `pbem COMMAND --help` says, on one page, made from the program by `./run golden`; do not edit it. What the games
add to `pbem new`, and what standing orders can be about, stands on the games' own pages and in the help itself.

FILE may be a turn file, a saved mail with the turn attached or in its text, or the short name that `pbem inbox` gives
a game, cut short as long as no other game begins so. A key with a passphrase asks for it, or takes it from
`PBEM_PASSPHRASE`. `--json` prints one object for other programs ([json.md](json.md)). {ENDS}
"""


def page() -> str:
    """The whole page."""
    commands = every_command()
    parts = [HEAD]
    for heading, names in SECTIONS.items():
        listed = [name for name in names if not commands[name].hidden]
        parts.append(f"## {heading}\n")
        for name in listed:
            parts += _command(name, commands[name])
    return "\n".join(parts).rstrip("\n") + "\n"


def _command(name: str, command: Any) -> Iterator[str]:
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    usage = " ".join(["pbem", name, *map(usage_word, arguments)])
    yield f"### `{usage}`\n"
    for paragraph in (command.help or "").split("\n\n"):
        yield " ".join(paragraph.split()) + "\n"
    rows = [(named(one), one.help) for one in command.params if getattr(one, "help", None) and one.name != "as_json"]
    if rows:
        yield "| | |\n|---|---|"
        yield from (f"| `{what}` | {' '.join(told.split())} |" for what, told in rows)
        yield ""


def main() -> None:
    PAGE.write_text(page(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
