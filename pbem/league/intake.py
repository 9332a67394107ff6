"""What has come for a league since its newest entry: joins, and games that are over."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from pbem.errors import Invalid, PbemError
from pbem.fileformat.characters import looks_like
from pbem.home.home import Home
from pbem.league import direct, gate, league_file, league_games, pairing, verify, write
from pbem.league.find_pieces import LeaguePiece
from pbem.league.join_form import Join, read_join
from pbem.league.league import League, OpenLeague
from pbem.league.league_games import LeagueShelf
from pbem.league.terms import SWISS
from pbem.league.verify import BAD, CheckedGame
from pbem.league.write import LeagueNews
from pbem.ledger.signatures import Verifier

MOST = 400
"""Joins, and results, that are taken into one entry; the next one takes more."""


@dataclass
class LeagueIntake:
    """What came: the news for the next entry, every game at hand, and what is known of each; and
    what the director should know: of joins that were not taken, of games that contradict, of files
    that cannot be read. `newer` is a file in which the other director has gone on from this one;
    empty if none came."""

    news: LeagueNews
    shelf: LeagueShelf
    checked: list[CheckedGame] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    newer: bytes = b""


def take_in_newest(
    home: Home, opened: OpenLeague, places: Sequence[Path]
) -> tuple[OpenLeague, LeagueIntake]:
    """Look at what lies in these places; where the other director has gone on there, from their
    file on, so that the league does not go on in two. Raises `NoPlace`, and `Conflict` as
    `pbem.league.kept.meet` does."""
    came = take_in(opened.league, places, home.checks.verifier)
    if came.newer:
        opened = direct.take_newer(home, opened, came.newer)
        came = take_in(opened.league, places, home.checks.verifier)
    return opened, came


def take_in(
    league: League, places: Iterable[Path], verifier: Verifier | None = None
) -> LeagueIntake:
    """Look at what lies in these places. Raises `NoPlace`."""
    intake = LeagueIntake(LeagueNews(), LeagueShelf(league, verifier))
    for piece in intake.shelf.take_in(places):
        if piece.problem:
            intake.notes.append(piece.problem)
        elif piece.is_join:
            _take_join(league, piece, intake)
        else:
            _look_at_other(league, piece, intake)
    intake.checked = [verify.check_game(league, game, intake.shelf) for game in league.games]
    for one in intake.checked:
        _take_game(league, one, intake)
    return intake


def _take_join(league: League, piece: LeaguePiece, intake: LeagueIntake) -> None:
    try:
        join = read_join(piece.data)
    except Invalid as error:
        intake.notes.append(f"{piece.where}: {error}")
        return
    if join.league != league.id or join in intake.news.players:
        return
    known = league.with_key(join.key)
    if known is not None:
        if known.name != join.name:
            intake.notes.append(
                f"{piece.where}: {known.name} plays already, and joins once more as {join.name}"
            )
        return
    if why := _why_not_join(league, join, intake.news.players):
        intake.notes.append(f"{piece.where}: {join.name} cannot join: {why}")
    else:
        intake.news.players.append(join)


def _why_not_join(league: League, join: Join, coming: list[Join]) -> str:
    if why := gate.cannot_join(league, join.key, join.name):
        return why
    if league.rounds and league.terms.method.kind != SWISS:
        return "the league has begun"
    if any(one.key == join.key for one in coming):
        return "another join of the same key came too"
    if len(league.players) + len(coming) >= league.terms.places or len(coming) >= MOST:
        return "the places are taken"
    others = [*(one.name for one in league.players), *(one.name for one in coming)]
    alike = next((name for name in others if looks_like(name, join.name)), "")
    return f'the name looks like "{alike}"' if alike else ""


def _look_at_other(league: League, piece: LeaguePiece, intake: LeagueIntake) -> None:
    """Another file of the league: one that goes on differently is told, one that goes on from here
    is taken."""
    with suppress(Invalid):
        file = league_file.read(piece.data)
        if file.entries[0].digest != league.id:
            return
        if gate.differs(league, file) is not None:
            intake.notes.append(
                f"{piece.where}: this league goes on in two, and here is the other one"
            )
        elif len(file.data) > max(league.entries[-1].end, len(intake.newer)):
            gate.follow(file)
            intake.newer = file.data


def _take_game(league: League, one: CheckedGame, intake: LeagueIntake) -> None:
    number = one.game.number
    if one.state in BAD:
        first, second = (league.player(of).name for of in (one.game.first, one.game.second))
        intake.notes.append(f"game {number} ({first} and {second}): {one.why}")
    elif one.state == verify.WAITING and len(intake.news.results) < MOST:
        result = league_games.result_of(league, one.game, intake.shelf.found[number])
        assert result is not None, "that is what it waits for"
        intake.news.results.append(result)


def add_round(data: bytes, news: LeagueNews, *, by_itself: bool, now: str = "") -> str:
    """Add the pairs of the next round, or the end, to the news if they are due; why no round
    begins, if none does. `by_itself`: nobody has asked for it, so the first round waits until the
    places are taken or its time has come."""
    league = write.after(data, news)
    if league.ended:
        return "the league has ended"
    if not league.is_complete():
        left = len(league.open_games())
        return f"{left} games have no result yet" if left > 1 else "one game has no result yet"
    if league.rounds and not pairing.rounds_left(league):
        news.ends = by_itself
        return "all rounds have been played"
    if by_itself and not league.rounds:
        terms = league.terms
        is_time = bool(terms.until) and terms.until <= now
        if not is_time and len(league.players) < terms.places:
            until = f", or for {terms.until[:10]}" if terms.until else ""
            return f"it waits for {terms.places} players{until}"
    try:
        news.pairs = write.pairs_now(league, news.absent)
    except PbemError as error:
        return error.what
    return ""
