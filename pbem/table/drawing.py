"""The board of a game as its page shows it, on the stage and as a picture, with what has changed
and moved."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pbem.fileformat import turnfile
from pbem.games.stage import StagePicture, as_json
from pbem.home.home import Home
from pbem.ledger import gate
from pbem.ledger.gate import public_view
from pbem.report import picture
from pbem.report.board import board_at
from pbem.report.facts import players
from pbem.report.history import told
from pbem.report.lines import GameData
from pbem.report.model import Report, Waiting, names_of
from pbem.table import request
from pbem.table.board_picture import on_picture, pictures, until
from pbem.table.open_games import OpenGame
from pbem.table.request import PageAnswer
from pbem.turn.questions import Point


@dataclass(frozen=True)
class PageBoard:
    """The board of a page. `stage` is the data of the stage, as JSON that can stand in HTML, and
    `ground` the backdrop for it; both are empty where there is no board yet. `drawing` is the board
    as a picture, for a page that is read without scripts."""

    stage: str = ""
    ground: str = ""
    drawing: str = ""


def board(game: OpenGame, point: Point | None, report: Report, *, with_picture: bool) -> PageBoard:
    """The board, with what has changed marked: by the answers of this turn, or since the player's
    last one."""
    opened = game.opened
    if not report.position.view:
        joins = report.turn.asked is not None and report.turn.asked.what == "join"
        return PageBoard(drawing=sample(report.about.game) if joins else "")
    before = opened.seen[opened.seat][1] if opened.seat in opened.seen else None
    if game.draft is not None and point is not None and point.line.answers:
        before = _view_at_start(game)
    names, story = names_of(report.position.players), _story(game, point, report)
    waiting = report.turn.asked
    # who writes after this turn is told once it is signed
    if point is not None and report.position.seat is not None:
        beside = waiting.what if waiting else "root"
        waiting = Waiting(report.position.seat, None, "answer" if point.question else beside)
    return draw(
        report.about.game,
        report.position.view,
        before,
        story,
        waiting,
        names,
        told(game.opened.ledger if point is None else point.entry.ledger),
        with_picture=with_picture,
        lies_on=until(pictures(game), len(opened.file.entries)),
    )


def draw(
    game: str,
    view: GameData,
    before: GameData | None,
    story: Sequence[GameData],
    waiting: Waiting | None,
    names: Mapping[str, str],
    told: Sequence[GameData],
    *,
    with_picture: bool,
    lies_on: StagePicture | None = None,
) -> PageBoard:
    """The board of a position (`board_at`). `with_picture`: as a picture as well, since the page
    may be read without scripts; `lies_on` is the picture that its players made of it."""
    stage = on_picture(board_at(game, view, before, story, waiting, names, told), lies_on)
    drawing = ""
    if with_picture:
        drawing = picture.svg(game, view, before, story, waiting=waiting, names=names)
    data = json.dumps(as_json(stage), ensure_ascii=False, separators=(",", ":"))
    text = data.replace("&", "&amp;").replace("<", "&lt;")
    return PageBoard(text, picture.backdrop(game, stage), drawing)


_SMALL_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""The Content-Security-Policy of a picture that is an answer of its own: it may bring styles, and
nothing else."""


def as_answer(drawn: str) -> PageAnswer:
    """A picture as an answer of its own; that there is none, where nothing is drawn."""
    if not drawn:
        return request.html("", 404)
    kind = "image/svg+xml; charset=utf-8"
    return request.data(drawn.encode(), kind, content_security_policy=_SMALL_POLICY)


def small(home: Home, data: bytes) -> str:
    """The board of a game in the list of games, where something has changed since the player's
    last turn: as everybody knows it, from where they sit. Empty for a game that has not begun."""
    game, seen = gate.follow(turnfile.read(data), home.checks.verifier)
    playing, seat = game.playing, game.seat_with(home.identity().public)
    if playing is None:
        return ""
    view = playing.referee.game.view(seat, playing.referee.faces())
    before = seen[seat][1] if seat in seen else None
    return picture.scene(game.rules.name, view, before, names_of(players(game)))


@lru_cache(64)
def sample_scene(game: str) -> str:
    """A board that somebody may choose to play on, on the first page."""
    return picture.sample_scene(game)


@lru_cache(64)
def sample(game: str) -> str:
    """The board of a game for somebody who does not know it yet: a position of a sample game."""
    return picture.sample(game)


def _story(game: OpenGame, point: Point | None, report: Report) -> Sequence[GameData]:
    is_own = game.draft is not None and point is not None and bool(point.line.answers)
    return [
        line
        for entry in report.position.entries
        if not is_own or (game.draft is not None and entry.number == game.draft.number)
        for line in entry.lines
        if isinstance(line, Mapping)
    ]


def _view_at_start(game: OpenGame) -> GameData | None:
    now = game.opened.ledger.playing
    return public_view(now) if now is not None else None
