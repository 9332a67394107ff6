"""What the director of a league signs, and what a player does in one: the home's side of a league
(docs/league.md)."""

from __future__ import annotations

import os
import secrets as random_source
from contextlib import suppress
from pathlib import Path

from pbem import files
from pbem.errors import Conflict, Do, Invalid, Refused, Typed, Usage
from pbem.fileformat.encoding import b64
from pbem.fileformat.turnfile import as_lf
from pbem.games import registry
from pbem.home import clock
from pbem.home.home import Home
from pbem.home.memory import Memory
from pbem.league import find_pieces, gate, kept, league_file, league_games, mails, write
from pbem.league.join_form import Join, write_join
from pbem.league.league import League, LeagueGame, OpenLeague
from pbem.league.league_file import MAX_FILE
from pbem.league.terms import LeagueTerms
from pbem.league.write import LeagueNews
from pbem.turn import joining
from pbem.turn.extras import clock_fields
from pbem.turn.joining import NewGame
from pbem.turn.signing import signer


def read(home: Home | None, file: Path) -> OpenLeague:
    """The league of a file, or of a saved mail, or the newer one of it that the home has seen.
    Raises kinds of `Invalid`, `Usage`, and `Conflict` if it goes on in two."""
    found = [one.data for one in find_pieces.look(file) if one.data and not one.is_join]
    whole = league_file.read(max(found, key=len) if found else files.read_bytes(file, MAX_FILE))
    data, league = whole.data, gate.follow(whole)
    if home is None or not home.has_identity():
        return OpenLeague(data, league)
    newest = kept.meet(home, league.id, data)
    return OpenLeague(newest, gate.read(newest) if newest != data else league)


def file_to_write(opened: OpenLeague, given: Path, folder: Path | None = None) -> Path:
    """Where the league goes on: in the file that it was read from, if nothing else is in that, or
    in one of its own in a folder, by default beside the saved mail that it came in. Raises
    `Conflict` if something else stands there, which is to be known before anything is signed."""
    if folder is None and _is_of(opened, given):
        return given
    beside = given if files.is_folder(given) else given.parent
    path = (folder or beside) / mails.file_name(opened.league)
    if os.path.lexists(path) and not _is_of(opened, path):
        raise Conflict(
            f"{files.printable(path)} exists and is not the file of this league",
            hint=("nothing was signed", Typed("move it away, or name another folder with --dir")),
        )
    return path


def _is_of(opened: OpenLeague, path: Path) -> bool:
    """Whether a file is this league, or its beginning, and nothing else."""
    with suppress(Usage):
        return opened.data.startswith(as_lf(files.read_own(path, MAX_FILE)))
    return False


def take_newer(home: Home, opened: OpenLeague, data: bytes) -> OpenLeague:
    """The league as a file of it that the gate has admitted goes on with it. Raises `Conflict` if
    the home knows another."""
    newest = kept.meet(home, opened.league.id, data)
    return OpenLeague(newest, gate.read(newest))


def new_league(home: Home, terms: LeagueTerms) -> OpenLeague:
    """Sign a new league and keep it in the home. Raises `Usage` or `Refused`."""
    person = signer(home)
    if why := league_games.cannot_play(terms.game, terms.rules, terms.options):
        raise Refused(why)
    made = write.new_league(terms, clock.now(), random_source.token_bytes(32), person)
    kept.meet(home, made.league.id, made.data)
    return made


def sign(home: Home, opened: OpenLeague, news: LeagueNews) -> OpenLeague:
    """Sign one more entry of a league and keep it in the home before anybody sees it. Raises
    `Refused`, kinds of `Invalid`, and `Conflict` where the home knows a newer file."""
    person = signer(home)
    known = kept.newest(home, opened.league.id)
    if not opened.data.startswith(known):
        raise Conflict("a newer file of this league is here", hint="look once more")
    try:
        made = write.next_entry(
            opened.data, news, clock.now(), random_source.token_bytes(32), person
        )
    except Invalid as error:
        raise Refused(error.what, hint="nothing was signed") from error
    kept.meet(home, opened.league.id, made.data)
    return made


def join(home: Home, league: League, *, hides_mail: bool = False) -> Join:
    """The player's join to a league. Raises `Refused`."""
    person = signer(home)
    if why := gate.cannot_join(league, person.public, person.name):
        raise Refused(why)
    mail = "" if hides_mail else person.mail
    return write_join(league.id, clock.now(), person.public, mail, person.name, person.sign)


def to_begin(home: Home, league: League) -> list[LeagueGame]:
    """The games without a result that the player of this home begins, the oldest first. Raises
    `Refused` for somebody who does not play in the league."""
    own = league.with_key(home.identity().public)
    if own is None:
        raise Refused(
            "you do not play in this league",
            hint=Do("league", "join", "FILE", does="writes what its director needs"),
        )
    return [game for game in league.open_games() if game.first == own.number]


def begin(home: Home, league: League, game: LeagueGame) -> bytes:
    """The invitation with which the player begins a game of the league: the same bytes, if they
    have signed it. Raises `Refused` or `Usage`."""
    signer(home)
    signed = Memory(home, game.game_id).signed(0)
    if signed is not None:
        return signed
    terms = league.terms
    rules = registry.newest(terms.game)
    if why := league_games.cannot_play(terms.game, terms.rules, terms.options):
        raise Refused(why)
    chosen = registry.read_settings(rules, terms.options, "the league")
    settings = registry.completed(rules, chosen)
    seats = registry.players_of(rules, settings)
    return joining.invite(
        home,
        NewGame(
            terms.game,
            rules.seats(settings)[seats[0]],
            chosen,
            [b64(league.player(game.second).key)],
            clock=clock_fields(terms.clock, terms.leave_days),
            title=terms.name,
            nonce=game.nonce,
        ),
    )


def directs(home: Home, league: League) -> bool:
    """Whether the player of this home directs the league."""
    return home.has_identity() and home.identity().public in league.terms.directors
