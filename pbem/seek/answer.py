"""What a seek can be answered with: an invitation to its key alone, to the game that it asks for
(docs/format.md, section 24)."""

from __future__ import annotations

from functools import lru_cache

from pbem.errors import Do, Invalid, PbemError, Refused, Usage
from pbem.fileformat.encoding import b64
from pbem.fileformat.toml_subset import Fields
from pbem.games import registry
from pbem.home.home import Home
from pbem.seek.seek_file import Seek, Wish
from pbem.turn import joining
from pbem.turn.joining import NewGame


def seats_left(wish: Wish) -> tuple[str, ...]:
    """The seats that whoever answers may take. Raises `Refused` where this program cannot begin
    such a game."""
    names = _seats(wish.game, wish.rules, tuple(wish.options))
    if wish.seat and wish.seat not in names:
        raise Refused(f'there is no seat "{wish.seat}" in this game')
    return tuple(name for name in names if name != wish.seat)


@lru_cache(maxsize=1000)
def _seats(game: str, version: int, options: tuple[str, ...]) -> tuple[str, ...]:
    """The two seats of a game that two play. Raises `Refused`."""
    try:
        rules = registry.newest(game)
        if rules.version != version:
            newer = "theirs" if version > rules.version else "yours"
            raise Refused(
                f"version {version} of the rules, and here is {rules.version}: {newer} is newer",
                hint="whoever has the older program can update it",
            )
        settings = registry.completed(rules, registry.read_settings(rules, options, "the seek"))
        names = rules.seats(settings)
        keyed = [names[seat] for seat in registry.keyed_seats(rules, settings)]
        players = registry.players_of(rules, settings)
    except (Usage, Invalid) as error:
        raise Refused(error.what, hint=error.hint) from error
    if len(keyed) != 2 or len(players) != 2:
        raise Refused(
            f"a seek is for two, and this game with these options is for {len(keyed)}",
            hint=Do("new", game, "--help", does="lists its options"),
        )
    return tuple(keyed)


def why_not(wish: Wish) -> str:
    """Why such a game cannot be begun here; empty if it can."""
    try:
        seats_left(wish)
    except PbemError as error:
        return error.what
    return ""


def invitation(home: Home, seek: Seek, seat: str, now: str) -> bytes:
    """The turn file that invites the key of a seek, and nobody else, with the seek's options;
    `seat` is the one that the inviter takes (empty: the first that is left). Raises `Refused` or
    `Usage`."""
    wish = seek.wish
    if seek.is_over(now):
        raise Refused(f"this seek ended on {wish.until[:10]}", hint="answer one that goes on")
    if seek.is_ahead(now):
        raise Refused("this seek is dated ahead of your clock", hint="look whether that is right")
    if seek.key == home.identity().public:
        raise Refused("this seek is your own", hint="it is for others to answer")
    left = seats_left(wish)
    if seat and seat not in left:
        raise Usage(
            f'"{seat[:40]}" is no seat that is left', hint=f"you can play {' or '.join(left)}"
        )
    rules = registry.newest(wish.game)
    clock: Fields = {"clock": wish.clock} if wish.clock else {}
    if wish.leave_days:
        clock["leave-days"] = wish.leave_days
    settings = registry.read_settings(rules, wish.options, "the seek")
    return joining.invite(
        home, NewGame(wish.game, seat or left[0], settings, [b64(seek.key)], clock=clock)
    )
