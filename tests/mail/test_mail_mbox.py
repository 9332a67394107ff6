"""Files that hold many mails: every variant of mbox, and MMDF."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.mail import turn_files
from tests.mail.test_mail_odd import mail
from tests.support.mail_kit import Played

FROM = b"From ann@example.org Fri Nov 27 19:55:28 2026\n"
OTHER = b"Subject: other\n\nHello.\n"


def with_line(turn: bytes, line: bytes) -> bytes:
    """A mail of the turn whose text has this line, behind a blank one."""
    return mail(turn).replace(b"my turn.\n", b"my turn.\n\n" + line + b"\n")


def mbox(*mails: bytes, begin: bytes = FROM) -> bytes:
    return b"".join(begin + one + b"\n" for one in mails)


def with_length(one: bytes, wrong: int = 0) -> bytes:
    head, _, body = one.partition(b"\n\n")
    return head + b"\nContent-Length: %d\n\n" % (len(body) + wrong) + body


FORMS: dict[str, Callable[[bytes], bytes]] = {
    "plain": lambda turn: mbox(OTHER, mail(turn), OTHER),
    "From in the text": lambda turn: mbox(with_line(turn, b"From here on it is your turn."), OTHER),
    "From with an address in the text": lambda turn: mbox(
        with_line(turn, b"From bob@example.org"), OTHER
    ),
    "From with a date in the text": lambda turn: mbox(with_line(turn, FROM + b"he wrote"), OTHER),
    "quoted (mboxrd)": lambda turn: mbox(with_line(turn, b">From here\n>>From there"), OTHER),
    "true lengths (mboxcl)": lambda turn: mbox(
        with_length(OTHER), with_length(with_line(turn, FROM + b"Subject: of another")), OTHER
    ),
    "a length that is too short": lambda turn: mbox(with_length(mail(turn), -300), OTHER),
    "a length that is too long": lambda turn: mbox(with_length(mail(turn), 300), OTHER),
    "a length past the end": lambda turn: mbox(OTHER, with_length(mail(turn), 10**9)),
    "Thunderbird": lambda turn: mbox(OTHER, mail(turn), begin=b"From - Fri Nov 27 19:55:28 2026\n"),
    "with a zone": lambda turn: mbox(
        OTHER, mail(turn), begin=b"From a@b.c Fri, 27 Nov 2026 19:55:28 +0000\n"
    ),
    "no date anywhere": lambda turn: mbox(OTHER, mail(turn), begin=b"From ann@example.org\n"),
    "no blank line between": lambda turn: FROM + mail(turn).rstrip(b"\n") + b"\n" + FROM + OTHER,
    "CR LF": lambda turn: mbox(OTHER, mail(turn)).replace(b"\n", b"\r\n"),
    "a blank line first": lambda turn: b"\n" + mbox(OTHER, mail(turn)),
    "MMDF": lambda turn: b"".join(
        b"\1\1\1\1\n" + one + b"\1\1\1\1\n" for one in (OTHER, mail(turn), OTHER)
    ),
    "MMDF with From lines": lambda turn: b"".join(
        b"\1\1\1\1\n" + FROM + one + b"\1\1\1\1\n" for one in (OTHER, mail(turn))
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_mbox_is_read(played: Played, tmp_path: Path, form: str) -> None:
    path = tmp_path / "mails"
    path.write_bytes(FORMS[form](played.newest))
    assert [one.data for one in turn_files.look(path)] == [played.newest]


def test_each_mail_is_found_once(played: Played, tmp_path: Path) -> None:
    path = tmp_path / "mails"
    path.write_bytes(mbox(*(mail(data) for data in played.files)))
    found = list(turn_files.look(path))
    assert [one.data for one in found] == played.files
    assert re.search(r"message 2\Z", found[1].where)


def test_an_mbox_without_a_turn_says_so_if_it_is_named(tmp_path: Path) -> None:
    (tmp_path / "mails").write_bytes(mbox(OTHER, OTHER))
    assert [one.problem for one in turn_files.look(tmp_path / "mails")] == [turn_files.NOTHING]
    assert list(turn_files.look(tmp_path)) == []
