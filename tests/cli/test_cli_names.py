"""Games have names: for everybody with the invitation, and for a player alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mail.test_mail_draft import body, parsed
from tests.support.begun_game import BegunGame, begin
from tests.support.golden_words import Golden


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> BegunGame:
    return begin(tmp_path_factory.mktemp("league"), "--called", "Winter league 3")


def test_everybody_reads_it_in_lists_reports_and_subjects(league: BegunGame) -> None:
    for player in league.players.values():
        assert "Winter league 3: The Shores of Tripoli, " in player.types("inbox", *league.files)[1]
        assert player.types("show", league.last)[1].startswith(
            "Winter league 3: The Shores of Tripoli, game "
        )
    invitation, joined = (
        parsed((league.folder / f).with_suffix(".eml").read_bytes()) for f in league.files
    )
    code = league.last.removesuffix("-0001.toml")
    assert (
        str(invitation["Subject"]).strip()
        == f"Winter league 3: Ann invites you to The Shores of Tripoli, {code}"
    )
    assert str(joined["Subject"]).strip() == f"Winter league 3: your turn, Spring 1801, {code}"
    for kind in ("plain", "html"):
        assert "Winter league 3: The Shores of Tripoli" in body(joined, kind)


def test_a_command_takes_the_beginning_of_it(league: BegunGame) -> None:
    shown = league.ann.types("show", league.last)[1]
    for name in ("winter", "Winter league 3", "WINTER-LEAGUE"):
        assert league.ann.types("show", name)[1] == shown, name
    code, _, err = league.ann.types("show", "Summer league")
    assert code == 2 and '"Summer league"' in err and '("Winter league 3", Ann, Ben)' in err


def test_a_name_for_oneself_alone(league: BegunGame, tmp_path: Path, golden: Golden) -> None:
    ben, short = league.ben, league.last.removesuffix("-0001.toml")
    ben.types("inbox", *league.files)
    before = (league.folder / league.last).read_bytes()
    assert ben.does("name", short, "Against Ann") == {
        "game": short,
        "called": "Winter league 3",
        "own": "Against Ann",
    }
    assert "Against Ann: The Shores of Tripoli, " in ben.types("inbox")[1]
    assert ben.types("show", "against")[1].startswith("Against Ann: ")
    assert ben.types("show", "against", "--public")[1].startswith("Winter league 3: ")
    assert "Against" not in league.ann.types("inbox")[1]
    for options in ((), ("--forget",)):
        golden(ben.types("name", short, *options)[1].replace(short, "GAME"))
    assert (league.folder / league.last).read_bytes() == before


@pytest.mark.parametrize("name", ["x" * 41, " ", "Winter\u00a0league", "two\nlines", "An\u200bna"])
def test_what_no_game_may_be_called(league: BegunGame, tmp_path: Path, name: str) -> None:
    for command in (
        ["name", league.last, name],
        ["new", "tripoli", "--called", name, "--dir", str(tmp_path)],
    ):
        code, out, err = league.ann.types(*command)
        assert (code, out) == (2, "") and err.count("\n") == 1, command
    assert not list(tmp_path.iterdir())
