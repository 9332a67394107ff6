"""What is told of a series: facts for programs, and words for players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.fileformat.encoding import b64, fingerprint
from pbem.ledger.ledger import Ledger, player_names
from pbem.ledger.series import SeriesPlace, in_points, tally
from pbem.ledger.series_standing import SeriesGame, Standing, other_seat, result_in, standing


@dataclass(frozen=True)
class SeriesPlayer:
    """One of the two: how sentences call them, their key (null: nobody has joined yet), and their
    half points in the games that count."""

    name: str
    key: str | None
    fingerprint: str | None
    halves: int


@dataclass(frozen=True)
class SeriesGameFacts:
    """One game of a series: `state` is "over", "goes on", "joining" or "away", whose file is not
    at hand. `winner` is the name of whoever won it (null: nobody, or not known); `source` is whose
    word the result is: its "file", as both have "signed" in a later game, as the inviter has "said"
    in one that nobody has joined, or empty where there is none. `problem` tells what does not fit
    (empty: nothing)."""

    number: int
    game_id: str
    state: str
    result: str | None
    winner: str | None
    source: str
    problem: str


@dataclass(frozen=True)
class SeriesReport:
    """A series as its files tell it: its terms, the id of its first game, which of its games is
    looked at (null: none in particular), the inviter and the other one, its games up to the newest
    that is known of, and whether it is `over`; `leader` is the name of whoever has won it then
    (null: nobody, or it goes on). Of the game that is looked at: `inviter` is the seat of whoever
    invites to all games (null: no game is looked at), and `follows` the number of the next game,
    once it may begin (null: it may not, or there is none)."""

    terms: str
    first: str
    number: int | None
    players: Sequence[SeriesPlayer]
    games: Sequence[SeriesGameFacts]
    over: bool
    leader: str | None
    inviter: str | None = None
    follows: int | None = None

    @property
    def line(self) -> str:
        """The series in a line: `game 3, best of 5: Ann 1½, Ben ½`. What an invitation alone tells
        of earlier games is its author's word, and is said to be."""
        which = "" if self.number is None else f"game {self.number}, "
        if self.players[1].key is None:
            return f"{which}{self.terms}"
        said = tally([one.result for one in self.games if one.source == "said" and one.result])
        score = ", ".join(
            f"{one.name} {in_points(one.halves + more)}"
            for one, more in zip(self.players, said, strict=True)
        )
        if any(said):
            return f"{which}{self.terms}: {score}, as {self.players[0].name} says"
        if not self.over:
            return f"{which}{self.terms}: {score}"
        how = f"{self.leader} has won it" if self.leader else "it ended level"
        return f"{which}{self.terms}: {score}; {how}"


OTHER = "the other player"
"""What somebody is called for whom the seat is kept, and who has not joined yet: the file has no
name of theirs."""


def series_facts(seen: Standing, looked_at: Ledger | None = None) -> SeriesReport:
    """A series for programs and words; `looked_at` is the game that is shown."""
    names = _names(seen)
    players = [
        SeriesPlayer(name, b64(key) if key else None, fingerprint(key) if key else None, halves)
        for name, key, halves in zip(names, seen.keys, seen.halves, strict=True)
    ]
    place = None if looked_at is None else looked_at.invitation.series
    ahead = seen.halves[0] - seen.halves[1]
    return SeriesReport(
        str(seen.terms),
        seen.first.hex(),
        None if place is None else place.number,
        players,
        [_game(one, names) for one in seen.games],
        seen.is_over,
        names[ahead < 0] if seen.is_over and ahead else None,
        None if looked_at is None else looked_at.seats[looked_at.invitation.host],
        None if looked_at is None or place is None else _follows(seen, looked_at, place),
    )


def _follows(seen: Standing, game: Ledger, place: SeriesPlace) -> int | None:
    """The number of the game after this one, if it may begin."""
    may_begin = bool(seen.keys[1]) if place.terms.at_once else result_in(game) is not None
    if not may_begin or seen.is_over or place.number >= place.terms.most:
        return None
    return place.number + 1


def series_of(game: Ledger) -> SeriesReport | None:
    """The series of a game by its own file alone; None where it is in none."""
    return None if game.invitation.series is None else series_facts(standing([game]), game)


def _names(seen: Standing) -> tuple[str, str]:
    """How the inviter and the other one are called, by the newest game that both play."""
    at_hand = [one.game for one in seen.games if one.game is not None and _plays(one.game, seen)]
    game = next((one for one in reversed(at_hand) if not one.free_seats()), at_hand[-1])
    names, other = player_names(game), other_seat(game)
    return names[game.invitation.host], names[other] if game.players[other] else OTHER


def _plays(game: Ledger, seen: Standing) -> bool:
    """Whether nobody but the two of this series has a seat in a game: files that do not fit it name
    nobody."""
    keys = {player.key for player in game.players if player is not None}
    return game.invitation.series is not None and keys <= set(seen.keys)


def _game(one: SeriesGame, names: tuple[str, str]) -> SeriesGameFacts:
    if one.game is None:
        state = "away" if one.result is None else "over"
    elif one.source == "file":
        state = "over"
    else:
        state = "joining" if one.game.free_seats() else "goes on"
    winner = {"won": names[0], "lost": names[1]}.get(one.result or "")
    return SeriesGameFacts(
        one.number, one.game_id.hex(), state, one.result, winner, one.source, one.problem
    )


@dataclass(frozen=True)
class SeriesList:
    """The series that were found."""

    series: Sequence[SeriesReport]


# In words


_SOURCES = {
    "file": "",
    "signed": " (as both signed in a later game; its file is not here)",
    "said": " (as whoever invited to a later game says; it does not count yet)",
}


def in_words(facts: SeriesReport) -> str:
    """The series with a line for each of its games."""
    lines = [facts.line[:1].upper() + facts.line[1:]]
    for one in facts.games:
        if one.result is not None:
            what = f"{one.winner} won" if one.winner else "drawn"
        else:
            what = {"joining": "waits for the other player", "away": "its file is not here"}.get(
                one.state, one.state
            )
        lines.append(
            f"  game {one.number}, {one.game_id[:8]}: {what}{_SOURCES.get(one.source, '')}"
        )
        if one.problem:
            lines.append(f"    {one.problem}")
    return "\n".join(lines)
