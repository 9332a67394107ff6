"""Golden texts: what every command says to a person, in tests/cli/text/, one file a command.

The commands are those of the golden JSON answers (golden_json.py), entered once more without
`--json`, and what they named then (files, games) is read there. `python -m tests.cli.golden_text`
writes the texts anew, `./run golden` after the answers; read the difference, for it is all that
changes for players. A test elsewhere need not say how something is worded.
"""

from __future__ import annotations

import itertools
import json
import re
import tempfile
import time
from datetime import UTC, datetime, tzinfo
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from typing import Any, Self
from unittest.mock import patch

from pbem import english
from pbem.fileformat import turnfile
from pbem.mail import program
from tests.cli import golden_homes, golden_json, golden_mail, golden_prepared
from tests.cli.golden_json import EXAMPLES, Case, Script

HERE = Path(__file__).parent / "text"
MAIL = "mail"
"""No command: the file with the mails that commands have written."""
DIFFERS = (
    (re.compile(r"\b[\d.,]+(?= (?:games|decisions) a second)"), "(measured)"),
    (re.compile(r"(?<= ms   )( +)[\d.]+"), r"\1(measured)"),
    (re.compile(r"(?<=cid:)[^\"]+"), "(picture)"),
    (re.compile(r"(?s)(?<=-----BEGIN PBEM TURN-----).*?(?=-----END)"), "\n(turn)\n"),
    (re.compile(r"(?<=Checked by: pbem )[^;]+"), "(version)"),
    (re.compile(r"(?s)(?<=  versions        ).*?(?=\n\S)"), "(versions)"),
    (re.compile(r"(?<=  free space      )[\d.]+ [GM]B"), "(measured)"),
    (re.compile(r"[\d-]{10} [\d:]{5}(?=,\s+for )"), "(measured)"),
    (re.compile(r"(?m)^pbem: \d+ seconds so far; .*\n"), ""),
    (re.compile(r"(?m)^  slow: .* of the time\n"), ""),
    (re.compile(r"(?<=error-)[0-9a-f]{8}"), "(place)"),
    (re.compile(r"(?<=no TOML: )[^\n]*?(?=,? \(?hint: )"), "(why)"),
)
"""What differs from run to run or from commit to commit, and what stands in its place."""


def _same(said: str) -> str:
    for pattern, instead in DIFFERS:
        said = pattern.sub(instead, said)
    return said


class TextScript(Script):
    """The same commands, each with what it says on standard output and on standard error."""

    def types(self, who: str, command: str, *arguments: str, exits: int = 0) -> dict[str, Any]:
        """Run one command for its text; its JSON as it was when that was asked for."""
        self.says(who, command, *arguments)
        facts: dict[str, Any] = self._answered(command)
        return facts

    def types_many(self, who: str, command: str, *arguments: str, exits: int = 0) -> None:
        self.says(who, command, *arguments)

    def says(self, who: str, command: str, *arguments: str) -> None:
        """Run a command that has no golden answer; its exit code is part of its text."""
        code, *said = self.players[who].types(command, *arguments)
        self._keep(
            who, command, arguments, code, [_same(self._without_folder(one)) for one in said]
        )

    def beside(self) -> None:
        """What is asked for its words alone."""
        self._other_games()
        self._stumble()
        self._draw()
        game = self.running.rpartition("-")[0]
        for file in sorted((self.folder / "mails").glob(f"{game}-*.eml")):
            self.reads(file)
        golden_mail.scenes(self)
        golden_homes.scenes(self)
        golden_prepared.scenes(self)

    def _other_games(self) -> None:
        """Games from their middle and from their end."""
        for game in ("loot", "backgammon", "paradise", "solitaire"):
            file = max((EXAMPLES / game).glob("*.toml"))
            newest = turnfile.read(file.read_bytes())
            middle = self.folder / "mails" / f"{game}.toml"
            middle.write_bytes(newest.prefix(len(newest.entries) // 2))
            for shown in (middle.name, str(file)):
                self.says("Ann", "show", shown)
            self.says("Ann", "log", middle.name)
            self.says("Ann", "verify", middle.name)
            self.says("Ann", "games", file.name.rsplit("-", 2)[0])
        self.says("Ann", "show", self.running, "--notes", "--format", "md")
        self.says("Ann", "log", self.running, "--format", "md")

    def _stumble(self) -> None:
        """What newcomers type, and what is old."""
        newest = self.running
        first = newest.replace("-0002", "-0000")
        self.says("Ann", "verify", first)
        self.says("Ann", "dice", first)
        self.says("Ann", "show", first)
        self.says("Ann", "show", first, "--public")
        self.says("Ann", "moves", first)
        self.says("Ann", "show", newest.replace(".toml", ".md"))
        self.says("Ann", "show", "bad.toml")
        self.says("Ben", "play", newest, "event", "murad")
        self.says("Ben", "play", newest, "event murat")
        self.says("Ben", "play", newest, "event sweden pays tribute")
        self.says("Ben", "play", newest)
        self.says("Ben", "moves", newest, "--after", "event thomas jefferson")
        self.says("Ben", "card", newest, "thomas jefferson")
        self.says("Ben", "card", "murad reis")
        self.says("Ben", "resign", newest)
        self.says("Ben", "help", "t")
        for name in ("empty.toml", "notes.txt"):
            (self.folder / "mails" / "games" / name).touch()
        (self.folder / "mails" / "games" / "pyproject.toml").write_text("[project]\n")
        self.says("Ann", "verify", "games", "gone.toml", "--jobs", "1")
        self.says("Ann", "library", "games", "--jobs", "1")
        self.says("Ann", "library", "games", "--jobs", "1", "--anew")
        self.says("Ben", "help", "../README")

    def _draw(self) -> None:
        """A draw is offered and accepted, and proven."""
        self.says("Ben", "play", self.running, "event murad", "--offer-draw")
        game = self.running.rpartition("-")[0]
        files = [f"{game}-{number:04}.toml" for number in range(8)]
        self.says("Ann", "show", files[3])
        self.says("Ann", "moves", files[3])
        self.says("Ann", "draw", files[3])
        for form in ("text", "md"):
            self.says("Ben", "show", files[4], "--format", form)
        self.says("Ben", "log", files[4], "--from", "4")
        self.says("Ben", "verify", files[4])
        self.says("Ben", "inbox", files[4])
        self.says("Ben", "play", files[4])
        self.says("Ann", "show", files[5])
        self.says("Ann", "verify", files[5])
        self.says("Ann", "inbox", files[5])
        self.says("Ann", "play", files[5], "event naval movement")

    def reads(self, file: Path) -> None:
        """The words of a mail; of one turn in both of its forms."""
        mail = message_from_bytes(file.read_bytes(), policy=default)
        lines = [f"{name}: {mail[name]}" for name in ("From", "To", "Subject")]
        kinds = ("plain", "html") if file.stem == self.running.removesuffix(".toml") else ("plain",)
        for kind in kinds:
            body = mail.get_body((kind,))
            lines += ["", f"({kind})", body.get_content()] if body is not None else []
        said = self._without_folder("\n".join(lines))
        self.cases.setdefault(MAIL, []).append(
            {"command": f"==== {file.name}", "exit": 0, "json": [_same(said), ""]}
        )

    def _without_folder(self, said: str) -> str:
        """Also where it stands without its first slash, as a notice has it."""
        return super()._without_folder(said).replace(f"{self.folder}/"[1:], "")

    def _answered(self, command: str) -> Any:
        """The golden answer to the call that was kept last."""
        answers = json.loads((golden_json.HERE / f"{command}.json").read_text(encoding="utf-8"))
        case = answers[len(self.cases[command]) - 1]
        assert case["command"] == self.cases[command][-1]["command"], "./run golden"
        return case["json"]


class _SixDaysLater(datetime):
    """What tells how old a turn is has the same day and the same place on Earth each time."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Self:
        return cls(2026, 11, 27, 9, 30, tzinfo=tz)

    def astimezone(self, tz: tzinfo | None = UTC) -> Self:
        return super().astimezone(tz)


def cases(folder: Path) -> dict[str, list[Case]]:
    """Every command with its texts, by command."""
    later = patch.object(english, "datetime", _SixDaysLater)
    # little time passes, on whatever machine
    ticks = patch.object(time, "time", side_effect=itertools.count(time.time(), 0.0001).__next__)
    # mails are folded, so that the length of a version would be seen in what stands beside it
    with later, ticks, patch.object(program, "exact", return_value="0.0"):
        return golden_json.cases(folder, TextScript)


def text(found: list[Case]) -> str:
    """One file: each call as it was typed, what it said, and its exit code where it is none of
    success. What came on standard error has a bar before it."""
    lines: list[str] = []
    for case in found:
        out, err = case["json"]
        lines += [case["command"], *out.splitlines(), *(f"| {line}" for line in err.splitlines())]
        lines += [f"(exit {case['exit']})"] if case["exit"] else []
        lines.append("")
    return "\n".join(line.rstrip() for line in lines)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        made = cases(Path(folder))
    HERE.mkdir(exist_ok=True)
    for old in HERE.glob("*.txt"):
        old.unlink()
    for command, found in made.items():
        (HERE / f"{command}.txt").write_text(text(found), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
