"""The table's page for whoever looks for somebody to play with: seeks of others, looked up in a
place and answered by a button, and seeks of one's own (docs/seek.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from pbem.english import counted
from pbem.errors import Invalid, PbemError, Refused, Usage
from pbem.games import registry
from pbem.home import clock
from pbem.home.home import Home
from pbem.home.known_names import identity_at_hand
from pbem.seek import answer, board, kept, report, write
from pbem.seek.find_seeks import Piece, seeks_in
from pbem.seek.report import OwnSeek, SeekFacts
from pbem.seek.seek_file import Seek, read
from pbem.table.home_page import in_words, introduce, is_newcomer, is_unnamed, number_in
from pbem.table.shelf import GameOffer, offers


class SeekRow(NamedTuple):
    """A seek as the page lists it: its facts and those in words, and the bytes of it as text, which
    its button brings back."""

    facts: SeekFacts
    title: str
    terms: Sequence[str]
    standing: str
    text: str


class OwnRow(NamedTuple):
    """A seek of the player's own."""

    facts: OwnSeek
    title: str


class Written(NamedTuple):
    """What was written just now: the file, and the text for a mail or a message; `is_end`: it ends
    a seek."""

    file: str
    text: str
    is_end: bool


@dataclass(frozen=True)
class FindPage:
    """What the page shows. `place` is where it looked (empty: at what was taken in here), and
    `rows` the seeks there (None: none has been taken in yet), with how many `more` there are, what
    was left out, in words, and what could not be read. `own` are the player's own seeks, `games`
    those that can be sought, and `written` is what was written just now."""

    place: str
    rows: Sequence[SeekRow] | None
    more: int
    left_out: str
    problems: Sequence[str]
    own: Sequence[OwnRow]
    games: Sequence[GameOffer]
    asks_name: bool
    mail: str
    entered: Mapping[str, str]
    refusal: str
    written: Written | None


_NOTHING = board.Board((), 0, {}, ())


def page(
    home: Home,
    place: str = "",
    *,
    entered: Mapping[str, str] | None = None,
    refusal: PbemError | None = None,
    written: Written | None = None,
) -> FindPage:
    """The page, with the seeks of a place; of none the one that was looked at last is named."""
    own, known, now = identity_at_hand(home), kept.kept(home), clock.now()
    rows, seen = None, _NOTHING
    if place or known.found:
        try:
            pieces = _in_place(place) if place else _taken_in(known)
            seen = board.look_over(pieces, board.reader_of(home), now)
            facts = report.board_facts(seen, home, own, known.answered)
            rows = [
                _row(one, found.seek, now)
                for one, found in zip(facts.seeks, seen.seeks, strict=True)
            ]
            if place:
                kept.note_place(home, place)
        except PbemError as error:
            refusal = refusal or error
    mine = report.own_facts(known, now).own
    return FindPage(
        place or known.place,
        rows,
        seen.more,
        report.left_out(seen.left_out),
        seen.problems,
        [OwnRow(one, registry.title_or_name(one.game)) for one in mine],
        [one for one in offers() if len(one.seats) == 2],
        is_newcomer(home) or is_unnamed(home),
        "" if own is None else own.mail,
        entered or {},
        "" if refusal is None else in_words(refusal),
        written,
    )


def _in_place(place: str) -> Iterator[Piece]:
    """The seeks in a folder, a file, a link or a list on the web. Raises `NoPlace` or `Refused`."""
    from pbem.seek import places  # asks servers, for which a page in a browser has nothing

    return places.look(Path(place))


def _taken_in(known: kept.KeptSeeks) -> Iterator[Piece]:
    """What was taken in; the ends come with the seeks."""
    return (Piece("what was taken in", text.encode()) for text in known.found)


def take_in(home: Home, data: bytes) -> str:
    """Keep the seeks in a file, mail or text; how many there were, in words, empty for none."""
    count = kept.note_found(home, seeks_in(data))
    return f"{counted(count, 'seek')} taken in: they stand under “Find somebody”" if count else ""


def _row(facts: SeekFacts, seek: Seek, now: str) -> SeekRow:
    words = registry.title_or_name(facts.game), report.terms(facts), report.standing(facts, now)
    return SeekRow(facts, *words, seek.data.decode())


def answered(home: Home, form: Mapping[str, str]) -> tuple[Seek, Callable[[], bytes]]:
    """The seek of a form's button, and what signs the invitation that answers it. Raises
    `Refused` or `Usage`."""
    try:
        seek = read(form.get("seek", "").replace("\r\n", "\n").encode())
    except Invalid as error:
        raise Refused("this seek does not hold", hint="look at the place once more") from error
    if not isinstance(seek, Seek):
        raise Usage("this is no seek")
    before = kept.kept(home).answered.get(seek.digest.hex())
    if before:
        raise Refused(f"you have answered this seek with {before}")
    introduce(home, form)
    return seek, lambda: answer.invitation(home, seek, form.get("seat", ""), clock.now())


def sought(home: Home, form: Mapping[str, str], folder: Path) -> Written:
    """Write the seek that a form asks for. Raises `Usage` or `Refused`."""
    introduce(home, form)
    days = number_in(form.get("days", "")) or 0
    game = form.get("game", "")
    registry.descriptor(game)
    wanted = write.Wanted(
        game,
        {},
        languages=form.get("languages", "").replace(",", " ").split(),
        days=days,
        weekly=number_in(form.get("weekly", "")) or 0,
        chat=form.get("chat", "").strip(),
        message=form.get("message", "").replace("\r\n", "\n").strip(),
        hides_mail="hide_mail" in form,
    )
    made = write.seek(home, wanted, folder)
    return Written(str(made.file), made.text.read_text(encoding="utf-8"), is_end=False)


def ended(home: Home, form: Mapping[str, str], folder: Path) -> Written:
    """Write that a seek of the player's own is taken. Raises `Usage` or `Refused`."""
    made = write.end(home, kept.find_own(home, form.get("seek", "")), folder)
    return Written(str(made.file), made.text.read_text(encoding="utf-8"), is_end=True)
