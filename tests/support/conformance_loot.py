"""Replays recorded games of Loot on our rules and compares the states.

The recorder counts ships and seats from 0 as we count seats; our ships count from 1.
"""

from __future__ import annotations

from typing import Any

from engine.flow import Answer, Ask, Draw, Open, Outcome, Seal
from engine.loot import RULES
from engine.loot.battle import AT_SHIP, DISCARD, DRAW, MERCHANT, Ship, leader
from engine.loot.game import LootGame

Event = dict[str, Any]
CARDS = {name: card for card, name in enumerate(RULES.cards)}


class Witness:
    """The state as it was after every action: at the next "turn" and at "over". Read from the story
    after each step, as compiled rules add to their story by themselves."""

    def __init__(self, game: LootGame) -> None:
        self.game = game
        self.states: list[Event] = []
        self.captured: list[list[int]] = []
        self.turns: list[int] = []
        self._in_play: dict[int, int] = {}
        """The ships in play by number, with the side of whoever played each."""
        self._ships: dict[int, Ship] = {}

    def look(self) -> None:
        """What the rules have told since the last look. Only one seat acts between two looks."""
        game = self.game
        assert game.story is not None
        self._ships |= {
            ship.number: ship for ships in (game.ships, *game.captured) for ship in ships
        }
        for event in game.story:
            if event[0] == "merchant":
                self._in_play[event[3]] = game.setup.side(event[1])
            if event[0] in ("turn", "over"):
                leaders = {str(number - 1): self._leader(number) for number in self._in_play}
                self.states.append({"leaders": leaders, "deck": len(game.pile)})
            if event[0] == "turn":
                self.captured.append([])
                self.turns.append(event[2])
            if event[0] == "capture":
                self.captured[-1].append(event[3] - 1)
                del self._in_play[event[3]]
        game.story.clear()

    def _leader(self, number: int) -> int | None:
        """Who leads: its owner where the ship was lost before anybody saw it."""
        ship = self._ships.get(number)
        return self._in_play[number] if ship is None else leader(ship, self.game.setup)


def replay(record: Event) -> tuple[int, list[str]]:
    """Play one recorded game. Returns how many states were compared and every mismatch in full."""
    events: list[Event] = record["events"]
    game = RULES.begin({"players": record["players"]})
    assert isinstance(game, LootGame)
    game.story = []
    witness = Witness(game)
    outcome, wrong = _play(game, events, witness)
    if outcome is None:
        return 0, [f"game {record['id']}: {text}" for text in wrong]
    pairs: list[tuple[Any, Any]] = []
    turns = [event for event in events if "turn" in event]
    pairs += zip([event["captured"] for event in turns], witness.captured, strict=False)
    pairs += zip([event["turn"] for event in turns], witness.turns, strict=False)
    states = [event for event in events if "leaders" in event]
    # the first "turn" follows the deal, not an action
    pairs += zip(states, witness.states[1:], strict=False)
    pairs += [(len(states), len(witness.states) - 1), (len(turns), len(witness.captured))]
    pairs.append((events[-1]["result"], list(outcome.points)))
    wrong += [f"recorded {theirs}, ours {ours}" for theirs, ours in pairs if theirs != ours]
    return len(turns) + len(states) + 1, [f"game {record['id']}: {text}" for text in wrong]


def _play(
    game: LootGame, events: list[Event], witness: Witness
) -> tuple[Outcome | None, list[str]]:
    """Feed the recorded cards and actions to our rules."""
    draws = iter([event for event in events if "draw" in event])
    actions = iter([event for event in events if "action" in event])
    faces: dict[int, int] = {}
    flow = game.flow()
    reply: Any = None
    try:
        while True:
            request = flow.send(reply)
            witness.look()
            reply = None
            match request:
                case Seal():
                    pass
                case Draw(seat, pile, number):
                    event = next(draws)
                    if event["seat"] != seat or number != 1:
                        return None, [f"recorded draw {event}, ours by seat {seat}"]
                    faces[pile[0]] = CARDS[event["draw"]]
                    reply = pile[:1]
                    if not game.hands[seat] and game.turn:
                        next(actions)  # a forced draw, which the recorder writes down as an action
                case Ask(seat=seat):
                    event = next(actions)
                    answer = _answer(event, request, faces)
                    if answer is None or event["seat"] != seat:
                        return None, [f"recorded {event} is not legal in {game.position()}"]
                    reply = answer
                case Open(handle):
                    reply = faces[handle]
    except StopIteration as end:
        witness.look()
        left = len(list(draws)) + len(list(actions))
        return end.value, [f"{left} recorded events after our end"] if left else []


def _answer(event: Event, ask: Ask, faces: dict[int, int]) -> Answer | None:
    """The recorded action as an answer, if it is legal."""
    if event["action"] == "draw":
        return Answer(DRAW) if DRAW in ask.options else None
    card = CARDS[event["card"]]
    match event["action"]:
        case "merchant":
            option = MERCHANT[card]
        case "discard":
            option = DISCARD[card]
        case _:
            option = AT_SHIP[card][event["ship"] + 1]
    held = [handle for handle in ask.hand if faces[handle] == card]
    return Answer(option, held[0]) if held and option in ask.allows(card) else None
