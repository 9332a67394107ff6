"""The sealed choices of a game (docs/format.md, section 19): who sealed which when, who opens next,
and whether they follow from their author's root. And its private notes (section 16), which stay
sealed until their author's root is revealed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engine.flow import Ask, Option, Seat
from engine.rules import Game, Rules, words_of
from pbem.crypto import choices, notes
from pbem.crypto.choices import ChoicePlace
from pbem.crypto.notes import COMMITMENT_SIZE, SIZES, NotePlace
from pbem.errors import Forged, Malformed, RulesBroken, failing_as
from pbem.fileformat.encoding import b64
from pbem.fileformat.turnfile import Entry, blob

_OPENED = re.compile(r"(0|[1-9][0-9]{0,3}) (0|[1-9][0-9]{0,2}) ([A-Za-z0-9+/=]+) (.+)\Z")


class Commitment(NamedTuple):
    """What an entry publishes of a choice, with the SHA-256 of the file before it and its nonce.
    While the entry is being written these are empty, and there are the `words` instead, which no
    file holds."""

    before: bytes = b""
    nonce: bytes = b""
    digest: bytes = b""
    words: str = ""


class OpenedChoice(NamedTuple):
    """An opening: which choice, by the number of its entry and its place there, its salt and its
    words."""

    entry: int
    number: int
    salt: bytes
    words: str


@dataclass(slots=True)
class SealedChoice:
    """One choice. `options` are the answers by the words they were sealed in; `words` are known
    once it is opened, `by_root` once its author's root is."""

    entry: int
    index: int
    seat: Seat
    options: dict[str, Option]
    commitment: Commitment
    words: str = ""
    by_root: str = ""

    @property
    def label(self) -> str:
        """How traces and openings name it: `5 0`."""
        return f"{self.entry} {self.index}"


class SealedChoices:
    """All choices that were sealed in one game, by the token that the rules know them by."""

    def __init__(self, rules: Rules, game_id: bytes, seats: Sequence[str]) -> None:
        self.all: list[SealedChoice] = []
        self._rules = rules
        self._game_id = game_id
        self._seats = seats

    def seal(self, game: Game, ask: Ask, number: int, commitment: Commitment) -> int:
        """The asked seat seals its answer with entry `number`; the token."""
        options = {words_of(self._rules, game, option): option for option in ask.options}
        index = sum(1 for choice in self.all if choice.entry == number)
        self.all.append(SealedChoice(number, index, ask.seat, options, commitment))
        return len(self.all) - 1

    def note_signature(self, entry: Entry) -> None:
        """The choices that were sealed while this entry was written stand in it as this."""
        own = [choice for choice in self.all if choice.entry == entry.number]
        for choice, commitment in zip(own, commitments(entry), strict=True):
            choice.commitment = commitment

    def place(self, choice: SealedChoice) -> ChoicePlace:
        """Where it was sealed."""
        sealed = choice.commitment
        return ChoicePlace(
            self._game_id, self._seats[choice.seat], sealed.before, sealed.nonce, choice.index
        )

    def unopened(self, seat: Seat) -> list[SealedChoice]:
        """The choices of a seat that it has not opened, in the order of the seals."""
        return [choice for choice in self.all if choice.seat == seat and not choice.words]

    def due(self, tokens: Sequence[int]) -> list[SealedChoice]:
        """Those of these choices that the next seat opens, in the order of the seals; none when all
        are open. Who sealed last comes last, so that nobody has to write twice in a row where
        another seat opens too."""
        closed = [self.all[token] for token in sorted(set(tokens)) if not self.all[token].words]
        last = {choice.seat: choice.entry for choice in closed}
        first = min(last, key=lambda seat: last[seat], default=None)
        return [choice for choice in closed if choice.seat == first]

    @failing_as("seal")
    def open(self, choice: SealedChoice, opened: OpenedChoice) -> None:
        """The author opens it. Raises `Forged` unless this is what they sealed."""
        if (opened.entry, opened.number) != (choice.entry, choice.index):
            raise Forged(
                f"opens the choice {opened.entry} {opened.number} where {choice.label} is to be"
                " opened"
            )
        if (
            choices.commitment(self.place(choice), opened.salt, opened.words)
            != choice.commitment.digest
        ):
            raise Forged(f"the choice {choice.label} was sealed with other words or another salt")

    def find_words(self, root: bytes, choice: SealedChoice) -> str | None:
        """Which words were sealed, for whoever has the author's root, or is writing the entry that
        seals them."""
        if choice.commitment.words:
            return choice.commitment.words
        return choices.find_words(
            root, self.place(choice), choice.commitment.digest, choice.options
        )

    def own(self, seat: Seat, root: bytes) -> Iterator[tuple[SealedChoice, str]]:
        """The choices of a seat that are still closed, with their words, for its player."""
        for choice in self.unopened(seat):
            yield choice, self.find_words(root, choice) or ""

    def reveal(self, seat: Seat, root: bytes) -> None:
        """The seat's root is known: every seal it ever gave must follow from it. Raises
        `Forged`."""
        for choice in (one for one in self.all if one.seat == seat):
            words = self.find_words(root, choice)
            if words is None or words != (choice.words or words):
                raise Forged(f"the root does not give the choice sealed as {choice.label}")
            choice.by_root = words

    def opening(self, root: bytes, choice: SealedChoice) -> OpenedChoice:
        """What its author writes to open it."""
        words = self.find_words(root, choice)
        assert words is not None, "the own choice is one of the list it was taken from"
        return OpenedChoice(
            choice.entry, choice.index, choices.salt_of(root, self.place(choice)), words
        )


def commitments(entry: Entry) -> list[Commitment]:
    """The choices that an entry seals. Raises `Malformed`."""
    where, nonce = entry.where, entry.blob("nonce", 32)
    sealed = [blob(text, 32, where, "a sealed choice") for text in entry.list("choice")]
    return [Commitment(entry.before, nonce, one) for one in sealed]


def write_choice_opening(opened: OpenedChoice) -> str:
    """`5 0 <salt> WORDS`"""
    return f"{opened.entry} {opened.number} {b64(opened.salt)} {opened.words}"


def read_choice_opening(text: str, where: str) -> OpenedChoice:
    """The opposite of `write_opened`. Raises `Malformed`."""
    match = _OPENED.match(text)
    if match is None:
        raise Malformed(f'"{text[:40]}" opens no choice', where=where)
    return OpenedChoice(int(match[1]), int(match[2]), blob(match[3], 32, where, "a salt"), match[4])


class SealedNote(NamedTuple):
    """A note as its entry holds it."""

    number: int
    seat: Seat
    place: NotePlace
    note: bytes


class Notes:
    """The notes of a game. `texts` are those of seats whose root is revealed, by the number of
    their entry; one that is no text is empty."""

    def __init__(self) -> None:
        self.sealed: list[SealedNote] = []
        self.texts: dict[int, str] = {}

    def take(self, entry: Entry, seat: Seat, game_id: bytes, *, allowed: bool) -> None:
        """Remember the note of an entry, if it holds one; `allowed`: its seat will reveal a root,
        and this is not its first entry. Raises `Malformed` or `RulesBroken`."""
        if "note" not in entry.fields:
            return
        if not allowed:
            raise RulesBroken(
                "a note stands in a later entry of a seat that reveals a root when the game is over"
            )
        size = len(entry.text("note")) // 4 * 3
        if size - COMMITMENT_SIZE not in SIZES:
            raise Malformed("a note has 288, 1056 or 4128 bytes", where=entry.where)
        place = NotePlace(game_id, entry.seat, entry.before, entry.blob("nonce", 32))
        self.sealed.append(SealedNote(entry.number, seat, place, entry.blob("note", size)))

    @failing_as("note")
    def reveal(self, seat: Seat, root: bytes) -> None:
        """Read all notes of a seat from its root. Raises `Forged` if one of them is not what the
        root gives."""
        for one in self.sealed:
            if one.seat == seat and one.number not in self.texts:
                padded = notes.unseal(root, one.place, one.note)
                if padded is None:
                    raise Forged(f"the root does not give the note of entry {one.number}")
                self.texts[one.number] = notes.text_of(padded)

    def read_own(self, seat: Seat, root: bytes) -> dict[int, str]:
        """The notes of a seat, for its player, who has the root; what is not theirs is left out."""
        own = (
            (one.number, notes.unseal(root, one.place, one.note))
            for one in self.sealed
            if one.seat == seat
        )
        return {number: notes.text_of(padded) for number, padded in own if padded is not None}
