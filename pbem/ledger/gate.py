"""The gate that every entry of a turn file has to pass. It reads and writes no files.

Its laws (numbers are sections of docs/format.md):

1. The entries come in the order of the file; each is signed over every byte before it (3).
2. A signature is checked before a field is given meaning; the key is that of the seat's first entry
   (4).
3. Exactly one seat may write next: the next free seat joins, then the inviter says with whom they
   play, then the seat the game waits for, then, when the game is over, each seat that owes a proof
   or has not revealed its root (4, 8).
4. An entry holds what its seat owes and what it decides, in the order the rules ask, nothing less
   or more (4, 6, 7).
5. An entry ends where another seat or chance comes in, and names the digest of the position there
   (4). Its own author writes next only where nobody else has a key and their proof over this very
   entry is due (6).
6. A game that is over is unproven until every seat that sealed or shuffled, and has not left, has
   revealed its root, and every seal agrees (7, 8).
7. A seat that the rules play has no key: it never joins, writes, proves or reveals. A game in which
   one seat only has a key says `unwitnessed` in its options (6).
8. Dates, clock, leave, grants, notes, plans and the names of files that go with a turn are checked
   for their place and form, and move nothing (15, 16, 22, 23). A plan is opened as it was sealed.
9. When nothing is left to write, each seat that has signed nothing since the end may say that it
   has seen it, in turn; that changes nothing (8).

What passes here once passes on every machine and in every year: nothing depends on clock, place or
person.

`follow` sends a whole file through the gate, and can note what each reader saw last. Which entries
decide nothing, so that a program may write them alone, is `ALLOWED` (6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from engine.flow import Illegal, Seat
from pbem.errors import Malformed, PbemError, RulesBroken, failing_as, parts
from pbem.fileformat.turnfile import Entry, TurnFile, keys_where
from pbem.games import registry
from pbem.ledger.common_deck_fields import read_keys
from pbem.ledger.file_entry import FileEntry
from pbem.ledger.invitation import Joining, Player, read_invitation
from pbem.ledger.ledger import Ledger
from pbem.ledger.own_decks import first_seals
from pbem.ledger.playing import Playing, answer_rules, run_entry
from pbem.ledger.signatures import Verifier, check_signature

ALLOWED = frozenset(
    (
        "seat",
        "date",
        "nonce",
        "received",
        "proof",
        "openings",
        "chosen",
        "opened-plans",
        "shares",
        "box",
        "root",
        "end",
        "position",
    ),
)
"""The fields of an entry that decides nothing. Every other field is a decision, or words of a
player: a first entry, answers, choices, orders, seals (due or ahead), a draw, a resignation, leave,
a message. Plans that are not owed are opened by their author alone; no program writes that."""


def decides_nothing(fields: Iterable[str]) -> bool:
    """Whether an entry with these fields, empty ones left out, decides nothing."""
    return ALLOWED.issuperset(fields)


_SETUP, _FIRST = keys_where("invitation"), keys_where("first")
SEEN = "seen"
"""What the field `end` says."""
_CLOSING = ("seat", "date", "received", "nonce", "end", "message", "position")
"""What an entry holds that says that its seat has seen the end (8)."""
_BLAME = "ask the sender for an unchanged file; if it is, that turn breaks the rules"


def admit(game: Ledger, entry: Entry) -> None:
    """Check one more entry and let it take effect in the game. Raises a kind of `Invalid`, or
    `PluginFails` where it is the code of a plug-in that stops; the game is of no use then."""
    where = entry.where
    try:
        with registry.plugins_told():
            _admit(game, entry, where)
    except Illegal as error:
        broken = RulesBroken(str(error), where=where, hint=_BLAME, layer="rules")
        broken.entry = entry.number
        raise broken from error
    except PbemError as error:
        error.layer, error.entry = error.layer or "chain", entry.number
        error.where = error.where or where
        error.hint = error.hint or parts(_BLAME)
        raise


def _admit(game: Ledger, entry: Entry, where: str) -> None:
    if entry.number == 0:
        check_signature(game.verifier, entry, entry.blob("key", 32))
        game.open(read_invitation(entry, where))
    if entry.seat not in game.seats:
        raise RulesBroken(f'there is no seat "{entry.seat}"')
    seat, stage, closes = game.seat_of(entry), game.stage, "end" in entry.fields
    if closes and seat != game.to_close():
        raise RulesBroken("this seat does not say here that it has seen the end")
    if not closes and seat != (turn := game.to_act()):
        whose = "nobody's: the game is over" if turn is None else f"{game.seats[turn]}'s"
        raise RulesBroken(f"it is not this seat's turn to write, but {whose}")
    joins = isinstance(stage, Joining)
    key = entry.blob("key", 32) if joins else game.player_of(seat).key
    check_signature(game.verifier, entry, key)
    # in every entry 32 bytes in their one spelling (docs/format.md, sections 1 and 3)
    entry.blob("nonce", 32)
    foreign = (*_FIRST, *_SETUP)
    if joins:
        foreign = _SETUP if entry.number else ()
    for name in foreign:
        if name in entry.fields:
            raise RulesBroken(f'"{name}" does not belong in this entry')
    if closes:
        _check_closing(entry)
    game.check_beside(entry, may_note=isinstance(stage, Playing) and stage.owes_root(seat))
    source = FileEntry(entry, seat, game.rules, game.decks)
    if isinstance(stage, Joining):
        _join(game, stage, entry, source, key)
    else:
        stage.referee.randomness.begin_entry(seat, entry.digest)
        run_entry(stage, source)
    source.check_all_used()
    game.append(entry)
    if entry.blob("position", 32) != game.position_digest():
        raise RulesBroken("its author's program saw another position at the end of this entry")


def _check_closing(entry: Entry) -> None:
    """An entry that says that its seat has seen the end says nothing else. Raises `Malformed` or
    `RulesBroken`."""
    if entry.text("end") != SEEN:
        raise Malformed(f'"end" is {SEEN} (docs/format.md, section 8)', layer="grammar")
    for name in entry.fields:
        if name not in _CLOSING:
            raise RulesBroken(
                f'"{name}" does not belong in an entry that says that the end was seen'
            )


def _join(game: Ledger, stage: Joining, entry: Entry, source: FileEntry, key: bytes) -> None:
    """The first entry of a seat. Raises kinds of `Invalid`."""
    seat, vrf = source.seat, entry.blob("vrf", 32)
    stage.check_newcomer(entry, key, vrf)
    root_digest = _root_digest(stage, entry, seat)
    with failing_as("shuffle"):
        deck = read_keys(entry, game.rules, game.settings, game.decks, seat)
    seals = [(seal, source.seals(seal) or ()) for seal in first_seals(game.decks, seat)]
    player = Player(
        seat, entry.text("name"), entry.text("mail"), key, vrf, entry.blob("nonce", 32), deck
    )
    player.root_digest = root_digest
    begun = game.take_seat(player, seals, source.common)
    if begun is not None:
        begun.referee.randomness.begin_entry(seat, entry.digest)
        answer_rules(begun, source)


def _root_digest(stage: Joining, entry: Entry, seat: Seat) -> bytes:
    """The digest of the seat's root, in games whose players seal choices; empty in others. Raises
    `Malformed` or `RulesBroken`."""
    given, is_due = "root-digest" in entry.fields, stage.invitation.may_seal_choices(seat)
    if given != is_due:
        raise RulesBroken(
            '"root-digest" stands in each first entry of a game with sealed choices, and nowhere'
            " else"
        )
    return entry.blob("root-digest", 32) if given else b""


PublicView: TypeAlias = Mapping[str, object]
"""The position as everybody may see it, as `Game.view` gives it to the game's own templates."""
LastSeen: TypeAlias = dict[Seat, tuple[int, PublicView | None]]
"""For each seat, the number of its newest entry and the public position right after that, None
before the game."""


def replay(file: TurnFile, verifier: Verifier | None = None) -> Ledger:
    """The game of a file. Raises a kind of `Invalid` at the first entry that does not verify."""
    game = Ledger(verifier)
    for entry in file.entries:
        admit(game, entry)
    return game


def follow(file: TurnFile, verifier: Verifier | None = None) -> tuple[Ledger, LastSeen]:
    """The game of a file and, for each seat, its newest entry and the public position right after
    that.

    Raises a kind of `Invalid` at the first entry that does not verify.
    """
    game = Ledger(verifier)
    views: LastSeen = {}
    newest = {entry.seat: entry.number for entry in file.entries}
    for entry in file.entries:
        admit(game, entry)
        if newest[entry.seat] == entry.number:
            _note(game, views, entry)
    return game, views


def extend(game: Ledger, views: LastSeen, entry: Entry) -> None:
    """One entry more of a game that is followed. Raises a kind of `Invalid`; the game is of no use
    then."""
    admit(game, entry)
    _note(game, views, entry)


def _note(game: Ledger, views: LastSeen, entry: Entry) -> None:
    views[game.seat_of(entry)] = (
        entry.number,
        None if game.playing is None else public_view(game.playing),
    )


def public_view(game: Playing) -> PublicView:
    """The position as everybody may see it now."""
    return game.referee.game.view(None, game.referee.faces())
