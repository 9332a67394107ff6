"""Every form in which a turn arrives: forwarded, packed, cut off, mangled by programs that mean
well."""

from __future__ import annotations

import base64
import binascii
import io
import zipfile
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.cli import inbox
from pbem.errors import Malformed
from pbem.fileformat import armor
from pbem.fileformat.turnfile import read
from pbem.mail import find_turns
from pbem.turn import named_file, open_game
from tests.support.mail_kit import Played, go_on, mail_of, make_home, start

ZERO_WIDTH = "\u200b"


def letter(text: str = "look", *attached: tuple[bytes, str, str]) -> EmailMessage:
    message = EmailMessage()
    message["From"], message["Subject"] = "ann@example.org", "Re: your move"
    message.set_content(text)
    for data, kind, name in attached:
        message.add_attachment(data, *kind.split("/"), filename=name)
    return message


def uuencoded(data: bytes, name: str = "turn.toml") -> bytes:
    lines = [binascii.b2a_uu(data[at : at + 45]) for at in range(0, len(data), 45)]
    return b"begin 644 %s\n%s`\nend\n" % (name.encode(), b"".join(lines))


def zipped(*contents: bytes, how: int = zipfile.ZIP_DEFLATED) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", how) as archive:
        archive.writestr("turns/", b"")
        for number, data in enumerate(contents):
            archive.writestr(f"turns/{number}.toml", data)
    return made.getvalue()


def rfc822_in_base64(data: bytes) -> bytes:
    """What RFC 2046 forbids and programs do."""
    head = (
        b"Subject: Fwd\nMIME-Version: 1.0\nContent-Type: multipart/mixed;"
        b" boundary=b\n\n--b\n\nlook\n--b\n"
    )
    head += b"Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n"
    return head + base64.encodebytes(mail_of(data)) + b"--b--\n"


def dashed(data: bytes, dashes: str) -> bytes:
    text = armor.wrap(data).replace("-----", dashes)
    return letter("Hello,\n" + text + "\nBye").as_bytes()


def with_zero_width(data: bytes) -> bytes:
    begin, *lines, end = armor.wrap(data).strip().split("\n")
    lines = [line[:20] + ZERO_WIDTH + line[20:] + "\u2060" for line in lines]
    return letter(
        "\n".join([begin.replace(" ", f" {ZERO_WIDTH}"), *lines, ZERO_WIDTH + end])
    ).as_bytes()


def html_with_zero_width(data: bytes) -> bytes:
    begin, *lines, end = armor.wrap(data).strip().split("\n")
    page = "<br>".join(
        [
            begin.replace("-----", "&mdash;&ndash;"),
            *(f"{line[:30]}&#8203;{line[30:]}" for line in lines),
            end,
        ]
    )
    message = EmailMessage()
    message["Subject"] = "turn"
    message.set_content(f"<p>{page}</p>", subtype="html")
    return message.as_bytes()


FORMS = {
    "a turn file": lambda data: data,
    "with a byte order mark": lambda data: b"\xef\xbb\xbf" + data,
    "without its last line end": lambda data: data.rstrip(b"\n"),
    "with lines too many": lambda data: data + b"\n\n",
    "CRLF without the last": lambda data: data.rstrip(b"\n").replace(b"\n", b"\r\n"),
    "UTF-16 by an editor": lambda data: data.decode().replace("\n", "\r\n").encode("utf-16"),
    "a mail": mail_of,
    "a mail after blank lines": lambda data: b"\r\n \r\n\n" + mail_of(data),
    "a mail with a byte order mark": lambda data: b"\xef\xbb\xbf" + mail_of(data),
    "a mail of one mbox": lambda data: (
        b"From ann Sat Nov 21\n" + mail_of(data).replace(b"\r\n", b"\n")
    ),
    "a mail with bare carriage returns": lambda data: mail_of(data).replace(b"\r\n", b"\r"),
    "forwarded as octet-stream": (
        lambda data: letter(
            "look", (mail_of(data), "application/octet-stream", "turn.eml")
        ).as_bytes()
    ),
    "forwarded in base64": rfc822_in_base64,
    "uuencoded": lambda data: b"Subject: turn\n\nHello\n" + uuencoded(data),
    "uuencoded with CRLF": lambda data: (
        b"Subject: turn\r\n\r\n" + uuencoded(data).replace(b"\n", b"\r\n")
    ),
    "zero-width spaces": with_zero_width,
    "zero-width in HTML": html_with_zero_width,
    "typographic dashes": lambda data: dashed(data, "—–"),
    "minus signs": lambda data: dashed(data, "−−−−−"),
    "dashes of Windows": lambda data: (
        b"Subject: x\n\n" + armor.wrap(data).encode().replace(b"-----", b"\x97\x96")
    ),
    "a zip": zipped,
    "a zip, stored": lambda data: zipped(data, how=zipfile.ZIP_STORED),
    "an attached zip": (
        lambda data: letter("look", (zipped(data), "application/zip", "turn.zip")).as_bytes()
    ),
    "a zip without the last line end": lambda data: zipped(data[:-1]),
    "an attachment without its end": (
        lambda data: letter(
            "look", (data.rstrip(b"\n"), "application/octet-stream", "turn.toml")
        ).as_bytes()
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_command_reads_every_form(played: Played, tmp_path: Path, form: str) -> None:
    raw = FORMS[form](played.newest)
    (found,) = find_turns.turns_in(raw, "here")
    assert found.data is not None
    assert read(found.data).data == played.newest
    path = tmp_path / "turn.saved"
    path.write_bytes(raw)
    assert open_game.open_file(named_file.find(path).turn, None).file.data == played.newest
    home = make_home(tmp_path / "eve", "Eve", "")
    facts, _, code = inbox.look(home, [path])
    assert code == 0
    assert [file.kind for file in facts.files] == ["foreign"]


def test_a_cut_attachment_beside_whole_armor(played: Played, tmp_path: Path) -> None:
    """What a scanner or a full disk leaves of an attachment does not hide the armor of the same
    mail."""
    message = letter(
        armor.wrap(played.newest), (played.newest[:-700], "application/octet-stream", "turn.toml")
    )
    path = tmp_path / "turn.eml"
    path.write_bytes(message.as_bytes())
    assert open_game.open_file(named_file.find(path).turn, None).file.data == played.newest
    message = letter("", (played.newest[:-700], "application/octet-stream", "turn.toml"))
    path.write_bytes(message.as_bytes())
    with pytest.raises(Malformed, match="ask"):
        open_game.open_file(named_file.find(path).turn, None)


def test_a_forged_attachment_beside_whole_armor(played: Played, tmp_path: Path) -> None:
    forged = played.newest.replace(b"Good luck!", b"Bad luck!!")
    path = tmp_path / "turn.eml"
    path.write_bytes(
        letter(armor.wrap(played.newest), (forged, "text/plain", "turn.toml")).as_bytes()
    )
    assert open_game.open_file(named_file.find(path).turn, None).file.data == played.newest


def test_several_turns_of_one_game_mean_the_newest(played: Played, tmp_path: Path) -> None:
    old, new = played.files[-3], played.files[-1]
    path = tmp_path / "turn.eml"
    path.write_bytes(
        letter(
            "two", (old, "text/plain", "old.toml"), (zipped(new, old), "application/zip", "all.zip")
        ).as_bytes()
    )
    assert open_game.open_file(named_file.find(path).turn, None).file.data == new


def test_turns_of_two_games_are_told_apart(played: Played, tmp_path: Path) -> None:
    other = go_on(start(tmp_path / "game"), 1).newest
    path = tmp_path / "turn.eml"
    path.write_bytes(
        letter(
            "two", (other, "text/plain", "a.toml"), (played.newest, "text/plain", "b.toml")
        ).as_bytes()
    )
    with pytest.raises(Malformed, match=r"2 different turns.*pbem inbox"):
        named_file.find(path)


def test_words_above_a_pasted_turn_are_no_headers(played: Played) -> None:
    text = f"Subject: what we play\n  {armor.wrap(played.newest)}".encode().replace(b"\n", b"\n  ")
    (found,) = find_turns.turns_in(text, "here")
    assert found.data == played.newest


def test_a_players_words_make_no_armor_with_dashes_of_any_kind(tmp_path: Path) -> None:
    game = start(tmp_path)
    words = f"—BEGIN PBEM TURN—\nAAAA\n–END PBEM TURN–\n{armor.BEGIN}\nAAAA\n{armor.END}"
    game = go_on(game, 1, message=words)
    (found,) = find_turns.turns_in(mail_of(game.newest), "here")
    assert found.data == game.newest
