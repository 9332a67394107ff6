"""The armored form survives what mail programs do to text (docs/format.md, section 10)."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.errors import Malformed, PbemError
from pbem.fileformat import armor, turnfile
from pbem.turn import named_file, open_game
from tests.support.effort import processor_seconds
from tests.support.players import Pair


def quoted(text: str, mark: str) -> str:
    return "".join(f"{mark}{line}\n" for line in text.splitlines())


def wrapped(text: str, width: int) -> str:
    lines = []
    for line in text.splitlines():
        whole = line.startswith("-----")
        lines += (
            [line]
            if whole
            else [line[place : place + width] for place in range(0, len(line), width)]
        )
    return "\n".join(lines) + "\n"


@given(
    st.binary(max_size=500),
    st.sampled_from(["", "> ", ">> ", "| ", "    ", "\t", ">\u00a0"]),
    st.integers(5, 90),
)
def test_round_trip(data: bytes, mark: str, width: int) -> None:
    text = armor.wrap(data)
    assert armor.is_armored(text.encode())
    assert all(len(line) <= 64 for line in text.splitlines())
    mail = "Dear Ben,\n\n" + quoted(wrapped(text, width), mark) + "\n-- \nAnn\n"
    for sent in (
        text,
        mail,
        mail.replace("\n", "\r\n"),
        mail.replace("\n", "\n\n"),
        "\ufeff" + mail,
    ):
        assert armor.unwrap(sent.encode()) == data


@given(
    st.binary(min_size=1, max_size=200), st.integers(0, 10_000), st.sampled_from(list("=!*é\x00A"))
)
def test_damage_is_refused_or_seen_by_the_reader(data: bytes, place: int, new: str) -> None:
    text = armor.wrap(data)
    place %= len(text)
    bent = text[:place] + new + text[place + 1 :]
    try:
        found = armor.unwrap(bent.encode())
    except Malformed:
        return
    with pytest.raises(Malformed):
        turnfile.read(found)


def test_one_whole_turn_is_needed() -> None:
    text = armor.wrap(b"turn")
    cases = [
        (text.replace(armor.END, ""), "no end"),
        (text + text, "2 armored turns"),
        (armor.BEGIN, "no end"),
    ]
    cases += [(armor.END + "\n" + armor.BEGIN, "no end"), (text.replace("=", "!"), "damaged")]
    for bad, words in cases:
        with pytest.raises(Malformed, match=words):
            armor.unwrap(bad.encode())


def test_hostile_armor_is_refused_fast() -> None:
    begin = armor.BEGIN.encode()
    for data in (
        400_000 * begin,
        begin + 16_000_000 * b">",
        400_000 * (begin + b"\n") + armor.END.encode(),
    ):
        assert processor_seconds(partial(refuse, data)) < 10


def refuse(data: bytes) -> None:
    with pytest.raises(Malformed):
        turnfile.read(armor.unwrap(data))


def test_a_turn_file_in_a_mail(tmp_path: Path) -> None:
    pair = Pair(tmp_path, 81).play(4)
    mail = tmp_path / "mail.eml"
    mail.write_text(quoted(armor.wrap(pair.data), "> ").replace("\n", "\r\n"), newline="")
    assert named_file.find(mail).turn == pair.data
    assert open_game.open_file(named_file.find(mail).turn, None).file.data == pair.data


def test_a_message_about_armor_is_no_armor(tmp_path: Path) -> None:
    """A player who writes the words into their message must not make the file unreadable for the
    others."""
    pair = Pair(tmp_path, 82).play(3)
    pair.step(message=f"{armor.BEGIN} {armor.END}\n{armor.BEGIN}")
    path = tmp_path / "turn.toml"
    for data in (pair.data, pair.data.replace(b"\n", b"\r\n")):
        path.write_bytes(data)
        assert open_game.open_file(named_file.find(path).turn, None).file.data == pair.data


@pytest.mark.parametrize("name", ["", ".", "nothing", "a\x00b"])
def test_files_that_cannot_be_read(name: str, tmp_path: Path) -> None:
    with pytest.raises(PbemError, match="cannot read"):
        named_file.find(tmp_path / name)
