"""A game as it is shown entry by entry: boards, story, messages and hands, as plain data for a page
or a program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from engine.cards import write_handle
from engine.flow import Card, Handle
from pbem.errors import PbemError
from pbem.ledger import trace_file
from pbem.ledger.gate import PublicView, public_view
from pbem.ledger.ledger import Ledger
from pbem.ledger.signatures import Verifier
from pbem.replay import film
from pbem.report import facts, history, standing
from pbem.report.attached import AttachedFacts
from pbem.report.model import EntryFacts
from pbem.report.render import lines, render


@dataclass(frozen=True)
class SeatShown:
    """A seat and who plays it. `sees` are the seats whose hands its player may see."""

    seat: str
    name: str | None
    by_rules: bool
    sees: list[str]


@dataclass(frozen=True)
class Scene:
    """One entry: what it brought, in words, and what there was to see after it. `hands` are the
    backs in each hand, and `opened` the cards that everybody could read at that time, both by
    handle. `note` is the author's private note, once their root is revealed. `files` are those that
    go with it."""

    number: int
    seat: str
    name: str | None
    date: str
    when: str | None
    message: str
    note: str | None
    deeds: list[str]
    hands: Mapping[str, list[str]]
    opened: Mapping[str, str]
    files: Sequence[AttachedFacts]


@dataclass(frozen=True)
class WholeGame:
    """A game, up to the last entry that holds. `faces` are all cards that are known at its end, by
    handle; `failure` says what is wrong with the entry after the last scene."""

    game: str
    title: str
    game_id: str
    measure: str
    made_with: list[str]
    seats: list[SeatShown]
    scenes: list[Scene]
    faces: Mapping[str, str]
    ending: str | None
    failure: str | None


@dataclass(frozen=True)
class ShownStep:
    """A step of the film: its lines of the story, the pieces that went somewhere, how many rolls
    fell with it, and the backs of the cards that it opened."""

    lines: list[str]
    moves: Sequence[film.Move]
    rolls: int
    opened: list[str]


@dataclass
class _Seen:
    """What there was to see after one entry."""

    view: PublicView | None
    when: str | None
    hands: dict[str, list[str]] = field(default_factory=dict)
    opened: dict[str, str] = field(default_factory=dict)


class Replayed:
    """A turn file that was played through once: the game with its trace, its scenes and its
    boards."""

    def __init__(
        self, data: bytes, own: Path | None = None, verifier: Verifier | None = None
    ) -> None:
        self._seen: list[_Seen] = []
        self._own = own
        self._filming = film.Filming()
        traced = trace_file.trace(data, verifier, self._watch, self._filming)
        self.trace, self.game = traced.trace, traced.game
        self.failure: PbemError | None = traced.failure
        self.entries: list[EntryFacts] = (
            history.entries(self.game, 0, {})[: len(self._seen)] if self._seen else []
        )

    def _watch(self, game: Ledger) -> None:
        self._filming.entry_done(game, None if game.playing is None else facts.asked(game))
        if game.playing is None:
            self._seen.append(_Seen(None, None))
            return
        referee, view = game.playing.referee, public_view(game.playing)
        hands = {
            name: [write_handle(game.decks, back) for back in referee.game.hand(seat)]
            for seat, name in enumerate(game.seats)
            if game.invitation.has_cards(seat)
        }
        self._seen.append(_Seen(view, referee.game.when(), hands, _named(game, referee.faces())))

    def film(
        self, names: Mapping[str, str] | None = None
    ) -> tuple[list[list[ShownStep]], film.Pictures]:
        """The film, entry by entry, and the board after each of its steps. It shows what everybody
        could know at that time, and what was sealed then and is open by now. `names` are names for
        the players, by seat, where the film does not use their own."""
        entries = [
            replace(entry, sealed_note="note" in self.game.entries[entry.number].fields)
            for entry in self.entries
        ]
        by_entry: list[list[ShownStep]] = [[] for _ in self._seen]
        steps = film.cut(
            self.game,
            self._filming.steps(self.game),
            entries,
            lambda entry: self._words("deeds", names, turn=entry),
        )
        drawn = film.draw(self.game, [step for step, _ in steps], names or {})
        for (step, spoken), moves in zip(steps, drawn.moves, strict=True):
            by_entry[step.entry].append(ShownStep(spoken, moves, step.rolls, step.opened))
        return by_entry, drawn

    def ending(self, names: Mapping[str, str] | None = None) -> str | None:
        """How the game ended, in words; `names` as for the film."""
        over = standing.over(self.game)
        return None if over is None else self._words("ending", names, over=over)[0]

    def names(self) -> dict[str, str]:
        """The names of the players by seat, for those whom sentences call by their name."""
        return {
            one.seat: one.called
            for one in facts.players(self.game)
            if one.name is not None and one.called == one.name
        }

    def views(self, number: int) -> tuple[PublicView | None, PublicView | None]:
        """The public position after an entry, and the one before it."""
        return self._seen[number].view, self._seen[number - 1].view if number else None

    def whole_game(self) -> WholeGame:
        """The game, for its page and for JSON. Raises what is wrong with the file if no entry of it
        holds."""
        game = self.game
        if not self._seen:
            assert self.failure is not None
            raise self.failure
        return WholeGame(
            game=game.rules.name,
            title=game.rules.title,
            game_id=game.game_id.hex(),
            measure=game.rules.measure,
            made_with=game.rules.settings_in_words(
                {k: v for k, v in game.settings.items() if k != "unwitnessed"}
            ),
            seats=[self._seat(seat) for seat in range(len(game.seats))],
            scenes=[self._scene(number) for number in range(len(self._seen))],
            faces=_named(game, all_faces(game)),
            ending=self.ending(),
            failure=None if self.failure is None else str(self.failure.what),
        )

    def _seat(self, seat: int) -> SeatShown:
        game = self.game
        player = game.players[seat]
        sees = [
            name
            for other, name in enumerate(game.seats)
            if game.rules.may_see(game.settings, seat, other)
        ]
        by_rules = seat not in game.invitation.keyed_seats()
        return SeatShown(game.seats[seat], None if player is None else player.name, by_rules, sees)

    def _scene(self, number: int) -> Scene:
        seen, entry, record = self._seen[number], self.entries[number], self.game.entries[number]
        deeds = self._words("deeds", turn=entry)
        return Scene(
            number,
            record.seat,
            entry.name,
            record.date,
            seen.when,
            entry.message,
            entry.note,
            deeds,
            seen.hands,
            seen.opened,
            entry.files,
        )

    def _words(
        self, what: str, names: Mapping[str, str] | None = None, **more: object
    ) -> list[str]:
        game = self.game
        players = [
            replace(one, called=(names or {}).get(one.seat, one.called))
            for one in facts.players(game)
        ]
        common = any(deck.owner is None for deck in game.decks)
        template_facts = {
            "what": what,
            "game": game.rules.name,
            "common_deck": common,
            "dice": game.rules.dice,
            **more,
        }
        template_facts |= {"players": players, "has_cards": bool(game.decks)}
        return lines(render("replay/words.txt.j2", template_facts, self._own))


def all_faces(game: Ledger) -> dict[Handle, Card]:
    """Every card that everybody can read or compute now, with those that stayed hidden until the
    roots were revealed."""
    if game.playing is None:
        return {}
    referee = game.playing.referee
    found = {**referee.opened.revealed, **referee.faces()}
    for handle in referee.common.drawers if referee.common is not None else ():
        if referee.common is not None and (card := referee.common.readable(handle)) is not None:
            found[handle] = card
    return found


def _named(game: Ledger, faces: Mapping[Handle, Card]) -> dict[str, str]:
    return {
        write_handle(game.decks, back): game.rules.cards[card]
        for back, card in sorted(faces.items())
    }
