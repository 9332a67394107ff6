"""A game of Morra in memory: honest entries, and those that no program of ours would sign."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256

from morra.game import RULES

from engine.flow import Ask
from pbem.crypto import randomness
from pbem.errors import PbemError
from pbem.fileformat import turnfile
from pbem.fileformat.encoding import b64
from pbem.fileformat.toml_subset import Fields
from pbem.fileformat.turnfile import HEADER
from pbem.home.identity import Identity
from pbem.ledger import gate, invitation
from pbem.ledger.gate import replay
from pbem.ledger.invitation import Invitation
from pbem.ledger.ledger import Ledger
from pbem.ledger.playing import run_entry
from pbem.turn.draft_entry import DraftEntry
from pbem.turn.joining import draft_first_entry, invitation_fields
from pbem.turn.signing import Body, body_of, signed_with

Change = Callable[[Fields], None]
CALL = "show 2 call 5"


class Match:
    """The game of so many players; `data` is its newest file. All secrets follow from the seed."""

    def __init__(self, players: int = 2, seed: int = 1) -> None:
        self.settings = {} if players == 2 else {"players": players}
        self.names = RULES.seats(self.settings)
        own = [sha256(b"morra %d %d" % (seed, seat)).digest() for seat in range(players)]
        self.people = [Identity(f"Player {seat}", "", key) for seat, key in enumerate(own)]
        self.joined = [
            sha256(b"morra joins %d %d" % (seed, seat)).digest() for seat in range(players)
        ]
        self.data = f"{HEADER}\n".encode()
        for seat in range(players):
            self.join(seat)

    def game(self) -> Ledger:
        """A game of its own, as far as the file goes."""
        if len(self.data) > len(HEADER) + 1:
            return replay(turnfile.read(self.data))
        game = Ledger()
        game.open(
            Invitation.to(
                RULES, self.settings, invitation.game_id_of(self.people[0].public, self.joined[0])
            )
        )
        return game

    def root(self, seat: int) -> bytes:
        """The seat's root."""
        game = self.game()
        return randomness.derive(
            self.people[seat].seed, game.game_id, self.names[seat], self.joined[seat]
        ).root

    def join(self, seat: int, change: Change | None = None) -> bytes:
        game, person = self.game(), self.people[seat]
        fields = {} if game.entries else invitation_fields(game.invitation)
        draft = draft_first_entry(game, seat, person, self.joined[seat], fields)
        self.data = self.signed(draft, self.joined[seat], change)
        return self.data

    def draft(self, *answers: str, resign: bool = False, draw: str = "") -> DraftEntry:
        """The next entry, whoever writes it; without answers `CALL` where one is asked for."""
        game = self.game()
        seat = game.to_act()
        assert seat is not None
        secrets = randomness.derive(
            self.people[seat].seed, game.game_id, self.names[seat], self.joined[seat]
        )
        draft = DraftEntry(game, seat, secrets, answers)
        draft.resigns, draft.draw = resign, draw
        if not answers and not resign and not draw:
            draft.remaining = [CALL]
        run_entry(game.begun(), draft)
        return draft

    def write(self, *answers: str, resign: bool = False) -> DraftEntry:
        """One honest entry."""
        draft = self.draft(*answers, resign=resign)
        self.data = self.signed(draft, self.nonce())
        return draft

    def nonce(self) -> bytes:
        return sha256(b"nonce %d" % len(self.data)).digest()

    def signed(self, draft: DraftEntry, nonce: bytes, change: Change | None = None) -> bytes:
        """The file with this entry, its fields changed after they were made if that is wanted."""
        body = body_of(draft, self.data, "2026-11-23T12:00:00Z", nonce)
        if change is not None:
            fields = dict(body.fields)
            change(fields)
            fields = turnfile.in_order({name: value for name, value in fields.items() if value})
            text = turnfile.write_body(fields)
            body = Body(fields, text, turnfile.digest_of(self.data, text))
        return signed_with(body, self.data, self.people[draft.seat].sign)

    def forged(self, change: Change, *answers: str, resign: bool = False) -> bytes:
        """The file with an entry that was changed before it was signed; its position is what the
        rules give then, so that nothing but the change itself is wrong."""
        draft = self.draft(*answers, resign=resign)
        data = self.signed(draft, self.nonce(), change)
        game, entry = self.game(), turnfile.read(data).entries[-1]
        try:
            gate.admit(game, entry)
        except PbemError as error:
            if "saw another position" not in error.what:
                return data

        def also(fields: Fields) -> None:
            change(fields)
            fields["position"] = b64(game.position_digest())

        return self.signed(draft, self.nonce(), also)

    def finish(self) -> bytes:
        """Play to the end, and reveal."""
        while self.game().to_act() is not None:
            self.write()
        return self.data


def is_asked(game: Ledger) -> bool:
    """Whether somebody is to seal a call."""
    return isinstance(game.begun().referee.turn.request, Ask)
