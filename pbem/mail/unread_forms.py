"""How much of a mail is read (`Budget`), and the forms in which a mail or a file may hold a turn
that is not read here. Each is named, with what to do about it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import islice

from pbem.errors import with_hint
from pbem.fileformat.armor import MAX_BLOCK
from pbem.fileformat.turnfile import MAX_FILE


class Form(IntEnum):
    """A form in which a mail or a file may hold a turn that is not read here; of several the first
    is named."""

    WINMAIL = 1
    LOCKED_ZIP = 2
    SEVEN_ZIP = 3
    RAR = 4
    PGP = 5
    SMIME = 6
    CLOUD = 7
    YENC = 8
    BINHEX = 9
    REWRITTEN = 10


@dataclass
class Budget:
    """How much reading one mail may still cost."""

    parts: int = 200
    """Parts, attached mails and files that are opened."""
    delimiters: int = 20_000
    """Lines that begin like the end of a part."""
    markup: int = 1_500_000
    """Bytes of HTML from which tags and entities are taken out."""
    armored: int = MAX_BLOCK
    """Bytes between the marks of armors."""
    unpacked: int = MAX_FILE
    """Bytes that come out of zips and uuencoded blocks."""

    unread: set[int] = field(default_factory=set)
    """The forms (`Form`) in which its parts may hold a turn that cannot be read."""
    service: str = ""
    """The domain of the service whose link stands in place of one of its own."""

    def has_part(self) -> bool:
        """Count one part more; False if it is one too many."""
        self.parts -= 1
        return self.parts >= 0


_BEGINS = {
    b"\x78\x9f\x3e\x22": Form.WINMAIL,
    b"7z\xbc\xaf\x27\x1c": Form.SEVEN_ZIP,
    b"Rar!\x1a\x07": Form.RAR,
}
_PGP_BYTES = re.compile(rb"(?s)\A(?:[\x84\xc1].\x03|\x85..\x03|\xc1..\x03|[\x8c\xc3].[\x04-\x06])")
"""The packets with which an encrypted message begins: a session key, for a public key or a
passphrase (RFC 9580)."""
_PGP_TEXT = b"-----BEGIN PGP MESSAGE-----"
_CMS = re.compile(
    rb"(?s)\A0.{1,5}\x06(?:\x09\x2a\x86\x48\x86\xf7[\r\n]\x01\x07[\x02\x03]|\x0b\x2a\x86\x48\x86\xf7[\r\n]\x01\x09\x10\x01\x17)"
)
"""The types of signed, enveloped and authenticated enveloped data (RFC 5652, RFC 5083)."""
_HOST = re.compile(rb":/{1,2}([A-Za-z0-9.-]{1,200})[:/?]")
_MAX_HOSTS = 5000
_CLOUDS = (
    *(b".drive.google.com", b".docs.google.com", b".1drv.ms", b".onedrive.live.com"),
    *(b".sharepoint.com", b".dropbox.com", b".dropboxusercontent.com", b".icloud.com"),
    *(b".box.com", b".mega.nz", b".wetransfer.com", b".we.tl", b".pcloud.link", b".proton.me"),
    *(b".disk.yandex.ru", b".disk.yandex.com", b".disk.yandex.by", b".disk.yandex.kz"),
    *(b".disk.yandex.net", b".disk.yandex.uz", b".disk.yandex.fr", b".disk.yandex.eu"),
    *(b".swisstransfer.com", b".magentacloud.de"),
)
_REWRITERS = (
    *(b".mimecast.com", b".mimecastprotect.com", b".antigena.com", b".hornetsecurity.com"),
    *(b".inky.com", b".barracudanetworks.com", b".avanan.click", b".avanan.net"),
    *(b".checkpoint.com", b".urldefense.us", b".urldefense.com", b".proofpoint.com"),
    *(b".sophos.com", b".cudasvc.com", b".fireeye.com", b".trellix.com", b".trendmicro.com"),
    *(b".secure-web.cisco.com", b".safelinks.protection.outlook.com"),
    *(b".safelinks.protection.outlook.us", b".safelinks.protection.office365.com"),
    *(b".safelinks.protection.office365.us", b".clicktime.symantec.com", b".zixcentral.com"),
    *(b".sendgrid.net", b".list-manage.com", b".mailgun.org", b".mailgun.net"),
    *(b".mandrillapp.com", b".egress.com"),
)
"""Services that put an address of their own in place of each link, where no turn is in that."""
_YENC, _BINHEX = b"=ybegin ", b"(This file must be converted with BinHex"
_BY_ITSELF = "ask the sender for the turn file by itself, attached as it is, or in a plain zip"
_OPEN = (
    "ask the sender for a mail that is not encrypted: a turn tells nobody more than the other"
    " player may know"
)
_WORDS = {
    Form.WINMAIL: (
        "its attachments are packed into a winmail.dat, which is not read here",
        (
            "ask the sender to send it as plain text, not as rich text, or to put the turn file"
            " into a zip"
        ),
    ),
    Form.LOCKED_ZIP: (
        "there is an encrypted zip in it, which is not read here",
        f"{_BY_ITSELF} without a password",
    ),
    Form.SEVEN_ZIP: ("there is a 7z archive in it, which is not read here", _BY_ITSELF),
    Form.RAR: ("there is a rar archive in it, which is not read here", _BY_ITSELF),
    Form.PGP: (
        "it is encrypted with PGP, which is not read here",
        f"decrypt it with your own mail program and save the turn file, or {_OPEN}",
    ),
    Form.SMIME: (
        "it is encrypted, or signed as one block, with S/MIME, which is not read here",
        f"open it with your own mail program and save the turn file, or {_OPEN}",
    ),
    Form.CLOUD: (
        "there is a link to files of a cloud drive in it, and nothing is fetched from there",
        "download the turn file and give that, or ask the sender to attach it",
    ),
    Form.YENC: ("there is a file in yEnc in it, which is not read here", _BY_ITSELF),
    Form.BINHEX: ("there is a file in BinHex in it, which is not read here", _BY_ITSELF),
    Form.REWRITTEN: (
        "a mail service ({service}) has put a link of its own in place of one in it, and only that"
        " service knows where it leads",
        (
            "open it in a browser and give the address that the page has there, or ask the sender"
            " for the turn file as an attachment"
        ),
    ),
}


def note(content: bytes, budget: Budget) -> None:
    """Note in the budget of its mail that these bytes have such a form."""
    form = next((form for begin, form in _BEGINS.items() if content.startswith(begin)), None)
    if form is None and (_PGP_TEXT in content or _PGP_BYTES.match(content)):
        form = Form.PGP
    if form is None and _CMS.match(content):
        form = Form.SMIME
    if form is None and b":/" in content:
        form = _of_links(content, budget)
    if form is None and (_YENC in content or _BINHEX in content):
        form = Form.YENC if _YENC in content else Form.BINHEX
    if form is not None:
        budget.unread.add(form)


def _of_links(content: bytes, budget: Budget) -> Form | None:
    """The form of which the links in these bytes are; of a service that rewrites them, its domain
    is noted."""
    hosts = {b"." + one[1].lower() for one in islice(_HOST.finditer(content), _MAX_HOSTS)}
    if any(host.endswith(_CLOUDS) for host in hosts):
        return Form.CLOUD
    of_service = (one for host in hosts for one in _REWRITERS if host.endswith(one))
    if (service := min(of_service, default=None)) is None:
        return None
    budget.service = service[1:].decode("ascii")
    return Form.REWRITTEN


def in_words(budget: Budget) -> str:
    """What a mail without a turn holds in its place, and what to do about it; empty if it has none
    of these forms."""
    if not budget.unread:
        return ""
    what, hint = _WORDS[Form(min(budget.unread))]
    return with_hint(what.format(service=budget.service), hint)
