"""What is looked at before somebody joins a game: whether it is one of a league that their home
knows, and is played as that says (docs/league.md, "You play")."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from pbem.errors import Conflict, PbemError
from pbem.fileformat.encoding import b64
from pbem.games import registry
from pbem.home.home import Home
from pbem.league import gate, kept
from pbem.league.league import League
from pbem.league.league_games import why_not
from pbem.ledger.ledger import Ledger


def look(home: Home, game: Ledger) -> list[str]:
    """What to tell whoever joins this game: which one of which league it is, or that it counts for
    none, though it looks so. Raises `Conflict` if a league has settled it, and not as it is."""
    inviter = game.player_of(game.invitation.host).key
    own = home.identity().public
    return [
        note
        for league in _leagues_with(home, inviter, game.invitation.title)
        if (note := _of_league(league, game, inviter, own))
    ]


def _leagues_with(home: Home, inviter: bytes, title: str) -> Iterator[League]:
    """The leagues that this home knows in which the inviter plays, or that are called like the
    game."""
    for data in kept.all_newest(home):
        if b64(inviter).encode() in data or f'league = "{title}"'.encode() in data:
            with suppress(PbemError):  # it is told where it is opened
                yield gate.read(data)


def _of_league(league: League, game: Ledger, inviter: bytes, own: bytes) -> str:
    """What to tell of a game and one league; empty if they have nothing to do with each other."""
    name = league.terms.name
    settled = next((one for one in league.games if one.game_id == game.game_id), None)
    if settled is not None:
        if why := why_not(league, settled, game):
            raise Conflict(
                f"this is to be game {settled.number} of the league {name}, and {why}",
                hint=("nothing was signed", "ask whoever invites to begin it as the league says"),
            )
        decided = ", which its director has decided already" if settled.reason else ""
        return f"this is game {settled.number} of the league {name}{decided}"
    keys = {inviter, own}
    meets = [
        one
        for one in league.open_games()
        if {league.player(one.first).key, league.player(one.second).key} == keys
    ]
    if game.rules.name == league.terms.game and meets:
        theirs = f"{registry.title_or_name(league.terms.game)}, {meets[0].game_id.hex()[:8]}"
        return (
            f"in the league {name} you two play game {meets[0].number} ({theirs}); this is another"
            " one, and counts for nothing there"
        )
    if game.invitation.title == name:
        return (
            f"this game is called {name} as a league is, and is none of the {len(league.games)}"
            " games in the file of it that is here: look into its newest one"
        )
    return ""
