"""Somebody to play with, by clicking: seeks of others looked up and answered, and one's own."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from email import message_from_bytes
from pathlib import Path

import pytest

from pbem.fileformat import link, turnfile
from pbem.home.clock import now
from pbem.home.home import Home
from pbem.home.identity import Identity
from pbem.seek import kept, write
from pbem.seek.seek_file import Seek, read, write_seek
from pbem.table.open_games import OpenGames
from pbem.table.request import TAKE, PageRequest
from pbem.table.routes import Table
from tests.support.homes import make_home, seed_of
from tests.table.test_table_request import Reader
from tests.vectors.make import sample
from tests.vectors.make_seeks import ANN


@pytest.fixture
def ben(tmp_path: Path) -> Reader:
    return Reader(make_home(tmp_path / "Ben", "Ben", seed=seed_of("Ben")), tmp_path / "games")


@pytest.fixture
def club(tmp_path: Path) -> Path:
    (tmp_path / "club").mkdir()
    return tmp_path / "club"


def sought(folder: Path, home: Path, **says: object) -> Seek:
    ann = make_home(home, "Ann", seed=seed_of("Ann"))
    wanted = replace(write.Wanted("backgammon", {}), **says)  # type: ignore[arg-type]
    return write.seek(ann, wanted, folder).seek


def hidden(page: bytes, name: str) -> list[str]:
    """The hidden values of this name on a page."""
    found = re.findall(rf'name="{name}" value="([^"]*)"', page.decode())
    return [html.unescape(one) for one in found]


def test_a_seek_is_found_and_answered(ben: Reader, club: Path, tmp_path: Path) -> None:
    seek = sought(club, tmp_path / "Ann", seat="black", message="Slow & <b>friendly</b>")
    page = ben.ask("GET", "/find", query=f"place={club}").body
    assert b"<b>friendly" not in page and b"Slow &amp; &lt;b&gt;" in page
    (text,) = hidden(page, "seek")
    assert read(text.encode()) == seek
    answer = ben.post("/find/answer", seek=text, place=str(club))
    assert answer.status == 303
    game = answer.headers["location"]
    assert ben.ask("GET", game).status == 200
    (file,) = (tmp_path / "games").glob("backgammon-*.toml")
    entry = turnfile.read(file.read_bytes()).entries[0]
    assert entry.seat == "white" and entry.list("invites")[0].startswith("black ")
    mail = message_from_bytes(file.with_suffix(".eml").read_bytes())
    assert mail["To"] == seek.wish.mail
    again = ben.ask("GET", "/find", query=f"place={club}").body
    assert hidden(again, "seek") == [] and file.stem[:-5].encode() in again
    assert ben.post("/find/answer", seek=text).status == 200
    assert len(list((tmp_path / "games").glob("backgammon-*.toml"))) == 1


def test_one_looks_where_one_looked_last(ben: Reader, club: Path) -> None:
    ben.ask("GET", "/find", query=f"place={club}")
    assert f'value="{club}"'.encode() in ben.ask("GET", "/find").body


def test_a_seek_of_ones_own_is_written_and_ended(ben: Reader, tmp_path: Path) -> None:
    form = {"game": "backgammon", "days": "7", "languages": "en, de", "message": "Hello"}
    page = ben.post("/find/seek", **form).body
    (file,) = (tmp_path / "games").glob("seek-*.toml")
    seek = read(file.read_bytes())
    assert isinstance(seek, Seek) and seek.wish.languages == ("en", "de")
    assert b"-----BEGIN PBEM SEEK-----" in page
    assert hidden(page, "seek") == [seek.digest.hex()]
    ben.post("/find/taken", seek=seek.digest.hex())
    assert kept.kept(ben.table.games.home).ended == (seek.digest.hex(),)
    assert len(list((tmp_path / "games").glob("taken-*.toml"))) == 1


def test_what_is_wrong_is_said_on_the_page(ben: Reader, tmp_path: Path) -> None:
    for path, form in (
        ("seek", {"game": "backgammon", "days": "99"}),
        ("seek", {"game": "nothing", "days": "7"}),
        ("seek", {"game": "backgammon", "days": "7", "languages": "many words"}),
        ("answer", {"seek": "no seek"}),
        ("taken", {"seek": "00"}),
    ):
        answer = ben.post(f"/find/{path}", **form)
        assert answer.status == 200 and b'role="alert"' in answer.body, (path, form)
    gone = ben.ask("GET", "/find", query=f"place={tmp_path / 'gone'}")
    assert gone.status == 200 and b'role="alert"' in gone.body
    assert not (tmp_path / "games").exists() or not list((tmp_path / "games").iterdir())


def test_a_hostile_seek_is_only_words(ben: Reader, club: Path, tmp_path: Path) -> None:
    message = "</li><script>alert(1)</script> https://evil.example"
    wish = replace(sought(club, tmp_path / "Ann").wish, name="Ann<i>", message=message)
    made = write_seek(wish, now(), bytes(32), ANN.public, ANN.sign)
    (club / "evil.toml").write_bytes(made.data)
    page = ben.ask("GET", "/find", query=f"place={club}").body.decode()
    assert "<script>alert" not in page and "<i>" not in page
    assert 'href="https://evil' not in page


def in_page(folder: Path, name: str = "Ben") -> Table:
    """The pages of somebody who plays in a browser."""
    (folder / "files").mkdir()
    home = make_home(folder / name, name, seed=seed_of(name))
    return Table(OpenGames(home, folder / "files"), in_page=True)


def taken_in(table: Table, data: bytes) -> bytes:
    """What a page answers to a file or a text."""
    return table.answer(PageRequest("POST", TAKE, {"name": "pasted"}, file=data)).body


def test_in_a_page_what_was_pasted_is_listed_and_answered(tmp_path: Path, club: Path) -> None:
    """A page looks into no folder: whatever brings a seek is taken in as a turn is."""
    seek = sought(club, tmp_path / "Ann")
    table = in_page(tmp_path)
    assert b"/find" in table.answer(PageRequest("GET", "/")).body
    page = table.answer(PageRequest("GET", "/find", {"place": str(club)})).body
    assert hidden(page, "seek") == [] and b'name="place"' not in page
    for file in (*club.glob("seek-*"), club / "list"):
        if file.name == "list":
            file.write_bytes(f"#{link.seek_link('', seek.data)[1:]}".encode())
        assert b'"/find"' in taken_in(table, file.read_bytes()), file.name
        kept._FILE.write(table.games.home.folder, kept.KeptSeeks())
    taken_in(table, seek.data)
    (text,) = hidden(table.answer(PageRequest("GET", "/find")).body, "seek")
    made = table.answer(PageRequest("POST", "/find/answer", fields={"seek": text}))
    assert made.status == 303
    assert b"You answered it" in table.answer(PageRequest("GET", "/find")).body


def test_what_ends_a_seek_takes_it_off_the_page(tmp_path: Path, club: Path) -> None:
    seek = sought(club, tmp_path / "Ann")
    write.end(Home(tmp_path / "Ann"), seek, club)
    table = in_page(tmp_path)
    for file in sorted(club.glob("*.eml")):
        taken_in(table, file.read_bytes())
    page = table.answer(PageRequest("GET", "/find")).body
    assert hidden(page, "seek") == [] and b"Nobody seeks" in page


def test_what_is_kept_of_a_flood_is_bounded(tmp_path: Path, club: Path) -> None:
    """Thousands of seeks of one key push no other off, and what is no seek is not kept."""
    seek = sought(club, tmp_path / "Ann")
    cleo = Identity("Cleo", "cleo@example.org", seed_of("Cleo"))
    wish = replace(seek.wish, name="Cleo", mail="cleo@example.org")
    flood = b"".join(
        write_seek(wish, now(), sample(f"flood {number}"), cleo.public, cleo.sign).data
        for number in range(100)
    )
    table = in_page(tmp_path)
    taken_in(table, seek.data + flood + flood.replace(b"Cleo", b"Dora"))
    known = kept.kept(table.games.home).found
    assert len(known) == 1 + kept.MOST_OF_KEY and seek.data.decode() in known
    assert hidden(table.answer(PageRequest("GET", "/find")).body, "seek")[0]


def test_a_newcomer_looks_and_says_who_they_are_first(tmp_path: Path, club: Path) -> None:
    sought(club, tmp_path / "Ann")
    nobody = Reader(Home(tmp_path / "new"), tmp_path / "games")
    page = nobody.ask("GET", "/find", query=f"place={club}").body
    assert hidden(page, "seek") == [] and b'name="name"' in page
    form = {"game": "backgammon", "days": "7", "name": "Cleo", "mail": "cleo@example.org"}
    nobody.post("/find/seek", **form, languages="en")
    assert len(list((tmp_path / "games").glob("seek-*.toml"))) == 1
