"""The boards of the stage: what stands in a position stands in their data, and the backdrop has a
symbol for it."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from typing import Any

import pytest

from engine.backgammon import RULES as BACKGAMMON
from engine.flow import Answer, Ask
from engine.loot import RULES as LOOT
from engine.paradise import RULES as PARADISE
from engine.rules import Game, Rules
from engine.table import OpenTable
from engine.tripoli import RULES as TRIPOLI
from engine.tripoli_solitaire import RULES as SOLITAIRE
from pbem.games import check, registry
from pbem.games.descriptor import Stage, load
from pbem.games.faces import CardFace
from pbem.games.stage import StageBoard, StageItem, StagePlace, as_json
from pbem.report import picture
from pbem.report.board import board_at
from pbem.report.render import render
from tests.support.golden_words import Golden

MOST_GIST = 54
"""Letters of what a card does, at most."""
FRIGATE = "American frigate"


def fresh(rules: Rules) -> dict[str, Any]:
    return dict(rules.begin(dict(rules.defaults)).view(None, {}))


def on_stage(rules: Rules, view: dict[str, Any], *more: Any) -> StageBoard:
    return board_at(rules.name, view, *more)


def test_every_piece_of_tripoli_stands_on_its_stage_and_has_a_symbol() -> None:
    for rules in (TRIPOLI, SOLITAIRE):
        view = fresh(rules)
        board = on_stage(rules, view)
        held: list[StagePlace | StageItem] = [
            *board.places,
            *(item for item in board.strip if item.name),
        ]
        there = {one.name: {piece.kind: piece.count for piece in one.pieces} for one in held}
        assert {name: pieces for name, pieces in there.items() if pieces} == view["board"]
        symbols = set(re.findall(r'<g id="(\w+)"', picture.backdrop(rules.name, board)))
        in_trays = [piece for tray in board.trays for item in tray.items for piece in item.pieces]
        assert symbols >= {piece.kind for one in held for piece in one.pieces} | {
            piece.kind for piece in in_trays
        }
        left, top, width, height = board.whole
        for place in board.places:
            assert place.at is not None
            assert left < place.at[0] < left + width and top < place.at[1] < top + height


def test_what_changed_and_which_way_it_went_is_in_the_data() -> None:
    view, before = fresh(TRIPOLI), fresh(TRIPOLI)
    view = {
        **view,
        "board": {**view["board"], "Malta": {"us_frigates": 3}, "Gibraltar": {}},
        "gold": 3,
    }
    lines = [
        {"kind": "moved", "piece": FRIGATE, "count": 2, "from": "Gibraltar", "to": "Malta"},
        {"kind": "moved", "piece": FRIGATE, "count": 1, "from": "Gibraltar", "to": "Malta"},
        {"kind": "moved", "piece": FRIGATE, "count": 1, "from": "Malta", "to": "1803"},
    ]
    board = on_stage(TRIPOLI, view, before, lines)
    changes = {
        place.name: [(p.kind, p.count, p.change) for p in place.pieces] for place in board.places
    }
    assert changes["Malta"] == [("us_frigates", 3, 3)]
    assert changes["Gibraltar"] == [("us_frigates", 0, -3), ("tr_corsairs", 0, -2)]
    (way,) = board.ways
    assert (way.source, way.target, way.count) == ("Gibraltar", "Malta", 3)
    assert way.via, "a ship goes by sea"
    facts = [fact for item in board.strip for fact in item.facts]
    assert next(fact for fact in facts if fact.label == "gold").change == 3


def test_a_group_whose_distance_from_tonga_is_not_known_lies_in_the_middle_lane() -> None:
    """Tuamotu, taken without a map: what Samoa does there tells only how far they went."""
    view = fresh(PARADISE)
    taken = {**view["realm"][0], "name": "Tuamotu", "home": False, "villages": 1}
    view["realm"] = [*view["realm"], {**taken, "from_tonga": 0, "from_samoa": 7}]
    spots = {place.name: place.at for place in on_stage(PARADISE, view).places}
    assert spots["Tuamotu"] == spots["7 from Tonga, 7 from Samoa"]


def test_the_data_leave_out_what_is_as_usual() -> None:
    told = json.loads(json.dumps(as_json(on_stage(TRIPOLI, fresh(TRIPOLI)))))
    malta = next(place for place in told["places"] if place["name"] == "Malta")
    assert malta == {
        "name": "Malta",
        "label": "Malta",
        "at": [636, 262],
        "align": "left",
        "anchor": [543.9, 278.4],
        "colour": "blue",
    }


def test_every_card_has_a_face_of_symbols_that_are_there() -> None:
    for rules in (TRIPOLI, SOLITAIRE, LOOT):
        descriptor = registry.descriptor(rules.name)
        assert descriptor.faces is not None
        faces: dict[str, CardFace] = load(descriptor.faces)
        board = on_stage(rules, fresh(rules))
        backdrop = picture.backdrop(rules.name, board)
        symbols = set(re.findall(r'<g id="([a-z_-]+)"', backdrop))
        assert {kind for face in faces.values() for kind in face.pictures} <= symbols
        scenes = [one for face in faces.values() for one in face.scene]
        drawings = set(re.findall(r'<g id="([a-z-]+)"', render(f"{rules.name}/art.svg.j2", {})))
        drawings |= {one for one in symbols if one.startswith("art-")}
        assert {f"art-{re.split('[: ]', one)[0]}" for one in scenes} <= drawings
        assert all(face.gist and len(face.gist) <= MOST_GIST for face in faces.values())
        assert set(faces) <= set(rules.cards)
    of_tripoli = load("pbem.games.tripoli.card_faces:FACES")
    assert set(of_tripoli) == set(TRIPOLI.cards)
    assert of_tripoli["Storms"].marks == ("event",)
    assert of_tripoli["Marine Sharpshooters"].marks == ("battle", "once")
    assert set(load("pbem.games.loot.cards:CARD_FACES")) == set(LOOT.cards)


def test_a_face_of_no_card_is_named(golden: Golden) -> None:
    wrong = registry.descriptor("loot")._replace(faces="pbem.games.tripoli.card_faces:FACES")
    golden(check.problems(wrong)[0])


def test_a_stage_that_cannot_be_drawn_is_named(golden: Golden) -> None:
    tripoli = registry.descriptor("tripoli")
    wrong = tripoli._replace(
        board="pbem.games.tripoli.places:PLACES",
        stage=Stage("tripoli/backdrop.html"),
    )
    golden(*check.problems(wrong))


def test_every_man_of_backgammon_stands_on_its_stage_whoever_looks() -> None:
    for own, other in (("white", "black"), ("black", "white")):
        board = on_stage(BACKGAMMON, {**fresh(BACKGAMMON), "near": own})
        there = {
            place.name: [(p.kind, p.count) for p in place.pieces]
            for place in board.places
            if place.pieces
        }
        assert there["24"] == [(own, 2)] and there["6"] == [(own, 5)] and there["1"] == [(other, 2)]
        assert board.turns and all(place.box and place.stack for place in board.places)
        symbols = set(re.findall(r'<g id="([a-z0-9-]+)"', picture.backdrop("backgammon", board)))
        assert symbols == {
            own,
            other,
            *(f"die-{seat}-{pips}" for seat in (own, other) for pips in range(1, 7)),
            *(f"throw-{seat}" for seat in (own, other)),
            "cube",
        }


@pytest.mark.parametrize(
    ("names", "called"),
    [
        ({"white": "Ann Amber", "black": "Ben"}, ["Ann", "Ben"]),
        ({"white": "Ann Amber", "black": "Ann Olive"}, ["white", "black"]),
        ({"white": "Ann", "black": "Bartholomew"}, ["Ann", "Bartholome"]),
        ({"white": "Ann"}, ["Ann", "black"]),
        (None, ["white", "black"]),
    ],
)
def test_the_plates_of_backgammon_name_the_players(
    names: dict[str, str] | None, called: list[str]
) -> None:
    board = on_stage(BACKGAMMON, fresh(BACKGAMMON), None, (), None, names)
    assert [item.label for item in board.strip if item.player] == called


def test_a_play_of_backgammon_has_its_ways_as_the_near_player_counts() -> None:
    steps = [(24, 18), (25, 20), (3, 0)]
    lines = [{"kind": "plays", "seat": "black", "steps": steps, "dice": [6, 5]}]
    board = on_stage(BACKGAMMON, {**fresh(BACKGAMMON), "near": "white"}, None, lines)
    assert [(way.source, way.target) for way in board.ways] == [
        ("1", "7"),
        ("bar", "5"),
        ("22", "off"),
    ]
    used = [place.pieces[0].kind for place in board.places if place.spent]
    assert used == ["die-black-6", "die-black-5"], "its dice stay"


@pytest.mark.parametrize("settings", [{"players": 5}, {"players": 8, "partners": 1}])
def test_ships_and_players_of_loot_stand_on_its_stage_and_have_symbols(
    settings: dict[str, int],
) -> None:
    chance = random.Random(4)
    table = OpenTable(LOOT, settings, chance)
    before: dict[str, Any] | None = None
    kinds: set[str] = set()

    def choose(game: Game, _ask: Ask, legal: Sequence[Answer]) -> Answer:
        nonlocal before, kinds
        view = game.view(None, {})
        board = on_stage(LOOT, view, before)
        pile, *ships = board.places
        assert (pile.name, pile.pieces[0].text) == ("pile", str(view["pile"]))
        for place, ship in zip(ships, view["ships"], strict=True):
            merchant, *fighters = place.pieces
            assert (place.name, merchant.text) == (f"ship {ship['number']}", str(ship["gold"]))
            sides = {one["side"]: str(one["strength"]) for one in ship["attackers"]}
            assert {one.side: one.text for one in fighters if one.text} == sides
            leads = [one.side for one in fighters if one.leads]
            assert len(leads) <= 1 and all(one in str(ship["leader"]) for one in leads)
        players = [item for item in board.strip if item.player]
        assert [item.name for item in players] == view["seats"]
        gold = [p.text for item in players for p in item.pieces if p.kind == "loot-coin"]
        assert gold == [str(side["gold"]) for side in view["captured"]]
        in_trays = [piece for tray in board.trays for item in tray.items for piece in item.pieces]
        lying = [*board.places, *players]
        kinds |= {piece.kind for one in lying for piece in one.pieces} | {p.kind for p in in_trays}
        symbols = set(re.findall(r'<g id="([a-z-]+)"', picture.backdrop("loot", board)))
        assert kinds <= symbols
        before = view
        return chance.choice([one for one in legal if one.option[0] != "draw"] or legal)

    table.play(choose)
    assert {"loot-ship", "loot-pile", "loot-gold"} <= kinds
    view = table.game.view(None, table.faces)
    hands = next(tray for tray in on_stage(LOOT, view).trays if tray.title == "The last hands")
    assert [item.label for item in hands.items] == view["seats"]


def test_ships_of_loot_come_in_and_go_to_who_takes_them() -> None:
    moves = load("pbem.games.loot.stage_board:moves")
    assert moves({"kind": "merchant", "seat": "first", "card": "merchant 5", "ship": 3}) == [
        ("loot-merchant", 1, "first", "ship 3")
    ]
    assert moves({"kind": "attack", "seat": "second", "card": "blue 3", "ship": 3}) == [
        ("loot-blue", 1, "second", "ship 3")
    ]
    assert moves({"kind": "captain", "seat": "first", "card": "captain gold", "ship": 3}) == [
        ("loot-captain", 1, "first", "ship 3")
    ]
    assert moves({"kind": "capture", "side": "third and fourth", "ship": 3, "gold": 5}) == [
        ("loot-merchant", 1, "ship 3", "third")
    ]
    assert moves({"kind": "drawn", "seat": "first", "card": "c7"}) == [
        ("loot-back", 1, "pile", "first")
    ]
    assert moves({"kind": "turn", "turn": 4, "seat": "first"}) == []


@pytest.mark.parametrize("game", registry.known_games())
def test_the_styles_of_a_backdrop_say_nothing_of_the_page(game: str) -> None:
    """A page keeps the style of a picture, and a symbol is drawn by its own classes alone: so a
    class has two words in its name, or is said of what lies in an SVG."""
    stage = registry.descriptor(game).stage
    board = board_at(game, fresh(registry.newest(game)))
    for style in re.findall(r"<style>(.*?)</style>", picture.backdrop(game, board), re.DOTALL):
        plain = re.sub(r"@media \([^)]*\) *\{", "", style)
        for one in re.findall(r"(?:^|[},]) *([^{},]*[a-z][^{},]*)(?=[{,])", plain):
            assert "-" in one or one.startswith("svg "), (stage.backdrop, one)
