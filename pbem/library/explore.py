"""`pbem explore`: which answers were given next, from the start of a game or from a position, and
how these games ended.

From the start, games are compared by their answers as canonical sentences, whatever dice and cards
came between them. A position is what everybody sees, with the question (docs/library.md).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.flow import Ambiguous, NotUnderstood
from engine.notation import known_words, unlisted
from engine.words import pick_sentence
from pbem.errors import PbemError, Refused, Usage
from pbem.games import registry
from pbem.library import extract
from pbem.library.asking import OpenLibrary


@dataclass(frozen=True)
class PlayedBy:
    """A player, and in how many games they did it."""

    key: str
    name: str
    games: int


@dataclass(frozen=True)
class NextMove:
    """An answer that was given at this place, by the player of `seat`, in how many `games`, and how
    these ended for that seat (`open`: not yet). In `move` a card that stays hidden is `…`.
    `players` are those who gave it, the most frequent first."""

    seat: str
    move: str
    games: int
    won: int
    drew: int
    lost: int
    open: int
    players: Sequence[PlayedBy]


@dataclass(frozen=True)
class EndingFacts:
    """How so many games ended: `ended` is `rules`, `resignation`, `draw`, `left` or null (not yet),
    `how` is the game's words for it."""

    ended: str | None
    how: str | None
    games: int


@dataclass(frozen=True)
class ExploreFacts:
    """What `pbem explore` reports: the answers that were given next in the games that reached this
    place, which is `after` some answers from the start, or the position of a `file`. `own`: only
    the games of the player who asks."""

    folder: str
    game: str
    file: str | None
    after: Sequence[str]
    own: bool
    games: int
    moves: Sequence[NextMove]
    endings: Sequence[EndingFacts]


@dataclass(frozen=True)
class GamePlace:
    """A place in games: after a line of answers from the start, or at a position; `column` says
    which of both its `digest` is."""

    column: str
    digest: bytes
    after: Sequence[str] = ()


def at_position(digest: bytes, after: Sequence[str] = ()) -> GamePlace:
    """A position; `after` are the answers that led to it from the position of a file."""
    return GamePlace("position", digest, after)


def from_start(library: OpenLibrary, game: str, answers: Sequence[str]) -> GamePlace:
    """The place after these answers from the start. Each is read as generously as `pbem play` reads
    it, and must be one of those that were given there. Raises `Refused` for one that nobody gave,
    or that may mean several."""
    line, after = extract.start(game), list[str]()
    for words in answers:
        found = library.rows(
            "SELECT DISTINCT r.move FROM position_rows r JOIN games g ON g.id = r.id WHERE r.line ="
            " ? AND g.game = ?",
            (line, game),
        )
        move = _pick_answer(game, words, sorted(row[0] for row in found), after)
        line, after = extract.further(line, move), [*after, move]
    return GamePlace("line", line, after)


def _pick_answer(game: str, words: str, answers: Sequence[str], after: Sequence[str]) -> str:
    """The one of the given answers that the player's words mean. Raises `Refused`."""
    where = f'after "{"; ".join(after)}"' if after else "at the start"
    try:
        return pick_sentence(words, answers)
    except Ambiguous as error:
        raise Refused(f"{where}: {error}", hint="say which of them") from error
    except NotUnderstood:
        pass
    if not answers:
        raise Refused(f"no game of this library goes on {where}", hint="leave out the last answers")
    if strange := _strange_words(game, words):
        raise Refused(f'{where}: "{strange[0][:40]}" is no word of this game', hint=_some(answers))
    raise Refused(
        f'{where} nobody of this library has answered "{words[:80]}"', hint=_some(answers)
    )


def _strange_words(game: str, words: str) -> list[str]:
    """Words that occur in no answer of this game; none if the game is not installed here."""
    try:
        rules = registry.newest(game)
    except PbemError:
        return []
    known = known_words(rules)
    return [
        word for word in unlisted(rules, words) if not any(one.startswith(word) for one in known)
    ]


_LISTED = 8


def _some(answers: Sequence[str]) -> str:
    """A hint with the first few answers."""
    examples = ", ".join(f'"{one}"' for one in answers[:_LISTED])
    more = f" or {len(answers) - _LISTED} more" if len(answers) > _LISTED else ""
    return f"given there: {examples}{more}"


@dataclass
class _Sum:
    """One answer counted: games, results for its seat, and games of each player."""

    games: int = 0
    results: Counter[str] = field(default_factory=Counter)
    players: Counter[str] = field(default_factory=Counter)


def explore(
    library: OpenLibrary,
    game: str,
    place: GamePlace,
    *,
    own: str | None = None,
    file: str | None = None,
) -> ExploreFacts:
    """The answers that were given next at a place; with `own`, a key, only in games in which it has
    a seat."""
    which = f"r.{place.column} = ? AND g.game = ?"
    values: list[object] = [place.digest, game]
    if own is not None:
        which += " AND r.id IN (SELECT id FROM player_rows WHERE key = ?)"
        values.append(own)
    sums: dict[tuple[str, str], _Sum] = {}

    for seat, move, result, key, games in library.stream(
        "SELECT r.seat, r.move, p.result, p.key, count(DISTINCT r.id) FROM position_rows r JOIN"
        " games g ON g.id = r.id JOIN player_rows p ON p.id = r.id AND p.seat = r.seat WHERE"
        f" {which} GROUP BY 1, 2, 3, 4",
        values,
    ):
        found = sums.setdefault((seat, move), _Sum())
        found.games += games
        found.results[result or "open"] += games
        if key is not None:
            found.players[key] += games
    endings = library.rows(
        "SELECT ended, how, count(*) FROM games WHERE id IN (SELECT r.id FROM position_rows r "
        f"JOIN games g ON g.id = r.id WHERE {which}) GROUP BY 1, 2 ORDER BY 3 DESC, 2",
        values,
    )
    names = library.names()
    moves = [_next(seat, move, found, names) for (seat, move), found in sums.items()]
    return ExploreFacts(
        folder=str(library.folder),
        game=game,
        file=file,
        after=place.after,
        own=own is not None,
        games=sum(games for _, _, games in endings),
        moves=sorted(moves, key=lambda one: (-one.games, one.seat, one.move)),
        endings=[EndingFacts(*row) for row in endings],
    )


def _next(seat: str, move: str, found: _Sum, names: dict[str, str]) -> NextMove:
    results = found.results
    players = [PlayedBy(key, names.get(key, ""), games) for key, games in found.players.items()]
    players.sort(key=lambda one: (-one.games, one.name, one.key))
    return NextMove(
        seat,
        move,
        found.games,
        results["won"],
        results["drew"],
        results["lost"],
        results["open"],
        players,
    )


def digest_of(game: Any) -> bytes:
    """The digest of the position at the end of a game. Raises `Usage` where nobody is asked
    anything."""
    found = extract.now(game)
    if found is None:
        what = (
            "is over"
            if game.is_over()
            else "waits for a player to join, for dice or for cards, and asks nobody"
        )
        raise Usage(
            f"the game of this file {what}",
            hint="explore it on your own turn, from another file of it, or from the start",
        )
    return found
