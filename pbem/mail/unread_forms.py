"""Forms in which a mail or a file may hold a turn that is not read here. Each is named, with what
to do about it."""

from __future__ import annotations

import re
from enum import IntEnum

from pbem.errors import with_hint
from pbem.mail.budget import Budget


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
_CLOUD = re.compile(
    rb"(?i)https?://(?:[a-z0-9-]{1,63}\.){0,4}(?:drive\.google\.com|docs\.google\.com|1drv\.ms|onedrive\.live\.com"
    rb"|sharepoint\.com|dropbox\.com|dropboxusercontent\.com|icloud\.com|box\.com|mega\.nz|wetransfer\.com|we\.tl"
    rb"|pcloud\.link|proton\.me|disk\.yandex\.[a-z]{2,3}|swisstransfer\.com|magentacloud\.de)/"
)
_REWRITTEN = re.compile(
    rb"(?i)https?:/{1,2}(?:[a-z0-9-]{1,63}\.){0,6}(mimecast(?:protect)?\.com|antigena\.com"
    rb"|hornetsecurity\.com|inky\.com|barracudanetworks\.com|avanan\.(?:click|net)|checkpoint\.com|urldefense\.(?:us|com)"
    rb"|proofpoint\.com|sophos\.com|cudasvc\.com|fireeye\.com|trellix\.com|trendmicro\.com|secure-web\.cisco\.com"
    rb"|safelinks\.protection\.(?:outlook|office365)\.(?:com|us)|clicktime\.symantec\.com|zixcentral\.com"
    rb"|sendgrid\.net|list-manage\.com|mailgun\.(?:org|net)|mandrillapp\.com|egress\.com)[:/?]"
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
    if form is None and b"://" in content and _CLOUD.search(content):
        form = Form.CLOUD
    if form is None and b"http" in content and (service := _REWRITTEN.search(content)) is not None:
        form = Form.REWRITTEN
        budget.service = service[1].decode("ascii").lower()
    if form is None and (_YENC in content or _BINHEX in content):
        form = Form.YENC if _YENC in content else Form.BINHEX
    if form is not None:
        budget.unread.add(form)


def in_words(budget: Budget) -> str:
    """What a mail without a turn holds in its place, and what to do about it; empty if it has none
    of these forms."""
    if not budget.unread:
        return ""
    what, hint = _WORDS[Form(min(budget.unread))]
    return with_hint(what.format(service=budget.service), hint)
