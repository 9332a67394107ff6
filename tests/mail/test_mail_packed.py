"""What a turn goes through on its way: packed in whatever way, typed as whatever, with words around
and inside it; and what is made to cost its reader much. `test_mail_forms.py` has the forms that
mail programs make by themselves."""

from __future__ import annotations

import base64
import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from email.message import EmailMessage
from pathlib import Path

import pytest

from examples.correspondence import Player
from pbem.errors import Malformed
from pbem.fileformat import armor
from pbem.fileformat.turnfile import START, read
from pbem.mail import find_turns, turn_files
from pbem.turn import named_file, open_game
from tests.mail.test_mail_forms import letter, zipped
from tests.support.effort import PATIENCE, processor_seconds, processor_seconds_and_bytes
from tests.support.mail_kit import Played, mail_of, make_home

FOOTER = (
    b"\n_______________________________________________\nplayers mailing"
    b" list\nplayers@lists.example.org\n"
)


def with_comment(data: bytes) -> bytes:
    made = io.BytesIO(zipped(data))
    with zipfile.ZipFile(made, "a") as archive:
        archive.comment = b"packed by hand, with love"
    return made.getvalue()


def tarred(data: bytes, mode: str = "w", name: str = "turns/turn.toml") -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode=mode) as archive:  # type: ignore[call-overload]
        folder = tarfile.TarInfo("turns")
        folder.type = tarfile.DIRTYPE
        archive.addfile(folder)
        info = tarfile.TarInfo(name)
        info.size = len(data)
        archive.addfile(info, io.BytesIO(data))
    return made.getvalue()


def emlx(data: bytes) -> bytes:
    mail = mail_of(data).replace(b"\r\n", b"\n")
    return b"%d      \n%s" % (len(mail), mail) + b'<?xml version="1.0"?>\n<plist><dict/></plist>\n'


def clearsigned(text: bytes) -> bytes:
    """RFC 9580, section 7: lines that begin with a dash are escaped."""
    lines = [b"- " + line if line.startswith(b"-") else line for line in text.split(b"\n")]
    body = b"\n".join(lines)
    return (
        b"Subject: turn\n\n-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n%s\n"
        b"-----BEGIN PGP SIGNATURE-----\n\niQEz\n=abcd\n-----END PGP SIGNATURE-----\n" % body
    )


def typed(data: bytes, kind: str, encoding: str = "base64", name: str = "turn.toml") -> bytes:
    """An attachment that a program took for something else."""
    head = f"Content-Type: {kind}\nContent-Transfer-Encoding: {encoding}\n"
    head += f"Content-Disposition: attachment; filename={name}\n\n"
    body = base64.encodebytes(data) if encoding == "base64" and not kind.endswith("raw") else data
    return (
        b"Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nlook\n--b\n"
        + head.encode()
        + body
        + b"\n--b--\n"
    )


def html(data: bytes, encoding: str) -> bytes:
    page = f"<html><body><pre>{armor.wrap(data)}</pre></body></html>".encode(encoding)

    return (
        b"Subject: x\nContent-Type: text/html\nContent-Transfer-Encoding: base64\n\n"
        + base64.encodebytes(page)
    )


def words_inside(data: bytes, *words: str) -> bytes:
    lines = armor.wrap(data).split("\n")
    for number, line in enumerate(words):
        lines.insert(3 + 4 * number, line)
    return letter("\n".join(lines)).as_bytes()


def text_attachment(data: bytes) -> bytes:
    return letter("look", (data, "text/plain", "turn.toml")).as_bytes()


FORMS = {
    "a zip of the mail": lambda data: zipped(mail_of(data)),
    "an attached zip of the mail": (
        lambda data: letter("", (zipped(mail_of(data)), "application/zip", "a.zip")).as_bytes()
    ),
    "a zip in a zip": lambda data: zipped(zipped(data)),
    "a zip in a zip of the mail": lambda data: zipped(zipped(mail_of(data))),
    "a zip with a comment": with_comment,
    "an LZMA zip": lambda data: zipped(data, how=zipfile.ZIP_LZMA),
    "a bzip2 zip": lambda data: zipped(data, how=zipfile.ZIP_BZIP2),
    "gzip": gzip.compress,
    "an attached gzip": (
        lambda data: letter("", (gzip.compress(data), "application/gzip", "turn.gz")).as_bytes()
    ),
    "gzip of the mail": lambda data: gzip.compress(mail_of(data)),
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "tar": tarred,
    "tar.gz": lambda data: tarred(data, "w:gz"),
    "tar.xz of the mail": lambda data: tarred(mail_of(data), "w:xz", "turn.eml"),
    "tar with a long name": lambda data: tarred(data, name="folder/" * 30 + "turn.toml"),
    "emlx of Apple Mail": emlx,
    "PGP clearsigned armor": lambda data: clearsigned(armor.wrap(data).encode()),
    "PGP clearsigned, escaped twice": lambda data: clearsigned(
        clearsigned(armor.wrap(data).encode())
    ),
    "PGP clearsigned TOML": clearsigned,
    **{
        f"an attachment typed {kind}": lambda data, kind=kind: typed(data, kind)
        for kind in (
            "text/html",
            "image/png",
            "audio/x",
            "message/rfc822",
            "multipart/mixed",
            "nonsense",
            "video/mp4; x",
        )
    },
    "a zip typed image/jpeg": lambda data: typed(zipped(data), "image/jpeg"),
    "HTML typed, 8bit": lambda data: typed(data, "text/html", "8bit"),
    "an attachment of another encoding than it says": lambda data: typed(data, "application/raw"),
    "UTF-16 HTML": lambda data: html(data, "utf-16"),
    "UTF-16 HTML without a mark": lambda data: html(data, "utf-16-le"),
    "UTF-16 HTML, the other way": lambda data: html(data, "utf-16-be"),
    "a footer of a list": lambda data: text_attachment(data + FOOTER),
    "a footer with CRLF": lambda data: text_attachment((data + FOOTER).replace(b"\n", b"\r\n")),
    "a footer without a line end before": lambda data: text_attachment(data.rstrip(b"\n") + FOOTER),
    "a blank line before": lambda data: text_attachment(b"\n" + data),
    "blank lines and spaces around": lambda data: text_attachment(
        b" \r\n\r\n" + data + b"\r\n  \r\n"
    ),
    "Ctrl-Z at the end": lambda data: text_attachment(data + b"\x1a"),
    "Ctrl-Z after the last line": lambda data: text_attachment(data.rstrip(b"\n") + b"\x1a"),
    "words inside the armor": lambda data: words_inside(
        data, "[ this message was checked by Example Mail Guard ]"
    ),
    "short words inside the armor": lambda data: words_inside(data, "advertisement", "Hello there"),
    "TOML pasted after words": lambda data: (
        b"Subject: x\n\nHello Ben,\nhere it is:\n\n" + data + b"\nBye\n"
    ),
    "TOML pasted after words in a file": lambda data: b"Here it is:\n" + data + b"Regards,\nAnn\n",
}


@pytest.mark.parametrize("form", FORMS)
def test_the_turn_is_found_in_every_form(played: Played, tmp_path: Path, form: str) -> None:
    raw = FORMS[form](played.newest)
    found = [one.data for one in find_turns.turns_in(raw, "here") if one.data is not None]
    assert len(found) == 1 and read(found[0]).data == played.newest
    path = tmp_path / "turn.saved"
    path.write_bytes(raw)
    assert open_game.open_file(named_file.find(path).turn, None).file.data == played.newest


def test_a_winmail_dat_is_named_with_what_to_do(tmp_path: Path) -> None:
    """No well-kept library reads it."""
    path = tmp_path / "turn.eml"
    path.write_bytes(
        letter(
            "", (b"\x78\x9f\x3e\x22" + b"\0" * 500, "application/ms-tnef", "winmail.dat")
        ).as_bytes()
    )
    with pytest.raises(Malformed, match=r"winmail\.dat.*\(hint: .*plain text") as told:
        named_file.find(path)
    assert str(told.value).count("(hint: ") == 1


def test_what_holds_no_turn_says_so_and_what_is_damaged_has_one_hint(
    played: Played, tmp_path: Path
) -> None:
    home = make_home(tmp_path / "home")
    player = Player("Ann", home.folder, tmp_path, in_process=True)
    cases = {
        "picture.png": (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40, "no turn"),
        "letter.txt": (b"Dear Ben,\nit is your turn.\n", "no turn"),
        "letter.eml": (EmailMessage().as_bytes() + b"Subject: hello\n\nhow are you\n", "no turn"),
        "zeros.toml": (b"\0" * 5000, "zero bytes"),
        "armor.txt": (armor.wrap(played.newest).replace("A", "!").encode(), "armored"),
        "cut.toml": (played.newest[:-300], "incomplete"),
    }
    for name, (data, words) in cases.items():
        (tmp_path / name).write_bytes(data)
        code, _, said = player.types("show", name)
        assert code == 3 and words in said and said.count("(hint: ") == 1, (name, said)
        assert ("incomplete" in said) == (words == "incomplete"), said
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "turn.toml").write_bytes(b"\0" * 5000)
    code, out, _ = player.types("inbox", "folder")
    assert code == 3 and "zero bytes" in out


# ---- bounds --------------------------------------------------------------------------------------


def nested_zip(depth: int) -> bytes:
    made = zipped(START + b"x")
    for _ in range(depth):
        made = zipped(made)
    return made


def wide_lzma() -> bytes:
    """An LZMA zip that asks for four gigabytes of memory."""
    made = bytearray(zipped(START + b"x" * 5000, how=zipfile.ZIP_LZMA))
    place = made.index(b"\x05\x00", made.index(b".toml"))
    made[place + 3 : place + 7] = b"\xff\xff\xff\xff"
    return bytes(made)


HOSTILE = {
    "gzip of 2 GB": lambda: gzip.compress(b"\0" * 200_000_000, 9),
    "an xz of much": lambda: lzma.compress(b"\0" * 200_000_000, preset=1),
    "a bzip2 of much": lambda: bz2.compress(b"\0" * 200_000_000),
    "an LZMA zip of much": lambda: zipped(START + b"\0" * 200_000_000, how=zipfile.ZIP_LZMA),
    "a bzip2 zip of much": lambda: zipped(START + b"\0" * 200_000_000, how=zipfile.ZIP_BZIP2),
    "an LZMA zip that asks for memory": wide_lzma,
    "zips in zips": lambda: nested_zip(60),
    "gzips in gzips": lambda: _times(gzip.compress, b"x" * 1000, 200),
    "a tar of empty files": lambda: tarred(b"")[:512] * 50_000,
    "a zip of zips of many": lambda: zipped(
        *[zipped(*[b"Subject: x\n\n" + bytes([n, m]) for n in range(50)]) for m in range(50)]
    ),
    "pasted turns": lambda: (b"\n" + START + b"\n[[entry]]\n" + b'seat = "x"\n' * 30) * 70_000,
    "an emlx of an emlx": lambda: b"9999999\n" * 3_000_000,
}


def _times(how: object, data: bytes, times: int) -> bytes:
    assert callable(how)
    for _ in range(times):
        data = how(data)
    return data


@pytest.mark.dear("reads floods")
@pytest.mark.parametrize("name", HOSTILE)
def test_no_mail_costs_more_than_it_may(name: str) -> None:
    data = HOSTILE[name]()
    found: list[find_turns.Found] = []
    spent, most = processor_seconds_and_bytes(
        lambda: found.extend(find_turns.turns_in(data, "here"))
    )
    assert not [one for one in found if one.data and one.data.startswith(START + b"xx")]
    assert spent < PATIENCE / 2 and most < 40_000_000 + 3 * len(data), (spent, most)


@pytest.mark.dear("reads floods")
@pytest.mark.parametrize(
    "message",
    [
        b"From x\n\n",
        b"From x\nSubject: pbem\n\nhi\n\n",
        b"From x\nContent-Transfer-Encoding: base64\n\nAAAA\n\n",
    ],
    ids=["empty", "named", "encoded"],
)
def test_an_mbox_of_tiny_messages_is_bounded(tmp_path: Path, message: bytes) -> None:
    path = tmp_path / "mails.mbox"
    path.write_bytes(message * (25_000_000 // len(message)))
    found: list[find_turns.Found] = []
    assert processor_seconds(lambda: found.extend(turn_files.look(path))) < PATIENCE / 2
    (one,) = found
    assert one.problem and one.data is None


@pytest.mark.dear("reads floods")
def test_an_mbox_of_a_long_life_is_read_to_its_end(played: Played, tmp_path: Path) -> None:
    path = tmp_path / "mails.mbox"
    spam = b"From x\nSubject: x\nContent-Transfer-Encoding: base64\n\n" + b"QUJD\n" * 1200 + b"\n"
    path.write_bytes(spam * 3000 + b"From x\n" + mail_of(played.newest).replace(b"\r\n", b"\n"))
    (found,) = turn_files.look(path)
    assert found.data is not None and read(found.data).data == played.newest
