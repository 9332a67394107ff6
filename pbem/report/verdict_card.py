"""The card of a verdict: what was judged, who signed it and how it ended, from the file alone.

`pbem verify`, the table and the page that checks a game (templates/replay/card.js) show the same
card in the words of one table, templates/replay/card.json. What a home knows besides stands in no
card.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from engine.flow import Roll, Seat
from pbem import __version__
from pbem.english import listed
from pbem.fileformat.characters import is_disguised, skeleton
from pbem.fileformat.encoding import fingerprint
from pbem.files import shipped
from pbem.games import registry
from pbem.ledger.game_end import RESIGNED
from pbem.ledger.ledger import Ledger
from pbem.ledger.series import in_points, tally

LONGEST = 30
"""Characters of a name in the result, where more of them could pass for a sentence."""


@dataclass(frozen=True)
class CardSeat:
    """A seat with the name that its player claims, and the fingerprint of their key (null: it has
    no key). `signed` is their newest turn: they signed everything up to it. `strange` are the
    letters by which a name only looks as if written in ASCII, `alike` the other seats with a name
    of the same look."""

    seat: str
    name: str | None
    fingerprint: str | None
    signed: int | None
    strange: Sequence[str]
    alike: Sequence[str]


@dataclass(frozen=True)
class CardEnding:
    """Who won, and with which turn the game ended: `by` the "rules", because `seat` "resigned", or
    as "agreed". `how` it ended in the words of the rules; null where the players ended it."""

    winners: Sequence[str]
    turn: int
    by: str
    seat: str | None
    how: str | None


@dataclass(frozen=True)
class CardSeries:
    """The game's place in a series: its terms, its number, the id of the first game (null: it is
    that one), the seat of whoever invites to all of them, and, as entry 0 says, the half points
    before it of the inviter and of the other player (null: it says nothing of them)."""

    terms: str
    number: int
    first: str | None
    inviter: str
    halves: Sequence[int] | None


@dataclass(frozen=True)
class VerdictCard:
    """What was judged. `options` as the invitation lists them; `sha256` is of the bytes that were
    verified, `file_sha256` of the file where it has others (line ends of a mail, armor, a mail
    around the turn) and null where it has not. `verifier` is the program, `rules_from` the package
    of the rules, null where the program knows none of the game."""

    game: str
    rules: int
    game_id: str
    options: Sequence[str]
    seats: Sequence[CardSeat]
    sha256: str
    file_sha256: str | None
    series: CardSeries | None
    turns: int
    rolls: int
    draws: int
    openings: int
    ending: CardEnding | None
    verifier: str
    rules_from: str | None


def card(game: Ledger, file: bytes | None = None) -> VerdictCard:
    """The card of a game that holds; `file` are the bytes of the file as it lies there, armor and
    all."""
    first, sha256 = game.entries[0], game.entries[-1].after.hex()
    outer = None if file is None else hashlib.sha256(file).hexdigest()
    tally = counted(game)
    return VerdictCard(
        game=game.rules.name,
        rules=game.rules.version,
        game_id=game.game_id.hex(),
        options=first.list("options"),
        seats=[_seat(game, seat) for seat in range(len(game.seats))],
        sha256=sha256,
        file_sha256=None if outer == sha256 else outer,
        series=_series(game),
        turns=len(game.entries),
        rolls=tally["rolls"],
        draws=tally["draws"],
        openings=tally["openings"],
        ending=_ending(game),
        verifier=f"pbem {__version__}",
        rules_from=str(registry.distribution(game.rules.name)) if game.rules.keeps_rules else None,
    )


def counted(game: Ledger) -> dict[str, int]:
    """How many rolls, draws and opened cards were checked."""
    if game.playing is None:
        return {"rolls": 0, "draws": 0, "openings": 0}
    referee = game.playing.referee
    made = [use for use in referee.chance_uses if use.result is not None]
    rolls = sum(1 for use in made if type(use.request) is Roll)
    draws = len(made) - rolls + len(referee.common.drawers if referee.common else ())
    return {"rolls": rolls, "draws": draws, "openings": referee.opened.count}


def _seat(game: Ledger, seat: Seat) -> CardSeat:
    name, player = game.seats[seat], game.players[seat]
    if player is None:
        return CardSeat(name, None, None, None, [], [])
    others = [other for other in game.players if other is not None and other.seat != seat]
    alike = [
        game.seats[other.seat] for other in others if skeleton(other.name) == skeleton(player.name)
    ]
    strange = [f"U+{ord(letter):04X}" for letter in player.name if not letter.isascii()]
    strange = list(dict.fromkeys(strange)) if is_disguised(player.name) else []
    signed = max(entry.number for entry in game.entries if entry.seat == name)
    return CardSeat(name, player.name, fingerprint(player.key), signed, strange, alike)


def _series(game: Ledger) -> CardSeries | None:
    place = game.invitation.series
    if place is None:
        return None
    return CardSeries(
        str(place.terms),
        place.number,
        place.first.hex() or None,
        game.seats[game.invitation.host],
        None if place.terms.at_once else tally([one.result for one in place.earlier]),
    )


def _ending(game: Ledger) -> CardEnding | None:
    playing = game.playing
    if playing is None or playing.outcome is None or playing.ended is None:
        return None
    outcome, winners = playing.outcome, [game.seats[seat] for seat in playing.outcome.winners]
    if outcome is playing.referee.outcome:
        return CardEnding(winners, playing.ended, "rules", None, outcome.how)
    gone = next((seat for seat in game.seats if outcome.how == RESIGNED.format(seat)), None)
    return CardEnding(winners, playing.ended, "agreed" if gone is None else "resigned", gone, None)


# In words


@lru_cache(maxsize=1)
def words() -> Mapping[str, Any]:
    """The words of the card, which the page reads too."""
    table: Mapping[str, Any] = json.loads(
        (shipped() / "replay" / "card.json").read_text(encoding="utf-8")
    )
    return table


def rows(one: VerdictCard) -> list[tuple[str, str]]:
    """The card in words: a label and what stands behind it, row by row. Whatever a player has
    written is quoted."""
    say, label = words(), words()["labels"]
    found = [
        (label["checked"], listed(counts(one))),
        (label["game"], say["game"].format(game=one.game, rules=one.rules)),
        (label["id"], one.game_id),
        (label["options"], ", ".join(one.options) or say["no_options"]),
    ]
    for seat in one.seats:
        found += _seat_rows(seat)
    sha256 = say["exact" if one.file_sha256 is None else "others"].format(sha256=one.sha256)
    found.append((label["sha256"], sha256))
    if one.file_sha256 is not None:
        found.append((label["file"], one.file_sha256))
    if one.series is not None:
        found.append((label["series"], _series_in_words(one, one.series)))
    found.append((label["result"], result_in_words(one)))
    found.append((label["persons"], say["persons"]))
    by = say["verifier" if one.rules_from else "players_rules"]
    return [*found, (label["verifier"], by.format(verifier=one.verifier, rules=one.rules_from))]


def _series_in_words(one: VerdictCard, series: CardSeries) -> str:
    """Which game of a series it is, and the standing before it as the file says it."""
    say = words()
    if series.number == 1 or series.halves is None:
        return str(say["in_series"].format(number=series.number, terms=series.terms))
    own, others = map(in_points, series.halves)
    return str(
        say["in_series_later"].format(
            number=series.number,
            terms=series.terms,
            who=who(one, series.inviter),
            points=own,
            others=others,
        )
    )


def counts(one: VerdictCard) -> list[str]:
    """How many turns, rolls, draws and opened cards were checked, in words."""
    number = {name: getattr(one, name) for name in ("turns", "rolls", "draws", "openings")}
    return [
        words()[name][count != 1].format(count=count) for name, count in number.items() if count
    ]


def _seat_rows(one: CardSeat) -> list[tuple[str, str]]:
    """Digits stand before the name: one that is written from right to left would carry along those
    behind it."""
    say, label = words(), words()["labels"]
    if one.name is None:
        return [(one.seat, say["no_key"])]
    found = [(one.seat, say["seat"].format(turn=one.signed, name=escaped(one.name)))]
    found.append((label["key"].format(seat=one.seat), str(one.fingerprint)))
    if one.strange:
        found.append(
            (label["names"], say["strange"].format(seat=one.seat, letters=", ".join(one.strange)))
        )
    if one.alike:
        found.append((label["names"], say["alike"].format(seats=listed([one.seat, *one.alike]))))
    return found


def escaped(name: str) -> str:
    """A name as it stands between quotation marks: with none of its own that could end them."""
    return name.replace("\\", "\\\\").replace('"', '\\"')


def who(one: VerdictCard, seat: str) -> str:
    """A seat, and what its player calls themself, cut where it is long enough to be a sentence."""
    name = next((other.name for other in one.seats if other.seat == seat), None)
    if name is None:
        return seat
    short = name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
    said: str = words()["who"].format(seat=seat, name=escaped(short))
    return said


def result_in_words(one: VerdictCard) -> str:
    """Who won, and how."""
    say, end = words(), one.ending
    if end is None:
        return str(say["open"])
    winners = listed(who(one, seat) for seat in end.winners)
    what = say["won"].format(who=winners) if winners else say["nobody"]
    resigned = "" if end.seat is None else who(one, end.seat)
    return str(say[end.by].format(what=what, how=end.how, who=resigned, turn=end.turn))
