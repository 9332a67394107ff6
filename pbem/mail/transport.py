"""Sending a draft, and fetching mails with turns in them. Optional: any mail program does as well."""

from __future__ import annotations

import contextlib
import hashlib
import imaplib
import json
import re
import smtplib
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import getaddresses, make_msgid
from pathlib import Path
from typing import Any

from pbem import files
from pbem.errors import Refused, Usage
from pbem.fileformat.turnfile import MAX_MESSAGE
from pbem.mail import find_turns
from pbem.mail.settings import Server, Settings
from pbem.player.home import Home

TIMEOUT = 30.0
MAX_BATCH = 2000
"""Mails looked at in one fetch."""
_SIZE = re.compile(rb"RFC822\.SIZE (\d+)")


# Sending


def send(draft: bytes, settings: Settings) -> list[str]:
    """Hand a draft to the program or the server of the settings; the addresses it went to.

    Raises `Usage` if nothing is set up or the draft has no addresses, `Refused` if it is not taken.
    """
    message = message_from_bytes(draft, policy=policy.SMTP)
    assert isinstance(message, EmailMessage)
    sender, to = _envelope(message)
    for header in ("X-Unsent", "Bcc"):
        del message[header]
    if not message["Message-ID"]:
        message["Message-ID"] = make_msgid(domain="pbem.invalid")
    if settings.program:
        _run(settings.program, message)
    elif settings.send is not None:
        _deliver(settings.send, message, sender, to)
    else:
        raise Usage(
            "nothing is set up for sending", where="mail.toml", hint="see docs/mail.md; or open the draft yourself"
        )
    return to


def _envelope(message: EmailMessage) -> tuple[str, list[str]]:
    try:
        senders = getaddresses([str(message["From"] or "")])
        targets = getaddresses([str(value) for name in ("To", "Cc") for value in message.get_all(name, [])])
    except (ValueError, IndexError, AttributeError, TypeError) as error:
        raise Usage("the addresses of this draft cannot be read", hint="write it anew with pbem play") from error
    to = list(dict.fromkeys(mail for _, mail in targets if "@" in mail))
    if not to:
        raise Usage("the draft is addressed to nobody", hint="no other player gave a mail address; send it yourself")
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
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Refused(f"cannot run {program[0]}", hint="check send.program in mail.toml") from error
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip()[-200:]
        raise Refused(f"{program[0]} did not take the mail: {_clean(said) or done.returncode}", hint="nothing was sent")


def _deliver(server: Server, message: EmailMessage, sender: str, to: list[str]) -> None:
    password = server.password() if server.user else ""
    try:
        with _smtp(server) as smtp:
            if server.user:
                smtp.login(server.user, password)
            refused = smtp.send_message(message, sender, to)
    except smtplib.SMTPAuthenticationError as error:
        raise Refused(f"{server.host} does not take this user and password", hint="nothing was sent") from error
    except (smtplib.SMTPException, OSError, ValueError) as error:
        raise Refused(f"{server.host} did not take the mail: {_clean(str(error))}", hint="nothing was sent") from error
    if refused:
        raise Refused(f"{server.host} did not take {', '.join(refused)}", hint="the others have it")


def _smtp(server: Server) -> smtplib.SMTP:
    if server.security == "tls":
        return smtplib.SMTP_SSL(server.host, server.port, timeout=TIMEOUT, context=server.tls())
    smtp = smtplib.SMTP(server.host, server.port, timeout=TIMEOUT)
    if server.security == "starttls":
        smtp.starttls(context=server.tls())
    return smtp


def _clean(text: str) -> str:
    """What a server said, as one line that a terminal may show."""
    return "".join(c if c.isprintable() else " " for c in text)[:300]


# Fetching


def fetch(home: Home, server: Server) -> tuple[list[Path], int]:
    """Mails with a turn in them that came since the last fetch, written to the home's inbox; and how many were
    looked at. The server's folder is only read. Raises `Refused`."""
    password = server.password()
    folder = home.make_folder("inbox")
    account = hashlib.sha256(_account(server).encode()).hexdigest()[:8]
    written: list[Path] = []
    looked = 0
    try:
        with contextlib.closing(_Quiet(_imap(server))) as quiet:
            imap = quiet.imap
            imap.login(server.user, password)
            for validity, uid, data in _new_mails(home, imap, server):
                looked += 1
                if data is not None and any(found.data for found in find_turns.turns_in(data, "")):
                    path = folder / f"{account}-{validity}-{uid}.eml"
                    files.write_new(path, data, mode=0o600)
                    written.append(path)
                _remember(home, server, validity, uid)
    except imaplib.IMAP4.error as error:
        raise Refused(
            f"{server.host}: {_clean(str(error))}", hint="check fetch in mail.toml and the password"
        ) from error
    except (OSError, ValueError) as error:
        raise Refused(f"{server.host} does not answer as it should: {_clean(str(error))}", hint="try again") from error
    return written, looked


class _Quiet:
    """A connection that is left politely if it still can be."""

    def __init__(self, imap: imaplib.IMAP4) -> None:
        self.imap = imap

    def close(self) -> None:
        with contextlib.suppress(OSError, imaplib.IMAP4.error):
            self.imap.logout()


def _imap(server: Server) -> imaplib.IMAP4:
    if server.security == "tls":
        return imaplib.IMAP4_SSL(server.host, server.port, ssl_context=server.tls(), timeout=TIMEOUT)
    imap = imaplib.IMAP4(server.host, server.port, timeout=TIMEOUT)
    if server.security == "starttls":
        imap.starttls(ssl_context=server.tls())
    return imap


def _new_mails(home: Home, imap: imaplib.IMAP4, server: Server) -> Iterator[tuple[str, int, bytes | None]]:
    """UIDVALIDITY, UID and bytes (None: too large) of every mail not looked at yet, oldest first."""
    folder = server.folder.replace("\\", "\\\\").replace('"', '\\"')
    kind, _ = imap.select(f'"{folder}"', readonly=True)
    if kind != "OK":
        raise Refused(f'{server.host} has no folder "{server.folder}"', hint="check fetch.folder in mail.toml")
    validity = _digits((imap.response("UIDVALIDITY")[1] or [b"0"])[0])
    last = _remembered(home, server, validity)
    since = (datetime.now(UTC) - timedelta(days=server.days)).strftime("%d-%b-%Y")
    criteria = ("UID", f"{last + 1}:*") if last else ("SINCE", since)
    _, answer = imap.uid("SEARCH", *criteria)
    uids = sorted(int(uid) for uid in (answer[0] or b"").split() if uid.isdigit() and int(uid) > last)
    for uid in uids[:MAX_BATCH]:
        yield validity, uid, _mail(imap, uid)


def _mail(imap: imaplib.IMAP4, uid: int) -> bytes | None:
    _, answer = imap.uid("FETCH", str(uid), "(RFC822.SIZE)")
    size = next((int(match[1]) for part in answer if isinstance(part, bytes) and (match := _SIZE.search(part))), 0)
    if size > MAX_MESSAGE:
        return None
    _, answer = imap.uid("FETCH", str(uid), "(BODY.PEEK[])")
    return next((part[1] for part in answer if isinstance(part, tuple)), None)


def _digits(value: Any) -> str:
    text = value.decode("ascii", "ignore") if isinstance(value, bytes) else ""
    return text if text.isdigit() else "0"


def _state_path(home: Home) -> Path:
    return home.folder / "inbox" / "fetched.json"


def _state(home: Home) -> dict[str, Any]:
    try:
        state = json.loads(_state_path(home).read_bytes())
    except (OSError, ValueError):
        return {}
    return state if isinstance(state, dict) else {}


def _account(server: Server) -> str:
    return f"{server.user}@{server.host}:{server.port}/{server.folder}"


def _remembered(home: Home, server: Server, validity: str) -> int:
    known = _state(home).get(_account(server))
    last = known.get("last") if isinstance(known, dict) and known.get("validity") == validity else 0
    return last if isinstance(last, int) else 0


def _remember(home: Home, server: Server, validity: str, uid: int) -> None:
    state = {**_state(home), _account(server): {"validity": validity, "last": uid}}
    files.replace(_state_path(home), json.dumps(state, indent=1).encode())
