"""People who have never heard of the program: they follow a page or a mail, and type what it says
to the letter.

Each command is a line at a terminal. It is answered where it asks, and has to end well.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.support.screen import Seat

NETWORK = (
    "PIP_",
    "SSL_CERT",
    "REQUESTS_CA",
    "http_proxy",
    "https_proxy",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
)
"""How this machine reaches the network is no part of anybody's account."""

FOR_TESTS = ('PROMPT_COMMAND=PS1="[$?] "', "PAGER=cat")
"""What no account has: a prompt that tells how the last command ended, and nobody who leafs through
pages."""


class Asked(Seat):
    """A terminal at which the program also asks who somebody is."""

    def is_prompt(self, line: str) -> bool:
        return super().is_prompt(line) or line in ("Your name:", "Your mail address (Enter: none):")


class Person:
    """Somebody at a terminal in a folder. `entered` are the lines that they have typed so far."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self.folder = folder
        self.entered: list[str] = []
        self.signed = 0
        folder.mkdir(parents=True, exist_ok=True)

    def does(self, line: str) -> str:
        """Type a command as it is printed, answer what it asks, and see it end well; what it
        showed."""
        raise NotImplementedError

    def has(self, *files: Path) -> None:
        """Save what came to the folder."""
        for file in files:
            (self.folder / file.name).write_bytes(file.read_bytes())

    def newest(self, game: str) -> Path | None:
        """The newest turn of a game in the folder, by what its name begins with; None where there
        is none."""
        return max(self.folder.glob(f"{game}*.toml"), default=None, key=lambda path: path.stem[-4:])

    def replies(self, prompt: str) -> str:
        """What a newcomer enters: who they are, always the first answer, and one turn."""
        if prompt.startswith("Your name"):
            return self.name
        if prompt.startswith("Sign it?"):
            self.signed += 1
            return "yes"
        if prompt == ">":
            return "quit" if self.signed else "1"
        return ""


class AtTheCheckout(Person):
    """Types `pbem` commands of this checkout, without a shell."""

    def __init__(self, name: str, folder: Path) -> None:
        super().__init__(name, folder)
        self._home = folder.parent / f"home-of-{name}"

    def does(self, line: str) -> str:
        program, *words = shlex.split(line)
        assert program == "pbem", f"{line}: only pbem is known here"
        self.entered.append(line)
        self.signed = 0
        seat = Asked(self._home, self.folder, *words, rows=24, PAGER="cat")
        try:
            while seat.waits().is_prompt(seat.prompt()):
                seat.types(self.replies(seat.prompt()))
            assert seat.ends() == 0, f"{line}:\n{seat.text()}"
            return seat.text()
        finally:
            seat.close()


class _Shell(Asked):
    """An interactive bash, whose prompt tells how the last command ended."""

    PROMPT = re.compile(r"\[(\d+)\]")

    def is_prompt(self, line: str) -> bool:
        return super().is_prompt(line) or bool(self.PROMPT.fullmatch(line))


class AtAnEmptyAccount(Person):
    """Types into bash in a home folder in which nothing was ever done; `tools` are folders of its
    PATH besides."""

    def __init__(self, name: str, account: Path, *tools: Path, start: str = "") -> None:
        super().__init__(name, account / start)
        self.account = account
        self._tools = tools
        self._shell: _Shell | None = None

    def new_terminal(self) -> None:
        """Close the terminal, and open another one."""
        self.close()
        kept = [f"{name}={value}" for name, value in os.environ.items() if name.startswith(NETWORK)]
        path = ":".join([*map(str, self._tools), "/usr/local/bin", "/usr/bin", "/bin"])
        own = [
            f"HOME={self.account}",
            f"PATH={path}",
            "TERM=xterm-256color",
            "LANG=C.UTF-8",
            *FOR_TESTS,
        ]
        terminal = self.account / "no-home-of-pbem"
        self._shell = _Shell(
            terminal, self.folder, "-i", *own, *kept, "bash", "-i", rows=24, program="env"
        )
        self._shell.waits()

    def close(self) -> None:
        """Close the terminal."""
        if self._shell is not None:
            self._shell.close()
            self._shell = None

    def does(self, line: str) -> str:
        if self._shell is None:
            self.new_terminal()
        shell = self._shell
        assert shell is not None
        self.entered.append(line)
        self.signed, before = 0, len(shell.text())
        shell.types(line)
        while not (ended := _Shell.PROMPT.fullmatch(shell.prompt())):
            assert shell.is_prompt(shell.prompt()), f"{line}:\n{shell.text()[before:]}"
            shell.types(self.replies(shell.prompt()))
        assert ended[1] == "0", f"{line} ended with {ended[1]}:\n{shell.text()[before:]}"
        return shell.text()[before:]


@contextmanager
def people(*all_of_them: Person) -> Iterator[Sequence[Person]]:
    """Whatever terminals they have opened are closed in the end."""
    try:
        yield all_of_them
    finally:
        for one in all_of_them:
            if isinstance(one, AtAnEmptyAccount):
                one.close()
