"""Positions and rows of answers as short digests, by which games are compared (docs/library.md)."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from functools import lru_cache

from engine.cards import Deck
from engine.flow import Answer, Ask
from engine.rules import Rules
from pbem.fileformat.encoding import framed
from pbem.games.descriptor import FOREIGN
from pbem.ledger.ledger import Ledger
from pbem.ledger.referee import Referee

SIZE = 16
"""Bytes of a digest."""
HIDDEN = "…"
"""Stands in a move for a card that stays hidden."""


def digest_of(referee: Referee, ask: Ask) -> bytes:
    """The position as everybody sees it, with the question: the same for two positions that differ
    only in the numbers on the backs of cards."""
    return _digest(b"position", referee.rules.name, _shown(referee), f"{ask.seat} {ask.rule}")


def _shown(referee: Referee) -> str:
    """The public view in one spelling. Where a plug-in has none that can be spelled, its line for
    digests: its games hold all the same."""
    try:
        view = referee.game.view(None, referee.faces())
        text = json.dumps(
            view, ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=str
        )
    except FOREIGN:
        return referee.game.position()
    return _backs(referee.decks).sub('"?"', text)


@lru_cache(maxsize=16)
def _backs(decks: Sequence[Deck]) -> re.Pattern[str]:
    """Every back of these decks as it stands in JSON."""
    letters = "".join(sorted({deck.letter for deck in decks}))
    return re.compile(f'"[{letters}][1-9][0-9]{{0,2}}"') if letters else re.compile(r"(?!)")


def now(game: Ledger) -> bytes | None:
    """The digest of the position at the end of a game, by which `positions` is searched; None where
    nobody is asked."""
    playing = game.playing
    if playing is None or playing.is_over() or not isinstance(playing.referee.turn.request, Ask):
        return None
    return digest_of(playing.referee, playing.referee.turn.request)


def start(game: str) -> bytes:
    """The line of a game before its first answer."""
    return _digest(b"line", game)


def further(line: bytes, move: str) -> bytes:
    """The line after one more move."""
    return hashlib.sha256(line + move.encode()).digest()[:SIZE]


def line_of(game: str, moves: Sequence[str]) -> bytes:
    """The line of a game after these moves."""
    line = start(game)
    for move in moves:
        line = further(line, move)
    return line


def move_of(rules: Rules, answer: Answer) -> str:
    """An answer without the backs of cards: the same words in every game in which it is given."""
    return rules.words(answer.option).replace("{}", HIDDEN)


def _digest(*parts: bytes | str) -> bytes:
    spelled = [
        part.encode(errors="surrogatepass") if isinstance(part, str) else part for part in parts
    ]
    return hashlib.sha256(framed(b"pbem library", *spelled)).digest()[:SIZE]
