"""The board of backgammon on the stage: points, bar and tray in the backdrop; score, pips and the
cube above it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from engine.backgammon.notation import point
from engine.backgammon.tables import BAR, OFF
from pbem.games.backgammon import board as drawn
from pbem.games.backgammon.arrows import newest_play, newest_throw
from pbem.games.backgammon.board import View
from pbem.games.backgammon.clicks import CUBE, DICE
from pbem.games.stage import (
    Point,
    StageBoard,
    StageItem,
    StagePiece,
    StagePlace,
    StageTray,
    StageWay,
)

_WHOLE = (10.0, 52.0, 880.0, 604.0)
_DICE_APART = 62
_LETTERS = 10
"""Letters of a name in the score, at most."""
_TRAY = 22
"""Units from a man in the tray to the next one."""
_BAR = 56
_ON_BAR = 3
"""Men of a player that lie side by side on the bar beside the cube."""


def board(view: View, before: View | None, lines: Iterable[View]) -> StageBoard:
    """The position of a view, as whoever is near sees it; the newest play of the story as ways."""
    facts, story = drawn.layout(view, before), list(lines)
    own, other = facts["sides"]
    return StageBoard(
        whole=_WHOLE,
        places=[
            *_points(facts),
            _bar(facts, own, other),
            _tray(own, other),
            *_cube(view, facts, own),
            *_dice(view, facts, story),
        ],
        strip=_strip(view, own, other),
        trays=[
            StageTray(
                "As GNU Backgammon writes it",
                [
                    StageItem("Position ID", view["position_id"], is_long=True),
                    StageItem("Match ID", view["match_id"], is_long=True),
                ],
            )
        ],
        ways=[] if (play := newest_play(story)) is None else list(_ways(view, play)),
        piece_size=44,
        turns=True,
    )


def _points(facts: View) -> Iterator[StagePlace]:
    for one in facts["points"]:
        way = -1 if one["number"] <= 12 else 1
        stack = ((one["x"], one["y"] + way * 23), (0.0, way * 46.0))
        men = [_men(one["seat"], one["count"])] if one["count"] else []
        yield StagePlace(
            str(one["number"]),
            str(one["number"]),
            (one["x"], (one["y"] + one["tip"]) / 2),
            look="spot",
            box=(one["right"] - one["left"] - 2, 228.0),
            stack={"white": stack, "black": stack},
            pieces=men,
            marked=one["changed"],
        )


def _men(seat: str, count: int, *, is_single: bool = False) -> StagePiece:
    """Men of a colour; one that is single stands for the colour and counts nothing."""
    return StagePiece(
        seat,
        count,
        seat if is_single else f"{seat} man",
        seat,
        is_single=is_single,
        many=f"{seat} men",
        colour="white" if seat == "white" else "red",
        sign="O" if seat == "white" else "X",
    )


def _bar(facts: View, own: View, other: View) -> StagePlace:
    """Men on the bar lead from its middle to its ends, closer where the cube may lie there."""
    x, middle = facts["bar_x"] + 28, facts["middle"]
    step = 46.0 if max(own["bar"], other["bar"]) <= _ON_BAR else float(_TRAY)
    stack: dict[str, tuple[Point, Point]] = {
        own["seat"]: ((x, middle - 87), (0.0, -step)),
        other["seat"]: ((x, middle + 87), (0.0, step)),
    }
    men = [_men(side["seat"], side["bar"]) for side in (own, other) if side["bar"]]
    return StagePlace(
        "bar", "bar", (x, middle), look="spot", box=(54, 516), stack=stack, pieces=men
    )


def _tray(own: View, other: View) -> StagePlace:
    x = float(drawn.WIDTH - drawn.RIGHT + 46)
    stack: dict[str, tuple[Point, Point]] = {
        own["seat"]: ((x, drawn.BOTTOM - 26), (0.0, -float(_TRAY))),
        other["seat"]: ((x, drawn.TOP + 26), (0.0, float(_TRAY))),
    }
    men = [_men(side["seat"], side["off"]) for side in (own, other) if side["off"]]
    middle = (drawn.TOP + drawn.BOTTOM) / 2
    return StagePlace(
        "off", "off", (x, middle), look="spot", box=(64, 516), stack=stack, pieces=men
    )


def _dice(view: View, facts: View, lines: Iterable[View]) -> Iterator[StagePlace]:
    """The dice of a throw that is being played, or those of the newest play, used up; and what
    somebody throws next."""
    newest, turn = newest_throw(lines), view["turn"]
    gives_up = newest is not None and newest["kind"] == "resigns"
    if view["dice"]:
        yield from _thrown(view, facts, turn, view["dice"], is_used=False)
    elif newest is not None and not gives_up:
        yield from _thrown(view, facts, newest["seat"], newest["dice"], is_used=True)
    if turn and not (view["dice"] or view["offered"] or gives_up):
        kind = f"throw-{turn}"
        piece = StagePiece(kind, 1, "two dice to throw", turn, is_single=True)
        at = (_half(view, facts, turn), facts["middle"])
        yield replace(_lying(DICE, at, (2.0 * _DICE_APART, 56.0), piece), silent=True)


def _thrown(
    view: View, facts: View, seat: str, dice: Sequence[int], *, is_used: bool
) -> Iterator[StagePlace]:
    """Each die as a place of its own, the larger first; a double is four of them."""
    larger_first = sorted(dice, reverse=True) * (2 if dice[0] == dice[1] else 1)
    for nth, pips in enumerate(larger_first):
        x = _half(view, facts, seat) + _DICE_APART * (nth - (len(larger_first) - 1) / 2)
        piece = StagePiece(f"die-{seat}-{pips}", 1, f"die with {pips}", seat, sign=f"[{pips}]")
        place = _lying(f"die {nth + 1}", (x, facts["middle"]), (56.0, 56.0), piece)
        yield replace(place, spent=is_used, silent=is_used)


def _lying(name: str, at: Point, box: Point, piece: StagePiece) -> StagePlace:
    """A place with one piece in its middle, which bears no name on the board."""
    stack = {piece.kind: (at, (0.0, 0.0))}
    return StagePlace(name, "", at, look="spot", box=box, stack=stack, pieces=[piece])


def _half(view: View, facts: View, seat: str) -> float:
    """The middle of the half in which a player throws: the near one that of the home boards."""
    bar, away = facts["bar_x"], (drawn.WIDTH - drawn.RIGHT - facts["bar_x"] - _BAR) / 2
    return float(bar + _BAR + away if seat == view["near"] else bar - away)


def _cube(view: View, facts: View, own: View) -> Iterator[StagePlace]:
    """The cube on the bar: in its middle while both may turn it, at its end beside whoever owns it;
    while it is offered in the half of whoever offers it. None where nobody may double."""
    if view["match"] == 1 or view["crawford"]:
        return
    owner = next((side["seat"] for side in view["sides"] if side["cube"]), None)
    x, y = facts["bar_x"] + _BAR / 2, float(facts["middle"])
    if view["offered"]:
        x = _half(view, facts, view["turn"])
    elif owner is not None:
        y = drawn.BOTTOM - 30.0 if owner == own["seat"] else drawn.TOP + 30.0
    value = str(view["offered"] or view["cube"])
    words = f"doubling cube{', offered' if view['offered'] else ''}"
    piece = StagePiece(CUBE, 1, words, text=value)
    place = _lying(CUBE, (x, y), (52.0, 52.0), piece)
    yield replace(place, marked=bool(view["offered"]), silent=True)


def _strip(view: View, own: View, other: View) -> list[StageItem]:
    names = _names(view)
    scores = {side["seat"]: side["score"] for side in view["sides"]}
    crawford = ", Crawford" if view["crawford"] else ""
    owner = next((side["seat"] for side in view["sides"] if side["cube"]), None)
    value = view["offered"] or view["cube"]
    is_free = owner is None or view["offered"]
    return [
        StageItem(
            f"{view['stakes'][0]}{crawford}", short=f"{view['stakes'][0]}{crawford}", minor=True
        ),
        *(
            StageItem(
                names[side["seat"]],
                is_now=side["seat"] == view["turn"],
                pieces=[_men(side["seat"], 1, is_single=True)],
                player=True,
                facts=[
                    StageItem("score", str(scores[side["seat"]])),
                    StageItem("pips", str(side["pips"])),
                    *([] if is_free or side["seat"] != owner else [StageItem("cube", str(value))]),
                ],
                aside="from 24 down" if side is own else "from 1 up",
            )
            for side in (own, other)
        ),
        *(
            [StageItem("Cube", f"{value} offered" if view["offered"] else str(value))]
            if is_free
            else []
        ),
    ]


def _names(view: View) -> dict[str, str]:
    """What the sides are called, by seat: the first words of the names that the view gives
    (`called`), where they are two; else their colours."""
    seats = [str(side["seat"]) for side in view["sides"]]
    words = [str(view.get("called", {}).get(seat, "")).split() for seat in seats]
    names = [word[0][:_LETTERS] if word else seat for word, seat in zip(words, seats, strict=True)]
    is_two = names[0].casefold() != names[1].casefold()
    return dict(zip(seats, names if is_two else seats, strict=True))


def _ways(view: View, play: View) -> Iterator[StageWay]:
    is_near = play["seat"] == view["near"]
    for source, target in play["steps"]:
        yield StageWay(_name(source, is_near), _name(target, is_near))


def _name(number: int, is_near: bool) -> str:
    """A point of a player as whoever is near writes it."""
    return point(number if is_near or number in (BAR, OFF) else BAR - number)
