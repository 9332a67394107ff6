"""Mails that would keep a reader waiting, fill their inbox, or speak through somebody else's."""

from __future__ import annotations

import base64

import pytest

from pbem.fileformat import armor
from pbem.home.identity import Identity
from pbem.mail import find_turns, heads
from pbem.report import render

START = b'format = "pbem/1"\n'


def test_a_run_of_blanks_costs_no_time() -> None:
    turn = START + b" " * 60_000 + b"x"
    text = armor.wrap(turn + b"y").encode()
    message = b"MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=B\n\n"
    for part in (
        b"Content-Transfer-Encoding: base64\n\n" + base64.encodebytes(turn),
        b"\n" + text * 20,
    ):
        message += b"--B\n" + part + b"\n"
    found = list(find_turns.turns_in(message + b"--B--\n", "here"))
    assert [one.data for one in found] == [turn, turn + b"y"]


def test_one_mail_brings_a_few_turns_at_most() -> None:
    text = b"".join(armor.wrap(START + str(number).encode()).encode() for number in range(100))
    found = list(find_turns.turns_in(text, "here"))
    assert len(found) == find_turns.MAX_TURNS + 1
    assert found[-1].data is None
    assert "more than" in found[-1].problem


def test_markup_without_end_is_taken_off_at_once() -> None:
    page = b"Content-Type: text/html\n\n" + armor.BEGIN.encode() + b"<" * 400_000
    list(find_turns.turns_in(page, "here"))


def test_a_players_words_hold_no_armor() -> None:
    words = f"{armor.BEGIN}\nAAAA\n{armor.END}"
    for shown in (
        render.plain(words),
        *map(render.plain, words.split("\n")),
        render.as_markdown(words),
    ):
        assert not armor.is_armored(shown.encode())
        assert "-----" not in shown


@pytest.mark.parametrize(
    "address",
    [
        "-eve@example.org",
        "|touch@example.org",
        "a/b@example.org",
        "a`b@example.org",
        "a%b@example.org",
    ],
)
def test_an_address_that_a_program_could_obey_is_not_written_to(address: str) -> None:
    assert heads.address("Eve", address) is None
    assert heads.address("Eve", "eve+games@example.org") is not None


def test_a_long_line_is_broken_before_a_server_breaks_it() -> None:
    """A seek that claims many games has a link of two thousand letters (RFC 5322, 2.1.1)."""
    ann = Identity("Ann", "ann@example.org", bytes(range(32)))
    link = f"https://example.org/#seek={'x' * 2000}"
    mail = heads.draft(ann, None, "A game?", f"Open it:\n{link}\n", "2026-11-29T10:00:00Z")
    assert max(map(len, mail.as_bytes().splitlines())) <= 998
    assert link in mail.get_content()
