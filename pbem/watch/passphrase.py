"""The passphrase of the key for a program that runs where nobody types: from the keyring, or from
the system's store of credentials; never in the clear from a unit file."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from pbem import files
from pbem.errors import Refused, Usage
from pbem.home.home import Home, ask_passphrase
from pbem.home.identity import is_encrypted

SERVICE = "pbem passphrase"
"""The keyring's entry: this service, and the folder of the home as the user."""
CREDENTIAL = "pbem-passphrase"
"""The name of systemd's credential (systemd.exec(5), LoadCredentialEncrypted)."""


def unlock(home: Home) -> None:
    """Open the key of a home once for as long as it is watched. Raises `Usage` if there is no way
    to its passphrase, `Damaged` if it is wrong, and `Refused` if it stands in the environment of a
    program that nobody started by hand."""
    if not home.has_identity() or not is_encrypted(home.key_pem()):
        home.identity()
        return
    is_terminal = sys.stdin is not None and sys.stdin.isatty()
    if "PBEM_PASSPHRASE" in os.environ and not is_terminal:
        raise Refused(
            "the passphrase stands in the environment, where others may read it",
            hint=(
                f'take it out of the unit file; keep it with: keyring set "{SERVICE}"'
                f" {files.shown(home.folder)}"
            ),
        )
    found = _from_credentials() or _from_keyring(home)
    if found is None and not is_terminal:
        hint = (
            f'keep it with: keyring set "{SERVICE}" {files.shown(home.folder)} (docs/mail.md has'
            " another way)"
        )
        raise Usage("the key needs its passphrase, and nobody is here to type it", hint=hint)
    home.unlock(ask_passphrase("Passphrase: ") if found is None else found)


def _from_credentials() -> str | None:
    folder = os.environ.get("CREDENTIALS_DIRECTORY")
    path = Path(folder) / CREDENTIAL if folder else None
    if path is None or not path.is_file():
        return None
    return files.read_own(path, 10_000).decode("utf-8", "replace").rstrip("\r\n")


def _from_keyring(home: Home) -> str | None:
    try:
        keyring: Any = import_module("keyring")  # optional
        found = keyring.get_password(SERVICE, str(home.folder.absolute()))
    except Exception:  # a backend may be anybody's: each fails in its own way
        return None
    return None if found is None else str(found)
