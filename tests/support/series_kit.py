"""Series of short games between Ann, who invites to them, and Ben: each ends by a resignation or by
an agreed draw."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from pbem.fileformat import turnfile
from pbem.home.home import Home
from pbem.ledger.gate import replay
from pbem.ledger.series_standing import Standing
from pbem.turn import joining, open_game, take_turn
from pbem.turn.draft_lines import Intent
from pbem.turn.extras import first_of_series
from pbem.turn.rematch import rematch
from pbem.turn.series import standing_in
from tests.support.homes import complete_answers, make_home


@dataclass
class Match:
    """The files of the games so far, the newest one last; each is known to both homes."""

    ann: Home
    ben: Home
    files: list[bytes] = field(default_factory=list)

    def invite(self) -> bytes:
        """Ann's invitation to the next game."""
        return rematch(self.ann, open_game.open_file(self.files[-1], self.ann))

    def begin(self, invited: bytes) -> None:
        """Ben joins, and Ann has seen it."""
        self.files.append(joining.join(open_game.open_file(invited, self.ben), self.ben))
        open_game.open_file(self.files[-1], self.ann)

    def end(self, how: str, number: int = -1) -> None:
        """A game ends: Ann has `won` it, or `lost` it, or it is `drawn`."""
        while (seat := (game := replay(turnfile.read(self.files[number]))).to_act()) is not None:
            home = self.home_in(seat, number)
            opened = self.opened(home, number)
            if game.is_over():
                intent = Intent()
            elif how == "drawn":
                intent = Intent(draw="answer")
            elif (home is self.ann) == (how == "lost"):
                intent = Intent(resign=True)
            else:
                intent = Intent(tuple(complete_answers(opened, min)))
            self.files[number] = take_turn.next_entry(opened, intent)
        for home in (self.ann, self.ben):
            self.opened(home, number)

    def home_in(self, seat: int, number: int = -1) -> Home:
        key = replay(turnfile.read(self.files[number])).player_of(seat).key
        return self.ann if key == self.ann.identity().public else self.ben

    def opened(self, home: Home, number: int = -1) -> open_game.OpenFile:
        return open_game.open_file(self.files[number], home)

    def standing(self, home: Home | None = None) -> Standing:
        """The series as one of them sees it."""
        home = home or self.ben
        return standing_in(home, self.opened(home).ledger)


def match(folder: Path, terms: str, game: str = "backgammon") -> Match:
    """The first game of a series, which both play."""
    made = Match(make_home(folder / "ann", "Ann"), make_home(folder / "ben", "Ben"))
    new = joining.NewGame(game, place=first_of_series(terms))
    made.begin(joining.invite(made.ann, new))
    return made
