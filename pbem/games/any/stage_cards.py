"""The cards on the table of a game whose rules are its players' own: each player's decks, what was
played, and what was put away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from pbem.english import capital, counted
from pbem.games.stage import Colour, StageItem, StagePiece, StagePlace, StageTray, View

_MOST = 12
"""Cards of one deck that lie side by side on the table: the newest."""
_SHORT = 4
"""Letters of a name that stand on a card; a longer one stands below it."""


def title_of(deck: View, owner: str) -> str:
    """What a deck is called: `Ann's strategy`."""
    return f"{owner}'s {in_words(deck['name'])}"


def in_words(name: str) -> str:
    """A name of a setup as it is read."""
    return name.replace("-", " ")


def place(deck: View, before: View | None, owner: str, colour: Colour) -> StagePlace:
    """A deck: how many cards can be drawn, are in the hand and in the discard, and the cards that
    lie on the table. `before` is the same deck at the reader's last turn."""
    lists = ("hand", "discard", "out")
    old = {name: len(deck[name] if before is None else before[name]) for name in lists}
    drawn = deck["pile"] - (deck if before is None else before)["pile"]
    pieces = [
        _pile("any-back", deck["pile"], "to draw", "draw", drawn, colour),
        *(
            _pile(kind, len(deck[name]), words, label, len(deck[name]) - old[name], colour)
            for name, kind, words, label in (
                ("hand", "any-hand", "in the hand", "hand"),
                ("discard", "any-discard", "in the discard", "discard"),
                ("out", "any-discard", "out of the game", "out"),
            )
            if name == "hand" or deck[name]
        ),
        *_played(deck["table"], deck["table"] if before is None else before["table"], colour),
    ]
    return StagePlace(
        f"{deck['name']} of {deck['seat']}",
        title_of(deck, owner),
        look="cards",
        pieces=pieces,
        colour=colour,
        marked=any(piece.change for piece in pieces),
    )


def _pile(kind: str, count: int, where: str, label: str, change: int, colour: Colour) -> StagePiece:
    words = f"{'card' if count == 1 else 'cards'} {where}"
    return StagePiece(kind, 1, words, text=str(count), label=label, change=change, colour=colour)


def _played(table: Sequence[str], before: Sequence[str], colour: Colour) -> Iterator[StagePiece]:
    """The newest cards on the table, equal ones together."""
    old, now = Counter(before), Counter(table)
    for name in list(dict.fromkeys(reversed(table)))[:_MOST]:
        words = name + (f" {now[name]} times" if now[name] > 1 else "")
        is_short = len(words) <= _SHORT
        yield StagePiece(
            "any-face",
            1,
            "on the table" if is_short else f"{words} on the table",
            text=words if is_short else "",
            label="" if is_short else words,
            is_single=True,
            change=now[name] - old[name],
            colour=colour,
        )


def tray(decks: Sequence[View], owners: Mapping[str, str]) -> StageTray | None:
    """What lies in each discard, out of the game, and on the table where it is much."""
    items = [
        StageItem(f"{title_of(deck, owners[deck['seat']])}, {words}", _listed(deck[area]))
        for deck in decks
        for area, words in (
            ("table", "on the table"),
            ("discard", "discard"),
            ("out", "out of the game"),
        )
        if deck[area] and (area != "table" or len(set(deck[area])) > _MOST)
    ]
    return StageTray("Cards that were played", items) if items else None


def _listed(cards: Sequence[str | None]) -> str:
    """The cards by name, and how many lie face down."""
    named = [card for card in cards if card is not None]
    hidden = len(cards) - len(named)
    return capital(
        ", ".join([*named, *([f"{counted(hidden, 'card')} face down"] if hidden else [])])
    )
