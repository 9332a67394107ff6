"""The games that can be begun, as boxes on a shelf: what the table shows to somebody who chooses
one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pbem.games import registry
from pbem.games.descriptor import CommandOption, GameDescriptor
from pbem.games.introduction import pitch


@dataclass(frozen=True)
class GameOffer:
    """A game that can be begun: its seats by name, and its options. `alone`: one player has all the
    seats; `reports`: it is played beside the printed game; `setup`: a text to fill in, for a game
    that players bring themselves."""

    game: str
    title: str
    seats: Sequence[str]
    options: Sequence[CommandOption]
    alone: bool
    reports: bool
    setup: str = ""


class Box(NamedTuple):
    """A game and how it can be begun: with a friend, alone, or both. `game` names its
    picture; `pitch` says in one line what one does in it."""

    game: str
    title: str
    pitch: str
    friend: GameOffer | None
    alone: GameOffer | None


def offers() -> list[GameOffer]:
    """Every game that is installed and whole; what a newcomer can begin with stands first."""
    return sorted(map(_offer, registry.usable()), key=lambda offer: offer.reports)


def _offer(name: str) -> GameOffer:
    descriptor, seats = registry.descriptor(name), registry.usual_seats(name)
    options = [option for option in descriptor.options if not option.plays]
    return GameOffer(
        name,
        registry.title(name),
        seats,
        options,
        len(seats) == 1,
        descriptor.reports,
        _setup(descriptor),
    )


def _setup(descriptor: GameDescriptor) -> str:
    """What the game's only file to fill in says; empty where it has none, or several."""
    if len(descriptor.data) != 1:
        return ""
    path = descriptor.templates / "data" / f"{descriptor.data[0]}.txt"
    return path.read_text(encoding="utf-8")


def boxes(offered: Sequence[GameOffer]) -> list[Box]:
    """A box for each game. A game that is played alone and is named after another one (`NAME-...`)
    lies in the box of that; boxes that nobody has to be asked for stand
    first, and what needs the printed game last."""
    friends = {one.game: one for one in offered if not one.alone}
    alone = {one.game: one for one in offered if one.alone}
    both = {
        name: next((one for one in alone if one.startswith(f"{name}-")), "") for name in friends
    }
    made = [_box(offer, offer, alone.get(both[name])) for name, offer in friends.items()]
    made += [_box(offer, None, offer) for name, offer in alone.items() if name not in both.values()]
    return sorted(made, key=lambda box: (_reports(box), box.alone is None, box.title))


def _box(shown: GameOffer, friend: GameOffer | None, alone: GameOffer | None) -> Box:
    name = shown.game
    return Box(name, shown.title, pitch(name), friend, alone)


def _reports(box: Box) -> bool:
    return any(offer is not None and offer.reports for offer in (box.friend, box.alone))
