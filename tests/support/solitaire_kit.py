"""What the solitaire tests share: an American who lives long enough to see every year, and players
with homes."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

from engine.flow import Answer, Ask
from engine.rules import Game, legal_answers
from engine.table import OpenTable
from engine.tripoli.places import ALGIERS_ZONE, TANGIER_ZONE, TRIPOLI_ZONE, TUNIS_ZONE
from engine.tripoli_solitaire import RULES
from engine.tripoli_solitaire.game import Solitaire
from pbem.fileformat import turnfile
from pbem.fileformat.encoding import b64
from pbem.home.home import Home
from pbem.ledger.gate import LastSeen, extend, replay
from pbem.ledger.ledger import Ledger
from pbem.ledger.playing import answer_rules
from pbem.turn import joining, open_game, take_turn
from pbem.turn import joining as invitations
from pbem.turn.draft_entry import DraftEntry
from pbem.turn.draft_lines import Intent
from tests.support.homes import make_home

SEA = (TRIPOLI_ZONE, ALGIERS_ZONE, TANGIER_ZONE, TUNIS_ZONE)
Choose = Callable[[Game, Ask, list[Answer]], Answer]


def careless(chance: random.Random) -> Choose:
    """Any legal answer."""
    return lambda game, ask, answers: answers[int(chance.random() * len(answers))]


def careful(chance: random.Random) -> Choose:
    """Mostly sends frigates on patrol and plays events, so that the war lasts until its later
    years."""

    def weight(game: Game, answer: Answer) -> float:
        assert isinstance(game, Solitaire)
        verb = answer.option[0]
        if verb == "sail":
            _, count, source, target = answer.option
            if source == TRIPOLI_ZONE:
                return 0.01
            return 20.0 * count if target == TRIPOLI_ZONE else 0.5 if target in SEA else 0.1
        if verb in ("event", "move"):
            return 6.0
        return 1.5

    def choose(game: Game, ask: Ask, answers: list[Answer]) -> Answer:
        weights = [weight(game, answer) for answer in answers]
        at = chance.random() * sum(weights)
        for answer, share in zip(answers, weights, strict=True):
            at -= share
            if at < 0:
                return answer
        return answers[-1]

    return choose


def table(
    seed: int, policy: Callable[[random.Random], Choose] = careless, *, told: bool = False
) -> OpenTable:
    """A game in memory, played to its end."""
    chance = random.Random(seed)
    played = OpenTable(RULES, {}, chance)
    if told:
        played.game.story = []
    played.play(policy(chance))
    return played


# ---- players with homes --------------------------------------------------------------------------


class Deciding(DraftEntry):
    """A draft whose answers a policy gives."""

    policy: Choose

    def choose(self, position: Game, ask: Ask) -> Answer | None:
        return self.policy(position, ask, legal_answers(ask, self.faces()))


def home_of(folder: Path, name: str) -> Home:
    """A home with an identity and no mail address."""
    return make_home(folder / name, name, "")


def key_of(home: Home) -> str:
    return b64(home.identity().public)


def invite(home: Home, witness: Home | None = None) -> bytes:
    """Entry 0 of a solitaire game."""
    chosen: Mapping[str, int] = {"witness": 1} if witness else {}
    witnesses = [key_of(witness)] if witness else []
    new = invitations.NewGame("tripoli-solitaire", options=chosen, witnesses=witnesses)
    return invitations.invite(home, new)


def join(home: Home, data: bytes) -> bytes:
    return joining.join(open_game.open_file(data, home), home)


def write(home: Home, data: bytes, choose: Choose | None = None, **what: Any) -> bytes:
    """The next entry of this home's player."""
    return _write(open_game.open_file(data, home), choose, **what)


def _write(opened: open_game.OpenFile, choose: Choose | None = None, **what: Any) -> bytes:
    if choose is not None:
        opened.begin = lambda _typed, ordered=(): _drafted(opened, choose, ordered)  # type: ignore[method-assign]
    return take_turn.finish(opened, take_turn.answer(opened, Intent(**what)))


def _drafted(opened: open_game.OpenFile, choose: Choose, ordered: Sequence[str]) -> DraftEntry:
    """As `SeatedFile.begin`, but the policy answers."""
    game = replay(opened.file)
    assert opened.seat is not None
    draft = Deciding(game, opened.seat, opened.secrets(), (), ordered)
    draft.policy = choose
    answer_rules(game.begun(), draft)
    return draft


def play_on(data: bytes, homes: Sequence[Home], choose: Choose) -> bytes:
    """Write entries until nothing is left to write; the seat whose turn it is finds its home among
    these. Each entry is verified once, for all of them."""
    game, seen = Ledger(), LastSeen()
    while True:
        for entry in turnfile.read(data).entries[len(game.entries) :]:
            extend(game, seen, entry)
        if (turn := game.to_act()) is None:
            return data
        key = game.player_of(turn).key
        home = next(home for home in homes if home.identity().public == key)
        with patch.object(open_game, "follow", lambda *_: (game, seen)):
            opened = open_game.open_file(data, home)
        data = _write(opened, choose)
