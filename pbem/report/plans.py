"""What is told of plans that players seal and open (docs/format.md, section 23)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.flow import Seat
from pbem.english import counted, listed
from pbem.ledger.ledger import Ledger


@dataclass(frozen=True)
class PlanFacts:
    """What an entry does with a plan of its seat: it is `sealed`, `opened`, or `read` at the end
    since nothing had opened it. `number` counts the plans of the seat from 1, `sealed_in` is the
    entry that sealed it, `group` the word with which plans open together ("": it opens alone).
    `text` is null while nobody else may read it, and empty where what was sealed is no text."""

    what: str
    number: int
    sealed_in: int
    group: str
    text: str | None = None


@dataclass(frozen=True)
class OwnPlan:
    """A plan of the viewer that only they can read yet. `waits_for` are the seats that have sealed
    nothing with its word yet."""

    number: int
    sealed_in: int
    group: str
    text: str
    waits_for: Sequence[str] = ()


@dataclass(frozen=True)
class PlanCounts:
    """How many plans a game's players have sealed, how many of them their authors opened, and how
    many were read at the end since nothing had opened them. What is left is closed to everybody
    else, and nobody can say whether it is a text."""

    sealed: int
    opened: int
    read: int

    def in_words(self) -> str:
        """What `verify` says of them, where there are any."""
        closed = self.sealed - self.opened - self.read
        parts = [
            f"{self.opened} opened by who sealed them" if self.opened else "",
            f"{self.read} read at the end" if self.read else "",
        ]
        open_now = listed([part for part in parts if part])
        checked = f"{open_now}, as they were sealed" if open_now else ""
        left = f"{closed} closed" if closed else ""
        said = "; ".join(part for part in (checked, left) if part)
        return f"{counted(self.sealed, 'plan')} sealed: {said}."


def count(game: Ledger) -> PlanCounts | None:
    """The plans of a game; None where nobody has sealed one."""
    found = game.plans.all
    if not found:
        return None
    opened = sum(plan.opened is not None for plan in found)
    read = sum(plan.opened is None and plan.by_root is not None for plan in found)
    return PlanCounts(len(found), opened, read)


def of_entry(game: Ledger, number: int) -> list[PlanFacts]:
    """What an entry does with plans: first what it opens."""
    found: dict[str, list[PlanFacts]] = {"opened": [], "read": [], "sealed": []}
    for plan in game.plans.all:
        facts = (plan.number, plan.entry, plan.group)
        if plan.opened == number:
            found["opened"].append(PlanFacts("opened", *facts, plan.text))
        elif plan.opened is None and plan.by_root == number:
            found["read"].append(PlanFacts("read", *facts, plan.text))
        if plan.entry == number:
            found["sealed"].append(PlanFacts("sealed", *facts))
    return [facts for listed in found.values() for facts in listed]


def own_plans(game: Ledger, seat: Seat, root: bytes) -> list[OwnPlan]:
    """The closed plans of a seat, for its player, who has the root."""
    return [
        OwnPlan(
            plan.number,
            plan.entry,
            plan.group,
            text,
            [game.seats[one] for one in game.plans.missing(plan.group, game.deciding())]
            if plan.group
            else [],
        )
        for plan, text in game.plans.read_own(seat, root)
    ]
