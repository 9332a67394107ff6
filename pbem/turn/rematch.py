"""A game once more: the next one of its series, or a new one with the seats changed."""

from __future__ import annotations

from pathlib import Path

from pbem.errors import Do, Refused
from pbem.fileformat.encoding import b64
from pbem.games.game_data import DataLine
from pbem.home.game_index import short_name
from pbem.home.home import Home
from pbem.home.memory import Memory
from pbem.ledger.ledger import Ledger, player_names
from pbem.ledger.series import EarlierGame, SeriesPlace
from pbem.ledger.series_standing import SeriesGame, Standing, end_of
from pbem.turn.joining import NewGame, invite
from pbem.turn.open_game import OpenFile
from pbem.turn.series import standing_in


def rematch(home: Home, opened: OpenFile) -> bytes:
    """Entry 0 of the game after this one: with the same options, data and clock, each player one
    seat further on, and each seat kept for their key. In a series that goes on it is its next game,
    the same bytes each time; after its end a new one on the same terms. Raises `Refused` or
    `Usage`."""
    game, place = opened.ledger, opened.ledger.invitation.series
    if opened.seat is None or opened.seat not in game.invitation.clocked_seats():
        raise Refused(
            "you did not play this game", hint=Do("new", "GAME", does="begins one of your own")
        )
    if place is not None:
        seen = standing_in(home, game)
        if not (seen.is_over and game.is_over()):
            return _next_of_series(home, opened, place, seen)
    if not game.is_over():
        raise _goes_on(game)
    return invite(home, _once_more(opened, None if place is None else SeriesPlace(place.terms)))


def addresses_of_others(opened: OpenFile) -> list[str]:
    """The mail addresses that the others in the game before have given."""
    return [
        player.mail
        for player in opened.ledger.players
        if player is not None and player.mail and player.seat != opened.seat
    ]


def _next_of_series(home: Home, opened: OpenFile, place: SeriesPlace, seen: Standing) -> bytes:
    """Entry 0 of the game of the series after this one. Raises `Refused`."""
    game, number = opened.ledger, place.number + 1
    if home.identity().public != seen.keys[0]:
        names = player_names(game)
        raise Refused(
            f"{names[game.invitation.host]} invites to each game of this series",
            hint="the next one comes from them: wait for it, or ask",
        )
    if number > place.terms.most:
        raise _goes_on(game)
    if (signed := Memory(home, seen.ids[number - 1]).signed(0)) is not None:
        return signed
    earlier = _earlier(game, place, seen)
    return invite(home, _once_more(opened, SeriesPlace(place.terms, number, seen.first, earlier)))


def _earlier(game: Ledger, place: SeriesPlace, seen: Standing) -> list[EarlierGame]:
    """What the next game of a series says of those before. Raises `Refused` where it may not begin
    yet."""
    if place.terms.at_once:
        if not seen.keys[1]:
            raise Refused(
                "nobody has joined the first game of this series yet",
                hint="the others begin once you know with whom you play",
            )
        return []
    if not game.is_over() or game.to_act() is not None:
        raise _goes_on(game)
    if seen.problems:
        raise Refused(seen.problems[0], hint=Do("series", short_name(game), does="shows its games"))
    return [_ended(one) for one in seen.games[: place.number]]


def _ended(one: SeriesGame) -> EarlierGame:
    """How an earlier game of the series ended, by its file. Raises `Refused`."""
    if one.game is None or one.source != "file" or one.result is None:
        raise Refused(
            f"game {one.number} of this series is not here, or not over",
            hint="take in its newest file first",
        )
    return EarlierGame(end_of(one.game), one.result)


def _goes_on(game: Ledger) -> Refused:
    hint = Do("show", short_name(game), does="tells who plays")
    return Refused("this game is not over", hint=hint)


def _once_more(opened: OpenFile, place: SeriesPlace | None) -> NewGame:
    """The same game with the players one seat further on; whoever opened it invites."""
    game, seat = opened.ledger, opened.seat
    order = game.invitation.clocked_seats()
    assert seat is not None
    turn = order.index(seat)
    order = order[turn:] + order[:turn]
    keys = {
        one: b64(game.player_of(one).key)
        for one in game.invitation.keyed_seats()
        if game.players[one] is not None
    }
    kept = [keys.get(one) or b64(game.invitation.invites[game.seats[one]]) for one in order[1:]]
    entry = opened.file.entries[0]
    return NewGame(
        game.rules.name,
        game.seats[order[1 % len(order)]],
        game.invitation.settings,
        opponents=kept,
        witnesses=[key for one, key in keys.items() if one not in order],
        filled_in=[
            DataLine(line, Path(), number) for number, line in enumerate(entry.list("data"), 1)
        ],
        clock={
            name: entry.fields[name] for name in ("clock", "leave-days") if name in entry.fields
        },
        place=place,
    )
