"""The board of The Shores of Tripoli on the stage: harbors and zones on the map, years and gold
above it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from engine.tripoli.pieces import KEYS, NAMES
from engine.tripoli.tables import FIRST_YEAR, GOLD_TO_WIN, SINKINGS_TO_WIN
from pbem.english import counted
from pbem.games.stage import (
    Align,
    Colour,
    Point,
    StageBoard,
    StageItem,
    StagePiece,
    StagePlace,
    StageTray,
    StageWay,
)
from pbem.games.tripoli.chart import SIDE_PIECES, Shape, View, pieces, side_facts
from pbem.games.tripoli.chart_map import SPOTS, WIDTH
from pbem.games.tripoli.fights import thrown
from pbem.games.tripoli.sea_lanes import lane

_PANELS: Mapping[str, tuple[Point, Align, Colour]] = {
    "Gibraltar": ((140, 262), "bottom", "blue"),
    "Tangier": ((140, 320), "top", "yellow"),
    "Algiers": ((345, 322), "top", "yellow"),
    "Tunis": ((468, 314), "top", "yellow"),
    "Malta": ((636, 262), "left", "blue"),
    "Tripoli": ((484, 426), "top", "red"),
    "Benghazi": ((648, 510), "top", "red"),
    "Derne": ((790, 404), "left", "red"),
    "Alexandria": ((838, 540), "top", "blue"),
    "Gibraltar Patrol Zone": ((266, 192), "middle", ""),
    "Tangier Patrol Zone": ((58, 268), "middle", ""),
    "Algiers Patrol Zone": ((368, 138), "middle", ""),
    "Tunis Patrol Zone": ((500, 160), "middle", ""),
    "Tripoli Patrol Zone": ((668, 320), "middle", ""),
}
"""About where the panel of each place stands, by which of its edges it is held at its harbor, so
that it grows away from the sea road off it, and whose place it is: America's, Tripolitania's or an
ally's of theirs."""

_WORDS = dict(zip(KEYS, NAMES, strict=True))
_COLOURS: Mapping[str, Colour] = {
    **dict.fromkeys(("us_frigates", "us_gunboats", "marines", "arab_infantry"), "blue"),
    "swedish_frigates": "cyan",
    **dict.fromkeys(("tr_frigates", "tr_corsairs", "tr_infantry"), "red"),
    "allied_corsairs": "yellow",
}
_PLATES: Sequence[tuple[str, str, Colour, StageItem]] = (
    ("american", "America", "blue", StageItem("sunk", "us_frigates_sunk", of=SINKINGS_TO_WIN)),
    ("tripolitan", "Tripolitania", "red", StageItem("gold", "gold", of=GOLD_TO_WIN)),
)
"""Of each side what it is called, its colour, and what it loses or wins by, with its key of a
view."""
_ON_FOOT = {_WORDS[kind] for kind in ("marines", "arab_infantry", "tr_infantry")}
_WHOLE = (-20.0, 70.0, WIDTH + 30.0, 560.0)
"""The part of the map where the game is."""


def board(view: View, before: View | None, lines: Iterable[View]) -> StageBoard:
    """The position of a view; `before` is the one at the reader's last turn, `lines` the story
    since."""
    old = None if before is None else before["board"]
    return StageBoard(
        whole=_WHOLE,
        places=[_place(name, view["board"], old) for name in SPOTS],
        strip=[
            StageItem(
                f"{view['season'].capitalize()} {view['year']}",
                short=f"{view['season'][:3].capitalize()} {view['year'] % 100:02}",
                is_now=True,
            ),
            *(_year(str(FIRST_YEAR + number), view, old) for number in range(6)),
            *(_plate(view, before, *plate) for plate in _PLATES),
        ],
        trays=[_tray(side_facts(view, *side), side[0]) for side in SIDE_PIECES],
        ways=[*_ways(lines)],
        turns=True,
        thrown=thrown(view),
    )


def _ways(lines: Iterable[View]) -> Iterator[StageWay]:
    """Which way how many pieces went, those of all kinds together; ships go by sea."""
    counts: Counter[tuple[str, str, bool]] = Counter()
    for line in lines:
        if line["kind"] == "moved" and line["from"] in SPOTS and line["to"] in SPOTS:
            counts[line["from"], line["to"], line["piece"] in _ON_FOOT] += line["count"]
    for (source, target, by_land), count in counts.items():
        yield StageWay(source, target, count, () if by_land else lane(source, target))


def _place(name: str, now: View, old: View | None) -> StagePlace:
    spot, (at, align, colour) = SPOTS[name], _PANELS[name]
    return StagePlace(
        name,
        spot.label,
        at,
        look="zone" if spot.harbor is None else "pin",
        align=align,
        harbor=spot.harbor,
        colour=colour,
        pieces=_groups(name, now, old),
    )


def _groups(name: str, now: View, old: View | None) -> list[StagePiece]:
    found = pieces(now.get(name, {}), None if old is None else old.get(name, {}))
    return [_piece(one["kind"], one["count"], change=one["change"]) for one in found]


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


def _plate(
    view: View, before: View | None, seat: str, side: str, colour: Colour, won_by: StageItem
) -> StageItem:
    """What a side has to go by: its cards, and what the game is decided by."""
    waits, cards, name = view.get("waiting"), view[seat], view.get("called", {}).get(seat, "")
    hand = [] if _has_lines(view, seat) else [StageItem("hand", str(cards["hand_count"]))]
    return StageItem(
        side if name in ("", seat) else f"{side} · {name}",
        short=side,
        is_now=seat == (waits["seat"] if waits else view["active"]),
        player=True,
        side=colour,
        facts=[
            *hand,
            StageItem("pile", str(cards["draw"])),
            replace(
                won_by, value=str(view[won_by.value]), change=_change(view, before, won_by.value)
            ),
        ],
    )


def _has_lines(view: View, seat: str) -> bool:
    """Whether this is the bot of the solitaire game, which has lines of cards and no hand."""
    return seat == "tripolitan" and "event_line" in view


def _change(view: View, before: View | None, key: str) -> int:
    return 0 if before is None else int(view[key] - before[key])


def _tray(side: Shape, seat: str) -> StageTray:
    """A side's cards, and what is left in its Supply."""
    left = [
        _piece(one["kind"], one["count"], seat, text=_left(one["kind"], one["count"]))
        for one in side["supply"]
    ]
    return StageTray(
        side["name"],
        [
            *(StageItem(line) for line in side["card_lines"]),
            *(
                StageItem(label, ", ".join(names), unpictured=True)
                for label, names in side["named"]
                if names
            ),
            StageItem("In the Supply", pieces=left),
        ],
    )


def _left(kind: str, count: int) -> str:
    """So many pieces of a side; whose they are is said above them."""
    word = _WORDS[kind].removeprefix("American ").removeprefix("Tripolitan ")
    return counted(count, word, word if word.endswith("infantry") else "")
