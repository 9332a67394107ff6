"""An IMAP account and the folder of it that is read (RFC 3501), for whoever fetches mails and
whoever waits for them.

The folder is opened to read only. The library is loaded where a server is asked: other commands
need none.
"""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from typing import Any

from pbem.errors import Refused
from pbem.mail.settings import Server
from pbem.mail.transport import TIMEOUT, LoginError

Client = Any
"""An `imapclient.IMAPClient`."""


def errors() -> tuple[type[Exception], ...]:
    """What goes wrong with a connection or at signing in; the library's own errors are those of the
    standard one."""
    import imaplib

    return (imaplib.IMAP4.error, LoginError, OSError, EOFError, ValueError, AssertionError)


def connect(server: Server) -> Client:
    """A connection on which nobody has signed in yet. Raises one of `errors()`, `ImportError` where
    the library is not made for this system, and `Usage` for a wrong `ca-file`."""
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
    """Open the folder of mail.toml, to read only; its UIDVALIDITY. Raises `Refused` if there is
    none."""
    exceptions = import_module("imapclient").exceptions
    try:
        answer = client.select_folder(server.folder, readonly=True)
    except exceptions.IMAPClientAbortError:
        raise
    except exceptions.IMAPClientError as error:
        what = f'{server.host} has no folder "{server.folder}"'
        raise Refused(what, hint="check fetch.folder in mail.toml") from error
    return str(answer.get(b"UIDVALIDITY", 0))


def leave(client: Client) -> None:
    """End a connection politely if it still can be."""
    with suppress(*errors()):
        client.logout()
    with suppress(*errors()):
        client.shutdown()
