"""Signs in to an IMAP account (RFC 3501) and opens the folder that is read, for whoever fetches
mails and whoever waits for them.

The folder is opened to be read only. The library is imported when a server is asked, since other
commands do not need it.
"""

from __future__ import annotations

import imaplib
import socket
import ssl
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from importlib import import_module
from typing import Any

from pbem.errors import Refused, Typed
from pbem.mail import deadline
from pbem.mail.server import Server
from pbem.mail.server_errors import LoginError

Client = Any
"""An `imapclient.IMAPClient`."""


class NoFolder(Refused):
    """The server has no folder of the name in mail.toml."""


def errors() -> tuple[type[Exception], ...]:
    """The errors that a connection or a sign-in may raise; the library derives its own from those
    of `imaplib`."""
    return (imaplib.IMAP4.error, LoginError, OSError, EOFError, ValueError, AssertionError)


def connect(server: Server) -> Client:
    """A connection on which nobody has signed in yet. Raises one of `errors()`, `ImportError` where
    the library does not exist for this system, and `Usage` for a wrong `ca-file`."""
    library: Any = import_module("imapclient")
    context = None if server.security == "none" else deadline.bounded(server.tls())
    at_once = context if server.security == "tls" else None

    class Bounded(library.IMAPClient):  # type: ignore[misc]
        """One on whose connection no answer takes for ever."""

        def _create_IMAP4(self) -> imaplib.IMAP4:  # noqa: N802
            return _Connection(server, at_once)

    client = Bounded(server.host, server.port, ssl=at_once is not None, timeout=deadline.TIMEOUT)
    client.folder_encode = False  # mail.toml has the folder as the server spells it
    client.normalise_times = False  # dates come with their zone
    if server.security == "starttls":
        client.starttls(ssl_context=context)
    return client


class _Connection(imaplib.IMAP4):
    """A bounded connection to a server, under TLS from the start if there is a context."""

    def __init__(self, server: Server, context: ssl.SSLContext | None) -> None:
        self._context = context
        super().__init__(server.host, server.port)

    def _create_socket(self, _timeout: float | None = None) -> socket.socket:
        return deadline.connect(self.host, self.port, self._context)


def sign_in(client: Client, server: Server, password: str) -> None:
    """Sign in. Raises `LoginError`, or one of `errors()`."""
    ways = {bytes(one).upper() for one in client.capabilities()}
    if b"LOGINDISABLED" in ways and b"AUTH=PLAIN" not in ways:
        is_oauth = ways & {b"AUTH=XOAUTH2", b"AUTH=OAUTHBEARER"}
        raise LoginError("it offers OAuth alone" if is_oauth else "it lets nobody sign in here")
    try:
        client.login(server.user, password)
    except import_module("imapclient").exceptions.LoginError as error:
        raise LoginError(str(error)) from error


def open_folder(client: Client, server: Server) -> str:
    """Open the folder that mail.toml names, to be read only; returns its UIDVALIDITY. Raises
    `NoFolder` if there is no such folder."""
    exceptions = import_module("imapclient").exceptions
    try:
        answer = client.select_folder(server.folder, readonly=True)
    except exceptions.IMAPClientAbortError:
        raise
    except exceptions.IMAPClientError as error:
        what = f'{server.host} has no folder "{server.folder}"'
        raise NoFolder(what, hint=Typed("check fetch.folder in mail.toml")) from error
    return str(answer.get(b"UIDVALIDITY", 0))


def since_with(client: Client, days: int, mark: str) -> list[int]:
    """The numbers of the mails of the last days whose text has this in it, the oldest first."""
    since = (datetime.now(UTC) - timedelta(days=days)).date()
    return sorted(client.search(["SINCE", since, "TEXT", mark]))


def leave(client: Client) -> None:
    """Sign out if the connection still works, and close it."""
    with suppress(*errors()):
        client.logout()
    with suppress(*errors()):
        client.shutdown()
