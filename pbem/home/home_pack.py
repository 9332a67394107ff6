"""A home as one encrypted file (docs/format.md, section 17).

The first line names the kind. Then come 16 bytes of salt, and what libsodium's XChaCha20-Poly1305
makes of the packed files, 24 bytes of nonce first; that line is authenticated with it. The key is
Argon2id of the passphrase and the salt (RFC 9106), one lane and three passes over 64 MiB; the line
alone says so, and nothing in the file changes it. Or the same as text, in armor.

Inside is a tar archive, compressed by xz, which keeps the many beginnings of one game small.
Whoever knows a passphrase can pack what they like; so each name and each size is checked, and
nothing is unpacked but plain files.
"""

from __future__ import annotations

import io
import lzma
import stat
import tarfile
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from pbem import files
from pbem.crypto import primitives
from pbem.errors import Do, Malformed, Usage
from pbem.fileformat import armor
from pbem.home.identity import passphrase_bytes

MOVED = b"pbem home 2\n"
"""The first line of a home that is moved."""
BACKUP = b"pbem backup 1\n"
"""The first line of a backup."""
KINDS = (MOVED, BACKUP)
MAX_ARCHIVE = 500_000_000
MAX_FILE = 30_000_000
"""Bytes of one file of a home: a fetched mail is the largest."""
MAX_FILES = 200_000
MAX_UNPACKED = 5_000_000_000
_BUDGET = MAX_FILE + 4_000_000
_MEMORY = 100_000_000
"""Bytes that unpacking takes, whatever the archive asks for."""
MAX_TEXT = 60_000_000
"""Bytes of a packed home as text."""
PASSES, MEMORY = 3, 64 * 1024 * 1024
"""The cost of trying a passphrase: passes, and bytes of memory."""
_ENDS = " \t\r\n"
"""Characters at the ends of a passphrase that do not count: the keyboards of telephones add
them."""
_STEP, _DEPTH, _NAME = 1 << 20, 8, 200
_MADE_ANEW = ("checked.bin", "cache", "contacts.lock")
"""Files and folders of a home that are not packed: they are only a help, or belong to the
computer."""
_UNSAFE = set('\\:*?"<>|')
"""Characters of a name that some system gives a meaning."""
_DEVICES = {
    "con",
    "prn",
    "aux",
    "nul",
    *(f"{port}{number}" for port in ("com", "lpt") for number in range(1, 10)),
}
"""Names that Windows takes for devices, whatever stands behind a point."""


class PackedFile(NamedTuple):
    """One file of a home: its path from the home, with slashes, and what is in it."""

    name: str
    data: bytes


def pack(folder: Path, instead: dict[str, bytes]) -> bytes:
    """All files of a home, compressed; for the names in `instead`, these bytes. Raises `Usage` at a
    file that cannot be read."""
    packed = io.BytesIO()
    with (
        lzma.open(packed, "wb", preset=4) as stream,
        tarfile.open(fileobj=stream, mode="w|") as archive,
    ):
        for one in _of_home(folder, instead):
            info = tarfile.TarInfo(one.name)
            info.size, info.mode = len(one.data), 0o600
            archive.addfile(info, io.BytesIO(one.data))
    return packed.getvalue()


def _of_home(folder: Path, instead: dict[str, bytes]) -> Iterator[PackedFile]:
    yield from (PackedFile(name, data) for name, data in sorted(instead.items()))
    for path in sorted(_plain_files(folder)):
        name = path.relative_to(folder).as_posix()
        if name not in instead:
            try:
                check_name(name)
            except Malformed as error:
                what = f"{files.printable(path)} has a name that not every computer can have"
                raise Usage(what, hint="rename it, or move it out of the home") from error
            yield PackedFile(name, files.read_own(path, MAX_FILE))


def _plain_files(folder: Path) -> Iterator[Path]:
    """Every file below the folder but those that are made anew, and leftovers of killed
    processes."""
    for path in files.listed(folder):
        kind = path.lstat().st_mode
        if path.name in _MADE_ANEW or path.name.startswith(".pbem-"):
            continue
        if stat.S_ISDIR(kind):
            yield from _plain_files(path)
        elif stat.S_ISREG(kind):
            yield path
        elif not stat.S_ISSOCK(kind) and not stat.S_ISFIFO(kind):
            what = f"{files.printable(path)} is no plain file, and is not packed"
            raise Usage(what, hint="put the file itself there, or move it away")


def check_name(name: str) -> None:
    """Raise `Malformed` unless this is the path of a file within a home, on every system."""
    parts = name.split("/")
    is_fine = len(parts) <= _DEPTH and all(
        part not in ("", ".", "..")
        and len(part.encode(errors="replace")) <= _NAME
        and part.isprintable()
        and not _UNSAFE & set(part)
        and part == part.strip(" ")
        and part.partition(".")[0].casefold() not in _DEVICES
        and not part.endswith(".")
        for part in parts
    )
    if not is_fine:
        printable = "".join(c if c.isprintable() else "?" for c in name[:80])
        raise Malformed(
            f'"{printable}" is no name for a file of a home', hint="nothing was unpacked"
        )


def unpack(packed: bytes) -> Iterator[PackedFile]:
    """The files in an archive, one after the other, without those that are made anew. Raises
    `Malformed`."""
    seen: set[str] = set()
    total = 0
    try:
        stream = _ArchiveStream(packed)
        with tarfile.open(fileobj=stream, mode="r|", errorlevel=2) as archive:
            for member in archive:
                check_name(member.name)
                total += member.size
                if not member.isreg() or member.issparse() or member.size > MAX_FILE:
                    raise Malformed(
                        f'"{member.name}" is no plain file of a home', hint="nothing was unpacked"
                    )
                if member.name.casefold() in seen or len(seen) >= MAX_FILES or total > MAX_UNPACKED:
                    raise Malformed(
                        "the archive holds a file twice, or too many", hint="nothing was unpacked"
                    )
                seen.add(member.name.casefold())
                source = archive.extractfile(member)
                data = b"" if source is None else source.read(MAX_FILE + 1)
                if len(data) != member.size:
                    raise Malformed("the archive ends too early", hint="nothing was unpacked")
                stream.budget = _BUDGET
                # what a home has compiled or checked itself it believes: no pack of ours holds it
                parts = member.name.split("/")
                if not any(part.casefold() in _MADE_ANEW for part in parts):
                    yield PackedFile(member.name, data)
    except (
        tarfile.TarError,
        lzma.LZMAError,
        EOFError,
        ValueError,
        OSError,
        RecursionError,
    ) as error:
        raise Malformed("what is packed in it is no home", hint="nothing was unpacked") from error


class _ArchiveStream(io.RawIOBase):
    """The contents of a compressed stream, read step by step within a bounded memory."""

    def __init__(self, packed: bytes) -> None:
        self._source = io.BytesIO(packed)
        self._xz = lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=_MEMORY)
        self._ready = b""
        self.budget = _BUDGET
        """The most bytes of one file and the headers before it: a header can claim any size."""

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        """Up to `size` bytes; tarfile always names a size."""
        parts, missing = [], size
        while missing > 0 and (part := self._read_part(missing)):
            parts.append(part)
            missing -= len(part)
        return b"".join(parts)

    def _read_part(self, most: int) -> bytes:
        while not self._ready and not self._xz.eof:
            more = self._source.read(_STEP) if self._xz.needs_input else b""
            if self._xz.needs_input and not more:
                raise EOFError
            self._ready = self._xz.decompress(more, max_length=_STEP)
            self.budget -= len(self._ready)
            if self.budget < 0:
                raise EOFError
        part, self._ready = self._ready[:most], self._ready[most:]
        return part


def encrypt(
    packed: bytes, passphrase: str, salt: bytes, nonce: bytes, kind: bytes = MOVED
) -> bytes:
    """A file of this kind that holds the packed home. `salt` are 16 and `nonce` 24 fresh random
    bytes. Raises `Usage` for a passphrase that cannot be one."""
    if not _words(passphrase):
        raise Usage("the passphrase is empty", hint="the file holds your key: it needs one")
    return kind + salt + nonce + primitives.encrypt(packed, kind, nonce, _key(passphrase, salt))


def decrypt(data: bytes, passphrase: str) -> bytes:
    """The packed home in a file. Raises `Malformed` if it is none, `Usage` if the passphrase does
    not open it."""
    kind = kind_of(data)
    source = io.BytesIO(data[len(kind) :])
    salt = source.read(primitives.ARGON2_SALT)
    nonce = source.read(primitives.AEAD_NONCE)
    sealed = source.read()
    if len(sealed) < primitives.AEAD_OVERHEAD:
        raise Malformed("the file is cut off", hint="copy it again from where it was written")
    packed = primitives.decrypt(sealed, kind, nonce, _key(passphrase, salt))
    if packed is None:
        what = "the passphrase is wrong, or the file was changed on its way"
        raise Usage(what, hint="try again; nothing was unpacked")
    return packed


def kind_of(data: bytes) -> bytes:
    """Which of the `KINDS` a file is. Raises `Malformed` if it is none."""
    found = next((kind for kind in KINDS if data.startswith(kind)), None)
    if found is None:
        hint = (
            "take the file of a move or a backup",
            Do("home move", "FILE", does="and pbem home backup FILE write one"),
        )
        raise Malformed("this is no packed home", hint=hint)
    return found


def out_of_text(data: bytes) -> bytes:
    """The bytes of a packed home, taken out of the armor if there is one. Raises `Malformed`."""
    if data.startswith(KINDS):
        return data
    if len(data) > MAX_TEXT:
        raise Malformed(
            "this is no packed home", hint="one that is text is shorter; send a large one as a file"
        )
    return armor.unwrap_home(data)


def _key(passphrase: str, salt: bytes) -> bytes:
    return primitives.argon2id(_words(passphrase), salt, PASSES, MEMORY)


def _words(passphrase: str) -> bytes:
    """The bytes of a passphrase from which the key is made: the same however it is entered."""
    return passphrase_bytes(unicodedata.normalize("NFC", passphrase).strip(_ENDS))


def write_below(folder: Path, one: PackedFile) -> None:
    """Write an unpacked file below a new folder, which nobody else may read. Raises `Usage`."""
    path = folder
    try:
        for part in one.name.split("/")[:-1]:
            path = path / part
            path.mkdir(exist_ok=True, mode=0o700)
        path = path / one.name.rpartition("/")[2]
        with open(path, "xb", opener=files.private) as file:
            file.write(one.data)
    except OSError as error:
        raise Usage(
            f"cannot write {files.printable(path)}: {error.strerror or error}",
            hint="check the folder",
        ) from error
