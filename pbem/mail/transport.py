"""The ways to send: a draft becomes a `Letter`, which a `Way` takes, a server or a program;
`way_of` chooses it.

Optional: any mail program does as well. What was sent of a game is noted where it is posted
(`pbem.mail.post`).
"""

from __future__ import annotations

import smtplib
import subprocess
from collections.abc import Collection, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import getaddresses, make_msgid
from typing import Protocol

from pbem.errors import Refused, Usage
from pbem.mail import failures
from pbem.mail.settings import MailSettings, Server

TIMEOUT = 30.0
NOT_SET_UP = (
    "pbem send asks for it in a terminal; or write in the home that pbem id shows: [send], host ="
    ' "smtp.example.org", security = "starttls", user = "ann@example.org", password-command ='
    ' ["pass", "mail"], each on a line of its own (pbem help mail); or send the draft (.eml) by'
    " your mail program, then pbem sent GAME"
)


class Doubtful(Refused):
    """It is not known whether anybody has the mail: it went wrong while the mail itself was handed
    over."""


@dataclass(frozen=True)
class Letter:
    """A mail as it goes out, and its envelope: who sends it, and the addresses that are to have it;
    `is_for_some` of those that it names."""

    message: EmailMessage
    sender: str
    to: Sequence[str]
    is_for_some: bool

    @property
    def id(self) -> str:
        """Its Message-ID."""
        return str(self.message["Message-ID"]).strip()

    def give_new_id(self) -> None:
        """Give it an id that no mail has, since a mail service may drop the second mail of one
        id."""
        del self.message["Message-ID"]
        self.message["Message-ID"] = make_msgid(domain="pbem.invalid")


class Way(Protocol):
    """A way to send mail."""

    def send(self, letter: Letter) -> Mapping[str, str]:
        """Hand a letter over; the addresses that were refused, in words: all others have it. Raises
        `Refused` if nobody has it, `Doubtful` if somebody may."""


def way_of(settings: MailSettings) -> Way:
    """How mail.toml says that mail is sent. Raises `NotSetUp` where it does not."""
    if settings.program:
        return Program(settings.program)
    if settings.send is None:
        raise NotSetUp("nothing is set up for sending", where="mail.toml", hint=NOT_SET_UP)
    return SmtpServer(settings.send)


def letter_of(
    mail: bytes, only: Collection[str] | None = None, *, automatic: bool = False
) -> Letter:
    """A draft as a letter to all to whom it is addressed, or `only` to some of them. `automatic`
    says so in the mail (RFC 3834, section 5): no hand sends it. Raises `Usage` if the draft has no
    addresses."""
    message = message_from_bytes(mail, policy=policy.SMTP)
    assert isinstance(message, EmailMessage)
    sender, to = _envelope(message)
    for header in ("X-Unsent", "Bcc", "Auto-Submitted"):
        del message[header]
    if automatic:
        message["Auto-Submitted"] = "auto-generated"
    letter = Letter(
        message,
        sender,
        to if only is None else [one for one in to if one in only],
        only is not None,
    )
    if not letter.to:
        raise NoAddress(
            "the draft is addressed to none of those", hint="pbem send FILE --to ADDRESS"
        )
    if not message["Message-ID"]:
        letter.give_new_id()
    return letter


class NotSetUp(Usage):
    """`mail.toml` does not say how to send."""


class NoAddress(Usage):
    """Nobody is named to whom the mail could go."""


def _envelope(message: EmailMessage) -> tuple[str, list[str]]:
    try:
        senders = getaddresses([str(message["From"] or "")])
        targets = getaddresses(
            [str(value) for name in ("To", "Cc") for value in message.get_all(name, [])]
        )
    except (ValueError, IndexError, AttributeError, TypeError) as error:
        raise Usage(
            "the addresses of this draft cannot be read", hint="write it anew with pbem play"
        ) from error
    to = list(dict.fromkeys(mail for _, mail in targets if "@" in mail))
    if not to:
        raise NoAddress(
            "the draft is addressed to nobody",
            hint="no other player gave a mail address; send it yourself",
        )
    mails = [mail for _, mail in senders if "@" in mail]
    if not mails:
        raise Usage(
            "you gave no mail address",
            hint="pbem id --mail ann@example.org; it counts for games to come",
        )
    if any(
        mail.startswith("-") or not mail.isprintable() or " " in mail for mail in (*to, mails[0])
    ):
        raise Usage(
            "the addresses of this draft cannot be read", hint="write it anew with pbem play"
        )
    return mails[0], to


@dataclass(frozen=True)
class Program:
    """A program that is fed the mail on its standard input and reads the addresses in it, as
    sendmail -t does: its path and the words after it."""

    command: Sequence[str]

    def send(self, letter: Letter) -> Mapping[str, str]:
        """As `Way.send`."""
        message = letter.message
        if letter.is_for_some:
            del message["To"], message["Cc"]
            message["To"] = ", ".join(letter.to)
        data = message.as_bytes(policy=message.policy.clone(linesep="\n"))
        try:
            done = subprocess.run(
                self.command, input=data, capture_output=True, check=False, timeout=120
            )
        except subprocess.TimeoutExpired as error:
            what = f"{self.command[0]} does not end"
            raise Doubtful(what, hint="the mail may be sent; check send.program") from error
        except OSError as error:
            raise Refused(
                f"cannot run {self.command[0]}", hint="check send.program in mail.toml"
            ) from error
        if done.returncode != 0:
            said = done.stderr.decode("utf-8", "replace").strip()[-200:]
            what = (
                f"{self.command[0]} did not take the mail:"
                f" {failures.clean(said) or done.returncode}"
            )
            raise Doubtful(what, hint="it says that nothing was sent")
        return {}


@dataclass(frozen=True)
class SmtpServer:
    """A server that takes mails by SMTP (RFC 5321)."""

    server: Server

    def send(self, letter: Letter) -> Mapping[str, str]:
        """As `Way.send`."""
        server = self.server
        password = server.password() if server.user else ""
        is_handed_over = False
        try:
            with closing(
                smtp(server)
            ) as connection:  # `with` on itself says QUIT, whose answer would hide an interrupt
                if server.user:
                    connection.login(server.user, password)
                is_handed_over = True
                refused = connection.send_message(letter.message, letter.sender, letter.to)
                # the mail is taken, whatever comes now
                with suppress(smtplib.SMTPException, OSError):
                    connection.quit()
        except smtplib.SMTPResponseException as error:
            if isinstance(error, smtplib.SMTPAuthenticationError):
                raise failures.in_words(error, server, "nothing was sent") from error
            what = f"{server.host} did not take the mail: {failures.said(error)}"
            raise Refused(what, hint="nothing was sent") from error
        except smtplib.SMTPRecipientsRefused as error:
            refused = error.recipients
        except (smtplib.SMTPException, OSError, ValueError) as error:
            if not is_handed_over:
                raise failures.in_words(error, server, "nothing was sent") from error
            told = failures.in_words(error, server, "the mail may be sent all the same")
            raise Doubtful(told.what, hint=told.hint) from error
        return {
            mail: f"{server.host} did not take {mail}: {failures.answered(*answer)}"
            for mail, answer in refused.items()
        }


def smtp(server: Server) -> smtplib.SMTP:
    """A connection on which nobody has signed in yet. Raises `smtplib.SMTPException`, `OSError` or
    `Usage`."""
    if server.security == "tls":
        return smtplib.SMTP_SSL(server.host, server.port, timeout=TIMEOUT, context=server.tls())
    connection = smtplib.SMTP(server.host, server.port, timeout=TIMEOUT)
    if server.security == "starttls":
        connection.starttls(context=server.tls())
    return connection
