"""What the page of a game tells: the report for its player, the board, and the turn that is being
made."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from pbem import english
from pbem.fileformat.attached import AttachedFile, read_line
from pbem.fileformat.encoding import fingerprint
from pbem.games import registry
from pbem.games.descriptor import OrderChoice
from pbem.games.desk import Desk
from pbem.games.faces import CardFace
from pbem.games.stage import as_json
from pbem.home.game_index import short_name
from pbem.home.home import Home
from pbem.ledger.ledger import Ledger
from pbem.report import facts as report_facts
from pbem.report import seat_names
from pbem.report.history import entries
from pbem.report.model import CardFacts, EntryFacts, Report, names_of
from pbem.report.parts import Part
from pbem.table import drawing, home_page
from pbem.table.choices import Choice, Group, choices_of, desk_of, grouped, steps_of
from pbem.table.film import Offer, offer
from pbem.table.home_page import in_words
from pbem.table.open_games import OpenGame, page_name
from pbem.turn import game_list, preparing
from pbem.turn.ahead import AheadDraft
from pbem.turn.draft import Draft
from pbem.turn.draft_entry import PublicOrder
from pbem.turn.inbox import seat_open_to
from pbem.turn.open_game import HomeFile, SeatedFile
from pbem.turn.own_report import facts_at, own_faces, with_files
from pbem.turn.questions import Point
from pbem.turn.recent_entries import RecentEntries, recent_entries
from pbem.turn.signing import next_step, stem

_SHORT = 8
"""The longest word that fits on a small card, in letters."""
MAX_LISTED = 3000
"""Answers that are made into buttons. Where there are more, some stand as examples, and the answer
is typed."""


class Given(NamedTuple):
    """Answers that were given one after the other and say one thing: as one `sentence`, with the
    pieces of all of them, and how often it says it (`times`). `back` is how many answers have to be
    taken back to be rid of it."""

    sentence: str
    times: int
    answers: Sequence[str]
    back: int


@dataclass(frozen=True)
class TurnFacts:
    """The turn in the making. `steps` are the ways to move pieces one by one and `desk` the
    controls of the game, as JSON; `lines` are the other ways of playing it that were tried, by
    number and answers; `problems` say what is wrong with the message or the note; `plans` and
    `joint_plans` are those that it seals, `opens` the numbers of those that it opens. `ahead`:
    nothing is signed, and answers to turns to come are played: "theirs" or "own" is next (empty: it
    is a turn); `may_keep` those that were played. `prepared` are those that go with the turn."""

    question: str
    groups: Sequence[Group]
    steps: str
    desk: str
    count: int
    listed: int
    shapes: Sequence[str]
    answers: Sequence[str]
    given: Sequence[Given]
    lines: Sequence[tuple[int, str]]
    chosen: int
    may_sign: bool
    offer: str
    draw: str
    may_draw: bool
    message: str
    note: str
    problems: Mapping[str, str]
    files: Sequence[AttachedFile]
    may_plan: bool
    plans: Sequence[str]
    joint_plans: Sequence[str]
    opens: Sequence[str]
    may_note: bool
    orders: Sequence[tuple[int, str]]
    public_orders: Sequence[PublicOrder]
    topics: Sequence[str]
    choices: Sequence[OrderChoice]
    outcome: EntryFacts | None
    ahead: str
    may_keep: bool
    prepared: Sequence[str]


@dataclass(frozen=True)
class JoinFacts:
    """A free seat that is open to the player: who invites, with the fingerprint to compare.
    `asks_name`: the player has not said what they are called. `called`: the name of this one game,
    if it has one, as a league's games have."""

    seat: str
    inviter: str
    fingerprint: str
    asks_name: bool
    called: str


class NextGame(NamedTuple):
    """Another game that waits for the player: its page, and what it is in words."""

    page: str
    words: str


@dataclass(frozen=True)
class Reply(Part):
    """What the page answers once to what the player did. `unkept` are texts that came with it and
    are not part of the turn, `entered` what else was written in a form that was refused; `signed`:
    an entry was signed; `clock_in_doubt`: none was, since the clock may be wrong."""

    refusal: str = ""
    clock_in_doubt: bool = False
    unkept: Mapping[str, str] = field(default_factory=dict)
    entered: Mapping[str, str] = field(default_factory=dict)
    said: str = ""
    signed: bool = False
    sent: str = ""
    confirm: str = ""
    preview: Sequence[str] = ()


@dataclass(frozen=True, kw_only=True)
class GamePage:
    """Everything on the page of a game: the `report` for its player, what they may do, and the
    `reply` to what they did (`signed` there: also whenever no entry is being made). `name`
    is the game's name in addresses; `news` is what has happened since the player decided last;
    `state` is yours, theirs or over. `mark` goes with each button, so that a page which is out of
    date answers nothing by mistake; `said` is read out by a screen reader. `film` is the film on
    offer; it begins at once (`film_now`), or by itself whenever there is something new
    (`film_starts`). `signed`: the player's newest entry is in the files that were `written`, and no
    other is being made. `unsent`: that entry was not sent from this home to everybody whom it
    concerns, nor noted as sent; `last_sent`: when a mail of it may have gone out all the same
    (seconds since 1970; 0: never). `letter` is its mail among these files, which lie in the folder
    of the table if `is_here`. `next_game` is another game that waits for the player, while this one
    does not. `may_prepare`: answers to turns to come can be played ahead. `is_new`: they have
    decided nothing in this game yet, and may not know it."""

    report: Report
    reply: Reply
    news: RecentEntries
    film: Offer | None
    film_now: bool
    film_starts: bool
    name: str
    short: str
    state: str
    mark: str
    reports: bool
    drawn: drawing.PageBoard
    open_cards: Sequence[CardFacts]
    faces: Mapping[str, CardFace]
    small_cards: bool
    turn: TurnFacts | None
    joining: JoinFacts | None
    notices: Sequence[str]
    written: Sequence[str]
    next_step: str
    next_game: NextGame | None
    letter: str
    may_prepare: bool
    is_here: bool
    can_send: bool
    unsent: bool
    last_sent: float
    is_new: bool


def page(
    game: OpenGame,
    reply: Reply,
    home: Home,
    *,
    can_send: bool,
    unsent: bool,
    last_sent: float,
    with_picture: bool,
    film_starts: bool,
) -> GamePage:
    """The page of a game as it stands now. `with_picture`: the board is a picture as well, since
    the page may be read without scripts."""
    draft = game.draft
    point = None if draft is None else draft.point()
    report = _report(game, point)
    desk = desk_of(point, names_of(report.position.players)) if point is not None else None
    choices = choices_of(point, desk) if point is not None else []
    notices, game.notices = game.notices, []
    news = recent_entries(game.opened, report, None if draft is None else draft.start().entry)
    film, is_alone = offer(game, news), not game.opened.ledger.invitation.is_witnessed()
    return GamePage(
        report=report,
        reply=replace(reply, signed=reply.signed or bool(reply.sent) or draft is None),
        news=news,
        film=film,
        film_now=film is not None and film.is_new and (film_starts or (reply.signed and is_alone)),
        film_starts=film_starts,
        name=game.name,
        short=short_name(game.opened.ledger),
        state=_state(report, point),
        mark=game.mark(),
        # a hand stands where the question of a report would be
        reports=registry.descriptor(report.about.game).reports and not report.position.hand,
        drawn=drawing.board(game, point, report, with_picture=with_picture),
        faces=report_facts.faces_of(report.about.game),
        small_cards=_are_small(game.opened.ledger.rules.cards),
        open_cards=_open_cards(game, point, report, choices),
        turn=None if draft is None else _turn(draft, report, choices, desk),
        joining=_joining(game, home),
        notices=notices,
        written=(written := _files(game, unsent=unsent)),
        next_step=next_step(game.opened.ledger, "turn") if written else "",
        next_game=_next_game(game, home) if draft is None else None,
        letter=next((name for name in written if name.endswith(".eml")), ""),
        may_prepare=_may_prepare(game, point),
        is_here=game.written is not None,
        can_send=can_send,
        unsent=unsent,
        last_sent=last_sent,
        is_new=game.opened.is_new_to_player() and (point is None or not point.line.answers),
    )


def _may_prepare(game: OpenGame, point: Point | None) -> bool:
    opened, draft = game.opened, game.draft
    if not isinstance(opened, SeatedFile) or isinstance(draft, AheadDraft) or opened.stale:
        return False
    if point is None:
        return opened.ledger.playing is not None and preparing.is_possible(opened)
    return point.may_sign and preparing.is_possible(opened)


def _state(report: Report, point: Point | None) -> str:
    over = report.progress.over
    if over is not None and not over.unproven:
        return "over"
    return "theirs" if point is None else "yours"


def _report(game: OpenGame, point: Point | None) -> Report:
    draft = None if point is None else point.entry
    facts = facts_at(game.opened, draft, moves=())
    if game.written is not None and not facts.position.entries:
        # the turn that was signed here: what came of it
        newest = len(game.opened.ledger.entries) - 1
        brought = entries(game.opened.ledger, newest, own_faces(game.opened))
        facts = facts.with_entries([with_files(game.opened, one) for one in brought])
    if facts.position.hand:
        facts = replace(facts, cards=_hand(game, point, facts.position.hand))
    return facts


def _hand(game: OpenGame, point: Point | None, hand: Sequence[str]) -> list[CardFacts]:
    """Each card of the hand, as often as it is held, with what it does and needs now."""
    if point is None:
        return [report_facts.described(game.opened.ledger.rules, name) for name in hand]
    known = report_facts.described_in_hand(
        point.entry.ledger, game.opened.seat, point.entry.faces(), hand
    )
    return [known[name] for name in hand]


def _are_small(names: Sequence[str]) -> bool:
    """Whether the name of every card fits on a small card."""
    return all(len(word) <= _SHORT for name in names for word in name.split())


def _open_cards(
    game: OpenGame, point: Point | None, report: Report, choices: Sequence[Choice]
) -> list[CardFacts]:
    """The cards that answers are about and that are not in the player's hand, such as open ones and
    those of a discard."""
    if point is None:
        return []
    held, rules = set(report.position.hand or ()), point.entry.ledger.rules
    named = dict.fromkeys(name for choice in choices for name in choice.cards if name not in held)
    faces = point.entry.faces()
    return [
        report_facts.described_now(
            point.entry.ledger, game.opened.seat, faces, rules.cards.index(name)
        )
        if name in rules.cards
        else CardFacts(rules.name, name, "")
        for name in named
    ]


def _turn(draft: Draft, report: Report, choices: Sequence[Choice], desk: Desk | None) -> TurnFacts:
    point = draft.point()
    line, ledger = point.line, point.entry.ledger
    sentences = [choice.sentence for choice in choices]
    begun = sum(len(entry.lines) for entry in entries(draft.start().entry.ledger, draft.number, {}))
    outcome = next(
        (entry for entry in report.position.entries if entry.number == draft.number), None
    )
    if outcome is not None:  # what was there before any answer is no news of these
        outcome = replace(outcome, lines=outcome.lines[begun:])
    others = [
        (number, "; ".join(tried.answers) or "nothing yet")
        for number, tried in enumerate(draft.lines)
        if number != draft.chosen
    ]
    return TurnFacts(
        question=point.question,
        groups=grouped(choices[:MAX_LISTED]),
        steps=steps_of(point),
        desk="" if desk is None else json.dumps(as_json(desk), ensure_ascii=False),
        count=len(choices),
        listed=min(len(choices), MAX_LISTED),
        shapes=ledger.rules.shapes(sentences)[:12] if len(choices) > MAX_LISTED else (),
        answers=line.answers,
        given=[
            one._replace(sentence=seat_names.said(ledger, one.sentence))
            for one in _given(line.answers, _joins(report))
        ],
        lines=others,
        chosen=draft.chosen,
        may_sign=point.may_sign,
        offer=point.offer,
        draw=line.draw,
        may_draw=not point.offer
        and not ledger.is_over()
        and len(ledger.invitation.keyed_seats()) > 1,
        message=line.message,
        note=line.note,
        problems={name: in_words(error) for name, error in draft.problems_of_texts().items()},
        files=[read_line(text, "") for text in line.files],
        may_plan=not ledger.is_over() and len(ledger.deciding()) > 1,
        plans=line.plans,
        joint_plans=line.joint_plans,
        opens=line.opens,
        may_note=not ledger.is_over() and ledger.begun().owes_root(point.entry.seat),
        orders=list(enumerate(line.orders)),
        public_orders=draft.public_orders(),
        topics=_topics(ledger, point),
        choices=draft.order_choices(),
        outcome=outcome if outcome is not None and outcome.lines else None,
        ahead=("theirs" if draft.is_theirs() else "own") if isinstance(draft, AheadDraft) else "",
        may_keep=isinstance(draft, AheadDraft) and draft.may_keep(),
        prepared=line.prepared,
    )


def _joins(report: Report) -> bool:
    """Whether a number at the start of an answer is one of pieces, not one that was reported."""
    return not registry.descriptor(report.about.game).reports


def _given(answers: Sequence[str], joins: bool) -> list[Given]:
    """The answers, those that say one thing as one."""
    found: list[Given] = []
    for at, answer in enumerate(answers):
        count, what = _numbered(answer)
        last = found[-1] if joins and found else None
        if last is None or _numbered(last.sentence)[1] != what:
            found.append(Given(answer, 1, (answer,), len(answers) - at))
        elif count:
            total = _numbered(last.sentence)[0] + count
            found[-1] = last._replace(sentence=f"{total} {what}", answers=(*last.answers, answer))
        else:
            found[-1] = last._replace(times=last.times + 1, answers=(*last.answers, answer))
    return found


def _numbered(answer: str) -> tuple[int, str]:
    """The number of pieces that an answer begins with, 0 where it does not, and the rest."""
    first, _, rest = answer.partition(" ")
    return (int(first), rest) if first.isdecimal() and rest else (0, answer)


def _topics(ledger: Ledger, point: Point) -> Sequence[str]:
    return (
        ()
        if ledger.is_over() or len(ledger.invitation.keyed_seats()) < 2
        else ledger.rules.order_topics(point.entry.seat)
    )


def _joining(game: OpenGame, home: Home) -> JoinFacts | None:
    opened, ledger = game.opened, game.opened.ledger
    if not isinstance(opened, HomeFile) or opened.seat is not None:
        return None
    if (seat := seat_open_to(ledger, opened.identity.public)) is None:
        return None
    inviter = ledger.player_of(ledger.invitation.host)
    return JoinFacts(
        ledger.seats[seat],
        inviter.name,
        fingerprint(inviter.key),
        home_page.is_unnamed(home),
        ledger.invitation.title,
    )


@dataclass(frozen=True)
class LogPage:
    """Everything that happened in a game, entry by entry, under the names of its page."""

    report: Report
    name: str


def log_page(game: OpenGame) -> LogPage:
    """The whole log of a game, as far as its player may read it."""
    everything = entries(game.opened.ledger, 0, own_faces(game.opened))
    told = [with_files(game.opened, one) for one in everything]
    return LogPage(_report(game, None).with_entries(told), game.name)


def _next_game(game: OpenGame, home: Home) -> NextGame | None:
    """Of the games that wait for the player, the one that has waited longest."""
    opened = game.opened
    if not isinstance(opened, HomeFile):
        return None
    listed = game_list.games(home, opened.identity, but=opened.ledger.game_id).games
    waiting = [one for one in listed if one.yours and one.seat and one.over is None]
    if not waiting:
        return None
    first = waiting[0]
    others = english.listed([one.name for one in first.opponents])
    words = f"{first.title} with {others}" if others else first.title
    if len(waiting) > 1:
        words += f" ({len(waiting)} wait for you)"
    return NextGame(page_name(first.game, bytes.fromhex(first.game_id)), words)


def _files(game: OpenGame, *, unsent: bool) -> Sequence[str]:
    """The names of the files that were written last, the turn file first. Of a turn that was signed
    earlier and is `unsent`: the names of the files that can be had of it."""
    written = game.written
    if written is not None:
        return [path.name for path in (written.file, written.summary, written.mail) if path]
    name = stem(game.opened.ledger)
    return [f"{name}.toml", f"{name}.eml"] if unsent else []
