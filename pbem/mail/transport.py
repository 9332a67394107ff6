"""Sending a draft by a program or by SMTP. Optional: any mail program does as well."""

from __future__ import annotations

import smtplib
import subprocess
from collections.abc import Collection, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import getaddresses, make_msgid

from pbem.errors import Refused, Usage
from pbem.mail import failures
from pbem.mail.settings import MailSettings, Server

TIMEOUT = 30.0
NOT_SET_UP = (
    'pbem send asks for it in a terminal; or write in the home that pbem id shows: [send], host = "smtp.example.org", '
    'security = "starttls", user = "ann@example.org", password-command = ["pass", "mail"], each on a line of its own '
    "(pbem help mail); or send the draft (.eml) by your mail program, then pbem sent GAME"
)


@dataclass(frozen=True)
class Delivery:
    """What became of a mail: the addresses that have it, and those that the server refused, in words."""

    to: Sequence[str]
    refused: Mapping[str, str]


class Doubtful(Refused):
    """It is not known whether anybody has the mail: it went wrong while the mail itself was handed over."""


def send(
    mail: bytes, settings: MailSettings, only: Collection[str] | None = None, *, automatic: bool = False
) -> Delivery:
    """Hand a draft to the program or the server of the settings, for all to whom it is addressed, or `only` for some of
    them. `automatic` says so in the mail (RFC 3834, section 5): no hand sent it.

    Raises `NotSetUp`, `Usage` if the draft has no addresses, `Refused` if nobody has it, `Doubtful` if
    somebody may.
    """
    message = message_from_bytes(mail, policy=policy.SMTP)
    assert isinstance(message, EmailMessage)
    sender, to = _envelope(message)
    for header in ("X-Unsent", "Bcc", "Auto-Submitted"):
        del message[header]
    if automatic:
        message["Auto-Submitted"] = "auto-generated"
    if not message["Message-ID"]:
        message["Message-ID"] = make_msgid(domain="pbem.invalid")
    if only is not None:
        to = [address for address in to if address in only]
        if not to:
            raise NoAddress("the draft is addressed to none of those", hint="pbem send FILE --to ADDRESS")
        if settings.program:  # it reads the addresses in the mail
            del message["To"], message["Cc"]
            message["To"] = ", ".join(to)
    if settings.program:
        _run(settings.program, message)
        return Delivery(to, {})
    check_set_up(settings)
    assert settings.send is not None
    refused = _deliver(settings.send, message, sender, to)
    return Delivery([address for address in to if address not in refused], refused)


def check_set_up(settings: MailSettings) -> None:
    """Raise `NotSetUp` where nothing says how mail is sent."""
    if not settings.can_send:
        raise NotSetUp("nothing is set up for sending", where="mail.toml", hint=NOT_SET_UP)


class NotSetUp(Usage):
    """`mail.toml` does not say how to send."""


class NoAddress(Usage):
    """Nobody is named to whom the mail could go."""


def _envelope(message: EmailMessage) -> tuple[str, list[str]]:
    try:
        senders = getaddresses([str(message["From"] or "")])
        targets = getaddresses([str(value) for name in ("To", "Cc") for value in message.get_all(name, [])])
    except (ValueError, IndexError, AttributeError, TypeError) as error:
        raise Usage("the addresses of this draft cannot be read", hint="write it anew with pbem play") from error
    to = list(dict.fromkeys(mail for _, mail in targets if "@" in mail))
    if not to:
        raise NoAddress(
            "the draft is addressed to nobody", hint="no other player gave a mail address; send it yourself"
        )
    mails = [mail for _, mail in senders if "@" in mail]
    if not mails:
        raise Usage("you gave no mail address", hint="pbem id --mail ann@example.org; it counts for games to come")
    if any(mail.startswith("-") or not mail.isprintable() or " " in mail for mail in (*to, mails[0])):
        raise Usage("the addresses of this draft cannot be read", hint="write it anew with pbem play")
    return mails[0], to


def _run(program: tuple[str, ...], message: EmailMessage) -> None:
    data = message.as_bytes(policy=message.policy.clone(linesep="\n"))
    try:
        done = subprocess.run(program, input=data, capture_output=True, check=False, timeout=120)
    except subprocess.TimeoutExpired as error:
        raise Doubtful(f"{program[0]} does not end", hint="the mail may be sent; check send.program") from error
    except OSError as error:
        raise Refused(f"cannot run {program[0]}", hint="check send.program in mail.toml") from error
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip()[-200:]
        what = f"{program[0]} did not take the mail: {failures.clean(said) or done.returncode}"
        raise Doubtful(what, hint="it says that nothing was sent")


def _deliver(server: Server, message: EmailMessage, sender: str, to: list[str]) -> dict[str, str]:
    """Those whom the server refused, in words; the others have the mail."""
    password = server.password() if server.user else ""
    is_handed_over = False
    try:
        with closing(_smtp(server)) as smtp:  # `with` on itself says QUIT, whose answer would hide an interrupt
            if server.user:
                smtp.login(server.user, password)
            is_handed_over = True
            refused = smtp.send_message(message, sender, to)
            with suppress(smtplib.SMTPException, OSError):  # the mail is taken, whatever comes now
                smtp.quit()
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
        mail: f"{server.host} did not take {mail}: {failures.answered(*answer)}" for mail, answer in refused.items()
    }


def _smtp(server: Server) -> smtplib.SMTP:
    if server.security == "tls":
        return smtplib.SMTP_SSL(server.host, server.port, timeout=TIMEOUT, context=server.tls())
    smtp = smtplib.SMTP(server.host, server.port, timeout=TIMEOUT)
    if server.security == "starttls":
        smtp.starttls(context=server.tls())
    return smtp
