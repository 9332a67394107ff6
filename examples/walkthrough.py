"""The page that walks through the first season of the example game, made from its files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pbem.fileformat import turnfile
from pbem.report import dice_count
from pbem.report.dice_count import RollFacts

Command = tuple[str, Sequence[str], dict[str, Any]]
"""Who entered, what, and what came of it (the keys of `--json`)."""

OPENING = """\
# A game of The Shores of Tripoli, as the commands wrote it

`tripoli/` holds a whole game between Ann (American) and Ben (Tripolitan): the summary of every entry (`.md`, what
everybody may see), the turn file after the first season, and the last turn file (`.toml`). `./run examples` plays
another game and writes everything here anew, this page too; the players are programs of small wit, and chance is real.

```
./run pbem verify examples/tripoli/{last}
./run pbem show --public examples/tripoli/{last}
./run pbem dice examples/tripoli/{last}
```

`loot/`, `solitaire/` and `paradise/` hold games of the other rules; docs/paradise.md tells the last one turn by turn.
The game of Loot has a clock and private notes, which everybody can read since its end: `loot/story.md` (`pbem log`).

The last turn file holds the whole game: each earlier one is its beginning, byte for byte. Below is the first season,
one entry after the other: what was entered, what the file says, and where the dice come from. Long lists are cut short
with a line of three dots.
"""  # noqa: E501

MEANINGS = {
    "game": "The invitation names the game, the version of its rules and the seats.",
    "key": "`key` is the player's public key, with which every later entry of the seat is checked.",
    "vrf": (
        "`vrf` is the key the player's part of all dice and draws will come from; it is fixed from"
        " now on."
    ),
    "seals": (
        "`seals` lay the player's own deck face down: one commitment a card, in an order only the"
        " player knows."
    ),
    "proof": (
        "`proof` is the player's part in chance, owed because the other player has made a decision."
    ),
    "openings": (
        "`openings` turn cards face up: handle, salt and name must give the seal that was published"
        " before."
    ),
    "answers": "`answers` are the decisions. A card of the hand appears by its handle.",
    "message": "`message` is for the other player and has no effect on the game.",
}

CLOSING = """\
## What every entry ends with

`nonce` is a fresh random number that makes the entry unforeseeable; `position` is a digest of the position at the end
of the entry, so that two programs notice at once if they disagree; and the signature covers every byte before it, back
to the first line of the file. `date` is what the player's clock said; nobody can check it.

The summaries tell the rest of the game. In the last two entries each player reveals the root from which their deck was
shuffled; `pbem verify` shuffles it again and compares every seal. Then the result is proven.
"""  # noqa: E501


def page(commands: Sequence[Command], mails: Path, last: str) -> str:
    """Markdown for the entries these commands wrote; `last` is the turn file the whole game is kept
    in."""
    data = (mails / commands[-1][2]["file"]).read_bytes()
    file, rolls = turnfile.read(data), dice_count.dice(data).rolls
    parts = [OPENING.format(last=last)]
    start = data.index(b"[[entry]]")
    for number, (who, entered, facts) in enumerate(commands):
        end = file.entries[number].end
        summary = (mails / facts["summary"]).read_text(encoding="utf-8")
        parts.append(_entry(number, who, entered, summary, data[start:end].decode()))
        mine = [roll for roll in rolls if roll.chance.entry == number]
        if mine:
            parts.append(_settles(number, who, mine))
        start = end
    return "\n".join([*parts, CLOSING])


def _entry(number: int, who: str, entered: Sequence[str], summary: str, block: str) -> str:
    quoted = " ".join(f'"{word}"' if " " in word else word for word in entered)
    lines = [
        f"## Entry {number}: {who}",
        "",
        f"{who} types",
        "",
        "```",
        f"pbem {quoted}",
        "```",
        "",
    ]
    told = [
        line for line in summary.split("## The position")[0].splitlines() if line.startswith("- ")
    ]
    if told:
        lines += ["and the summary says", "", "```", *told, "```", ""]
    shown = _shown(block)
    lines += ["The file has grown by", "", "```toml", *shown, "```", ""]
    keys = {line.split(" = ")[0] for line in shown}
    lines += [f"- {meaning}" for key, meaning in MEANINGS.items() if key in keys]
    return "\n".join(lines) + "\n"


def _shown(block: str) -> list[str]:
    """The lines of an entry, long lists cut short."""
    shown: list[str] = []
    elements = 0
    for line in block.strip("\n").split("\n"):
        elements = elements + 1 if line.startswith("  ") else 0
        if elements > 8:
            continue
        shown.append(line)
        if elements == 8:
            shown[-6:] = ["  ..."]
    return shown


def _settles(number: int, who: str, rolls: Sequence[RollFacts]) -> str:
    witness = rolls[0].witness
    lines = [
        (
            f"{who} has signed and knows no die yet. These come from entry {number}, by the proof"
            f" of {witness}:"
        ),
        "",
    ]
    for roll in rolls:
        dice = "not settled yet" if roll.pending else " ".join(map(str, roll.dice))
        lines.append(f"- {roll.reason}: {dice} (from byte {roll.chance.offset} of the stream)")
    return "\n".join(lines) + "\n"
