"""Puts together from a player's answers how mail is sent: the servers of well-known services, the
table `[send]` of `mail.toml`, and a trial mail. `pbem.cli.mail_setup` asks the questions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from email.message import EmailMessage
from email.policy import SMTP

from pbem.home.home import Home
from pbem.mail import settings, transport
from pbem.mail.settings import SEND_PORTS, MailSettings


@dataclass(frozen=True)
class Service:
    """The server with which a mail service sends. `own_password`: it takes only passwords that it
    makes for programs."""

    host: str
    security: str = "starttls"
    own_password: bool = False


_SERVICES = {
    **dict.fromkeys(("gmail.com", "googlemail.com"), Service("smtp.gmail.com", own_password=True)),
    **dict.fromkeys(
        ("icloud.com", "me.com", "mac.com"), Service("smtp.mail.me.com", own_password=True)
    ),
    **dict.fromkeys(
        ("yahoo.com", "yahoo.de"), Service("smtp.mail.yahoo.com", "tls", own_password=True)
    ),
    **dict.fromkeys(
        ("fastmail.com", "fastmail.fm"), Service("smtp.fastmail.com", "tls", own_password=True)
    ),
    **dict.fromkeys(("gmx.de", "gmx.net", "gmx.at", "gmx.ch"), Service("mail.gmx.net")),
    "gmx.com": Service("mail.gmx.com"),
    "web.de": Service("smtp.web.de"),
    "posteo.de": Service("posteo.de", "tls"),
    "mailbox.org": Service("smtp.mailbox.org", "tls"),
}
"""The services, by the domain of an address."""
NO_PASSWORDS = frozenset({"outlook.com", "hotmail.com", "live.com", "msn.com"})
"""Services that take no password from a program at all."""


@dataclass(frozen=True)
class Sending:
    """How to send from an address: by a program, or by a server. Port 0 is the usual one."""

    address: str
    program: tuple[str, ...] = ()
    host: str = ""
    port: int = 0
    security: str = ""
    user: str = ""
    password_command: tuple[str, ...] = ()

    def place(self) -> str:
        """The server, with its port unless that is the usual one."""
        return f"{self.host}:{self.port}" if self.port else self.host

    def table(self) -> Mapping[str, object]:
        """The tables that `mail.toml` gets of it."""
        if self.program:
            return {"send": {"program": list(self.program)}}
        port = (
            {"port": self.port} if self.port and self.port != SEND_PORTS.get(self.security) else {}
        )
        command = {"password-command": list(self.password_command)} if self.password_command else {}
        return {
            "send": {
                "host": self.host,
                "security": self.security,
                **port,
                "user": self.user,
                **command,
            }
        }

    def settings(self) -> MailSettings:
        """The same as settings. Raises `Usage`, with what is wrong."""
        return settings.of_table(self.table())


def service_of(address: str) -> Service | None:
    """The service that an address belongs to; None if it is not known."""
    return _SERVICES.get(domain_of(address))


def domain_of(address: str) -> str:
    """The domain of an address: what stands behind the @."""
    return address.rpartition("@")[2].lower()


def send_trial(sending: Sending) -> None:
    """Send a mail from the player to themselves. Raises what sending raises."""
    message = EmailMessage(policy=SMTP)
    message["Subject"] = "pbem: a trial mail"
    message["From"] = message["To"] = sending.address
    message.set_content(
        "This mail was sent by pbem, which sends your turns the same way from now on.\n"
    )
    transport.way_of(sending.settings()).send(transport.letter_of(message.as_bytes()))


def keep(home: Home, sending: Sending) -> None:
    """Add it to the settings of a home. Raises `Usage`."""
    settings.add(home, sending.table())
