"""An invitation: entry 0 of a new game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from pbem import files
from pbem.errors import Conflict, Usage
from pbem.fileformat.encoding import b64
from pbem.fileformat.toml_subset import Fields
from pbem.games import game_data, registry
from pbem.games.game_data import DataLine
from pbem.home import contacts, game_index
from pbem.home.game_index import short_name
from pbem.home.home import Home
from pbem.home.identity import Identity
from pbem.home.memory import Memory
from pbem.mail import page_choice
from pbem.turn import join, turn_files
from pbem.turn.turn_files import WrittenTurn


def invite(
    home: Home,
    game: str,
    seat: str | None,
    chosen: Mapping[str, int],
    opponents: Sequence[str],
    witnesses: Sequence[str] = (),
    data: Sequence[DataLine] = (),
    time: Fields | None = None,
    called: str = "",
) -> bytes:
    """Entry 0 of a new game, `called` so if at all. `opponents` are the public keys that may take
    the seats that decide, `witnesses` those for seats that only prove, `data` what the players have
    filled in from their copy, `time` the fields of a clock. Raises `Usage`."""
    if called:
        game_index.check(called)
    rules = game_data.rules_with(registry.newest(game), data)
    settings = registry.completed(rules, registry.chosen_settings(rules, chosen))
    names, bystanders = rules.seats(settings), rules.bystanders(settings)
    seats = [names[place] for place in registry.keyed_seats(rules, settings)]
    seat = seat or seats[0]
    if seat not in seats:
        raise Usage(f'there is no seat "{seat}" to take', hint=f"the seats are {', '.join(seats)}")
    host = seats.index(seat)
    others = [seats[(host + step) % len(seats)] for step in range(1, len(seats))]
    proving = [name for name in others if names.index(name) in bystanders]
    deciding = [name for name in others if name not in proving]
    identity = home.identity()
    if opponents and not deciding:
        raise Usage(
            "a game that is played alone has no opponents",
            hint=f"pbem new {game} --help has its options",
        )
    if len(opponents) > len(deciding):
        raise Usage(
            f"{len(opponents)} opponents for {len(deciding)} free seats",
            hint="name fewer, or choose the options for more; pbem new GAME --help has them",
        )
    invited = [*zip(deciding, opponents, strict=False), *zip(proving, witnesses, strict=False)]
    keys = [_opponent(key, identity) for _, key in invited]
    if repeated := next((key for key in keys if keys.count(key) > 1), None):
        raise Usage(f'"{b64(repeated)}" is named twice', hint="a key sits in one seat only")
    invites = {name: key for (name, _), key in zip(invited, keys, strict=True)}
    return join.invite(
        rules, settings, seat, identity, home, invites, [one.line for one in data], time, called
    )


def write(
    home: Home, data: bytes, folder: Path, *, mail: bool = True, web: str = ""
) -> WrittenTurn:
    """Write the files of an invitation that was just signed (`turn_files.write_turn`); `web` is the
    page in which the others may play, if one was named for this game. Where not even its turn file
    can be written nobody has seen it, and the game is given up. Raises `Conflict` or `Usage`, which
    say what became of it.
    """
    try:
        if web:
            page_choice.remember(home, data, web)
        return turn_files.write_turn(data, folder, home, mail=mail)
    except (Conflict, Usage) as error:
        game = home.checks.follow(data)[0]
        name, file = short_name(game), folder / f"{turn_files.stem(game)}.toml"
        if files.holds(file, data):
            what = (
                f"{error.what}; the game is begun all the same, and {files.shown(file)} is the"
                " invitation"
            )
            raise Usage(
                what, hint=f"{error.hint}; pbem send {name} --to ADDRESS mails it"
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
                f'"{text[:60]}" is no option with a number', hint="for example --option start=2"
            )
        options[name.strip()] = int(number) if equals else 1
    return options


def _opponent(text: str, identity: Identity) -> bytes:
    key = contacts.public_key(text)
    if key == identity.public:
        raise Usage(
            "this key is your own", hint="ask the others for theirs; pbem id shows it to them"
        )
    return key
