"""The mails of a league: what each player should know of an entry, with the league's file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pbem.fileformat import armor
from pbem.fileformat.encoding import b64
from pbem.games import registry
from pbem.home.identity import Identity
from pbem.league.join_form import Join
from pbem.league.league import DRAWN, LOST, NONE, WON, League, LeagueGame, LeaguePlayer
from pbem.league.table import table
from pbem.mail.heads import address, draft
from pbem.report import render

WORDS = {
    WON: "it counts as won for you",
    DRAWN: "it counts as drawn",
    LOST: "it counts as lost for you",
    NONE: "nobody has a point for it",
}


@dataclass(frozen=True)
class MailedGame:
    """A game of the new round, for one of its players."""

    number: int
    other: str
    mail: str
    begins: bool
    short: str


@dataclass(frozen=True)
class DecidedGame:
    """A game that the director decided, for one of its players."""

    number: int
    other: str
    words: str
    reason: str


def file_name(league: League) -> str:
    """The name of a league's file."""
    return f"league-{league.short}.toml"


def mails(
    league: League, entry: int, data: bytes, sender: Identity, own: Path
) -> Iterator[tuple[LeaguePlayer, bytes]]:
    """The players whom an entry concerns, each with the mail about it, or with nothing where they
    have given no address; `data` is the league's file up to it, `own` the folder of the director's
    own templates."""
    ends = "end" in league.entries[entry].fields
    places = {line.player: line.place for line in table(league)} if ends else {}
    for player in league.players:
        facts = _facts(league, entry, player, places)
        if not facts:
            continue
        if not player.mail:
            yield player, b""
        else:
            text = render.render("league/mail.txt.j2", {**_common(league, sender), **facts}, own)
            subject = f"{league.terms.name}: {_subject(facts)}"
            to = address(player.name, player.mail)
            mail = draft(sender, to, render.plain(subject), text, league.entries[entry].date)
            mail["Message-ID"] = f"<{league.id.hex()[:16]}.{entry}.{player.number}@pbem.invalid>"
            mail.add_attachment(data, "application", "octet-stream", filename=file_name(league))
            yield player, mail.as_bytes()


def _facts(
    league: League, entry: int, player: LeaguePlayer, places: Mapping[int, int]
) -> dict[str, object]:
    """What an entry says to a player; empty if it says nothing. `places` are those at the end, if
    it is the end."""
    signed = league.entries[entry]
    begun = next((one for one in league.rounds if one.entry == entry), None)
    games = [] if begun is None else [game for game in begun.games if not game.reason]
    joins = {line.partition(" ")[0] for line in signed.list("players")}
    decided = [
        game for game in league.games_of(player.number) if game.reason and game.noted == entry
    ]
    facts: dict[str, object] = {
        "joined": b64(player.key) in joins,
        "games": [
            _new_game(league, game, player)
            for game in games
            if player.number in (game.first, game.second)
        ],
        "bye": begun is not None and player.number in begun.byes,
        "absent": "" if begun is None else begun.absent.get(player.number, ""),
        "decided": [_decided(league, game, player) for game in decided],
        "ended": player.number in places and not player.left,
        "message": "" if player.left else signed.text("message"),
    }
    if not any(facts.values()):
        return {}
    return facts | {
        "reader": player.name,
        "round": 0 if begun is None else begun.number,
        "place": places[player.number] if facts["ended"] else 0,
        "players": len(league.players),
    }


def _new_game(league: League, game: LeagueGame, player: LeaguePlayer) -> MailedGame:
    other = league.player(game.other(player.number))
    short = f"{league.terms.game}-{game.game_id.hex()[:8]}"
    return MailedGame(game.number, other.name, other.mail, game.first == player.number, short)


def _decided(league: League, game: LeagueGame, player: LeaguePlayer) -> DecidedGame:
    other = league.player(game.other(player.number))
    return DecidedGame(game.number, other.name, WORDS[game.of(player.number)], game.reason)


def _common(league: League, sender: Identity) -> dict[str, object]:
    terms = league.terms
    return {
        "name": terms.name,
        "title": registry.title_or_name(terms.game),
        "method": str(terms.method),
        "file": file_name(league),
        "director": sender.name,
        "director_mail": terms.mail,
    }


def _subject(facts: dict[str, object]) -> str:
    if facts["ended"]:
        return "the table"
    if facts["round"]:
        return f"round {facts['round']}"
    return "you play" if facts["joined"] else "from the director"


def join_mail(
    league: League, join: Join, person: Identity, file: str, own: Path
) -> tuple[str, bytes]:
    """The text of a join, and the mail that brings it to the director (empty without an
    address)."""
    text = render.render(
        "league/join.txt.j2",
        {
            "name": join.name,
            "league": league.terms.name,
            "file": file,
            "armor": armor.wrap_league(join.file()),
        },
        own,
    )
    if not league.terms.mail:
        return text, b""
    subject = f"{league.terms.name}: I would like to play"
    to = address("", league.terms.mail)
    mail = draft(person, to, render.plain(subject), text, join.date)
    mail.add_attachment(join.file(), "application", "octet-stream", filename=file)
    return text, mail.as_bytes()
