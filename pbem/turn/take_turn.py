"""Writing a turn: the entry is drafted from what the player entered; or, if it was signed before,
the same bytes are given again.

In a game that one player plays alone nobody else writes between two of their entries, and each dice
roll or drawn card takes an entry of its own (docs/format.md, section 6). An entry in which they
decide nothing is then signed without a question; it is kept, verified and written as every other.

`draft` and `closing` make an entry that decides nothing, as a program may write it by itself
(`pbem.watch`): what is owed, or the word that a seat has seen the end."""

from __future__ import annotations

import secrets as random_source
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from engine.flow import Ambiguous, Answer, Ask, Illegal, NotUnderstood, Refusal, Seal
from engine.rules import Game
from pbem.english import numbered
from pbem.errors import Conflict, Do, PbemError, Refused, RulesBroken
from pbem.fileformat import turnfile
from pbem.fileformat.turnfile import Entry
from pbem.home import attached_files
from pbem.home.home import Home
from pbem.ledger.gate import SEEN, replay
from pbem.ledger.ledger import Ledger
from pbem.ledger.playing import UnfinishedEntry, answer_rules, close_entry, run_entry
from pbem.turn import draft_lines, open_game, plans, prepared, preparing, signing
from pbem.turn.draft_entry import DraftEntry
from pbem.turn.draft_lines import Intent
from pbem.turn.extras import check_message, fields_of, utc_day
from pbem.turn.open_game import HomeFile, OpenFile, SeatedFile
from pbem.turn.questions import (
    ANSWER_OFFER,
    check_answers,
    check_asked,
    check_turn,
    open_question,
    options,
    refused,
    seated,
)
from pbem.turn.signing import WrittenTurn, sign, unsigned


def asks_nothing(opened: OpenFile) -> bool:
    """Whether the next entry is one of a game played alone, and leaves its player nothing to
    decide."""
    if opened.ledger.invitation.is_witnessed() or opened.stale:
        return False
    draft = opened.draft()
    return draft is not None and open_question(draft) is None


def write_turns(
    data: bytes, folder: Path, home: Home, *, mail: bool = True
) -> tuple[WrittenTurn, bytes]:
    """Write the files of an entry that was just signed. In a game that is played alone, also sign
    and write the entries after it that leave nothing to decide. Returns the files of the newest
    one, with the story of all of them, and its bytes. Raises as `signing.write_signed` and
    `next_entry` do: what is written by then stays."""
    written = signing.write_signed(data, folder, home, mail=mail)
    if written.game.invitation.is_witnessed():
        return written, data
    stories = [written.story]
    while asks_nothing(opened := open_game.open_file(data, home)):
        signing.look_before_signing(opened, home, folder)
        data = next_entry(opened, Intent())
        written = signing.write_signed(data, folder, home, mail=mail)
        stories.append(written.story)
    return written._replace(story="\n".join(filter(None, stories))), data


def next_entry(opened: OpenFile, intent: Intent) -> bytes:
    """The next turn file with what its player says; if this entry was signed before, the same bytes
    again."""
    before = signed_before(opened, intent)
    if before is not None:
        return before
    return finish(seated(opened), answer(opened, resolved(opened, intent)))


def tried_entry(opened: OpenFile, intent: Intent) -> Ledger:
    """The game as it would be after the next entry with what its player says; nothing is signed. If
    that entry was signed before, the game after it."""
    before = signed_before(opened, intent)
    if before is not None:
        return replay(turnfile.read(before))
    return ledger_after(opened, answer(opened, resolved(opened, intent)))


def resolved(opened: OpenFile, intent: Intent) -> Intent:
    """What the player says, with "answer" to a draw turned into what it means now. Raises
    `Refused`."""
    return replace(intent, draw=resolved_draw(opened, intent.draw))


def ledger_after(opened: OpenFile, draft: DraftEntry) -> Ledger:
    """The game as it would be after this draft, to be looked at; nothing is signed."""
    return unsigned(draft, opened.file.data, random_source.token_bytes(32))


def resolved_draw(opened: OpenFile, draw: str) -> str:
    """What "answer" means now: accept the offer that stands, or make one. Raises `Refused`."""
    if draw != "answer" or opened.ledger.offer is not None:
        return "accept" if draw == "answer" else draw
    if "draw" in opened.ledger.rules.vocabulary():
        hint = (
            Do("play", "FILE", "draw", when="to draw a card"),
            Do("draw", "FILE", "--offer", when="to offer a draw"),
        )
        raise Refused(
            "in this game to draw is a move, and this would offer to end the game", hint=hint
        )
    return "offer"


def answer(opened: OpenFile, intent: Intent) -> DraftEntry:
    """The draft of the next entry with these answers, complete but for its signature.

    Raises `Refused` if it is not this player's turn, an answer is not taken, or more is needed.
    """
    if opened.may_close():
        return _closing(opened, intent)
    own = check_turn(opened)
    if intent.prepared:
        preparing.check_may(own)
    beside = fields_of(intent, opened.ledger, own.seat)
    if intent.draw not in ("accept", "decline") and not intent.resign:
        check_asked(opened.ledger, intent.answers)
    try:
        draft = own.begin(intent.answers, intent.orders)
        draft.draw, draft.resigns = intent.draw, intent.resign
        game = draft.ledger
        check_answers(draft)
        is_over = game.is_over()
        if is_over and (intent.draw or intent.resign):
            raise Refused("the game is over")
        _close(opened, draft)
    except (NotUnderstood, Illegal, Ambiguous) as error:
        raise refused(error) from error
    if intent.orders and is_over:
        opened.warnings.append(
            "the game is over with this turn: no standing order was written into it"
        )
    opened.warnings += [
        *draft.giveaways,
        *(f'your order has given the answer "{given}" already' for given in draft.repeated),
    ]
    if intent.draw == "offer" and game.offer is None and not game.is_over():
        raise Refused(
            "an offer of a draw would lapse at once: chance follows this turn, and the others would"
            " see it first",
            hint=(
                "offer it in a turn that needs no dice after it, or alone on your turn",
                Do("draw", "FILE", "--offer", does="does"),
            ),
        )
    if intent.message:
        check_message(intent.message)
        draft.fields["message"] = intent.message
    draft.fields.update(beside)
    draft.note = intent.note
    draft.plans = [*plans.said(intent)]
    draft.opens = plans.opened(intent, opened.ledger.plans, own.seat)
    draft.prepared = preparing.prepared_with(own, intent)
    return draft


def _closing(opened: OpenFile, intent: Intent) -> DraftEntry:
    """The entry that says that the player's program has verified the end, with their message if
    they wrote one."""
    if intent != Intent(message=intent.message):
        raise Refused(
            "the game is over: all that you can still sign is that you have seen the end, and a"
            " message"
        )
    draft = closing(opened)
    if intent.message:
        check_message(intent.message)
        draft.fields["message"] = intent.message
    return draft


def _close(opened: OpenFile, draft: DraftEntry) -> None:
    """Run what an entry holds after its answers. Raises `Refused` where it ends too early, or in a
    way that is not allowed."""
    try:
        close_entry(draft.ledger.begun(), draft)
    except UnfinishedEntry:
        raise _what_is_missing(draft) from None
    except RulesBroken as error:
        hint = ANSWER_OFFER if opened.ledger.offer is not None else error.hint
        raise Refused(error.what, hint=hint) from error


def finish(
    opened: HomeFile, draft: DraftEntry, note: Callable[[bytes], object] = lambda _data: None
) -> bytes:
    """Sign the draft and remember the next turn file; its bytes. `note` is called with them just
    before. Raises `Refused` unless the files that go with it lie in the home as they were
    chosen."""
    going = draft.fields.get("files", [])
    assert isinstance(going, list)
    attached_files.check_chosen(opened.memory.folder, draft.number, going)
    verified, nonce = (opened.ledger, opened.seen), random_source.token_bytes(32)
    data = sign(
        draft,
        opened.identity,
        opened.memory,
        opened.file.data,
        nonce,
        opened.checks,
        verified,
        note,
    )
    opened.checks.keep()
    draft_lines.forget(opened.memory)
    attached_files.forget_chosen(opened.memory.folder, draft.number, going)
    _leave(opened, data, draft.prepared)
    return data


def _leave(opened: HomeFile, data: bytes, branches: Sequence[prepared.Branch]) -> None:
    """Keep what was prepared with a turn that is signed. The turn counts, so what goes wrong is
    only told."""
    if not branches:
        return
    try:
        file = turnfile.read(data)
        gone = prepared.leave(opened.memory, file, branches)
    except PbemError as error:
        opened.warnings.append(f"the turn is signed, but nothing is prepared: {error}")
        return
    opened.warn(
        prepared.replaced(gone),
        f"prepared: {' | '.join(prepared.in_words(prepared.left_in(opened.memory, file)))}",
    )


def signed_before(opened: OpenFile, intent: Intent) -> bytes | None:
    """If the entry that a file waits for was signed before: the same bytes again. Raises `Conflict`
    if something else is asked for now, or if the file is older still."""
    if not opened.stale or not isinstance(opened, HomeFile):
        return None
    number = len(opened.file.entries)
    named = numbered(number, opened.ledger.rules.measure)
    data = opened.memory.signed(number)
    if data is None:
        raise opened.too_old()
    entry = turnfile.read(data).entries[-1]
    opened.stale = False
    if (intent.answers or intent.orders) and not _is_repeated(opened, entry, intent):
        raise Conflict(
            f"you have signed {named} already, with other answers or orders",
            hint=(
                "a turn is signed once",
                Do("play", "FILE", does="without answers writes the signed one again"),
            ),
        )
    draw = entry.text("draw")
    same_draw = draw in ("offer", "accept") if intent.draw == "answer" else draw == intent.draw
    if (intent.draw and not same_draw) or (intent.resign and not entry.text("resign")):
        raise Conflict(
            f"you have signed {named} already, and not as you ask now",
            hint=("a turn is signed once", Do("play", "FILE", does="writes the signed one again")),
        )
    opened.warnings.append(f"{named} was signed before: the same file is written again, as it was")
    # what goes with a turn and can be compared; a note and plans are sealed in it
    beside = {
        "message": intent.message,
        "leave": utc_day(intent.leave) if intent.leave else "",
        "grant": intent.grant,
        "files": [*intent.files],
    }
    lost = [name for name, said in beside.items() if said and entry.fields.get(name) != said]
    if lost:
        left_out = (
            f"the {' and the '.join(lost)} that you give now {'is' if len(lost) == 1 else 'are'}"
            " not in it"
        )
        opened.warnings.append(
            f"{left_out}: a signed turn cannot be changed, so tell it with your next one, or by"
            " mail"
        )
    if intent.prepared and isinstance(opened, SeatedFile):
        file = turnfile.read(data)
        after = replace(opened, file=file, ledger=opened.checked(file), spare=[])
        _leave(opened, data, preparing.prepared_with(after, intent))
    return data


def _is_repeated(opened: HomeFile, entry: Entry, intent: Intent) -> bool:
    """Whether these answers and orders, where any are entered, are those of the entry that was
    signed."""
    try:
        draft = opened.draft(intent.answers, intent.orders)
        if draft is None or draft.remaining:
            return False
        if not draft.ledger.is_over():
            draft.ledger.begun().referee.apply_orders(draft)
    except Refusal:
        return False
    found = draft.contents()
    if intent.answers and _sealed_words(opened, entry) != draft.choices:
        return False
    return (not intent.answers or entry.list("answers") == found["answers"]) and (
        not intent.orders or entry.list("orders") == found["orders"]
    )


def _sealed_words(opened: HomeFile, entry: Entry) -> list[str]:
    """The answers that a signed entry of this player has sealed."""
    data = opened.memory.signed(entry.number) if "choice" in entry.fields else None
    if data is None or not isinstance(opened, SeatedFile):
        return []
    game = opened.checked(turnfile.read(data))
    choices, root = game.begun().referee.choices, opened.secrets().root
    return [
        choices.find_words(root, choice) or ""
        for choice in choices.all
        if choice.entry == entry.number
    ]


def _what_is_missing(draft: DraftEntry) -> Refused:
    """The refusal of an entry that is not complete: the question that is open, with its legal
    answers."""
    ask, game = open_question(draft), draft.ledger
    if ask is None:
        return Refused("an offer of a draw waits for your answer", hint=ANSWER_OFFER)
    listed = list(options(draft))
    first = "; ".join(listed[:12]) + (f"; and {len(listed) - 12} more" if len(listed) > 12 else "")
    prompt = game.begun().referee.game.prompt(ask)
    return MoreNeeded(f"more is needed from you: {prompt}: {first}", list(listed), prompt)


class MoreNeeded(Refused):
    """The answers are legal so far, and the entry is not complete; `options` are the legal next
    ones."""

    def __init__(self, what: str, listed: list[str], prompt: str) -> None:
        super().__init__(
            what,
            hint=(
                "nothing was written",
                "add one of them to what you entered, after a semicolon",
                Do("show", "FILE", '--after "A"', does="shows what comes of A"),
            ),
        )
        self.options = listed
        self.prompt = prompt


class OwedDraft(DraftEntry):
    """A draft that seals nothing, neither what is due nor ahead, and answers and orders nothing,
    not even where one answer is legal: seals move E (docs/format.md, section 6)."""

    def choose(self, position: Game, ask: Ask) -> Answer | None:
        return None

    def seals(self, seal: Seal) -> tuple[bytes, ...] | None:
        return None


def draft(opened: OpenFile) -> OwedDraft:
    """The next entry of this player, complete but for its signature, with what is due and nothing
    that decides.

    Raises `Refused` if it is not this player's turn, or a decision is asked of them: a question
    with one legal answer is a question, and whether one is asked follows from what everybody can
    see after the entry.
    """
    own = check_turn(opened)
    if own.stale:
        raise own.too_old()
    if own.to_play() is None:
        raise Refused("somebody is still to join")
    game = own.copy()
    made = OwedDraft(game, own.seat, own.secrets())
    try:
        answer_rules(game.begun(), made)
        close_entry(game.begun(), made)
    except (RulesBroken, Refusal) as error:
        raise Refused("a decision is asked of you") from error
    return made


def closing(opened: OpenFile) -> OwedDraft:
    """The entry that says that this player's program has verified the end of the game
    (docs/format.md, section 8), complete but for its signature. Raises `Refused` if it is not
    theirs to write now."""
    if not isinstance(opened, SeatedFile) or not opened.may_close():
        raise Refused("the end of this game is not yours to sign now")
    game = opened.copy()
    made = OwedDraft(game, opened.seat, opened.secrets())
    made.fields["end"] = SEEN
    run_entry(game.begun(), made)
    return made
