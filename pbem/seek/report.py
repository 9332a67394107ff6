"""What is told of seeks: facts for programs, and words for players. Whatever strangers wrote is
shown without what a terminal would obey."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from pbem.english import aged, counted, listed
from pbem.errors import PbemError
from pbem.fileformat.encoding import b64, fingerprint
from pbem.games import registry
from pbem.home.contacts import Contacts, Met
from pbem.home.home import Home
from pbem.home.identity import Identity
from pbem.report.render import plain
from pbem.seek import claims
from pbem.seek.answer import seats_left
from pbem.seek.board import (
    AHEAD,
    CROWDED,
    DAMAGED,
    EXPIRED,
    FORGED,
    IGNORED,
    OF_ONE_ADDRESS,
    OF_ONE_KEY,
    OTHER_GAMES,
    OWN,
    TAKEN,
    Board,
    Found,
)
from pbem.seek.kept import KeptSeeks, is_open, own_seeks
from pbem.seek.seek_file import Seek


@dataclass(frozen=True)
class SeekFacts:
    """A seek that counts, as its author says it: see docs/format.md, section 24. `seek` is its
    digest in hexadecimal, `seats` those that whoever answers may take, `where` the file it was
    found in; `results` counts the games that are named by a digest, `held` those of them that are
    so by files of the reader's own, `wrong` those that are not. `fits` says whether it can be
    answered here, and `why_not` why not. Of the key it tells how many games were played with it
    (`played`), the days on which it was met and compared (null: never), and what is wrong with the
    name (`doubt`; empty: nothing). `answered` is the game with which it was answered (null: it was
    not)."""

    seek: str
    where: str
    game: str
    rules: int
    options: Sequence[str]
    seat: str | None
    seats: Sequence[str]
    clock: str | None
    leave_days: int | None
    weekly: int | None
    languages: Sequence[str]
    date: str
    until: str
    name: str
    mail: str | None
    page: str | None
    chat: str | None
    key: str
    fingerprint: str
    finished: int
    results: int
    held: int
    wrong: int
    message: str
    fits: bool
    why_not: str
    played: int
    met: str | None
    compared: str | None
    doubt: str
    answered: str | None


@dataclass(frozen=True)
class BoardFacts:
    """The seeks of the places that were looked at, those that fit first; how many `more` there are
    than are listed; how many were left out, by the reason (`pbem.seek.board`); and what could not
    be read."""

    seeks: Sequence[SeekFacts]
    more: int
    left_out: Mapping[str, int]
    problems: Sequence[str]


@dataclass(frozen=True)
class OwnSeek:
    """A seek that the player wrote: whether it goes on (`open`), is `taken` or `expired`."""

    seek: str
    game: str
    options: Sequence[str]
    until: str
    state: str


@dataclass(frozen=True)
class OwnSeeks:
    """The seeks that the player wrote, the newest first."""

    own: Sequence[OwnSeek]


@dataclass(frozen=True)
class WrittenSeekFacts:
    """A seek, or the end of one, that was written: its file, the text for a message, the mail, its
    digest in hexadecimal, and when it ends."""

    file: str
    text: str
    mail: str
    seek: str
    game: str
    until: str


@dataclass(frozen=True)
class ListFacts:
    """A list of seeks that was written: its file, how many it holds (`listed`), how many were left
    out, by the reason, and what could not be read."""

    list: str
    listed: int
    left_out: Mapping[str, int]
    problems: Sequence[str]


def list_in_words(facts: ListFacts) -> str:
    """What came of writing a list, as lines of text."""
    lines = [f"{facts.list}: {counted(facts.listed, 'seek')}"]
    return "\n".join([*lines, *filter(None, [left_out(facts.left_out)]), *facts.problems])


def board_facts(
    board: Board, home: Home, own: Identity | None, answered: Mapping[str, str]
) -> BoardFacts:
    """The facts of a board for the player of a home; `own` is who they are, if that is at hand, and
    `answered` the seeks that they answered (`KeptSeeks`)."""
    contacts = Contacts(home)
    seeks = [
        _facts(one, contacts, own, answered, claims.check(home, one.seek)) for one in board.seeks
    ]
    return BoardFacts(seeks, board.more, board.left_out, board.problems)


def _facts(
    found: Found,
    contacts: Contacts,
    own: Identity | None,
    answered: Mapping[str, str],
    checked: claims.CheckedClaims,
) -> SeekFacts:
    seek, wish, digest = found.seek, found.seek.wish, found.seek.digest.hex()
    mine = contacts.known.get(seek.key)
    doubts = contacts.doubts([Met(wish.name, wish.mail, seek.key)], own)
    return SeekFacts(
        seek=digest,
        where=found.where,
        game=wish.game,
        rules=wish.rules,
        options=wish.options,
        seat=wish.seat or None,
        seats=_seats(seek),
        clock=wish.clock or None,
        leave_days=wish.leave_days or None,
        weekly=wish.weekly or None,
        languages=wish.languages,
        date=seek.date,
        until=wish.until,
        name=wish.name,
        mail=wish.mail or None,
        page=wish.page or None,
        chat=wish.chat or None,
        key=b64(seek.key),
        fingerprint=fingerprint(seek.key),
        finished=wish.finished,
        results=len(wish.results),
        held=checked.held,
        wrong=checked.wrong,
        message=wish.message,
        fits=not found.why_not,
        why_not=found.why_not,
        played=0 if mine is None else len(mine.games),
        met=None if mine is None else mine.met or None,
        compared=None if mine is None else mine.compared or None,
        doubt=str(doubts[0]) if doubts else "",
        answered=answered.get(digest),
    )


def _seats(seek: Seek) -> Sequence[str]:
    try:
        return seats_left(seek.wish)
    except PbemError:
        return ()


def own_facts(known: KeptSeeks, now: str) -> OwnSeeks:
    """The player's own seeks at this moment."""
    return OwnSeeks([_own(one, known, now) for one in own_seeks(known)])


def _own(seek: Seek, known: KeptSeeks, now: str) -> OwnSeek:
    ended = "taken" if seek.digest.hex() in known.ended else "expired"
    state = "open" if is_open(seek, known, now) else ended
    return OwnSeek(seek.digest.hex(), seek.wish.game, seek.wish.options, seek.wish.until, state)


def own_in_words(facts: OwnSeeks) -> str:
    """The player's own seeks as lines of text."""
    if not facts.own:
        return "You have written no seek yet: pbem seek GAME writes one (pbem help seek)."
    return "\n".join(
        ", ".join(
            [
                f"{one.seek[:8]}  {registry.title_or_name(one.game)}",
                *(o.replace(" ", "=") for o in one.options),
            ]
        )
        + f", until {one.until[:10]}: {one.state}"
        for one in facts.own
    )


def in_words(facts: BoardFacts, now: str, again: str) -> str:
    """A board as lines of text, with how the first is answered that fits; `again` is what is typed
    to see the board once more."""
    lines = [line for one in facts.seeks for line in [*_lines(one, now), ""]]
    if facts.more:
        lines += [f"And {counted(facts.more, 'seek')} more: --game GAME lists fewer.", ""]
    if not facts.seeks:
        lines = ["Nobody seeks anything here that counts now.", ""]
    first = next((one for one in facts.seeks if one.fits and not one.answered), None)
    if first is not None:
        lines += [f"To invite {plain(first.name)}: {again} --answer {first.seek[:8]}", ""]
    lines += filter(None, [left_out(facts.left_out)])
    lines += facts.problems
    return "\n".join(lines).rstrip("\n")


def terms(one: SeekFacts) -> list[str]:
    """What a seek asks for besides its game, in a few words each."""
    said = [
        *(text.replace(" ", "=") for text in one.options),
        f"they play {one.seat}" if one.seat else "either seat",
        f"clock {one.clock}" if one.clock else "",
        f"about {counted(one.weekly, 'turn')} a week" if one.weekly else "",
        *one.languages,
    ]
    return [text for text in said if text]


def standing(one: SeekFacts, now: str) -> str:
    """How a seek stands, and what is known of its author."""
    age = aged(datetime.fromisoformat(now) - _moment(one.date))
    played = f"you played {counted(one.played, 'game')}" if one.played else "you never played"
    compared = f", key compared on {one.compared}" if one.compared else ""
    claim = f"; they say that they finished {counted(one.finished, 'game')}" if one.finished else ""
    claim += f", {one.held} of them in your own files" if one.held else ""
    claim += (
        f"; of {counted(one.wrong, 'game')} that is not so by your own files" if one.wrong else ""
    )
    return f"{age}, until {one.until[:10]}; {played}{compared}{claim}"


def _lines(one: SeekFacts, now: str) -> list[str]:
    reached = ", ".join(plain(text) for text in (one.mail, one.page, one.chat) if text)
    lines = [
        f"{one.seek[:8]}  {', '.join([registry.title_or_name(one.game), *terms(one)])}",
        f"  {plain(one.name)}, {reached}",
        f"  {standing(one, now)}",
        f"  fingerprint {one.fingerprint}",
    ]
    lines += [f"  “{plain(one.message)}”"] if one.message else []
    lines += [f"  {plain(one.doubt)}"] if one.doubt else []
    lines += [f"  does not fit: {plain(one.why_not)}"] if one.why_not else []
    lines += [f"  you answered it with {one.answered}"] if one.answered else []
    return lines


def _moment(date: str) -> datetime:
    """A date of a seek; the 31st of February is no day, and such a seek is as old as its month."""
    try:
        return datetime.fromisoformat(date)
    except ValueError:
        return datetime.fromisoformat(f"{max(date[:8], '0001-01-')}01T00:00:00Z")


_WHY = {
    EXPIRED: "ended",
    AHEAD: "dated ahead of your clock",
    TAKEN: "taken",
    FORGED: "with a signature that does not hold",
    DAMAGED: "damaged",
    OWN: "your own",
    IGNORED: "of somebody you ignore",
    OTHER_GAMES: "of other games",
    CROWDED: f"too many of one key or address ({OF_ONE_KEY} of a key, {OF_ONE_ADDRESS} of an"
    " address are listed)",
}


def left_out(counts: Mapping[str, int]) -> str:
    """How many seeks are not listed, and why; empty if all are."""
    if not any(counts.values()):
        return ""
    return f"Left out: {listed(f'{count} {_WHY[why]}' for why, count in counts.items() if count)}."
