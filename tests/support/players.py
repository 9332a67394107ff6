"""Two players in memory: whole games through `pbem.turn.open_game`, and entries that no honest
program would sign.

Everything is the same on every run: keys, nonces and dates follow from the seed.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import pytest

from pbem.errors import Invalid, PbemError, RulesBroken
from pbem.fileformat import turnfile
from pbem.fileformat.encoding import b64
from pbem.fileformat.toml_subset import Fields, Value
from pbem.home.home import Home
from pbem.home.identity import Identity
from pbem.ledger import gate
from pbem.ledger.gate import LastSeen, extend
from pbem.ledger.ledger import Ledger
from pbem.ledger.playing import answer_rules
from pbem.ledger.signatures import SIGNATURE_TAG
from pbem.report import verification
from pbem.turn import joining, open_game, questions, take_turn
from pbem.turn.draft_lines import Intent
from pbem.turn.open_game import OpenFile
from tests.support import homes
from tests.support.fixed import FixedRandom, fixed
from tests.support.forgetful import forgotten_entry
from tests.support.homes import key_of as key_of
from tests.support.homes import seed_of as seed_of

AMERICAN, TRIPOLITAN = 0, 1
NOTHING_CHECKED: tuple[bytes, Ledger, LastSeen] = (b"", Ledger(), {})


def make_home(folder: Path, name: str) -> Home:
    """A home whose key follows from the player's name."""
    return homes.make_home(folder, name, seed=seed_of(name))


class Pair:
    """One game of Tripoli between two homes. `data` is the newest turn file."""

    def __init__(
        self,
        folder: Path,
        seed: int = 0,
        *,
        host: int = AMERICAN,
        time: Fields | None = None,
        **options: int,
    ) -> None:
        homes.go_to_another_computer()
        self.random = random.Random(seed)
        self.nonces = FixedRandom(f"nonces {seed}")
        names = ("Ann", "Ben")
        self.homes = tuple(make_home(folder / name, name) for name in names)
        self.identities = tuple(home.identity() for home in self.homes)
        chosen = {name.replace("_", "-"): value for name, value in options.items()}
        with self.fixed():
            self.data = joining.invite(
                self.homes[host],
                joining.NewGame(
                    "tripoli",
                    seat=("american", "tripolitan")[host],
                    options=chosen,
                    clock=time or {},
                ),
            )
        self._checked = NOTHING_CHECKED

    @contextmanager
    def fixed(self) -> Iterator[None]:
        """Inside, nonces and dates follow from the seed."""
        with fixed(self.nonces):
            yield

    def ledger(self) -> Ledger:
        """The game as anybody may check it; the same object while the file is the same, for looking
        only."""
        known, game, seen = self._checked
        if known != self.data:
            file = turnfile.read(self.data)
            game, seen = (game, seen) if known and self.data.startswith(known) else (Ledger(), {})
            self._checked = NOTHING_CHECKED
            for entry in file.entries[len(game.entries) :]:
                extend(game, seen, entry)
            self._checked = (self.data, game, seen)
        return self._checked[1]

    def turn(self) -> int | None:
        """The seat that writes next."""
        return self.ledger().to_act()

    def open(self, seat: int, data: bytes | None = None) -> OpenFile:
        """The newest file (or another) before the player of a seat."""
        return open_game.open_file(self.data if data is None else data, self.homes[seat])

    def choose(self, seat: int, opened: OpenFile | None = None) -> list[str]:
        """Random legal answers that complete an entry. An opened file keeps the draft that they
        were chosen on."""
        draft = (opened or self.open(seat)).draft()
        assert draft is not None
        entered: list[str] = []
        while questions.open_question(draft) is not None:
            entered.append(self.random.choice(list(questions.options(draft))))
            draft.remaining.append(entered[-1])
            answer_rules(draft.ledger.begun(), draft)
        if opened is not None:
            homes.keep_draft(opened, draft, entered)
        return entered

    def step(self, answers: list[str] | None = None, **what: object) -> bytes:
        """The next entry of whoever writes next, with random answers unless some are given; the new
        file."""
        seat = self.turn()
        assert seat is not None
        with self.fixed():
            if self.ledger().players[seat] is None:
                self.data = joining.join(self.open(seat), self.homes[seat])
            else:
                opened = self._open_checked(seat)
                entered = self.choose(seat, opened) if answers is None else answers
                self.data = take_turn.next_entry(opened, Intent(entered, **what))  # type: ignore[arg-type]
                # it went on with the entry
                if len(opened.ledger.entries) > len(opened.file.entries):
                    self._checked = (self.data, opened.ledger, opened.seen)
        return self.data

    def _open_checked(self, seat: int) -> OpenFile:
        """The newest file before the player of a seat, whose program takes for its own check the
        one that was made when the newest entry was written; that game goes on with the next
        entry."""
        self.ledger()
        (_, *checked), self._checked = self._checked, NOTHING_CHECKED
        with patch.object(open_game, "follow", lambda *_: checked):
            return self.open(seat)

    def play(self, entries: int) -> Pair:
        """Go on until the file has that many entries, or nothing is left to write."""
        while len(turnfile.read(self.data).entries) < entries and self.turn() is not None:
            self.step()
        return self

    def next(self, answers: list[str] | None = None, **what: object) -> bytes:
        """What `step` would give, and nothing remembered: the game stands where it stood."""
        seat, state, nonces = self.turn(), self.random.getstate(), self.nonces.getstate()
        assert seat is not None
        with self.fixed():
            opened = self.open(seat)
            entered = self.choose(seat, opened) if answers is None else answers
            data = forgotten_entry(opened, Intent(entered, **what))  # type: ignore[arg-type]
        self.random.setstate(state)
        self.nonces.setstate(nonces)
        return data

    def until(self, wanted: object, entries: int = 400) -> Pair:
        """Go on until `wanted(ledger)` holds."""
        assert callable(wanted)
        while not wanted(self.ledger()):
            assert self.turn() is not None and len(turnfile.read(self.data).entries) < entries, (
                "it never came"
            )
            self.step()
        return self

    def cheat(self, data: bytes | None = None, **changes: Value | None) -> bytes:
        """The newest entry of a file, changed and signed anew by its own author; see `retouch`."""
        data = self.data if data is None else data
        seat = ("american", "tripolitan").index(turnfile.read(data).entries[-1].seat)
        return retouch(data, self.identities[seat], **changes)


def prefix(pair: Pair, entries: int) -> bytes:
    """The file as it was after so many entries."""
    return turnfile.read(pair.data).prefix(entries)


def last_fields(data: bytes) -> Fields:
    """The fields of a file's newest entry."""
    return dict(turnfile.read(data).entries[-1].fields)


def before_last(data: bytes) -> bytes:
    """A file without its newest entry; before the first stands the header."""
    entries = turnfile.read(data).entries
    return data[: entries[-2].end] if len(entries) > 1 else f"{turnfile.HEADER}\n".encode()


def retouch(data: bytes, signer: Identity, /, **changes: Value | None) -> bytes:
    """The newest entry with some fields changed (None: left out), signed anew, with the position
    digest that the gate would compute unless `position` is among the changes."""
    fields = last_fields(data)
    fields.update({key: value for key, value in changes.items() if value is not None})
    for key, value in changes.items():
        if value is None:
            fields.pop(key, None)
    return forge(before_last(data), signer, fields, keep_position="position" in changes)


def forge(before: bytes, signer: Identity, fields: Fields, *, keep_position: bool = False) -> bytes:
    """A file with one more entry of any content under a right signature."""
    if keep_position:
        return sign(before, signer, fields)
    fields = {**fields, "position": b64(bytes(32))}
    game = Ledger()
    try:
        for entry in turnfile.read(sign(before, signer, fields)).entries:
            gate.admit(game, entry)
    except RulesBroken as error:
        if "another position" in error.what:
            fields["position"] = b64(game.position_digest())
    except PbemError:
        pass
    return sign(before, signer, fields)


def sign(before: bytes, signer: Identity, fields: Fields) -> bytes:
    """The bare act: fields in order, digest, signature."""
    body = turnfile.write_body(turnfile.in_order(fields))
    return (
        before
        + body
        + turnfile.write_signature(signer.sign(SIGNATURE_TAG + turnfile.digest_of(before, body)))
    )


def refused(data: bytes, words: str) -> None:
    """The file does not verify, with exit code 3 and these words (a regular expression)."""
    facts, failure = verification.verify(data)
    assert failure is not None and not facts.ok, "accepted"
    assert isinstance(failure, Invalid) and failure.exit_code == 3
    with pytest.raises(Invalid, match=words):
        raise failure


def accepted(data: bytes) -> None:
    """The file verifies."""
    _, failure = verification.verify(data)
    assert failure is None, str(failure)
