"""The forms of what a home keeps and nobody can make anew, spelled out: from the first release on
every later program reads them."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from pbem.errors import Damaged
from pbem.fileformat.encoding import b64
from pbem.home import contacts, outbox, outside, place
from pbem.home.contacts import Contact
from pbem.home.home import Home
from pbem.home.memory import Memory
from pbem.home.outbox import Bounce, SentMail, SentTurn
from pbem.home.outside import BY_HAND, ON, Outside
from pbem.home.place import Place
from pbem.turn.draft_lines import Intent, TriedLines
from pbem.watch.news import NewsRecord
from tests.support.homes import key_of, make_home

GAME = "0123456789abcdef" * 2
DIGEST = hashlib.sha256(b"a turn file").hexdigest()


def test_name_place_and_contacts(tmp_path: Path) -> None:
    home = make_home(tmp_path / "home", "Ann")
    key = key_of("Ben")
    (home.folder / "player.toml").write_text('name = "Ann \\"the\\" A."\nmail = ""\n')
    assert (home.identity().name, home.identity().mail) == ('Ann "the" A.', "")
    (home.folder / "place.toml").write_text('machine = "ab"\nmoves = 2\nclosed = "2026-05-06"\n')
    assert place.read(home.folder) == Place("ab", 2, "2026-05-06", "")
    (home.folder / "contacts.toml").write_bytes(
        b'[[contact]]\nkey = "%s"\nname = "Ben"\nmail = "ben@example.org"\nmet = "2026-01-02"\n'
        b'compared = "2026-01-03"\ngames = [\n    "%s",\n]\n' % (b64(key).encode(), GAME.encode())
    )
    known = Contact(key, "Ben", "ben@example.org", "2026-01-02", "2026-01-03", (GAME,))
    assert contacts.read(home.folder) == {key: known}


def test_what_is_kept_outside_the_home(tmp_path: Path) -> None:
    public = make_home(tmp_path / "home", "Ann").identity().public
    folder = outside.make_folder(public)
    table = {
        "home": True,
        "notes": False,
        "games": {GAME: "by hand", "ff": "on"},
        "why": {GAME: "two versions"},
    }
    (folder / "automatic.json").write_text(json.dumps(table, indent=1))
    marks = {GAME: BY_HAND, "ff": ON}
    assert outside.read(public) == Outside(True, False, marks, {GAME: "two versions"})


def test_what_was_tried_in_a_game(tmp_path: Path) -> None:
    memory = Memory(Home(tmp_path), bytes.fromhex(GAME * 2))
    memory.folder.mkdir(parents=True)
    (memory.folder / "tried.json").write_text(
        '{\n "entry": 4,\n "chosen": "1a2b3c4d",\n "lines": [\n  {\n   "answers": [\n    "event'
        ' murad"\n   ],\n   "orders": [],\n   "message": "Hällo",\n   "draw": "",\n   "note": "",\n'
        '   "leave": "",\n   "grant": 0,\n   "name": "1a2b3c4d"\n  }\n ]\n}\n'
    )
    tried = TriedLines(memory, 4, []).read()
    assert tried is not None and tried.chosen == "1a2b3c4d"
    assert tried.lines == {"1a2b3c4d": Intent(("event murad",), message="Hällo")}


def test_what_was_sent_in_a_game(tmp_path: Path) -> None:
    (tmp_path / "outbox.json").write_text(
        f'{{"turns": [{{"number": 3, "file": "{DIGEST}", "to": ["ben@example.org"], "lacking":'
        ' {"cleo@example.org": "nobody here"}, "mails": [{"id": "<a@b>", "to":'
        ' ["ben@example.org"], "when": 1700000001.5, "automatic": true}], "bounces": [{"id":'
        ' "<a@b>", "to": "ben@example.org", "status": "5.1.1"}], "written": 1700000000.5,'
        ' "tries": 2, "again": 1700000600.0, "reminded": true}]}'
    )
    (turn,) = outbox.read(tmp_path)
    assert turn == SentTurn(
        3,
        DIGEST,
        ["ben@example.org"],
        {"cleo@example.org": "nobody here"},
        [SentMail("<a@b>", ["ben@example.org"], 1700000001.5, automatic=True)],
        [Bounce("<a@b>", "ben@example.org", "5.1.1")],
        written=1700000000.5,
        tries=2,
        again=1700000600.0,
        reminded=True,
    )


def test_what_was_told(tmp_path: Path) -> None:
    home = make_home(tmp_path / "home", "Ann")
    table = {
        "games": {GAME: ["0001-0123456789abcdef.toml"]},
        "problems": ["0123456789abcdef"],
        "rounds": ["ab"],
    }
    (home.make_folder("watch") / "told.json").write_text(json.dumps(table))
    assert NewsRecord(home).newest(GAME) == 1


@pytest.mark.parametrize("left_out", ["home", "notes", "games", "why"])
def test_switches_of_which_a_part_is_lost_are_not_taken_for_off(
    tmp_path: Path, left_out: str
) -> None:
    public = make_home(tmp_path / "home", "Ann").identity().public
    table = {"home": True, "notes": False, "games": {}, "why": {}}
    del table[left_out]
    (outside.make_folder(public) / "automatic.json").write_text(json.dumps(table))
    with pytest.raises(Damaged, match=r"automatic\.json"):
        outside.read(public)


@pytest.mark.parametrize(
    "text", ["", 'machine = "ab"\n', "moves = 2\n", 'machine = "ab"\nmoves = "2"\n']
)
def test_a_place_of_which_a_part_is_lost_is_not_taken_for_open(tmp_path: Path, text: str) -> None:
    (tmp_path / "place.toml").write_text(text)
    with pytest.raises(Damaged) as caught:
        place.check_open(tmp_path)
    assert caught.value.where == str(tmp_path / "place.toml")
