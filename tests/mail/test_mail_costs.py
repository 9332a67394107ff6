"""What a hostile mail costs: memory and work in proportion to its size, and never the run
(tests/bench/hostile_mail.py prints the seconds)."""

from __future__ import annotations

import html
import random
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.fileformat import armor
from pbem.mail import bounded_mime, find_turns, unpack
from pbem.mail.unread_forms import Budget
from pbem.turn import inbox
from tests.support.hostile_mails import MAILS, text_part, zipped
from tests.support.mail_kit import Played, mail_of, make_home

ROOT = Path(__file__).parents[2]
DEAREST = (
    "blanks in armor, 14 MB",
    "tags",
    "entities",
    "carriage returns",
    "a zip of much",
    "two long turns",
)


@pytest.mark.dear("reads floods")
@pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="the most memory of a process is read from /proc"
)
def test_a_mail_of_25_mb_takes_150_mb_at_most(tmp_path: Path) -> None:
    paths = []
    for number, name in enumerate(DEAREST):
        paths.append(tmp_path / f"{number}.eml")
        paths[-1].write_bytes(MAILS[name]())
    command = [sys.executable, "-m", "tests.support.read_a_mail", *map(str, paths)]
    done = subprocess.run(command, capture_output=True, check=True, cwd=ROOT, text=True)
    told = [line.split() for line in done.stdout.splitlines()]
    assert len(told) == len(DEAREST)
    assert all(int(number) > 0 for number, _, _ in told)
    assert int(told[-1][1]) < 150_000


def test_no_mail_is_opened_without_end() -> None:
    for name in ("parts", "delimiters of others", "many uuencoded", "parts in parts"):
        budget = Budget()
        assert (
            len(list(bounded_mime.contents(MAILS[name]()[:2_000_000], budget)))
            <= 2 * Budget.parts + 1
        ), name


def test_tags_are_taken_out_of_so_much_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    ours = html.unescape
    monkeypatch.setattr(unpack.html, "unescape", lambda text: read.append(len(text)) or ours(text))
    for name in ("tags", "entities", "unclosed tags"):
        read.clear()
        list(bounded_mime.contents(MAILS[name]()[:6_000_000]))
        assert sum(read) <= Budget.markup + 10_000, name
        assert max(read) <= 40_000, name


def test_a_zip_is_opened_to_a_size() -> None:
    budget = Budget()
    assert list(unpack.files_in(zipped(b" " * 50_000_000), budget)) == []
    assert list(unpack.files_in(zipped(b" " * 1_000_000, 50), Budget())) == [b" " * 1_000_000] * 8
    assert list(unpack.files_in(zipped(b"x", 300), Budget())) == []  # too long a list
    for damaged in (
        zipped(b"x" * 99)[:60],
        zipped(b"x" * 99)[:-1],
        b"PK\x03\x04" * 30,
        b"PK\x03\x04",
    ):
        assert list(unpack.files_in(damaged, Budget())) == []


def test_armors_are_read_to_a_size() -> None:
    text = (armor.BEGIN + "\n" + "A" * 1_500_000 + "\n" + armor.END + "\n").encode() * 4
    found = list(find_turns.turns_in(text_part() + text, "here"))
    assert "too long" in found[-1].problem


@pytest.mark.parametrize("error", [MemoryError, RecursionError])
def test_a_mail_that_cannot_be_read_costs_one_line(
    played: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    ours = bounded_mime.contents

    def contents(data: bytes, budget: Budget) -> object:
        if b"greedy" in data:
            raise error
        return ours(data, budget)

    monkeypatch.setattr(bounded_mime, "contents", contents)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "1.eml").write_bytes(b"Subject: greedy\n\nx\n")
    (tmp_path / "in" / "2.eml").write_bytes(mail_of(played.files[0]))
    box = inbox.Inbox(make_home(tmp_path / "eve", "Eve", ""))
    box.take_from(tmp_path / "in", "")
    assert [item.kind for item in box.items] == ["invalid", "new"]


def test_a_turn_too_large_for_the_memory_costs_one_line(
    played: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def replay(_file: object, _verifier: object) -> None:
        raise MemoryError

    monkeypatch.setattr(inbox.gate, "replay", replay)
    box = inbox.Inbox(make_home(tmp_path / "eve", "Eve", ""))
    box.take([find_turns.Found("here", played.newest)])
    assert [(item.kind, item.reason) for item in box.items] == [("invalid", find_turns.TOO_MUCH)]


def test_noise_is_read_without_a_word(played: Played) -> None:
    """Bytes of any kind around and in a mail: nothing but findings comes of it."""
    dice = random.Random(1)
    mail = mail_of(played.newest)
    for _ in range(300):
        bent = bytearray(mail)
        for _ in range(dice.randrange(1, 40)):
            place = dice.randrange(len(bent))
            bent[place : place + dice.randrange(3)] = dice.randbytes(dice.randrange(3))
        list(find_turns.turns_in(bytes(bent[dice.randrange(200) :]), "here"))
