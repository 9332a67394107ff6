"""The board of The Shores of Tripoli on the stage: harbors and zones on the map, years and gold
above it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.tripoli.pieces import KEYS, NAMES
from engine.tripoli.tables import FIRST_YEAR, GOLD_TO_WIN, SINKINGS_TO_WIN
from pbem.games.stage import Align, Point, StageBoard, StageItem, StagePiece, StagePlace, StageTray
from pbem.games.tripoli.chart import SIDE_PIECES, Shape, View, pieces, side_facts
from pbem.games.tripoli.chart_map import SPOTS, WIDTH

_PANELS: Mapping[str, tuple[Point, Align]] = {
    "Gibraltar": ((140, 196), "bottom"),
    "Tangier": ((140, 320), "top"),
    "Algiers": ((345, 322), "top"),
    "Tunis": ((468, 314), "top"),
    "Malta": ((636, 228), "middle"),
    "Tripoli": ((484, 426), "top"),
    "Benghazi": ((648, 510), "top"),
    "Derne": ((790, 404), "top"),
    "Alexandria": ((838, 540), "top"),
    "Gibraltar Patrol Zone": ((222, 262), "middle"),
    "Tangier Patrol Zone": ((46, 262), "middle"),
    "Algiers Patrol Zone": ((352, 150), "middle"),
    "Tunis Patrol Zone": ((492, 150), "middle"),
    "Tripoli Patrol Zone": ((618, 350), "middle"),
}
"""Where the panel of each place is held, and by which of its edges, so that it grows away from the
coast."""

_WORDS = dict(zip(KEYS, NAMES, strict=True))
_WHOLE = (-20.0, 70.0, WIDTH + 30.0, 560.0)
"""The part of the map where the game is."""


def board(view: View, before: View | None, lines: Iterable[View]) -> StageBoard:
    """The position of a view; `before` is the one at the reader's last turn, `lines` the story
    since."""
    old = None if before is None else before["board"]
    ways = dict.fromkeys(
        (line["from"], line["to"])
        for line in lines
        if line["kind"] == "moved" and line["from"] in SPOTS and line["to"] in SPOTS
    )
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
            StageItem(
                "Gold", str(view["gold"]), of=GOLD_TO_WIN, change=_change(view, before, "gold")
            ),
            StageItem(
                "Frigates sunk",
                str(view["us_frigates_sunk"]),
                short="Sunk",
                of=SINKINGS_TO_WIN,
                change=_change(view, before, "us_frigates_sunk"),
            ),
        ],
        trays=[_tray(side_facts(view, *side), side[0]) for side in SIDE_PIECES],
        ways=list(ways),
    )


def _place(name: str, now: View, old: View | None) -> StagePlace:
    spot, (at, align) = SPOTS[name], _PANELS[name]
    return StagePlace(
        name,
        spot.label.removesuffix(" zone"),
        at,
        look="zone" if spot.harbor is None else "pin",
        align=align,
        harbor=spot.harbor,
        pieces=_groups(name, now, old),
    )


def _groups(name: str, now: View, old: View | None) -> list[StagePiece]:
    found = pieces(now.get(name, {}), None if old is None else old.get(name, {}))
    return [
        StagePiece(one["kind"], one["count"], _WORDS[one["kind"]], change=one["change"])
        for one in found
    ]


def _year(year: str, view: View, old: View | None) -> StageItem:
    """A space of the track, with the pieces that are due then."""
    return StageItem(
        year,
        short=f"’{year[2:]}",
        name=year,
        pieces=_groups(year, view["board"], old),
        minor=int(year) < view["year"],
    )


def _change(view: View, before: View | None, key: str) -> int:
    return 0 if before is None else int(view[key] - before[key])


def _tray(side: Shape, seat: str) -> StageTray:
    """A side's cards, and what is left in its Supply."""
    left = [
        StagePiece(
            one["kind"],
            one["count"],
            _WORDS[one["kind"]],
            seat,
            text=f"{one['count']} {one['words']}",
        )
        for one in side["supply"]
    ]
    return StageTray(
        side["name"],
        [
            *(StageItem(line) for line in side["card_lines"]),
            StageItem("In the Supply", pieces=left),
        ],
    )
