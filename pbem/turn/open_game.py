"""A game opened for one player: verified, compared with what they have signed, and reported to
their own eyes.

The bytes of a file are read (`turnfile`), every entry passes the gate (`ledger`), and the memory
says whether this is the game that the player has signed. Then a draft of the next entry
(`draft_entry`) runs on a copy of the game, and `pbem.turn.signing` signs and remembers it before it
goes out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from pathlib import Path

from engine.flow import Seat
from pbem import files
from pbem.crypto import randomness
from pbem.english import listed, numbered, spell
from pbem.errors import Conflict, PbemError, Usage
from pbem.fileformat import turnfile
from pbem.fileformat.turnfile import MAX_FILE, TurnFile
from pbem.home import clock
from pbem.home.check_cache import CheckCache
from pbem.home.game_index import MAX_NAMED, short_name
from pbem.home.home import Home
from pbem.home.identity import Identity
from pbem.home.joins import differ_in_join
from pbem.home.known_names import Names
from pbem.home.memory import Memory
from pbem.ledger.clock import DAY, seconds
from pbem.ledger.gate import LastSeen, follow, replay
from pbem.ledger.ledger import Ledger, player_names
from pbem.ledger.playing import Playing, answer_rules
from pbem.report import seat_names
from pbem.turn.draft_entry import DraftEntry, Hand


@dataclass
class OpenFile:
    """A verified file, as an onlooker has it: `seat` is that of the player who opened it, if they
    have one (`SeatedFile`)."""

    file: TurnFile
    ledger: Ledger
    _: KW_ONLY
    seen: LastSeen = field(default_factory=dict)
    checks: CheckCache | None = None
    seat: Seat | None = None
    stale: bool = False
    warnings: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    """Those of the warnings that tell of names with other keys than are known."""
    compared: Mapping[str, str] = field(default_factory=dict)
    """The days on which the player compared fingerprints, by key in base64."""

    def warn(self, *sentences: str) -> None:
        """Keep these for the player, but for the empty ones."""
        self.warnings += filter(None, sentences)

    def copy(self) -> Ledger:
        """The game once more, at the end of the file."""
        return self.checked(self.file)

    def checked(self, file: TurnFile) -> Ledger:
        """The game of another file; what was checked here is not checked again. Raises
        `Invalid`."""
        return replay(file, None if self.checks is None else self.checks.verifier)

    def to_play(self) -> Playing | None:
        """The game that is played, if its next entry is this player's and this is its newest file;
        else None."""
        return None

    def may_close(self) -> bool:
        """Whether nothing is left to write but that this player has seen the end, and it is theirs
        to say so now."""
        return False

    def is_new_to_player(self) -> bool:
        """Whether its player has a seat in which they will decide, and has decided nothing yet."""
        return False

    def draft(self, answers: Sequence[str] = (), ordered: Sequence[str] = ()) -> DraftEntry | None:
        """The next entry with these answers (`SeatedFile.begin`). None if it is not the player's
        turn. Raises an `engine.flow.Refusal` at an answer that is not taken."""
        return None

    def make_spare(self) -> None:
        """Make the copy of the game on which the next draft runs, before anybody waits for it."""


@dataclass
class HomeFile(OpenFile):
    """A file opened in a home that has a key, before the memory of its game."""

    _: KW_ONLY
    checks: CheckCache
    identity: Identity
    memory: Memory

    def too_old(self) -> Conflict:
        """What is wrong with a file that ends before the newest entry this player signed."""
        newest = self.memory.newest_signed()
        hint = f"go on with the newest file, which {short_name(self.ledger)} means to every command"
        if newest is None:
            return Conflict("the file is old: a newer one is here", hint=hint)
        signed = numbered(newest, self.ledger.rules.measure)
        return Conflict(f"the file is old: you have signed {signed} since", hint=hint)


@dataclass
class SeatedFile(HomeFile):
    """A file of a game in which the player of this home has a seat."""

    _: KW_ONLY
    seat: Seat
    spare: list[Ledger] = field(default_factory=list)
    """A copy of the game for the next draft, if one was made ready."""

    def secrets(self) -> randomness.SeatSecrets:
        """The secrets of the player's own seat."""
        return secrets_of(self.identity, self.ledger, self.seat)

    def to_play(self) -> Playing | None:
        is_theirs = not self.stale and self.ledger.to_act() == self.seat
        return self.ledger.playing if is_theirs else None

    def may_close(self) -> bool:
        return not self.stale and self.ledger.to_close() == self.seat

    def is_new_to_player(self) -> bool:
        game = self.ledger
        if self.stale or game.is_over():
            return False
        own = [entry for entry in self.file.entries if game.seat_of(entry) == self.seat]
        decides = self.seat not in game.rules.bystanders(game.settings)
        return decides and not any(entry.list("answers") for entry in own)

    def draft(self, answers: Sequence[str] = (), ordered: Sequence[str] = ()) -> DraftEntry | None:
        return None if self.to_play() is None else self.begin(answers, ordered)

    def make_spare(self) -> None:
        if not self.spare and self.to_play() is not None:
            self.spare.append(self.copy())

    def begin(self, answers: Sequence[str] = (), ordered: Sequence[str] = ()) -> DraftEntry:
        """The next entry, which is this player's, with these answers, run on a copy of the game as
        far as it goes: its `ledger` is the position after it, and the verified game stays as it is.
        Raises an `engine.flow.Refusal` at an answer that is not taken."""
        return self.draft_on(self.spare.pop() if self.spare else self.copy(), answers, ordered)

    def draft_on(self, game: Ledger, answers: Sequence[str], ordered: Sequence[str]) -> DraftEntry:
        """The same on this copy of the game, which is at the end of the file."""
        # a draw is answered before the rules are
        is_offered = game.offer is not None and game.offer.alone
        answers = [seat_names.meant(game, answer) for answer in answers]
        draft = DraftEntry(game, self.seat, self.secrets(), () if is_offered else answers, ordered)
        answer_rules(game.begun(), draft)
        while draft.take_as_said():
            pass
        draft.remaining += answers if is_offered else []
        return draft


def secrets_of(identity: Identity, game: Ledger, seat: Seat) -> randomness.SeatSecrets:
    """What an identity's key gives for a seat it holds."""
    player = game.player_of(seat)
    return randomness.derive(identity.seed, game.game_id, game.seats[seat], player.nonce)


def open_file(data: bytes, home: Home | None, *, nothing_newer: bool = False) -> OpenFile:
    """Verify a file and, for a home with an identity, hold it against its memory. Raises `Invalid`
    or `Conflict`."""
    if home is not None and home.has_identity():
        return open_in(home, data, nothing_newer=nothing_newer)
    checks = None if home is None else home.checks
    file = turnfile.read(data)
    game, seen = follow(file, None if checks is None else checks.verifier)
    opened = OpenFile(file, game, seen=seen, checks=checks)
    if home is not None and (lost := home.lost_key()) is not None:
        opened.warn(str(lost))
    return opened


def open_in(home: Home, data: bytes, *, nothing_newer: bool = False) -> HomeFile:
    """Verify a file and hold it against the memory of a home. Raises `Invalid` or `Conflict`, and
    `Usage` if the home has no identity."""
    file = turnfile.read(data)
    game, seen = follow(file, home.checks.verifier)
    home.checks.keep()
    opened = held_by(home, file, game, seen)
    if home.checks.warning:
        opened.warn(f"{files.printable(home.checks.path)}: {home.checks.warning}")
    _keep_read(opened)
    known = _compare_names(opened, home)
    _remember(opened, nothing_newer=nothing_newer)
    if opened.seat is not None:
        known.remember(file)
    _warn_of_memory(opened)
    if opened.stale:
        opened.warn(opened.too_old().what)
    opened.warn(dated_ahead(game, opened.seat), _other_versions(opened))
    if isinstance(opened, SeatedFile):
        opened.warn(*Hand(game, opened.seat, opened.secrets().root).warnings)
    return opened


def held_by(home: Home, file: TurnFile, game: Ledger, seen: LastSeen) -> HomeFile:
    """A verified file in a home that has an identity, at the seat that is its player's. Raises
    `Usage`."""
    identity, memory = home.identity(), Memory(home, game.game_id)
    opened = HomeFile(file, game, seen=seen, checks=home.checks, identity=identity, memory=memory)
    seat = game.seat_with(identity.public)
    return opened if seat is None else SeatedFile(**{**vars(opened), "seat": seat})


def _keep_read(opened: HomeFile) -> None:
    opened.memory.tidy()
    try:
        opened.memory.read.keep(opened.file)
    except Usage as error:  # a full disk keeps nobody from looking
        opened.warn(f"this file is not kept in your home: {error.what}")


def _compare_names(opened: HomeFile, home: Home) -> Names:
    """Compare the names in a file with the keys that the home knows."""
    known = Names(home, opened.identity)
    opened.doubts, opened.compared = known.look(opened.file), known.compared
    if known.problem is not None:
        opened.warn(f"names are not compared with the keys you know: {known.problem}")
    opened.warn(*opened.doubts)
    return known


def _remember(opened: HomeFile, *, nothing_newer: bool) -> None:
    """Hold a file against what its player has signed. Raises `Conflict`."""
    file, memory = opened.file, opened.memory
    own = [one.number for one in file.entries if opened.ledger.seat_of(one) == opened.seat]
    if nothing_newer:
        memory.set_damaged_aside(file)
    opened.stale = memory.check(file, own, nothing_newer=nothing_newer)
    if opened.seat is None and not opened.stale and memory.newest_signed() is not None:
        opened.warn(
            "somebody else has joined in the seat that you wanted: another one is free for you"
            if memory.gives_way(file)
            else "the inviter has gone on with somebody else: you have no seat, and watch this game"
        )
    if nothing_newer:
        memory.begin_anew_here()


def _warn_of_memory(opened: HomeFile) -> None:
    opened.warn(opened.memory.note_here())
    if lacking := opened.memory.missing_turn():
        opened.warn(f"{lacking}: nothing is signed in it here")
    opened.warn(*opened.memory.notes)


def _other_versions(opened: HomeFile) -> str:
    """What to tell of other versions of the newest entry that were read; empty if there are
    none."""
    file = opened.file
    others = [
        path for path in opened.memory.read.other_versions(file) if not _is_others_join(path, file)
    ]
    if not others:
        return ""
    names = [path.name for path in others[:MAX_NAMED]]
    if len(others) > MAX_NAMED:
        names.append(f"{len(others) - MAX_NAMED} more")
    newest = numbered(len(file.entries) - 1, opened.ledger.rules.measure)
    return f"another version of {newest} was read before: {listed(names)}"


def _is_others_join(path: Path, file: TurnFile) -> bool:
    """Whether the file at this path differs from another first in who has joined: that is no second
    version of a turn."""
    try:
        return differ_in_join(turnfile.read(files.read_own(path, MAX_FILE)), file)
    except PbemError:
        return False


def dated_ahead(game: Ledger, own: Seat | None) -> str:
    """What to tell of the newest entry of another seat that is dated more than a day after the
    clock of this machine: it is their claim, and stops nothing. Empty if there is none."""
    others = [entry for entry in game.entries if game.seat_of(entry) != own]
    ahead = seconds(others[-1].date) - seconds(clock.now()) if others else 0
    if ahead <= DAY:
        return ""
    who = player_names(game)[game.seat_of(others[-1])]
    return (
        f"{numbered(others[-1].number, game.rules.measure)} by {who} is dated {spell(ahead)} after"
        f" your clock: so says the clock of {who}"
    )
