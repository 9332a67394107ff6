"""What the file of a league may say, and what is refused (docs/format.md, section 26)."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbem.errors import Forged, Invalid, Malformed, PbemError, Refused, RulesBroken
from pbem.fileformat.encoding import b64
from pbem.fileformat.turnfile import Entry
from pbem.league import gate, intake, league_file, mails, pairing, report, verify, write
from pbem.league.join_form import ROWS, from_line, read_join, write_join
from pbem.league.league import DRAWN, LOST, NONE, WON, League, LeagueGame, Pairs
from pbem.league.league_file import LATER, LeagueFile
from pbem.league.swiss import Effort
from pbem.league.table import table
from pbem.league.write import DirectorsDecision, LeagueNews, LeagueResult
from pbem.ledger.invitation import game_id_of
from tests.league.leagues import DATE, DORA, Club, person
from tests.vectors.make import sample

ROOT = Path(__file__).parents[2]
FOUR = ("Ann", "Ben", "Cleo", "Dan")


def signed(club: Club, fields: dict[str, Any], name: str = "Dora") -> bytes:
    """The file with an entry of these fields, whatever they say."""
    head = {"director": 1, "date": DATE, "nonce": b64(sample("entry"))}
    return league_file.append(club.data, head | fields, person(name).sign)


def test_the_specification_has_the_same_fields() -> None:
    text = (ROOT / "docs" / "format.md").read_text(encoding="utf-8").partition("\n## 26. ")[2]
    rows = re.findall(r"^\| `([a-z-]+)` \| (string|number|list) \| ([0-9 to]+) \|", text, re.M)
    kinds = {"string": str, "number": int, "list": list}
    ours = {
        key: (row.kind, f"{row.least} to {row.most}" if row.most else f"{row.longest}")
        for key, row in {**league_file.FIRST, **LATER}.items()
    }
    assert {key: (kinds[kind], bounds) for key, kind, bounds in rows} == ours
    assert [key for key, *_ in rows] == [
        *(key for key in league_file.FIRST if key != "message"),
        *(key for key in LATER if key not in league_file.FIRST),
        "message",
    ]
    assert list(ROWS) == ["date", "league", "key", "mail", "name"]


def test_a_round_settles_the_ids_of_its_games_before_they_begin() -> None:
    club = Club("all-play-all", FOUR)
    club.begin()
    league = club.league
    one, other = league.games
    assert ((one.first, one.second), (other.first, other.second)) == ((1, 4), (2, 3))
    assert one.game_id == game_id_of(person("Ann").public, one.nonce)
    again = Club("all-play-all", FOUR)
    again.add(LeagueNews(message="hello"))
    again.begin()
    assert again.league.games[0].game_id != one.game_id


def test_a_league_is_played_through() -> None:
    club = Club("all-play-all", FOUR)
    for results in ((WON, DRAWN), (LOST, WON), (WON, WON)):
        club.begin()
        club.results(*results)
    with pytest.raises(Refused, match="all rounds"):
        club.begin()
    club.add(LeagueNews(ends=True))
    assert club.league.ended and [game.result for game in club.league.games] == [
        *(WON, DRAWN, LOST, WON, WON, WON)
    ]
    with pytest.raises(RulesBroken):
        club.add(LeagueNews(message="one more"))


def test_a_league_may_end_early_where_nobody_is_left_to_meet() -> None:
    club = Club("swiss 5", FOUR)
    for _ in range(3):
        club.begin()
        club.results(WON, WON)
    with pytest.raises(Refused, match="by hand"):
        club.begin()
    club.add(LeagueNews(ends=True))
    told = report.in_words(report.facts_of(verify.verify(club.data, [])))
    assert "it has ended after round 3 of 5" in told


def test_who_leaves_loses_what_has_no_result() -> None:
    club = Club("all-play-all", FOUR)
    club.begin()
    club.add(LeagueNews(left={4: "Dan has moved away"}))
    club.results(WON)
    club.begin()
    games = club.league.games
    assert [game.result for game in games] == [WON, WON, LOST, ""]
    assert games[0].reason == games[2].reason == "Dan has moved away"
    club.add(LeagueNews(left={3: "ill"}))
    club.results(*[WON] * 4)
    club.begin()
    assert [game.result for game in club.league.games[4:]] == [WON, LOST]
    club.add(LeagueNews(left={1: "away", 2: "away"}))
    assert club.league.is_complete()


def _own(**fields: Any) -> Callable[[Club], bytes]:
    return lambda club: signed(club, fields)


def _pairs(*lines: str, **other: Any) -> Callable[[Club], bytes]:
    return _own(round=2, pairings=[*lines], **other)


END = b64(sample("end"))
BROKEN: dict[str, tuple[str, Callable[[Club], bytes]]] = {
    "somebody else's signature": (
        "signature",
        lambda club: signed(club, {"message": "I am the director"}, "Ann"),
    ),
    "a second director there is not": ("signature", _own(director=2, message="I am here too")),
    "an entry that says nothing": ("chain", _own()),
    "a result of no game": ("chain", _own(results=[f"9 won {END}"])),
    "a second result": ("chain", _own(results=[f"1 lost {END}"])),
    "a result without a digest": ("grammar", _own(results=["2 won"])),
    "a result in other words": ("grammar", _own(results=[f"2 lucky {END}"])),
    "a decision without a reason": ("grammar", _own(decided=["2 won"])),
    "a decision in other words": ("grammar", _own(decided=["2 hanged nobody wrote"])),
    "a reason of blanks": ("grammar", _own(decided=["2 won   "])),
    "a player who is not there leaves": ("chain", _own(left=["9 gone"])),
    "a player leaves twice": ("chain", _own(left=["1 gone", "1 gone"])),
    "a round before its turn": ("chain", _own(round=3, pairings=["4 3", "1 2"])),
    "friends in pairs": ("chain", _pairs("1 3", "2 4")),
    "seats changed": ("chain", _pairs("3 4", "1 2")),
    "the method's pairs as made by hand": ("chain", _pairs("4 3", "1 2", **{"by-hand": "why"})),
    "a player twice": ("chain", _pairs("1 3", "1 2", **{"by-hand": "why"})),
    "a player against themself": ("chain", _pairs("1 1", "2 3", **{"by-hand": "why"})),
    "a player left out": ("chain", _pairs("1 3", **{"by-hand": "why"})),
    "byes for friends": ("chain", _pairs("1 3", "2 -", "4 -", **{"by-hand": "why"})),
    "byes before pairs": ("grammar", _pairs("2 -", "1 3")),
    "a number with a nought before it": ("chain", _pairs("04 3", "1 2")),
    "absent where all play": ("chain", _pairs("4 3", "1 2", absent=["2 away"])),
    "pairs without a round": ("chain", _own(pairings=["4 3", "1 2"])),
    "the end before it is due": ("chain", _own(end="yes")),
    "an end in other words": ("grammar", _own(end="no")),
    "an unknown field": ("grammar", _own(rank=1)),
    "entry 0's field": ("grammar", _own(places=3, message="fewer")),
    "a hidden character": ("grammar", _own(decided=["2 won Ben\u00adwins"])),
}


@pytest.mark.parametrize("about", BROKEN)
def test_what_breaks_the_rules_of_a_league_is_refused(about: str) -> None:
    club = Club("all-play-all", FOUR)
    club.begin()
    club.results(WON)
    layer, make = BROKEN[about]
    with pytest.raises(Invalid) as refused:
        gate.read(make(club))
    assert refused.value.layer == layer, refused.value


JOINS: dict[str, tuple[type[PbemError], Callable[[Club], Any]]] = {
    "somebody who plays already": (RulesBroken, lambda club: club.join("Ann").line()),
    "the name of another one": (
        RulesBroken,
        lambda club: write_join(
            club.league.id, DATE, person("Eve").public, "", "ANN", person("Eve").sign
        ).line(),
    ),
    "a join for another league": (
        Forged,
        lambda club: write_join(
            bytes(32), DATE, person("Eve").public, "", "Eve", person("Eve").sign
        ).line(),
    ),
    "another name than was signed": (
        Forged,
        lambda club: club.join("Eve").line().replace(" Eve", " Evelyn"),
    ),
    "another address than was signed": (
        Forged,
        lambda club: club.join("Eve").line().replace("eve@", "mallory@"),
    ),
    "a key that signed nothing": (
        Forged,
        lambda club: club.join("Eve").line().replace(b64(person("Eve").public), b64(DORA.public)),
    ),
    "a name with an address": (
        Malformed,
        lambda club: club.join("Eve").line().replace(" Eve", " see https://example.com"),
    ),
    "words": (Malformed, lambda club: "Eve would like to play"),
}


@pytest.mark.parametrize("about", JOINS)
def test_nobody_is_entered_who_has_not_joined(about: str) -> None:
    club = Club("swiss 3", FOUR)
    error, line = JOINS[about]
    with pytest.raises(error):
        gate.read(signed(club, {"players": [line(club)]}))


def test_places_and_late_joins() -> None:
    full = Club("knock-out", FOUR, places=4)
    with pytest.raises(RulesBroken, match="places"):
        full.add(LeagueNews(players=[full.join("Eve")]))
    begun = Club("all-play-all", FOUR)
    begun.begin()
    with pytest.raises(RulesBroken, match="first round"):
        begun.add(LeagueNews(players=[begun.join("Eve")]))
    swiss = Club("swiss 3", FOUR)
    swiss.begin()
    swiss.results(WON, WON)
    swiss.add(LeagueNews(players=[swiss.join("Eve")]))
    swiss.begin()
    assert swiss.league.player(5).since == 2 and len(swiss.league.rounds[1].byes) == 1


def test_a_decision_stands_in_place_of_a_result_and_says_so() -> None:
    club = Club("all-play-all", FOUR)
    club.begin()
    club.results(WON)
    club.add(
        LeagueNews(
            decided=[
                DirectorsDecision(1, LOST, "Ann had help"),
                DirectorsDecision(2, NONE, "nobody wrote"),
            ]
        )
    )
    one, other = club.league.games
    assert (one.result, one.digest, one.reason) == (LOST, b"", "Ann had help")
    assert other.of(2) == other.of(3) == NONE
    with pytest.raises(RulesBroken):
        club.add(LeagueNews(results=[LeagueResult(1, WON, sample("end 1"))]))


def test_pairs_by_hand_are_marked_and_stay_possible() -> None:
    club = Club("swiss 3", FOUR)
    club.begin(Pairs(((1, 2), (3, 4))), "the hall is small")
    assert club.league.rounds[0].by_hand == "the hall is small"
    club.results(WON, WON)
    with pytest.raises(RulesBroken, match="again"):
        club.begin(Pairs(((2, 1), (3, 4))), "they like it")
    with pytest.raises(RulesBroken, match="bye"):
        club.begin(Pairs(((1, 3),), (2, 4)), "they are tired")


def test_swiss_pairs_are_compared_where_that_is_asked_for() -> None:
    club = Club("swiss 3", FOUR)
    data = signed(club, {"round": 1, "pairings": ["1 2", "3 4"]})
    assert not gate.read(data).compared
    with pytest.raises(RulesBroken, match="nothing says why"):
        gate.read(data, compare=True)


def test_two_directors_may_write_and_nobody_else() -> None:
    other = person("Emil")
    club = Club("all-play-all", FOUR, directors=(DORA.public, other.public))
    club.add(LeagueNews(message="I go on from here"), other)
    assert [entry.fields["director"] for entry in club.league.entries] == [1, 1, 2]
    with pytest.raises(Refused):
        club.add(LeagueNews(message="and me"), person("Ann"))


def test_two_directors_who_cross_are_told_apart_from_one_who_signs_twice(tmp_path: Path) -> None:
    other = person("Emil")
    club = Club("all-play-all", FOUR, directors=(DORA.public, other.public))
    before = club.data
    club.add(LeagueNews(message="I go on"), other)
    theirs, club.data = club.data, before
    club.add(LeagueNews(message="so do I"))
    (tmp_path / "theirs.toml").write_bytes(theirs)
    (fork,) = verify.verify(club.data, [tmp_path]).forks
    assert (fork.entry, fork.directors) == (2, (1, 2))
    (tmp_path / "theirs.toml").write_bytes(before)
    assert not verify.verify(club.data, [tmp_path]).is_bad(), "an older file is no fork"
    longer = verify.verify(before, [tmp_path]).longer
    assert not longer
    (tmp_path / "newer.toml").write_bytes(club.data)
    assert verify.verify(before, [tmp_path]).longer.endswith("newer.toml")


def test_a_join_is_read_as_it_was_written() -> None:
    club = Club("swiss 3")
    join = club.join("Ann")
    assert read_join(join.file()) == join == from_line(club.league.id, join.line())
    assert read_join(join.file().replace(b"\n", b"\r\n")) == join
    with pytest.raises(Forged):
        read_join(join.file().replace(b"Ann", b"Anm"))


def test_a_flood_is_bounded() -> None:
    club = Club("swiss 3")
    with pytest.raises(Malformed, match="bytes"):
        league_file.read(club.data + b"x" * league_file.MAX_FILE)
    many = signed(club, {"players": [club.join("Eve").line()] * 513})
    with pytest.raises(Malformed, match="512"):
        gate.read(many)


def test_what_is_only_tried_needs_no_signature() -> None:
    club = Club("all-play-all", FOUR)
    club.begin()
    with pytest.raises(Forged):
        gate.read(
            league_file.append(
                club.data,
                {"director": 1, "date": DATE, "nonce": b64(bytes(32)), "message": "no"},
                lambda _: bytes(64),
            )
        )
    assert (
        write.after(club.data, LeagueNews(message="perhaps")).entries[-1].text("message")
        == "perhaps"
    )


def test_each_game_is_lost_once_however_many_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of the greatest size has 150,000 games and 512 who leave, each with an entry."""
    club = Club("all-play-all", map(str, range(12)))
    for _ in range(11):
        club.begin()
    for number in range(1, 13):
        club.add(LeagueNews(left={number: "gone"}))
    looked_at: list[int] = []
    lose = gate._lose_if_left

    def counting(league: League, game: LeagueGame, entry: Entry) -> None:
        looked_at.append(game.number)
        lose(league, game, entry)

    monkeypatch.setattr(gate, "_lose_if_left", counting)
    league = gate.read(club.data)
    assert all(game.result for game in league.games) and len(league.games) == 66
    assert len(looked_at) == 66 + 66, "once where it begins, and once where somebody leaves"


def test_another_file_of_a_league_is_told_by_the_first_entry_that_differs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever follows that entry. Nothing is computed of it, nor of leagues of somebody else:
    anybody can mail some of four million bytes to a director."""
    club = Club("knock-out", FOUR)
    other, forged = Club("swiss 5", ("Cleo", "Dan"), places=7), Club("knock-out", FOUR)
    forged.data = signed(forged, {"message": "I am Dora."}, "Ben")
    crossed = Club("knock-out", FOUR)
    crossed.data = signed(crossed, {"message": "Another tale."})
    crossed.data = signed(crossed, {"round": 9, "pairings": ["1 2"]})
    with pytest.raises(RulesBroken):
        gate.read(crossed.data)
    club.begin()
    files = {"other": other, "forged": forged, "crossed": crossed}
    for name, one in files.items():
        (tmp_path / f"{name}.toml").write_bytes(one.data)
    followed: list[bytes] = []
    follow = gate.follow

    def telling(file: LeagueFile, *, compare: bool = False) -> League:
        followed.append(file.data)
        return follow(file, compare=compare)

    league = club.league
    monkeypatch.setattr(gate, "follow", telling)
    (note,) = intake.take_in(league, [tmp_path]).notes
    assert "crossed.toml" in note and not followed
    verdict = verify.verify(club.data, [tmp_path])
    assert [(Path(one.where).name, one.entry) for one in verdict.forks] == [("crossed.toml", 2)]
    assert len(verdict.problems) == 1 and "forged.toml" in verdict.problems[0]
    assert followed == [club.data]


def test_pairs_that_take_too_long_are_not_computed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that are all drawn leave one bracket, and the time for it grows with the cube of its
    players: five hundred and thirty rounds would take most of an hour."""
    club = Club("swiss 3", FOUR)
    for _ in range(3):
        club.begin()
        club.results(DRAWN, DRAWN)
    said = "Not all pairs of its Swiss rounds were computed again"
    verdict = verify.verify(club.data, [])
    assert verdict.league.compared
    assert said not in report.in_words(report.facts_of(verdict), is_check=True)
    monkeypatch.setattr(gate, "Effort", lambda left=4**3: Effort(left))
    verdict = verify.verify(club.data, [])
    assert not verdict.league.compared and not verdict.is_bad()
    assert said in report.in_words(report.facts_of(verdict), is_check=True)
    assert Effort().left > 9 * 200**3 + 512**3, "two hundred in one bracket, each round"


def test_a_date_that_does_not_exist_stops_no_mail(tmp_path: Path) -> None:
    """It is what a director claims, and the other one's run writes the mails."""
    club = Club("knock-out", FOUR)
    for date in ("2026-02-31T09:30:00Z", "0000-01-01T00:00:00Z"):
        club.data = signed(club, {"date": date, "message": "Welcome."})
        league = club.league
        made = mails.mails(league, len(league.entries) - 1, club.data, DORA, tmp_path)
        assert [b"\nDate: Sat, 01 Jan 2000" in mail for _, mail in made] == [True] * 4


@pytest.mark.parametrize("method", ["knock-out", "groups 2 first 2"])
def test_a_game_that_is_decided_anew_after_the_next_round_began(method: str) -> None:
    """The file is read and changes the points; who goes on was settled when that round began."""
    club, anew = Club(method, map(str, range(8))), Club(method, map(str, range(8)))
    rounds = 1 if method == "knock-out" else 3
    for one in (club, anew):
        for _ in range(rounds):
            one.begin()
            one.results(*[WON] * 8)
        one.begin()
    before = len(club.league.games) - len(club.league.rounds[-1].games)
    for game in anew.league.games[:before]:
        for result in (LOST, NONE):
            anew.add(LeagueNews(decided=[DirectorsDecision(game.number, result, "a mistake")]))
            facts = report.facts_of(verify.verify(anew.data, []))
            assert facts.holds and facts.rounds_planned > len(facts.rounds)
    for one in (club, anew):
        while pairing.rounds_left(one.league):
            one.results(*[WON] * 4)
            one.begin()
    assert anew.league.rounds[-1].games[0].reason == ""
    for ours, theirs in zip(club.league.rounds, anew.league.rounds, strict=True):
        assert [(game.first, game.second) for game in ours.games] == [
            (game.first, game.second) for game in theirs.games
        ]
    one, two = (table(each.league) for each in (club, anew))
    assert [line.points for line in one] != [line.points for line in two]


def test_who_is_left_out_by_a_late_decision_was_left_out_before() -> None:
    """Four are left, and a game of those who are out is decided anew: nobody who has won since
    loses their place to the one who would have been there."""
    club = Club("knock-out", map(str, range(8)))
    club.begin()
    club.results(*[WON] * 4)
    club.begin()
    club.add(LeagueNews(decided=[DirectorsDecision(1, LOST, "found out late")]))
    met = [(game.first, game.second) for game in club.league.rounds[-1].games]
    club.results(LOST, WON)
    assert pairing.who_plays(club.league) == sorted([met[0][1], met[1][0]])
