"""Who sits where: the invitation, the seats it opens, and the players who take them.

docs/format.md, section 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.cards import Deck
from engine.flow import Seat
from engine.rules import BadData, Rules, Settings
from pbem import FORMAT
from pbem.crypto import group
from pbem.errors import Forged, Malformed, RulesBroken
from pbem.fileformat.encoding import tagged_hash
from pbem.fileformat.turnfile import Entry, blob
from pbem.games import registry
from pbem.ledger.verifier import Verifier

if TYPE_CHECKING:
    from pbem.ledger.common_deck.joining import DeckKeys, JoinPart, Layers


@dataclass(slots=True)
class Player:
    """Who sits in a seat, from that seat's first entry; the root once it is revealed."""

    seat: Seat
    name: str
    mail: str
    key: bytes
    vrf: bytes
    nonce: bytes
    deck: DeckKeys | None = None
    root: bytes | None = None


class Seating:
    """The seats of a game, and who has taken them."""

    rules: Rules
    settings: Settings
    seats: tuple[str, ...]
    decks: tuple[Deck, ...]
    game_id: bytes
    invites: dict[str, bytes]

    def __init__(self, verifier: Verifier) -> None:
        self.verifier = verifier
        self.players: list[Player | None] = []
        self.host: Seat = 0
        self.layers: Layers | None = None

    # Questions

    def seated(self, seat: Seat) -> Player:
        """The player of a seat that is taken."""
        player = self.players[seat]
        assert player is not None
        return player

    def keyed(self) -> tuple[Seat, ...]:
        """The seats with somebody behind them: all but those that the rules play."""
        return registry.keyed_seats(self.rules, self.settings)

    def has_cards(self, seat: Seat) -> bool:
        """Whether a seat can ever hold cards that others do not see: an own deck, or a share in a common one."""
        return seat not in self.rules.bystanders(self.settings) and any(
            deck.owner in (seat, None) for deck in self.decks
        )

    def is_witnessed(self) -> bool:
        """Whether somebody else's proof settles what follows from a player's decision."""
        return len(self.keyed()) > 1

    def seat_of(self, entry: Entry) -> Seat:
        """The index of an entry's seat."""
        return self.seats.index(entry.seat)

    def seat_with(self, key: bytes) -> Seat | None:
        """The seat that this identity key sits in."""
        return next((player.seat for player in self.players if player is not None and player.key == key), None)

    def free_seats(self) -> list[Seat]:
        """Free seats in the order in which they are taken: round the table from the inviter."""
        seats = len(self.players)
        order = [(self.host + step) % seats for step in range(seats)]
        return [seat for seat in order if self.players[seat] is None and seat in self.keyed()]

    # The invitation, and who follows it

    def read_invitation(self, entry: Entry, where: str) -> None:
        """Entry 0 opens a game: which one, its options, its seats, who is invited. Raises `Invalid` kinds."""
        version = entry.fields.get("rules")
        if not isinstance(version, int):
            raise Malformed("an invitation names the version of its rules")
        package = entry.text("package")
        if "package" in entry.fields and (not package.strip() or "\n" in package):
            raise Malformed("the package of the rules is one line (docs/format.md, section 3)")
        rules = with_data(registry.find(entry.text("game"), version, package), entry.list("data"), where)
        self.open(rules, registry.read_settings(rules, entry.list("options"), where))
        if tuple(entry.list("seats")) != self.seats:
            raise RulesBroken(f"the seats of this game are {', '.join(self.seats)}")
        if self.is_witnessed() == bool(self.settings.get("unwitnessed")):
            raise RulesBroken('a game says "unwitnessed" when its player is alone, and only then')
        if entry.seat not in self.seats:
            raise RulesBroken(f'there is no seat "{entry.seat}"')
        self.host = self.seat_of(entry)
        self.game_id = game_id_of(entry.blob("key", 32), entry.blob("nonce", 32))
        for text in entry.list("invites"):
            name, _, key = text.partition(" ")
            free = [self.seats[seat] for seat in self.keyed() if self.seats[seat] != entry.seat]
            if name not in free or name in self.invites:
                raise RulesBroken(f'"{text}" invites nobody to this game')
            self.invites[name] = _invited(key, f"the key invited as {name}", where)

    def open(self, rules: Rules, settings: Settings) -> None:
        """A new game, every seat free."""
        self.rules, self.settings = rules, settings
        self.seats, self.decks = rules.seats(settings), rules.decks(settings)
        self.players = [None] * len(self.seats)
        self.invites = {}

    def check_newcomer(self, entry: Entry, key: bytes, vrf: bytes) -> None:
        """Whether somebody with these keys may take the entry's seat. Raises `RulesBroken`."""
        taken = {k for player in self.players if player is not None for k in (player.key, player.vrf)}
        if key in taken or vrf in taken or key == vrf:
            raise RulesBroken("a key sits in one seat only")
        if self.invites.get(entry.seat, key) != key:
            raise RulesBroken("somebody else is invited to this seat")
        if not entry.text("name").strip() or "\n" in entry.text("name") + entry.text("mail"):
            raise RulesBroken("a first entry carries a name of one line")
        if any(name in entry.fields for name in ("draw", "resign", "root")):
            raise RulesBroken("there is no game yet to end")

    def add_layer(self, seat: Seat, keys: DeckKeys, part: JoinPart) -> None:
        """The seat's key and shuffle of a common deck, on top of those that joined before it. Raises `Forged`."""
        if self.layers is None:
            from pbem.ledger.common_deck.joining import Layers  # only a game with a common deck needs it

            deck = next(deck for deck in self.decks if deck.owner is None)
            self.layers = Layers(self.game_id, self.seats, deck, self.rules.cards, self.verifier)
        self.layers.join(seat, keys, part)


def with_data(rules: Rules, lines: Sequence[str], where: str) -> Rules:
    """The rules with the data of entry 0 (docs/format.md, section 4). Raises `Malformed` with the line's number."""
    if not lines:
        return rules
    for number, line in enumerate(lines, 1):
        if "\n" in line or line != line.strip():
            raise Malformed("a line of data is one line without blanks at its ends", where=f"{where}, data {number}")
    try:
        return rules.with_data(lines)
    except BadData as error:
        raise Malformed(f"the data do not hold: {error}", where=f"{where}, data {error.line + 1}") from error


def _invited(text: str, what: str, where: str) -> bytes:
    """A key that a seat is kept for. Raises `Malformed` or `Forged` (docs/format.md, sections 1 and 4)."""
    key = blob(text, 32, where, what)
    if not group.is_point(key):
        raise Forged(f"{what} is no point of prime order")
    return key


def game_id_of(key: bytes, nonce: bytes) -> bytes:
    """The game's name among all games: a hash of the inviter's key and nonce."""
    return tagged_hash(f"{FORMAT} game", key, nonce)
