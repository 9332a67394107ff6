"""What somebody can try who invites to the games of a series: begin one anew, tell another result,
leave one out, count one twice, keep the better seat (docs/format.md, section 25)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.errors import Conflict
from pbem.fileformat import turnfile
from pbem.fileformat.encoding import b64
from pbem.home.home import Home
from pbem.ledger.evidence import TWICE, evidence, signed_chain
from pbem.ledger.gate import replay
from pbem.ledger.series import nonce_of
from pbem.ledger.series_standing import standing
from pbem.report.series import series_facts
from pbem.turn import joining, open_game
from tests.support.homes import make_home
from tests.support.players import accepted, refused, retouch
from tests.support.series_kit import Match, match


@pytest.fixture
def series(tmp_path: Path) -> Match:
    """Ann has lost the first game, and not yet invited to the second."""
    made = match(tmp_path, "best of 3")
    made.end("lost")
    return made


def forged(made: Match, /, **changes: Any) -> bytes:
    """Ann's invitation to the next game with other fields, rightly signed."""
    changes = {key.replace("_", "-"): value for key, value in changes.items()}
    return retouch(made.invite(), made.ann.identity(), **changes)


def not_joined(home: Home, data: bytes, words: str) -> None:
    """Nobody's program joins it, and nothing of it is signed."""
    accepted(data)
    with pytest.raises(Conflict, match=words):
        joining.join(open_game.open_file(data, home), home)
    game_id = replay(turnfile.read(data)).game_id.hex()
    assert not (home.folder / "games" / game_id[:32] / "signed").exists()


def test_a_game_that_is_begun_anew_is_evidence(series: Match) -> None:
    """Ann does not like how the second game begins. Another invitation to it has the same id."""
    anew = forged(series, date="2026-11-22T10:00:00Z")
    series.begin(series.invite())
    accepted(anew)
    assert replay(turnfile.read(anew)).game_id == replay(turnfile.read(series.files[1])).game_id
    with pytest.raises(Conflict):
        joining.join(open_game.open_file(anew, series.ben), series.ben)
    (found,) = evidence(map(signed_chain, (series.files[1], anew)))
    assert (found.kind, found.number, found.key) == (TWICE, 0, series.ann.identity().public)


def test_another_id_is_no_game_of_the_series(series: Match) -> None:
    refused(forged(series, nonce=b64(bytes(32))), "nonce")
    first = replay(turnfile.read(series.files[0])).game_id
    refused(forged(series, nonce=b64(nonce_of(first, 3))), "nonce")


def test_a_result_that_its_file_does_not_have(series: Match) -> None:
    (earlier,) = turnfile.read(series.invite()).entries[0].list("earlier")
    lie = forged(series, earlier=[earlier.replace("lost", "won")])
    not_joined(series.ben, lie, "game 1")
    seen = standing([replay(turnfile.read(one)) for one in (series.files[0], lie)])
    assert len(seen.problems) == 1 and seen.halves == (0, 2), "the file counts"


def test_an_end_that_its_file_does_not_have(series: Match) -> None:
    lie = forged(series, earlier=[f"{b64(bytes(32))} lost"])
    not_joined(series.ben, lie, "game 1")


def test_the_end_before_it_was_over_is_none(series: Match) -> None:
    early = turnfile.read(series.files[0]).entries[1].digest
    not_joined(series.ben, forged(series, earlier=[f"{b64(early)} lost"]), "game 1")


def test_a_game_that_is_left_out_or_counted_twice(series: Match) -> None:
    """As many results as there were games, and each game has its own number."""
    first = replay(turnfile.read(series.files[0])).game_id
    (earlier,) = turnfile.read(series.invite()).entries[0].list("earlier")
    third = {"series_game": 3, "nonce": b64(nonce_of(first, 3))}
    refused(forged(series, **third), "how it ended")
    refused(forged(series, earlier=[]), "how it ended")
    refused(forged(series, earlier=[earlier, earlier]), "how it ended")
    seat = turnfile.read(series.files[0]).entries[0].seat
    own = turnfile.read(series.invite()).entries[0].seat
    (kept,) = turnfile.read(series.invite()).entries[0].list("invites")
    skips = forged(
        series,
        **third,
        seat=seat,
        invites=[kept.replace(seat, own)],
        earlier=[earlier, earlier.replace("lost", "won")],
    )
    accepted(skips)
    seen = standing([replay(turnfile.read(one)) for one in (series.files[0], skips)])
    assert [one.source for one in seen.games] == ["file", "said", ""]
    assert seen.halves == (0, 2), "what only the inviter says does not count"


def test_the_better_seat_is_not_kept(series: Match) -> None:
    first, invited = (turnfile.read(one).entries[0] for one in (series.files[0], series.invite()))
    other = invited.list("invites")[0].partition(" ")[2]
    keeps = forged(series, seat=first.seat, invites=[f"{invited.seat} {other}"])
    not_joined(series.ben, keeps, "seats")


def test_other_terms_or_options_later_on(series: Match) -> None:
    for changes in ({"options": ["match 3"]}, {"series": "best of 5"}, {"clock": "30+3"}):
        not_joined(series.ben, forged(series, **changes), "another")


def test_somebody_else_in_the_place_of_the_other_player(series: Match, tmp_path: Path) -> None:
    """Ann plays the second game of the series with Cleo, who knows nothing of the first."""
    cleo = make_home(tmp_path / "cleo", "Cleo")
    seat = turnfile.read(series.invite()).entries[0].list("invites")[0].partition(" ")[0]
    with_cleo = forged(series, invites=[f"{seat} {b64(cleo.identity().public)}"])
    joined = joining.join(open_game.open_file(with_cleo, cleo), cleo)
    seen = standing([replay(turnfile.read(one)) for one in (series.files[0], joined)])
    assert len(seen.problems) == 1 and seen.halves == (0, 2)


def test_a_series_that_another_player_goes_on_with(series: Match, tmp_path: Path) -> None:
    cleo = make_home(tmp_path / "cleo", "Cleo").identity()
    changes = {"key": b64(cleo.public), "name": "Ann", "vrf": b64(series.ben.identity().public)}
    stray = retouch(series.invite(), cleo, **changes)
    not_joined(series.ben, stray, "another player")


def test_a_series_does_not_go_on_after_its_end(series: Match) -> None:
    series.begin(series.invite())
    series.end("lost")
    first, second = (replay(turnfile.read(one)) for one in series.files)
    third = retouch(
        turnfile.read(series.files[1]).prefix(1),
        series.ann.identity(),
        **{
            "series-game": 3,
            "nonce": b64(nonce_of(first.game_id, 3)),
            "earlier": [f"{b64(one.entries[-1].digest)} lost" for one in (first, second)],
        },
    )
    refused(third, "at its end")


def test_an_open_seat_in_a_later_game(series: Match) -> None:
    refused(forged(series, invites=None), "kept for the key")


def test_a_home_without_the_earlier_games_is_told(series: Match, tmp_path: Path) -> None:
    """Ben plays on from a new home with the same key: it joins, and names what was not checked."""
    other = make_home(tmp_path / "new", "Ben", seed=series.ben.identity().seed)
    opened = open_game.open_file(series.invite(), other)
    assert isinstance(opened, open_game.HomeFile)
    joining.join(opened, other)
    assert any("game 1" in note for note in opened.memory.notes)


def test_an_ordinary_game_in_the_place_of_one_of_a_series(series: Match, tmp_path: Path) -> None:
    """Ann names a game as the first one that is of no series, or begins one that is of none under
    the id of the second: Ben's program tells it and goes on."""
    ann, invited = series.ann.identity(), series.invite()
    none = dict.fromkeys(("series", "series-game", "series-first", "earlier"))
    first = turnfile.read(series.files[0])
    plain = retouch(first.data[: first.entries[0].end], ann, series=None, nonce=b64(bytes(32)))
    joining.join(open_game.open_file(plain, series.ben), series.ben)
    named = replay(turnfile.read(plain)).game_id
    later = {"series_first": b64(named), "nonce": b64(nonce_of(named, 2))}
    not_joined(series.ben, forged(series, **later), "game 1 does not say")
    cleo = make_home(tmp_path / "cleo", "Cleo")
    seat = turnfile.read(invited).entries[0].list("invites")[0].partition(" ")[0]
    with_cleo = retouch(invited, ann, **none, invites=[f"{seat} {b64(cleo.identity().public)}"])
    second = joining.join(open_game.open_file(with_cleo, cleo), cleo)
    seen = standing([replay(turnfile.read(one)) for one in (series.files[0], second)])
    assert seen.problems == ["game 2 does not say that it belongs to this series"]
    assert [one.name for one in series_facts(seen).players] == ["Ann", "Ben"]
