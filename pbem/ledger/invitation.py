"""What entry 0 settles for good: which game is played, with which options, in which seats, and who may take them.

docs/format.md, section 4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.cards import Deck
from engine.flow import Seat
from engine.rules import BadData, Rules, Settings
from pbem import FORMAT
from pbem.crypto import group
from pbem.errors import Forged, Malformed, RulesBroken, failing_as
from pbem.fileformat.characters import is_name
from pbem.fileformat.encoding import tagged_hash
from pbem.fileformat.entries import Entry, blob
from pbem.fileformat.fields import TABLE
from pbem.games import registry
from pbem.ledger import trace


@dataclass(frozen=True, slots=True)
class Invitation:
    """A game as entry 0 opens it. `host` is the seat that invites, `invites` the identity keys that seats are kept
    for, by the name of the seat. `trace_head` stands for what the rules say of the game in each digest of a position;
    it is empty where entry 0 does not say that the trace is signed (18)."""

    rules: Rules
    settings: Settings
    seats: tuple[str, ...]
    decks: tuple[Deck, ...]
    game_id: bytes
    host: Seat
    invites: Mapping[str, bytes]
    trace_head: bytes
    called: str = ""
    """What the inviter calls this game, if they call it anything."""
    closing: bool = False
    """Whether each seat may say that it has seen the end (8)."""

    @classmethod
    def to(
        cls,
        rules: Rules,
        settings: Settings,
        game_id: bytes,
        host: Seat = 0,
        invites: Mapping[str, bytes] | None = None,
        *,
        called: str = "",
        traced: bool = True,
        closing: bool = False,
    ) -> Invitation:
        """To a game of these rules with these options; one that was begun by an older program is not `traced`, and
        nobody signs its end (`closing`)."""
        seats, decks = rules.seats(settings), rules.decks(settings)
        head = trace.head_digest(rules, settings) if traced else b""
        return cls(rules, settings, seats, decks, game_id, host, invites or {}, head, called, closing)

    def keyed(self) -> tuple[Seat, ...]:
        """The seats with somebody behind them: all but those that the rules play."""
        return registry.keyed_seats(self.rules, self.settings)

    def clocked(self) -> list[Seat]:
        """The seats that have a clock in a game with one: those that decide (docs/format.md, section 15)."""
        bystanders = self.rules.bystanders(self.settings)
        return [seat for seat in self.keyed() if seat not in bystanders]

    def order_of_joining(self) -> list[Seat]:
        """The seats with somebody behind them, round the table from the inviter."""
        seats, keyed = len(self.seats), self.keyed()
        order = [(self.host + step) % seats for step in range(seats)]
        return [seat for seat in order if seat in keyed]

    def has_cards(self, seat: Seat) -> bool:
        """Whether a seat can ever hold cards that others do not see: an own deck, or a share in a common one."""
        return seat not in self.rules.bystanders(self.settings) and any(
            deck.owner in (seat, None) for deck in self.decks
        )

    def may_seal_choices(self, seat: Seat) -> bool:
        """Whether a seat may be asked sealed questions: its first entry carries the digest of its root (19)."""
        return self.rules.seals_choices(self.settings) and seat in self.clocked()

    def is_witnessed(self) -> bool:
        """Whether somebody else's proof settles what follows from a player's decision."""
        return len(self.keyed()) > 1


def read_invitation(entry: Entry, where: str) -> Invitation:
    """What entry 0 says: which game, its options, its seats, who is invited. Raises `Invalid` kinds."""
    for name, section in (("trace", 18), ("closing", 8)):
        if name in entry.fields and not TABLE[name].holds(entry.fields[name]):
            raise Malformed(f'"{name}" is 1 (docs/format.md, section {section})', layer="grammar")
    traced, closing = "trace" in entry.fields, "closing" in entry.fields
    if closing and not traced:
        raise RulesBroken('"closing" stands in a game that signs its trace (docs/format.md, section 8)')
    with failing_as("rules", wholly=True):
        rules, settings = read_game(entry, where)
    seats, keyed = rules.seats(settings), registry.keyed_seats(rules, settings)
    if entry.seat not in seats:
        raise RulesBroken(f'there is no seat "{entry.seat}"')
    game_id = game_id_of(entry.blob("key", 32), entry.blob("nonce", 32))
    free = [seats[seat] for seat in keyed if seats[seat] != entry.seat]
    invites = _read_invites(entry.list("invites"), free, where)
    called = entry.text("called")
    if "called" in entry.fields and not is_name(called):
        raise RulesBroken("what a game is called is one line that can be seen (docs/format.md, section 4)")
    host = seats.index(entry.seat)
    return Invitation.to(rules, settings, game_id, host, invites, called=called, traced=traced, closing=closing)


def read_game(entry: Entry, where: str) -> tuple[Rules, Settings]:
    """The rules with their options and data; the seats of entry 0 are theirs. Raises `Invalid` kinds."""
    version = entry.fields.get("rules")
    if not isinstance(version, int):
        raise Malformed("an invitation names the version of its rules")
    package = entry.text("package")
    if "package" in entry.fields and (not package.strip() or "\n" in package):
        raise Malformed("the package of the rules is one line (docs/format.md, section 3)")
    rules = with_data(registry.find(entry.text("game"), version, package), entry.list("data"), where)
    settings = registry.read_settings(rules, entry.list("options"), where)
    seats = rules.seats(settings)
    if tuple(entry.list("seats")) != seats:
        raise RulesBroken(f"the seats of this game are {', '.join(seats)}")
    keyed = registry.keyed_seats(rules, settings)
    if (len(keyed) > 1) == bool(settings.get("unwitnessed")):
        raise RulesBroken('a game says "unwitnessed" when its player is alone, and only then')
    return rules, settings


def _read_invites(texts: Sequence[str], free: Sequence[str], where: str) -> dict[str, bytes]:
    """The keys that free seats are kept for. Raises `Invalid` kinds (docs/format.md, sections 1 and 4)."""
    invites: dict[str, bytes] = {}
    for text in texts:
        name, _, key = text.partition(" ")
        if name not in free or name in invites:
            raise RulesBroken(f'"{text}" invites nobody to this game')
        what = f"the key invited as {name}"
        invites[name] = blob(key, 32, where, what)
        if not group.is_point(invites[name]):
            raise Forged(f"{what} is no point of prime order")
    return invites


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


def game_id_of(key: bytes, nonce: bytes) -> bytes:
    """The game's name among all games: a hash of the inviter's key and nonce."""
    return tagged_hash(f"{FORMAT} game", key, nonce)
