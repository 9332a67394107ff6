"""What `pbem inbox` prints: every game in its group, and every file that was looked at, however
many there are."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import pytest

from pbem.cli import inbox as command
from pbem.errors import DONE, INVALID, USAGE
from pbem.home.home import Home
from pbem.ledger.ledger import names_in_sentences
from pbem.mail import find_turns, folders, turn_files
from pbem.report import render
from pbem.report.lines import IN_A_LIST, shortened
from pbem.report.model import PlayerFacts, Waiting
from pbem.turn import game_list, inbox, joining, questions
from pbem.turn.open_game import open_file
from tests.support import read_game
from tests.support.mail_kit import Played, make_home, one_entry, start


def listed(text: str, short: str) -> list[str]:
    """The two lines of a game."""
    lines = text.split("\n")
    number = next(number for number, line in enumerate(lines) if line.startswith(f"  {short}"))
    return lines[number : number + 2]


def test_a_long_name_stands_apart_and_alone_is_no_waiting(tmp_path: Path) -> None:
    home = make_home(tmp_path / "ann")
    for game in ("tripoli-solitaire", "tripoli"):
        joining.invite(home, joining.NewGame(game))
    facts, text, code = command.look(home, [])
    alone, waiting = facts.games
    assert code == DONE
    assert [alone.free, waiting.free] == [[], ["tripolitan"]]
    first, second = listed(text, alone.short)
    assert f"{alone.short}  The Shores of Tripoli" in first
    assert (
        first.index("The Shores")
        == second.index("since")
        == listed(text, waiting.short)[0].index("The Shores")
    )
    assert listed(text, waiting.short)[1].endswith(f": {waiting.due}")


def test_what_a_player_owes_is_what_he_will_be_asked(tmp_path: Path) -> None:
    """Their own proofs and openings come first and need no decision: the listing looks past them,
    as `show` does."""
    game = start(tmp_path / "two")
    ann, ben = (make_home(tmp_path / name, name, "") for name in ("Ann", "Ben"))
    invitation = joining.invite(ann, joining.NewGame("tripoli-solitaire", options={"witness": 1}))
    witnessed = Played(
        {"american": ann, "witness": ben}, [joining.join(open_file(invitation, ben), ben)]
    )
    decides: set[bool] = set()
    for number in range(10):
        for one in (game, witnessed):
            if read_game.replay_bytes(one.newest).is_over():
                continue
            home = one.homes[one.to_act()]
            inbox.Inbox(home).take([find_turns.Found("here", one.newest)])
            (facts,) = game_list.games(home, home.identity()).games
            asked = questions.moves(open_file(one.newest, home), [])
            assert facts.yours
            assert facts.due == asked.prompt or (asked.complete and not asked.prompt)
            decides.add(bool(asked.prompt))
            one.files.append(one_entry(one, one.newest, random.Random(number)))
    assert decides == {False, True}


def test_free_seats_are_named_and_an_invitation_says_how(tmp_path: Path) -> None:
    homes = [make_home(tmp_path / name, name, "") for name in ("Ann", "Ben", "Eve")]
    data = joining.invite(homes[0], joining.NewGame("loot", options={"players": 4}))
    data = joining.join(open_file(data, homes[1]), homes[1])
    for home in homes:
        box = inbox.Inbox(home)
        box.take([find_turns.Found("here", data)])
    facts, text, _ = command.look(homes[0], [])
    assert facts.games[0].free == ["third", "fourth"] and "third, fourth" in text
    facts, text, _ = command.look(homes[2], [])
    assert f"pbem join {facts.games[0].short} " in text


@pytest.mark.parametrize(
    "what", ["join", "root", "draw", "answer", "open", "seal", "share", "settle", "proof"]
)
def test_whatever_is_owed_is_said_in_words(what: str) -> None:
    """Once for all: a list, a report and the table tell the same, and the mail tells its reader."""
    waiting = Waiting("third", "Cleo", what, "an event", "Storms", "dice", readers=["first"])
    players = [
        PlayerFacts(seat, name, name) for seat, name in (("first", "Ann"), ("third", "Cleo"))
    ]
    names = {"first": "Ann", "third": "Cleo"}
    words = game_list.due_in_words(waiting, names)
    assert len(words.split()) > 1 and "None" not in words
    facts = {
        "game": "loot",
        "common_deck": True,
        "players": players,
        "asked": waiting,
        "dice": False,
    }
    asks = '{% import "happened.j2" as happened with context %}{{ happened.asks(asked) }}'
    told = render._environment(None, False).from_string(asks).render(facts)
    told = told.removeprefix("Cleo (third): ").removesuffix(" (third)")
    assert told == game_list.due_in_words(waiting, names, common_deck=True)
    mine = game_list.due_in_words(waiting, names, to="third")
    assert "Cleo" not in mine and "their" not in mine


def test_a_missing_place_stops_nothing(played: Played, tmp_path: Path) -> None:
    home = make_home(tmp_path / "eve", "Eve", "")
    there, gone = tmp_path / "in", tmp_path / "gone"
    there.mkdir()
    (there / "a.toml").write_bytes(played.files[0])
    (home.folder / "mail.toml").write_text(f"inbox = ['{gone}', '{there}']\n")
    facts, text, code = command.look(home, [])
    assert code == USAGE
    assert [file.kind for file in facts.files] == ["missing", "new"]
    assert f" {gone} (hint: " in text
    assert len(facts.games) == 1 and "Invitations" in text
    facts, text, code = command.look(home, [there, gone])
    assert code == USAGE and [file.kind for file in facts.files] == ["duplicate", "missing"]
    assert f" {gone} (hint: " in text
    (there / "b.toml").write_bytes(played.files[0][:-9])
    assert command.look(home, [there, gone])[2] == INVALID


def test_a_device_is_no_place(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (Path(os.devnull), tmp_path / "pipe"):
        with pytest.raises(folders.NoPlace):
            list(turn_files.look(path))


def test_one_locked_folder_hides_no_other(
    played: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("open", "locked"):
        for sub in ("cur", "new"):
            (tmp_path / "all" / name / sub).mkdir(parents=True)
    (tmp_path / "all" / "open" / "cur" / "1").write_bytes(played.newest)
    ours = Path.iterdir

    def iterdir(self: Path) -> Any:
        if self.name == "locked":
            raise PermissionError(13, "Permission denied")
        return ours(self)

    monkeypatch.setattr(Path, "iterdir", iterdir)
    found = list(turn_files.look(tmp_path / "all"))
    assert [one.data for one in found] == [None, played.newest]
    assert "Permission denied" in found[0].problem and found[0].where.endswith("locked")


def test_many_files_of_a_kind_are_counted(tmp_path: Path) -> None:
    game = start(tmp_path / "game")
    ben = game.homes["tripolitan"]
    box = inbox.Inbox(ben)
    box.take(find_turns.Found(f"mail {number}", game.files[0]) for number in range(40))
    text = render.render("inbox.txt.j2", game_list.facts(box))
    assert "40 files: read before" in text
    assert "mail 2 (" in text and "mail 3 (" not in text
    assert "and 37 more: " in text
    assert max(map(len, text.split("\n"))) < 120


def test_a_passphrase_is_asked_for_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(
        "pbem.home.home.ask_passphrase", lambda prompt: asked.append(prompt) or "wind"
    )
    locked = Home(tmp_path / "locked")
    locked.create("Ann", "", bytes(32), "wind")
    joining.invite(locked, joining.NewGame("tripoli"))
    command.look(locked, [])
    assert len(asked) == 1
    asked.clear()
    facts, _, _ = command.look(Home(locked.folder), [])
    assert len(facts.games) == 1
    assert len(asked) == 1


@pytest.mark.parametrize(
    ("name", "called"),
    [("Ann", "Ann"), ("<b>Ann</b>", "first"), ("", "first"), ("x" * 60, "first"), ("Ben", "first")],
)
def test_who_reads_the_new_cards_is_called_by_name(name: str, called: str) -> None:
    waiting = Waiting("second", "Ben", "share", prompt="first", readers=["first"])
    names = dict(
        zip(
            ("first", "second"), names_in_sentences([name, "Ben"], ["first", "second"]), strict=True
        )
    )
    words = game_list.due_in_words(waiting, names)
    assert f" {called} " in words and [one for one in (name, "Ben") if one and one in words] == [
        one for one in (name,) if one == called
    ]


@pytest.mark.parametrize(
    ("deeds", "when", "told"),
    [
        (["Ben passes"], "", "Ben passes"),
        (["Ben sails", "Fall 1801 begins"], "Fall 1801", "Ben sails"),
        (["Fall 1801 begins"], "Fall 1801", "Fall 1801 begins"),
        (["a deed " * 19, "Ann draws", "Ben sails"], "", "Ann draws; Ben sails"),
        ([f"Ann plays Troops: {'two land and ' * 9}"], "", "Ann plays Troops"),
        (
            ["The raid from Tripoli: they throw 5 5 1 (two hits)" + " 1" * 30 + "; Ben has 2 gold"],
            "",
            "The raid from Tripoli: Ben has 2 gold",
        ),
        (
            [f"Ann says: one{', two' * 9}, {'three ' * 20}"],
            "",
            f"Ann says: one{', two' * 9}, and more",
        ),
        (["far " * 40], "", "far " * 18 + "and more"),
        (["x" * 400], "", "x" * 74 + ", and more"),
    ],
)
def test_what_happened_is_told_in_whole_sentences(deeds: list[str], when: str, told: str) -> None:
    words = shortened(deeds, when)
    assert words.replace(",", "") == told.replace(",", "")
    assert len(words) <= IN_A_LIST
