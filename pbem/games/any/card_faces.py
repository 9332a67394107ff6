"""What the cards of a setup look like: their number large, where they have one, and a mark: that of
their suit in a pack, else of the colour of whoever has them. What a card does stands on the one in
the players' box."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from pbem.games.faces import OF_HAND, CardFace

SUITS: Final = ("heart", "diamond", "spade", "club")


def is_numbered(name: str) -> bool:
    """Whether a card has a number, which stands on it: `37`, `fog-3`."""
    return name.rpartition("-")[2].isdigit()


def mark_of(name: str, colour: str) -> str:
    """The drawing on a card: `any-art-` and `any-lone-` of this, and `any-face-` of the whole
    card."""
    suit = name.partition("-")[0].removesuffix("s")
    return f"{'' if is_numbered(name) else 'lone-'}{suit if suit in SUITS else colour}"


class _OfEveryName(Mapping[str, CardFace]):
    """A face for every name, of which none is known before a setup names its cards."""

    def __getitem__(self, name: str) -> CardFace:
        title, _, number = name.rpartition("-")
        mark = mark_of(name, OF_HAND)
        picture = f"any-{mark}" if mark.startswith("lone-") else f"any-art-{mark}"
        if not is_numbered(name):
            return CardFace("grey", (picture,), title=name.replace("-", " "))
        return CardFace("grey", (picture,), number, title=title.replace("-", " "))

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


FACES: Final[Mapping[str, CardFace]] = _OfEveryName()
