"""What went wrong between this program and a mail server, in words and with what to do now."""

from __future__ import annotations

import imaplib
import smtplib
import socket
import ssl

from pbem.errors import Refused
from pbem.mail.settings import Server

_PASSWORD = "check user and password; many services want a password made for programs"
_OWN_CA = (
    "check the host's name; if the server has a certificate of its own, name it as ca-file in"
    " mail.toml"
)
_NO_TLS = (
    "WRONG_VERSION_NUMBER",
    "RECORD_LAYER_FAILURE",
    "HTTP_REQUEST",
    "UNKNOWN_PROTOCOL",
    "UNEXPECTED_EOF",
)


class LoginRefused(Exception):
    """The server does not take this user and password; what it said."""


def in_words(error: Exception, server: Server, done: str = "") -> Refused:
    """What the player is told; `done` begins the hint, with what was or was not done."""
    what, hint = _explained(error, server)
    return Refused(what, hint="; ".join(text for text in (done, hint) if text))


def _explained(error: Exception, server: Server) -> tuple[str, str]:
    host = server.host
    if isinstance(error, smtplib.SMTPAuthenticationError | LoginRefused):
        return f"{host} does not take this user and password: {said(error)}", _PASSWORD
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"the certificate of {host} is not trusted: {clean(error.verify_message)}", _OWN_CA
    if isinstance(error, ssl.SSLError) and (error.reason or "") in _NO_TLS:
        hint = 'if the server begins without it: security = "starttls"; else check the port'
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
    if isinstance(error, socket.gaierror):
        return (
            f"there is no server {host}, or no way to it",
            "check host in mail.toml, and your connection",
        )
    if isinstance(error, ConnectionRefusedError):
        return (
            f"{host} takes no connection on port {server.port}",
            "check port and security in mail.toml",
        )
    if isinstance(error, TimeoutError):
        hint = (
            "check your connection, and port and security in mail.toml (a port for TLS wants"
            ' security = "tls")'
        )
        return f"{host} does not answer on port {server.port}", hint
    if isinstance(
        error, smtplib.SMTPServerDisconnected | imaplib.IMAP4.abort | ConnectionError | EOFError
    ):
        return (
            f"{host} closed the connection: {clean(str(error))}",
            "try again, or check port and security",
        )
    return f"{host}: {clean(str(error))}", "try again, or check mail.toml"


def said(error: Exception) -> str:
    """The server's own words."""
    if isinstance(error, smtplib.SMTPResponseException):
        text = error.smtp_error
        return clean(text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text))
    return clean(str(error).removeprefix("b'").removesuffix("'"))


def answered(code: int, text: bytes) -> str:
    """What a server answered by SMTP: its number and its words."""
    return clean(f"{code} {text.decode('utf-8', 'replace')}")


def clean(text: str) -> str:
    """What a server said, as one line that a terminal may show."""
    return "".join(c if c.isprintable() else " " for c in text)[:300]
