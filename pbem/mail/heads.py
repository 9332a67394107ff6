"""What every mail begins with that somebody is to send: a subject, addresses and a date as mail
programs read them, and a text that no server breaks."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from pbem.home.identity import Identity, split_address

_SIMPLE_NAME = re.compile(r"[^\W_][\w '-]{0,39}\Z")
_LONGEST_LINE = 900
"""Letters of a line that goes as it is: servers break longer ones than 998."""


def address(name: str, mail: str) -> Address | None:
    """A player's address for a mail header; None if it is no plain address. A name that is more
    than letters, digits, spaces and the signs `'`, `-` and `_` stays out: somebody else chose it,
    and programs disagree on how to read it."""
    halves = split_address(mail)
    if halves is None:
        return None
    name = name.strip()
    return Address(name if _SIMPLE_NAME.match(name) else "", *halves)


def moment(date: str) -> datetime:
    """The date of an entry, in UTC; the beginning of 2000 for a date that does not exist."""
    try:
        return datetime.fromisoformat(date)
    except ValueError:  # the 31st of February, say: a claimed date proves nothing and stops nothing
        return datetime(2000, 1, 1, tzinfo=UTC)


def subject_of(text: str) -> str:
    """A text as a subject: one line of 200 letters at most."""
    return " ".join(text.split())[:200]


def set_text(message: EmailMessage, text: str) -> None:
    """The text of a mail, as it is where every server leaves it alone."""
    is_plain = text.isascii() and all(len(line) < _LONGEST_LINE for line in text.split("\n"))
    message.set_content(text, cte="7bit" if is_plain else "quoted-printable")


def draft(sender: Identity, to: Address | None, subject: str, text: str, date: str) -> EmailMessage:
    """A mail that its sender's program opens as a draft: to nobody yet where `to` is None."""
    message = EmailMessage(policy=SMTP)
    message["Subject"] = subject_of(subject)
    if (own := address(sender.name, sender.mail)) is not None:
        message["From"] = own
    if to is not None:
        message["To"] = to
    message["Date"] = format_datetime(moment(date))
    message["X-Unsent"] = "1"
    set_text(message, text)
    return message
