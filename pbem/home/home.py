"""A player's private folder: the identity and the memory of every game.

```
identity.pem      the private key (mode 0600)
player.toml       name and mail address
place.toml        the computer it is used on (pbem.home.place)
program.toml      the version of the program that wrote it last (pbem.home.written_by)
contacts.toml     the players it knows (pbem.home.contacts)
ignore.toml       the games and players it hides (pbem.home.ignore_list)
seeks.json        the seeks that its player wrote and answered (pbem.seek.kept)
games/<game id>/  what was read and signed in each game (pbem.home.memory), what is being tried for
                  its next turn (pbem.turn.draft_lines), and what it is called here
                  (pbem.home.game_index)
templates/        the player's own templates, if any
```
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pbem import files
from pbem.errors import Conflict, Damaged, Do, Typed, Usage
from pbem.fileformat.characters import emoji_of_several, is_line, is_name
from pbem.home import place, written_by
from pbem.home.identity import Identity, is_encrypted, read_pem, write_pem
from pbem.home.store import StateFile

if TYPE_CHECKING:
    from pbem.home.check_cache import CheckCache


KEY_FILE = "identity.pem"
"""The file of a home that holds the private key."""
KEY_PROMPT = "Passphrase: "
"""The prompt for the passphrase of the key; other files have other prompts."""


@dataclass(frozen=True)
class _NamedPlayer:
    """The name and mail address for the player's first entries. Raises `Usage` where no entry may
    hold them."""

    name: str
    mail: str

    def __post_init__(self) -> None:
        check_line(self.name, "name", 80)
        check_line(self.mail, "mail address", 200)


_PLAYER = StateFile(
    "player.toml",
    _NamedPlayer,
    largest=10_000,
    damage="name and mail address cannot be read",
    hint=Do("id", '--name "Ann"', "--mail ann@example.org", when="write it anew"),
)


class Home:
    """The folder chosen by `PBEM_HOME`, or the system's usual place for a program's data."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or _default_folder()
        self._checks: CheckCache | None = None
        self.unlocked: tuple[bytes, bytes] | None = None
        """The key file as it was when it was last opened, and the seed in it: a passphrase is asked
        for once."""
        self.page = ""
        """The address of the page in a browser that this home lies in; empty elsewhere."""

    @property
    def checks(self) -> CheckCache:
        """The signatures and proofs that this home has checked."""
        if self._checks is None:
            # a command that opens no game needs no ledger
            from pbem.home.check_cache import CheckCache

            self._checks = CheckCache(self.folder)
        return self._checks

    def game_folder(self, game_id: bytes) -> Path:
        """Where it keeps what it remembers of a game."""
        return self.folder / "games" / game_id.hex()[:32]

    def check(self) -> None:
        """Raise `Damaged` if the folder is no folder or cannot be read, and `Conflict` if a later
        version of the program wrote it."""
        hint = Typed("give it back its rights, or choose another folder with PBEM_HOME")
        try:
            with os.scandir(self.folder):
                written_by.check(self.folder)
        except FileNotFoundError:
            if os.path.islink(self.folder):
                raise Damaged(
                    "the home is a link to nothing", where=files.printable(self.folder), hint=hint
                ) from None
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it has no usable name"
            raise Damaged(
                f"cannot read the home: {reason}", where=files.printable(self.folder), hint=hint
            ) from error

    @property
    def _key_file(self) -> Path:
        return self.folder / KEY_FILE

    def has_identity(self) -> bool:
        return os.path.lexists(self._key_file)

    def lost_key(self) -> Damaged | None:
        """The error of a home that remembers games and has lost its key; None for any other
        home."""
        if self.has_identity() or not files.is_folder(self.folder / "games"):
            return None
        hint = (
            Do("id", "--import COPY", "--name …", when="restore it"),
            Typed("for a new key choose another folder with PBEM_HOME"),
        )
        return Damaged(
            "the key of this home's games is gone", where=files.printable(self._key_file), hint=hint
        )

    def key_warning(self) -> str:
        """A warning if others can read the key file; else empty."""
        return files.warning_if_others_read(self._key_file)

    def make_folder(self, *parts: str) -> Path:
        """A folder inside the home that nobody else may read. Raises `Usage`."""
        folder = self.folder.joinpath(*parts)
        try:
            self.folder.parent.mkdir(parents=True, exist_ok=True)
            # one by one: `parents=True` would give the mode to the last only
            for depth in range(len(parts) + 1):
                self.folder.joinpath(*parts[:depth]).mkdir(exist_ok=True, mode=0o700)
        except OSError as error:
            hint = Typed("check PBEM_HOME")
            raise Usage(
                f"cannot make the folder {files.printable(folder)}: {error.strerror}", hint=hint
            ) from error
        return folder

    def identity(self) -> Identity:
        """The player of this home. Raises `Usage` if there is none, and `Damaged` if the passphrase
        is wrong or a file of the home does not hold what was written."""
        seed = self.seed()
        player = _PLAYER.read(self.folder)
        if player is None:
            raise _PLAYER.damage_error(self.folder)
        return Identity(player.name, player.mail, seed)

    def seed(self) -> bytes:
        """The secret bytes of this home's key (`Identity.seed`), without name and address. Raises
        `Usage` if there is none, `Damaged` if the key file cannot be read or its passphrase is
        another."""
        if (lost := self.lost_key()) is not None:
            raise lost
        if not self.has_identity():
            raise Usage(
                "this home has no identity yet",
                hint=Do("id", '--name "Ann"', "--mail ann@example.org", when="make one"),
            )
        pem = self.key_pem()
        if self.unlocked is not None and self.unlocked[0] == pem:
            return self.unlocked[1]
        return self.unlock(ask_passphrase(KEY_PROMPT) if is_encrypted(pem) else "")

    def unlock(self, passphrase: str) -> bytes:
        """Open the key file with this passphrase, for as long as this object is used; the key.
        Raises `Damaged`."""
        pem = self.key_pem()
        try:
            seed = read_pem(pem, passphrase)
            self.unlocked = pem, seed
            return seed
        except Usage as error:
            raise Damaged(
                error.what, where=files.printable(self._key_file), hint=error.hint
            ) from error

    def key_pem(self) -> bytes:
        """The private key as it lies in the home, protected by its passphrase if it has one. Raises
        `Damaged`."""
        try:
            return files.read_own(self._key_file, 10_000)
        except Usage as error:
            raise Damaged(
                error.what, hint="restore it from your copy, or give it back its rights"
            ) from error

    def create(self, name: str, mail: str, seed: bytes, passphrase: str) -> Identity:
        """Make the identity of a home that has none, with the key of this seed. Raises `Conflict`
        if it has one."""
        if self.has_identity():
            raise Conflict(
                "this home has an identity already",
                hint=Typed("choose another folder with PBEM_HOME"),
            )
        player = _NamedPlayer(name, mail)
        self.make_folder()
        _PLAYER.write(self.folder, player)
        place.settle(self.folder)
        written_by.note(self.folder)
        files.write_new(self._key_file, write_pem(seed, passphrase), mode=0o600)
        return Identity(name, mail, seed)

    def rename(self, name: str, mail: str) -> None:
        """Change name and mail address for games to come."""
        _PLAYER.write(self.folder, _NamedPlayer(name, mail))


def check_line(text: str, what: str, longest: int) -> None:
    """Raise `Usage` unless a turn file may hold this text as one line."""
    if emoji := emoji_of_several(text):
        raise Usage(
            f"the {what} holds {emoji}, an emoji written with characters that nobody sees, which"
            " no turn file may hold there",
            hint="leave it out, or take one that is a single character",
        )
    if not is_line(text.replace("\n", "")):
        raise Usage(
            f"the {what} holds characters that nobody sees, which no turn file may hold there"
        )
    if "\n" in text or len(text) > longest:
        raise Usage(f"the {what} is longer than one line of {longest} characters")
    if what == "name" and not text.strip():
        raise Usage("the name is empty", hint=Do("id", '--name "Ann"'))
    if what == "name" and not is_name(text):
        raise Usage(
            "the name holds a blank that is no ordinary one, or nothing else",
            hint=Do("id", '--name "Ann"'),
        )


def ask_passphrase(prompt: str) -> str:
    """The passphrase from `PBEM_PASSPHRASE`, or entered unseen. Raises `Usage` where nobody can
    type."""
    given = os.environ.get("PBEM_PASSPHRASE")
    if given is not None:
        return given
    if not sys.stdin.isatty():
        needed = (
            "the key needs its passphrase" if prompt == KEY_PROMPT else "a passphrase is needed"
        )
        raise Usage(needed, hint=Typed("run pbem in a terminal, or set PBEM_PASSPHRASE"))
    from getpass import getpass  # only a key with a passphrase needs it

    return getpass(prompt, stream=sys.stderr)


def _default_folder() -> Path:
    folder = os.environ.get("PBEM_HOME")
    if folder:
        return Path(folder)
    import platformdirs  # few commands ask

    return Path(platformdirs.user_data_dir("pbem", appauthor=False))
