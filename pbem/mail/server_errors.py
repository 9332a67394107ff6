"""What a mail server answered, and what went wrong with it, in words for the player."""

from __future__ import annotations

import imaplib
import re
import smtplib
import socket
import ssl

from pbem.errors import Hint, Refused, Typed, parts
from pbem.mail import deadline
from pbem.mail.server import Server

_PASSWORD = "check user and password; many services want a password made for programs"
_OWN_CA = (
    "check the host's name",
    Typed("if the server has a certificate of its own, name it as ca-file in mail.toml"),
)
_OAUTH = (
    "ask the service for a password for programs (an app password)",
    Typed(
        "or have another program fetch and send: a Maildir that it fills as inbox, and its line as"
        " send.program (pbem help mail)"
    ),
)
_NO_AUTH = (
    Typed(
        'check port and security in mail.toml: many servers let sign in on 587 with "starttls" or'
        ' on 465 with "tls" alone'
    ),
    "a server that wants no sign-in gets no user",
)
_DATE = (
    "check the date of this machine; if it is right, whoever keeps the server has to renew the"
    " certificate"
)
_EXPIRED = (9, 10)
"""OpenSSL's codes of a certificate that is not valid yet, or any more."""
_OAUTH_WORDS = re.compile(
    r"(?i)oauth|basic auth\w* is disabled|5\.7\.139|webalert|web login required"
)
"""What servers say that take no password."""
_NO_TLS = (
    "WRONG_VERSION_NUMBER",
    "RECORD_LAYER_FAILURE",
    "HTTP_REQUEST",
    "UNKNOWN_PROTOCOL",
    "UNEXPECTED_EOF",
)


class LoginError(Exception):
    """The server does not take this user and password; its text is what the server said."""


def in_words(error: Exception, server: Server, done: str = "") -> Refused:
    """The error in words for the player. `done` begins the hint and says what was, or was not,
    done."""
    what, hint = _explain(error, server)
    return Refused(what, hint=(*parts(done), *parts(hint)))


def _explain(error: Exception, server: Server) -> tuple[str, Hint]:
    """What went wrong in words, and what to do about it."""
    host = server.host
    if isinstance(error, smtplib.SMTPServerDisconnected) and isinstance(
        error.__context__, TimeoutError
    ):
        error = error.__context__  # smtplib hides why it closed the connection
    if _wants_oauth(error):
        what = f"{host} takes no password, only a sign-in by a browser (OAuth)"
        return f"{what}: {said(error)}", _OAUTH
    if isinstance(error, smtplib.SMTPAuthenticationError | LoginError):
        return f"{host} does not take this user and password: {said(error)}", _PASSWORD
    if isinstance(error, smtplib.SMTPNotSupportedError) and "AUTH" in str(error):
        return f"{host} offers no sign-in on port {server.port}", _NO_AUTH
    if isinstance(error, smtplib.SMTPException) and "authentication method" in str(error):
        return f"{host} offers no sign-in by user and password", _OAUTH
    if isinstance(error, ssl.SSLCertVerificationError) and error.verify_code in _EXPIRED:
        return f"the certificate of {host} is not valid today: {clean(error.verify_message)}", _DATE
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"the certificate of {host} is not trusted: {clean(error.verify_message)}", _OWN_CA
    if isinstance(error, ssl.SSLError) and (error.reason or "") in _NO_TLS:
        hint: Hint = 'if the server begins without it: security = "starttls"; else check the port'
        return f"{host} begins without TLS on port {server.port}", hint
    if isinstance(error, ssl.SSLError):
        return (
            f"{host} and this machine agree on no TLS: {clean(str(error.reason))}",
            "check port and security",
        )
    if "STARTTLS" in str(error):
        return (
            f"{host} offers no STARTTLS on port {server.port}",
            'security = "tls", or another port',
        )
    if isinstance(error, deadline.NoName):
        return (
            f"nobody tells this machine the address of {host}",
            "check your connection and its name server (DNS)",
        )
    if isinstance(error, socket.gaierror):
        return (
            f"there is no server {host}, or no way to it",
            Typed("check host in mail.toml, and your connection"),
        )
    if isinstance(error, ConnectionRefusedError):
        return (
            f"{host} takes no connection on port {server.port}",
            Typed("check port and security in mail.toml"),
        )
    if isinstance(error, TimeoutError):
        hint = (
            "check your connection",
            Typed('port and security in mail.toml (a port for TLS wants security = "tls")'),
        )
        return f"{host} does not answer on port {server.port}", hint
    if isinstance(
        error, smtplib.SMTPServerDisconnected | imaplib.IMAP4.abort | ConnectionError | EOFError
    ):
        return (
            f"{host} closed the connection: {clean(str(error))}",
            "try again, or check port and security",
        )
    return f"{host}: {clean(str(error))}", Typed("try again, or check mail.toml")


def _wants_oauth(error: Exception) -> bool:
    """Whether a server says, or its list of ways to sign in does, that it takes no password."""
    is_sign_in = isinstance(error, smtplib.SMTPAuthenticationError | LoginError)
    return is_sign_in and _OAUTH_WORDS.search(said(error)) is not None


def said(error: Exception) -> str:
    """What the server said about an error."""
    if isinstance(error, smtplib.SMTPResponseException):
        text = error.smtp_error
        return clean(text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text))
    return clean(str(error).removeprefix("b'").removesuffix("'"))


def as_bytes(answer: bytes | str) -> bytes:
    """What a server answered, as bytes."""
    return answer.encode() if isinstance(answer, str) else answer


def answer_text(code: int, text: bytes) -> str:
    """What a server answered by SMTP: its number and its words, on one line."""
    return clean(f"{code} {text.decode('utf-8', 'replace')}")


def clean(text: str) -> str:
    """What a server said, as one line that a terminal may show."""
    return "".join(c if c.isprintable() else " " for c in text)[:300]
