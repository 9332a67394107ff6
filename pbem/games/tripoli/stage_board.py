"""The board of The Shores of Tripoli on the stage: harbors and zones on the map, years and gold
above it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from engine.tripoli.pieces import KEYS, LIMITS, NAMES
from engine.tripoli.tables import FIRST_YEAR, GOLD_TO_WIN, SINKINGS_TO_WIN
from pbem.english import counted
from pbem.games.stage import (
    Colour,
    StageBoard,
    StageItem,
    StagePiece,
    StagePlace,
    StageTray,
    StageWay,
    View,
)
from pbem.games.tripoli.fights import thrown
from pbem.games.tripoli.places import PLACES
from pbem.games.tripoli.sea_lanes import lane

_WORDS = dict(zip(KEYS, NAMES, strict=True))
_COLOURS: Mapping[str, Colour] = {
    **dict.fromkeys(("us_frigates", "us_gunboats", "marines", "arab_infantry"), "blue"),
    "swedish_frigates": "cyan",
    **dict.fromkeys(("tr_frigates", "tr_corsairs", "tr_infantry"), "red"),
    "allied_corsairs": "yellow",
}


class _Side(NamedTuple):
    """What a side is called, its colour, its pieces, and what it loses or wins by, with its key of
    a view."""

    seat: str
    name: str
    colour: Colour
    kinds: Sequence[str]
    won_by: StageItem


_SIDES = (
    _Side(
        "american",
        "America",
        "blue",
        ("us_frigates", "us_gunboats", "marines", "arab_infantry", "swedish_frigates"),
        StageItem("sunk", "us_frigates_sunk", of=SINKINGS_TO_WIN),
    ),
    _Side(
        "tripolitan",
        "Tripolitania",
        "red",
        ("tr_frigates", "tr_corsairs", "tr_infantry", "allied_corsairs"),
        StageItem("gold", "gold", of=GOLD_TO_WIN),
    ),
)
_ON_FOOT = {_WORDS[kind] for kind in ("marines", "arab_infantry", "tr_infantry")}
_WHOLE = (-20.0, 70.0, 930.0, 560.0)
"""The part of the map where the game is."""


def board(view: View, before: View | None, lines: Iterable[View]) -> StageBoard:
    """The position of a view; `before` is the one at the reader's last turn, `lines` the story
    since."""
    old = None if before is None else before["board"]
    return StageBoard(
        whole=_WHOLE,
        places=[_place(name, view["board"], old) for name in PLACES],
        strip=[
            StageItem(
                f"{view['season'].capitalize()} {view['year']}",
                short=f"{view['season'][:3].capitalize()} {view['year'] % 100:02}",
                is_now=True,
            ),
            *(_year(str(FIRST_YEAR + number), view, old) for number in range(6)),
            *(_plate(view, before, side) for side in _SIDES),
        ],
        trays=[_tray(view, side) for side in _SIDES],
        ways=[*_ways(lines)],
        turns=True,
        thrown=thrown(view),
    )


def _ways(lines: Iterable[View]) -> Iterator[StageWay]:
    """Which way how many pieces went, those of all kinds together; ships go by sea."""
    counts: Counter[tuple[str, str, bool]] = Counter()
    for line in lines:
        if line["kind"] == "moved" and line["from"] in PLACES and line["to"] in PLACES:
            counts[line["from"], line["to"], line["piece"] in _ON_FOOT] += line["count"]
    for (source, target, by_land), count in counts.items():
        yield StageWay(source, target, count, () if by_land else lane(source, target))


def _place(name: str, now: View, old: View | None) -> StagePlace:
    place = PLACES[name]
    return StagePlace(
        name,
        place.label,
        place.panel,
        look="zone" if place.harbor is None else "pin",
        align=place.align,
        anchor=place.harbor,
        colour=place.colour,
        pieces=_groups(name, now, old),
    )


def _groups(name: str, now: View, old: View | None) -> list[StagePiece]:
    """The pieces of a place; of a kind that has left altogether its outline stays."""
    there: Mapping[str, int] = now.get(name, {})
    was = there if old is None else old.get(name, {})
    return [
        _piece(kind, there.get(kind, 0), change=there.get(kind, 0) - was.get(kind, 0))
        for kind in KEYS
        if there.get(kind) or was.get(kind)
    ]


def _piece(kind: str, count: int, side: str = "", change: int = 0, text: str = "") -> StagePiece:
    words = _WORDS[kind]
    return StagePiece(
        kind,
        count,
        words,
        side,
        change,
        text,
        many=words if words.endswith("infantry") else "",
        colour=_COLOURS[kind],
    )


def _year(year: str, view: View, old: View | None) -> StageItem:
    """A space of the track, with the pieces that are due then."""
    return StageItem(
        year,
        short=f"’{year[2:]}",
        name=year,
        pieces=_groups(year, view["board"], old),
        minor=int(year) < view["year"],
    )


def _plate(view: View, before: View | None, side: _Side) -> StageItem:
    """What a side has to go by: its cards, and what the game is decided by."""
    waits, cards = view.get("waiting"), view[side.seat]
    name, key = view.get("called", {}).get(side.seat, ""), side.won_by.value
    hand = [] if _has_lines(view, side) else [StageItem("hand", str(cards["hand_count"]))]
    return StageItem(
        side.name if name in ("", side.seat) else f"{side.name} · {name}",
        short=side.name,
        is_now=side.seat == (waits["seat"] if waits else view["active"]),
        player=True,
        side=side.colour,
        facts=[
            *hand,
            StageItem("pile", str(cards["draw"])),
            replace(
                side.won_by,
                value=str(view[key]),
                change=0 if before is None else int(view[key] - before[key]),
            ),
        ],
    )


def _has_lines(view: View, side: _Side) -> bool:
    """Whether this is the bot of the solitaire game, which has two open lines of cards and no
    hand."""
    return side.seat == "tripolitan" and "event_line" in view


def _tray(view: View, side: _Side) -> StageTray:
    """A side's cards that its plate does not have, and what is left in its Supply."""
    cards, lines = view[side.seat], list[StageItem]()
    if _has_lines(view, side):
        events, battles = view["event_line"], view["battle_line"]
        lines = [StageItem(f"event line {len(events)} · battle line {len(battles)}")]
        named = {"Event line": events, "Battle line": battles}
    else:
        named = {
            "Face up, for one use each": cards["core"],
            "Discard": cards["discard"],
            "Out of the game": cards["removed"],
        }
    return StageTray(
        side.name,
        [
            *lines,
            StageItem(f"discard {cards['discard_count']}"),
            *(
                StageItem(label, ", ".join(names), unpictured=True)
                for label, names in named.items()
                if names
            ),
            StageItem("In the Supply", pieces=[_left(view, side, kind) for kind in side.kinds]),
        ],
    )


def _left(view: View, side: _Side, kind: str) -> StagePiece:
    """The pieces of a kind that are neither on the board nor sunk; whose they are is said above
    them."""
    left = LIMITS[KEYS.index(kind)] - sum(there.get(kind, 0) for there in view["board"].values())
    if kind == "us_frigates":
        left -= view["us_frigates_sunk"]
    word = _WORDS[kind].removeprefix("American ").removeprefix("Tripolitan ")
    words = counted(left, word, word if word.endswith("infantry") else "")
    return _piece(kind, left, side.seat, text=words)
