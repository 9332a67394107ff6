"""Boards of seeks, kept by somebody who means no good, and seeks by somebody who means none
(docs/trust.md, "Strangers")."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pbem.errors import Refused
from pbem.home.contacts import Contact
from pbem.home.home import Home
from pbem.home.identity import Identity
from pbem.seek import answer, find_seeks, list_file, report
from pbem.seek.board import MOST_LISTED, REASONS, Board, Reader, look_over
from pbem.seek.find_seeks import Piece, in_list, seeks_in
from pbem.seek.seek_file import Seek, Wish, write_seek, write_taken
from tests.support.effort import processor_seconds
from tests.support.homes import make_home, seed_of
from tests.vectors.make import sample
from tests.vectors.make_seeks import changed

DATE, UNTIL, NOW = "2026-11-21T09:30:00Z", "2026-12-05T09:30:00Z", "2026-11-22T09:30:00Z"
ANN = Identity("Ann", "ann@example.org", seed_of("Ann"))
WISH = Wish("backgammon", 2, "Ann", UNTIL, mail="ann@example.org")


def person(number: int) -> Identity:
    return Identity(f"Player {number}", f"p{number}@example.org", sample(f"seed {number}"))


def by(who: Identity, number: int = 0, date: str = DATE, **says: Any) -> Seek:
    """A seek of somebody; its nonce follows from the number."""
    wish = replace(WISH, name=who.name, mail=who.mail)
    return write_seek(replace(wish, **says), date, sample(f"nonce {number}"), who.public, who.sign)


def seen(seeks: Sequence[bytes], reader: Reader = Reader(), now: str = NOW) -> Board:  # noqa: B008
    return look_over((Piece("board", one) for one in seeks), reader, now)


def left_out(board: Board) -> dict[str, int]:
    return {reason: count for reason, count in board.left_out.items() if count}


def test_each_reason_is_told_apart() -> None:
    cleo = person(1)
    taken = by(ANN, 1)
    pieces = [
        by(ANN, 0, until="2026-11-22T09:30:00Z").data,
        by(ANN, 0, "2026-11-24T09:30:01Z").data,
        taken.data,
        write_taken(taken, DATE, ANN.sign).data,
        by(ANN, 2).data.replace(b'"Ann"', b'"Anm"'),
        b'format = "pbem-seek/1"\n',
        by(person(2)).data,
        by(cleo).data,
        by(ANN, 3, game="loot", rules=1).data,
        by(ANN, 4).data,
    ]
    reader = Reader(person(2).public, ignored=[cleo.public], games=["backgammon"])
    board = seen(pieces, reader)
    assert [one.seek for one in board.seeks] == [by(ANN, 4)]
    others = dict.fromkeys(REASONS, 1) | {"crowded": 0}
    assert board.left_out == others


def test_a_seek_is_not_shown_again_after_its_end() -> None:
    data = by(ANN).data
    assert len(seen([data], now="2026-12-05T09:29:59Z").seeks) == 1
    assert left_out(seen([data], now=UNTIL)) == {"expired": 1}


def test_an_old_seek_is_not_answered(tmp_path: Path) -> None:
    home = make_home(tmp_path, "Ben")
    with pytest.raises(Refused):
        answer.invitation(home, by(ANN), "", UNTIL)
    with pytest.raises(Refused):
        answer.invitation(home, by(ANN, 0, "2026-11-24T09:30:00Z"), "", NOW)
    assert not (tmp_path / "games").exists()


def test_a_seek_does_not_answer_itself(tmp_path: Path) -> None:
    home = make_home(tmp_path, "Ann")
    own = home.identity()
    with pytest.raises(Refused):
        answer.invitation(home, by(own), "", NOW)
    assert left_out(seen([by(own).data], Reader(own.public))) == {"own": 1}


def test_only_its_own_key_ends_a_seek() -> None:
    one, cleo = by(ANN), person(1)
    forged = write_taken(replace(one, key=cleo.public), DATE, cleo.sign)
    board = seen([forged.data, one.data])
    assert [found.seek for found in board.seeks] == [one]
    assert left_out(board) == {}


@pytest.mark.dear("signs ten thousand files")
def test_ten_thousand_seeks_of_one_key() -> None:
    """The newest three are listed, and the others of the board with them."""
    many = [
        by(ANN, number, f"2026-11-21T{number // 600:02}:{number // 10 % 60:02}:00Z").data
        for number in range(10_000)
    ]
    many.append(by(person(1)).data)
    boards: list[Board] = []
    assert processor_seconds(lambda: boards.append(seen(many))) < 60
    (board,) = boards
    assert left_out(board) == {"crowded": 9_997}
    assert sorted(one.seek.key == ANN.public for one in board.seeks) == [False, True, True, True]
    assert (
        min(one.seek.date for one in board.seeks if one.seek.key == ANN.public)
        >= "2026-11-21T16:39:00Z"
    )


def test_many_keys_of_one_address() -> None:
    """Of the keys those are listed that one has played with, then those that were there first:
    later ones push nobody off the board."""
    genuine, known = by(ANN, 0, "2026-11-21T09:00:00Z"), by(person(500), mail="ann@example.org")
    flood = [by(person(number), mail="ANN@example.org").data for number in range(200)]
    contact = Contact(person(500).public, "Player 500")
    board = seen([*flood, genuine.data, known.data], Reader(known={contact.key: contact}))
    listed = {one.seek.key for one in board.seeks}
    assert len(listed) == 3 and {ANN.public, person(500).public} < listed
    assert left_out(board) == {"crowded": 199}


@pytest.mark.dear("signs ten thousand files")
def test_ten_thousand_keys_of_one_address() -> None:
    """Of all of them three are listed, and whoever else seeks something stands beside them."""
    genuine = by(person(20_000), 0, "2026-11-21T09:00:00Z")
    flood = [
        by(person(number), mail="ann@example.org", date="2026-11-21T08:00:00Z").data
        for number in range(10_000)
    ]
    boards: list[Board] = []
    assert processor_seconds(lambda: boards.append(seen([*flood, genuine.data]))) < 60
    (board,) = boards
    assert left_out(board) == {"crowded": 9_997}
    assert len(board.seeks) == 4 and genuine in [one.seek for one in board.seeks]


def test_many_keys_of_many_addresses() -> None:
    """Nobody can tell them from people; whom one knows stands first all the same, and the list
    ends."""
    flood = [by(person(number)).data for number in range(300)]
    old = by(ANN, 0, "2026-11-10T09:30:00Z", until="2026-12-01T09:30:00Z")
    board = seen([*flood, old.data], Reader(known={ANN.public: Contact(ANN.public, "Ann")}))
    assert board.seeks[0].seek == old
    assert len(board.seeks) == MOST_LISTED and board.more == 301 - MOST_LISTED


def test_what_fits_comes_first() -> None:
    other, german, fits = person(1), person(2), person(3)
    pieces = [
        by(other, game="chess", rules=1).data,
        by(german, languages=("de",)).data,
        by(fits, languages=("en",), date="2026-11-20T09:30:00Z").data,
    ]
    board = seen(pieces, Reader(languages=["en-gb"]))
    assert board.seeks[0].seek.key == fits.public and not board.seeks[0].why_not
    assert [bool(one.why_not) for one in board.seeks] == [False, True, True]


def test_games_that_cannot_be_begun_here_say_why() -> None:
    why = [
        answer.why_not(replace(WISH, game="no-such-game")),
        answer.why_not(replace(WISH, rules=99)),
        answer.why_not(replace(WISH, options=("no-such-option",))),
        answer.why_not(replace(WISH, seat="nobody")),
        answer.why_not(replace(WISH, game="loot", rules=1, options=("players 3",))),
        answer.why_not(replace(WISH, game="tripoli-solitaire", rules=1)),
    ]
    assert all(why) and not answer.why_not(WISH)


NASTY = (
    "\x1b]8;;https://evil.example/\x07Ann",
    "Ann\u202eevil",
    "Ann\u200b",
    "www.evil.example/x",
    "<a href='https://evil.example'>Ann</a>",
    "Ann\nBen",
)


@pytest.mark.parametrize("name", NASTY)
def test_a_name_that_does_more_than_name(name: str) -> None:
    """Control characters, links and what turns text round stand in no name of a seek."""
    text = json.dumps(name, ensure_ascii=False)[1:-1]
    data = by(ANN).data.decode().replace('name = "Ann"', f'name = "{text}"').encode()
    assert left_out(seen([data])) in ({"damaged": 1}, {"forged": 1})


def test_words_of_strangers_are_only_words(tmp_path: Path) -> None:
    """A message may hold a link or marks; a terminal gets no control character, and no mark that a
    mail would be read by."""
    message = 'https://evil.example\n-----BEGIN PBEM TURN-----\nformat = "pbem/1"'
    board = seen([by(ANN, message=message, chat="-----BEGIN PBEM SEEK-----").data])
    facts = report.board_facts(board, Home(tmp_path), None, {})
    said = report.in_words(facts, NOW, "pbem seeks club")
    assert "PBEM" not in said and "-----" not in said and "\x1b" not in said
    assert 'format = "pbem/' not in said


def test_a_list_and_a_text_hold_many() -> None:
    made = [by(person(number)) for number in range(3)]
    texts = [one.data.decode() for one in made]
    as_list = json.dumps({"about": ["a club"], "seeks": texts}).encode()
    as_text = "\n".join(["Our board", *texts, "the end"]).encode()
    for data in (as_list, as_text, as_text.replace(b"\n", b"\r\n")):
        assert {one.seek for one in seen([*seeks_in(data)]).seeks} == set(made)
    assert seen([*seeks_in(b"".join(text.encode() for text in texts))]).seeks


@pytest.mark.parametrize(
    "data",
    [
        b"{" * 100_000,
        b'{"seeks": 5}',
        b'{"seeks": [5]}',
        b'{"seeks": ["\\ud800"]}',
        b'{"seeks": ' + b"[" * 200_000,
        b'{"seeks": [' + b'"",' * 500_000 + b'""]}',
        b'{"seeks": ["' + b"A" * 5_000_000 + b'"]}',
        b'{"seeks": [], "seeks": [null]}',
        b'{"seeks": {"0": "x"}}',
        b"\xef\xbb\xbf{}",
        b"",
        b"\0" * 1000,
        b'format = "pbem-seek/1"\n' * 50_000,
        b"-----BEGIN PBEM SEEK-----\n" * 10_000,
        b"-----BEGIN PBEM SEEK-----\n!!!!\n-----END PBEM SEEK-----\n",
    ],
)
def test_hostile_bytes(data: bytes) -> None:
    boards: list[Board] = []
    assert processor_seconds(lambda: boards.append(seen([*seeks_in(data)]))) < 30
    assert [board.seeks for board in boards] == [[]]


def test_a_list_of_changed_seeks_shows_those_alone_that_their_authors_wrote() -> None:
    """A list beside a page, `seeks.json`, is anybody's file: its seeks may be changed, and so may
    the list itself, at any byte. Nothing is shown that nobody signed, and nothing breaks."""
    made = [by(person(number)) for number in range(4)]
    rng, texts = random.Random("changed lists"), [one.data.decode() for one in made]
    spoiled = [changed(made[n % 4].data, rng)[1].decode("utf-8", "replace") for n in range(400)]
    board = seen([*in_list(json.dumps({"seeks": [*spoiled, *texts]}).encode())])
    assert {one.seek for one in board.seeks} == set(made)
    assert {"damaged", "forged"} <= left_out(board).keys()
    whole, shown = json.dumps({"about": {"a": [1]}, "seeks": texts}).encode(), 0
    for _ in range(1500):
        data = whole
        for _ in range(rng.randint(1, 4)):
            data = changed(data, rng)[1] or b"{"
        found = {one.seek for one in seen([*seeks_in(data)]).seeks}
        assert found <= set(made)
        shown += len(found)
    assert shown > 500, "most of these lists are read, and seeks beside a changed one are shown"


def test_a_folder_is_read_up_to_a_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find_seeks, "MOST", 5)
    for number in range(8):
        (tmp_path / f"{number}.toml").write_bytes(by(person(number)).data)
    board = look_over(find_seeks.look(tmp_path), Reader(), NOW)
    assert len(board.seeks) == 5 and len(board.problems) == 1


def test_what_is_no_file_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "seek.toml").write_bytes(by(ANN).data)
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "gone.toml").symlink_to(tmp_path / "nowhere")
    (tmp_path / "huge.toml").touch()
    with (tmp_path / "huge.toml").open("r+b") as file:
        file.truncate(30_000_000)
    board = look_over(find_seeks.look(tmp_path), Reader(), NOW)
    assert len(board.seeks) == 1 and len(board.problems) == 1


def test_a_list_that_grows_too_long_is_cut_and_can_be_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(list_file, "LARGEST", 3_000)
    pieces = [Piece("board", by(person(number)).data) for number in range(9)]
    target = tmp_path / "seeks.json"
    board = list_file.write(pieces, NOW, target)
    assert 0 < len(board.seeks) < 9 and board.more == 9 - len(board.seeks)
    assert target.stat().st_size < 3_100
    listed = seen([*seeks_in(target.read_bytes())])
    assert {one.seek for one in listed.seeks} == {one.seek for one in board.seeks}
    target.write_bytes(target.read_bytes() + b" " * 30_000_000)
    assert list_file.write(pieces[:1], NOW, target).more == 0
