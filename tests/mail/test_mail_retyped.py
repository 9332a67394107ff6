"""Turns as people send them who mean well: pasted and changed by a program, encrypted, packed
otherwise, or elsewhere. They are read, or named with what to ask for: as a file, in a mail, and by
`pbem inbox`."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path

import pytest

from examples.correspondence import Player
from pbem.mail import find_turns, turn_files
from pbem.turn import named_file
from tests.mail.test_mail_forms import letter, zipped
from tests.support.effort import PATIENCE, processor_seconds_and_bytes
from tests.support.mail_kit import Played, go_on, make_home, start

MESSAGE = (
    "Ann's \"ship\" said:\nI don't  go \\ “there” now, since the wind has turned and the whole"
    " fleet lies in the bay."
)


@pytest.fixture(scope="module")
def talkative(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Every entry has a message with quotation marks of all kinds, apostrophes, two blanks and a
    backslash in it."""
    return go_on(start(tmp_path_factory.mktemp("talkative")), 3, message=MESSAGE)


def quoted_by(opening: str, closing: str) -> Callable[[str], str]:
    """Strings in other quotation marks; those inside, behind a backslash, too."""

    def change(text: str) -> str:
        text = re.sub(r'"((?:[^"\\\n]|\\.)*)"', lambda found: f"{opening}{found[1]}{closing}", text)
        return text.replace('\\"', f"\\{closing.strip()}")

    return change


def wrapped(text: str) -> str:
    """At 72 characters, and only at a blank."""
    lines = [
        textwrap.wrap(line, 72, break_long_words=False, break_on_hyphens=False) or [""]
        for line in text.split("\n")
    ]
    return "\n".join(part for line in lines for part in line)


smart = quoted_by("“", "”")
CHANGED: dict[str, Callable[[str], str]] = {
    "English": smart,
    "English, apostrophes too": lambda text: smart(text).replace("'", "’"),
    "German": quoted_by("„", "“"),
    "Swedish": quoted_by("”", "”"),
    "French": quoted_by("«\u202f", "\u202f»"),
    "French, as wide as it was": quoted_by("« ", " »"),
    "no-break": lambda text: text.replace(" ", "\xa0"),
    "no-break, every other one": lambda text: text.replace("  ", " \xa0"),
    "indented": lambda text: textwrap.indent(text, "\t  "),
    "blanks behind the lines": lambda text: text.replace("\n", "  \n"),
    "without blank lines": lambda text: text.replace("\n\n", "\n"),
    "blank lines between all": lambda text: text.replace("\n", "\n\n"),
    "quoted": lambda text: "".join(f"> {line}\n" for line in text.split("\n")),
    "quoted twice": lambda text: "".join(f">> {line}\n" for line in text.split("\n")),
    "quoted, and all the rest": lambda text: "".join(
        f"> {line}\n" for line in smart(text).replace(" ", "\xa0").split("\n")
    ),
}
"""What was changed, where that can be turned back."""


def in_mail(text: str, charset: str = "utf-8") -> bytes:
    message = EmailMessage()
    message["From"], message["Subject"] = "ann@example.org", "your turn"
    message.set_content(
        f"Hello Ben,\nhere it is:\n\n{text}\nGreetings = from me\nAnn\n", charset=charset
    )
    return message.as_bytes()


def read_in_each_way(raw: bytes, turn: bytes, folder: Path) -> None:
    """By `verify` and as a mail or a text in a folder, by `inbox`."""
    assert [one.data for one in find_turns.turns_in(raw, "x")] == [turn]
    place = folder / "place"
    place.mkdir()
    (place / "turn.eml").write_bytes(raw)
    reader = Player("Eve", folder / "home", folder, in_process=True)
    reader.does("id", "--name", "Eve")
    assert reader.asks("verify", "place/turn.eml")["ok"] is True
    assert named_file.find(place / "turn.eml").turn == turn
    facts = reader.asks("inbox", "place")
    assert [one["kind"] for one in facts["files"]] == ["foreign"]


@pytest.mark.parametrize("name", CHANGED)
def test_pasted_text_is_read_where_quotes_or_blanks_alone_were_changed(
    talkative: Played, tmp_path: Path, name: str
) -> None:
    text = CHANGED[name](talkative.newest.decode())
    assert text.encode() != talkative.newest
    assert named_file.turn_in(text.encode(), "x") == talkative.newest
    read_in_each_way(in_mail(text), talkative.newest, tmp_path)


def test_wrapped_lines_are_put_together(played: Played, tmp_path: Path) -> None:
    """Where the wrapped text has no two blanks at one place, which nobody knows of any more."""
    text = wrapped(smart(played.newest.decode()))
    assert "ed25519 =\n" in text
    read_in_each_way(in_mail(text), played.newest, tmp_path)


def test_the_letters_of_windows_and_a_page_are_read_too(played: Played, tmp_path: Path) -> None:
    text = smart(played.newest.decode())
    assert [one.data for one in find_turns.turns_in(in_mail(text, "windows-1252"), "x")] == [
        played.newest
    ]
    page = EmailMessage()
    page["Subject"] = "turn"
    lines = "".join(
        f"<div>{line.replace('“', '&ldquo;') or '<br>'}</div>" for line in text.split("\n")
    )
    page.set_content(
        f"<p>Hello <b>Ben</b></p>{lines}<p>Bye</p>".replace("  ", "&nbsp; "), subtype="html"
    )
    assert [one.data for one in find_turns.turns_in(page.as_bytes(), "x")] == [played.newest]


@pytest.mark.parametrize(
    "change",
    [
        lambda text: smart(text).replace("whole fleet", "hole fleet"),
        lambda text: smart(text).replace("  go", " go"),
        lambda text: smart(text).replace("date = ", "date: ", 1),
        lambda text: smart(text)[:-200],
        lambda text: smart(text).replace("seat = “american”", "seat = “tripolitan”", 1),
    ],
    ids=["a word", "a blank of two", "a sign", "cut off", "a seat"],
)
def test_what_was_changed_otherwise_is_named_and_nothing_is_guessed(
    talkative: Played, tmp_path: Path, change: Callable[[str], str]
) -> None:
    text = change(talkative.newest.decode())
    assert text != smart(talkative.newest.decode())
    raw = in_mail(text)
    assert [one.data for one in find_turns.turns_in(raw, "x")] == [None]
    told_in_each_way(raw, "pasted into it as text", "from BEGIN to END", tmp_path)


def test_of_two_kinds_of_apostrophes_nobody_knows_which_was_which(tmp_path: Path) -> None:
    played = go_on(start(tmp_path / "homes"), 1, message="Ann's, and Ben’s")
    told_in_each_way(
        in_mail(smart(played.newest.decode()).replace("'", "’")),
        "pasted into it",
        "from BEGIN to",
        tmp_path,
    )


def told_in_each_way(raw: bytes, words: str, hint: str, folder: Path) -> None:
    """One line with one hint: by a command that is given the file, and by `inbox` of it and of its
    folder."""
    place = folder / "place"
    place.mkdir()
    (place / "turn.eml").write_bytes(raw)
    reader = Player("Eve", folder / "home", folder, in_process=True)
    reader.does("id", "--name", "Eve")
    code, _, said = reader.types("show", "place/turn.eml")
    assert code == 3 and words in said and hint in said and said.count("(hint: ") == 1, said
    for given in ("place/turn.eml", "place"):
        code, out, _ = reader.types("inbox", given)
        assert code == 3 and words in out and hint in out, (given, out)


def locked_zip(turn: bytes) -> bytes:
    """As programs for zips mark it (APPNOTE.TXT, section 4.4.4): bit 0 in both heads."""
    made = bytearray(zipped(turn))
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        start = -1
        while (start := made.find(mark, start + 1)) >= 0:
            made[start + place] |= 1
    return bytes(made)


PGP = b"-----BEGIN PGP MESSAGE-----\n\nhQEMA5vJmVYz\n=abcd\n-----END PGP MESSAGE-----\n"
CMS = b"\x30\x82\x05\x10\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x03\xa0\x82" + bytes(500)
Attached = tuple[bytes, str, str]
UNREAD: dict[str, tuple[Callable[[bytes], Attached | str], str, str]] = {
    "encrypted zip": (
        lambda turn: (locked_zip(turn), "application/zip", "x.zip"),
        "encrypted zip",
        "without a password",
    ),
    "7z": (
        lambda _: (b"7z\xbc\xaf\x27\x1c\0\x04" + bytes(99), "application/x-7z-compressed", "x.7z"),
        "7z archive",
        "by itself",
    ),
    "rar": (
        lambda _: (b"Rar!\x1a\x07\x01\0" + bytes(99), "application/vnd.rar", "x.rar"),
        "rar archive",
        "by itself",
    ),
    "rar 4": (
        lambda _: (b"Rar!\x1a\x07\0" + bytes(99), "application/octet-stream", "x"),
        "rar archive",
        "by itself",
    ),
    "PGP": (lambda _: PGP.decode(), "encrypted with PGP", "decrypt it with your own mail program"),
    "PGP/MIME": (
        lambda _: (PGP, "application/octet-stream", "encrypted.asc"),
        "encrypted with PGP",
        "decrypt it",
    ),
    "PGP, binary": (
        lambda _: (b"\x85\x01\x0c\x03" + bytes(300), "application/pgp", "turn.toml.gpg"),
        "with PGP",
        "decrypt it",
    ),
    "PGP with a passphrase": (
        lambda _: (b"\x8c\x0d\x04\x09" + bytes(99), "x/y", "turn.gpg"),
        "with PGP",
        "decrypt it",
    ),
    "S/MIME": (
        lambda _: (CMS, "application/pkcs7-mime", "smime.p7m"),
        "S/MIME",
        "open it with your own mail program",
    ),
    "S/MIME, signed": (
        lambda _: (CMS.replace(b"\x07\x03", b"\x07\x02"), "x/y", "smime.p7m"),
        "S/MIME",
        "open it",
    ),
    "Google Drive": (
        lambda _: "https://drive.google.com/file/d/1x/view?usp=sharing",
        "cloud drive",
        "attach it",
    ),
    "OneDrive": (
        lambda _: "here: https://1drv.ms/u/s!AbC",
        "cloud drive",
        "download the turn file",
    ),
    "SharePoint": (
        lambda _: "https://club-my.sharepoint.com/:u:/g/x",
        "cloud drive",
        "download the turn file",
    ),
    "Dropbox": (
        lambda _: "<https://www.dropbox.com/scl/fi/x/turn.toml?dl=0>",
        "cloud drive",
        "download the turn file",
    ),
    "iCloud": (
        lambda _: "https://www.icloud.com/iclouddrive/0a",
        "cloud drive",
        "download the turn file",
    ),
}


@pytest.mark.parametrize("form", UNREAD)
def test_a_form_that_is_not_read_is_named_with_what_to_ask_for(
    played: Played, tmp_path: Path, form: str
) -> None:
    """In a mail that its sender wrote by hand, about a game."""
    make, words, hint = UNREAD[form]
    made = make(played.newest)
    mail = letter(made) if isinstance(made, str) else letter("your turn in pbem", made)
    mail.replace_header("Subject", "my pbem turn")
    told_in_each_way(mail.as_bytes(), words, hint, tmp_path)


@pytest.mark.parametrize("form", UNREAD)
def test_as_a_file_and_in_the_mail_of_a_game_it_is_named_too(
    played: Played, tmp_path: Path, form: str
) -> None:
    make, words, hint = UNREAD[form]
    made = make(played.newest)
    plain = made.encode() if isinstance(made, str) else made[0]
    path = tmp_path / "turn.saved"
    path.write_bytes(plain)
    reader = Player(
        "Eve", make_home(tmp_path / "home", "Eve", "").folder, tmp_path, in_process=True
    )
    for command in ("show", "verify", "inbox"):
        code, out, said = reader.types(command, "turn.saved")
        assert code == 3 and words in out + said and hint in out + said, (command, out, said)
    mail = letter("look", (plain, "application/x-y", "x"))
    mail["X-PBEM-Game"] = f"{'0' * 64} 3"
    *_, found = find_turns.turns_in(mail.as_bytes(), "x")
    assert found.lost is not None and words in found.problem, "whom to ask is known from its head"


def test_in_a_folder_of_other_things_nothing_is_told(played: Played, tmp_path: Path) -> None:
    """A mail that has nothing to do with a game, and one whose turn is there besides."""
    for number, (make, *_) in enumerate(UNREAD.values()):
        made = make(played.newest)
        mail = letter(made) if isinstance(made, str) else letter("see you", made)
        (tmp_path / f"{number}.eml").write_bytes(mail.as_bytes())
        raw = letter(
            made if isinstance(made, str) else "look", (played.newest, "text/plain", "t.toml")
        ).as_bytes()
        assert [one.data for one in find_turns.turns_in(raw, "x")] == [played.newest]
    (tmp_path / "all.mbox").write_bytes(
        b"".join(b"From x\n" + p.read_bytes() + b"\n" for p in tmp_path.glob("*.eml"))
    )
    assert list(turn_files.look(tmp_path)) == []


HEAD = "format = “pbem/1”\n\n[[entry]]\n"
HOSTILE: dict[str, Callable[[], bytes]] = {
    "heads": lambda: ("> format = “pbem/1”\n" * 300_000).encode(),
    "heads and entries": lambda: (HEAD * 150_000).encode(),
    "fields": lambda: (HEAD + "a = 1\n" * 1_000_000).encode(),
    "texts": lambda: (HEAD + "a = “’\xa0’\xa0”\n" * 300_000).encode(),
    "a list": lambda: (HEAD + "a = [\n" + "“b”,\n" * 600_000).encode(),
    "one line": lambda: (HEAD + "a = “" + "’\xa0" * 1_300_000).encode(),
    "lines put together": lambda: (HEAD + "a = “\n" + "b\n" * 2_600_000).encode(),
    "a signature that never ends": lambda: (HEAD + "ed25519 =\n" + "“\n" * 1_300_000).encode(),
    "no letters": lambda: HEAD.encode() + b"\xff" * 6_000_000,
    "edges": lambda: b"\xa0" * 6_000_000,
    "edges of lines": lambda: (b"\xa0" * 59 + b"\n") * 300_000,
    "addresses": lambda: b"https://" + b"a." * 3_000_000,
    "many addresses": lambda: b"https://a.b.c.d.e " * 300_000,
    "marks of zips": lambda: zipped(b"x" * 1000) * 1000,
    "a page": lambda: b"Content-Type: text/html\n\n" + HEAD.encode() + b"<a&nbsp;>" * 600_000,
}


@pytest.mark.dear("reads floods")
@pytest.mark.parametrize("name", HOSTILE)
def test_no_pasted_text_costs_more_than_it_may(name: str) -> None:
    data = HOSTILE[name]()
    found: list[find_turns.Found] = []
    spent, most = processor_seconds_and_bytes(lambda: found.extend(find_turns.turns_in(data, "x")))
    assert not [one for one in found if one.data]
    assert spent < PATIENCE / 10 and most < 40_000_000 + 3 * len(data), (spent, most)
