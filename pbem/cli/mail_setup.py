"""The questions about sending: asked once, in a terminal, by the first command that is to send a
mail."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import typer

from pbem import files
from pbem.cli.streams import warn
from pbem.errors import PbemError, Refused, Usage
from pbem.home import place
from pbem.home.home import Home
from pbem.home.identity import mail_address
from pbem.mail import first_settings
from pbem.mail.first_settings import Sending
from pbem.mail.settings import SEND_PORTS
from pbem.mail.transport import NotSetUp

Done = TypeVar("Done")

_KEYRING = "keyring"
_FIRST = """\
Nothing is set up for sending yet. These questions are asked once, and the
answers are kept in {path}.
Ctrl-C ends them, and nothing is kept. You need none of this to play: send the
draft (.eml) or the turn file by your mail program, then type pbem sent GAME."""
_PASSWORD = """\
No password is kept there. It comes from a command that prints it, as
"pass mail" does, or from the system's keyring."""
_OWN_PASSWORD = "{} takes a password that is made for programs: its settings for security make one."
_NO_PASSWORDS = """\
{} takes no password from programs: use your mail program and pbem sent
GAME, or name the server of another service."""


def with_settings(home: Home, do: Callable[[], Done], *, quiet: bool = False) -> Done:
    """Do what sends a mail. Where nothing is set up for that, a player at a terminal is asked
    first. Raises what `do` raises, elsewhere or if `quiet` also that nothing is set up, and
    `typer.Abort` if the player ends the questions."""
    try:
        return do()
    except NotSetUp:
        if quiet or not all(
            stream is not None and stream.isatty() for stream in (sys.stdin, sys.stderr)
        ):
            raise
    _lead(home)
    return do()


def _lead(home: Home) -> None:
    """Ask until a trial mail is taken, or the player wants none, and keep the answers."""
    place.check_open(home.folder)
    typer.echo(_FIRST.format(path=files.printable(home.folder / "mail.toml")), err=True)
    sending = first_settings.Sending(home.identity().mail)
    try:
        while True:
            sending = _asked(sending)
            if not typer.confirm(
                f"Send a trial mail to {sending.address} now?", default=True, err=True
            ):
                break
            try:
                first_settings.send_trial(sending)
            except PbemError as error:
                warn(f"{error}; once more, and Enter keeps what you gave")
                continue
            typer.echo(f"It is on its way: look whether it comes to {sending.address}.", err=True)
            break
    except (typer.Abort, KeyboardInterrupt):
        typer.echo("\nNothing was kept, and no turn was sent.", err=True)
        raise
    first_settings.keep(home, sending)
    warn(f"kept in {files.printable(home.folder / 'mail.toml')}; now the mail itself")


def _asked(before: Sending) -> Sending:
    """Ask for everything; Enter gives the answer of the time before."""
    address = _until(lambda: _address(before.address))
    domain, service = first_settings.domain_of(address), first_settings.service_of(address)
    if domain in first_settings.NO_PASSWORDS:
        typer.echo(_NO_PASSWORDS.format(domain), err=True)
    usual = (
        shlex.join(before.program) or before.place() or ("" if service is None else service.host)
    )
    sending = _until(lambda: _way(replace(before, address=address), usual))
    if sending.program:
        return sending
    if service is not None and sending.host == service.host and not sending.port:
        sending = replace(sending, security=service.security)
    else:
        sending = _until(lambda: _secured(sending))
    sending = replace(sending, user=_prompt("Your user name there", before.user or address))
    typer.echo(_PASSWORD, err=True)
    if service is not None and service.own_password:
        typer.echo(_OWN_PASSWORD.format(domain), err=True)
    return _until(lambda: _with_password(sending))


def _until(ask: Callable[[], Done]) -> Done:
    """Ask again until the answer can be used."""
    while True:
        try:
            return ask()
        except PbemError as error:
            warn(str(error))


def _prompt(words: str, usual: str = "") -> str:
    answer = typer.prompt(words, default=usual, show_default=bool(usual), err=True)
    return str(answer).strip() or usual


def _address(usual: str) -> str:
    return mail_address(_prompt("Your mail address", usual), "as in ann@example.org")


def _way(before: Sending, usual: str) -> Sending:
    """The server, with its port if that is another one than usual, or the program."""
    answer = _prompt(
        "Server for sending (SMTP), or a program such as /usr/sbin/sendmail -t -i", usual
    )
    if answer.startswith("/"):
        program = _words(answer)
        if shutil.which(program[0]) is None:
            raise Usage(f"there is no program {program[0][:80]}", hint="check the path")
        return Sending(before.address, program=program)
    host, _, port = answer.partition(":")
    if port and not (port.isascii() and port.isdigit() and 1 <= int(port[:6]) <= 65535):
        raise Usage(f'"{port[:40]}" is no port', hint="as in smtp.example.org:587")
    sending = replace(before, program=(), host=host, port=int(port or 0))
    try:
        replace(sending, security="tls").settings()
    except Usage as error:
        raise Usage(
            f'"{host[:80]}" is no server', hint="its name, as in smtp.example.org"
        ) from error
    return sending


def _secured(sending: Sending) -> Sending:
    known = {port: security for security, port in SEND_PORTS.items()}
    usual = known.get(sending.port) or sending.security or "starttls"
    security = _prompt("Security: tls (mostly port 465) or starttls (mostly port 587)", usual)
    found = replace(sending, security=security)
    try:
        found.settings()
    except Usage as error:
        raise Usage(f'"{security[:40]}" is neither tls nor starttls') from error
    return found


def _with_password(sending: Sending) -> Sending:
    """With a command that gives a password, or a keyring that does."""
    answer = _prompt(
        "Command that prints the password, or keyring",
        shlex.join(sending.password_command) or _KEYRING,
    )
    found = replace(sending, password_command=() if answer == _KEYRING else _words(answer))
    try:
        if (server := found.settings().send) is not None:
            server.password()
    except Refused as error:
        hint = "try it in another window: the first line it prints is to be the password"
        raise Refused(
            error.what, hint=error.hint if not found.password_command else hint
        ) from error
    return found


def _words(line: str) -> tuple[str, ...]:
    """The words of a command as a shell reads them. Raises `Usage`."""
    try:
        return tuple(
            word.strip('"') if os.name == "nt" else word
            for word in shlex.split(line, posix=os.name != "nt")
        )
    except ValueError as error:
        raise Usage(f"this is no command: {error}", hint="a quote is open") from error
