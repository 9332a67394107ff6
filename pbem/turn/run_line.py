"""Where a tried line of answers leads: a draft of the whole entry, run on a copy of the game
(`in_making`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from engine.flow import Answer, Refusal
from engine.orders import short_topic, split_order
from pbem.errors import PbemError, Refused, RulesBroken
from pbem.games.descriptor import OrderChoice
from pbem.ledger.file_entry import write_order
from pbem.ledger.ledger import Ledger
from pbem.report.facts import order_choices
from pbem.turn import open_game, take_turn
from pbem.turn.draft_entry import Draft
from pbem.turn.extras import fields_of
from pbem.turn.intent import Intent
from pbem.turn.open_game import SeatedFile, open_question, refused


@dataclass(frozen=True)
class Point:
    """Where a line has come to. `draft` is the entry as far as it goes, its ledger the position
    after it.

    `question` is what the player is asked there, `choices` the legal answers by their canonical
    sentences, in the order of the game's list; nothing where nothing is asked. `may_sign`: the
    entry may end here. `offer` is the seat whose offer of a draw is to be answered before anything
    else."""

    line: Intent
    draft: Draft
    question: str
    choices: Mapping[str, Answer]
    may_sign: bool
    offer: str


class Preview(NamedTuple):
    """The game as it will be after the entry, unsigned; its draft; and what its player should know
    before signing."""

    game: Ledger
    draft: Draft
    warnings: Sequence[str]


class PublicOrder(NamedTuple):
    """A standing order as the others will read it, and what it tells them about the hand ("" if
    nothing)."""

    text: str
    giveaway: str


def run_line(opened: SeatedFile, line: Intent) -> Point:
    """Where the line leads, its answers in canonical sentences. Raises `Refused` at one that is not
    taken."""
    if line.answers:
        open_game.check_asked(opened.ledger, line.answers)
    try:
        draft = opened.begin(line.answers, line.orders)
        take_turn.check_answers(draft)
        if line.orders and not draft.ledger.is_over():
            draft.ledger.begun().referee.apply_orders(draft)
    except Refusal as error:
        raise refused(error) from error
    except RulesBroken as error:
        raise Refused(error.what) from error
    ask, game = open_question(draft), draft.ledger
    offer = (
        game.offer
        if game.offer is not None and game.offer.alone and game.to_act() == draft.seat
        else None
    )
    return Point(
        line=replace(line, answers=tuple(draft.said)),
        draft=draft,
        question="" if ask is None or offer else game.begun().referee.game.prompt(ask),
        choices={} if offer else open_game.options(draft),
        may_sign=game.begun().may_end(draft.seat, draft.number) or bool(line.draw),
        offer="" if offer is None else game.seats[offer.seat],
    )


def cut_to_fit(line: Intent, run: Callable[[Intent], Point]) -> tuple[Intent, str]:
    """The line, cut where its answers or orders fit no longer, and a warning that tells what is
    gone ("": nothing). `run` gives where a line leads, or raises `Refused`."""
    try:
        return run(line).line, ""
    except Refused as error:
        reason = error.what
    if not _does_fit(replace(line, answers=()), run):
        line = replace(line, orders=())
    fits, fails = 0, len(line.answers) + 1  # so many answers fit, and so many do not
    while fails - fits > 1:
        middle = (fits + fails) // 2
        if _does_fit(replace(line, answers=line.answers[:middle]), run):
            fits = middle
        else:
            fails = middle
    gone = "; ".join(line.answers[fits:])
    cut = replace(line, answers=line.answers[:fits])
    found = run(cut).line if _does_fit(cut, run) else replace(line, answers=(), orders=(), draw="")
    return (
        found,
        f"what you tried no longer fits{f', and is gone: {gone[:200]}' if gone else ''}: {reason}",
    )


def _does_fit(line: Intent, run: Callable[[Intent], Point]) -> bool:
    try:
        run(line)
    except PbemError:
        return False
    return True


def orders_of(draft: Draft) -> list[PublicOrder]:
    """The orders of a draft; what several of them tell together stands last, without a text."""
    orders = [
        PublicOrder(write_order(draft.ledger.decks, order), giveaway)
        for order, giveaway in draft.given
    ]
    known = {order.giveaway for order in orders}
    return [
        *orders,
        *(PublicOrder("", giveaway) for giveaway in draft.giveaways if giveaway not in known),
    ]


def order_choices_of(draft: Draft) -> list[OrderChoice]:
    """The choices that stand beside this entry; none where the game is over."""
    if draft.ledger.is_over():
        return []
    playing = draft.ledger.begun()
    in_force = dict(playing.referee.book.by_seat[draft.seat])
    in_force |= {order.topic: order for order, _ in draft.given}
    return order_choices(playing, draft.seat, in_force)


def without_topic(draft: Draft, orders: Sequence[str], text: str) -> tuple[str, ...]:
    """These orders but for those about the topic of another one: of two in one entry only one can
    count."""
    topic = _topic(draft, text)
    return tuple(order for order in orders if not topic or _topic(draft, order) != topic)


def check_beside(opened: SeatedFile, line: Intent) -> None:
    """Raise `Refused` unless the entry may hold the message, the note, the absence and the days
    that a line gives."""
    if line.message:
        take_turn.check_message(line.message)
    fields_of(line, opened.ledger, opened.seat)


def problems_of_texts(opened: SeatedFile, line: Intent) -> dict[str, Refused]:
    """Why the entry may not hold the message or the note of a line, under these names."""
    found: dict[str, Refused] = {}
    for name, alone in (
        ("message", Intent(message=line.message)),
        ("note", Intent(note=line.note)),
    ):
        try:
            check_beside(opened, alone)
        except Refused as error:
            found[name] = error
    return found


def still_allowed(opened: SeatedFile, line: Intent) -> tuple[Intent, str]:
    """A line of an earlier day without an absence that is past by now, and days that can be given
    no more; and a warning that says so ("": nothing is left out)."""
    try:
        check_beside(opened, replace(line, message="", note=""))
    except Refused as error:
        return replace(line, leave="", grant=0), error.what
    return line, ""


def with_said(line: Intent, said: Intent, draft: Draft) -> Intent:
    """A line with all else that another one says of the entry besides answers; of two orders about
    one topic the new one stays."""
    orders = line.orders
    for order in said.orders:
        orders = (*without_topic(draft, orders, order), order)
    return replace(
        line,
        orders=orders,
        message=said.message or line.message,
        draw=said.draw or line.draw,
        note=said.note or line.note,
        leave=said.leave or line.leave,
        grant=said.grant or line.grant,
    )


def _topic(draft: Draft, text: str) -> str:
    """The topic of an order as the game spells it; empty for one that is not understood."""
    try:
        return (
            short_topic(text) or split_order(text, draft.ledger.rules.order_topics(draft.seat))[0]
        )
    except Refusal:
        return ""
