"""What a page shows to somebody without a home: an invitation that holds, and a sample of which
nothing stays, goes out or is signed."""

from __future__ import annotations

import base64
import json
import os
import random
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlencode

import pytest

from pbem import files
from pbem.fileformat import armor, link, turnfile
from pbem.fileformat.encoding import b64
from pbem.games import registry
from pbem.home.home import Home
from pbem.mail import compose
from pbem.table.request import PageAnswer
from pbem.turn import joining, open_game
from pbem.turn.joining import NewGame
from pbem.web import door, visit
from tests.support.golden_words import Golden
from tests.support.homes import make_home

ADDRESS = "https://ann.example.org/pbem/"


@pytest.fixture(autouse=True)
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A page whose storage is this folder."""
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "page" / "home"))
    monkeypatch.setenv("PBEM_STATE", str(tmp_path / "page" / "state"))
    monkeypatch.setattr(door, "WRITTEN", tmp_path / "page" / "out")
    monkeypatch.setattr(door, "_tables", {})
    monkeypatch.setattr(visit, "_visits", [])
    monkeypatch.chdir(tmp_path)
    return tmp_path / "page"


def post(path: str, body: bytes = b"", /, **fields: str) -> PageAnswer:
    return PageAnswer(*door.answer("POST", path, "", [], body or urlencode(fields).encode()))


def get(path: str) -> PageAnswer:
    return PageAnswer(*door.answer("GET", path, "", [], b""))


def look(data: bytes) -> PageAnswer:
    return post("/web/look", fragment=link.join_link(ADDRESS, data).partition("#")[2])


def invitation(folder: Path, game: str = "backgammon", name: str = "Ann") -> bytes:
    return joining.invite(make_home(folder / name, name), NewGame(game))


def error(answer: PageAnswer) -> str:
    assert answer.status == 400, answer.body[:300]
    return str(json.loads(answer.body)["error"])


def files_of(page: Path) -> Mapping[Path, bytes]:
    return {one: one.read_bytes() for one in page.rglob("*") if one.is_file()}


@pytest.mark.parametrize("game", ["backgammon", "tripoli"])
def test_an_invitation_is_shown_as_it_was_verified(tmp_path: Path, page: Path, game: str) -> None:
    data = invitation(tmp_path, game)
    before = files_of(page)
    shown = look(data).body.decode()
    title = registry.newest(game).title
    assert re.search(f"<h1>Ann .* {title}</h1>", shown)
    assert "<svg" in shown and "How to win:" in shown and f'data-try="{game}"' in shown
    assert "ingerprint" not in shown and "urn 0" not in shown and "<input" not in shown
    style = re.search(r'data-href="(/style/[^"]+)"', shown)
    assert style is not None and get(f"/visit{style[1]}").status == 200
    assert files_of(page) == before


def test_a_name_cannot_be_more_than_a_name(tmp_path: Path) -> None:
    shown = look(invitation(tmp_path, name='<b onclick="x">Ann & Co')).body.decode()
    assert "&lt;b onclick" in shown and "<b onclick" not in shown


def test_what_does_not_hold_is_refused_and_shows_no_name(tmp_path: Path) -> None:
    data = invitation(tmp_path)
    changed = {
        "a name": data.replace(b'name = "Ann"', b'name = "Bob"'),
        "the game": data.replace(b'game = "backgammon"', b'game = "tripoli"'),
        "a seat": data.replace(b'"white"', b'"black"', 1),
        "a signature": re.sub(rb'ed25519 = "..', b'ed25519 = "AA', data),
        "cut off": data[:-30],
        "an unknown game": data.replace(b'game = "backgammon"', b'game = "chess"'),
    }
    for what, one in changed.items():
        assert one != data, what
        said = error(look(one))
        assert said and "Ann" not in said and "Bob" not in said, what
    for fragment in ("", "join=", "join=1", "join=2AAAA", "turn=1AAAA", "x", "join=1" + "A" * 7000):
        assert error(post("/web/look", fragment=fragment))
    bomb = base64.urlsafe_b64encode(link._pack(b'format = "pbem/1"\n' + b"\n" * 900_000)).decode()
    assert "damaged" in error(post("/web/look", fragment=f"join=1{bomb.rstrip('=')}"))
    assert visit._visits == [] or get("/visit/game/backgammon-00").status == 404


def test_an_invitation_is_looked_at_in_a_file_and_in_a_mail(tmp_path: Path) -> None:
    data = invitation(tmp_path, "loot")
    mail = compose.turn_mail(turnfile.read(data), "turn.toml")
    assert mail is not None
    for text in (data.decode(), armor.wrap(data), mail.decode()):
        shown = post("/web/look", file=text)
        assert shown.status == 200 and b"Ann invites you to Loot" in shown.body
    changed = data.replace(b'name = "Ann"', b'name = "Bob"')
    for text in ("holiday", changed.decode(), data.decode() * 2, "\udcff"):
        assert "Bob" not in error(post("/web/look", file=text.encode(errors="replace").decode()))
    assert post("/web/look", file="a" * 500_000).status == 413


def test_a_game_whose_seats_are_taken_is_refused(tmp_path: Path, golden: Golden) -> None:
    ben = make_home(tmp_path / "ben", "Ben")
    data = joining.join(open_game.open_file(invitation(tmp_path), ben), ben)
    golden(error(look(data)))


def test_a_seat_that_is_kept_for_a_key_says_so(tmp_path: Path, golden: Golden) -> None:
    ann, ben = make_home(tmp_path / "ann", "Ann"), make_home(tmp_path / "ben", "Ben")
    key = b64(ben.identity().public)
    data = joining.invite(ann, NewGame("backgammon", opponents=[key]))
    (kept,) = re.findall(r"[^<>]* kept for [^<>]*", look(data).body.decode())
    golden(kept)
    assert kept not in look(invitation(tmp_path, name="Cleo")).body.decode()


def test_a_finished_game_that_came_with_the_page_is_checked_and_watched(page: Path) -> None:
    facts = json.loads(post("/web/watch", game="tripoli").body)
    assert facts["turns"] == 63
    path = f"/visit/game/{facts['page']}"
    shown = get(f"{path}/entry/1").body.decode()
    assert 'data-last="62"' in shown and 'data-film="film?whole=yes"' in shown
    assert get(f"{path}/film").status == 200
    for beside in ("/preview", "/replay.html", f"/file/{facts['page']}.toml"):
        assert get(path + beside).status == 404, beside
    assert post(f"{path}/do", sign="yes").status == 404
    post("/web/leave")
    assert get(path).status == 404 and files_of(page) == {}
    for game in ("chess", "", "loot", "../tripoli"):
        assert error(post("/web/watch", game=game))


def mark(text: str) -> str:
    found = re.search(r'data-mark="(\w+)"', text)
    assert found is not None
    return found[1]


@pytest.mark.parametrize(
    ("game", "seat"),
    [
        ("backgammon", "black"), ("tripoli", "tripolitan"), ("paradise", ""), ("loot", "2"),
        ("tripoli-solitaire", ""),
    ],
)  # fmt: skip
def test_a_sample_is_tried_and_nothing_of_it_stays(page: Path, game: str, seat: str) -> None:
    made = json.loads(post("/web/try", game=game, seat=seat).body)["page"]
    path = f"/visit/game/{made}"
    shown = get(path).body.decode()
    assert 'data-turn="yours"' in shown and "A sample" in shown
    for kept in ('name="sign"', 'name="preview"', 'name="resign"', 'id="message"', 'id="note"'):
        assert kept not in shown, kept
    answers = re.findall(r'data-answer="([^"]*)"', shown)
    assert len(answers) > 1
    after = post(f"{path}/do", mark=mark(shown), answer=answers[1]).body.decode()
    assert mark(after) != mark(shown)
    folder = visit._visits[0].folder
    assert folder.is_dir() and page not in folder.parents
    assert files_of(page) == {}, "neither a home nor a note beside it"
    assert post("/web/leave").status == 200
    assert not folder.exists() and get(path).status == 404
    assert files_of(page) == {}


def test_nothing_of_a_sample_is_signed_or_given_away(page: Path, golden: Golden) -> None:
    made = json.loads(post("/web/try", game="backgammon", seat="white").body)["page"]
    path = f"/visit/game/{made}"
    shown = get(path).body.decode()
    home = Home(visit._visits[0].home.folder)
    before = _newest(home)
    while answers := re.findall(r'data-answer="([^"]*)"', shown):
        shown = post(f"{path}/do", mark=mark(shown), answer=answers[0]).body.decode()
    golden(*re.findall(r"[^<>]*Here you[^<>]*", shown))
    for name in ("sign", "resign", "send", "sent", "join", "preview", "say", "message", "note"):
        tried = {name: "yes", "answer": "x"}
        assert post(f"{path}/do", mark=mark(shown), **tried).status == 404, name
    for beside in ("/preview", f"/file/{made}.toml", "/replay.html", "/board.svg"):
        assert get(path + beside).status == 404, beside
    for elsewhere in ("/", "/static/table.js", "/web/out", "/web/backup"):
        assert get(f"/visit{elsewhere}").status == 404, elsewhere
    for form in ("/new", "/name", "/clock", f"/game/{made}/rematch", f"/game/{made}/remember"):
        assert post(f"/visit{form}", game="backgammon").status == 404, form
    golden(error(post("/visit/take", b"a letter")))
    assert _newest(home) == before
    assert files_of(page) == {}


def _newest(home: Home) -> bytes:
    return max(
        home.folder.glob("games/*/*/*.toml"), key=lambda one: one.stat().st_size
    ).read_bytes()


def test_a_sample_does_not_reach_the_home_that_is_open(page: Path) -> None:
    post("/web/introduce", name="Ben", mail="")
    before = files_of(page)
    made = json.loads(post("/web/try", game="backgammon", seat="white").body)["page"]
    assert f"/game/{made}" not in get("/").body.decode()
    assert get(f"/game/{made}").status == 404, "it is no game of the home"
    assert post("/web/out", game=made).status == 400
    assert {one: data for one, data in files_of(page).items() if one in before} == before
    assert os.environ["PBEM_STATE"] == str(page / "state")


def test_only_a_game_that_is_here_is_tried(golden: Golden) -> None:
    for game in ("chess", "", "../tripoli"):
        golden(error(post("/web/try", game=game)))


def test_nothing_that_was_drawn_before_a_picture_of_memory_comes_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As where a page puts a picture back: the same state of `random` and the same next name."""
    made: list[str] = []
    monkeypatch.setattr(Home, "create", lambda *given: made.append(given[3].hex()))
    visit.rehearse()
    assert made == ["00" * 32], "a key that everybody knows"
    drawn = set()
    for _ in range(2):
        random.seed(7)
        names = tempfile._RandomNameSequence()
        vars(names).update(_rng=random.Random(7), _rng_pid=os.getpid())
        monkeypatch.setattr(tempfile, "_name_sequence", names)
        visit.awake()
        with files.private_folder() as folder:
            drawn.add((random.random(), folder.name))
    assert len({number for number, _ in drawn}) == len({name for _, name in drawn}) == 2
