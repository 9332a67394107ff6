"""What entry 0 settles for good, and the game while its players are joining (docs/format.md,
section 4).

Entry 0 says which game is played, with which options, in which seats, and who may take them.
`Joining` holds who has taken which seat and what their first entries published; with the last free
seat it becomes a game that is played (`pbem.ledger.playing`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.cards import Deck
from engine.flow import Seal, Seat
from engine.rules import BadData, Rules, Settings
from pbem import FORMAT
from pbem.crypto import group
from pbem.errors import Forged, Malformed, RulesBroken, failing_as
from pbem.fileformat.characters import is_name
from pbem.fileformat.encoding import tagged_hash
from pbem.fileformat.turnfile import TABLE, Entry, blob
from pbem.games import registry
from pbem.ledger import trace
from pbem.ledger.own_decks import SealedPile
from pbem.ledger.series import SeriesPlace, read_place
from pbem.ledger.signatures import Verifier


@dataclass(frozen=True, slots=True)
class Invitation:
    """A game as entry 0 opens it. `host` is the seat that invites, `invites` the identity keys that
    seats are kept for, by the name of the seat. `trace_head` stands for what the rules say of the
    game in each digest of a position; it is empty where entry 0 does not say that the trace is
    signed (18)."""

    rules: Rules
    settings: Settings
    seats: tuple[str, ...]
    decks: tuple[Deck, ...]
    game_id: bytes
    host: Seat
    invites: Mapping[str, bytes]
    trace_head: bytes
    title: str = ""
    """What the inviter calls this game, if they call it anything."""
    closing: bool = False
    """Whether each seat may say that it has seen the end (8)."""
    series: SeriesPlace | None = None
    """Which game of which series this is, if it is one of any (25)."""

    @classmethod
    def to(
        cls,
        rules: Rules,
        settings: Settings,
        game_id: bytes,
        host: Seat = 0,
        invites: Mapping[str, bytes] | None = None,
        *,
        title: str = "",
        traced: bool = True,
        closing: bool = False,
        place: SeriesPlace | None = None,
    ) -> Invitation:
        """To a game of these rules with these options; one that was begun by an older program is
        not `traced`, and nobody signs its end (`closing`). `place` is its place in a
        series."""
        seats, decks = rules.seats(settings), rules.decks(settings)
        head = trace.head_digest(rules, settings) if traced else b""
        return cls(
            rules, settings, seats, decks, game_id, host, invites or {}, head, title, closing, place
        )

    def keyed_seats(self) -> tuple[Seat, ...]:
        """The seats with somebody behind them: all but those that the rules play."""
        return registry.keyed_seats(self.rules, self.settings)

    def clocked_seats(self) -> list[Seat]:
        """The seats that have a clock in a game with one: those that decide (docs/format.md,
        section 15)."""
        bystanders = self.rules.bystanders(self.settings)
        return [seat for seat in self.keyed_seats() if seat not in bystanders]

    def order_of_joining(self) -> list[Seat]:
        """The seats with somebody behind them, round the table from the inviter."""
        seats, keyed_seats = len(self.seats), self.keyed_seats()
        order = [(self.host + step) % seats for step in range(seats)]
        return [seat for seat in order if seat in keyed_seats]

    def is_kept(self, seat: Seat) -> bool:
        """Whether a seat is kept for somebody's key."""
        return self.seats[seat] in self.invites

    def has_cards(self, seat: Seat) -> bool:
        """Whether a seat can ever hold cards that others do not see: an own deck, or a share in a
        common one."""
        return seat not in self.rules.bystanders(self.settings) and any(
            deck.owner in (seat, None) for deck in self.decks
        )

    def may_seal_choices(self, seat: Seat) -> bool:
        """Whether a seat may be asked sealed questions: its first entry carries the digest of its
        root (19)."""
        return self.rules.seals_choices(self.settings) and seat in self.clocked_seats()

    def is_witnessed(self) -> bool:
        """Whether somebody else's proof settles what follows from a player's decision."""
        return len(self.keyed_seats()) > 1


def read_invitation(entry: Entry, where: str) -> Invitation:
    """What entry 0 says: which game, its options, its seats, who is invited. Raises `Invalid`
    kinds."""
    for name, section in (("trace", 18), ("closing", 8)):
        if name in entry.fields and not TABLE[name].holds(entry.fields[name]):
            raise Malformed(f'"{name}" is 1 (docs/format.md, section {section})', layer="grammar")
    traced, closing = "trace" in entry.fields, "closing" in entry.fields
    if closing and not traced:
        raise RulesBroken(
            '"closing" stands in a game that signs its trace (docs/format.md, section 8)'
        )
    with failing_as("rules", wholly=True):
        rules, settings = read_game(entry, where)
    seats, keyed_seats = rules.seats(settings), registry.keyed_seats(rules, settings)
    if entry.seat not in seats:
        raise RulesBroken(f'there is no seat "{entry.seat}"')
    game_id = id_of_game(entry)
    free = [seats[seat] for seat in keyed_seats if seats[seat] != entry.seat]
    invites = _read_invites(entry.list("invites"), free, where)
    title = entry.text("called")
    if "called" in entry.fields and not is_name(title):
        raise RulesBroken(
            "what a game is called is one line that can be seen (docs/format.md, section 4)"
        )
    deciding = set(keyed_seats).difference(rules.bystanders(settings))
    place = read_place(entry, len(deciding), len(keyed_seats))
    return Invitation.to(
        rules,
        settings,
        game_id,
        seats.index(entry.seat),
        invites,
        title=title,
        traced=traced,
        closing=closing,
        place=place,
    )


def read_game(entry: Entry, where: str) -> tuple[Rules, Settings]:
    """The rules with their options and data; the seats of entry 0 are theirs. Raises `Invalid`
    kinds."""
    version = entry.fields.get("rules")
    if not isinstance(version, int):
        raise Malformed("an invitation names the version of its rules")
    package = entry.text("package")
    if "package" in entry.fields and (not package.strip() or "\n" in package):
        raise Malformed("the package of the rules is one line (docs/format.md, section 3)")
    rules = with_data(
        registry.find(entry.text("game"), version, package), entry.list("data"), where
    )
    settings = registry.read_settings(rules, entry.list("options"), where)
    seats = rules.seats(settings)
    if tuple(entry.list("seats")) != seats:
        raise RulesBroken(f"the seats of this game are {', '.join(seats)}")
    keyed_seats = registry.keyed_seats(rules, settings)
    if (len(keyed_seats) > 1) == bool(settings.get("unwitnessed")):
        raise RulesBroken('a game says "unwitnessed" when its player is alone, and only then')
    return rules, settings


def _read_invites(texts: Sequence[str], free: Sequence[str], where: str) -> dict[str, bytes]:
    """The keys that free seats are kept for. Raises `Invalid` kinds (docs/format.md, sections 1 and
    4)."""
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
    """The rules with the data of entry 0 (docs/format.md, section 4). Raises `Malformed` with the
    line's number."""
    if not lines:
        return rules
    for number, line in enumerate(lines, 1):
        if "\n" in line or line != line.strip():
            raise Malformed(
                "a line of data is one line without blanks at its ends",
                where=f"{where}, data {number}",
            )
    try:
        return rules.with_data(lines)
    except BadData as error:
        raise Malformed(
            f"the data do not hold: {error}", where=f"{where}, data {error.line + 1}"
        ) from error


def game_id_of(key: bytes, nonce: bytes) -> bytes:
    """The game's name among all games: a hash of the inviter's key and nonce."""
    return tagged_hash(f"{FORMAT} game", key, nonce)


def id_of_game(first: Entry) -> bytes:
    """The id of the game that has this entry 0. Raises `Malformed`."""
    return game_id_of(first.blob("key", 32), first.blob("nonce", 32))


if TYPE_CHECKING:
    from pbem.ledger.common_deck import DeckKeys, JoinPart, Layers


@dataclass(slots=True)
class Player:
    """Who plays a seat, from that seat's first entry; the root once it is revealed."""

    seat: Seat
    name: str
    mail: str
    key: bytes
    vrf: bytes
    nonce: bytes
    deck: DeckKeys | None = None
    root: bytes | None = None
    root_digest: bytes = b""


class Joining:
    """The seats of a game that are taken so far, the piles sealed in first entries, and the layers
    of a common deck."""

    def __init__(self, invitation: Invitation, verifier: Verifier) -> None:
        self.invitation = invitation
        self.players: dict[Seat, Player] = {}
        self.sealed: list[SealedPile] = []
        self.layers: Layers | None = None
        self._verifier = verifier

    def free_seats(self) -> list[Seat]:
        """Free seats in the order in which they are taken: round the table from the inviter. At
        least one."""
        return [seat for seat in self.invitation.order_of_joining() if seat not in self.players]

    def to_act(self) -> Seat:
        """The one seat that may write the next entry: the first that is free."""
        return self.free_seats()[0]

    def position_digest(self) -> bytes:
        """The digest that stands at the end of the newest entry: the names of the seats that are
        taken; the rules have asked nothing yet."""
        taken = ",".join(self.invitation.seats[seat] for seat in sorted(self.players)).encode(
            "ascii"
        )
        return tagged_hash(
            f"{FORMAT} position",
            b"joining",
            taken,
            *trace.digest_parts(self.invitation.trace_head, []),
        )

    def check_newcomer(self, entry: Entry, key: bytes, vrf: bytes) -> None:
        """Whether somebody with these keys may take the entry's seat. Raises `Forged` or
        `RulesBroken`."""
        if not group.is_point(vrf):
            raise Forged("the key for chance is no point of prime order")
        taken = {k for player in self.players.values() for k in (player.key, player.vrf)}
        if key in taken or vrf in taken or key == vrf:
            raise RulesBroken("a key sits in one seat only")
        if self.invitation.invites.get(entry.seat, key) != key:
            raise RulesBroken("somebody else is invited to this seat")
        if not is_name(entry.text("name")) or "\n" in entry.text("mail"):
            # docs/format.md, section 4
            raise RulesBroken("a first entry carries a name of one line that can be seen")
        if any(name in entry.fields for name in ("draw", "resign", "root")):
            raise RulesBroken("there is no game yet to end")

    def take_seat(
        self,
        player: Player,
        seals: Sequence[tuple[Seal, tuple[bytes, ...]]],
        number: int,
        part: JoinPart,
    ) -> None:
        """A player takes a seat with entry `number`, seals the own decks and shuffles the common
        one. Raises `Forged` or `RulesBroken`."""
        if player.deck is not None:
            self._add_layer(player.seat, player.deck, part)
        self.players[player.seat] = player
        for seal, commitments in seals:
            if len(commitments) != len(seal.handles):
                raise RulesBroken("a first entry seals each of its own cards", layer="seal")
            self.sealed.append(
                SealedPile(
                    self.invitation.decks[seal.deck], 1, seal.handles, (), commitments, number
                )
            )

    @failing_as("shuffle")
    def _add_layer(self, seat: Seat, keys: DeckKeys, part: JoinPart) -> None:
        """The seat's key and shuffle of a common deck, on top of those that joined before it.
        Raises `Forged`."""
        if self.layers is None:
            from pbem.ledger.common_deck import Layers  # only a game with a common deck needs it

            game = self.invitation
            deck = next(deck for deck in game.decks if deck.owner is None)
            self.layers = Layers(game.game_id, game.seats, deck, game.rules.cards, self._verifier)
        self.layers.join(seat, keys, part)
