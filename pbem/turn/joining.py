"""Joining a game: an invitation, which is entry 0 of a new game, and each seat's first entry with
its keys, its own seals and its shuffle of a common deck (docs/format.md, section 4)."""

from __future__ import annotations

import secrets as random_source
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from engine.flow import Seat
from pbem import files
from pbem.crypto import choices, primitives, randomness
from pbem.errors import Conflict, Do, Refused, Typed, Usage
from pbem.fileformat import turnfile
from pbem.fileformat.encoding import b64
from pbem.fileformat.toml_subset import Fields
from pbem.fileformat.turnfile import HEADER
from pbem.games import game_data, registry
from pbem.games.game_data import DataLine
from pbem.home import contacts, own_name
from pbem.home.game_index import short_name
from pbem.home.home import Home
from pbem.home.identity import Identity
from pbem.home.memory import Memory
from pbem.ledger.invitation import Invitation, Player, game_id_of
from pbem.ledger.ledger import Ledger, player_names
from pbem.ledger.playing import answer_rules
from pbem.ledger.series import SeriesPlace
from pbem.mail import links
from pbem.turn import signing
from pbem.turn.draft_entry import DraftEntry
from pbem.turn.open_game import HomeFile
from pbem.turn.series import check_before_joining
from pbem.turn.signing import WrittenTurn, check_named, sign


def invitation_fields(invitation: Invitation) -> Fields:
    """What entry 0 says of the game, but for its data and the package of its rules."""
    return {
        "game": invitation.rules.name,
        "rules": invitation.rules.version,
        **({"trace": 1} if invitation.trace_head else {}),
        **({"closing": 1} if invitation.closing else {}),
        "options": registry.write_settings(invitation.rules, invitation.settings),
        "seats": list(invitation.seats),
        "invites": [f"{seat} {b64(key)}" for seat, key in invitation.invites.items()],
        "called": invitation.title,
        **({} if invitation.series is None else invitation.series.fields()),
    }


def draft_first_entry(
    game: Ledger, seat: Seat, person: Identity, nonce: bytes, fields: Fields
) -> DraftEntry:
    """The draft of this seat's first entry, run on `game`; with the last seat the rules begin. From
    the fresh secret `nonce` of 32 bytes all secrets of the seat follow. `fields` are those of entry
    0. Raises kinds of `Invalid`."""
    derived = randomness.derive(person.seed, game.game_id, game.seats[seat], nonce)
    draft = DraftEntry(game, seat, derived)
    proven_by = primitives.public_key(draft.secrets.vrf_seed)
    draft.fields.update(fields)
    draft.fields.update(
        name=person.name, mail=person.mail, key=b64(person.public), vrf=b64(proven_by)
    )
    player = Player(
        seat, person.name, person.mail, person.public, proven_by, nonce, draft.common.keys()
    )
    if game.invitation.may_seal_choices(seat):
        player.root_digest = choices.root_digest(game.game_id, game.seats[seat], derived.root)
        draft.fields["root-digest"] = b64(player.root_digest)
    begun = game.take_seat(player, draft.first_seals(), draft.common)
    if begun is not None:
        answer_rules(begun, draft)
    return draft


CLOSING = True
"""Whether each seat of a new game may sign its end once nothing is left to write (docs/format.md,
section 8)."""


def join(opened: HomeFile, home: Home) -> bytes:
    """The next free seat's first entry. Raises `Refused` or `Conflict`."""
    identity, game, memory = opened.identity, opened.ledger, opened.memory
    signed = memory.newest_signed()
    if signed is not None and opened.seat is None and not memory.gives_way(opened.file):
        return _signed_before(opened, signed)
    if opened.seat is not None:
        waiting = game.to_act()
        hint = (
            "send the file to the player you want to invite"
            if waiting is not None and game.players[waiting] is None
            else Do("show", "FILE", does="tells who writes next")
        )
        raise Refused("you sit in this game already", hint=hint)
    seat = game.to_act()
    if seat is None or game.players[seat] is not None:
        raise Refused(
            "every seat of this game is taken", hint=Do("show", "FILE", does="tells who plays")
        )
    if game.invitation.invites.get(game.seats[seat], identity.public) != identity.public:
        own = next(
            (name for name, key in game.invitation.invites.items() if key == identity.public), None
        )
        hint = (
            f"you are invited to play {own}: join on the file that comes to you later"
            if own
            else ""
        )
        raise Refused(f"somebody else is invited to play {game.seats[seat]}", hint=hint)
    memory.notes += check_before_joining(home, game)
    nonce = random_source.token_bytes(32)
    return _first_entry(opened.copy(), seat, identity, home, opened.file.data, nonce, {})


def seat_twice(opened: HomeFile) -> str:
    """What to tell who is to join again, in a file that goes on before the one in which they have
    joined; empty for anybody else. Raises `Damaged`."""
    if opened.seat is not None or not opened.memory.gives_way(opened.file):
        return ""
    game, newest = opened.ledger, opened.memory.newest_signed()
    signed = None if newest is None else opened.memory.signed(newest)
    seat = game.to_act()
    if signed is None or seat is None:
        return ""
    before = turnfile.read(signed).entries[-1].seat
    host = player_names(game)[game.invitation.host]
    return (
        f"you have joined this game before, in the seat {before} of another file; now you take the"
        f" seat {game.seats[seat]} here too, and play at whichever table {host} goes on with"
    )


def _first_entry(
    game: Ledger,
    seat: Seat,
    identity: Identity,
    home: Home,
    before: bytes,
    nonce: bytes,
    fields: Fields,
) -> bytes:
    """Draft, sign and remember the first entry of this seat, on the file `before` it. Returns the
    whole file."""
    if game.invitation.is_witnessed():
        check_named(identity)
    draft = draft_first_entry(game, seat, identity, nonce, fields)
    return sign(draft, identity, Memory(home, game.game_id), before, nonce, home.checks)


def _signed_before(opened: HomeFile, newest: int) -> bytes:
    """The file with the join that this player signed before. Raises `Conflict` if it does not
    continue the one that they opened."""
    data = opened.memory.signed(newest)
    if data is None or not data.startswith(opened.file.data) or newest != len(opened.file.entries):
        raise Conflict("you have joined this game already", hint="go on with the newest file of it")
    return data


@dataclass(frozen=True)
class NewGame:
    """A game to which a player invites: its name, the seat that they take (None: the first), and
    its options. `opponents` are the public keys for which the seats that decide are kept,
    `witnesses` those for seats that only prove, both in the order in which they join. `filled_in`
    are lines from the player's copy, `clock` the fields of a clock, `title` is what this game
    is called, if anything, and `place` its place in a series; `nonce` is that of entry 0 where a
    league gives it."""

    game: str
    seat: str | None = None
    options: Mapping[str, int] = field(default_factory=dict)
    opponents: Sequence[str] = ()
    witnesses: Sequence[str] = ()
    filled_in: Sequence[DataLine] = ()
    clock: Fields = field(default_factory=dict)
    title: str = ""
    place: SeriesPlace | None = None
    nonce: bytes = b""


def invite(home: Home, new: NewGame) -> bytes:
    """Entry 0 of a new game: the file that invites others to it, remembered before it is returned.
    Raises `Usage`."""
    if new.title:
        own_name.check(new.title)
    rules = game_data.rules_with(registry.newest(new.game), new.filled_in)
    settings = registry.completed(rules, registry.chosen_settings(rules, new.options))
    names, bystanders = rules.seats(settings), rules.bystanders(settings)
    seats = [names[place] for place in registry.keyed_seats(rules, settings)]
    seat = new.seat or seats[0]
    if seat not in seats:
        raise Usage(f'there is no seat "{seat}" to take', hint=f"the seats are {', '.join(seats)}")
    host = seats.index(seat)
    others = [seats[(host + step) % len(seats)] for step in range(1, len(seats))]
    proving = [name for name in others if names.index(name) in bystanders]
    deciding = [name for name in others if name not in proving]
    identity = home.identity()
    if new.opponents and not deciding:
        raise Usage(
            "a game that is played alone has no opponents",
            hint=Do("new", new.game, "--help", does="has its options"),
        )
    if len(new.opponents) > len(deciding):
        raise Usage(
            f"{len(new.opponents)} opponents for {len(deciding)} free seats",
            hint=(
                "name fewer, or choose the options for more",
                Do("new", "GAME", "--help", does="has them"),
            ),
        )
    invited = [
        *zip(deciding, new.opponents, strict=False),
        *zip(proving, new.witnesses, strict=False),
    ]
    keys = [_opponent(key, identity) for _, key in invited]
    if repeated := next((key for key in keys if keys.count(key) > 1), None):
        raise Usage(f'"{b64(repeated)}" is named twice', hint="a key sits in one seat only")
    invites = {name: key for (name, _), key in zip(invited, keys, strict=True)}
    if new.place is not None and not len(deciding) == len(others) == 1:
        raise Usage(
            "a series is for two players", hint="leave it out, or choose options for a game of two"
        )
    given = new.nonce or (new.place and new.place.nonce())
    nonce = given or random_source.token_bytes(32)
    own, game_id = names.index(seat), game_id_of(identity.public, nonce)
    game = Ledger()
    game.open(
        Invitation.to(
            rules,
            settings,
            game_id,
            own,
            invites,
            title=new.title,
            closing=CLOSING,
            place=new.place,
        )
    )
    fields: Fields = {
        **invitation_fields(game.invitation),
        "package": str(registry.distribution(rules.name))[:120],
        "data": [one.line for one in new.filled_in],
        **new.clock,
    }
    return _first_entry(game, own, identity, home, f"{HEADER}\n".encode(), nonce, fields)


def write(
    home: Home,
    data: bytes,
    folder: Path,
    *,
    mail: bool = True,
    web: str = "",
    with_program: bool = False,
    to: Sequence[str] = (),
) -> WrittenTurn:
    """Write the files of an invitation that was just signed (`signing.write_turn`), its mail `to`
    whoever is invited, if that is known; `web` is the page in which the others may play, if one was
    named for this game. If not even its turn file can
    be written, nobody has seen it, and the game is given up. Raises `Conflict` or `Usage`, which
    say what became of it."""
    try:
        if web:
            links.remember(home, data, web)
        return signing.write_turn(data, folder, home, mail=mail, with_program=with_program, to=to)
    except (Conflict, Usage) as error:
        game = home.checks.follow(data)[0]
        name, file = short_name(game), folder / f"{signing.stem(game)}.toml"
        if files.holds(file, data):
            what = (
                f"{error.what}; the game is begun all the same, and {files.printable(file)} is the"
                " invitation"
            )
            raise Usage(
                what, hint=(*error.hint, Do("send", name, "--to", "ADDRESS", does="mails it"))
            ) from error
        Memory(home, game.game_id).give_up()
        raise type(error)(f"{error.what}; no game was begun", hint=error.hint) from error


def read_options(texts: Sequence[str]) -> dict[str, int]:
    """Options of a game as they are written: a name, or a name, an equals sign and a number. Raises
    `Usage`."""
    options = {}
    for text in texts:
        name, equals, number = text.partition("=")
        if (equals and not (number.isascii() and number.isdigit())) or len(number) > 4:
            raise Usage(
                f'"{text[:60]}" is no option with a number',
                hint=Typed("for example --option start=2"),
            )
        options[name.strip()] = int(number) if equals else 1
    return options


def _opponent(text: str, identity: Identity) -> bytes:
    key = contacts.public_key(text)
    if key == identity.public:
        raise Usage(
            "this key is your own",
            hint=("ask the others for theirs", Do("id", does="shows it to them")),
        )
    return key
