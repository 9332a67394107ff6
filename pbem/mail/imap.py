"""Signs in to an IMAP account (RFC 3501) and opens the folder that is read, for whoever fetches
mails and whoever waits for them.

The folder is opened to be read only. The library is imported when a server is asked, since other
commands do not need it.
"""

from __future__ import annotations

import imaplib
from contextlib import suppress
from importlib import import_module
from typing import Any

from pbem.errors import Refused
from pbem.mail.settings import Server
from pbem.mail.transport import TIMEOUT, LoginError

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
    is_tls = server.security == "tls"
    context = None if server.security == "none" else server.tls()
    client = library.IMAPClient(
        server.host,
        server.port,
        ssl=is_tls,
        ssl_context=context if is_tls else None,
        timeout=TIMEOUT,
    )
    client.folder_encode = False  # mail.toml has the folder as the server spells it
    client.normalise_times = False  # dates come with their zone
    if server.security == "starttls":
        client.starttls(ssl_context=context)
    return client


def sign_in(client: Client, server: Server, password: str) -> None:
    """Sign in. Raises `LoginError`, or one of `errors()`."""
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
        raise NoFolder(what, hint="check fetch.folder in mail.toml") from error
    return str(answer.get(b"UIDVALIDITY", 0))


def leave(client: Client) -> None:
    """Sign out if the connection still works, and close it."""
    with suppress(*errors()):
        client.logout()
    with suppress(*errors()):
        client.shutdown()
