"""Writes a seek of one's own: the signed file, the text for a mail or a message, and what ends it
(docs/format.md, section 24)."""

from __future__ import annotations

import secrets as random_source
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.message import EmailMessage
from pathlib import Path

from pbem import PAGE_ADDRESS, PROGRAM_ADDRESS, files
from pbem.errors import Do, Malformed, PbemError, Refused, Typed, Usage
from pbem.fileformat import armor
from pbem.fileformat.link import seek_link
from pbem.games import registry
from pbem.home import clock
from pbem.home.game_index import game_folders
from pbem.home.home import Home
from pbem.home.identity import Identity
from pbem.mail import settings
from pbem.mail.heads import draft
from pbem.report import render
from pbem.seek import kept
from pbem.seek.answer import seats_left
from pbem.seek.seek_file import MOST_RESULTS, Result, Seek, Wish, write_seek, write_taken
from pbem.turn.extras import clock_fields
from pbem.turn.signing import signer

LONGEST_DAYS = 30
USUAL_DAYS = 14


@dataclass(frozen=True)
class Wanted:
    """What a player looks for, as they say it: see `Wish`. `days` is how long the seek goes on;
    `hides_mail` leaves their mail address out, and `claims` names the games that they have
    finished."""

    game: str
    options: Mapping[str, int]
    seat: str = ""
    clock: str = ""
    leave: int = 0
    weekly: int = 0
    languages: Sequence[str] = ()
    days: int = USUAL_DAYS
    page: str = ""
    chat: str = ""
    message: str = ""
    hides_mail: bool = False
    claims: bool = False


@dataclass(frozen=True)
class WrittenSeek:
    """The files of a seek, or of what ends it: itself, the text for a list or a chat, and a mail
    with both; and the seek."""

    file: Path
    text: Path
    mail: Path
    seek: Seek


def seek(home: Home, wanted: Wanted, folder: Path) -> WrittenSeek:
    """Sign a seek, keep it in the home and write its files. Raises `Usage` or `Refused`."""
    person = signer(home)
    date = clock.now()
    rules = registry.newest(wanted.game)
    chosen = registry.chosen_settings(rules, wanted.options)
    terms = clock_fields(wanted.clock, wanted.leave)
    mail = "" if wanted.hides_mail else person.mail
    if not (mail or wanted.page or wanted.chat):
        raise Usage(
            "a seek says how you are reached, and you have given no address",
            hint=(
                Do("id", "--mail ann@example.org", when="a mail address"),
                Typed('or --page https://example.org/ann, or --chat "ann in the club\'s chat"'),
            ),
        )
    if not 1 <= wanted.days <= LONGEST_DAYS:
        raise Usage(f"a seek goes on for 1 to {LONGEST_DAYS} days", hint=Typed("--days 14"))
    finished = _finished(home, person) if wanted.claims else []
    wish = Wish(
        wanted.game,
        rules.version,
        person.name,
        _days_later(date, wanted.days),
        tuple(registry.write_settings(rules, chosen)),
        wanted.seat,
        str(terms.get("clock", "")),
        wanted.leave,
        wanted.weekly,
        tuple(one.lower() for one in wanted.languages),
        mail,
        settings.check_address(wanted.page) if wanted.page else "",
        wanted.chat,
        len(finished),
        tuple(finished[:MOST_RESULTS]),
        wanted.message,
    )
    seats_left(wish)
    try:
        made = write_seek(wish, date, random_source.token_bytes(32), person.public, person.sign)
    except Malformed as error:
        raise Usage(error.what, hint=Do("seek", "--help")) from error
    stem = f"seek-{made.short}"
    page = settings.read(home).web or home.page or PAGE_ADDRESS
    words = {**_words(made), "file": f"{stem}.toml", "link": page and seek_link(page, made.data)}
    text = render.render("seek.txt.j2", words, _own(home))
    title = f"{person.name} looks for somebody to play {registry.title(wish.game)} with"
    written = _write(folder, stem, made, made.data, text, draft(person, None, title, text, date))
    kept.note_own(home, made)
    return written


def end(home: Home, made: Seek, folder: Path) -> WrittenSeek:
    """Sign that a seek of one's own is taken. Raises `Usage` or `Refused`."""
    person = signer(home)
    if made.key != person.public:
        raise Refused("this seek is of another key than yours")
    taken = write_taken(made, clock.now(), person.sign)
    text = render.render("taken.txt.j2", {**_words(made), "armor": armor.wrap_seek(taken.data)})
    title = f"{person.name} has found somebody to play {registry.title(made.wish.game)} with"
    mail = draft(person, None, title, text, taken.date)
    written = _write(folder, f"taken-{made.short}", made, taken.data, text, mail)
    kept.note_ended(home, made, taken)
    return written


def _days_later(date: str, days: int) -> str:
    return clock.in_words(datetime.fromisoformat(date) + timedelta(days=days))


def _finished(home: Home, person: Identity) -> list[Result]:
    """The games of this home that its player has finished with somebody, the newest first."""
    found: list[tuple[str, Result]] = []
    for folder in game_folders(home):
        with suppress(PbemError):  # a damaged game claims nothing
            game = home.checks.newest_in(folder)
            if game is None:
                continue
            keys = [player.key for player in game.players if player is not None]
            if game.is_over() and game.invitation.is_witnessed() and person.public in keys:
                newest = game.entries[-1]
                found.append((newest.date, Result(game.game_id, newest.digest)))
    return [result for _, result in sorted(found, key=lambda one: one[0], reverse=True)]


def _words(made: Seek) -> dict[str, object]:
    """What the templates of a seek are given."""
    return {
        "wish": made.wish,
        "title": registry.title(made.wish.game),
        "short": made.short,
        "armor": armor.wrap_seek(made.data),
        "program": PROGRAM_ADDRESS,
    }


def _own(home: Home) -> Path:
    return home.folder / "templates"


def _write(
    folder: Path, stem: str, made: Seek, data: bytes, text: str, mail: EmailMessage
) -> WrittenSeek:
    mail.add_attachment(data, "application", "octet-stream", filename=f"{stem}.toml")
    mail.set_boundary(f"=_pbem_{made.digest.hex()[:24]}")
    file, words, letter = (folder / f"{stem}.{kind}" for kind in ("toml", "txt", "eml"))
    files.write_new(file, data)
    files.write_new(words, text.encode())
    files.write_new(letter, mail.as_bytes())
    return WrittenSeek(file, words, letter, made)
