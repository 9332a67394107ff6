"""A mail taken apart into the contents of its parts, in a time that nobody who writes a mail can draw out.

The library reads whatever a mail says about itself. What it says at great length, or in parts within parts without
end, takes it minutes and hours, so such a mail is given up before.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from email import message_from_bytes
from email.policy import Compat32

from pbem.fileformat import armor

MAX_PARTS = 200
MAX_MULTIPARTS = 100
"""Parts that hold parts: each line of a mail is held against the end of every one it stands in."""
MAX_DESCRIPTION = 2000
"""Characters of a header about the contents: reading its parameters takes the square of its length."""
_TAG = re.compile(rb"<[^<>]{0,2000}>")


class _Bounded(Compat32):
    """How one mail is read: as ever, but not without end."""

    multiparts = 0

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        """Raises `ValueError` at a header that would take too long, or at one multipart too many."""
        name, value = super().header_source_parse(sourcelines)
        if name.lower().startswith("content-"):
            if len(value) > MAX_DESCRIPTION:
                raise ValueError(f"a header {name[:40]} of {len(value)} characters")
            if "multipart/" in value.lower():
                object.__setattr__(self, "multiparts", self.multiparts + 1)  # a policy is not changed in any other way
            if self.multiparts > MAX_MULTIPARTS:
                raise ValueError(f"more than {MAX_MULTIPARTS} parts that hold others")
        return name, value


def contents(data: bytes) -> Iterator[bytes]:
    """The decoded contents of every part of a mail, of mails inside it too; HTML without its tags.

    Raises `ValueError`, or whatever else the library meets, if the mail cannot be read.
    """
    message = message_from_bytes(data, policy=_Bounded())
    for number, part in enumerate(message.walk()):
        if number == MAX_PARTS:
            return
        if part.is_multipart():
            continue
        payload = part.get_payload(decode=True)
        if isinstance(payload, bytes):
            yield _without_tags(payload) if part.get_content_type() == "text/html" else payload


def _without_tags(payload: bytes) -> bytes:
    if not armor.is_armored(payload):
        return b""
    return html.unescape(_TAG.sub(b"\n", payload).decode("latin-1")).encode("latin-1", "replace")
