"""The command for leagues: its director's work, and what each player and everybody else does with
one (docs/league.md)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from pbem import files
from pbem.cli import newcomer
from pbem.cli.errors import AlreadyPrinted, say
from pbem.cli.league_options import ByHand, Day, NewTerms, Page, decide, pairs_of
from pbem.cli.options import ClockIsRight, FolderHere, Json
from pbem.cli.own_home import open_home
from pbem.cli.startup.commands import CommandEntry
from pbem.cli.streams import warn
from pbem.english import counted
from pbem.errors import INVALID, Refused, Typed, Usage
from pbem.games import registry
from pbem.home import contacts
from pbem.home.game_index import short_name
from pbem.home.home import Home
from pbem.league import direct, intake, mails, report, run, verify, write
from pbem.league.league import League, OpenLeague
from pbem.league.overdue import OverdueGame
from pbem.league.report import LeagueFacts
from pbem.league.terms import USUAL_BREAKS, USUAL_POINTS, LeagueTerms, Points, read_method
from pbem.league.write import LeagueNews
from pbem.library import leagues
from pbem.turn import joining, signing
from pbem.turn.extras import clock_fields

ACTIONS = ("new", "join", "begin", "round", "end", "table", "verify", "run")
_USAGE = "pbem league new GAME, or join, begin, round, end, table or verify FILE, or run FOLDER"


@dataclass(frozen=True)
class WrittenLeague:
    """The league's file, its id in hexadecimal, its number of entries, the round that began (null:
    none), and why none did."""

    file: str
    league: str
    entries: int
    round: int | None
    waits: str
    notes: Sequence[str]


@dataclass(frozen=True)
class WrittenJoin:
    """The files of a join, the mail among them (null: the director gave no address), and where they
    go."""

    file: str
    text: str
    mail: str | None
    to: str | None


@dataclass(frozen=True)
class BegunGames:
    """The files of the invitations to games of a league that were begun now, or before."""

    files: Sequence[str]
    games: Sequence[str]


@dataclass(frozen=True)
class RunFacts:
    """What a look at a league's folder has done: who joined, the games with a new result, the round
    that began (null: none), whether the league ended, why no round began; the mails that were
    written and sent, the players without an address, games in which a clock has run out, and what
    the director should look at."""

    file: str
    league: str
    entries: int
    joined: Sequence[str]
    results: Sequence[int]
    round: int | None
    ended: bool
    waits: str
    written: Sequence[str]
    sent: Sequence[str]
    without_mail: Sequence[str]
    overdue: Sequence[OverdueGame]
    notes: Sequence[str]


def league(
    action: Annotated[
        str, typer.Argument(help=f"{', '.join(ACTIONS[:-1])} or run.", show_default=False)
    ],
    what: Annotated[
        list[Path],
        typer.Argument(
            metavar="GAME|FILE|FOLDER [PLACE...]",
            help="The game of a new league, a league's file, or the folder of one; then places with"
            " joins and games.",
            show_default=False,
        ),
    ],
    *,
    terms: NewTerms,
    by_hand: ByHand,
    page: Page,
    day: Day,
    folder: FolderHere = None,
    clock_is_right: ClockIsRight = False,
    as_json: Json = False,
) -> None:
    """`new GAME` begins a league that you direct, `round FILE` takes joins and games in and pairs
    the next round, `end FILE` ends it, and `run FOLDER` does all that is due, fit for cron. As a
    player, `join FILE` writes what its director needs, and `begin FILE` the invitations to your
    games. For everybody, `table FILE` shows the table and `verify FILE PLACE...` checks it against
    the games; nobody has to be believed (pbem help league)."""
    first, others = what[0], what[1:]
    if action not in ACTIONS:
        raise Usage(f'"{action[:20]}" is nothing a league does', hint=_USAGE)
    if others and action in ("new", "join", "begin", "run"):
        raise Usage(f"{action} takes one name", hint=_USAGE)
    home = open_home()
    if action in ("table", "verify"):
        _look(home, action, first, others, page, as_json)
        return
    if action == "new" and folder:  # a league has a folder of its own, and this one is the first
        files.make_folder(folder / run.IN)
    target = signing.check_folder(folder or Path())
    newcomer.make_ready(home, clock_is_right, quiet=as_json)
    if action == "new":
        _new(home, str(first), terms, by_hand.message, target, as_json)
    elif action == "join":
        _join(home, direct.read(home, first), target, as_json, hides_mail=terms.hide_mail)
    elif action == "begin":
        _begin(home, direct.read(home, first), target, as_json)
    elif action == "run":
        _run(home, first, page, day, as_json)
    else:
        _next(home, action, first, others, folder, by_hand, as_json)


def _new(home: Home, game: str, terms: NewTerms, message: str, target: Path, as_json: bool) -> None:
    rules = registry.newest(game)
    chosen = registry.chosen_settings(rules, joining.read_options(terms.option or []))
    timed = clock_fields(terms.clock, terms.leave)
    person = home.identity()
    try:
        method = read_method(terms.method)
        points = Points(*map(int, terms.points.split(","))) if terms.points else USUAL_POINTS
    except (ValueError, TypeError) as error:
        raise Usage(str(error), hint="pbem league --help") from error
    if terms.until and not re.fullmatch(r"\d{4}-\d\d-\d\d", terms.until):
        raise Usage("a day is written 2026-12-10", hint=Typed("--until 2026-12-10"))
    if not terms.name:
        raise Usage("what is the league called?", hint=Typed('--name "Autumn league"'))
    second = [contacts.public_key(terms.second)] if terms.second else []
    made = direct.new_league(
        home,
        LeagueTerms(
            terms.name,
            (person.public, *second),
            game,
            rules.version,
            method,
            terms.places,
            "" if terms.hide_mail else person.mail,
            tuple(registry.write_settings(rules, chosen)),
            str(timed.get("clock", "")),
            terms.leave,
            f"{terms.until}T00:00:00Z" if terms.until else "",
            points,
            tuple(terms.tie_break or USUAL_BREAKS[method.kind]),
            message,
        ),
    )
    file = target / mails.file_name(made.league)
    files.write_new(file, made.data)
    say(
        as_json,
        _written(made, file, None, "", ()),
        f"{files.printable(file)}\nsend it to whoever may play; pbem league join FILE is their"
        f" answer. Put what comes into the folder {files.printable(target / run.IN)}; then pbem"
        f" league run {files.printable(target)} does what is due",
    )


def _join(home: Home, opened: OpenLeague, target: Path, as_json: bool, *, hides_mail: bool) -> None:
    join = direct.join(home, opened.league, hides_mail=hides_mail)
    stem = f"join-{opened.league.short}"
    file, text, mail = (target / f"{stem}.{end}" for end in ("toml", "txt", "eml"))
    words, message = mails.join_mail(
        opened.league, join, home.identity(), file.name, home.folder / "templates"
    )
    files.write_new(file, join.file())
    files.write_new(text, words.encode())
    if message:
        files.write_new(mail, message)
    to = opened.league.terms.mail
    facts = WrittenJoin(str(file), str(text), str(mail) if message else None, to or None)
    where = f"send {mail.name} to {to}" if to else "send the file or the text to its director"
    paths = [facts.file, facts.text, *([facts.mail] if facts.mail else [])]
    say(as_json, facts, "\n".join([*paths, where]))


def _begin(home: Home, opened: OpenLeague, target: Path, as_json: bool) -> None:
    games = direct.to_begin(home, opened.league)
    written, names = [], []
    for game in games:
        data = direct.begin(home, opened.league, game)
        other = opened.league.player(game.second)
        made = joining.write(home, data, target, to=[other.mail] if other.mail else [])
        written.append(str(made.file))
        names.append(short_name(made.game))
    text = "\n".join([*written, "send each to whom it invites: pbem send GAME"])
    if not games:
        text = "no game of this league is yours to begin now"
    say(as_json, BegunGames(written, names), text)


def _next(
    home: Home,
    action: str,
    given: Path,
    others: Sequence[Path],
    folder: Path | None,
    by_hand: ByHand,
    as_json: bool,
) -> None:
    opened = direct.read(home, given)
    if not direct.directs(home, opened.league):
        raise Refused("you do not direct this league", hint="its director signs its rounds")
    opened, came = intake.take_in_newest(home, opened, others)
    file = direct.file_to_write(opened, given, folder)
    signing.check_folder(file.parent)
    news = came.news
    known = write.after(opened.data, LeagueNews(players=news.players))
    decide(known, news, by_hand)
    waits = ""
    if action == "end":
        news.ends = True
    elif not by_hand.no_round:
        if by_hand.pair:
            news.pairs, news.by_hand = pairs_of(known, by_hand.pair), by_hand.why
        else:
            waits = intake.add_round(opened.data, news, by_itself=False)
    if news.pairs is None:
        news.absent.clear()
    if not news:
        away = "an absence is signed with the round that begins: say it again then"
        hints = (away if by_hand.absent else "", *came.notes[:3])
        raise Refused(waits or "there is nothing to sign", hint=tuple(filter(None, hints)))
    begun = len(opened.league.rounds) + 1 if news.pairs is not None else None
    made = direct.sign(home, opened, news)
    files.replace(file, made.data, mode=0o644)
    home.checks.keep()
    facts = _written(made, file, begun, waits, came.notes)
    for note in came.notes:
        warn(note)
    begins = f"round {begun} begins" if begun else "signed"
    if waits and not begun and not news.ends:
        begins += f"; no round begins: {waits}"
    say(as_json, facts, f"{files.printable(file)}\n{begins}")


def _written(
    made: OpenLeague, file: Path, begun: int | None, waits: str, notes: Sequence[str]
) -> WrittenLeague:
    entries = len(made.league.entries)
    return WrittenLeague(str(file), made.league.id.hex(), entries, begun, waits, notes)


def _look(
    home: Home,
    action: str,
    file: Path,
    others: Sequence[Path],
    page: Page,
    as_json: bool,
) -> None:
    """Show the table, or what was checked."""
    opened = direct.read(home, file)
    around = [file.parent / run.GAMES] if files.is_folder(file.parent / run.GAMES) else []
    verdict = verify.verify(opened.data, [*around, *others], compare=action == "verify")
    facts = report.facts_of(verdict)
    _write_page(page, facts, [*around, *others])
    say(as_json, facts, report.in_words(facts, is_check=action == "verify"))
    _tell_page(page)
    if action == "verify" and not facts.holds:
        raise AlreadyPrinted(INVALID)


def _write_page(page: Page, facts: LeagueFacts, places: Sequence[Path]) -> None:
    if page.html is not None:
        for problem in leagues.write_page(page.html, facts, places, films=page.films):
            warn(problem)


def _tell_page(page: Page) -> None:
    if page.html is not None:
        warn(f"{files.printable(page.html)} is the page")


def _run(home: Home, folder: Path, page: Page, day: Day, as_json: bool) -> None:
    done = run.run(home, folder, sends=day.send, fetches=day.fetch)
    league = done.opened.league
    if page.html is not None:
        places = run.places(folder)[-1:]
        verdict = verify.verify(done.opened.data, places, compare=False)
        _write_page(page, report.facts_of(verdict), places)
    if day.quiet and done.is_quiet():
        return
    facts = RunFacts(
        str(done.file),
        league.id.hex(),
        len(league.entries),
        done.joined,
        [game.number for game in done.results],
        done.began or None,
        done.ended,
        done.waits,
        done.written,
        done.sent,
        done.without_mail,
        done.overdue,
        done.notes,
    )
    say(as_json, facts, _run_in_words(facts, league))
    _tell_page(page)
    if done.notes and not as_json:
        warn("each of these is told again while it lasts")


def _run_in_words(facts: RunFacts, league: League) -> str:
    lines = [f"{name} plays" for name in facts.joined]
    for number in facts.results:
        game = league.games[number - 1]
        first, second = league.player(game.first).name, league.player(game.second).name
        lines.append(f"game {number}, {first} - {second}: {'-'.join(report.MARKS[game.result])}")
    if facts.round:
        lines.append(f"round {facts.round} has begun")
    if league.ended:
        lines.append("the league has ended")
    elif facts.waits:
        lines.append(f"no round begins: {facts.waits}")
    if facts.written:
        out = files.printable(Path(facts.file).parent / run.OUT)
        sends = "" if facts.sent else ": send them as they are, or run this with --send"
        lines.append(f"{counted(len(facts.written), 'new mail')} in {out}{sends}")
    if facts.sent:
        lines.append(f"{counted(len(facts.sent), 'mail')} sent")
    if facts.without_mail:
        lines.append(f"without an address: {', '.join(facts.without_mail)}")
    file = files.printable(Path(facts.file))
    lines += [one.in_words(file) for one in facts.overdue]
    return "\n".join([*lines, *facts.notes]) or "nothing new"


COMMANDS = {"league": CommandEntry(league)}
