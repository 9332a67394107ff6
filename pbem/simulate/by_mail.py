"""A game by mail, played in memory: each seat has its own ledger, keys and entries are real, and no
files are written. Simulations measure mails and bytes with it. The keys come from a seed, so the
same seed gives the same game.

The players of a game are strangers who play only this one, and all its entries have one date. The
games of a library (`pbem simulate --keep`) are played by the members of a club: the same people
meet again and again, and take hours or days to answer, so that questions about players and dates
have something to count.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import repeat
from time import perf_counter

from engine.flow import Answer, Ask, Outcome, Seat
from engine.options import LegalAnswers
from engine.rules import Game, Rules, Settings
from pbem.crypto import randomness
from pbem.fileformat import turnfile
from pbem.fileformat.encoding import framed
from pbem.fileformat.toml_subset import Fields
from pbem.games import registry
from pbem.home.game_index import short_name
from pbem.home.identity import Identity
from pbem.ledger import gate
from pbem.ledger.gate import decides_nothing
from pbem.ledger.invitation import Invitation, game_id_of
from pbem.ledger.ledger import Ledger
from pbem.ledger.playing import run_entry
from pbem.ledger.signatures import SIGNATURE_TAG, Verifier
from pbem.simulate.policies import Policy
from pbem.turn.draft_entry import DraftEntry
from pbem.turn.joining import draft_first_entry, invitation_fields
from pbem.turn.signing import body_of, entry_of, signed_with

MEMBERS = 40
"""Players of a club."""
SLOWEST = 72
"""Hours that the slowest answer takes."""
_FORMAT = "%Y-%m-%dT%H:%M:%SZ"
_BEGAN = datetime(2000, 1, 1)


@dataclass(frozen=True)
class Meeting:
    """The players of one game, by seat, and the dates of its entries, without end."""

    people: tuple[Identity, ...]
    dates: Iterator[str]


def derived_bytes(seed: str, name: str) -> bytes:
    """32 bytes for a simulation and never for a real game, since whoever knows the seed knows
    them."""
    return hashlib.sha256(framed(b"pbem simulation", seed.encode(), name.encode())).digest()


def stranger(seed: str, seat: Seat) -> Identity:
    """The player of this seat in the one game of this seed."""
    return Identity(f"Player {seat + 1}", "", derived_bytes(seed, f"identity {seat}"))


def strangers(seed: str, seats: int) -> Meeting:
    """Players who meet for one game, and all of whose entries have the same date."""
    return Meeting(
        tuple(stranger(seed, seat) for seat in range(seats)), repeat(_BEGAN.strftime(_FORMAT))
    )


def members(seed: str, number: int, seats: int) -> Meeting:
    """Members of the club of a series, drawn at random for the game with this number. Games begin
    an hour apart."""
    chance = random.Random(f"{seed}/club/{number}").random
    left = list(range(1, MEMBERS + 1))
    drawn = [left.pop(int(chance() * len(left))) for _ in range(seats)]
    people = [
        Identity(f"Player {member}", "", derived_bytes(f"{seed}/club", f"member {member}"))
        for member in drawn
    ]
    return Meeting(tuple(people), _dates(_BEGAN + timedelta(hours=number), chance))


def _dates(began: datetime, chance: Callable[[], float]) -> Iterator[str]:
    """The dates of entries, each up to `SLOWEST` hours after the one before."""
    date = began
    while True:
        yield date.strftime(_FORMAT)
        date += timedelta(seconds=1 + int(chance() * SLOWEST * 3600))


class PolicyDraft(DraftEntry):
    """A draft in which a policy gives the answers and orders instead of a player."""

    def __init__(
        self,
        ledger: Ledger,
        seat: Seat,
        derived: randomness.SeatSecrets,
        policy: Policy,
        level: str,
    ) -> None:
        super().__init__(ledger, seat, derived)
        self._policy = policy
        self._level = level
        self.decisions = 0

    def choose(self, position: Game, ask: Ask) -> Answer | None:
        self.decisions += 1
        return self._policy.choose(position, ask, LegalAnswers(self.arranged(ask), self.faces()))

    def order_texts(self) -> Sequence[str]:
        referee = self.ledger.begun().referee
        if not referee.turn.may_decide(self.number):
            return ()
        return self._policy.orders(referee.game, self.seat, self.faces(), self._level)


@dataclass
class MailGame:
    """What came of one game by mail. Times are seconds for one entry; `seasons` is the game's own
    measure.

    `entries` are those of the game itself, `mails` all of the file, the invitation, joins and roots
    included. A trusted server that seats the players, throws, deals and keeps secrets would need
    only `server_messages`: one whenever another player decides than before, however many decisions
    follow. `idle` are the mails that decide nothing, which `pbem watch --answer` may write
    (`pbem.ledger.gate`).
    """

    outcome: Outcome
    game: Game
    entries: int
    mails: int
    idle: int
    server_messages: int
    seasons: int
    decisions: int
    data: bytes
    name: str
    write: list[float] = field(default_factory=list)
    verify: list[float] = field(default_factory=list)


class _Player:
    """One seat as if it had its own machine: a ledger that knows what the file says, and the seat's
    secrets."""

    def __init__(
        self, seat: Seat, seed: str, verifier: Verifier | None = None, own: Identity | None = None
    ) -> None:
        self.seat = seat
        self.identity = own or stranger(seed, seat)
        self.ledger = Ledger(verifier)


def play_by_mail(
    rules: Rules,
    settings: Settings,
    policy: Callable[[Rules, random.Random], Policy],
    seed: str,
    level: str = "",
    data: Sequence[str] = (),
    meeting: Meeting | None = None,
    *,
    closing: bool = False,
) -> MailGame:
    """Play one whole game through the real ledger, with one for each seat; every entry is verified
    by all others. `data` are the lines with which the rules were made (docs/format.md, section 4).
    `meeting` says who plays and when; without it strangers play at one moment. `closing`: at the
    end, whoever has not signed it signs that they have seen it."""
    rng = random.Random(seed)
    chooser = policy(rules, rng)
    settings = registry.completed(rules, settings)
    names = rules.seats(settings)
    meeting = meeting or strangers(seed, len(names))
    verifier = Verifier()  # one machine plays all seats, and checks for all of them
    players = [_Player(seat, seed, verifier, person) for seat, person in enumerate(meeting.people)]
    post = _Post(players, seed, meeting.dates)
    _join(post, rules, settings, data, closing)
    host = players[0].ledger
    while (seat := host.to_act()) is not None:
        post.turn(seat, chooser, level)
    while (seat := host.to_close()) is not None:
        post.turn(seat, chooser, level, closes=True)
    assert host.outcome is not None
    position = host.begun().referee.game
    return MailGame(
        host.outcome,
        position,
        post.entry_count,
        len(host.entries),
        sum(decides_nothing(entry.fields) for entry in host.entries),
        post.server_messages,
        position.period(),
        post.decisions,
        post.data,
        f"{short_name(host)}-{len(host.entries) - 1:04}",
        post.write[len(names) :],
        post.verify[len(names) :],
    )


class _Post:
    """The file as it goes from seat to seat, and how long each entry took."""

    def __init__(self, players: list[_Player], seed: str, dates: Iterator[str]) -> None:
        self.players = players
        self.seed = seed
        self.dates = dates
        self.data = f"{turnfile.HEADER}\n".encode()
        self.decisions = 0
        self.entry_count = 0
        self.server_messages = 0
        self._decider: Seat | None = None
        self.write: list[float] = []
        self.verify: list[float] = []

    def turn(self, seat: Seat, policy: Policy, level: str, *, closes: bool = False) -> None:
        """Let the seat that may write next write its entry. `closes`: nothing is left to do, and it
        signs that it has seen the end."""
        player, start = self.players[seat], perf_counter()
        game = player.ledger
        derived = randomness.derive(
            player.identity.seed, game.game_id, game.seats[seat], game.player_of(seat).nonce
        )
        draft = PolicyDraft(game, seat, derived, policy, level)
        if closes:
            draft.fields["end"] = gate.SEEN
        self.entry_count += not game.is_over()
        run_entry(game.begun(), draft)
        self.decisions += draft.decisions
        if draft.decisions and seat != self._decider:
            self.server_messages += 1
            self._decider = seat
        self.send(player, draft, derived_bytes(self.seed, f"nonce {draft.number}"), start)

    def send(self, player: _Player, draft: DraftEntry, nonce: bytes, start: float) -> None:
        """Sign the entry and let every other seat verify it."""
        before, body = self.data, body_of(draft, self.data, next(self.dates), nonce)
        signature = player.identity.sign(SIGNATURE_TAG + body.digest)
        self.data = signed_with(body, before, lambda _message: signature)
        entry = entry_of(draft, body, before, self.data, signature)
        player.ledger.adopt(entry)
        self.write.append(perf_counter() - start)
        for other in self.players:
            if other is not player:
                start = perf_counter()
                gate.admit(other.ledger, entry)
        self.verify.append(perf_counter() - start)


def _join(
    post: _Post, rules: Rules, settings: Settings, data: Sequence[str], closing: bool
) -> None:
    """Write the invitation and the joins."""
    for player in (post.players[seat] for seat in registry.keyed_seats(rules, settings)):
        start, game = perf_counter(), player.ledger
        nonce = derived_bytes(post.seed, f"join {player.seat}")
        fields: Fields = {}
        if player.seat == 0:
            game_id = game_id_of(player.identity.public, nonce)
            game.open(_invitation(post, rules, settings, game_id, closing))
            fields = invitation_fields(game.invitation) | ({"data": list(data)} if data else {})
        draft = draft_first_entry(game, player.seat, player.identity, nonce, fields)
        post.send(player, draft, nonce, start)


def _invitation(
    post: _Post, rules: Rules, settings: Settings, game_id: bytes, closing: bool
) -> Invitation:
    """The invitation of the first seat. Where a deck is common, seats are reserved for the keys of
    the others, which saves a mail."""
    seats, kept = rules.seats(settings), registry.common_index(rules.decks(settings)) is not None
    others = registry.keyed_seats(rules, settings)[1:] if kept else ()
    kept_for = {seats[other]: post.players[other].identity.public for other in others}
    return Invitation.to(rules, settings, game_id, 0, kept_for, closing=closing)
