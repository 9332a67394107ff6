"""Two players who type `pbem` commands, each with a home of their own: what the demo and the
example game share."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pbem.cli import app

Choose = Callable[[Sequence[str]], str]
"""Which of the listed answers a player gives; the list is never empty."""


@dataclass(frozen=True)
class Player:
    """Somebody with a private folder, who types in the folder where the turn files lie."""

    name: str
    home: Path
    folder: Path
    in_process: bool = False
    """Run the same program inside this one, which saves starting Python for every command."""

    def types(self, *arguments: str) -> tuple[int, str, str]:
        """Run one command. Its exit code, and what it says on standard output and standard
        error."""
        if self.in_process:
            return self._inside(arguments)
        done = subprocess.run(
            [sys.executable, "-m", "pbem", *arguments],
            cwd=self.folder,
            env={**os.environ, "PBEM_HOME": str(self.home), "PYTHONUTF8": "1"},
            capture_output=True,
            stdin=subprocess.DEVNULL,
            encoding="utf-8",
            check=False,
        )
        return done.returncode, done.stdout, done.stderr

    def asks(self, *arguments: str) -> dict[str, Any]:
        """Run one command with `--json` and read its answer, good or bad."""
        _, said, _ = self.types(*arguments, "--json")
        facts: dict[str, Any] = json.loads(said)
        return facts

    def does(self, *arguments: str) -> dict[str, Any]:
        """The same, for a command that must succeed."""
        facts = self.asks(*arguments)
        if "error" in facts and facts["error"] is not None:
            raise RuntimeError(f"{self.name} entered {' '.join(arguments)}: {facts['error']}")
        return facts

    def answers(self, file: str, choose: Choose, longest: int = 400) -> list[str]:
        """Answers that make an entry, chosen one by one from what `pbem moves` lists; or so many,
        where an entry may stop."""
        given: list[str] = []
        while (
            len(given) < longest
            and not (facts := self.does("moves", file, "--after", "; ".join(given)))["complete"]
        ):
            given.append(choose(facts["options"]))
        return given

    def _inside(self, arguments: Sequence[str]) -> tuple[int, str, str]:
        out, err = io.StringIO(), io.StringIO()
        before, here = os.environ.get("PBEM_HOME"), Path.cwd()
        code = 0
        try:
            os.environ["PBEM_HOME"] = str(self.home)
            os.chdir(self.folder)
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                app.run(list(arguments))
        except SystemExit as end:
            code = int(end.code or 0)
        finally:
            os.chdir(here)
            os.environ.pop("PBEM_HOME")
            if before is not None:
                os.environ["PBEM_HOME"] = before
        return code, out.getvalue(), err.getvalue()


def two_players(folder: Path, *, in_process: bool = False) -> dict[str, Player]:
    """Ann, who plays the American, and Ben, who plays Tripolitania; their homes and the mails
    between them."""
    mails = folder / "mails"
    mails.mkdir()
    ann = Player("Ann", folder / "home-of-ann", mails, in_process)
    ben = Player("Ben", folder / "home-of-ben", mails, in_process)
    return {"american": ann, "tripolitan": ben}


def preferring(*wishes: str) -> Choose:
    """Choose the first option that begins with the first wish that fits any; failing all, the first
    option."""

    def choose(options: Sequence[str]) -> str:
        for wish in wishes:
            for option in options:
                if option.startswith(wish):
                    return option
        return options[0]

    return choose
