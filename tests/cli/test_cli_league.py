"""A league as its director, its players and everybody else meet it, by commands and files
(docs/league.md)."""

from __future__ import annotations

import html
import json
import os
import re
import shutil
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any

import pytest

from examples.correspondence import Player
from pbem.errors import CONFLICT, INVALID, REFUSED, USAGE
from pbem.home.home import Home
from pbem.home.memory import Memory
from pbem.league import before_join, gate, run
from pbem.table.open_games import OpenGames
from pbem.table.routes import Table
from pbem.turn.joining import NewGame, invite
from tests.support.homes import make_home
from tests.support.mail_servers import HOST, PASSWORD, USER, dovecot
from tests.table.test_table_request import Reader

TWELVE = (
    *("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gita", "Hugo", "Ida", "Jan", "Kim", "Lea"),
)


class Club:
    """A director with a folder, and players who each have their own."""

    def __init__(self, folder: Path, *names: str) -> None:
        self.folder = folder / "club"
        self.dora = self._player(folder, "Dora", self.folder)
        self.players = {name: self._player(folder, name, folder / f"at-{name}") for name in names}
        self.file = self.invitation = ""

    @staticmethod
    def _player(folder: Path, name: str, own: Path) -> Player:
        make_home(folder / name, name)
        own.mkdir()
        return Player(name, folder / name, own, in_process=True)

    def new(self, *options: str) -> None:
        made = self.dora.does("league", "new", "backgammon", "--name", "Autumn league", *options)
        self.file = made["file"]
        (self.folder / "in").mkdir()

    def join(self, *names: str) -> None:
        for name in names:
            self.hand_out(name)
            made = self.players[name].does("league", "join", Path(self.file).name)
            self.bring(name, made["file"], f"join-{name}.toml")

    def hand_out(self, name: str) -> None:
        """Give somebody the newest file of the league."""
        shutil.copy(self.folder / self.file, self.players[name].folder / Path(self.file).name)

    def bring(self, name: str, file: str, to: str) -> None:
        """What somebody sends reaches the director's folder."""
        shutil.copy(self.players[name].folder / file, self.folder / "in" / to)

    def run(self, *options: str) -> Any:
        return self.dora.does("league", "run", ".", *options)

    def table(self) -> Any:
        return self.dora.does("league", "table", self.file)

    def play(self, number: int) -> None:
        """Play a game of the league by files: the first player invites, the second joins, and then
        the first resigns."""
        first, second = self.begin(number)
        newest = self._hand(self.invitation, first, second, "join")
        newest = self._hand(newest, second, first, "resign", "--yes")
        self.bring(first, newest, f"game-{number}.toml")

    def begin(self, number: int) -> tuple[str, str]:
        """The first player of a game begins it; who plays it, and `invitation` is its file."""
        facts = self.table()
        names = {one["number"]: one["name"] for one in facts["players"]}
        game = facts["games"][number - 1]
        first, second = names[game["first"]], names[game["second"]]
        self.hand_out(first)
        begun = self.players[first].does("league", "begin", Path(self.file).name)
        (self.invitation,) = (one for one in begun["files"] if game["game"][:8] in one)
        return first, second

    def _hand(self, file: str, sender: str, to: str, *command: str) -> str:
        """The next turn of a game by whoever gets it from somebody; its file."""
        shutil.copy(self.players[sender].folder / file, self.players[to].folder / Path(file).name)
        made = self.players[to].does(*command, Path(file).name)["file"]
        return str(made)


@pytest.fixture
def club(tmp_path: Path) -> Club:
    return Club(tmp_path, "Ann", "Ben")


def words_of(path: Path) -> str:
    """The text of a mail."""
    body = message_from_bytes(path.read_bytes(), policy=policy.default).get_body()
    assert body is not None
    return str(body.get_content())


def shares(facts: Any) -> dict[str, int]:
    """Everybody's points by their names."""
    return {one["name"]: one["points"] for one in facts["players"]}


@pytest.mark.dear("twelve players and twelve games, by files")
def test_twelve_play_two_rounds_and_nobody_has_to_be_believed(tmp_path: Path) -> None:
    """The director's part is `run` alone; somebody with nothing but the files computes the same
    table."""
    club = Club(tmp_path, *TWELVE)
    club.new("--places", "12", "--method", "swiss 2")
    club.join(*TWELVE)
    first = club.run()
    assert (first["joined"], first["round"]) == (list(TWELVE), 1) and len(first["written"]) == 12
    for number in range(1, 7):
        club.play(number)
    second = club.run()
    assert second["results"] == [1, 2, 3, 4, 5, 6] and second["round"] == 2
    for number in range(7, 13):
        club.play(number)
    last = club.run("--html", "table.html")
    assert last["ended"] and len(last["written"]) == 12
    alone = tmp_path / "alone"
    alone.mkdir()
    shutil.copy(club.folder / club.file, alone / "l.toml")
    shutil.copytree(club.folder / "games", alone / "their-games")
    reader = Player("Zoe", tmp_path / "Zoe", alone, in_process=True)
    seen = reader.does("league", "verify", "l.toml", "their-games")
    assert seen["holds"] and seen["compared"] and seen["ended"]
    assert [game["state"] for game in seen["games"]] == ["checked"] * 12
    theirs = club.table()
    assert seen["players"] == theirs["players"] and sum(shares(seen).values()) == 24
    page = (club.folder / "table.html").read_text(encoding="utf-8")
    assert page.count('href="games/') == 12 * 3 and "<script" not in page
    library = club.dora.types("library", ".")[1]
    assert f"league: {club.file}: Autumn league, swiss 2, 12 players, it has ended" in library
    assert "; 12 of 12 games here" in library and "does not verify" not in library
    assert "no turn file: in/join-Ann.toml" in library
    assert club.run() | {"file": ""} == last | {
        "file": "",
        **{"results": [], "ended": False, "written": [], "waits": "the league has ended"},
    }


def test_a_league_of_two_from_invitation_to_end(club: Club) -> None:
    club.new("--places", "2", "--until", "2026-12-10", "--message", "Slow and friendly")
    club.join("Ann")
    told = club.players["Ann"].types("league", "table", Path(club.file).name)[1]
    for words in ("0 of 2 places", "2026-12-10", "Slow and friendly", "Dora@example.org"):
        assert words.casefold() in told.casefold(), "what it is, before one joins"
    assert "2 players, or for 2026-12-10" in club.run()["waits"]
    club.join("Ben")
    assert club.run()["round"] == 1
    ann = words_of(club.folder / "out" / "0002-001.eml")
    shutil.copy(club.folder / "out" / "0002-001.eml", club.players["Ann"].folder / "saved.eml")
    assert club.players["Ann"].does("league", "table", "saved.eml")["entries"] == 3
    assert "pbem league table FILE" in club.dora.types("verify", club.file)[2]
    assert club.dora.types("inbox", "out")[0] == 0, "no turn is missed in these mails"
    for command in ("verify", "inbox"):
        told = "".join(club.dora.types(command, "out/0002-001.eml")[1:])
        assert "of a league" in told and "pbem league table FILE" in told and "ask" not in told
    assert "you begin" in ann and "pbem league begin league-" in ann
    club.hand_out("Ben")
    nothing = club.players["Ben"].types("league", "begin", Path(club.file).name)[1]
    assert "no game of this league is yours to begin" in nothing
    first, _ = club.begin(1)
    game = club.table()["games"][0]
    assert (first, game["state"]) == ("Ann", "open") and game["game"][:8] in club.invitation
    assert (
        club.invitation
        in club.players["Ann"].does("league", "begin", Path(club.file).name)["files"]
    ), "the same invitation again, and no second one"
    club.play(1)
    done = club.run()
    assert done["results"] == [1] and done["ended"]
    mails = sorted(path.name for path in (club.folder / "out").iterdir())
    assert mails == [
        *("0001-001.eml", "0002-001.eml", "0002-002.eml", "0003-001.eml", "0003-002.eml"),
    ]
    assert "you are number 1 of 2" in words_of(club.folder / "out" / "0003-002.eml")
    told = club.dora.types("league", "table", club.file)[1]
    assert "it has ended" in told and "Ben" in told
    assert club.dora.types("league", "run", ".", "--quiet") == (0, "", "")


def test_what_the_director_decides_is_marked(club: Club, tmp_path: Path) -> None:
    club.new("--method", "swiss 3")
    (tmp_path / "more").mkdir()
    club.players |= Club(tmp_path / "more", "Cleo", "Dan").players
    club.join("Ann", "Ben", "Cleo", "Dan")
    pairs = ("--pair", "Ann, Ben", "--pair", "Cleo,Dan")
    league = ("league", "round", club.file)
    code, _, told = club.dora.types(*league, "in", *pairs)
    assert code == REFUSED and "nothing says why" in told
    club.dora.does(*league, "in", *pairs, "--why", "they asked for it")
    decided = club.dora.does(*league, "--decide", "1 won: Ben has not written", "--no-round")
    assert decided["round"] is None
    said = club.dora.types(
        *league, "--left", "Dan: has moved away", "--absent", "Ben: on a journey"
    )
    assert said[0] == 0 and "round 2 begins" in said[1]
    facts = club.table()
    assert [game["decided"] for game in facts["games"]] == [
        *("Ben has not written", "has moved away", ""),
    ]
    assert facts["rounds"][0]["by_hand"] == "they asked for it"
    assert facts["rounds"][1]["absent"] == [2]
    code, _, told = club.dora.types(*league, "--absent", "Ann: on a journey")
    assert code == REFUSED and "with the round that begins" in told
    told = club.dora.types("league", "verify", club.file)[1]
    for words in ("by hand: they asked", "Ben has not written", "Dan has left: has moved away"):
        assert words in told
    assert "decided by the director, without a game" in told
    for wrong in (("--decide", "1 lucky: x"), ("--left", "Dan"), ("--absent", "Zoe: away")):
        assert club.dora.types(*league, *wrong)[0] == USAGE
    assert club.players["Ann"].types("league", "round", str(club.folder / club.file))[0] == REFUSED


def test_nothing_that_a_round_was_read_from_is_lost(club: Club) -> None:
    """A saved mail stays as it is, and so does what has the name of the file beside it, before
    anything is signed."""
    club.new("--places", "2")
    club.join("Ann", "Ben")
    club.run()
    own, folder = Path(club.file).name, club.folder / "mail"
    folder.mkdir()
    shutil.copy(club.folder / "out" / "0001-001.eml", mail := folder / "saved.eml")
    before = mail.read_bytes()
    decide = ("league", "round", "mail/saved.eml", "--no-round", "--decide", "1 won: I saw it")
    (folder / own).write_text("my notes", encoding="utf-8")
    code, _, told = club.dora.types(*decide)
    assert code == CONFLICT and "nothing was signed" in told and own in told
    assert club.table()["entries"] == 2, "and nothing was"
    made = club.dora.does(*decide, "--dir", ".")
    assert made["file"] == own and made["entries"] == 3, "over its own beginning"
    (folder / own).unlink()
    made = club.dora.does(*decide[:-1], "1 lost: I saw it again")
    assert Path(made["file"]) == Path("mail") / own and mail.read_bytes() == before
    assert gate.read((folder / own).read_bytes()).games[0].result == "lost"
    crlf = (folder / own).read_bytes().replace(b"\n", b"\r\n")
    (club.folder / club.file).write_bytes(crlf)
    assert club.run()["entries"] == 5 and b"\r" not in (club.folder / club.file).read_bytes()


def test_whoever_joins_is_told_which_game_of_a_league_it_is(club: Club, tmp_path: Path) -> None:
    """The one that the round has settled; another one of the two, which counts for nothing there;
    and one that has its id, and not its clock or its options: that one is refused."""
    club.new("--places", "2", "--option", "match=3", "--clock", "30+3")
    club.join("Ann", "Ben")
    ann, ben = club.players.values()
    key = ben.does("id")["key"]
    named = ("new", "backgammon", "--opponent", key, "--called", "Autumn league")
    early = str(ann.folder / ann.does(*named)["file"])
    told = ben.types("join", early, "--dir", ".")[2]
    assert "called Autumn league as a league is, and is none of the 0 games" in told
    club.run()
    club.hand_out("Ben")
    ben.does("league", "table", Path(club.file).name)
    beside = str(ann.folder / ann.does(*named)["file"])
    told = ben.types("join", beside, "--dir", ".")[2]
    assert "you two play game 1 (Backgammon, " in told and "counts for nothing there" in told
    club.begin(1)
    settled = gate.read((club.folder / club.file).read_bytes()).games[0]
    shutil.copytree(tmp_path / "Ann", tmp_path / "copy")
    cheating, table = Home(tmp_path / "copy"), Reader(Home(tmp_path / "Ben"), tmp_path / "table")
    games = OpenGames(Home(tmp_path / "Ben"), tmp_path / "table", before_join.look)
    table.table = Table(games)

    def joins_at_the_table(data: bytes) -> str:
        page = f"/game/{games.open_data(data).name}"
        mark = re.search(r'data-mark="([0-9a-f]{16})"', table.ask("GET", page).body.decode())
        assert mark is not None
        return html.unescape(table.post(f"{page}/do", mark=mark[1], join="yes").body.decode())

    for said, changed in {
        "it has another clock": {"clock": {}},
        "it has other options": {"options": {"match": 1}},
        "the seats are changed": {"seat": "black"},
    }.items():
        Memory(cheating, settled.game_id).give_up()
        terms = {"clock": {"clock": "30+3"}, "options": {"match": 3}, "nonce": settled.nonce}
        new = NewGame("backgammon", opponents=[key], **(terms | changed))  # type: ignore[arg-type]
        data = invite(cheating, new)
        (ben.folder / "x.toml").write_bytes(data)
        code, _, told = ben.types("join", "x.toml")
        assert code == CONFLICT and f"game 1 of the league Autumn league, and {said}" in told
        assert f"and {said}" in joins_at_the_table(data)
    shutil.copy(ann.folder / club.invitation, ben.folder / "settled.toml")
    data = (ben.folder / "settled.toml").read_bytes()
    assert "this is game 1 of the league Autumn league" in joins_at_the_table(data)
    told = ben.types("join", "settled.toml")[2]
    assert "this is game 1 of the league Autumn league" in told and "counts for" not in told


def test_a_league_that_goes_on_in_two_is_noticed(club: Club, tmp_path: Path) -> None:
    """The director's own home signs on the newest file alone; somebody who has seen one file, or
    has both, notices the other."""
    club.new("--places", "2")
    club.join("Ann", "Ben")
    before = (club.folder / club.file).read_bytes()
    shutil.copytree(tmp_path / "Dora", tmp_path / "copy")
    club.run()
    other = tmp_path / "other"
    other.mkdir()
    (other / club.file).write_bytes(before)
    copy = Player("Dora", tmp_path / "copy", other, in_process=True)
    copy.does("league", "round", club.file, str(club.folder / "in"), "--message", "another tale")
    club.hand_out("Ann")
    ann = club.players["Ann"]
    ann.does("league", "table", club.file)
    assert ann.types("league", "table", str(other / club.file))[0] == CONFLICT
    verdict = club.dora.asks("league", "verify", club.file, str(other))
    assert not verdict["holds"] and verdict["forks"][0]["directors"] == [1, 1]
    shutil.copy(other / club.file, club.folder / "in" / "other.toml")
    assert "goes on in two" in club.run()["notes"][0]
    (club.folder / club.file).write_bytes(before)  # killed before it was written, or put back
    assert club.run()["written"] == [] and (club.folder / club.file).read_bytes() != before


def test_what_cannot_be_done_says_what_to_do(club: Club, tmp_path: Path) -> None:
    new = ("league", "new", "backgammon")
    for words, wrong in {
        "called": new,
        "all-play-all": (*new, "--name", "A", "--method", "luck"),
        "2026-12-10": (*new, "--name", "A", "--until", "soon"),
        "nothing a league does": ("league", "win", "x"),
        "no league lies": ("league", "run", "."),
        "no league lies in nowhere": ("league", "run", "nowhere"),
        "takes one name": ("league", "run", ".", "elsewhere"),
    }.items():
        code, _, told = club.dora.types(*wrong)
        assert code == USAGE and words in told, wrong
    code, _, told = club.dora.types("league", "new", "tripoli-solitaire", "--name", "A")
    assert code == REFUSED and "games of two" in told
    club.new("--places", "2")
    club.hand_out("Ann")
    ann = club.players["Ann"]
    assert ann.types("league", "begin", club.file)[0] == REFUSED
    assert ann.types("league", "run", str(club.folder))[0] == REFUSED
    (club.folder / "in" / "junk.toml").write_text('format = "pbem-league/1"\n\n[join]\nx = 1\n')
    assert "junk.toml" in club.run()["notes"][0] and club.run()["notes"], "as long as it lasts"
    (club.folder / club.file).write_bytes(b'format = "pbem-league/1"\n\n[[entry]]\nrank = 1\n')
    assert club.dora.types("league", "table", club.file)[0] == INVALID


def test_a_league_begins_in_a_new_folder_and_its_day_says_what_to_do(club: Club) -> None:
    """As docs/league.md has it, from nothing: the folder, that for what comes, mails, the page."""
    file = Path(club.dora.does("league", "new", "backgammon", "--name", "A", "--dir", "a")["file"])
    assert file.parent == Path("a") and (club.folder / "a" / "in").is_dir()
    for name, player in club.players.items():
        shutil.copy(club.folder / file, player.folder)
        player.does("league", "join", file.name)
        shutil.copy(player.folder / f"join-{file.stem[7:]}.eml", club.folder / "a/in" / name)
    club.dora.does("league", "run", "a")
    club.dora.does("league", "round", str(file))
    _, told, page = club.dora.types("league", "run", "a", "--html", "a/table.html")
    assert "in a/out" in told.replace("\\", "/") and "--send" in told
    assert "table.html is the page" in page and (club.folder / "a" / "table.html").is_file()


def test_mails_that_fail_stay_and_are_told_while_that_lasts(club: Club, tmp_path: Path) -> None:
    """Nothing is set up for sending, then a program that takes no mail, then one that does."""
    club.new("--places", "2")
    club.join("Ann", "Ben")
    first = club.run("--send")
    assert first["round"] == 1 and first["sent"] == [] and "no mail was sent" in first["notes"][0]
    assert "no mail was fetched" in club.run("--fetch")["notes"][0]
    taken = tmp_path / "taken"
    for word, sent in (("exit 1", 0), (f"cat >> {taken}", 2)):
        command = json.dumps(["sh", "-c", word])
        (tmp_path / "Dora" / "mail.toml").write_text(f"[send]\nprogram = {command}\n")
        done = club.run("--send")
        assert len(done["sent"]) == sent and bool(done["notes"]) == (not sent), done
    mails = taken.read_text()
    assert "Auto-Submitted: auto-generated" in mails and "To: Ben <ben@example.org>" in mails
    assert not list((club.folder / "out").iterdir())
    assert club.run("--send")["sent"] == []
    head = "From: dora@example.org\nMessage-ID: <1@example.org>\n"
    for name in ("0001-001.eml", "spam.eml"):  # the folder is shared, and somebody put these in
        (club.folder / "out" / name).write_text(f"{head}To: zoe@example.org\n\nBuy!\n")
    (club.folder / "out" / "0001-002.eml").write_text(f"{head}\nTo nobody.\n")
    last = club.run("--send")
    assert last["sent"] == [] and len(last["notes"]) == 3 and taken.read_text() == mails
    assert "spam.eml was not sent: it is none to a player of this league" in last["notes"][-1]


def test_a_run_that_was_killed_is_gone_on_with(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed after the signature and before anything was written, or amid the mails: the next run
    signs nothing a second time, and writes what is missing, once."""
    club.new("--places", "2")
    club.join("Ann", "Ben")

    def die(*_given: object) -> None:
        raise KeyboardInterrupt

    for name in ("_write_league", "_write_mails"):
        with monkeypatch.context() as patch:
            patch.setattr(run, name, die)
            assert club.dora.types("league", "run", ".")[0] != 0
    assert len(club.table()["rounds"]) == 1
    done = club.run()
    assert done["entries"] == 2 and done["round"] is None and len(done["written"]) == 2
    assert club.run()["written"] == []


def test_each_game_is_a_page_of_its_own(club: Club) -> None:
    club.new("--places", "2")
    club.join("Ann", "Ben")
    club.run()
    club.play(1)
    club.run("--html", "table.html", "--films")
    page = (club.folder / "table.html").read_text(encoding="utf-8")
    (film,) = (club.folder / "games").glob("*.html")
    made = film.stat().st_mtime_ns
    assert page.count(f'href="games/{film.name}"') == 3 and film.stat().st_size > 50_000
    assert "leads to the page of its game" in page and ", its file" not in page
    club.dora.does("league", "table", club.file, "--html", "table.html", "--films")
    assert film.stat().st_mtime_ns == made, "it is made once"
    mode = (club.folder / "table.html").stat().st_mode & 0o777
    assert os.name != "posix" or mode == 0o644, "whoever serves the page may read it each time"


def test_what_came_by_mail_is_fetched(club: Club, tmp_path: Path) -> None:
    club.new("--places", "2")
    with dovecot() as (_, tls, cert, mails):
        (tmp_path / "Dora" / "mail.toml").write_text(
            f"[fetch]\nhost = '{HOST}'\nport = {tls}\nsecurity = 'tls'\nuser = '{USER}'\n"
            f"ca-file = '{cert}'\npassword-command = ['echo', '{PASSWORD}']\n"
        )
        (mails / "new" / "0.host").write_bytes(b"Subject: hello\r\n\r\nno league\r\n")
        for name in ("Ann", "Ben"):
            club.hand_out(name)
            made = club.players[name].does("league", "join", Path(club.file).name)
            mail = (club.players[name].folder / made["mail"]).read_bytes()
            (mails / "new" / f"{name}.host").write_bytes(mail)
        assert sorted(club.run("--fetch")["joined"]) == ["Ann", "Ben"]
        assert len(list((club.folder / "in").iterdir())) == 2
        assert club.run("--fetch")["joined"] == []


def test_a_clock_that_has_run_out_is_told_and_decides_nothing(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever has begun writes no more once the other one has joined. A quiet run tells it once."""
    club.new("--places", "2", "--clock", "20+1")
    club.join("Ann", "Ben")
    club.run()
    first, second = club.begin(1)
    joined = club._hand(club.invitation, first, second, "join")
    club.bring(second, joined, "game.toml")
    assert club.run()["overdue"] == []
    monkeypatch.setattr(run.clock, "now", lambda: "2026-12-13T09:30:00Z")
    (told,) = club.run("--quiet")["overdue"]
    assert (told["game"], told["name"], told["decide"][:7]) == (1, first, "1 lost:")
    assert club.dora.types("league", "run", ".", "--quiet") == (0, "", "")
    said = club.dora.types("league", "run", ".")[1]
    assert f"the clock of {first} ran out 2 days ago" in said
    assert '--decide "1 lost: the clock of the first player has run out"' in said
    assert club.table()["games"][0]["state"] == "played", "nothing follows by itself"
    club.dora.does("league", "round", club.file, "--decide", told["decide"])
    assert club.table()["games"][0]["decided"] == "the clock of the first player has run out"
    assert club.run()["overdue"] == []
