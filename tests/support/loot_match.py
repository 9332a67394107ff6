"""A game of Loot in memory: every seat's entries drafted on one ledger, signed, and admitted by
another.

`forge` signs entries that no program of ours would write, for the tests of attacks.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache
from hashlib import sha256

from engine.flow import Answer, Ask
from engine.notation import sentences
from engine.rules import Game
from pbem.crypto import randomness
from pbem.crypto.randomness import SeatSecrets
from pbem.errors import PbemError
from pbem.fileformat import turnfile
from pbem.fileformat.encoding import b64
from pbem.fileformat.toml_subset import Fields
from pbem.fileformat.turnfile import HEADER, Entry
from pbem.games import registry
from pbem.home.identity import Identity
from pbem.ledger import gate, invitation
from pbem.ledger.gate import replay
from pbem.ledger.invitation import Invitation
from pbem.ledger.ledger import Ledger
from pbem.ledger.signatures import SIGNATURE_TAG
from pbem.report import verification
from pbem.turn.draft_entry import DraftEntry
from pbem.turn.joining import draft_first_entry, invitation_fields

Choose = Callable[[str, Sequence[str]], str]


def _person(seed: int, seat: int) -> Identity:
    own = sha256(b"%d %d" % (seed, seat)).digest()
    return Identity(f"Player {seat}", f"player{seat}@example.org", own)


class Match:
    """`count` players, all secrets following from `seed`, which is their number unless a test needs
    another: so games of as many seats begin with the same shuffles. `kept`: every seat is kept for
    its player's key. `game`: another one than Loot, for so many."""

    def __init__(
        self,
        count: int,
        seed: int | None = None,
        *,
        kept: bool = False,
        game: str = "loot",
        **settings: int,
    ) -> None:
        seed = self.seed = count if seed is None else seed
        self.rules = registry.newest(game)
        sides = {"players": count} if game == "loot" else {}
        self.settings = registry.chosen_settings(self.rules, {**sides, **settings})
        self.names = self.rules.seats(self.settings)
        self.people = [_person(seed, seat) for seat in range(count)]
        self.nonces = [sha256(b"nonce %d %d" % (seed, seat)).digest() for seat in range(count)]
        self.data = f"{HEADER}\n".encode()
        self._checker = Ledger()
        game = self.maker = Ledger()
        kept_for = (
            {self.names[seat]: self.people[seat].public for seat in range(1, count)} if kept else {}
        )
        game_id = invitation.game_id_of(self.people[0].public, self.nonces[0])
        game.open(Invitation.to(self.rules, self.settings, game_id, 0, kept_for))

    def fork(self, entries: int | None = None) -> Match:
        """The same game at the same point, or where it had so many entries, to go on in another
        way."""
        other = Match.__new__(Match)
        other.__dict__.update(self.__dict__)
        other.data = self.data if entries is None else turnfile.read(self.data).prefix(entries)
        other.maker = replay(turnfile.read(other.data))
        other._checker = Ledger()
        return other

    @property
    def checker(self) -> Ledger:
        """What anybody finds who checks the file: one ledger, that admits what is new whenever it
        is looked at."""
        if len(self.data) > len(HEADER) + 1:
            for entry in turnfile.read(self.data).entries[len(self._checker.entries) :]:
                gate.admit(self._checker, entry)
        return self._checker

    def secrets(self, seat: int) -> SeatSecrets:
        return randomness.derive(
            self.people[seat].seed, self.maker.game_id, self.names[seat], self.nonces[seat]
        )

    def draft(self, choose: Choose | None = None, *, resign: bool = False) -> DraftEntry:
        """The next entry by whoever is waited for, on the maker's ledger. `resign`: after all else
        they resign, unless the game is over by then (docs/format.md, section 8)."""
        game, seat = self.maker, self.maker.to_act()
        assert seat is not None
        if game.players[seat] is None:
            return self._join(seat)
        draft, playing = DraftEntry(game, seat, self.secrets(seat)), game.begun()
        playing.referee.trace.enter(draft.number)
        if game.outcome is not None:
            playing.referee.randomness.authors.append(seat)
            self.reveal(draft)
        else:
            if choose is not None:
                self._decide_by(draft, choose)
            playing.referee.take(draft)
            playing.outcome = playing.referee.outcome
            if resign and not playing.is_over():
                draft.fields["resign"] = "yes"
                playing.end_by_consent(draft, "", True)
            self.reveal(draft)
        return draft

    def reveal(self, draft: DraftEntry) -> None:
        """The root of the draft's seat, if it is owed now."""
        if self.maker.is_over() and self.maker.begun().is_root_due(draft.seat):
            root = self.secrets(draft.seat).root
            draft.fields["root"] = b64(root)
            self.maker.begun().reveal(draft.seat, root, draft.number)

    def bare(self) -> DraftEntry:
        """The next entry where a draw is to be answered first: it gives the shares it owes, and
        answers nothing."""
        game, seat = self.maker, self.maker.to_act()
        assert seat is not None and game.playing is not None
        draft = DraftEntry(game, seat, self.secrets(seat))
        game.begun().referee.trace.enter(draft.number)
        game.begun().referee.randomness.authors.append(seat)
        game.begun().referee.settle_shares(draft)
        return draft

    def keep(self, draft: DraftEntry) -> Entry:
        """Sign the draft; the checker admits it from the file."""
        entry = self.sign(draft)
        self.maker.adopt(entry)
        return entry

    def _decide_by(self, draft: DraftEntry, choose: Choose) -> None:
        """Let a policy answer whatever the entry is asked, from what the seat's own program
        knows."""

        def answer(position: Game, ask: Ask) -> Answer | None:
            draft.remaining = [
                choose(
                    self.names[draft.seat],
                    list(sentences(self.rules, position, ask, draft.faces())),
                )
            ]
            return DraftEntry.answer(draft, position, ask)

        draft.answer = answer  # type: ignore[method-assign]

    def _join(self, seat: int) -> DraftEntry:
        person = self.people[seat]
        fields = invitation_fields(self.maker.invitation) if not self.maker.entries else {}
        return draft_first_entry(self.maker, seat, person, self.nonces[seat], fields)

    def sign(self, draft: DraftEntry, change: Callable[[Fields], None] | None = None) -> Entry:
        """The entry, its fields changed after they were made if that is wanted."""
        seat, first = draft.seat, "key" in draft.fields
        fields = draft.contents()
        fields.update(
            seat=self.names[seat],
            date="2026-11-21T12:00:00Z",
            position=b64(self.maker.position_digest()),
        )
        fields["nonce"] = b64(
            self.nonces[seat] if first else sha256(b"n%d" % len(self.data)).digest()
        )
        if change is not None:
            change(fields)
        fields = turnfile.in_order(fields)
        body = turnfile.write_body(fields)
        chain = sha256(self.data)
        before = chain.digest()
        chain.update(body)
        digest = chain.digest()
        signature = self.people[seat].sign(SIGNATURE_TAG + digest)
        chain.update(end := turnfile.write_signature(signature))
        self.data += body + end
        return Entry(
            draft.number, fields, digest, signature, len(self.data), before, chain.digest()
        )

    def step(self, choose: Choose | None = None, *, resign: bool = False) -> Entry:
        """One honest entry; the checker must come to the same position."""
        return self.keep(self.draft(choose, resign=resign))

    def until(self, entries: int, choose: Choose | None = None) -> Match:
        """Play on until the file has that many entries."""
        while len(self.maker.entries) < entries:
            self.step(choose)
        return self

    def play(self, choose: Choose) -> Ledger:
        while self.maker.to_act() is not None:
            self.step(choose)
        return self.checker

    def forge(
        self,
        change: Callable[[Fields], None] | None = None,
        choose: Choose | None = None,
        prepare: Callable[[DraftEntry], None] | None = None,
        *,
        resign: bool = False,
    ) -> tuple[int, str]:
        """Write the next entry with changed fields; the exit code and the words of `verify` for
        that file.

        `prepare` may change the draft's secrets before anything is made from them.
        """
        other = self.fork()
        if prepare is not None:
            original = DraftEntry.__init__

            def init(draft: DraftEntry, *arguments: object) -> None:
                original(draft, *arguments)  # type: ignore[arg-type]
                prepare(draft)

            DraftEntry.__init__ = init  # type: ignore[assignment, method-assign]
            try:
                draft = other.draft(choose, resign=resign)
            finally:
                DraftEntry.__init__ = original  # type: ignore[method-assign]
        else:
            draft = other.draft(choose, resign=resign)
        other.sign(draft, change)
        return _told(other.data)

    def forging(
        self, choose: Choose | None = None
    ) -> Callable[[Callable[[Fields], None]], tuple[int, str]]:
        """As `forge`, for many changes of one entry, which is drafted once."""
        other = self.fork()
        draft = other.draft(choose)

        def forge(change: Callable[[Fields], None]) -> tuple[int, str]:
            other.data = self.data
            other.sign(draft, change)
            return _told(other.data)

        return forge


@cache
def whole_game(count: int, partners: int = 0) -> Match:
    """A random game to its proven end, for several tests: to look at, or to `fork` where it had
    fewer entries."""
    match = Match(count, partners=partners)
    match.play(anything(random.Random(11)))
    return match


def _told(data: bytes) -> tuple[int, str]:
    """The exit code of `verify`, and where what is wrong."""
    failure: PbemError | None = verification.verify(data)[1]
    return (0, "") if failure is None else (failure.exit_code, f"{failure.where}: {failure.what}")


def drawing(rng: random.Random) -> Choose:
    """A short game: the first player gets rid of their cards, the others draw and now and then send
    out a ship."""

    def choose(seat: str, options: Sequence[str]) -> str:
        played = [option for option in options if option != "draw"]
        ships = [option for option in played if option.startswith("merchant")]
        if "draw" not in options:
            return rng.choice(played)
        if seat in ("first", "second"):
            return rng.choice(
                [option for option in played if option not in ships] or ships or list(options)
            )
        return "draw" if not ships or len(played) > len(ships) else ships[0]

    return choose


def anything(rng: random.Random) -> Choose:
    """Any legal answer, each equally likely."""

    def choose(seat: str, options: Sequence[str]) -> str:
        return rng.choice(list(options))

    return choose
