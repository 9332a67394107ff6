"""Replay one recorded game of The Shores of Tripoli: draws, dice and decisions go in, positions are
compared.

The recorder asks some things that our rules settle by themselves, and stands dice in another order;
events are matched by kind, seat and label, and what our rules did not ask for is dropped if it was
forced or empty.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from engine.flow import (
    Answer,
    Ask,
    Draw,
    Handle,
    Open,
    Option,
    Outcome,
    Pick,
    Refusal,
    Request,
    Roll,
)
from engine.rules import legal_answers
from engine.tripoli import RULES
from engine.tripoli.cards import NAMES
from engine.tripoli.pieces import ARAB
from engine.tripoli.places import NAMES as PLACE_NAMES
from engine.tripoli.tables import AMERICAN, SEATS

Event = dict[str, Any]
CARD = {name: card for card, name in enumerate(NAMES)}
PLACE = {name: place for place, name in enumerate(PLACE_NAMES)}
WINDOWS = ("interception", "raid", "after raid", "naval battle", "land battle", "die")
FORCED = (
    "allocate_hits",
    "assign_gunboats",
    "next_battle",
    "choose_zone",
    "choose_ally",
    "send_frigates",
    "join_attack",
    "move_frigates",
    "intel",
)
"""What our rules settle without asking where there is one way."""
HOW = {
    "Tripoli has signed the Treaty of Peace and Amity": (
        "United States victory: Treaty of Peace and Amity."
    ),
    "the Americans have captured Tripoli": "United States victory: Assault on Tripoli.",
    "Tripolitania has taken twelve gold": "Tripolitan victory: Twelve gold.",
    "Tripolitania has sunk four American frigates": (
        "Tripolitan victory: Four American frigates sunk."
    ),
    "Hamet's Army has been destroyed": "Tripolitan victory: Hamet's Army has been eliminated.",
    "the assault found no army to land at Tripoli": (
        "Tripolitan victory: Hamet's Army has been eliminated."
    ),
    "neither side has won by the end of 1806": "The game ends in a draw.",
}
SINK_OR_DAMAGE = {"sink allied corsair": "sink corsair"}


class Mismatch(Exception):
    """The recording and our rules part ways."""


class Replayer:
    """One recorded game on its way through our rules."""

    def __init__(self, record: Event) -> None:
        self.events: list[Event] = list(record["events"])
        self.game = RULES.begin({})
        self.faces: dict[Handle, int] = {}
        self.queue: list[Any] = []
        """What is left of a decision that our rules ask for one step at a time."""
        self.question = (-1, "")
        """Seat and rule of the question asked last: what was queued for it goes when another one is
        asked."""
        self.states = 0

    def run(self) -> None:
        """Play the game to its end."""
        flow = self.game.flow()
        request: Request = next(flow)
        while True:
            try:
                request = flow.send(self.answer(request))
            except StopIteration as end:
                self.state()
                self.result(end.value)
                return

    def answer(self, request: Request) -> Any:
        if isinstance(request, Ask):
            answer = self.decide(request)
            if answer not in legal_answers(request, self.faces):
                raise Mismatch(f"refused at {self.game.when()}: {answer} for {request.rule}")
            return answer
        if isinstance(request, Roll):
            return self.roll(request)
        if isinstance(request, Draw):
            return self.draw(request)
        if isinstance(request, Pick):
            return (self.held(request.handles, self.take("random_discard")["random_discard"]),)
        return self.faces[request.handle] if isinstance(request, Open) else None

    # ---- finding events --------------------------------------------------------------------------

    def take(self, what: str, fits: Callable[[Event], bool] = lambda _event: True) -> Event:
        """The next event of this kind; decisions before it were not asked and go, dice may wait."""
        for index, event in enumerate(self.events):
            if (what in event or event.get("decision") == what) and fits(event):
                self.drop(index)
                self.events.remove(event)
                return event
            if "state" in event:
                break
        raise Mismatch(f"nothing recorded for {what} at {self.game.when()}")

    def drop(self, end: int, dice_may_wait: bool = True) -> None:
        """Forget what stands before this event; complain if it mattered."""
        kept = []
        for event in self.events[:end]:
            if dice_may_wait and "roll" in event:
                kept.append(event)
            elif not self.is_forced(event):
                raise Mismatch(f"our rules did not ask at {self.game.when()}: {json.dumps(event)}")
        self.events[:end] = kept

    def is_forced(self, event: Event) -> bool:
        if event.get("decision") == "battle_card":
            return event["card"] is None
        if event.get("decision") == "raid_harbor":
            return event["where"] is None
        return event.get("decision") in FORCED or "random_discard" in event

    def held(self, handles: tuple[Handle, ...], name: str) -> Handle:
        """The lowest of these handles that holds the card."""
        return min(handle for handle in handles if self.faces[handle] == CARD[name])

    # ---- chance ----------------------------------------------------------------------------------

    def roll(self, request: Roll) -> tuple[int, ...]:
        dice = tuple(self.take("roll", lambda event: event["roll"] == request.why)["dice"])
        if len(dice) != request.number:
            raise Mismatch(
                f"{request.why} at {self.game.when()}: {request.number} dice, recorded {len(dice)}"
            )
        return dice

    def draw(self, request: Draw) -> tuple[Handle, ...]:
        names = self.take("draw", lambda event: event["deck"] == SEATS[request.seat])["draw"]
        if len(names) != request.number:
            raise Mismatch(
                f"{request.number} cards drawn at {self.game.when()}, recorded {len(names)}"
            )
        handles = request.pile[: request.number]
        self.faces.update(zip(handles, (CARD[name] for name in names), strict=True))
        return handles

    # ---- decisions -------------------------------------------------------------------------------

    def decide(self, ask: Ask) -> Answer:
        self.ask_anew(ask)
        begins = ask.rule == "play" or (ask.rule == "hand limit" and not self.queue)
        if begins and "state" in self.next_state():
            self.state()
        if ask.rule in WINDOWS:
            return self.battle_card(ask)
        return DECISIONS[ask.rule](self, ask)

    def ask_anew(self, ask: Ask) -> None:
        """Drop the rest of a list that says more than was asked: what our rules settle themselves,
        as the last frigates of a show of force. If they settled it in another way the next state
        differs."""
        if (ask.seat, ask.rule) != self.question:
            self.question = (ask.seat, ask.rule)
            self.queue = []

    def next_state(self) -> Event:
        """The state that comes before the decision asked for now, if one does."""
        for event in self.events:
            if "state" in event or event.get("decision") in ("play", "hand_limit"):
                return event
        return {}

    def play(self, ask: Ask) -> Answer:
        event = self.take("play", lambda event: event["seat"] == SEATS[ask.seat])
        if event["as"] == "pass":
            return Answer(("pass",))
        card = CARD[event["card"]]
        if event["as"] != "event":
            return Answer((event["as"],), self.held(ask.hand, event["card"]))
        core = ("event", card) in ask.options
        return Answer(("event", card), None if core else self.held(ask.hand, event["card"]))

    def hand_limit(self, ask: Ask) -> Answer:
        if not self.queue:
            self.queue = self.take("hand_limit", lambda event: event["seat"] == SEATS[ask.seat])[
                "discard"
            ][:]
        return Answer(("discard",), self.held(ask.hand, self.queue.pop(0)))

    def ahead(self, fits: Callable[[Event], bool]) -> Event | None:
        """The first such event, if only forced ones stand before it; those are dropped."""
        for index, event in enumerate(self.events):
            if fits(event):
                self.drop(index)
                return event
            if not self.is_forced(event):
                break
        return None

    def battle_card(self, ask: Ask) -> Answer:
        """Windows that our rules skip have nothing recorded but null, and some of ours the recorder
        skips."""
        key = (SEATS[ask.seat], ask.rule)
        event = self.ahead(lambda event: (event.get("seat"), event.get("window")) == key)
        if event is not None:
            self.events.remove(event)
        if event is None or event["card"] is None:
            return Answer(("decline",))
        return Answer(("play", CARD[event["card"]]), self.held(ask.hand, event["card"]))

    def steps(self, decision: str, options: Callable[[Event], list[Option]]) -> Answer:
        """One step of a decision that was recorded at one go; `done` when no step is left."""
        event = self.ahead(lambda event: event.get("decision") == decision)
        if event is not None:
            self.events.remove(event)
            self.queue = options(event)
        return Answer(self.queue.pop(0)) if self.queue else DONE

    def move(self, _ask: Ask) -> Answer:
        return self.steps(
            "move_frigates",
            lambda event: [("sail", 1, PLACE[source], PLACE[to]) for source, to in event["moves"]],
        )

    def frigates(self, ask: Ask) -> Answer:
        decision = "join_attack" if ask.rule == "join" else "send_frigates"
        return self.steps(
            decision, lambda event: [("from", 1, PLACE[place]) for place in event["from"]]
        )

    def gunboats(self, ask: Ask) -> Answer:
        """All go along with Hamet's Army, which is not recorded: the next dice are the
        bombardment's."""
        if "roll" in self.events[0] and not self.queue:
            return Answer(ask.options[-2])
        return self.steps(
            "assign_gunboats",
            lambda event: [
                ("gunboats", count, PLACE[place]) for place, count in event["to"].items() if count
            ],
        )

    def where(self, ask: Ask) -> Answer:
        decision, verb = PLACES[ask.rule]
        place = self.take(decision)["where"]
        return DONE if place is None else Answer((verb, PLACE[place]))

    def hits(self, ask: Ask) -> Answer:
        """The list stays until the next dice: it is asked for hit by hit, and not for forced
        ones."""
        for event in self.events:
            if event.get("decision") == "allocate_hits" and event["seat"] == SEATS[ask.seat]:
                hits = event["hits"]
                text = hits[len(hits) - self.game.left]
                text = SINK_OR_DAMAGE.get(text, text)
                return Answer(next(option for option in ask.options if RULES.words(option) == text))
        raise Mismatch(f"no hits recorded at {self.game.when()}")

    def losses(self, _ask: Ask) -> Answer:
        """The recorder removes Arab infantry first."""
        return Answer(("lose", ARAB))

    def intel(self, _ask: Ask) -> Answer:
        event = self.take("intel")
        return Answer((event["as"], CARD[event["card"]]))

    # ---- comparing -------------------------------------------------------------------------------

    def state(self) -> None:
        """Compare the next recorded state in full."""
        index = next((i for i, event in enumerate(self.events) if "state" in event), None)
        if index is None:
            raise Mismatch(f"no state recorded at {self.game.when()}")
        self.drop(index, dice_may_wait=False)
        want = self.events.pop(0)["state"]
        have = self.as_recorded(want)
        self.states += 1
        if have != want:
            differs = {
                key: {"recorded": want[key], "ours": have[key]}
                for key in want
                if want[key] != have[key]
            }
            raise Mismatch(f"{self.game.when()}: {json.dumps(differs)}")

    def as_recorded(self, want: Event) -> Event:
        """Our position in the recorder's words."""
        view = self.game.view(None, self.faces)
        have = {key: view[key] for key in ("year", "season", "gold", "us_frigates_sunk", "board")}
        active = view["active"]
        have["active"] = active.capitalize() if active in ("both", "none") else active
        for seat in SEATS:
            have[seat] = {key: view[seat][key] for key in ("core", "hand", "draw", "discard")}
        if "damaged" in want:
            named = sum(name.startswith("us_") for name in want["damaged"])
            have["damaged"] = (
                want["damaged"] if view["damaged"][SEATS[AMERICAN]] == named else view["damaged"]
            )
        return have

    def result(self, outcome: Outcome) -> None:
        want = self.events.pop(0).get("result")
        winner = SEATS[outcome.winners[0]] if outcome.winners else "draw"
        have = {"winner": winner, "how": HOW.get(outcome.how, outcome.how)}
        if have != want or self.events:
            raise Mismatch(f"result {have}, recorded {want}, {len(self.events)} events left")


DONE = Answer(("done",))
DECISIONS: dict[str, Callable[[Replayer, Ask], Answer]] = {
    "play": Replayer.play,
    "hand limit": Replayer.hand_limit,
    "move": Replayer.move,
    "gunboats": Replayer.gunboats,
    "join": Replayer.frigates,
    "send": Replayer.frigates,
    "battle": Replayer.where,
    "zone": Replayer.where,
    "ally": Replayer.where,
    "harbor": Replayer.where,
    "hits": Replayer.hits,
    "losses": Replayer.losses,
    "intel": Replayer.intel,
}
PLACES = {
    "battle": ("next_battle", "fight"),
    "zone": ("choose_zone", "zone"),
    "ally": ("choose_ally", "ally"),
    "harbor": ("raid_harbor", "raid from"),
}


def replay(record: Event) -> tuple[int, list[str]]:
    """States compared, and the mismatch at which the replay stopped, if any."""
    replayer = Replayer(record)
    try:
        replayer.run()
    except (Mismatch, Refusal, LookupError, ValueError) as wrong:
        return replayer.states, [f"{type(wrong).__name__}: {wrong}"]
    return replayer.states, []
