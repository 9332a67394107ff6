"""Players who are led through their turns at a terminal, of whatever game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from pbem.home.home import Home
from pbem.ledger.ledger import Ledger
from pbem.turn.open_game import open_file
from tests.support.screen import Seat, at_a_screen

Choose = Callable[[str, int], str]
"""What is entered at a question; called with the screen so far and how many answers were given."""


def first(_screen: str, _given: int) -> str:
    """Always the first answer."""
    return "1"


def lead(seat: Seat, choose: Choose = first, most: int = 30) -> str:
    """Answer until the entry is complete, and sign it; all that was shown."""
    for given in range(most):
        if "Sign it?" in seat.waits().last():
            seat.keys("yes\r")
            code = seat.ends()
            assert code == 0, seat.text()
            return seat.text()
        seat.types(choose(seat.last(50), given))
    raise AssertionError(f"no end:\n{seat.text()}")


class Led:
    """A game between homes of this machine, each turn of which is led at a terminal. `file` is the
    newest turn."""

    def __init__(self, homes: Mapping[str, Home], file: Path, **terminal: str) -> None:
        self._homes = dict(homes)
        self._terminal = terminal
        self.file = file

    def game(self) -> Ledger:
        """The game as it stands."""
        home = next(iter(self._homes.values()))
        return open_file(self.file.read_bytes(), home).ledger

    def turn(self, choose: Choose = first, *options: str, columns: int = 80) -> str:
        """One turn of whoever writes next; all that was shown."""
        game = self.game()
        seat = game.to_act()
        assert seat is not None
        home = self._homes[game.seats[seat]].folder
        before = set(self.file.parent.glob("*.toml"))
        command = ("play", self.file.name, "--no-mail", *options)
        with at_a_screen(
            home, self.file.parent, *command, columns=columns, **self._terminal
        ) as screen:
            shown = lead(screen, choose)
        (self.file,) = set(self.file.parent.glob("*.toml")) - before
        return shown
