"""The example of Conquest of Paradise told turn by turn, for docs/paradise.md: made from the turn
file alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.rules import Game
from pbem.fileformat import turnfile
from pbem.ledger import gate
from pbem.ledger.ledger import Ledger
from pbem.report import facts
from pbem.report.lines import AnswerLine, DiceLine

BEGIN = "<!-- made by ./run examples: begin -->\n"
END = "<!-- made by ./run examples: end -->\n"
PAGE = Path(__file__).parents[1] / "docs" / "paradise.md"
OPENING = """\
`examples/paradise/` holds a whole game of Ann's with the practice chits; Ben witnesses. `./run examples` plays another
one and writes the files and this section anew: what the table shows is made up by a program, dice and chits are real.

To follow it on your board, put each group where Ann writes that it lies; on hers Tonga is south of Samoa and Fiji
south-west, and blank squares begin north and east of Samoa. What Ann reports is in `code`, *italics* are dice, the rest
is what the program tells them to do on the board, and why. A number in brackets is the ruling. After the dice of a new
group the pieces that the steps name are placed on it; villages of Ann's own are not reported.

```
./run pbem verify examples/paradise/{name}
./run pbem show --public examples/paradise/{name}
```

It took {entries} mails for {turns} turns, invitation and join included, {each} a turn: two for each turn (Ann's reports
up to the points, Ben's proof for the next chit), and two more each time that new dice are needed in between: for a
discovery, or a tie after an answer. By turn: {by_turn}.
"""  # noqa: E501


def section(data: bytes, name: str) -> str:
    """The section of the page, without its heading."""
    file = turnfile.read(data)
    game = Ledger()
    mails: dict[int, int] = {}
    for entry in file.entries:
        if game.playing is not None:
            at: Game = game.playing.referee.game
            turn = max(1, at.period())  # in which the entry begins; the set-up comes with the first
            mails[turn] = mails.get(turn, 0) + 1
        gate.admit(game, entry)
    turns = max(mails)
    by_turn = ", ".join(str(mails[turn]) for turn in sorted(mails))
    each = f"{sum(mails.values()) / turns:.1f}"
    opening = OPENING.format(
        name=name, entries=len(file.entries), turns=turns, each=each, by_turn=by_turn
    )
    return opening + "\n" + "\n".join(_told(game)) + "\n"


def _told(game: Ledger) -> Iterator[str]:
    """A list item for each report, die and step, under a heading for each turn."""
    faces = game.public_faces()
    reports: list[str] = []
    yield "### Set-up\n"
    for entry in facts.report(game, None, faces, 0).position.entries:
        if entry.message:
            yield f"- Ann writes: {entry.message}"
        for line in entry.lines:
            if isinstance(line, AnswerLine):
                reports.append(f"`{line.text}`")
                continue
            text = _line(line)
            if not text:
                continue
            if reports:
                yield f"- Ann reports {', '.join(reports)}"
                reports.clear()
            yield text
    if reports:
        yield f"- Ann reports {', '.join(reports)}"


def _line(line: Any) -> str:
    """A line of the record in Markdown; empty for one that another says better."""
    if isinstance(line, DiceLine):
        return f"- *{' '.join(map(str, line.dice))}*: {line.why}"
    if not isinstance(line, dict):
        return ""
    match line["kind"]:
        case "turn":
            return f"\n### Turn {line['number']}\n"
        case "step":
            return f"- {_capital(line['text'])} [{line['section']}; {line['ruling']}]"
        case "chit":
            return (
                f"- **Chit {line['number']}: {line['expand']} / {line['action']}** (practice set,"
                f" unofficial); {line['left']} left in the cup"
            )
        case "tie":
            return f"- The die says {line['chosen'] or 'nothing, and is thrown again'}"
        case "undone":
            kept = "; dice that came under it are kept and used first" if line["after"] else ""
            return f"- Ann takes back `{line['text']}`{kept} [20]"
        case "corrected":
            return f"- Correction: {line['text']}, not {line['before']} [27]"
        case "kept":
            return f"- *{' '.join(map(str, line['dice']))}*, kept from before: {line['why']}"
    return (
        f"- The game is over: {'Ann has won' if line['winner'] == 'tonga' else 'Samoa has won'},"
        f" {line['how']}"
    )


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def put_into_page(data: bytes, name: str) -> None:
    """Write the section into docs/paradise.md, between its marks."""
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(before + BEGIN + section(data, name) + END + after, encoding="utf-8")
