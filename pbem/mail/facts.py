"""What the templates of a mail tell: the public report, whom the mail addresses, and what that
reader may answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.flow import Ask, Seat
from pbem import __version__
from pbem.home.game_index import short_name
from pbem.ledger.gate import Seen
from pbem.ledger.ledger import Ledger
from pbem.report.facts import passes_on, report
from pbem.report.lines import GameData
from pbem.report.model import PlayerFacts, Report


@dataclass(frozen=True, kw_only=True)
class MailFacts:
    """What the templates of a mail tell: the public `report`, who writes to whom, and what the mail
    carries. `passes_on` gives the file to the next player while somebody is to join; `has_hand`:
    cards of a hand may allow more than `choices`.

    `armor` is empty where the turn is too long for the text and None in a preview, `image` None
    where there is no picture, and `clipped` says that the HTML part tells less than the text.
    `words` are those of a reminder. `short` is the game's short name; `invites` says that the mail
    goes to whoever is to join, and not to those who know the game; `program` is where the inviter
    has pbem from, of this `version`; `page` is where the turn can be played in a browser, and
    `link` that address with the turn (empty: it does not fit)."""

    report: Report
    author: PlayerFacts
    reader: PlayerFacts | None
    message: str
    choices: Sequence[str]
    has_hand: bool
    passes_on: PlayerFacts | None
    armor: str | None
    file: str
    image: str | None
    short: str
    version: str
    invites: bool = False
    program: str = ""
    page: str = ""
    link: str = ""
    clipped: bool = False
    words: str = ""


def facts_of(game: Ledger, seen: Seen) -> tuple[MailFacts, GameData | None]:
    """What the templates tell, and the position at the reader's last turn."""
    author = game.seat_of(game.entries[-1])
    reader = _reader(game, author, seen)
    since, before = (len(game.entries) - 2, None) if reader is None else seen[reader]
    public = report(game, None, game.public_faces(), min(since + 1, len(game.entries) - 1))
    if public.over and public.view:  # whoever's turn it was when a player resigned
        public = replace(public, view={**public.view, "active": None})
    passer = passes_on(game)
    facts = MailFacts(
        report=public,
        author=public.players[author],
        reader=None if reader is None else public.players[reader],
        message=game.entries[-1].text("message"),
        choices=choices(game),
        has_hand=_has_hand(game),
        passes_on=None if passer is None else public.players[passer],
        armor="",
        file="",
        image=None,
        short=short_name(game),
        version=__version__,
        invites=passer == author,
    )
    return facts, before


def _reader(game: Ledger, author: Seat, seen: Seen) -> Seat | None:
    """Whom the mail addresses first: who writes next, else whoever of the others wrote last."""
    turn = game.to_act()
    if turn is not None and turn != author and turn in seen:
        return turn
    others = [(number, seat) for seat, (number, _) in seen.items() if seat != author]
    return max(others)[1] if others else None


def _has_hand(game: Ledger) -> bool:
    ask = _question(game)
    return ask is not None and bool(ask.hand)


def choices(game: Ledger) -> list[str]:
    """What everybody can see that the seat whose turn it is may answer; cards of its hand come on
    top of that."""
    ask = _question(game) if not game.is_over() else None
    return [] if ask is None else [game.rules.words(option) for option in ask.options]


def _question(game: Ledger) -> Ask | None:
    """What the rules ask a player."""
    request = None if game.playing is None else game.playing.referee.turn.request
    return request if isinstance(request, Ask) else None
