"""Players of Loot with homes of their own, who exchange files through the commands or through
sessions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.flow import Ask
from engine.notation import sentences
from pbem.cli import app
from pbem.fileformat.turnfile import read
from pbem.home import make_identity
from pbem.home.home import Home
from pbem.ledger import gate
from pbem.ledger.ledger import Ledger
from pbem.turn import joining, open_game, own_report, take_turn
from pbem.turn.common_hand import read_cards
from pbem.turn.draft_lines import Intent
from tests.support.loot_match import Choose, Match


class Table:
    """Players at one table, by sessions: bytes go round, no command line."""

    def __init__(self, folder: Path, count: int, **settings: int) -> None:
        self.homes = [Home(folder / f"home{number}") for number in range(count)]
        for number, home in enumerate(self.homes):
            make_identity.identify(
                home, f"Player {number}", f"player{number}@example.org", False, None, None
            )
        self.data = joining.invite(
            self.homes[0],
            joining.NewGame("loot", options={"players": count, **settings}),
        )
        self.moves: int | None = None
        self._watched = Ledger()

    @classmethod
    def of(cls, match: Match, folder: Path) -> Table:
        """The players of a game that was played in memory, which costs less, each with a home that
        remembers it."""
        table = cls.__new__(cls)
        table.data, table.moves, table._watched = match.data, None, match.checker
        table.homes = [Home(folder / f"home{number}") for number in range(len(match.people))]
        for home, person in zip(table.homes, match.people, strict=True):
            home.create(person.name, person.mail, person.seed, "")
            open_game.open_file(table.data, home, nothing_newer=True)
        return table

    @classmethod
    def joined(cls, folder: Path, count: int, **settings: int) -> Table:
        """Players who have joined in memory: their shuffles are those of every game of this
        kind."""
        return cls.of(Match(count, **settings).until(count), folder)

    def game(self) -> Ledger:
        """An onlooker's ledger, which admits what is new."""
        for entry in read(self.data).entries[len(self._watched.entries) :]:
            gate.admit(self._watched, entry)
        return self._watched

    def opened(self, seat: int) -> open_game.OpenFile:
        return open_game.open_file(self.data, self.homes[seat])

    def seat_all(self) -> None:
        for home in self.homes[1:]:
            self.data = joining.join(open_game.open_file(self.data, home), home)

    def step(self, choose: Choose) -> bool:
        """One entry by whoever is waited for; False when nothing is left to write."""
        turn = self.game().to_act()
        if turn is None:
            return False
        entered: list[str] = []
        while True:
            opened = self.opened(turn)
            playing = opened.ledger.playing
            is_asked = playing is not None and not playing.referee.turn.seats_owing_shares()
            request = playing.referee.turn.request if is_asked else None
            if not entered and isinstance(request, Ask) and request.seat == turn:
                faces = own_report.own_faces(opened)
                entered = [
                    choose(
                        opened.ledger.seats[turn],
                        list(sentences(opened.ledger.rules, playing.referee.game, request, faces)),
                    )
                ]
                self.moves = self.moves or len(opened.file.entries)
            try:
                self.data = take_turn.next_entry(opened, Intent(entered))
                return True
            except take_turn.MoreNeeded as more:
                entered.append(choose(opened.ledger.seats[turn], more.options))

    def play(self, choose: Choose) -> Ledger:
        self.seat_all()
        while self.step(choose):
            pass
        return self.game()


class Onlooker:
    """A ledger that admits what is new in a game, so that nobody has to ask a command what there is
    to choose from."""

    def __init__(self) -> None:
        self._game = Ledger()

    def options(self, data: bytes, home: Home) -> list[str]:
        """What the player who writes next can answer first, whose home this is; nothing where no
        question waits."""
        game = self._game
        for entry in read(data).entries[len(game.entries) :]:
            gate.admit(game, entry)
        seat = game.to_act()
        if game.playing is None or seat is None:
            return []
        referee = game.playing.referee
        if referee.common is None or referee.turn.seats_owing_shares():
            return []
        if not isinstance(referee.turn.request, Ask) or referee.turn.request.seat != seat:
            return []
        known = read_cards(
            referee.common, seat, open_game.secrets_of(home.identity(), game, seat).root
        ).faces
        return list(
            sentences(
                game.rules, referee.game, referee.turn.request, {**referee.game.faces(), **known}
            )
        )


class Commands:
    """The commands, each with the home of one player, in this process."""

    def __init__(
        self, folder: Path, patch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        self.folder = folder
        self._patch = patch
        self._capsys = capsys

    def __call__(self, player: int | str, *arguments: str, code: int | None = 0) -> Any:
        """Run one command as this player; its JSON object, or its text for a `--format`."""
        self._patch.setenv("PBEM_HOME", str(self.folder / f"home{player}"))
        as_json = "--format" not in arguments
        self._capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            app.run([*arguments, *(["--json"] if as_json else [])])
        printed = self._capsys.readouterr()
        assert code is None or ended.value.code == code, printed
        return json.loads(printed.out) if as_json else printed.out
