"""Sets and series of games, from the first invitation to the end (docs/format.md, section 25)."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.errors import Refused, Usage
from pbem.fileformat import turnfile
from pbem.fileformat.encoding import b64
from pbem.ledger.gate import replay
from pbem.ledger.series import in_points, read_terms
from pbem.ledger.series_standing import ids_of, standing
from pbem.report.series import series_facts, series_of
from pbem.turn import joining, open_game
from pbem.turn.extras import first_of_series
from pbem.turn.game_list import games
from pbem.turn.joining import NewGame
from pbem.turn.rematch import rematch
from pbem.turn.series import facts_in_home
from tests.support.homes import make_home
from tests.support.series_kit import Match, match


@pytest.mark.parametrize(
    ("text", "most"),
    [
        ("2 games", 2),
        ("99 games", 99),
        ("2 games at once", 2),
        ("best of 5", 5),
        ("1 points", 1),
        ("50 points", 99),
        ("1 games", 0),
        ("100 games", 0),
        ("best of 1", 0),
        ("51 points", 0),
        ("0 points", 0),
        ("02 games", 0),
        ("best of 5 ", 0),
        ("best of ٥", 0),
        ("", 0),
    ],
)
def test_terms(text: str, most: int) -> None:
    """0: these are none."""
    if most:
        assert read_terms(text).most == most and str(read_terms(text)) == text
        return
    with pytest.raises(ValueError, match="series"):
        read_terms(text)


@pytest.mark.parametrize(
    ("terms", "results", "over"),
    [
        ("best of 3", "WL", False),
        ("best of 3", "WW", True),
        ("best of 4", "WWL", False),
        ("best of 4", "WWD", True),
        ("best of 3", "DDD", True),
        ("2 points", "WDD", True),
        ("2 points", "WD", False),
        ("1 points", "DD", True),
        ("3 games", "WW", False),
        ("3 games", "WWW", True),
    ],
)
def test_when_a_series_is_at_its_end(terms: str, results: str, over: bool) -> None:
    spelled = [{"W": "won", "L": "lost", "D": "drawn"}[one] for one in results]
    assert read_terms(terms).is_over(spelled) is over


def test_half_points() -> None:
    assert [in_points(one) for one in range(5)] == ["0", "½", "1", "1½", "2"]


def test_a_series_is_played_to_its_end_and_stands_in_each_of_its_games(tmp_path: Path) -> None:
    series = match(tmp_path, "2 points")
    first = replay(turnfile.read(series.files[0]))
    ids = dict(ids_of(first))
    for number, (how, line) in enumerate(
        (
            ("won", "game 1, 2 points: Ann 1, Ben 0"),
            ("drawn", "game 2, 2 points: Ann 1½, Ben ½"),
            ("drawn", "game 3, 2 points: Ann 2, Ben 1; Ann has won it"),
        ),
        1,
    ):
        game = replay(turnfile.read(series.files[-1]))
        assert game.game_id == ids[number], "known since the first game"
        assert game.seats[game.invitation.host] == ("white" if number % 2 else "black")
        series.end(how)
        told = series_of(replay(turnfile.read(series.files[-1])))
        assert told is not None and told.line == line
        assert told.follows == (number + 1 if number < 3 else None)
        if number < 3:
            invitation = series.invite()
            told = series_of(replay(turnfile.read(invitation)))
            score = ("1, the other player 0", "1½, the other player ½")[number - 1]
            assert told is not None
            assert told.line == f"game {number + 1}, 2 points: Ann {score}, as Ann says"
            series.begin(invitation)
    for home in (series.ann, series.ben):
        seen = series.standing(home)
        assert (seen.halves, seen.is_over, seen.problems) == ((4, 2), True, [])
    again = replay(turnfile.read(series.invite()))
    assert again.invitation.series is not None and again.invitation.series.number == 1
    assert again.game_id not in ids.values(), "a new series"


def test_the_next_game_is_the_same_bytes_each_time(tmp_path: Path) -> None:
    series = match(tmp_path, "2 games")
    with pytest.raises(Refused):
        series.invite()
    series.end("lost")
    invited = series.invite()
    assert series.invite() == invited
    series.begin(invited)
    assert rematch(series.ann, series.opened(series.ann, 0)) == invited


def test_whoever_a_seat_is_kept_for_is_called_as_the_home_knows_them(tmp_path: Path) -> None:
    """They have not joined, so the file has no name of theirs; their own home knows it too."""
    made = match(tmp_path, "best of 3")
    made.end("won")
    key, terms = b64(made.ben.identity().public), first_of_series("2 games")
    invited = joining.invite(made.ann, NewGame("backgammon", opponents=[key], place=terms))
    cleo = make_home(tmp_path / "cleo", "Cleo")
    for home, said in {made.ann: "Ben 0", made.ben: "Ben 0", cleo: "the other player 0"}.items():
        opened = open_game.open_file(invited, home)
        facts = facts_in_home(home, opened.ledger)
        assert facts is not None and facts.line == f"game 1, 2 games: Ann 0, {said}"
    listed = [
        one.series.line
        for one in games(made.ann, made.ann.identity()).games
        if one.series is not None
    ]
    assert "game 1, 2 games: Ann 0, Ben 0" in listed


def test_whoever_did_not_invite_waits_for_the_next_game(tmp_path: Path) -> None:
    series = match(tmp_path, "best of 3")
    series.end("lost")
    with pytest.raises(Refused, match="Ann"):
        rematch(series.ben, series.opened(series.ben))


def test_two_games_at_once(tmp_path: Path) -> None:
    """The second one begins before the first is over, and each home knows both."""
    series = match(tmp_path, "2 games at once")
    series.begin(series.invite())
    seats = [replay(turnfile.read(one)).invitation.host for one in series.files]
    assert seats == [0, 1]
    series.end("lost", 1)
    assert series.standing().halves == (0, 2) and not series.standing().is_over
    series.end("drawn", 0)
    assert series.standing().halves == (1, 3) and series.standing().is_over


def test_games_at_once_wait_for_the_other_player(tmp_path: Path) -> None:
    ann, ben = make_home(tmp_path / "ann"), make_home(tmp_path / "ben", "Ben")
    place = first_of_series("2 games at once")
    series = Match(ann, ben, [joining.invite(ann, joining.NewGame("backgammon", place=place))])
    with pytest.raises(Refused):
        series.invite()
    new = joining.NewGame("backgammon", opponents=[b64(ben.identity().public)], place=place)
    known = Match(ann, ben, [joining.invite(ann, new)])
    assert known.invite() != known.files[0]


@pytest.mark.parametrize(
    ("game", "options"), [("loot", {"players": 3}), ("tripoli-solitaire", {}), ("loot", {})]
)
def test_a_series_is_for_two(tmp_path: Path, game: str, options: dict[str, int]) -> None:
    home, place = make_home(tmp_path), first_of_series("2 games")
    if game == "loot" and not options:
        joining.invite(home, joining.NewGame(game, options={"players": 2}, place=place))
        return
    with pytest.raises(Usage):
        joining.invite(home, joining.NewGame(game, options=options, place=place))


def test_what_files_alone_tell(tmp_path: Path) -> None:
    """Of a game whose file is missing a later one says how it ended, once both have signed that."""
    series = match(tmp_path, "best of 5")
    series.end("won")
    invited = series.invite()
    said = standing([replay(turnfile.read(invited))])
    assert [(one.result, one.source) for one in said.games] == [("won", "said"), (None, "")]
    assert said.halves == (0, 0)
    series.begin(invited)
    signed = standing([replay(turnfile.read(series.files[1]))])
    assert [(one.result, one.source) for one in signed.games] == [("won", "signed"), (None, "")]
    assert signed.halves == (2, 0)
    both = standing([replay(turnfile.read(one)) for one in reversed(series.files)])
    assert [(one.result, one.source) for one in both.games] == [("won", "file"), (None, "")]
    assert [one.state for one in series_facts(both).games] == ["over", "goes on"]
