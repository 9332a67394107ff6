"""The board of a game as its page shows it: the picture, with the players' names, and what has moved."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from markupsafe import escape

from pbem.ledger.replay import public_view
from pbem.report import picture
from pbem.report.lines import GameData
from pbem.report.model import PlayerFacts, Report
from pbem.table.open_games import OpenGame
from pbem.turn.run_line import Point

LONGEST_NAME = 14
_SEAT = re.compile(r'(<text\b[^>]*\bdata-seat="([a-z]+)"[^>]*>)([^<]*)(</text>)')


def board(game: OpenGame, point: Point | None, report: Report) -> str:
    """The board as SVG, what has changed marked: by the answers of this turn, or since the player's last one."""
    opened = game.opened
    if not report.view:
        return ""
    before = opened.seen[opened.seat][1] if opened.seat in opened.seen else None
    if game.turn is not None and point is not None and point.line.answers:
        before = _view_at_start(game)
    drawn = picture.svg(report.game, report.view, before, _story(game, point, report), waiting=report.asked) or ""
    return _with_names(drawn, report.players)


def ways(game: OpenGame, point: Point | None, report: Report) -> str:
    """Which way pieces went since the player's last turn, or in this one, in order: places by name, as JSON."""
    went = [
        [line["from"], line["to"]]
        for line in _story(game, point, report)
        if isinstance(line.get("from"), str) and isinstance(line.get("to"), str)
    ]
    return json.dumps(went, ensure_ascii=False) if went else ""


def _story(game: OpenGame, point: Point | None, report: Report) -> Sequence[GameData]:
    is_own = game.turn is not None and point is not None and bool(point.line.answers)
    return [
        line
        for entry in report.entries
        if not is_own or (game.turn is not None and entry.number == game.turn.number)
        for line in entry.lines
        if isinstance(line, Mapping)
    ]


def _view_at_start(game: OpenGame) -> GameData | None:
    now = game.opened.ledger.playing
    return public_view(now) if now is not None else None


def _with_names(drawn: str, players: Sequence[PlayerFacts]) -> str:
    """The picture with names in place of seats. A mail's picture has none, since it is drawn from what everybody has
    signed; here they are text of the page."""
    names = {player.seat: player.name for player in players if player.name}

    def named(match: re.Match[str]) -> str:
        begin, seat, text, end = match.groups()
        name = names.get(seat)
        if name is None:
            return match[0]
        short = name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
        return f"{begin}<title>{escape(f'{name} ({seat})')}</title>{escape(text.replace(seat, short))}{end}"

    return _SEAT.sub(named, drawn)
