"""The grammar: one spelling, read as any TOML reader reads it; what is hostile does not get far.

docs/format.md, sections 1 to 3.
"""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.errors import Malformed
from pbem.fileformat import turnfile
from pbem.fileformat.characters import has_marks
from pbem.fileformat.encoding import b64, framed, unb64
from pbem.fileformat.toml_subset import (
    MAX_ELEMENTS,
    MAX_LINE,
    Fields,
    Lines,
    read_fields,
    write_fields,
    write_string,
)
from tests.support.effort import examples, processor_seconds

B32, B64 = b64(bytes(32)), b64(bytes(64))
KIND = {key: kind for key, (kind, _) in turnfile.KEYS.items()}
LONGEST = {key: longest for key, (_, longest) in turnfile.KEYS.items()}


def is_allowed(text: str) -> bool:
    try:
        write_string(text)
    except ValueError:
        return False
    return not has_marks(text)  # those have their place in messages


TEXT = st.text(st.characters(codec="utf-8"), min_size=1, max_size=40) | st.text(
    '\\"\nnut\u0301é🙂 #=[]', min_size=1, max_size=40
)
TEXT = TEXT.map(lambda text: "".join(c for c in text if is_allowed(c)) or "x")


def _value(key: str) -> st.SearchStrategy[object]:
    short = TEXT.map(lambda text: text[: LONGEST[key]])
    if KIND[key] is int:
        return st.integers(0, 999_999_999)
    return st.lists(short, min_size=1, max_size=5) if KIND[key] is list else short


ENTRY = st.fixed_dictionaries(
    {key: _value(key) for key in ("seat", "nonce", "position")}
    | {"date": st.just("2026-02-28T23:59:59Z")},
    optional={key: _value(key) for key in KIND if key not in ("seat", "nonce", "position", "date")},
)


def write(entries: list[Fields]) -> bytes:
    """A file of these entries as our writer writes it, with signatures that nobody made."""
    data = f"{turnfile.HEADER}\n".encode()
    for fields in entries:
        data += turnfile.write_body(turnfile.in_order(fields)) + turnfile.write_signature(bytes(64))
    return data


def rewritten(file: turnfile.TurnFile) -> bytes:
    """The file written again from what was read of it."""
    data = f"{turnfile.HEADER}\n".encode()
    for entry in file.entries:
        data += turnfile.write_body(entry.fields) + turnfile.write_signature(entry.signature)
    return data


@examples(50)
@given(st.lists(ENTRY, min_size=1, max_size=3))
def test_what_we_write_is_read_by_us_and_by_any_toml_reader(entries: list[Fields]) -> None:
    data = write(entries)
    file = turnfile.read(data)
    assert file.data == data == rewritten(file)
    assert [entry.fields for entry in file.entries] == [
        turnfile.in_order(fields) for fields in entries
    ]
    loaded = tomllib.loads(data.decode())
    assert loaded["format"] == "pbem/1"
    for theirs, ours in zip(loaded["entry"], file.entries, strict=True):
        assert theirs.pop("signature") == {"ed25519": b64(ours.signature)}
        assert theirs == ours.fields
    assert file.prefix(len(entries)) == data


@examples(50)
@given(st.lists(ENTRY, min_size=1, max_size=2), st.data())
def test_there_is_no_other_spelling(entries: list[Fields], data: st.DataObject) -> None:
    """Whatever is changed: it is refused as malformed, or it is the one spelling of something
    else."""
    good = write(entries)
    text = good.decode()
    place = data.draw(st.integers(0, len(text)))
    new = data.draw(
        st.sampled_from(list("\" \\\n\r\t=[]{},'#.-_+0123abuU\x00\x7f\u202e\ufeff\u2028é🙂"))
        | st.just("")
    )
    cut = data.draw(st.integers(0, 2))
    bad = (text[:place] + new + text[place + cut :]).encode()
    try:
        file = turnfile.read(bad)
    except Malformed as error:
        failure = error
    else:
        assert rewritten(file) == file.data
        assert len(tomllib.loads(file.data.decode())["entry"]) == len(file.entries)
        return
    assert failure.exit_code == 3 and "line" in failure.where


@examples(66)
@given(st.binary(max_size=300))
def test_any_bytes(data: bytes) -> None:
    for start in (b"", b'format = "pbem/1"\n', b'format = "pbem/1"\n\n[[entry]]\n'):
        with pytest.raises(Malformed):
            turnfile.read(start + data)


@examples(66)
@given(st.text(max_size=200))
def test_any_fields(text: str) -> None:
    """Lines that we take are lines that TOML takes, with the same values."""
    try:
        fields = read_fields(Lines(text + "\n"))
    except (Malformed, ValueError):
        return
    read = write_fields(fields)
    assert (text + "\n").startswith(read)
    assert tomllib.loads(read) == fields


SMALL: Fields = {"seat": "x", "date": "2026-01-01T00:00:00Z", "nonce": B32, "position": B32}
GOOD = write([SMALL])
LINES = GOOD.decode().split("\n")


def test_a_small_file() -> None:
    assert GOOD.decode() == (
        'format = "pbem/1"\n\n[[entry]]\nseat = "x"\ndate = "2026-01-01T00:00:00Z"\n'
        f'nonce = "{B32}"\nposition = "{B32}"\n[entry.signature]\ned25519 = "{B64}"\n'
    )
    assert len(turnfile.read(GOOD).entries) == 1


def replaced(line: int, *new: str) -> bytes:
    """The small file with one line (counted from 1) replaced."""
    return "\n".join([*LINES[: line - 1], *new, *LINES[line:]]).encode()


@pytest.mark.parametrize(
    ("line", "new"),
    [
        (1, ['format = "pbem/2"']),
        (1, ["format = 'pbem/1'"]),
        (1, ['format  = "pbem/1"']),
        (1, ['\ufeffformat = "pbem/1"']),
        (2, []),
        (2, ["", ""]),
        (2, ["# hello"]),
        (3, ["[entry]"]),
        (3, ["[[ entry ]]"]),
        (3, ["[[entry]] "]),
        (4, ['seat="x"']),
        (4, ['seat = "x" ']),
        (4, [' seat = "x"']),
        (4, ['seat = "x" # me']),
        (4, ["seat = 'x'"]),
        (4, ['seat = """x"""']),
        (4, ['"seat" = "x"']),
        (4, ['seat.a = "x"']),
        (4, ["seat = 1"]),
        (4, ["seat = true"]),
        (4, ["seat = 1.5"]),
        (4, ["seat = 2026-01-01"]),
        (4, ['seat = ["x"]']),
        (4, ["seat = [", '  "x",', "]"]),
        (4, ['seat = { a = "x" }']),
        (4, ['seat = ""']),
        (4, ['seat = "x', '"']),
        (4, ['seat = "\\u0078"']),
        (4, ['seat = "\\t"']),
        (4, ['seat = "\\x"']),
        (4, ['seat = "\\"']),
        (4, ['seat = "x"y"']),
        (4, ['seat = "\x00"']),
        (4, ['seat = "\t"']),
        (4, ['seat = "x\r"']),
        (4, ['seat = "\x7f"']),
        (4, ['seat = "\x9b"']),
        (4, ['seat = "\u202e"']),
        (4, ['seat = "\u2066"']),
        (4, ['seat = "\u200b"']),
        (4, ['seat = "\u061c"']),
        (4, ['seat = "\ufeff"']),
        (4, ['seat = "\uffff"']),
        (4, ['seat = "x"', 'seat = "x"']),
        (4, ['Seat = "x"']),
        (4, ['seat_ = "x"']),
        (4, ['colour = "x"']),
        (4, []),
        (4, ["seat = ["]),
        (4, ['seat = "x"', "options = [", "]"]),
        (4, ['seat = "x"', "options = [", '  "a"', "]"]),
        (4, ['seat = "x"', "options = [", ' "a",', "]"]),
        (4, ['seat = "x"', "options = [", '  ["a"],', "]"]),
        (4, ['seat = "x"', "options = [", '  "a", "b",', "]"]),
        (4, ['seat = "x"', "options = [", '  "",', "]"]),
        (4, ['seat = "x"', "options = [", "  1,", "]"]),
        (4, ["rules = 1", 'seat = "x"']),
        (4, ['seat = "x"', "rules = 01"]),
        (4, ['seat = "x"', "rules = +1"]),
        (4, ['seat = "x"', "rules = -1"]),
        (4, ['seat = "x"', "rules = 1_0"]),
        (4, ['seat = "x"', "rules = 0x1"]),
        (4, ['seat = "x"', "rules = 1000000000"]),
        (4, ['seat = "' + 21 * "x" + '"']),
        (4, ['seat = "' + MAX_LINE * "x" + '"']),
        (5, ['date = "2026-1-1T00:00:00Z"']),
        (5, ['date = "2026-01-01T24:00:00Z"']),
        (5, ['date = "2026-01-01 00:00:00Z"']),
        (5, ['date = "2026-13-01T00:00:00Z"']),
        (5, ['date = "2026-01-01T00:00:00+0"']),
        (5, []),
        (6, []),
        (7, []),
        (8, []),
        (8, ["[signature]"]),
        (8, ["[entry.signature]", "[entry.signature]"]),
        (9, []),
        (9, ["ed25519 = 1"]),
        (9, [f'ed448 = "{B64}"']),
        (9, [f'ed25519 = "{B64[:-1]}"']),
        (9, [f'ed25519 = "{B32}"']),
        (9, [f'ed25519 = "{B64[:-3]}B=="']),
        (9, [f'ed25519 = "{B64}"', f'ed25519 = "{B64}"']),
        (9, [f'ed25519 = "{B64}"', 'x = "y"']),
        (9, [f'ed25519 = "{B64}"', ""]),
        (9, [f'ed25519 = "{B64}"', "", "[[entry]]"]),
        (9, [f'ed25519 = "{B64}"', "[[entry]]"]),
    ],
)
def test_other_spellings_are_refused(line: int, new: list[str]) -> None:
    with pytest.raises(Malformed) as caught:
        turnfile.read(replaced(line, *new))
    assert (
        caught.value.where.startswith("line ") and caught.value.exit_code == 3 and caught.value.hint
    )


def test_line_ends_of_a_mail_program_are_undone() -> None:
    crlf = GOOD.replace(b"\n", b"\r\n")
    assert turnfile.read(crlf).data == GOOD
    for bad in (
        GOOD.replace(b"\n", b"\r"),
        crlf.replace(b"\r\n", b"\n", 1),
        GOOD.replace(b"\n", b"\r\r\n"),
        crlf[:-1],
    ):
        with pytest.raises(Malformed):
            turnfile.read(bad)


def test_the_line_that_is_not_utf8_is_named() -> None:
    """Also of entries that follow those of a file that was read before."""
    turnfile.read(GOOD)
    whole = GOOD + GOOD[len(turnfile.HEADER) + 1 :]
    lines = whole.splitlines(keepends=True)
    for number, line in enumerate(lines):
        data = b"".join([*lines[:number], b"\xff", line, *lines[number + 1 :]])
        with pytest.raises(Malformed, match="not UTF-8") as refused:
            turnfile.read(data)
        assert refused.value.where == f"line {number + 1}"


def quickly_refused(data: bytes, seconds: float = 10.0) -> None:
    """In seconds of the processor, many times what it takes: a reader whose work grows with the
    square needs more."""

    def refused() -> None:
        with pytest.raises(Malformed):
            turnfile.read(data)

    assert processor_seconds(refused) < seconds


def test_hostile_files_are_refused_fast() -> None:
    head = "\n".join(LINES[:3]).encode() + b"\n"
    quickly_refused(head + b".".join([b"a"] * 20_000) + b" = 1\n", 2.0)
    quickly_refused(head + 40_000 * b"a" + b" = 1\n", 2.0)
    quickly_refused(head + b'seat = "' + 4_000 * b"\\\\" + b"\n", 2.0)
    quickly_refused(head + b"options = " + 8_000 * b"[" + b"\n", 2.0)
    quickly_refused(head + b"options = [\n" + 100_000 * b"  [\n", 2.0)
    quickly_refused(head + b"options = [\n" + (MAX_ELEMENTS + 1) * b'  "a",\n' + b"]\n", 2.0)
    quickly_refused(head + b"".join(b"k%d = 1\n" % n for n in range(100_000)))
    quickly_refused(7_999_999 * b"\n")
    quickly_refused(8_000_001 * b"x", 2.0)
    quickly_refused(GOOD + 9_999 * GOOD[len(turnfile.HEADER) + 1 :], 20.0)


def test_size_bounds() -> None:
    block = GOOD[len(turnfile.HEADER) + 1 :]
    most = GOOD + (turnfile.MAX_ENTRIES - 1) * block
    assert len(turnfile.read(most).entries) == turnfile.MAX_ENTRIES == 9_999
    with pytest.raises(Malformed, match="more than 9999 entries"):
        turnfile.read(most + block)
    for size, layer in ((8_000_000, "grammar"), (8_000_001, "limit")):
        with pytest.raises(Malformed) as refused:
            turnfile.read(size * b"\n")
        assert refused.value.layer == layer
    full = write([{**SMALL, "options": MAX_ELEMENTS * ["a"], "message": 4000 * "é"}])
    assert len(turnfile.read(full).entries[0].list("options")) == MAX_ELEMENTS
    for key, longest in LONGEST.items():
        if KIND[key] is not int and key != "date":
            text = longest * "x"
            turnfile.read(write([{**SMALL, key: [text] if KIND[key] is list else text}]))
            with pytest.raises(Malformed, match=f'"{key}" is longer than {longest}'):
                turnfile.read(
                    write([{**SMALL, key: [text + "x"] if KIND[key] is list else text + "x"}])
                )


@given(st.binary(max_size=100))
def test_base64_has_one_spelling(data: bytes) -> None:
    text = b64(data)
    assert unb64(text) == unb64(text, len(data)) == data
    for bad in (
        text + "=",
        text + "\n",
        " " + text,
        text[:-1],
        text.rstrip("=") + "!",
        text.replace("A", "-", 1) + "_",
    ):
        try:
            assert b64(unb64(bad)) == bad != text or bad == text
        except ValueError:
            continue
    with pytest.raises(ValueError, match="bytes where"):
        unb64(text, len(data) + 1)


@pytest.mark.parametrize(
    "bad", ["QQ", "QQ=", "QR==", "QUJ=", "Q Q==", "QQ==\n", "QQ==QQ==", "é===", "====", "-_-_", "A"]
)
def test_other_base64_is_refused(bad: str) -> None:
    with pytest.raises(ValueError, match="base64"):
        unb64(bad)


@given(st.lists(st.binary(max_size=20), max_size=5), st.lists(st.binary(max_size=20), max_size=5))
def test_no_two_lists_frame_alike(left: list[bytes], right: list[bytes]) -> None:
    assert (framed(*left) == framed(*right)) == (left == right)
