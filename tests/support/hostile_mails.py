"""Mails of 25 MB, each made to cost its reader as much as it can."""

from __future__ import annotations

import base64
import io
import zipfile
from collections.abc import Callable

from pbem.fileformat import armor

SIZE = 25_000_000
BEGIN, END = armor.BEGIN.encode(), armor.END.encode()
START = b'format = "pbem/1"\n'


def filled(head: bytes, unit: bytes, tail: bytes = b"", size: int = SIZE) -> bytes:
    """The head, so many units as there is room for, and the tail."""
    return head + unit * ((size - len(head) - len(tail)) // len(unit)) + tail


def text_part(kind: bytes = b"text/plain", encoding: bytes = b"8bit") -> bytes:
    return b"Subject: x\nContent-Type: %s\nContent-Transfer-Encoding: %s\n\n" % (kind, encoding)


def multipart(boundary: bytes = b"b") -> bytes:
    return b"Subject: x\nContent-Type: multipart/mixed; boundary=%s\n\n" % boundary


def of_base64(content: bytes, kind: bytes = b"application/octet-stream") -> bytes:
    return text_part(kind, b"base64") + base64.encodebytes(content)


def nested(depth: int) -> bytes:
    return b"".join(
        b"Content-Type: multipart/mixed; boundary=%s\n\n--%s\n"
        % (b"b" * (number + 1), b"b" * (number + 1))
        for number in range(depth)
    )


def zipped(content: bytes, times: int = 1) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for number in range(times):
            archive.writestr(f"{number}.toml", content)
    return made.getvalue()


def long_list() -> bytes:
    """A zip of one file whose list of files has half a million entries."""
    made = zipped(b"x")
    first = made.index(b"PK\x01\x02")
    entry, end = made[first:-22], made[-22:]
    listed = entry * (15_000_000 // len(entry))
    return made[:first] + listed + end[:12] + len(listed).to_bytes(4, "little") + end[16:]


MAILS: dict[str, Callable[[], bytes]] = {
    "blanks in armor": lambda: filled(BEGIN + b"\n", b"A ", b"\n" + END),
    "blanks in armor, 14 MB": lambda: filled(BEGIN + b"\n", b"A ", b"\n" + END, 14_000_000),
    "initials in armor": lambda: filled(BEGIN + b"\n", b"A>\n", b"\n" + END),
    "initials in armor, 4 MB": lambda: filled(BEGIN + b"\n", b"A>\n", b"\n" + END, 4_000_000),
    "many small armors": lambda: filled(b"", BEGIN + b"\nA>\n" + END + b"\n"),
    "armors of 4 MB": lambda: (BEGIN + b"\n" + b"A>\n" * 1_300_000 + END + b"\n") * 6,
    "nothing but dashes": lambda: filled(b"", b"-"),
    "nothing but names": lambda: filled(b"", b"PBEM"),
    "nothing but begins": lambda: filled(b"", BEGIN),
    "nothing but line ends": lambda: filled(text_part(), b"\n"),
    "tags": lambda: filled(text_part(b"text/html") + BEGIN, b"<a>", END),
    "entities": lambda: filled(text_part(b"text/html") + BEGIN, b"&gt;", END),
    "numbers of characters": lambda: filled(text_part(b"text/html") + BEGIN, b"&#8203;", END),
    "names of no entity": lambda: filled(text_part(b"text/html") + BEGIN, b"&" + b"a" * 31, END),
    "unclosed tags": lambda: filled(text_part(b"text/html") + BEGIN, b"<a ", END),
    "quoted-printable": lambda: filled(text_part(encoding=b"quoted-printable"), b"=41"),
    "quoted-printable HTML": lambda: filled(
        text_part(b"text/html", b"quoted-printable") + BEGIN, b"=3Ca=3E"
    ),
    "one line of base64": lambda: filled(
        text_part(b"text/html", b"base64"), base64.b64encode(BEGIN + b"<a><a>")
    ),
    "headers": lambda: filled(b"", b"Subject: x\n"),
    "one header": lambda: filled(b"Subject: ", b"=?x?q?=?="),
    "parts": lambda: filled(multipart(), b"--b\n\nx\n"),
    "delimiters": lambda: filled(multipart(), b"\n--b"),
    "delimiters of others": lambda: filled(multipart(), b"\n--bb"),
    "parts in parts": lambda: filled(b"Subject: x\n" + nested(15), b"\n--" + b"b" * 15 + b"\n\nx"),
    "mails in mails": lambda: filled(b"Subject: x\n", b"Content-Type: message/rfc822\n\n"),
    "bytes of every kind": lambda: filled(text_part(), bytes(range(128, 256))),
    "carriage returns": lambda: filled(b"Subject: x\r\r", b"\r"),
    "uuencoded": lambda: filled(text_part() + b"begin 644 x\n", b"`\n"),
    "many uuencoded": lambda: filled(text_part(), b"begin 644 x\n`\nend\n"),
    "nothing but begin": lambda: filled(text_part(), b"begin 644 "),
    "UTF-16": lambda: of_base64(b"\xff\xfe" + "語".encode("utf-16-le") * 4_000_000),
    "a zip of much": lambda: of_base64(zipped(START + b" " * 200_000_000)),
    "a zip of many": lambda: of_base64(zipped(START + b" " * 1_000_000, 300)),
    "a zip with a long list": lambda: of_base64(long_list()),
    "a turn of line ends": lambda: of_base64(START + b"\n" * 7_900_000),
    "a turn of short lines": lambda: of_base64(START + b"ab\n" * 2_600_000),
    "a turn of characters": lambda: of_base64(
        START + ("\n[[entry]]\nseat = [\n" + '  "語",\n' * 400).encode() * 1800
    ),
    "two long turns": lambda: (
        multipart()
        + b"".join(
            b"--b\n"
            + of_base64(
                START
                + b"\n[[entry]]\n"
                + (b"seat = [\n" + b'  "ab",\n' * 500 + b"]\n") * 1500
                + b"%d" % n
            )
            for n in range(3)
        )
    ),
}
"""By name; each is made when it is asked for."""
