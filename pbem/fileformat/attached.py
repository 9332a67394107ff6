"""Files that go with a turn, as its entry names them (docs/format.md, section 22): the digest, size
and name of each. The files themselves stand in no turn file; `pbem.home.attached_files` keeps
them."""

from __future__ import annotations

import hashlib
import re
from typing import NamedTuple

from pbem.errors import Malformed
from pbem.fileformat.characters import is_name
from pbem.fileformat.encoding import b64
from pbem.fileformat.turnfile import Entry, blob

MOST_FILES = 4
"""Files that go with one turn."""
MOST_BYTES = 5_000_000
"""Bytes of all files of one turn together."""
LONGEST_NAME = 100
"""Bytes of a name, in UTF-8."""
_LINE = re.compile(r"([^ ]*) ([1-9][0-9]{0,6}) (.*)", re.DOTALL)
_UNSAFE = re.compile(r'[\\/:*?"<>|]|\A[ .-]|[ .]\Z')
_DEVICE = re.compile(
    r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3]) *(?:\.|\Z)",
    re.IGNORECASE | re.ASCII,
)
"""What Windows takes for a device, whatever stands behind the point."""


class AttachedFile(NamedTuple):
    """A file as the entry names it with which it goes. `digest` is its SHA-256, 32 bytes."""

    name: str
    size: int
    digest: bytes

    def line(self) -> str:
        """The string that stands for it in the field `files`."""
        return f"{b64(self.digest)} {self.size} {self.name}"

    def is_file(self, data: bytes) -> bool:
        """Whether these bytes are the file."""
        return len(data) == self.size and hashlib.sha256(data).digest() == self.digest


def problem_of_name(name: str) -> str:
    """Why no file that goes with a turn may have this name; empty if one may. It is one on every
    system, hides nothing, leads nowhere and is no option of a command."""
    if len(name.encode(errors="replace")) > LONGEST_NAME:
        return f"its name is longer than {LONGEST_NAME} bytes"
    if not is_name(name):
        return "its name holds a character that nobody sees, or none that is seen"
    if _UNSAFE.search(name) or _DEVICE.match(name):
        return "not every system can have a file of this name"
    return ""


def read_line(text: str, where: str) -> AttachedFile:
    """The file that a string of the field `files` names. Raises `Malformed`."""
    match = _LINE.fullmatch(text)
    if match is None:
        raise Malformed(f'"{text[:40]}" names no file that goes with a turn', where=where)
    if problem := problem_of_name(match[3]):
        raise Malformed(f"a file that goes with it: {problem}", where=where)
    return AttachedFile(match[3], int(match[2]), blob(match[1], 32, where, "the digest of a file"))


def files_of(entry: Entry) -> list[AttachedFile]:
    """The files that go with an entry, in its order. Raises `Malformed`."""
    found = [read_line(text, entry.where) for text in entry.list("files")]
    if problem := problem_of_all(found):
        raise Malformed(problem.what, where=entry.where, layer=problem.layer)
    return found


class Problem(NamedTuple):
    """Why files cannot go with one turn together, and the layer of that fault (section 18)."""

    what: str
    layer: str


def problem_of_all(found: list[AttachedFile]) -> Problem | None:
    """What is wrong with the files of one turn together; None if nothing is."""
    if len(found) > MOST_FILES:
        return Problem(f"{len(found)} files, {MOST_FILES} can go with a turn", "limit")
    size = sum(one.size for one in found)
    if size > MOST_BYTES:
        what = f"files of {size:,} bytes, {MOST_BYTES:,} can go with a turn"
        return Problem(what, "limit")
    if len({one.name.encode().lower() for one in found}) < len(found):  # of ASCII letters alone
        return Problem("two files of one name", "grammar")
    return None
