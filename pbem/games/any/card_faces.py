"""What the cards of a setup look like: their number large, where they have one. What a card does
stands on the one in the players' box."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from pbem.games.faces import CardFace


class _OfEveryName(Mapping[str, CardFace]):
    """A face for every name, of which none is known before a setup names its cards."""

    def __getitem__(self, name: str) -> CardFace:
        number = name.rpartition("-")[2]
        return CardFace(value=number if number.isdigit() else "")

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


FACES: Final[Mapping[str, CardFace]] = _OfEveryName()
