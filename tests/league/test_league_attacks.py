"""Directors, players and strangers who cheat, and what anybody's `verify` says of it
(docs/trust.md, "Leagues")."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from examples.correspondence import Player
from pbem import files
from pbem.errors import Invalid, RulesBroken
from pbem.fileformat.armor import wrap_league
from pbem.fileformat.packed import in_page
from pbem.home.identity import Identity
from pbem.league import find_pieces, gate, intake, report, run, verify, write
from pbem.league.join_form import write_join
from pbem.league.league import LOST, NONE, WON, Pairs
from pbem.league.verify import ASTRAY, CHECKED, CLAIMED, DECIDED, OPEN, TWICE, WRONG, Verdict
from pbem.league.write import DirectorsDecision, LeagueNews, LeagueResult
from pbem.library import leagues
from tests.league.leagues import DATE, DORA, Club, person
from tests.support.homes import make_home, seed_of
from tests.vectors.make import sample

pytestmark = pytest.mark.dear("a league's game is played by commands once, for all of these")


class Played:
    """A league in which the newest game is one of these two, who play it by commands: its file is
    in `games`, and whoever begins it has resigned it. `strange` has one that the two played
    besides, with the same end. `signer` is the director."""

    def __init__(
        self, folder: Path, club: Club, first: str, second: str, signer: Identity = DORA
    ) -> None:
        self.club, self.signer = club, signer
        self.file = folder / "league.toml"
        self.file.write_bytes(self.club.data)
        self.games, self.strange = folder / "games", folder / "strange"
        for name in (first, second):
            make_home(folder / name, name, seed=seed_of(name))
        self.first, self.second = (
            Player(name, folder / name, folder, in_process=True) for name in (first, second)
        )
        begun = self.first.does("league", "begin", "league.toml")["files"][0]
        self._play(begun, self.games)
        key = self.second.does("id")["key"]
        self._play(self.first.does("new", "backgammon", "--opponent", key)["file"], self.strange)
        (self.game,) = [path for path in self.games.iterdir() if path.suffix == ".toml"]
        self.end = self.result().digest

    def _play(self, file: str, to: Path) -> None:
        joined = self.second.does("join", file)["file"]
        ended = self.first.does("resign", joined, "--yes")["file"]
        to.mkdir()
        shutil.copy(self.file.parent / ended, to / "game.toml")

    def result(self) -> LeagueResult:
        """What the game's file says."""
        (found,) = intake.take_in(gate.read(self.club.data), [self.games]).news.results
        return found

    def signed(self, *news: LeagueNews) -> bytes:
        """The league's file when the director has signed these too."""
        data = self.club.data
        for one in news:
            data = write.next_entry(data, one, DATE, sample(str(one)), self.signer).data
        return data

    def verdict(self, *news: LeagueNews, places: tuple[Path, ...] = ()) -> Verdict:
        """What is found in that file."""
        return verify.verify(self.signed(*news), places or (self.games,))


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("played")
        patch.setenv("PBEM_STATE", str(folder / "state"))
        club = Club("all-play-all twice", ("Ann", "Ben"))
        club.begin()
        yield Played(folder, club, "Ann", "Ben")


def test_an_honest_result_is_checked(played: Played) -> None:
    verdict = played.verdict(LeagueNews(results=[played.result()]))
    assert [one.state for one in verdict.games] == [CHECKED] and not verdict.is_bad()
    assert played.result().result == LOST


def test_a_director_who_changes_a_result_is_found(played: Played) -> None:
    for result, digest in ((WON, played.end), (LOST, sample("another end"))):
        verdict = played.verdict(LeagueNews(results=[LeagueResult(1, result, digest)]))
        assert verdict.games[0].state == WRONG and verdict.is_bad()
        without = played.verdict(
            LeagueNews(results=[LeagueResult(1, result, digest)]), places=(played.strange,)
        )
        assert without.games[0].state == CLAIMED, "it is not called checked without its file"
    decided = played.verdict(LeagueNews(decided=[DirectorsDecision(1, WON, "because I say so")]))
    assert decided.games[0].state == DECIDED and decided.games[0].game.reason


def test_no_game_is_registered_late(played: Played) -> None:
    """The two have played a game before, which one of them likes better: it is none of the league,
    and no entry can make it one."""
    came = intake.take_in(played.club.league, [played.strange])
    assert not came.news.results and not came.shelf.found and len(came.shelf.strangers) == 1
    verdict = played.verdict(
        LeagueNews(results=[LeagueResult(1, WON, sample("its end"))]), places=(played.strange,)
    )
    assert verdict.games[0].state == CLAIMED and verdict.strangers == 1
    other = Club("all-play-all", ("Ann", "Ben"), message="another league of the same two")
    other.begin()
    assert not intake.take_in(other.league, [played.games]).news.results
    again = Club("all-play-all twice", ("Ann", "Ben"))
    again.add(LeagueNews(message="the round is begun anew"))
    again.begin()
    assert not intake.take_in(again.league, [played.games]).news.results


def test_a_game_that_goes_on_in_two_is_told(played: Played, tmp_path: Path) -> None:
    """Ann keeps a copy of her home, likes how the game began once more, and has two ends."""
    data = played.game.read_bytes()
    parts = data.split(b"\n[[entry]]\n")
    begun = b"\n[[entry]]\n".join(parts[:3])
    (tmp_path / "joined.toml").write_bytes(begun)
    make_home(tmp_path / "Ann", "Ann", seed=seed_of("Ann"))
    ann = Player("Ann", tmp_path / "Ann", tmp_path, in_process=True)
    state = {"PBEM_STATE": str(tmp_path / "state")}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PBEM_STATE", state["PBEM_STATE"])
        ann.does("resign", "joined.toml", "--yes", "--i-have-no-newer-file", "-m", "once more")
    verdict = played.verdict(places=(played.games, tmp_path))
    assert verdict.games[0].state == TWICE and verdict.is_bad()
    came = intake.take_in(played.club.league, [played.games, tmp_path])
    assert not came.news.results and "differently" in came.notes[0]
    dora = make_home(tmp_path / "Dora", "Dora", seed=seed_of("Dora"))
    folder = tmp_path / "league"
    (folder / "in").mkdir(parents=True)
    (folder / "league-a.toml").write_bytes(played.club.data)
    (other,) = (path for path in tmp_path.glob("*.toml") if path.name != "joined.toml")
    shutil.copy(tmp_path / "joined.toml", folder / "in" / "game.toml")
    for came_now in (data, other.read_bytes(), begun):  # and it lies where the last one lay
        run.run(dora, folder)
        (folder / "in" / "game.toml").write_bytes(came_now)
    run.run(dora, folder)
    kept = {path.read_bytes() for path in (folder / "games").iterdir()}
    assert kept == {data, other.read_bytes()}, "what proves it is not lost"
    assert played.verdict(places=(folder / "games",)).games[0].state == TWICE


def test_a_game_with_other_terms_is_astray(played: Played) -> None:
    """The invitation has the id of the league's game, and a clock that the league has not."""
    league = played.club.league
    files = intake.take_in(league, [played.games]).shelf.found
    for changed in (
        {"clock": "30+3"},
        {"options": ("match 3",)},
        {"game": "hex"},
        {"rules": 999},
    ):
        league = played.club.league
        league.terms = write.replace(league.terms, **changed)  # type: ignore[arg-type]
        shelf = intake.LeagueShelf(league)
        shelf.found = files
        assert verify.check_game(league, league.games[0], shelf).state == ASTRAY, changed


def test_a_file_that_was_changed_counts_for_nothing(played: Played, tmp_path: Path) -> None:
    data = played.game.read_bytes()
    (tmp_path / "game.toml").write_bytes(data.replace(b"resign", b"resigm", 1))
    (tmp_path / "junk").write_bytes(b'format = "pbem/1"\n' + b"\n" * 100_000)
    verdict = played.verdict(places=(tmp_path,))
    assert verdict.games[0].state == OPEN and not verdict.is_bad()


def test_a_flood_of_joins_is_bounded_and_looks_alike_are_not_taken(tmp_path: Path) -> None:
    club = Club("swiss 3", ("Ann",), places=5)
    league = club.league
    hostile = ("Аnn", "Ben", "Ben", "\u202eneB", "PBEM TURN", "<b>Cleo", "Dan", "Eve", "Finn")
    for number, name in enumerate(hostile):
        one = person(f"{name}{number}")
        try:
            join = write_join(league.id, DATE, one.public, "", name, one.sign)
        except Invalid:
            assert name == "\u202eneB"
            continue
        (tmp_path / f"{number}.toml").write_bytes(join.file())
    came = intake.take_in(league, [tmp_path])
    assert [join.name for join in came.news.players] == ["Ben", "PBEM TURN", "<b>Cleo", "Dan"]
    assert "looks like" in came.notes[0] and "places are taken" in came.notes[-1]
    club.add(came.news)
    facts = report.facts_of(verify.verify(club.data, []))
    assert "PBEM" not in report.in_words(facts)
    page = leagues.page(facts, {})
    assert "<b>" not in page and "&lt;b&gt;Cleo" in page


def test_each_file_is_read_once(
    played: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Turns, leagues and joins are found in one reading."""
    shutil.copytree(played.games, tmp_path / "games")
    (tmp_path / "games" / "league.toml").write_bytes(played.club.data)
    read, reads = files.read_bytes, Counter[Path]()

    def counted(path: Path, limit: int) -> bytes:
        reads[path] += 1
        return read(path, limit)

    def whole(path: Path) -> bytes:
        return counted(path, 10**9)

    monkeypatch.setattr(files, "read_bytes", counted)
    monkeypatch.setattr(Path, "read_bytes", whole)
    came = intake.take_in(played.club.league, [tmp_path / "games"])
    assert len(came.news.results) == 1
    assert reads == dict.fromkeys((tmp_path / "games").iterdir(), 1)


def test_a_flood_of_joins_hides_no_result(
    played: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(find_pieces, "MOST", 3)
    league = played.club.league
    for number in range(6):
        one = person(f"P{number}")
        join = write_join(league.id, DATE, one.public, "", f"P{number}", one.sign)
        (tmp_path / f"a{number}.toml").write_bytes(join.file())
    for path in played.games.iterdir():
        shutil.copy(path, tmp_path / f"z-{path.name}")
    came = intake.take_in(league, [tmp_path])
    assert [note for note in came.notes if "more than 3: the rest is left" in note]
    assert len(came.news.results) == 1


def test_friends_cannot_be_paired_or_spared_without_a_word(played: Played) -> None:
    club = Club("swiss 5", ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn"))
    for pairs in (Pairs(((1, 2), (3, 4), (5, 6))), Pairs(((4, 1), (2, 5), (3, 6)))):
        with pytest.raises(RulesBroken, match="nothing says why"):
            club.begin(pairs)
    club.begin(Pairs(((1, 2), (3, 4), (5, 6))), "they know each other")
    seen = verify.verify(club.data, []).league
    assert seen.compared and seen.rounds[0].by_hand == "they know each other"
    assert gate.read(club.data).rounds[0].games[0].result == "" != NONE
    assert played.games.name == run.GAMES


def test_the_page_leads_to_files_of_the_game_alone(played: Played, tmp_path: Path) -> None:
    """Whatever a file is called; and it says of no result that it was checked that was not."""
    data = write.next_entry(
        played.club.data, LeagueNews(results=[played.result()]), DATE, sample("page"), DORA
    ).data
    short = gate.read(data).games[0].game_id.hex()[:8]
    (strange,) = played.strange.iterdir()
    named = {f"a-{short}.toml": strange.read_bytes(), f"b-{short}.toml": b"no game"}
    for name, content in named.items():
        (tmp_path / name).write_bytes(content)
    facts = report.facts_of(verify.verify(data, []))
    for films in (False, True):
        leagues.write_page(tmp_path / "table.html", facts, [tmp_path], films=films)
        page = (tmp_path / "table.html").read_text(encoding="utf-8")
        assert "claimed, no file here" in page and "games that were checked" not in page
        assert short + ".toml" not in page and [*tmp_path.glob("?-*.html")] == []
    shutil.copy(played.game, tmp_path / f"b-{short}.toml")
    leagues.write_page(tmp_path / "table.html", facts, [tmp_path])
    assert f'href="b-{short}.toml"' in (tmp_path / "table.html").read_text(encoding="utf-8")


def test_the_page_of_a_game_goes_over_nothing_else(played: Played, tmp_path: Path) -> None:
    """Somebody's own file may have its name and be older than the game. Then the file of the game
    is linked, and the table is written all the same; what is moved away is made anew."""
    short = played.club.league.games[0].game_id.hex()[:8]
    game = Path(shutil.copy(played.game, tmp_path / f"1-{short}.toml"))
    (notes := game.with_suffix(".html")).write_text("my notes", encoding="utf-8")
    os.utime(notes, (0, 0))
    facts, table = report.facts_of(played.verdict()), tmp_path / "table.html"
    (problem,) = leagues.write_page(table, facts, [tmp_path], films=True)
    assert "game 1" in problem and "holds something else" in problem
    assert notes.read_text(encoding="utf-8") == "my notes"
    assert f'href="{game.name}"' in table.read_text(encoding="utf-8")
    notes.rename(tmp_path / "notes.html")
    assert leagues.write_page(table, facts, [tmp_path], films=True) == []
    assert in_page(notes.read_bytes()) == game.read_bytes()
    assert f'href="{notes.name}"' in table.read_text(encoding="utf-8")
    os.utime(notes, (0, 0))
    made = notes.stat().st_ino
    assert leagues.write_page(table, facts, [tmp_path], films=True) == []
    assert notes.stat().st_ino == made, "it shows this file, and need not be made again"


def test_two_directors_by_turns_go_on_in_one(tmp_path: Path) -> None:
    """What the second director has signed came by mail: the first one goes on from it."""
    dora, eve = (make_home(tmp_path / name, name, seed=seed_of(name)) for name in ("Dora", "Eve"))
    keys = tuple(home.identity().public for home in (dora, eve))
    club = Club("all-play-all", ("Ann", "Ben"), directors=keys)
    folder = tmp_path / "league"
    (folder / "in").mkdir(parents=True)
    (file := folder / "league-a.toml").write_bytes(club.data)
    club.add(LeagueNews(message="I take over for a week."), person("Eve"))
    (folder / "in" / "mail").write_bytes(
        b"From: eve@example.org\n\n" + wrap_league(club.data).encode()
    )
    join = club.join("Cleo").file()
    (folder / "in" / "join.toml").write_bytes(join)
    done = run.run(dora, folder)
    assert file.read_bytes().startswith(club.data) and done.joined == ["Cleo"] and not done.notes
    assert len(gate.read(file.read_bytes()).entries) == len(club.league.entries) + 1


def test_more_results_than_an_entry_holds_wait_for_the_next(
    played: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Forty who all play all have more games than a list may hold, and a director may be away."""
    monkeypatch.setattr(intake, "MOST", 0)
    came = intake.take_in(played.club.league, [played.games])
    assert not came.news.results and not came.notes and came.shelf.found


@pytest.mark.parametrize(("result", "against"), [(WON, True), (NONE, True), (LOST, False)])
def test_a_decision_against_what_the_file_proves_is_told(
    played: Played, result: str, against: bool
) -> None:
    """The director may decide, for a reason that no file knows; the reader sees both."""
    verdict = played.verdict(LeagueNews(decided=[DirectorsDecision(1, result, "I saw it")]))
    (game,) = verdict.games
    said = "its file proves that it was lost" if against else ""
    assert (game.state, game.why) == (DECIDED, said) and not verdict.is_bad()
    facts = report.facts_of(verdict)
    for text in (report.in_words(facts, is_check=True), leagues.page(facts, {})):
        assert "I saw it" in text and ("its file proves" in text) == against
