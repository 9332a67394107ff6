"""The room for fetched mails: a mail leaves it as soon as its turn is in the home, and what found
no room on one day is fetched on another."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from datetime import datetime
from email.message import EmailMessage
from pathlib import Path

import pytest

from examples.correspondence import Player
from pbem.fileformat import turnfile
from pbem.home import clock
from pbem.home.game_index import newest_path
from pbem.home.home import Home
from pbem.home.shelf import holds_file
from pbem.ledger.ledger import Ledger
from pbem.mail import fetch, fetched_mails
from pbem.turn import inbox, joining, open_game, take_turn
from pbem.turn.draft_lines import Intent
from tests.mail.test_mail_servers import NEEDS_DOVECOT, write_settings
from tests.support import read_game
from tests.support.homes import complete_answers, make_home
from tests.support.mail_servers import dovecot

pytestmark = NEEDS_DOVECOT

GAMES, LOOKS, WRITTEN = 10, 24, 12
"""Games that two friends play at the same time; how often Ann looks in three years; and how many
turns either of them writes in each game."""
ENDS = ("double", "drop", "resign", "resign gammon", "resign backgammon")
"""Answers with which a game would end soon."""
PHOTO = 1_200_000
"""Bytes of the photograph that Ben sends along with each turn, as a mail may have."""


class Account:
    """Ann's Maildir on the server, to which Ben's mails come."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.came = 0

    def receive(self, turn: bytes, padding: int = 0, sender: str = "ben@example.org") -> None:
        """A mail with a turn comes."""
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = sender, "ann@example.org", "your turn"
        mail["Message-ID"] = f"<{self.came}@example.org>"
        mail.set_content("Have fun.\n")
        mail.add_attachment(turn, "application", "octet-stream", filename="turn.toml")
        # what mails bring besides costs no time to make
        data = mail.as_bytes()
        end = data.rindex(b"\n--")
        data = data[:end] + b"\n" + b"~" * padding + data[end:]
        path = self.folder / "tmp" / f"{self.came:06}.host"
        path.write_bytes(data)
        path.chmod(0o644)
        path.rename(self.folder / "new" / path.name)
        self.came += 1


@pytest.fixture(autouse=True)
def clock_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """By which the server dates the mails."""
    monkeypatch.setattr(clock, "datetime", datetime)


@pytest.fixture
def ann(tmp_path: Path) -> Home:
    return make_home(tmp_path / "ann", "Ann", "ann@example.org")


@pytest.fixture
def ben(tmp_path: Path) -> Home:
    return make_home(tmp_path / "ben", "Ben", "ben@example.org")


@pytest.fixture
def account(ann: Home) -> Iterator[Account]:
    with dovecot() as (_, tls, cert, mails):
        write_settings(ann, "fetch", tls, "tls", cert)
        yield Account(mails)


def go_on(home: Home, data: bytes, dice: random.Random) -> bytes:
    opened = open_game.open_file(data, home)

    def choose(options: Sequence[str]) -> str:
        return dice.choice([one for one in options if one not in ENDS] or options)

    return take_turn.next_entry(opened, Intent(complete_answers(opened, choose)))


def mails_in(home: Home) -> list[str]:
    """What lies in the inbox of a home, but for what is remembered there."""
    return [path.name for path in (home.folder / "inbox").iterdir() if path.suffix != ".json"]


@pytest.mark.dear("plays ten games over three years of mails")
def test_three_years_of_a_friendship_of_ten_games(
    ann: Home, ben: Home, account: Account, tmp_path: Path
) -> None:
    """Each turn comes with a photograph, many come twice, and none is ever left on the server."""
    dice, player = random.Random(1), Player("Ann", ann.folder, tmp_path, in_process=True)
    games = [joining.invite(ben, joining.NewGame("backgammon")) for _ in range(GAMES)]
    sent, written = 0, [0] * GAMES
    for data in games:
        account.receive(data)
    assert player.types("fetch")[0] == 0
    games = [joining.join(open_game.open_file(data, ann), ann) for data in games]
    for look in range(LOOKS):
        for number in range(look % 2, GAMES, 2):
            game = read_game.replay_bytes(games[number])
            while not game.is_over() and written[number] < WRITTEN and is_turn_of(game, ben):
                games[number] = go_on(ben, games[number], dice)
                written[number] += 1
                for _ in range(dice.choice([1, 1, 2])):
                    account.receive(games[number], PHOTO)
                    sent += 1
                game = read_game.replay_bytes(games[number])
        facts = player.asks("fetch")
        assert facts["left"] == 0 and "unkept" not in [one["kind"] for one in facts["files"]]
        for number, data in enumerate(games):
            while not read_game.replay_bytes(data).is_over() and is_turn_of(
                read_game.replay_bytes(data), ann
            ):
                data = go_on(ann, data, dice)
            games[number] = data
    assert sent * PHOTO > fetch.MOST_MAIL / fetched_mails.SHARES, "more than Ben's share holds"
    for data in games:
        game = read_game.replay_bytes(data)
        newest = newest_path(ann, game.game_id.hex()).read_bytes()
        assert newest == data
    assert mails_in(ann) == []
    assert sum(path.stat().st_size for path in (ann.folder / "inbox").iterdir()) < 10_000


def is_turn_of(game: Ledger, home: Home) -> bool:
    turn = game.to_act()
    return turn is not None and game.player_of(turn).key == home.identity().public


def test_what_found_no_room_is_fetched_once_there_is_however_many_came_after_it(
    ann: Home,
    ben: Home,
    account: Account,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fetch, "MAX_LEFT", 3)
    monkeypatch.setattr(fetch, "_AT_ONCE", 4)
    player = Player("Ann", ann.folder, tmp_path, in_process=True)
    turns = [joining.invite(ben, joining.NewGame("backgammon")) for _ in range(9)]
    with monkeypatch.context() as patch:
        patch.setattr(fetch, "MOST_MAIL", 10)
        for number, data in enumerate(turns):
            account.receive(data, sender=f"{'ben' if number % 2 else 'cat'}@example.org")
        for _ in range(2):
            facts = player.asks("fetch")
            assert facts["left"] == 4, "three by name, and the first of the others"
            told = " ".join(one["reason"] for one in facts["files"] if one["kind"] == "unkept")
            assert "ben@example.org" in told and "cat@example.org" in told
            assert str(ann.folder / "inbox") in told and "pbem inbox" in told
            assert player.types("fetch")[0] == 2
    facts = player.asks("fetch")
    assert facts["left"] == 0 and facts["looked_at"] == len(turns)
    for data in turns:
        game = read_game.replay_bytes(data)
        folder = ann.folder / "games" / game.game_id.hex()[:32]
        assert holds_file(folder, turnfile.read(data)), "none was lost"
    assert player.types("fetch")[1].startswith("0 new mails")


def test_what_the_home_has_or_the_player_put_there(
    ann: Home, ben: Home, account: Account, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A turn that is here is not kept again, one that waits for another day is, and a file that the
    player laid there stays."""
    player = Player("Ann", ann.folder, tmp_path, in_process=True)
    first, second = (joining.invite(ben, joining.NewGame("backgammon")) for _ in range(2))
    own = ann.make_folder("inbox") / "from-a-stick.toml"
    own.write_bytes(first)
    assert player.types("inbox")[0] == 0 and mails_in(ann) == [own.name]
    account.receive(first)
    assert player.asks("fetch")["fetched"] == [] and mails_in(ann) == [own.name]
    monkeypatch.setattr(inbox, "MOST_INVITATIONS", 0)
    account.receive(second)
    assert player.types("fetch")[0] == 2 and len(mails_in(ann)) == 2
    (item,) = player.asks("inbox")["files"]
    assert item["kind"] == "new" and "ben@example.org" in item["where"]
    assert mails_in(ann) == [own.name]


def test_mails_that_an_older_pbem_took_in_and_kept_make_room(
    ann: Home, ben: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = Player("Ann", ann.folder, tmp_path, in_process=True)
    old = ann.make_folder("inbox") / "0123abcd-1-17.eml"
    turn = joining.invite(ben, joining.NewGame("backgammon"))
    old.write_bytes(turn)
    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", lambda *_given, **_more: (_ for _ in ()).throw(OSError()))
        assert player.types("inbox")[0] == 0 and old.exists(), "as it was before"
    assert player.types("inbox")[0] == 0 and not old.exists()
    assert len(player.does("inbox")["games"]) == 1
