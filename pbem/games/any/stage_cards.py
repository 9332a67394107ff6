"""The cards on the table of a game whose rules are its players' own: each player's decks, what was
played, and what was put away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from pbem.english import capital, counted
from pbem.games.any.card_faces import FACES, mark_of
from pbem.games.stage import Colour, StageItem, StagePiece, StagePlace, StageTray, View

TABLE = "table"
"""The place of the cards that were played."""
_MOST = 12
"""Cards of one deck that lie side by side on the table: the newest."""
_PILES = {16: "any-pile4", 2: "any-pile2", 0: "any-back"}
"""How a pile is drawn that has so many cards or more."""


def title_of(deck: View, called: Mapping[str, str]) -> str:
    """What a deck is called: `Ann's strategy`; one of all by its name alone."""
    name, seat = in_words(deck["name"]), deck["seat"]
    return capital(name) if seat is None else f"{called[seat]}'s {name}"


def in_words(name: str) -> str:
    """A name of a setup as it is read."""
    return name.replace("-", " ")


def place(
    deck: View,
    before: View | None,
    called: Mapping[str, str],
    colour: Colour,
    viewer: str | None = None,
) -> StagePlace:
    """A deck: how many cards can be drawn, and are in the hands, in the discard and out of the
    game. `before` is the same deck at the reader's last turn, `called` what the seats are called.
    Its place has the deck's own name where the reader draws from it."""
    old = deck if before is None else before

    def pile(kind: str, now: int, was: int, words: str, label: str) -> StagePiece:
        said = f"{'card' if now == 1 else 'cards'} {words}"
        return StagePiece(
            f"{kind}-{colour or 'brown'}",
            1,
            said,
            text=str(now),
            label=label,
            change=now - was,
            colour=colour,
        )

    thick = next(kind for least, kind in _PILES.items() if deck["pile"] >= least)
    pieces = [pile(thick, deck["pile"], old["pile"], "to draw", "draw")]
    if deck["top"]:
        pieces.append(pile("any-back", len(deck["top"]), len(old["top"]), "on top", "on top"))
    if deck["under"]:
        pieces.append(pile("any-back", deck["under"], old["under"], "under it", "under"))
    for seat, hand in deck["hands"].items():
        words, label = ("the", "hand") if deck["seat"] else (f"{called[seat]}'s", called[seat])
        was = len(old["hands"][seat])
        pieces.append(pile("any-hand", len(hand), was, f"in {words} hand", label))
    for area, words, label in (
        ("discard", "in the discard", "discard"),
        ("out", "out of the game", "out"),
    ):
        if deck[area]:
            pieces.append(pile("any-discard", len(deck[area]), len(old[area]), words, label))
    is_own = deck["seat"] in (None, viewer)
    return StagePlace(
        deck["name"] if is_own else f"{deck['name']} of {deck['seat']}",
        title_of(deck, called),
        look="cards",
        pieces=pieces,
        colour=colour,
        marked=any(piece.change for piece in pieces),
    )


def table(
    decks: Sequence[View], before: Sequence[View] | None, colours: Mapping[str | None, Colour]
) -> StagePlace:
    """The cards that were played, and those that lie on the table as soon as they are drawn."""
    pieces = [
        piece
        for deck, old in zip(decks, before or decks, strict=True)
        for piece in _played(deck["table"], old["table"], colours[deck["seat"]])
    ]
    note = "" if pieces else "no card"
    return StagePlace(
        TABLE,
        "On the table",
        look="cards",
        pieces=pieces,
        note=note,
        marked=any(piece.change for piece in pieces),
    )


def _played(table: Sequence[str], before: Sequence[str], colour: Colour) -> Iterator[StagePiece]:
    """The newest cards on the table, equal ones together."""
    old, now = Counter(before), Counter(table)
    for name in list(dict.fromkeys(reversed(table)))[:_MOST]:
        words = f"{now[name]} × {name}" if now[name] > 1 else name
        yield StagePiece(
            f"any-face-{mark_of(name, colour or 'brown')}",
            1,
            f"{words} on the table",
            label="" if words == FACES[name].value else words,
            value=FACES[name].value,
            is_single=True,
            change=now[name] - old[name],
            colour=colour,
        )


def tray(decks: Sequence[View], called: Mapping[str, str]) -> StageTray | None:
    """What lies in each discard, out of the game, on the table where it is much, and on a deck, for
    the reader who has looked at it."""
    items = [
        StageItem(f"{title_of(deck, called)}, {words}", _listed(deck[area]))
        for deck in decks
        for area, words in (
            ("top", "on top, the first first"),
            ("table", "on the table"),
            ("discard", "discard"),
            ("out", "out of the game"),
        )
        if _is_listed(area, deck[area])
    ]
    return StageTray("Cards that lie elsewhere", items) if items else None


def _is_listed(area: str, cards: Sequence[str | None]) -> bool:
    """Whether the cards of an area stand in the tray: what lies on a deck for who has seen it."""
    if area == "top":
        return any(card is not None for card in cards)
    return bool(cards) and (area != "table" or len(set(cards)) > _MOST)


def _listed(cards: Sequence[str | None]) -> str:
    """The cards by name, and how many lie face down."""
    named = [card for card in cards if card is not None]
    hidden = len(cards) - len(named)
    return ", ".join([*named, *([f"{counted(hidden, 'card')} face down"] if hidden else [])])
