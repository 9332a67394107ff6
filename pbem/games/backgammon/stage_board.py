"""The board of backgammon on the stage: points, bar and tray in the backdrop; score, pips and the
cube above it.

It lies before whoever looks, in public before whoever is to play: their home board is at the lower
right, and the points bear the numbers that they write.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from engine.backgammon.notation import point
from engine.backgammon.tables import BAR, OFF
from pbem.games.backgammon.clicks import CUBE, DICE
from pbem.games.stage import (
    Point,
    StageBoard,
    StageItem,
    StagePiece,
    StagePlace,
    StageTray,
    StageWay,
    View,
)

_LEFT, _RIGHT, _TOP, _BOTTOM = 24, 808, 96, 612
"""The edges of the field, with the bar in its middle."""
_BAR = 56
_STEP = (_RIGHT - _LEFT - _BAR) / 12
_BAR_X = _RIGHT - 6 * _STEP - _BAR / 2
_TRAY_X = _RIGHT + 46.0
_MIDDLE = (_TOP + _BOTTOM) / 2
_WHOLE = (10.0, 52.0, 880.0, 604.0)
_DICE_APART = 62
_LETTERS = 10
"""Letters of a name in the score, at most."""
_TRAY = 22
"""Units from a man in the tray to the next one."""
_ON_BAR = 3
"""Men of a player that lie side by side on the bar beside the cube."""


def board(view: View, before: View | None, lines: Iterable[View]) -> StageBoard:
    """The position of a view, as whoever is near sees it; the newest play of the story as ways."""
    near, story = int(view["near"] == "black"), list(lines)
    own, other = view["sides"][near], view["sides"][1 - near]
    old = None if before is None or before["game"] != view["game"] else before["sides"]
    ways = [] if (play := _newest_play(story)) is None else list(_ways(view, play))
    told = {end for way in ways for end in (way.source, way.target)}
    return StageBoard(
        whole=_WHOLE,
        places=[
            *_points(own, other, None if old is None else (old[near], old[1 - near]), told),
            _bar(own, other),
            _tray(own, other),
            *_cube(view, own),
            *_dice(view, story),
        ],
        strip=_strip(view, own, other),
        trays=[
            StageTray(
                "As GNU Backgammon writes it",
                [
                    StageItem("Position ID", view["position_id"], unpictured=True),
                    StageItem("Match ID", view["match_id"], unpictured=True),
                ],
            )
        ],
        ways=ways,
        piece_size=44,
        turns=True,
    )


def _points(
    own: View, other: View, old: tuple[View, View] | None, told: Collection[str]
) -> Iterator[StagePlace]:
    """Points with their men, those marked on which there were others at the reader's last turn, but
    for those of which an arrow tells."""
    for number in range(1, 25):
        x, (edge, way) = _x(number), (_BOTTOM, -1) if number <= 12 else (_TOP, 1)
        stack = ((x, edge + way * 23), (0.0, way * 46.0))
        mine, theirs = _on_point(own, other, number)
        yield StagePlace(
            str(number),
            str(number),
            (x, edge + way * 115.0),
            look="spot",
            box=(_STEP - 2, 228.0),
            stack={"white": stack, "black": stack},
            pieces=[
                _men(side["seat"], count) for side, count in ((own, mine), (other, theirs)) if count
            ],
            marked=old is not None
            and str(number) not in told
            and _on_point(*old, number) != (mine, theirs),
        )


def _x(number: int) -> float:
    """The middle of the column of a point, from 1 at the lower right to 24 at the upper right."""
    column = number - 1 if number <= 12 else 24 - number
    return _RIGHT - (column + 0.5) * _STEP - (0 if column < 6 else _BAR)


def _on_point(own: View, other: View, number: int) -> tuple[int, int]:
    """How many men each side has on a point, which the other one counts from the other end."""
    return own["points"][number - 1], other["points"][24 - number]


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


def _bar(own: View, other: View) -> StagePlace:
    """Men on the bar lead from its middle to its ends, closer where the cube may lie there."""
    step = 46.0 if max(own["bar"], other["bar"]) <= _ON_BAR else float(_TRAY)
    stack: dict[str, tuple[Point, Point]] = {
        own["seat"]: ((_BAR_X, _MIDDLE - 87), (0.0, -step)),
        other["seat"]: ((_BAR_X, _MIDDLE + 87), (0.0, step)),
    }
    men = [_men(side["seat"], side["bar"]) for side in (own, other) if side["bar"]]
    return StagePlace(
        "bar", "bar", (_BAR_X, _MIDDLE), look="spot", box=(54, 516), stack=stack, pieces=men
    )


def _tray(own: View, other: View) -> StagePlace:
    stack: dict[str, tuple[Point, Point]] = {
        own["seat"]: ((_TRAY_X, _BOTTOM - 26), (0.0, -float(_TRAY))),
        other["seat"]: ((_TRAY_X, _TOP + 26), (0.0, float(_TRAY))),
    }
    men = [_men(side["seat"], side["off"]) for side in (own, other) if side["off"]]
    return StagePlace(
        "off", "off", (_TRAY_X, _MIDDLE), look="spot", box=(64, 516), stack=stack, pieces=men
    )


def _dice(view: View, lines: Iterable[View]) -> Iterator[StagePlace]:
    """The dice of a throw that is being played, or those of the newest play, used up; and what
    somebody throws next."""
    newest, turn = _newest_throw(lines), view["turn"]
    gives_up = newest is not None and newest["kind"] == "resigns"
    if view["dice"]:
        yield from _thrown(view, turn, view["dice"], is_used=False)
    elif newest is not None and not gives_up:
        yield from _thrown(view, newest["seat"], newest["dice"], is_used=True)
    if turn and not (view["dice"] or view["offered"] or gives_up):
        kind = f"throw-{turn}"
        piece = StagePiece(kind, 1, "two dice to throw", turn, is_single=True)
        place = _lying(DICE, (_half(view, turn), _MIDDLE), (2.0 * _DICE_APART, 56.0), piece)
        yield replace(place, silent=True, unpictured=True)


def _thrown(view: View, seat: str, dice: Sequence[int], *, is_used: bool) -> Iterator[StagePlace]:
    """Each die as a place of its own, the larger first; a double is four of them."""
    larger_first = sorted(dice, reverse=True) * (2 if dice[0] == dice[1] else 1)
    for nth, pips in enumerate(larger_first):
        x = _half(view, seat) + _DICE_APART * (nth - (len(larger_first) - 1) / 2)
        piece = StagePiece(f"die-{seat}-{pips}", 1, f"die with {pips}", seat, sign=f"[{pips}]")
        place = _lying(f"die {nth + 1}", (x, _MIDDLE), (56.0, 56.0), piece)
        yield replace(place, spent=is_used, silent=is_used)


def _lying(name: str, at: Point, box: Point, piece: StagePiece) -> StagePlace:
    """A place with one piece in its middle, which bears no name on the board."""
    stack = {piece.kind: (at, (0.0, 0.0))}
    return StagePlace(name, "", at, look="spot", box=box, stack=stack, pieces=[piece])


def _half(view: View, seat: str) -> float:
    """The middle of the half in which a player throws: the near one that of the home boards."""
    return _RIGHT - 3 * _STEP if seat == view["near"] else _LEFT + 3 * _STEP


def _cube(view: View, own: View) -> Iterator[StagePlace]:
    """The cube on the bar: in its middle while both may turn it, at its end beside whoever owns it;
    while it is offered in the half of whoever offers it. None where nobody may double."""
    if view["match"] == 1 or view["crawford"]:
        return
    owner = next((side["seat"] for side in view["sides"] if side["cube"]), None)
    x, y = _BAR_X, _MIDDLE
    if view["offered"]:
        x = _half(view, view["turn"])
    elif owner is not None:
        y = _BOTTOM - 30.0 if owner == own["seat"] else _TOP + 30.0
    value = str(view["offered"] or view["cube"])
    words = f"doubling cube{', offered' if view['offered'] else ''}"
    piece = StagePiece(CUBE, 1, words, text=value)
    place = _lying(CUBE, (x, y), (52.0, 52.0), piece)
    yield replace(place, marked=bool(view["offered"]), silent=True)


def _strip(view: View, own: View, other: View) -> list[StageItem]:
    names = _names(view)
    match = f"{view['stakes'][0]}{', Crawford' if view['crawford'] else ''}"
    is_free = view["offered"] or not (own["cube"] or other["cube"])
    return [
        StageItem(match, short=match, minor=True),
        *(
            StageItem(
                names[side["seat"]],
                is_now=side["seat"] == view["turn"],
                pieces=[_men(side["seat"], 1, is_single=True)],
                player=True,
                facts=[
                    StageItem("score", str(side["score"])),
                    StageItem("pips", str(side["pips"])),
                    *([_cube_in_words("cube", view)] if side["cube"] and not is_free else []),
                ],
                aside="from 24 down" if side is own else "from 1 up",
            )
            for side in (own, other)
        ),
        *([_cube_in_words("Cube", view)] if is_free else []),
    ]


def _cube_in_words(label: str, view: View) -> StageItem:
    """The cube at its owner, or in the strip; a picture has it on the board alone."""
    value = f"{view['offered']} offered" if view["offered"] else str(view["cube"])
    return StageItem(label, value, unpictured=True)


def _names(view: View) -> dict[str, str]:
    """What the sides are called, by seat: the first words of the names that the view gives
    (`called`), where they are two; else their colours."""
    seats = [str(side["seat"]) for side in view["sides"]]
    words = [str(view.get("called", {}).get(seat, "")).split() for seat in seats]
    names = [word[0][:_LETTERS] if word else seat for word, seat in zip(words, seats, strict=True)]
    is_two = names[0].casefold() != names[1].casefold()
    return dict(zip(seats, names if is_two else seats, strict=True))


def _newest_play(lines: Iterable[View]) -> View | None:
    """The line of the story that tells of it; None where another game has begun since."""
    newest = None
    for line in lines:
        if line["kind"] in ("plays", "must play", "game"):
            newest = line if line["kind"] != "game" else None
    return newest


def _newest_throw(lines: Iterable[View]) -> View | None:
    """The newest line of the story with dice that somebody has played, or could not; or by which a
    player gives up, unless the other one plays on. None where another game has begun since."""
    newest: View | None = None
    for line in lines:
        if line["kind"] in ("game", "plays on"):
            newest = None
        elif line["kind"] in ("plays", "must play", "cannot move", "resigns"):
            newest = line
    return newest


def _ways(view: View, play: View) -> Iterator[StageWay]:
    is_near = play["seat"] == view["near"]
    for source, target in play["steps"]:
        yield StageWay(_name(source, is_near), _name(target, is_near))


def _name(number: int, is_near: bool) -> str:
    """A point of a player as whoever is near writes it."""
    return point(number if is_near or number in (BAR, OFF) else BAR - number)
