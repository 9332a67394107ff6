"""Sends mail: a draft becomes a `Letter`, which a `Way` takes, a server or a program, as `way_of`
chooses. `post` sends the mail of a turn and notes it in the outbox of its game
(`pbem.home.outbox`).

Nobody needs this: a draft can be sent by any mail program as well. What goes wrong between this
program and a mail server is put into words here, with what to do about it.
"""

from __future__ import annotations

import smtplib
import socket
import ssl
import time
from collections.abc import Collection, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import getaddresses, make_msgid
from pathlib import Path
from typing import Any, Literal, Protocol

from pbem.errors import Do, Refused, Typed, Usage
from pbem.home import outbox
from pbem.home.outbox import SentMail, SentTurn
from pbem.mail import commands, deadline
from pbem.mail.server import Server
from pbem.mail.server_errors import answer_text, as_bytes, clean, in_words, said
from pbem.mail.settings import MailSettings

DATA_ANSWER = 600.0
"""Seconds that a server may take to answer a mail that was handed over whole."""
_PROGRAM_PATIENCE = 120.0
"""Seconds that a program may take to take a mail."""
NOT_SET_UP = (
    Do("send", does="asks for it in a terminal"),
    Typed(
        'or write in the home that pbem id shows: [send], host = "smtp.example.org", security ='
        ' "starttls", user = "ann@example.org", password-command = ["pass", "mail"], each on a line'
        " of its own (pbem help mail)"
    ),
    Typed(
        "or send the draft (.eml), which pbem play GAME writes where it is not there, by your mail"
        " program, then pbem sent GAME"
    ),
)


class Doubtful(Refused):
    """It is not known whether anybody has the mail, since something went wrong while it was handed
    over."""


@dataclass(frozen=True)
class Letter:
    """A mail as it goes out, and its envelope: who sends it, and the addresses that are to have it.
    `is_for_some`: they are not all that the mail names."""

    message: EmailMessage
    sender: str
    to: Sequence[str]
    is_for_some: bool

    @property
    def id(self) -> str:
        """Its Message-ID."""
        return str(self.message["Message-ID"]).strip()

    def give_new_id(self) -> None:
        """Give it an id that no other mail has, since a mail service may drop the second mail with
        one id."""
        del self.message["Message-ID"]
        self.message["Message-ID"] = make_msgid(domain="pbem.invalid")


class Way(Protocol):
    """A way to send mail."""

    def send(self, letter: Letter) -> Mapping[str, str]:
        """Hand a letter over; returns the addresses that were refused, with the reason in words:
        all others have it. Raises `Refused` if nobody has it, `Doubtful` if somebody may."""


def way_of(settings: MailSettings) -> Way:
    """The way to send that mail.toml names. Raises `NotSetUp` where it names none."""
    if settings.program:
        return Program(settings.program)
    if settings.send is None:
        raise NotSetUp("nothing is set up for sending", where="mail.toml", hint=NOT_SET_UP)
    return SmtpServer(settings.send)


def letter_of(
    mail: bytes, only: Collection[str] | None = None, *, automatic: bool = False
) -> Letter:
    """A draft as a letter to all to whom it is addressed, or `only` to some of them. `automatic`
    marks the mail as sent by a program (RFC 3834, section 5). Raises `Usage` if the draft has no
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
            "the draft is addressed to none of those", hint=Do("send", "FILE", "--to", "ADDRESS")
        )
    if not message["Message-ID"]:
        letter.give_new_id()
    return letter


class Unnoted(Usage):
    """A mail went out, or may have, and that cannot be noted."""


class NotSetUp(Usage):
    """`mail.toml` does not say how to send."""


class NoAddress(Usage):
    """The mail names nobody to whom it could go."""


def _envelope(message: EmailMessage) -> tuple[str, list[str]]:
    """The address of the sender, and those of the recipients. Raises `Usage` if one is missing or
    not plain."""
    try:
        senders = getaddresses([str(message["From"] or "")])
        targets = getaddresses(
            [str(value) for name in ("To", "Cc") for value in message.get_all(name, [])]
        )
    except (ValueError, IndexError, AttributeError, TypeError) as error:
        raise Usage(
            "the addresses of this draft cannot be read",
            hint=Do("play", "GAME", does="writes it anew"),
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
            hint=(Do("id", "--mail", "ann@example.org"), "it counts for games to come"),
        )
    if any(
        mail.startswith("-") or not mail.isprintable() or " " in mail for mail in (*to, mails[0])
    ):
        raise Usage(
            "the addresses of this draft cannot be read",
            hint=Do("play", "GAME", does="writes it anew"),
        )
    return mails[0], to


@dataclass(frozen=True)
class Program:
    """A program that reads the mail on its standard input and finds the addresses in it, as
    sendmail -t does: its path and arguments. Notices that a mail did not arrive go to the envelope
    sender, which would be this user of this machine: `{sender}` among the arguments stands for the
    player's address, and a sendmail that is given no sender gets it by -f."""

    command: Sequence[str]

    def command_for(self, sender: str) -> list[str]:
        """The command for a mail that comes from this address."""
        path, *arguments = self.command
        filled = [one.replace("{sender}", sender) for one in arguments]
        has_sender = filled != arguments or any(one.startswith(("-f", "-r")) for one in arguments)
        is_told = has_sender or Path(path).stem != "sendmail"
        return [path, *filled] if is_told else [path, *filled, "-f", sender]

    def send(self, letter: Letter) -> Mapping[str, str]:
        """As `Way.send`."""
        message = letter.message
        if letter.is_for_some:
            del message["To"], message["Cc"]
            message["To"] = ", ".join(letter.to)
        data = message.as_bytes(policy=message.policy.clone(linesep="\n"))
        try:
            done = commands.run(self.command_for(letter.sender), _PROGRAM_PATIENCE, data)
        except commands.Endless as error:
            what = f"{self.command[0]} was ended: {error}"
            raise Doubtful(what, hint="the mail may be sent; check send.program") from error
        except OSError as error:
            raise Refused(
                f"cannot run {self.command[0]}", hint=Typed("check send.program in mail.toml")
            ) from error
        if done.code != 0:
            said = done.errors.decode("utf-8", "replace").strip()[-200:]
            what = f"{self.command[0]} did not take the mail: {clean(said) or done.code}"
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
        except smtplib.SMTPDataError as error:
            refused = dict.fromkeys(letter.to, (error.smtp_code, as_bytes(error.smtp_error)))
        except smtplib.SMTPResponseException as error:
            if isinstance(error, smtplib.SMTPAuthenticationError):
                raise in_words(error, server, "nothing was sent") from error
            if isinstance(error, smtplib.SMTPSenderRefused):
                answer = (error.smtp_code, as_bytes(error.smtp_error))
                refused = dict.fromkeys(letter.to, answer)
            else:
                what = f"{server.host} did not take the mail: {said(error)}"
                raise Refused(what, hint="nothing was sent") from error
        except smtplib.SMTPRecipientsRefused as error:
            refused = error.recipients
        except (smtplib.SMTPException, OSError, ValueError) as error:
            if not is_handed_over:
                raise in_words(error, server, "nothing was sent") from error
            wording = in_words(error, server, "the mail may be sent all the same")
            raise Doubtful(wording.what, hint=wording.hint) from error
        return {
            mail: f"{server.host} did not take {mail}: {answer_text(*answer)}"
            for mail, answer in refused.items()
        }


class Smtp(smtplib.SMTP):
    """A connection by SMTP on which no answer takes for ever, under TLS from the start if there is
    a context."""

    def __init__(self, server: Server, context: ssl.SSLContext | None) -> None:
        self._context = context
        # the library would look up this machine's name, without a deadline, and tell it to all
        super().__init__(server.host, server.port, "[127.0.0.1]", deadline.TIMEOUT)

    def _get_socket(self, host: str, port: int, _timeout: float) -> socket.socket:
        return deadline.connect(host, port, self._context)

    def data(self, msg: Any) -> tuple[int, bytes]:
        """Hand over a mail. A server may look through it before it answers (RFC 5321, section
        4.5.3.2.6)."""
        connection: Any = self.sock
        connection.most = DATA_ANSWER
        connection.settimeout(DATA_ANSWER)
        try:
            return super().data(msg)
        finally:
            connection.most = deadline.TIMEOUT
            connection.settimeout(deadline.TIMEOUT)


def smtp(server: Server) -> Smtp:
    """A connection on which nobody has signed in yet. Raises `smtplib.SMTPException`, `OSError` or
    `Usage`."""
    if server.security == "tls":
        return Smtp(server, server.tls())
    connection = Smtp(server, None)
    if server.security == "starttls":
        connection.starttls(context=deadline.bounded(server.tls()))
    return connection


@dataclass(frozen=True)
class Delivery:
    """What became of a mail: the addresses that have it, and those that were refused, each with the
    reason."""

    to: Sequence[str]
    refused: Mapping[str, str]


@dataclass(frozen=True)
class MailedTurn:
    """The turn file that a mail carries: the folder of its game in the home, the number of its
    newest entry, and its bytes. A mail of the kind "turn" is for all players. A "reminder" goes to
    somebody who may have the turn already, and a turn is "passed on" to addresses of the sender's
    choice: if those are refused, no player lacks the turn."""

    folder: Path
    number: int
    data: bytes
    kind: Literal["turn", "passed on", "reminder"] = "turn"


def post(
    turn: MailedTurn,
    mail: bytes,
    way: Way,
    only: Collection[str] | None = None,
    *,
    automatic: bool = False,
) -> Delivery:
    """Send the mail of a turn to all to whom it is addressed, or `only` to some of them, and note
    it in the outbox. A mail that goes to somebody a second time by hand gets an id of its own: a
    mail service may drop the second mail with one id, and a notice that it was not delivered names
    the id. Where a mail that is sent by hand cannot be noted it goes out all the same.

    Raises `Usage` if the draft has no addresses, `Refused` if nobody has it, `Doubtful` if somebody
    may, `Unnoted` if a turn that a program sends by itself cannot be noted.
    """
    letter = letter_of(mail, only, automatic=automatic)
    before = outbox.sent_turn(turn.folder, turn.data)
    if not automatic and any(
        one.id == letter.id and {*one.to} & {*letter.to} for one in before.mails
    ):
        letter.give_new_id()
    is_own = automatic and turn.kind == "turn"
    try:
        refused = way.send(letter)
    except Doubtful:
        _note(turn, letter, Delivery(letter.to, {}), is_own=is_own, is_doubtful=True)
        raise
    done = Delivery([address for address in letter.to if address not in refused], refused)
    _note(turn, letter, done, is_own=is_own)
    return done


def _note(
    turn: MailedTurn, letter: Letter, done: Delivery, *, is_own: bool, is_doubtful: bool = False
) -> None:
    """Note what became of a mail; `is_doubtful`: these addresses may have it. What a program sends
    by itself (`is_own`) has to be noted, or it would go out again. Raises `Unnoted` then."""
    now = time.time()
    mail = SentMail(letter.id, done.to, now, is_own)

    def add_mail(before: SentTurn) -> SentTurn:
        after = before.with_mail(mail) if mail.to else before
        if is_doubtful:
            return after.tried(now, outbox.FIRST) if is_own else after
        if turn.kind == "reminder":
            return replace(after, reminded=before.reminded or bool(done.to))
        after = after.went_to(done.to, done.refused if turn.kind == "turn" else {})
        return after.tried(now, outbox.FIRST_REFUSED) if is_own and after.lacking else after

    try:
        outbox.note(turn.folder, turn.number, turn.data, add_mail)
    except Usage as error:
        if is_own:
            raise Unnoted(error.what, where=error.where, hint=error.hint) from error
