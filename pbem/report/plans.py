"""What is told of plans that players seal and open (docs/format.md, section 23)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.flow import Seat
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
