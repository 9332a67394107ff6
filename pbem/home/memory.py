"""What a player has signed and read, so that nobody can make them sign two versions of a turn.

One folder a game: `signed/NNNN.toml` is the whole turn file whose newest entry NNNN this player
signed, stored before anybody sees it; `read/NNNN-<hash>.toml` is every file that was read, and
`seen/NNNN-<hash>` the date on which it was read first, in a game with a clock. Laws
(docs/format.md, section 9):

- one entry a game and number, ever; asked again, the player gives the same bytes;
- an entry is signed only on a file that contains all that was signed before, but for joins with
  which the game did not go on;
- a file with an own entry that is not remembered stops the player until they say that nothing newer
  exists;
- nothing is signed in a game of which another home on this computer has signed a turn that this one
  lacks.

The last of them hangs on what is kept outside of the home (`pbem.home.outside`). One lock spans
looking there, storing the entry here and noting it there, in this order. A program that is killed
before it could note what it has stored has given it to nobody; the next one to open the game notes
it.

A remembered file that is damaged still counts as signed: it is mended from a verified file that
holds the entry, and until then nothing is signed in its game.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Iterable
from contextlib import suppress
from functools import cached_property
from pathlib import Path

from pbem import files
from pbem.errors import Conflict, Damaged, Do, Invalid, Newer, PbemError, Typed, Usage
from pbem.fileformat import turnfile
from pbem.fileformat.turnfile import MAX_FILE, TurnFile
from pbem.home import clock, place, written_by
from pbem.home.home import Home
from pbem.home.joins import (
    ends_with_join,
    may_give_way,
    went_on_without,
)
from pbem.home.outside import NO_TURN, SignedHere, SignedTurn
from pbem.home.read_files import ReadFiles
from pbem.home.shelf import NEWER, signed_path, signed_remedy
from pbem.home.two_versions import contradiction
from pbem.ledger import gate
from pbem.ledger.signatures import SIGNATURE_TAG, holds

_SIGNED = re.compile(r"([0-9]{4})\.toml\Z")


_TAKE_IT_IN = (
    "play from that home, or take that turn in from a mail or file of the game",
    Do("inbox", "FOLDER", does="does"),
    Do(
        "show",
        "GAME",
        "--i-have-no-newer-file",
        when="only if that turn never left this computer, and is not to count",
    ),
)


class ForgottenTurn(Conflict):
    """The player has signed a turn that their home does not remember: they may have signed others
    too."""


class Memory:
    """What one home remembers of one game."""

    def __init__(self, home: Home, game_id: bytes) -> None:
        self.home = home
        self.game = game_id.hex()[:32]
        self.folder = home.game_folder(game_id)
        self.notes: list[str] = []
        """Sentences for the player about files that were mended and turns that were taken back."""
        self.read = ReadFiles(home, self.folder, self.notes)

    @cached_property
    def _here(self) -> SignedHere:
        return SignedHere(self.home.identity().public, self.game, self.home.folder)

    def check_open(self) -> None:
        """Raise `Conflict` if the home was moved away: then it signs nothing."""
        place.check_open(self.home.folder)

    def check_clock(self, own: Iterable[str]) -> None:
        """Raise `ClockDoubt` if the clock of this machine counts as wrong; `own` are the dates of
        the player's own entries."""
        clock.check(self.home.folder, own)

    def tidy(self) -> None:
        """Remove the leftovers of killed processes from the folders of this game and from the
        home."""
        for folder in (
            self.home.folder,
            self.folder,
            *(self.folder / name for name in ("signed", "read", "seen")),
        ):
            files.remove_leftovers(folder)

    def signed(self, number: int) -> bytes | None:
        """The turn file that ends with this player's entry `number`, if they signed one. Raises
        `Damaged`."""
        data = self._read_signed(number)
        if data is not None and self._is_damaged(data, number):
            raise self._damage(number, data)
        return data

    def signed_as(self, number: int, digest: str) -> bytes | None:
        """The turn file that ends with this player's entry `number`, if its SHA-256 is this one:
        then it is whole, and need not be replayed. None if another entry was signed. Raises
        `Damaged`."""
        data = self._read_signed(number)
        if data is not None and hashlib.sha256(data).hexdigest() == digest:
            return data
        self.signed(number)
        return None

    def _read_signed(self, number: int) -> bytes | None:
        """What is stored under this number, whole or not. Raises `Damaged` if it cannot be read at
        all."""
        path = self._signed_path(number)
        if not os.path.lexists(path):
            return None
        try:
            return files.read_own(path, MAX_FILE)
        except Usage as error:
            hint = (
                f"it remembers your turn {number}: make it readable again, or restore it from your"
                " copy"
            )
            raise Damaged(error.what, hint=hint) from error

    def _damage(self, number: int, data: bytes) -> Damaged:
        how = "damaged" if data else "empty"
        return Damaged(
            f"what you signed as turn {number} is {how}",
            where=files.printable(self._signed_path(number)),
            hint=signed_remedy(number),
        )

    def newest_signed(self) -> int | None:
        """The number of the newest entry this player signed."""
        return max(self._signed_numbers(), default=None)

    def _signed_numbers(self) -> list[int]:
        """The numbers of the entries this player signed. Raises `Damaged`."""
        names = [path.name for path in _list_files(self.folder / "signed")]
        return [int(match[1]) for name in names if (match := _SIGNED.match(name))]

    def sign_once(self, number: int, data: bytes, date: str) -> None:
        """Store a file that ends with a new entry, of this date, before anybody sees it. Raises
        `Conflict` if another entry of that number was signed, here or in another home on this
        computer."""
        with self._here.lock():
            self.check_open()  # it may have been moved away since it was looked at
            self.check_here()
            self._keep_signed(number, data)
            # `note_here` tells of it, and `pbem watch` sends nothing before it could be noted
            with suppress(Usage):
                self._here.write(number, data)
        clock.note_signed(self.home.folder, date)

    def missing_turn(self) -> str:
        """A sentence about a turn that was signed on this computer and that this home does not
        have; empty if it has all of them. Raises `Damaged`."""
        known = self._known_here()
        stored = None if known is NO_TURN else self._read_signed(known.number)
        if known.number < 0 or (stored is not None and known.is_end_of(stored)):
            return ""
        if stored is not None and self._is_damaged(stored, known.number):
            return ""  # it counts as signed, and stops the game by itself until it is mended
        turn = (
            f"turn {known.number} of this game (SHA-256 {known.file[:16]}…) was signed on this"
            " computer"
        )
        lacks = "does not have it" if stored is None else "has another one"
        if known.home == os.path.realpath(self.home.folder):
            return f"{turn} in this home, which {lacks}"
        where = f" in the home {files.printable(Path(known.home))[:200]}" if known.home else ""
        return f"{turn}{where}, and this home {lacks}"

    def _known_here(self) -> SignedTurn:
        """The newest turn of the game that was signed on this computer, if that can be read."""
        try:
            return self._here.read()
        except Damaged:
            return NO_TURN

    def check_here(self) -> None:
        """Raise `ForgottenTurn` if this home lacks a turn that was signed on this computer: then it
        signs and sends nothing in this game."""
        if missing_turn := self.missing_turn():
            raise ForgottenTurn(missing_turn, hint=_TAKE_IT_IN)

    def check_before_sending(self) -> None:
        """Note what this home has signed before it is sent: a program may have been killed after it
        had stored a turn, and another home may have signed since. Raises `ForgottenTurn`."""
        self.note_here()
        self.check_here()

    def note_here(self, *, just_signed: bool = False) -> str:
        """Note the newest turn of this home outside of it, unless it is noted, or this home lacks
        what is noted there. Returns what to tell the player if it cannot be noted. For a turn that
        was `just_signed` that is empty if an earlier turn could not be noted either: the player was
        told when the game was opened."""
        newest = self.newest_signed()
        if newest is None or (data := self._read_signed(newest)) is None:
            return ""
        if self._known_here().number >= newest:
            return ""
        with self._here.lock():
            try:
                if (
                    self._here.read().number < newest
                    and not self.missing_turn()
                    and self._is_own(data, newest)
                ):
                    self._here.write(newest, data)
            except Usage as error:
                known = self._known_here().number
                if not just_signed or sum(number > known for number in self._signed_numbers()) == 1:
                    return (
                        "what you sign is not noted outside of this home, and a copy of it would"
                        f" not know: {error}"
                    )
        return ""

    def is_noted_here(self) -> bool:
        """Whether the newest turn that is noted outside of this home is the newest that it has
        signed. Raises `Damaged`."""
        newest = self.newest_signed()
        return newest is None or (not self.missing_turn() and self._known_here().number == newest)

    def set_damaged_aside(self, file: TurnFile) -> None:
        """The player says that nobody has a newer turn of theirs than this file holds: what they
        signed after it and is damaged counts no more. Nothing of it is removed. Raises `Usage`."""
        for number in self._signed_numbers():
            if number < len(file.entries) or (data := self._read_signed(number)) is None:
                continue
            if self._is_damaged(data, number):
                path = self._signed_path(number)
                files.move(path, path.with_suffix(".damaged"))
                self.notes.append(
                    f"as you say, nobody has your turn {number}, whose file was damaged:"
                    f" {files.printable(path.with_suffix('.damaged'))} is what is left of it"
                )

    def begin_anew_here(self) -> None:
        """The player says that what this home has signed is the newest: note it outside of the
        home. Raises `Usage`."""
        newest = self.newest_signed()
        data = None if newest is None else self._read_signed(newest)
        with self._here.lock():
            if not (missing_turn := self.missing_turn()):
                return
            if newest is None or data is None:
                self._here.clear()
            else:
                self._here.write(newest, data)
        self.notes.append(
            f"as you say, nobody has a newer turn of yours than this home; {missing_turn}"
        )

    def _keep_signed(self, number: int, data: bytes) -> None:
        """Store a file that ends with an own entry. Raises `Conflict` if another entry of that
        number is stored."""
        self.home.make_folder("games", self.game, "signed")
        written_by.note(self.home.folder)
        try:
            files.write_new(self._signed_path(number), data, mode=0o600)
        except Usage:
            with suppress(OSError):  # of a game that could not be begun no folder stays
                (self.folder / "signed").rmdir()
                self.folder.rmdir()
            raise
        except Conflict as error:
            raise Conflict(
                f"turn {number} was signed already, with other contents",
                hint=(
                    "a turn is signed once",
                    Do("play", "FILE", does="without answers writes the signed one again"),
                ),
            ) from error
        self._check_alone(number, data)

    def _check_alone(self, number: int, data: bytes) -> None:
        """Raise `Conflict` if another process has signed on another branch of the same game
        meanwhile; then neither has signed."""
        for path in _list_files(self.folder / "signed"):
            if (match := _SIGNED.match(path.name)) is None:
                continue  # what a killed process left
            other = files.read_own(path, MAX_FILE)
            if not (data.startswith(other) or other.startswith(data) or _is_join(other)):
                self._signed_path(number).unlink(missing_ok=True)
                if self._is_damaged(other, int(match[1])):
                    raise self._damage(int(match[1]), other)
                raise Conflict(
                    f"turn {number} is another version of a turn that you have answered or signed"
                    " already",
                    hint=(
                        f"both versions are kept in {files.printable(self.folder)}; go on with the"
                        " one you answered"
                    ),
                )

    def give_up(self) -> None:
        """Forget a game whose invitation was signed here and has not been given to anybody."""
        with self._here.lock():
            shutil.rmtree(self.folder, ignore_errors=True)
            self._here.forget()

    def check(self, file: TurnFile, own: list[int], *, nothing_newer: bool) -> bool:
        """Compare a verified file with the memory; `own` are the numbers of this player's entries
        in it. Returns whether the file is older than what was signed. A join binds nobody once the
        inviter has gone on without it, or where the player may join once more. Raises `Conflict` if
        the file contradicts what was signed, or holds own entries that are neither remembered nor
        noted on this computer (with `nothing_newer` they are remembered from now on); `Damaged` if
        the memory cannot be read."""
        _list_files(self.folder / "signed")  # a memory that cannot be read remembers all the same
        missing_numbers = [number for number in own if self._read_signed(number) is None]
        if missing_numbers and not nothing_newer:
            number, known = missing_numbers[0], self._known_here()
            if not (
                own[-1] <= known.number < len(file.entries)
                and known.is_end_of(file.prefix(known.number + 1))
            ):
                raise ForgottenTurn(
                    f"this file holds your turn {number}, which this home does not remember",
                    hint=(
                        "say so if you are sure that you signed nothing newer elsewhere",
                        Typed("--i-have-no-newer-file"),
                    ),
                )
            self.notes.append(
                f"your turn {known.number}, signed on this computer, is remembered in this home"
                " now too"
            )
        for number in own:
            mine, stored = file.prefix(number + 1), self._read_signed(number)
            if stored is None:
                self._keep_signed(number, mine)
            elif stored != mine:
                if not self._is_damaged(stored, number):
                    raise self._contradiction(file, stored, number)
                self._mend(number, stored, mine)
        newest = self.newest_signed()
        if newest is None or newest in own:
            return False
        signed = self.signed(newest) or b""
        if signed.startswith(file.data):
            return True
        newest_own = turnfile.read(signed)
        if went_on_without(newest_own, file) or may_give_way(newest_own, file):
            return False
        raise self._contradiction(file, signed, newest)

    def gives_way(self, file: TurnFile) -> bool:
        """Whether the newest entry that this player signed is a join, and they may join once more
        in this verified file, which goes on before it. Raises `Damaged`."""
        newest = self.newest_signed()
        signed = None if newest is None else self.signed(newest)
        return signed is not None and may_give_way(turnfile.read(signed), file)

    def take_over(self, other: Memory) -> None:
        """Remember what another memory of this game has signed: that of a home whose place this one
        takes, perhaps out of an older backup. Raises `Conflict` if the two have signed two versions
        of an entry, and `Damaged`."""
        for path in _list_files(other.folder / "signed"):
            number = int(match[1]) if (match := _SIGNED.match(path.name)) else None
            data = None if number is None else other._read_signed(number)
            if number is None or data is None or (mine := self._read_signed(number)) == data:
                continue
            if mine is None:
                self.home.make_folder("games", self.game, "signed")
                files.write_new(self._signed_path(number), data, mode=0o600)
            elif self._is_damaged(mine, number):
                files.replace(self._signed_path(number), data)
            elif not other._is_damaged(data, number):
                raise Conflict(
                    f"turn {number} of game {self.game[:8]} was signed here, and what is packed has"
                    " another version",
                    hint="nothing was unpacked; go on in the home whose version the others have",
                )

    def _contradiction(self, file: TurnFile, signed: bytes, number: int) -> Conflict:
        paths = (self._signed_path(number), self.read.path_of(file))
        return contradiction(file, signed, number, paths)

    def take_back(self, file: TurnFile, own: list[int], where: str) -> None:
        """Remember the own entries of a verified file that was found at `where`: this player signed
        them before the home was lost or restored. Raises `Conflict` if the file contradicts what is
        remembered."""
        known = self.newest_signed()
        self.check(file, own, nothing_newer=True)
        newest = max(own)
        if known is None or known < newest:
            self.notes.append(
                f"your turn {newest} stands in {where}: it is remembered now, and none was signed"
                " anew"
            )

    def _mend(self, number: int, stored: bytes, mine: bytes) -> None:
        """Put the entry of a verified file in place of a damaged one; what is left of that is kept
        beside it."""
        path = self._signed_path(number)
        if stored:
            files.replace(path.with_suffix(".damaged"), stored)
        files.replace(path, mine)
        self.notes.append(f"{files.printable(path)} was damaged, and is mended from this file")

    def _is_damaged(self, data: bytes, number: int) -> bool:
        """Whether this is not a turn file that ends with entry `number` and verifies. Raises
        `Newer` if it is too new to tell."""
        try:
            file = turnfile.read(data)
            gate.replay(file, self.home.checks.verifier)
        except Newer as error:
            what = f"what you signed as turn {number} was {NEWER}"
            raise Newer(what, where=files.printable(self._signed_path(number))) from error
        except Invalid:
            return True
        return len(file.entries) != number + 1

    def _is_own(self, data: bytes, number: int) -> bool:
        """Whether this turn file ends with entry `number`, signed with this player's key. Then
        every byte is as it was, and the game need not be replayed to see it."""
        try:
            entry = turnfile.read(data).entries[-1]
        except Invalid:
            return False
        key = self.home.identity().public
        return entry.number == number and holds(key, SIGNATURE_TAG + entry.digest, entry.signature)

    def _signed_path(self, number: int) -> Path:
        return signed_path(self.folder, number)


def _is_join(data: bytes) -> bool:
    """Whether this is a whole turn file that ends with a join."""
    try:
        return ends_with_join(turnfile.read(data))
    except PbemError:
        return False


def _list_files(folder: Path) -> list[Path]:
    """Raises `Damaged`."""
    try:
        return files.listed(folder)
    except Usage as error:
        raise Damaged(error.what, hint=error.hint) from error
