"""What a director types for a league: the terms of a new one, and what they decide by hand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from pbem.cli.options import GameOptions
from pbem.errors import Typed, Usage
from pbem.league.league import DRAWN, LOST, NONE, WON, League, Pairs
from pbem.league.write import DirectorsDecision, LeagueNews


class NewTerms(NamedTuple):
    """What `new` settles."""

    name: Annotated[
        str, typer.Option("--name", metavar="NAME", help="new: what the league is called.")
    ] = ""
    method: Annotated[
        str,
        typer.Option(
            metavar="METHOD",
            help='new: all-play-all, "all-play-all twice", "swiss 7" (FIDE\'s Dutch system but for'
            ' its fine points: pbem help league), "groups 2 first 2" or knock-out.',
        ),
    ] = "all-play-all"
    places: Annotated[
        int, typer.Option(metavar="NUMBER", min=2, max=512, help="new: the most players.")
    ] = 12
    until: Annotated[
        str,
        typer.Option(
            metavar="DAY",
            help="new: the day on which `run` begins the first round, if places are left.",
        ),
    ] = ""
    option: GameOptions = None
    clock: Annotated[
        str, typer.Option(metavar="DAYS+DAYS", help="new: a clock for its games: 30+3.")
    ] = ""
    leave: Annotated[
        int,
        typer.Option(
            metavar="DAYS",
            help="new: days for which an absence stops that clock.",
            show_default=False,
        ),
    ] = 0
    points: Annotated[
        str,
        typer.Option(
            metavar="POINTS", help="new: for a win, a draw, a loss, a bye, an absence: 2,1,0,2,0."
        ),
    ] = ""
    tie_break: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="new: sonneborn-berger, buchholz, head-to-head or wins; may be repeated.",
        ),
    ] = None
    second: Annotated[
        str,
        typer.Option(metavar="KEY", help="new: the key of a second director, who may go on."),
    ] = ""
    hide_mail: Annotated[
        bool, typer.Option("--hide-mail", help="new, join: leave your mail address out.")
    ] = False


class ByHand(NamedTuple):
    """What a director decides by hand in `round` and `end`."""

    decide: Annotated[
        list[str] | None,
        typer.Option(
            metavar="DECISION",
            help='round: "5 won: reason", for the first player of game 5; or drawn, lost, none.',
        ),
    ] = None
    left: Annotated[
        list[str] | None,
        typer.Option(metavar="PLAYER", help='round: "Ben: reason": Ben plays no more.'),
    ] = None
    absent: Annotated[
        list[str] | None,
        typer.Option(metavar="PLAYER", help='round: "Ben: reason": not paired in this round.'),
    ] = None
    pair: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PAIR", help='round: "Ann, Ben", the first one first; or "Ann" for a bye.'
        ),
    ] = None
    why: Annotated[
        str, typer.Option(metavar="REASON", help="round: why the pairs are made by hand.")
    ] = ""
    no_round: Annotated[
        bool, typer.Option("--no-round", help="round: take in and decide, and begin no round.")
    ] = False
    message: Annotated[
        str, typer.Option("--message", "-m", help="new, round, end: a word to the players.")
    ] = ""


class Page(NamedTuple):
    """The page that `table` and `run` write."""

    html: Annotated[
        Path | None,
        typer.Option("--html", help="table, run: write a page with it.", show_default=False),
    ] = None
    films: Annotated[
        bool,
        typer.Option("--films", help="With --html: a page for each game, to watch and check."),
    ] = False


class Day(NamedTuple):
    """What `run` does besides."""

    fetch: Annotated[
        bool, typer.Option("--fetch", help="run: fetch what came by mail first (mail.toml).")
    ] = False
    send: Annotated[bool, typer.Option("--send", help="run: send the mails too (mail.toml).")] = (
        False
    )
    quiet: Annotated[
        bool, typer.Option("--quiet", help="run: print nothing if nothing has happened.")
    ] = False


def decide(league: League, news: LeagueNews, by_hand: ByHand) -> None:
    """What the director says by hand. Raises `Usage`."""
    for text in by_hand.decide or ():
        match = re.fullmatch(r"\s*(\d{1,6}) (won|drawn|lost|none): *(\S.*)", text)
        if match is None:
            kinds = ", ".join((WON, DRAWN, LOST, NONE))
            raise Usage(
                f'"{text[:60]}" decides nothing',
                hint=(f"the first player's result is {kinds}", Typed('--decide "5 won: reason"')),
            )
        news.decided.append(DirectorsDecision(int(match[1]), match[2], match[3].strip()))
        news.results = [one for one in news.results if one.game != int(match[1])]
    news.left.update(_with_reason(league, text) for text in by_hand.left or ())
    news.absent.update(_with_reason(league, text) for text in by_hand.absent or ())
    news.message = by_hand.message


def _with_reason(league: League, text: str) -> tuple[int, str]:
    name, colon, reason = text.partition(":")
    if not colon or not reason.strip():
        raise Usage(f'"{text[:60]}" says no reason', hint=Typed('"Ben: has no time"'))
    return _player(league, name), reason.strip()


def _player(league: League, name: str) -> int:
    """The number of a player by name or number. Raises `Usage`."""
    name = name.strip()
    for one in league.players:
        if name in (one.name, str(one.number)):
            return one.number
    raise Usage(f'"{name[:60]}" does not play in this league', hint="pbem league table FILE")


def pairs_of(league: League, texts: Sequence[str]) -> Pairs:
    """Pairs that the director names. Raises `Usage`."""
    games, byes = [], []
    for text in texts:
        numbers = [_player(league, name) for name in text.split(",")]
        if len(numbers) == 2:
            games.append((numbers[0], numbers[1]))
        elif len(numbers) == 1:
            byes.append(numbers[0])
        else:
            raise Usage(f'"{text[:60]}" is no pair', hint=Typed('--pair "Ann, Ben"'))
    return Pairs(tuple(games), tuple(byes))
