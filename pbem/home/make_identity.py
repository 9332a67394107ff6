"""The identity of a home: made, changed, imported, exported and shown."""

from __future__ import annotations

import os
import secrets as random_source
from dataclasses import dataclass
from pathlib import Path

from pbem import files
from pbem.errors import Do, Typed, Usage
from pbem.fileformat.encoding import b64, fingerprint
from pbem.home.home import Home, ask_passphrase
from pbem.home.identity import Identity, is_encrypted, mail_address, read_pem, write_pem


@dataclass(frozen=True)
class IdentityFacts:
    """What there is to know of a home's identity: the public key in base64, the fingerprint that is
    compared by telephone, and the folder that holds the private key."""

    name: str
    mail: str
    key: str
    fingerprint: str
    home: str


def identify(
    home: Home,
    name: str | None,
    mail: str | None,
    passphrase: bool,
    export: Path | None,
    import_from: Path | None,
) -> IdentityFacts:
    """Make, change, export, import or show the identity of a home. Returns what there is to know of
    it."""
    if mail and (mail := mail.strip()):
        mail = mail_address(mail, "as in ann@example.org, or none at all")
    if import_from is not None:
        identity = _import(home, name, mail, passphrase, import_from)
    elif home.has_identity():
        if passphrase and export is None:
            raise Usage(
                "this home has its key already, and --passphrase protects a new one",
                hint=(
                    Do("id", "--export", "FILE", "--passphrase"),
                    Do("id", "--import", "FILE", when="then in an empty home"),
                ),
            )
        identity = _rename(home, name, mail)
    else:
        if (lost := home.lost_key()) is not None:
            raise lost
        if name is None:
            raise Usage(
                "this home has no identity yet",
                hint=Do("id", '--name "Ann"', "--mail ann@example.org", when="make one"),
            )
        identity = home.create(
            name, mail or "", random_source.token_bytes(32), new_passphrase() if passphrase else ""
        )
    if export is not None:
        pem = write_pem(identity.seed, new_passphrase()) if passphrase else home.key_pem()
        files.write_new(export, pem, mode=0o600)
    return IdentityFacts(
        name=identity.name,
        mail=identity.mail,
        key=b64(identity.public),
        fingerprint=fingerprint(identity.public),
        home=str(home.folder),
    )


def _rename(home: Home, name: str | None, mail: str | None) -> Identity:
    """The identity of a home, under another name or address if any is given; both together mend a
    `player.toml` that cannot be read."""
    if name is not None and mail is not None:
        identity = Identity(name, mail, home.seed())
    else:
        before = home.identity()
        name, mail = before.name if name is None else name, before.mail if mail is None else mail
        identity = Identity(name, mail, before.seed)
        if identity == before:
            return before
    home.rename(identity.name, identity.mail)
    return identity


def _import(
    home: Home, name: str | None, mail: str | None, passphrase: bool, path: Path
) -> Identity:
    if name is None:
        raise Usage("an imported key needs a name", hint=Do("id", "--import FILE", '--name "Ann"'))
    pem = files.read_bytes(path, 10_000)
    old = ask_passphrase("Passphrase of the file: ") if is_encrypted(pem) else ""
    try:
        seed = read_pem(pem, old)
    except Usage as error:
        raise Usage(
            error.what,
            where=files.printable(path),
            hint=(Typed("give the file that pbem id --export wrote"), "nothing was changed"),
        ) from error
    return home.create(name, mail or "", seed, new_passphrase() if passphrase else old)


def new_passphrase(
    prompt: str = "New passphrase: ",
    if_none: str = Typed("leave --passphrase out for a key without one"),
) -> str:
    """A passphrase entered twice, or that of `PBEM_PASSPHRASE`. `if_none` is the hint for a player
    who enters none; where it is empty, none may be entered. Raises `Usage`."""
    first = ask_passphrase(prompt)
    if first and "PBEM_PASSPHRASE" not in os.environ and ask_passphrase("Once more: ") != first:
        raise Usage("the two passphrases differ", hint="nothing was written; try again")
    if not first and if_none:
        raise Usage("the passphrase is empty", hint=if_none)
    return first
