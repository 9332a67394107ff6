"""A league of 200: nine rounds Swiss with absent players and a director who hands over to another
one, each round signed, and everything computed again from the file; with figures. Then it goes on
in two, and its directors cheat: each is found by anybody's `verify`, and by the command."""

from __future__ import annotations

import copy
import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from examples.correspondence import Player
from pbem.errors import INVALID, Forged, RulesBroken
from pbem.fileformat.encoding import b64
from pbem.fileformat.toml_subset import Fields
from pbem.home.identity import Identity
from pbem.league import gate, league_file, pairing, report, verify, write
from pbem.league.join_form import write_join
from pbem.league.league import DRAWN, LOST, WON, Pairs
from pbem.league.ratings import ratings
from pbem.league.table import table
from pbem.league.write import LeagueNews, LeagueResult
from pbem.library import leagues
from tests.league.leagues import DATE, DORA, Club, person
from tests.league.test_league_attacks import Played
from tests.vectors.make import sample

pytestmark = pytest.mark.slow
PLAYERS, ROUNDS = 200, 9
EVE = person("Eve")
HANDOVER = 4
"""After this round Eve directs, and Dora does not."""
FRIENDS = 5
"""After this round somebody would have two friends paired, or tells two tales."""


def begin_round(club: Club, rng: random.Random, signer: Identity) -> None:
    """Begin the next round; some are away."""
    absent = {one: "away" for one in range(1, PLAYERS + 1) if rng.random() < 0.05}
    news = LeagueNews(absent=absent)
    news.pairs = write.pairs_now(write.after(club.data, news), news.absent)
    club.add(news, signer)


def drawn(club: Club, rng: random.Random) -> list[LeagueResult]:
    """A result by chance for each game that has none."""
    games = gate.read(club.data).open_games()
    results = [rng.choices((WON, DRAWN, LOST), (5, 2, 3))[0] for _ in games]
    return [
        LeagueResult(game.number, result, sample(f"end {game.number}"))
        for game, result in zip(games, results, strict=True)
    ]


class Season:
    """The league, whole. `begun` has its file as it was when a round had begun, `after` when it was
    complete. One game of the last round is `played` by commands, and all others have a result by
    chance."""

    def __init__(self, folder: Path) -> None:
        rng = random.Random("two hundred")
        self.folder, self.took = folder, list[float]()
        self.club = club = Club(f"swiss {ROUNDS}", directors=(DORA.public, EVE.public))
        people = [person(f"P{number}") for number in range(PLAYERS)]
        joins = [
            write_join(club.league.id, DATE, one.public, one.mail, one.name, one.sign)
            for one in people
        ]
        club.add(LeagueNews(players=joins))
        self.begun: dict[int, bytes] = {}
        self.after: dict[int, bytes] = {}
        for number in range(1, ROUNDS):
            if number == HANDOVER + 1:
                club.add(LeagueNews(message="Dora has other work, and I go on."), EVE)
            signer = DORA if number <= HANDOVER else EVE
            self._begin(number, rng, signer)
            club.add(LeagueNews(results=drawn(club, rng)), signer)
            self.after[number] = club.data
        self._begin(ROUNDS, rng, EVE)
        game = gate.read(club.data).open_games()[0]
        first, second = (people[number - 1].name for number in (game.first, game.second))
        self.played = Played(folder, copy.copy(club), first, second, EVE)
        _, *others = drawn(club, rng)
        self.last = LeagueNews(results=[self.played.result(), *others], ends=True)
        club.data = self.after[ROUNDS] = self.played.signed(self.last)
        self.reader = Player("Reader", folder / "nobody", folder, in_process=True)

    def _begin(self, number: int, rng: random.Random, signer: Identity) -> None:
        began = time.process_time()
        begin_round(self.club, rng, signer)
        self.took.append(time.process_time() - began)
        self.begun[number] = self.club.data

    def at(self, rounds: int) -> Club:
        """A copy of the league as it was when so many rounds were complete."""
        club = copy.copy(self.club)
        club.data = self.after[rounds]
        return club

    def ended_with(self, result: LeagueResult) -> bytes:
        """The league if its director ends it with this for the game that was played."""
        return self.played.signed(LeagueNews(results=[result, *self.last.results[1:]], ends=True))

    def put(self, name: str, data: bytes) -> Path:
        """A folder with this file of the league."""
        place = self.folder / name
        place.mkdir()
        (place / "league.toml").write_bytes(data)
        return place

    def checks(self, name: str, data: bytes, *places: Path) -> tuple[int, str]:
        """What the command says of a file, to somebody who has no home: exit code and words."""
        file = self.put(name, data) / "league.toml"
        code, out, err = self.reader.types("league", "verify", str(file), *map(str, places))
        return code, out + err


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Season]:
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("season")
        patch.setenv("PBEM_STATE", str(folder / "state"))
        yield Season(folder)


def test_two_hundred_players_and_nine_rounds(season: Season) -> None:
    data = season.club.data
    began = time.process_time()
    league = gate.read(data)
    read = time.process_time() - began
    began = time.process_time()
    verdict = verify.verify(data, [season.played.games])
    checked = time.process_time() - began
    began = time.process_time()
    rated, lines = ratings(league), table(league)
    tabled = time.process_time() - began
    page = leagues.page(report.facts_of(verdict), {})
    print(
        f"{len(league.games)} games, a file of {len(data) // 1000} kB and a page of"
        f" {len(page) // 1000} kB; a round paired and signed in {min(season.took):.1f} to"
        f" {max(season.took):.1f} s, the file read in {read:.1f} s, verified in {checked:.1f} s,"
        f" table and ratings {tabled:.1f} s"
    )
    assert league.ended and verdict.league.compared and not pairing.rounds_left(league)
    met = [frozenset((game.first, game.second)) for game in league.games]
    byes = [player for one in league.rounds for player in one.byes]
    assert len(met) == len(set(met)) and len(byes) == len(set(byes))
    assert sum(len(one.absent) for one in league.rounds) > 50
    assert len(lines) == PLAYERS and sum(line.points for line in lines) == 2 * (
        len(league.games) + len(byes)
    )
    best = [rated[line.player - 1].rating for line in lines[:20]]
    last = [rated[line.player - 1].rating for line in lines[-20:]]
    assert min(best) > max(last)
    assert not verdict.is_bad() and verdict.count(verify.CHECKED) == 1
    assert verdict.count(verify.CLAIMED) == len(league.games) - 1
    code, said = season.checks("honest", data, season.played.games)
    assert code == 0, said


def test_the_second_director_goes_on_and_the_first_cannot_beside_them(season: Season) -> None:
    """The handover is seen in the file; what Dora signs after it makes two leagues of one."""
    league = gate.read(season.club.data)
    signed = [int(str(entry.fields["director"])) for entry in league.entries]
    handover = signed.index(2)
    assert signed == [1] * handover + [2] * (len(signed) - handover)
    assert league.rounds[HANDOVER - 1].entry < handover < league.rounds[HANDOVER].entry
    dora = season.at(HANDOVER)
    begin_round(dora, random.Random("Dora goes on"), DORA)
    place = season.put("dora", dora.data)
    (fork,) = verify.verify(season.club.data, [place]).forks
    assert (fork.entry, fork.directors) == (handover, (2, 1))
    code, said = season.checks("handed", season.club.data, place)
    assert code == INVALID and str(place / "league.toml") in said


def test_two_tales_of_one_director_are_found_from_both(season: Season) -> None:
    """Each is whole by itself: two rounds more, paired by the method, with results."""
    other, rng = season.at(FRIENDS), random.Random("another tale")
    first = len(gate.read(other.data).entries)
    for _ in range(2):
        begin_round(other, rng, EVE)
        other.add(LeagueNews(results=drawn(other, rng)), EVE)
    assert not verify.verify(other.data, []).is_bad(), "nobody sees it in this file alone"
    mine, theirs = season.put("mine", season.club.data), season.put("theirs", other.data)
    for data, place in ((season.club.data, theirs), (other.data, mine)):
        verdict = verify.verify(data, [place])
        (fork,) = verdict.forks
        assert (fork.entry, fork.directors, verdict.longer) == (first, (2, 2), "")
    code, said = season.checks("one of two", season.club.data, theirs)
    assert code == INVALID and str(theirs / "league.toml") in said


def test_a_result_that_the_director_changes_is_found(season: Season) -> None:
    """By the file of its game; one that is old already by the signatures, or by anybody who has the
    league as it was."""
    true, games = season.played.result(), season.played.games
    for name, false in (
        ("won", true._replace(result=WON)),
        ("end", true._replace(digest=sample("another end"))),
    ):
        verdict = verify.verify(data := season.ended_with(false), [games])
        (wrong,) = (one for one in verdict.games if one.state in verify.BAD)
        assert (wrong.game.number, wrong.state) == (true.game, verify.WRONG)
        code, said = season.checks(name, data, games)
        assert code == INVALID and wrong.why in said
    other = copy.copy(season.club)
    other.data = season.begun[3]
    other.add(LeagueNews(results=drawn(other, random.Random("other results"))))
    (fork,) = verify.verify(season.club.data, [season.put("old", other.data)]).forks
    assert fork.directors == (1, 1)
    assert fork.entry == len(gate.read(season.begun[3]).entries)
    changed = season.club.data.replace(b'"1 won ', b'"1 lost ', 1)
    assert changed != season.club.data
    with pytest.raises(Forged):
        verify.verify(changed, [])
    code, said = season.checks("changed", changed)
    assert code == INVALID and "signature" in said


def test_friends_whom_the_director_pairs_are_found(season: Season) -> None:
    """They sign it by a program of their own, for ours refuses to; and if they say why, everybody
    reads that it was by hand."""
    club = season.at(FRIENDS)
    by_method = write.pairs_now(gate.read(club.data))
    met = {frozenset((game.first, game.second)) for game in gate.read(club.data).games}
    (one, two), (three, four), *rest = by_method.games
    assert not met & {frozenset((one, three)), frozenset((two, four))}
    friends = Pairs(((one, three), (two, four), *rest), by_method.byes)
    with pytest.raises(RulesBroken, match="nothing says why"):
        club.add(LeagueNews(pairs=friends), EVE)
    fields = LeagueNews(pairs=friends).fields(gate.read(club.data))
    head: Fields = {"director": 2, "date": DATE, "nonce": b64(sample("friends"))}
    secret = league_file.append(club.data, head | fields, EVE.sign)
    with pytest.raises(RulesBroken, match="nothing says why"):
        verify.verify(secret, [])
    code, said = season.checks("friends", secret)
    assert code == INVALID and "the pairs are not those of the method" in said
    club.add(LeagueNews(pairs=friends, by_hand="they live next door"), EVE)
    code, said = season.checks("by hand", club.data)
    assert code == 0 and "they live next door" in said


def test_a_game_that_the_director_registers_late_is_found(season: Season) -> None:
    """The two have another game, whose opening roll the director's friend likes better. Its end
    stands for that of the league's game; or the round is begun anew after the game was begun, which
    gives the game another id, and so other dice."""
    true, played = season.played.result(), season.played
    late = season.ended_with(true._replace(digest=sample("the end of the other game"), result=WON))
    verdict = verify.verify(late, [played.strange])
    (game,) = (one for one in verdict.games if one.game.number == true.game)
    assert (game.state, verdict.strangers) == (verify.CLAIMED, 1), "its file is none of the league"
    verdict = verify.verify(late, [played.strange, played.games])
    assert verdict.is_bad() and verdict.count(verify.WRONG) == 1
    code, said = season.checks("late", late, played.strange, played.games)
    assert code == INVALID and "the league says" in said
    anew, honest = season.at(ROUNDS - 1), gate.read(played.club.data)
    begun = honest.rounds[-1]
    pairs = Pairs(tuple((one.first, one.second) for one in begun.games), (*begun.byes,))
    anew.add(LeagueNews(message="the round is begun anew"), EVE)
    anew.add(LeagueNews(pairs=pairs, absent=begun.absent), EVE)
    again = gate.read(anew.data).games[true.game - 1]
    assert again.game_id != honest.games[true.game - 1].game_id
    verdict = verify.verify(anew.data, [played.games])
    assert verdict.strangers == 1 and not verdict.count(verify.CHECKED)
    begun_file = season.put("begun", played.club.data)
    (fork,) = verify.verify(anew.data, [begun_file]).forks
    assert (fork.entry, fork.directors) == (begun.entry, (2, 2))
    code, said = season.checks("anew", anew.data, begun_file, played.games)
    assert code == INVALID and str(begun_file / "league.toml") in said
