"""Mails whose structure no standard allows, as programs and people make them: what a careful reader
would read in them is read."""

from __future__ import annotations

import base64
import quopri
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.cli import inbox as command
from pbem.fileformat import armor
from pbem.fileformat.turnfile import as_lf, read
from pbem.home.game_index import short_name
from pbem.ledger.gate import follow
from pbem.mail import bounded_mime, find_turns, turn_files
from pbem.mail.unread_forms import Budget
from pbem.turn import inbox
from tests.support.mail_kit import Played, make_home, start

NAME = b"tripoli-0123abcd-0001.toml"


def mail(
    turn: bytes,
    *,
    first: bytes = b"",
    kind: bytes = b'multipart/mixed; boundary="bb1"',
    encoding: bytes = b"Content-Transfer-Encoding: base64\n",
    before: bytes = b"",
    body: bytes | None = None,
) -> bytes:
    """A mail with the turn attached, as a webmail makes it; each part of it may be another."""
    return (
        first
        + b"From: Ann <ann@example.org>\nTo: ben@example.org\nSubject: my turn\n"
        + b"MIME-Version: 1.0\nContent-Type: "
        + kind
        + b"\n\n--bb1\nContent-Type: text/plain; charset=utf-8\n\nHi Ben, my turn.\n\n"
        + before
        + b'--bb1\nContent-Type: application/octet-stream; name="'
        + NAME
        + b'"\n'
        + encoding
        + b'Content-Disposition: attachment; filename="'
        + NAME
        + b'"\n\n'
        + (base64.encodebytes(turn) if body is None else body)
        + b"\n--bb1--\n"
    )


def told(encoding: bytes) -> Callable[[bytes], bytes]:
    return lambda turn: mail(turn, encoding=b"Content-Transfer-Encoding: " + encoding + b"\n")


def typed(kind: bytes) -> Callable[[bytes], bytes]:
    return lambda turn: mail(turn, kind=kind)


def wide(encoding: str, mark: bytes = b"") -> Callable[[bytes], bytes]:
    return lambda turn: mark + mail(turn).decode("ascii").encode(encoding)


def whole_encoded(encode: Callable[[bytes], bytes], name: bytes) -> Callable[[bytes], bytes]:
    """A multipart that was encoded as a whole."""

    def made(turn: bytes) -> bytes:
        head, _, body = mail(turn).partition(b"\n\n")
        return head + b"\nContent-Transfer-Encoding: " + name + b"\n\n" + encode(body)

    return made


ODD: dict[str, Callable[[bytes], bytes]] = {
    "encoding with a semicolon": told(b"base64;"),
    "encoding in quotes": told(b'"base64"'),
    "encoding with a comment": told(b"base64 (of octets)"),
    "encoding behind a comment": told(b"(x) BASE64"),
    "encoding of another name": told(b"x-unknown"),
    "encoding that is not true": told(b"7bit"),
    "encoding not given": lambda turn: mail(turn, encoding=b""),
    "encoding with a blank before the colon": lambda turn: mail(
        turn, encoding=b"Content-Transfer-Encoding : base64\n"
    ),
    "quoted-printable in quotes": lambda turn: mail(
        turn,
        encoding=b'Content-Transfer-Encoding: "quoted-printable";\n',
        body=quopri.encodestring(turn),
    ),
    "quoted-printable not said": lambda turn: mail(
        turn, encoding=b"", body=quopri.encodestring(turn)
    ),
    "boundary with a comment": typed(b"multipart/mixed; boundary=bb1 (a comment)"),
    "boundary in quotes with a comment": typed(b'multipart/mixed; boundary="bb1" (a comment)'),
    "boundary of another name": typed(b'multipart/mixed; boundary="cc2"'),
    "boundary not given": typed(b"multipart/mixed"),
    "boundary with a semicolon": typed(b"multipart/mixed; boundary=bb1;"),
    "multipart that says it is text": typed(b"text/plain"),
    "closed too early": lambda turn: mail(
        turn, before=b"--bb1\nContent-Type: text/plain\n\nx\n--bb1--\n\n"
    ),
    "closed twice too early": lambda turn: mail(turn, before=b"--bb1--\n\n--bb1--\n\n"),
    ">From first": lambda turn: mail(
        turn, first=b">From ann@example.org Fri Nov 27 19:55:28 2026\n"
    ),
    "a header that is none": lambda turn: mail(
        turn, kind=b'multipart/mixed; boundary="bb1"\nthis is no header\nX-Other: x'
    ),
    "a blank before every colon": lambda turn: re.sub(
        rb"(?m)^([A-Z][A-Za-z-]+):", rb"\1 :", mail(turn)
    ),
    "no MIME-Version": lambda turn: mail(turn).replace(b"MIME-Version: 1.0\n", b""),
    "no headers about the content": lambda turn: re.sub(rb"(?m)^Content-.*\n", b"", mail(turn)),
    "CR CR LF": lambda turn: mail(turn).replace(b"\n", b"\r\r\n"),
    "CR CR CR LF": lambda turn: mail(turn).replace(b"\n", b"\r\r\r\n"),
    "CR": lambda turn: mail(turn).replace(b"\n", b"\r"),
    "UTF-16 with a mark": wide("utf-16"),
    "UTF-16 without": wide("utf-16-le"),
    "UTF-16, big end first, with a mark": wide("utf-16-be", b"\xfe\xff"),
    "UTF-16, big end first": wide("utf-16-be"),
    "UTF-32 with a mark": wide("utf-32"),
    "UTF-32 without": wide("utf-32-le"),
    "UTF-32, big end first": wide("utf-32-be"),
    "multipart in base64": whole_encoded(base64.encodebytes, b"base64"),
    "multipart in quoted-printable": whole_encoded(
        lambda body: quopri.encodestring(body), b"quoted-printable"
    ),
    "multipart that says base64 and is none": whole_encoded(lambda body: body, b"base64"),
    "base64 pasted below words": lambda turn: (
        b"Subject: x\n\nHi,\n\n" + base64.encodebytes(turn) + b"\nAnn\n"
    ),
    "base64 pasted and quoted": lambda turn: (
        b"Subject: x\n\nHi,\n\n> " + base64.encodebytes(turn).rstrip().replace(b"\n", b"\n> ")
    ),
    "the whole mail in base64 that nobody names": lambda turn: (
        b"Subject: x\n\n" + base64.encodebytes(mail(turn))
    ),
    "a saved mail in base64": lambda turn: base64.encodebytes(mail(turn)),
    "a saved mail in base64 without lines": lambda turn: base64.b64encode(b"\n" + mail(turn)),
    "the turn file behind the mark of UTF-16": lambda turn: b"\xff\xfe" + turn,
    "words and turn in one base64": lambda turn: (
        b"Subject: x\n\n" + base64.encodebytes(b"Hi!\n\n" + turn)
    ),
    "armor in base64 that nobody names": lambda turn: (
        b"Subject: x\n\n" + base64.encodebytes(b"Hi!!\n" + armor.wrap(turn).encode())
    ),
    "a saved page": lambda turn: (
        b"<!DOCTYPE html>\n<html><body><div>"
        + armor.wrap(turn).encode().replace(b"\n", b"<br>\n")
        + b"</div></body></html>\n"
    ),
    "a saved page in UTF-16": lambda turn: (
        "<html><body><pre>" + armor.wrap(turn) + "</pre></body></html>"
    ).encode("utf-16"),
    "the turn file with CR CR LF": lambda turn: turn.replace(b"\n", b"\r\r\n"),
    "the turn file with CR": lambda turn: turn.replace(b"\n", b"\r"),
    "the turn file in UTF-32": lambda turn: turn.decode().encode("utf-32"),
}


@pytest.mark.parametrize("form", ODD)
def test_an_odd_mail_is_read(played: Played, form: str) -> None:
    found = list(find_turns.turns_in(ODD[form](played.newest), "here"))
    assert [as_lf(one.data or b"") for one in found] == [played.newest]


@pytest.mark.parametrize("form", ["encoding not given", "multipart in base64", "CR CR LF"])
def test_an_odd_mail_inside_another_is_read(played: Played, form: str) -> None:
    """It was forwarded, as an attachment."""
    inner = ODD[form](played.newest)
    if b"\r\r\n" in inner:
        inner = inner.replace(b"\r\r\n", b"\n")
    outer = b"Subject: Fwd\nContent-Type: message/rfc822\n\n" + inner
    (one,) = find_turns.turns_in(outer, "here")
    assert one.data == played.newest


def test_base64_that_was_cut_gives_what_is_whole(played: Played) -> None:
    letters = base64.encodebytes(played.newest)
    for cut in range(200, 280):
        head = mail(b"", body=letters[:cut]).partition(letters[:cut])[0]
        (one,) = find_turns.turns_in(head + letters[:cut], "here")
        whole = len(letters[:cut].replace(b"\n", b"")) * 6 // 8
        assert one.data is not None and one.data == played.newest[: len(one.data)]
        assert len(one.data) >= whole - 1


def test_noise_in_an_odd_mail_never_becomes_another_turn(played: Played) -> None:
    dice = random.Random(7)
    for form in ODD:
        bent = bytearray(ODD[form](played.newest))
        for _ in range(3):
            place = dice.randrange(len(bent))
            bent[place : place + 1] = dice.randbytes(dice.randrange(3))
        list(find_turns.turns_in(bytes(bent), "here"))


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ("yEnc", b"=ybegin line=128 size=9 name=x.toml\n"),
        ("BinHex", b"(This file must be converted with BinHex 4.0)\n"),
    ],
)
def test_a_form_that_is_not_read_is_named(form: str, words: bytes) -> None:
    (one,) = find_turns.turns_in(b"Subject: pbem\n\nHi\n\n" + words, "here")
    assert form in one.problem and "(hint: " in one.problem


WITHOUT: dict[str, bytes] = {
    "blocked": b"[Outlook has blocked access to the following potentially unsafe attachments: %s]",
    "scrubbed": b"A non-text attachment was scrubbed...\nName: %s\nType: application/octet-stream",
    "removed": b"WARNING: the attachment %s was removed by the mail gateway.",
}


@pytest.mark.parametrize("form", WITHOUT)
@pytest.mark.parametrize("encoding", ["8bit", "base64"])
def test_a_mail_whose_attachment_was_taken_out_is_lost(
    tmp_path: Path, form: str, encoding: str
) -> None:
    game = start(tmp_path)
    ben = game.homes["tripolitan"]
    name = f"{short_name(follow(read(game.newest))[0])}-0002.toml".encode()
    words = WITHOUT[form] % name
    body = base64.encodebytes(words) if encoding == "base64" else words
    _place(tmp_path / "in", b"Content-Transfer-Encoding: " + encoding.encode() + b"\n\n" + body)
    box = inbox.Inbox(ben)
    box.take_from(tmp_path / "in", "")
    (item,) = box.items
    assert (item.kind, item.entry) == ("lost", 2)
    assert "ann@example.org" in item.reason and "pbem send" in item.reason


def _place(folder: Path, rest: bytes) -> None:
    folder.mkdir()
    (folder / "1.eml").write_bytes(b"From: Ann <ann@example.org>\nSubject: Re: x\n" + rest)


@pytest.mark.parametrize("header", [b"In-Reply-To", b"References"])
def test_an_answer_to_a_games_mail_without_a_turn_is_lost(tmp_path: Path, header: bytes) -> None:
    game = start(tmp_path)
    number = follow(read(game.newest))[0].game_id.hex()
    reply = header + f": <{number[:16]}.1.0123456789abcdef@pbem.invalid>\n\nHi\n".encode()
    _place(tmp_path / "in", reply)
    box = inbox.Inbox(game.homes["tripolitan"])
    box.take_from(tmp_path / "in", "")
    assert [(item.kind, item.entry) for item in box.items] == [("lost", 2)]
    own = inbox.Inbox(game.homes["american"])  # whose turn it is: nothing is missing
    own.take_from(tmp_path / "in", "")
    assert own.items == []
    stranger = inbox.Inbox(make_home(tmp_path / "eve", "Eve", "eve@example.org"))
    stranger.take_from(tmp_path / "in", "")
    assert stranger.items == []


def test_an_empty_turn_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "tripoli-0123abcd-0001.toml").write_bytes(b"")
    (tmp_path / "notes.txt").write_bytes(b"")
    (one,) = turn_files.look(tmp_path)
    assert one.problem == turn_files.EMPTY


@pytest.mark.parametrize(
    ("name", "content", "what"),
    [
        ("rules.pdf", b"%PDF-1.7\n", "a PDF"),
        ("photo.png", b"\x89PNG\r\n\x1a\n", "a picture"),
        ("page.html", b"<!doctype html><html><body>hi</body></html>", "a saved page"),
    ],
)
def test_what_is_no_turn_is_named_above_the_games(
    tmp_path: Path, name: str, content: bytes, what: str
) -> None:
    game = start(tmp_path)
    (tmp_path / name).write_bytes(content)
    facts, text, code = command.look(game.homes["american"], [tmp_path / name])
    assert code == 3 and what in facts.files[0].reason
    assert text.index(facts.files[0].reason) < text.index(facts.games[0].short)


def test_a_header_that_begins_behind_a_lone_line_end_counts(played: Played) -> None:
    """The headers about the content are read by themselves, as the library reads all."""
    made = mail(played.newest).replace(b"MIME-Version: 1.0\n", b"MIME-Version: 1.0\r")
    kinds = [part.type for part in bounded_mime.parts(made, Budget())]
    assert kinds == ["text/plain", "application/octet-stream"]
