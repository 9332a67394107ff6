"""What stands on the board of The Shores of Tripoli: the groups of a place, and what each side has
beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from engine.tripoli.pieces import KEYS as PIECE_KEYS
from engine.tripoli.pieces import LIMITS

View: TypeAlias = Mapping[str, Any]
Shape: TypeAlias = dict[str, Any]
Counts: TypeAlias = Mapping[str, int]


SIDE_PIECES = (
    (
        "american",
        "America",
        ("us_frigates", "us_gunboats", "marines", "arab_infantry", "swedish_frigates"),
    ),
    (
        "tripolitan",
        "Tripolitania",
        ("tr_frigates", "tr_corsairs", "tr_infantry", "allied_corsairs"),
    ),
)


def pieces(now: Counts, before: Counts | None) -> list[Shape]:
    """The groups of one place, with what came and went; a group that has left altogether stays as
    its outline."""
    kinds = [key for key in PIECE_KEYS if now.get(key) or (before is not None and before.get(key))]
    return [
        {
            "kind": key,
            "count": now.get(key, 0),
            "change": 0 if before is None else now.get(key, 0) - before.get(key, 0),
        }
        for key in kinds
    ]


def side_facts(view: View, seat: str, name: str, kinds: Sequence[str]) -> Shape:
    """A side's Supply and its cards."""
    out = {key: LIMITS[PIECE_KEYS.index(key)] for key in kinds}
    for there in view["board"].values():
        for key in kinds:
            out[key] -= there.get(key, 0)
    if "us_frigates" in out:
        out["us_frigates"] -= view["us_frigates_sunk"]
    supply = [{"kind": key, "count": count} for key, count in out.items()]
    return {
        "name": name,
        "card_lines": _card_lines(view, seat),
        "named": list(_named(view, seat)),
        "supply": supply,
    }


def _named(view: View, seat: str) -> Iterator[tuple[str, Sequence[str]]]:
    """The cards of a side that everybody can name, by where they lie."""
    cards = view[seat]
    if seat == "tripolitan" and "event_line" in view:
        yield "Event line", view["event_line"]
        yield "Battle line", view["battle_line"]
        return
    yield "Face up, for one use each", cards["core"]
    yield "Discard", cards["discard"]
    yield "Out of the game", cards["removed"]


def _card_lines(view: View, seat: str) -> list[str]:
    """How many cards a side has where its plate does not say it. The bot of the solitaire rules has
    two open lines of cards and no hand."""
    discarded = [f"discard {view[seat]['discard_count']}"]
    if seat == "tripolitan" and "event_line" in view:
        lines = f"event line {len(view['event_line'])} · battle line {len(view['battle_line'])}"
        return [lines, *discarded]
    return discarded
