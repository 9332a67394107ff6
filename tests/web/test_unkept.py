"""What is played in a page before anything is kept: a game against the rules begins at once,
without a name, and nothing is signed in it."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlencode

from pbem.fileformat import armor
from pbem.home import moving
from pbem.home.home import Home
from pbem.home.identity import UNNAMED
from pbem.table import shelf
from pbem.table.request import PageAnswer
from pbem.turn import joining
from pbem.turn.joining import NewGame
from pbem.web import door
from tests.support.homes import make_home
from tests.web.test_visit import page as page

SOLITAIRE = {"game": "tripoli-solitaire", "alone": "yes"}
WORDS = "correct horse"


def post(path: str, **fields: str) -> PageAnswer:
    return PageAnswer(*door.answer("POST", path, "", [], urlencode(fields).encode()))


def get(path: str) -> PageAnswer:
    return PageAnswer(*door.answer("GET", path, "", [], b""))


def begun() -> str:
    """A game that is played at once; the address of its page."""
    made = post("/unkept/new", **SOLITAIRE)
    assert made.status == 303, made.body[:300]
    return f"/unkept{made.headers['location']}"


def mark(text: str) -> str:
    (found,) = re.findall(r'data-mark="(\w+)"', text)[:1]
    return str(found)


def signed(page: Path) -> Mapping[str, bytes]:
    return {one.name: one.read_bytes() for one in page.rglob("signed/*.toml")}


def test_the_first_page_is_that_of_the_table(page: Path) -> None:
    shown, boxes = get("/unkept/").body.decode(), shelf.boxes(shelf.offers())
    for box in boxes:
        assert box.title in shown and f'data-src="/sample/{box.game}.svg"' in shown
        for game in (box.alone, box.friend):
            assert game is None or f'value="{game.game}"' in shown
    assert shown.count('data-action="alone"') == sum(box.alone is not None for box in boxes)
    assert 'data-watch="tripoli"' in shown and 'id="take-file"' in shown and "<svg" not in shown
    assert 'data-put="bring-home"' in shown and 'id="name"' not in shown
    assert [one for one in page.rglob("*") if one.is_file()] == []


def test_a_game_against_the_rules_is_played_at_once_and_nothing_is_signed_in_it(page: Path) -> None:
    path = begun()
    home, first = Home(page / "home"), signed(page)
    assert home.identity().name == UNNAMED and list(first) == ["0000.toml"]
    shown = get(path).body.decode()
    assert 'data-turn="yours"' in shown and 'id="message"' in shown
    for _ in range(30):
        if not (answers := re.findall(r'data-answer="([^"]*)"', shown)):
            break
        shown = post(f"{path}/do", mark=mark(shown), answer=html.unescape(answers[0])).body.decode()
    assert 'data-action="sign"' in shown
    for name in ("sign", "resign", "join", "send", "sent"):
        assert post(f"{path}/do", mark=mark(shown), **{name: "yes"}).status == 404, name
        both = {"answer": "x", name: "yes"}
        assert post(f"{path}/do", mark=mark(shown), **both).status == 404, name
    assert signed(page) == first
    post("/web/introduce", name="Ann", mail="")
    assert home.identity().name == "Ann"
    (again,) = re.findall(r'name="mark" value="(\w+)"', get(path).body.decode())[:1]
    kept = post(f"{path.removeprefix('/unkept')}/do", mark=again, sign="yes")
    assert kept.status == 200 and set(signed(page)) == {"0000.toml", "0001.toml"}


def test_nothing_that_others_get_is_begun_before_the_home_is_kept(page: Path) -> None:
    for fields in (
        {"game": "backgammon"},
        {**SOLITAIRE, "game": "backgammon", "opponents": ""},
        {**SOLITAIRE, "tripoli-solitaire.witness": "x"},
        {"game": "tripoli-solitaire"},
    ):
        assert post("/unkept/new", **fields).status == 404, fields
    path = begun()
    for form in ("/name", "/clock", "/web/backup", f"{path[7:]}/rematch"):
        assert post(f"/unkept{form}", game="backgammon").status == 404, form
    for beside in ("/file/x.toml", "/replay.html", "/with/0/0"):
        assert get(path + beside).status == 404, beside
    for elsewhere in ("/watch/tripoli", "/came", "/static/table.js", "/web/out"):
        assert get(f"/unkept{elsewhere}").status == 404, elsewhere
    taken = PageAnswer(*door.answer("POST", "/unkept/take", "with=x&name=a.png", [], b"\xff\0"))
    assert taken.status == 400 and "sign" in json.loads(taken.body)["error"]
    assert list(signed(page)) == ["0000.toml"]


def test_only_what_is_played_alone_is_begun_with_the_field_that_says_so(page: Path) -> None:
    made = post("/unkept/new", game="backgammon", alone="yes")
    assert made.status != 303 and not Home(page / "home").has_identity()


def packed(folder: Path) -> str:
    home = make_home(folder / "ann", "Ann")
    joining.invite(home, NewGame("backgammon"))
    return armor.wrap_home(moving.pack_backup(home, WORDS))


def test_a_home_that_is_brought_takes_the_place_of_what_is_not_kept(
    tmp_path: Path, page: Path
) -> None:
    path, before = begun(), signed(page)
    pack = packed(tmp_path)
    assert post("/web/open", file=pack, passphrase="wrong", unkept="yes").status == 400
    assert signed(page) == before and b'data-turn="yours"' in get(path).body
    assert post("/web/open", file=pack, passphrase=WORDS).status == 400, "somebody plays here"
    facts = json.loads(post("/web/open", file=pack, passphrase=WORDS, unkept="yes").body)
    assert facts["name"] == "Ann" and signed(page) != before
    assert sorted(one.name for one in page.iterdir()) == ["home", "out", "state"]
