"""What a player is asked at the position of a draft, what they may answer, and why an answer, or an
entry at all, is refused, in their words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from engine.flow import Ambiguous, Answer, Ask, Illegal, NotUnderstood, Refusal
from engine.notation import sentences, strange_word
from engine.rules import Rules
from pbem.errors import Do, Hint, Refused, RulesBroken, Typed
from pbem.ledger.ledger import Ledger, player_names
from pbem.report import seat_names
from pbem.turn.draft_entry import DraftEntry
from pbem.turn.draft_lines import Intent
from pbem.turn.open_game import OpenFile, SeatedFile


@dataclass(frozen=True)
class Moves:
    """What a seat may answer now: the legal answers by their sentences, whether the entry is
    complete as it is, and the question in words."""

    seat: str
    options: Sequence[str]
    complete: bool
    prompt: str


def moves(opened: OpenFile, answers: Sequence[str]) -> Moves:
    """What this player may answer after the entered answers.

    Raises `Refused` if it is not their turn, or if a draw is to be answered first; `Conflict` if
    the file is old."""
    own = check_turn(opened)
    if own.stale:
        raise own.too_old()
    check_asked(opened.ledger, answers)
    try:
        draft = own.begin(answers)
    except (NotUnderstood, Illegal, Ambiguous) as error:
        raise refused(error) from error
    check_answers(draft)
    ask, game = open_question(draft), draft.ledger
    prompt = game.begun().referee.game.prompt(ask) if ask is not None else ""
    complete = ask is None and game.begun().may_end(draft.seat, draft.number)
    return Moves(game.seats[draft.seat], list(options(draft)), complete, prompt)


def options(draft: DraftEntry) -> dict[str, Answer]:
    """The legal answers of the draft's seat at the question that is open, by their sentences; none
    if none is. Cards come in the order of the game's own list, whenever they were drawn."""
    if (ask := open_question(draft)) is None:
        return {}
    faces, ask = draft.faces(), draft.arranged(ask)
    # of equal cards the one to be used stays first
    hand = tuple(sorted(ask.hand, key=lambda handle: faces[handle]))
    game = draft.ledger.begun().referee.game
    return sentences(draft.ledger.rules, game, ask._replace(hand=hand), faces)


def open_question(draft: DraftEntry) -> Ask | None:
    """The question that waits for an answer of the draft's own seat."""
    game = draft.ledger.begun()
    if game.is_over() or game.referee.turn.waits_for() != draft.seat:
        return None
    request = game.referee.turn.request
    return request if isinstance(request, Ask) and request.seat == draft.seat else None


ANSWER_OFFER = ("accept or decline it", Do("draw", "FILE", does="accepts, --decline declines"))
"""What is to be done where a draw is offered."""

_RESIGN = Do("resign", "FILE", does="gives the game up")

_DRAW = Do("draw", "FILE", does="offers a draw, accepts or declines one")

_BACK = (
    "what is signed stays",
    Do(
        "play",
        "FILE",
        does="leads you through the turn, and back takes an answer back",
        when="before that",
    ),
)

_HELP = (Do("moves", "FILE", does="lists what is legal"), Do("help commands", does="every command"))

_SHOW = Do("show", "FILE", does="shows where the game is")

_COMMANDS: Mapping[str, Hint] = {
    **dict.fromkeys(("resign", "surrender", "concede", "give", "abandon"), _RESIGN),
    **dict.fromkeys(("draw", "offer", "accept", "decline"), _DRAW),
    **dict.fromkeys(("undo", "back", "takeback", "oops", "revert"), _BACK),
    **dict.fromkeys(("help", "moves", "list", "options"), _HELP),
    **dict.fromkeys(("show", "board", "status", "hand", "position"), _SHOW),
    **dict.fromkeys(("story", "log", "history"), Do("log", "FILE", does="tells the whole story")),
    **dict.fromkeys(
        ("message", "say", "chat", "tell"),
        Typed('a message goes beside the answers: --message "TEXT"'),
    ),
    "note": Typed('a note goes beside the answers: --note "TEXT"'),
    "order": Typed('a standing order goes beside the answers: --order "TOPIC: WHAT"'),
    **dict.fromkeys(
        ("away", "holiday", "leave"),
        Do("play", "FILE", "--leave-until", "DAY", does="says that you are away"),
    ),
    "grant": Do("play", "FILE", "--grant", "DAYS", does="gives the others days on the clock"),
    **dict.fromkeys(
        ("sign", "send", "mail"),
        (Do("play", "FILE", does="signs the turn"), Do("send", "FILE", does="sends it")),
    ),
    "card": Do("card", "NAME", does="tells what a card does"),
    "join": Do("join", "FILE", does="takes a seat"),
}
"""What players enter in place of an answer, by the word that their game does not have: the command
that does it."""


def not_asked(rules: Rules, text: str) -> Refused:
    """The refusal of an answer to which there is no question: words of the game come too early,
    others mean nothing."""
    hint: Hint = (
        "leave it out: your turn is complete without it, and what may still be open is asked after"
        " the reply"
    )
    if (strange := strange_word(rules, text)) is not None:
        hint = _COMMANDS.get(strange, hint)
        what = "it" if text.casefold() == strange else f'"{strange[:40]}"'
        return Refused(
            f'"{text[:80]}" is not understood: {what} is no word of this game', hint=hint
        )
    if not rules.keeps_rules:
        return Refused(
            f'"{text[:80]}" comes too late: your turn ends before it, since dice, cards or somebody'
            " else come first",
            hint="leave it for your next turn; whose turn it is can stand with the dice: roll 3d6"
            " then Ben's turn",
        )
    return Refused(f'"{text[:80]}" answers a question that is not asked yet', hint=hint)


def refused(error: Refusal) -> Refused:
    """A refusal of the rules for the player who entered the answer, with what to do."""
    if isinstance(error, Ambiguous):
        return Refused(str(error), hint="type more of the one you mean")
    hint = _COMMANDS.get(error.strange, Do("moves", "FILE", does="lists what is legal"))
    return Refused(str(error), hint=hint)


def seated(opened: OpenFile) -> SeatedFile:
    """The same file, at the seat of its player. Raises `Refused` if they have none."""
    if isinstance(opened, SeatedFile):
        return opened
    game = opened.ledger
    hint: Hint = (
        Do("join", "FILE")
        if game.to_act() is not None and game.playing is None
        else "use the home you play from"
    )
    raise Refused("this home's key sits in no seat of this game", hint=hint)


def check_turn(opened: OpenFile) -> SeatedFile:
    """The same file, at the seat that writes the next entry. Raises `Refused` unless this player
    does."""
    own, game = seated(opened), opened.ledger
    turn = game.to_act()
    if turn is None:
        raise Refused("the game is over; there is nothing left to write")
    if turn != own.seat:
        if game.players[turn] is None:
            raise Refused("nobody has taken the free seat yet", hint="send the file to an opponent")
        if own.seat in game.left:
            raise Refused("you have left this game, and nothing is asked of you any more")
        hint = (
            "take their file in if it has come",
            Do("inbox", "FOLDER", does="does, or name the file itself"),
        )
        raise Refused(
            f"it is not your turn: the game waits for {player_names(game)[turn]}", hint=hint
        )
    return own


def check_asked(game: Ledger, answers: Sequence[str]) -> None:
    """Raise `Refused` where no answer is asked for: a draw is to be answered, or the game is
    over."""
    if game.offer is not None and game.offer.alone:
        raise Refused("a draw is offered, which is answered first", hint=ANSWER_OFFER)
    if answers and game.is_over():
        raise Refused(
            "the game is over; all that is left is to open your cards for checking",
            hint=("sign the turn without answers", Do("play", "FILE", does="does")),
        )


def check_answers(draft: DraftEntry) -> None:
    """Raise `Refused` if an answer was entered that nothing asks for."""
    if draft.remaining:
        raise not_asked(draft.ledger.rules, draft.remaining[0])


@dataclass(frozen=True)
class Point:
    """Where a line has come to: the `entry` as far as it goes, its ledger the position after
    it.

    `question` is what the player is asked there, `choices` the legal answers by their canonical
    sentences, in the order of the game's list; nothing where nothing is asked. `may_sign`: the
    entry may end here. `offer` is the seat whose offer of a draw is to be answered before anything
    else."""

    line: Intent
    entry: DraftEntry
    question: str
    choices: Mapping[str, Answer]
    may_sign: bool
    offer: str

    def is_complete(self) -> bool:
        """Whether nothing more is asked in this entry."""
        return self.may_sign and (not self.question or self.line.draw in ("accept", "decline"))


def run_line(opened: SeatedFile, line: Intent) -> Point:
    """Where the line leads, its answers in canonical sentences. Raises `Refused` at one that is not
    taken."""
    if line.answers:
        check_asked(opened.ledger, line.answers)
    try:
        entry = opened.begin(line.answers, line.orders)
        check_answers(entry)
        if line.orders and not entry.ledger.is_over():
            entry.ledger.begun().referee.apply_orders(entry)
    except Refusal as error:
        raise refused(error) from error
    except RulesBroken as error:
        raise Refused(error.what) from error
    ask, game = open_question(entry), entry.ledger
    offer = (
        game.offer
        if game.offer is not None and game.offer.alone and game.to_act() == entry.seat
        else None
    )
    return Point(
        line=replace(line, answers=tuple(entry.said)),
        entry=entry,
        question=""
        if ask is None or offer
        else seat_names.said(game, game.begun().referee.game.prompt(ask)),
        choices={} if offer else options(entry),
        may_sign=game.begun().may_end(entry.seat, entry.number) or bool(line.draw),
        offer="" if offer is None else game.seats[offer.seat],
    )
