"""A game in a few facts: whose turn it is, since when, and what is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.flow import Refusal
from pbem.english import listed
from pbem.errors import PbemError
from pbem.home.game_index import short_name
from pbem.ledger.ledger import Ledger, called
from pbem.report import time
from pbem.report.facts import asked, passes_on
from pbem.report.model import Waiting
from pbem.report.standing import Ending, over, to_act
from pbem.report.time import Absence, ClockFacts
from pbem.turn import open_game
from pbem.turn.inbox import may_join
from pbem.turn.open_game import Opened


@dataclass(frozen=True)
class Seated:
    """Somebody in a seat."""

    seat: str
    name: str


@dataclass(frozen=True)
class GameSummary:
    """A game in a few facts, for the player of the home. `seat` is theirs (null: they are invited
    to the free seat that `to_act` names), `passes_on` who gives the file to the next player while
    somebody is to join, `due` what the game waits for in words, `forked` the files of two versions
    of one entry; `not_sent` says that the newest entry is their own and was not sent from this
    home, `not_taken` names the addresses that a server refused while others have it, `bounced` says
    in words which turns are said not to have arrived. `doubts` tell of names with another key than
    the one known to this home. `clock` and `away` are as in a report; `overdue` is by how many
    seconds the seat that writes next has overrun its clock by now, if the turn arrived when it was
    dated, or was first read here. `measure` is what the game counts itself, `called` the player's
    own name for the game, or else the inviter's."""

    short: str
    game: str
    title: str
    game_id: str
    seat: str | None
    opponents: Sequence[Seated]
    free: Sequence[str]
    when: str
    entry: int
    measure: str
    to_act: str | Sequence[str]
    to_act_name: str | None
    passes_on: Seated | None
    yours: bool
    since: str
    due: str
    offer: str | None
    over: Ending | None
    file: str = ""
    forked: Sequence[str] = ()
    not_sent: bool = False
    not_taken: Sequence[str] = ()
    bounced: Sequence[str] = ()
    doubts: Sequence[str] = ()
    clock: ClockFacts | None = None
    away: Sequence[Absence] = ()
    overdue: int = 0
    called: str = ""

    @property
    def may_write_itself(self) -> bool:
        """Whether turns of the player's may still be written by themselves: a game that is over and
        proven, or that they play alone, has none."""
        is_done = self.over is not None and not self.over.unproven
        return not is_done and bool(self.opponents or self.free)


def summary(game: Ledger, key: bytes, own: str | None = None) -> GameSummary:
    """A game in a few facts, for the player with this key; `own` is what they are asked
    (`decision`). `not_sent` says here that the newest entry is theirs."""
    seat = game.seat_with(key)
    question = asked(game)
    turn = game.to_act()
    invited = seat is None and may_join(game, key)
    keyed = [(number, game.players[number]) for number in game.invitation.keyed()]
    passer = passes_on(game)
    return GameSummary(
        short=short_name(game),
        game=game.rules.name,
        title=game.rules.title,
        game_id=game.game_id.hex(),
        seat=None if seat is None else game.seats[seat],
        opponents=[Seated(game.seats[n], p.name) for n, p in keyed if p is not None and n != seat],
        free=[game.seats[number] for number in sorted(game.free_seats())],
        when=game.playing.referee.game.when()
        if game.playing is not None
        else "players are joining",
        entry=len(game.entries) - 1,
        measure=game.rules.measure,
        to_act=to_act(game),
        to_act_name=question.name if question else None,
        passes_on=None if passer is None else Seated(game.seats[passer], game.seated(passer).name),
        yours=invited or (turn is not None and turn == seat),
        since=game.entries[-1].date,
        due=due_in_words(
            question,
            dict(zip(game.seats, called(game), strict=True)),
            common_deck=game.layers is not None,
            to=None if seat is None else game.seats[seat],
            own=own,
        ),
        offer=None if game.offer is None else game.seats[game.offer.seat],
        over=over(game),
        clock=time.clock(game),
        away=time.absences(game),
        called=game.invitation.called,
        not_sent=seat is not None
        and game.invitation.is_witnessed()
        and game.seat_of(game.entries[-1]) == seat,
    )


def decision(opened: Opened) -> str | None:
    """What the player is asked, once their entry holds what needs no decision; empty if nothing is,
    None where that is told to everybody."""
    game = opened.ledger
    if game.is_over() or (game.offer is not None and game.offer.alone):
        return None
    try:
        draft = opened.draft()
    except (PbemError, Refusal):  # pbem show tells what is wrong; here the public words have to do
        return None
    if draft is None:
        return None
    ask = open_game.open_question(draft)
    return draft.ledger.begun().referee.game.prompt(ask) if ask else ""


def due_in_words(
    question: Waiting | None,
    names: Mapping[str, str],
    *,
    common_deck: bool = False,
    to: str | None = None,
    own: str | None = None,
) -> str:
    """What the game waits for, in the words of `templates/due.txt.j2`. `names` are those by which
    sentences call the players, by seat; `to` is the seat of the reader, and `own` what they are
    asked (`decision`)."""
    from pbem.report import render  # only where a summary is made anew

    seat = question.seat if question is not None else None
    facts = {
        "asked": question,
        "whom": "" if seat is None or seat == to else names.get(seat, seat),
        "readers": listed(names.get(reader, reader) for reader in question.readers)
        if question is not None
        else "",
        "common_deck": common_deck,
        "decision": own,
    }
    return render.render("due.txt.j2", facts).strip()
