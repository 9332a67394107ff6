"""Who a player is: a name, a mail address if they like, and an Ed25519 key.

The private key lies in a PKCS#8 PEM file that only its owner may read. The public key is what other
players know; a fingerprint of it is short enough to be compared by telephone.
"""

from __future__ import annotations

import base64
import re
from contextlib import suppress
from dataclasses import dataclass, field

from pbem.crypto import primitives
from pbem.errors import Typed, Usage

_ADDRESS = re.compile(
    r"([A-Za-z0-9][A-Za-z0-9#$&'*+=?^_{}~.-]{0,63})@([A-Za-z0-9](?:[A-Za-z0-9.-]{0,180}[A-Za-z0-9])?)\Z"
)
_DISPUTED = frozenset("\xdf\u1e9e\u03c2\u200c\u200d")
"""Sharp s, the Greek final sigma, and the two that join letters or part them: registries have taken
them as letters of their own since RFC 5891."""
_MARKS = b"-----BEGIN PRIVATE KEY-----\n", b"\n-----END PRIVATE KEY-----\n"
_BEFORE_SEED = bytes.fromhex("302e020100300506032b657004220420")
"""What PKCS#8 puts before the 32 secret bytes of an Ed25519 key (RFC 8410, section 7)."""


def as_written_in_mails(text: str) -> str:
    """An address without the blanks around it, its domain in the letters that mails have: a domain
    with others in their ASCII form (RFC 3490). What is no address stays as it is."""
    text = text.strip()
    local, at, domain = text.rpartition("@")
    return f"{local}@{domain_in_ascii(domain)}" if at else text


def domain_in_ascii(domain: str) -> str:
    """A domain in its ASCII form. It stays as it is where it has none, or two: what the older rules
    make of some letters (RFC 5895, section 2) may be somebody else's domain."""
    if not domain.isascii() and _DISPUTED.isdisjoint(domain):
        with suppress(UnicodeError):
            return domain.encode("idna").decode("ascii")
    return domain


def mail_address(text: str, hint: str) -> str:
    """A plain mail address as mails have it, of one that a player wrote; the hint says what to
    write. Raises `Usage`: the programs of others would leave it out without a word."""
    mail = as_written_in_mails(text)
    if not mail.rpartition("@")[0].isascii():
        raise Usage(
            f'"{mail[:80]}" has a letter beyond ASCII before the @, which many services refuse',
            hint=f"give an address without, {hint}",
        )
    if not mail.isascii():
        raise Usage(
            f'"{mail[:80]}" has a letter in its domain that has no one form in ASCII',
            hint="give the domain as its provider writes it in mails, with xn--",
        )
    if not is_mail_address(mail):
        raise Usage(f'"{mail[:80]}" is no plain mail address', hint=hint)
    return mail


def is_mail_address(text: str) -> bool:
    """Whether this is a plain mail address, such as every mail program can write to."""
    return split_address(text) is not None


def is_doubtful(address: str, before: str) -> bool:
    """Whether a mail address is to be asked for once more: it has no dot behind the @, as only a
    network of one's own has, and is not what was said `before`."""
    return is_mail_address(address) and "." not in address.partition("@")[2] and address != before


def split_address(text: str) -> tuple[str, str] | None:
    """The two halves of a plain mail address; None if it is none."""
    match = _ADDRESS.match(text)
    if match is None or ".." in text or match[1].startswith(".") or match[1].endswith("."):
        return None
    return match[1], match[2]


UNNAMED = "Somebody"
"""The name of a home whose player has not said what they are called: games that they play alone
begin with it, and no other."""


@dataclass(frozen=True, slots=True, repr=False)
class Identity:
    """A player with the private key at hand."""

    name: str
    mail: str
    seed: bytes
    """The 32 secret bytes of the key, from which a game's secrets are derived too."""
    public: bytes = field(init=False)
    """The public key, 32 bytes."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "public", primitives.public_key(self.seed))

    def sign(self, message: bytes) -> bytes:
        """The Ed25519 signature, 64 bytes (RFC 8032)."""
        return primitives.sign(self.seed, message)


def write_pem(seed: bytes, passphrase: str = "") -> bytes:
    """The key as a PKCS#8 PEM file, encrypted if there is a passphrase."""
    return primitives.write_key_file(seed, passphrase_bytes(passphrase))


def _plain_seed(pem: bytes) -> bytes | None:
    """The seed in a key file of ours without a passphrase; None for any other file."""
    begin, end = _MARKS
    if not (pem.startswith(begin) and pem.endswith(end)):
        return None
    try:
        key = base64.b64decode(pem[len(begin) : -len(end)], validate=True)
    except ValueError:
        return None
    return (
        key[len(_BEFORE_SEED) :]
        if key.startswith(_BEFORE_SEED) and len(key) == len(_BEFORE_SEED) + 32
        else None
    )


def passphrase_bytes(passphrase: str) -> bytes:
    """The bytes of a passphrase: its UTF-8. Raises `Usage` if it has none."""
    try:
        return passphrase.encode()
    except UnicodeEncodeError as error:
        raise Usage("the passphrase is not text", hint=Typed("PBEM_PASSPHRASE is UTF-8")) from error


def is_encrypted(pem: bytes) -> bool:
    """Whether a PEM file needs a passphrase."""
    return b"ENCRYPTED PRIVATE KEY" in pem


def read_pem(pem: bytes, passphrase: str = "") -> bytes:
    """The seed of the key in a PKCS#8 PEM file. Raises `Usage`."""
    if (seed := _plain_seed(pem)) is not None:
        return seed
    try:
        return primitives.read_key_file(
            pem, passphrase_bytes(passphrase) if is_encrypted(pem) else None
        )
    except primitives.UnreadableKeyFile as error:
        wrong = (
            "the passphrase is wrong, or the key file is damaged"
            if is_encrypted(pem)
            else "no PEM file of a key"
        )
        raise Usage(wrong, hint="restore identity.pem from your copy") from error
    except primitives.OtherKindOfKey as error:
        raise Usage(
            "the PEM file holds a key of another kind", hint="it is to be an Ed25519 key"
        ) from error
