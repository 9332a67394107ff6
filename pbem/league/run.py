"""The day of a league's director in one look at its folder: what came is taken in, what is due is
signed, mails are written, and sent if asked to (docs/league.md).

Nothing is kept but files whose names say what they are: so a run that was killed is gone on with by
the next one, and what has failed is told each time while it lasts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pbem import files
from pbem.errors import Do, PbemError, Refused, Usage
from pbem.fileformat.turnfile import MAX_MESSAGE
from pbem.home import clock
from pbem.home.home import Home
from pbem.league import direct, gate, intake, mailbox, mails
from pbem.league.intake import LeagueIntake
from pbem.league.league import League, LeagueGame, OpenLeague
from pbem.league.league_file import MAX_FILE, START
from pbem.league.overdue import OverdueGame, overdue
from pbem.lock import Lock
from pbem.mail import settings, transport
from pbem.mail.heads import address
from pbem.mail.transport import Way

IN, GAMES, OUT, SENT = "in", "games", "out", "sent"
"""Folders in that of a league: what came, the newest file of each game, mails that are to be sent,
and those that were."""

_MAIL = re.compile(r"[0-9]{4}-([0-9]{3})\.eml\Z")
"""Named by the entry that a mail tells of and by the player whom it is to."""


@dataclass
class LeagueDay:
    """What one look has done: who joined, the games with a new result, the round that began (0:
    none) or whether the league ended, why no round began, the mails that were written and those
    that were sent, games in which a clock has run out and whether that is new, and what the
    director should look at."""

    opened: OpenLeague
    file: Path
    joined: Sequence[str] = ()
    results: Sequence[LeagueGame] = ()
    began: int = 0
    ended: bool = False
    waits: str = ""
    written: list[str] = field(default_factory=list)
    sent: list[str] = field(default_factory=list)
    without_mail: list[str] = field(default_factory=list)
    overdue: list[OverdueGame] = field(default_factory=list)
    is_newly_overdue: bool = False
    notes: list[str] = field(default_factory=list)

    def is_quiet(self) -> bool:
        """Whether nothing happened, and nothing is to be looked at."""
        return not (
            self.joined
            or self.results
            or self.began
            or self.ended
            or self.written
            or self.sent
            or self.is_newly_overdue
            or self.notes
        )


def run(home: Home, folder: Path, *, sends: bool = False, fetches: bool = False) -> LeagueDay:
    """Do all that is due for the league in a folder; `fetches`: what lies in the mail account is
    taken out first. Raises `Usage`, `Refused`, `Conflict` or kinds
    of `Invalid` where nothing can be done."""
    file = find_file(folder)  # before anything is written there
    lock = Lock(folder / ".league.lock")
    if not lock.take():
        raise Refused("another run of this league is at work", hint="wait until it has ended")
    try:
        return _run(home, folder, file, sends=sends, fetches=fetches)
    finally:
        lock.release()


def _run(home: Home, folder: Path, file: Path, *, sends: bool, fetches: bool) -> LeagueDay:
    notes = list[str]()
    opened = direct.read(home, file)
    if not direct.directs(home, opened.league):
        raise Refused("you do not direct this league", hint="its director runs it")
    if fetches:
        try:
            mailbox.take(settings.fetch_server(home), folder / IN)
        except PbemError as error:
            notes.append(f"no mail was fetched: {error}")
    opened, came = intake.take_in_newest(home, opened, places(folder))
    done = LeagueDay(opened, file, notes=[*notes, *came.notes])
    news = came.news
    done.joined = [join.name for join in news.players]
    done.waits = intake.add_round(opened.data, news, by_itself=True, now=clock.now())
    if news:
        opened = done.opened = direct.sign(home, opened, news)
        if news.pairs is not None:
            done.began = len(opened.league.rounds)
        done.ended, done.waits = news.ends, "" if news.ends else done.waits
        done.results = [opened.league.games[one.game - 1] for one in news.results]
    _write_league(file, opened.data)
    _made(folder / IN)
    _keep_games(folder, came)
    done.overdue = overdue(opened.league, came.checked, came.shelf.found, clock.now())
    _note_overdue(folder, done)
    _write_mails(home, folder, done)
    if sends:
        _send(home, folder, done)
    home.checks.keep()
    return done


def places(folder: Path) -> list[Path]:
    """Where things of a league may lie: its folder, what came, and the games."""
    below = [folder / IN, folder / GAMES]
    return [folder, *(one for one in below if files.is_folder(one))]


def find_file(folder: Path) -> Path:
    """The file of the one league in a folder. Raises `Usage` if there is none, or more than one."""
    found = []
    for path in files.listed(folder) if files.is_folder(folder) else ():
        if path.name.startswith("league-") and path.suffix == ".toml" and path.is_file():
            with path.open("rb") as file:
                head = file.read(len(START) + 20).replace(b"\r\n", b"\n")
                if head.startswith(START + b"\n\n[[entry"):
                    found.append(path)
    if len(found) != 1:
        what = f"{len(found)} leagues lie" if found else "no league lies"
        raise Usage(
            f"{what} in {files.printable(folder)}",
            hint=Do("league", "new", "GAME", "--dir FOLDER", does="gives one a folder of its own"),
        )
    return found[0]


def _write_league(file: Path, data: bytes) -> None:
    """Write the league's file anew; the home has it already, so nothing is lost in between."""
    if not files.holds(file, data):
        files.replace(file, data, mode=0o644)


def _keep_games(folder: Path, came: LeagueIntake) -> None:
    """Keep the newest file of each game, so that others can check the table with the folder; of one
    that goes on in two, both, and never one in place of the other."""
    kept, shelf = _made(folder / GAMES), came.shelf
    for number, one in (*shelf.found.items(), *shelf.versions.items()):
        stem = f"{number:04}-{one.game.game_id.hex()[:8]}"
        for path in (kept / f"{stem}.toml", kept / f"{stem}-other.toml"):
            there = files.read_own(path, MAX_MESSAGE) if path.exists() else b""
            if one.data.startswith(there) and one.data != there:
                files.replace(path, one.data, mode=0o644)
            if one.data.startswith(there) or there.startswith(one.data):
                break


def _note_overdue(folder: Path, done: LeagueDay) -> None:
    """Note which of these games the director was told of: a run that is to be quiet tells each
    once, until it has gone on."""
    for one in done.overdue:
        mark = _made(folder / SENT) / f"{one.game:04}-{one.entries:04}.overdue"
        if not mark.exists():
            files.replace(mark, b"", mode=0o644)
            done.is_newly_overdue = True


def _write_mails(home: Home, folder: Path, done: LeagueDay) -> None:
    """Write the mails about each entry that are not there yet."""
    out, sent = _made(folder / OUT), _made(folder / SENT)
    league, templates = done.opened.league, home.folder / "templates"
    there = {path.name for one in (out, sent) for path in files.listed(one)}
    for number in range(1, len(league.entries)):
        if f"{number:04}.done" in there:
            continue
        data = done.opened.data[: league.entries[number].end]
        then = gate.read(data)
        for player, mail in mails.mails(then, number, data, home.identity(), templates):
            name = f"{number:04}-{player.number:03}.eml"
            if not mail:
                done.without_mail.append(player.name)
            elif name not in there:
                files.replace(out / name, mail, mode=0o644)
                done.written.append(name)
        files.replace(sent / f"{number:04}.done", b"", mode=0o644)


def _send(home: Home, folder: Path, done: LeagueDay) -> None:
    """Send the mails that lie ready; what fails stays, and is tried and told again next time."""
    waiting = [path for path in files.listed(folder / OUT) if path.suffix == ".eml"]
    if not waiting:
        return
    try:
        way = transport.way_of(settings.read(home))
    except PbemError as error:
        done.notes.append(f"no mail was sent: {error}")
        return
    for path in waiting:
        _send_one(way, path, folder / SENT, done)


def _send_one(way: Way, path: Path, sent: Path, done: LeagueDay) -> None:
    """Send a mail to the player whom its file names, and to nobody else: the folder may be shared
    with people who put joins into it."""
    try:
        letter = transport.letter_of(files.read_bytes(path, MAX_FILE * 2), automatic=True)
        if [*letter.to] != _addresses(done.opened.league, path.name):
            raise Refused("it is none to a player of this league", hint="look who put it there")
        refused = way.send(letter)
    except PbemError as error:  # perhaps it arrived: then it comes once more, with the same id
        done.notes.append(f"{path.name} was not sent: {error}")
        return
    done.sent.append(path.name)
    done.notes += [f"{one} was refused: {why}" for one, why in refused.items()]
    files.move(path, sent / path.name)


def _addresses(league: League, name: str) -> list[str]:
    """Whom the mail in a file of this name is to; nobody if it is none of this league."""
    match = _MAIL.match(name)
    players = [one for one in league.players if match and one.number == int(match[1])]
    found = [address(one.name, one.mail) for one in players]
    return [one.addr_spec for one in found if one is not None]


def _made(folder: Path) -> Path:
    files.make_folder(folder)
    return folder
