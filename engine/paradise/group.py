"""An Island Group or atoll as the player has reported it, and Samoa's pieces on it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class IslandGroup:
    """One Island Group or atoll: constants that were reported once, and Samoa's pieces. A distance of 0 is unknown."""

    boxes: int = 0
    green: int = 0
    from_tonga: int = 0
    from_samoa: int = 0
    villages: int = 0
    warriors: int = 0
    war_canoes: int = 0
    canoe: bool = False
    linked: bool = False
    """Whether the network of Transport Canoes joins it to the home group, as far as reported (without a map)."""

    def is_samoan(self) -> bool:
        """Whether any piece of Samoa's is there (paradise ruling 23)."""
        return bool(self.villages or self.warriors or self.war_canoes or self.canoe)

    def is_atoll(self) -> bool:
        return self.boxes == 0

    def empty(self) -> int:
        """Boxes without a village."""
        return self.boxes - self.villages

    def clear(self) -> None:
        """Samoa has nothing there any more."""
        self.villages = self.warriors = self.war_canoes = 0
        self.canoe = self.linked = False
