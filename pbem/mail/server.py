"""A mail server, how to reach it, and its password."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from pbem.errors import Refused, Typed, Usage
from pbem.mail import commands

_PATIENCE, _TYPED_PATIENCE = 20.0, 120.0
"""Seconds that a password command may take, and where somebody is there whom it may ask."""


@dataclass(frozen=True)
class Server:
    """A mail server and how to reach it."""

    host: str
    port: int
    security: str
    user: str
    password_command: tuple[str, ...]
    ca_file: str | None
    folder: str
    days: int

    def password(self) -> str:
        """The password, from the command or from the system's keyring. Raises `Usage` or
        `Refused`."""
        if self.password_command:
            password = _from_command(self.password_command)
        else:
            password = _from_keyring(self.host, self.user)
        if not (password.isascii() and password.isprintable()):
            raise Refused(
                f"the password for {self.host} has characters that are not in ASCII, which cannot"
                " be sent here",
                hint="let the server give you a password for programs",
            )
        return password

    def tls(self) -> Any:
        """The TLS context that checks the server's certificate. Raises `Usage` if `ca-file` cannot
        be read."""
        import ssl  # only where a server is asked

        try:
            if self.ca_file is not None and not os.path.isfile(self.ca_file):
                raise OSError("no plain file")
            return ssl.create_default_context(cafile=self.ca_file)
        except (OSError, ssl.SSLError) as error:
            raise Usage(
                "cannot read ca-file", where="mail.toml", hint="it is a PEM file of certificates"
            ) from error


def _from_command(command: tuple[str, ...]) -> str:
    is_typed = sys.stdin is not None and sys.stdin.isatty()
    hint = Typed("check password-command in mail.toml")
    try:
        done = commands.run(command, _TYPED_PATIENCE if is_typed else _PATIENCE)
    except commands.Endless as error:
        raise Refused(f"the password command was ended: {error}", hint=hint) from error
    except OSError as error:
        raise Refused("the password command does not run", hint=hint) from error
    lines = done.output.decode("utf-8", "replace").splitlines()
    if done.code != 0 or not lines or not lines[0]:
        raise Refused("the password command gave no password", hint=hint)
    return lines[0]


def _from_keyring(host: str, user: str) -> str:
    hint = Typed(
        f'keep it there with: keyring set "pbem {host}" {user}; or set password-command in'
        " mail.toml"
    )
    try:
        # optional, so that nothing here depends on its being installed
        keyring: Any = import_module("keyring")
    except ImportError as error:
        raise Usage(
            "no password: the library keyring is not installed",
            hint=Typed("set password-command in mail.toml, or: pipx inject pbem keyring"),
        ) from error
    try:
        password = keyring.get_password(f"pbem {host}", user)
    except Exception as error:  # a backend may be anybody's: each fails in its own way
        raise Refused("the system's keyring does not answer", hint=hint) from error
    if not password:
        raise Refused(f"the system's keyring has no password for {user} at {host}", hint=hint)
    return str(password)
