"""The commands of a led turn, and what each of them does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from engine.words import tokens
from pbem.cli.guided import words
from pbem.cli.guided.display import TurnDisplay
from pbem.cli.guided.narrowing import MOST, Item, Level, Narrowing
from pbem.cli.guided.screen import Screen
from pbem.cli.guided.words import candidates
from pbem.english import counted, size
from pbem.errors import Refused
from pbem.games import registry
from pbem.home import attached_files
from pbem.turn import extras, preparing
from pbem.turn.draft import Draft
from pbem.turn.draft_entry import PublicOrder
from pbem.turn.draft_lines import Intent, answers_in
from pbem.turn.questions import Point

_MOST_ORDERS = 12
"""Orders that are listed one by one."""


class Left(Exception):
    """The player leaves the turn unsigned."""


class Steps:
    """The commands of one turn. Each raises `Refused` or `Conflict`, and the turn stands as
    before."""

    def __init__(self, draft: Draft, display: TurnDisplay, screen: Screen) -> None:
        self._draft = draft
        self._display = display
        self._screen = screen
        self._narrowing: Narrowing | None = None
        self._at: Point | None = None
        """The point whose question it parts."""

    def do(self, given: words.Input) -> None:
        """Do what a line says. Raises `Left` where the player leaves."""
        (COMMANDS[given.command].do if given.command else Steps._answer)(self, given.rest)

    def choose_ahead(self, text: str) -> None:
        """Take the way of this number out of what can be chosen for the turns to come."""
        ways = [
            (order, nth == choice.chosen)
            for choice in self._draft.order_choices()
            for nth, (_, order) in enumerate(choice.ways)
        ]
        order, is_chosen = ways[_number(text, len(ways), "choice")]
        if not is_chosen:
            self._draft.order(order)

    def level(self) -> Level:
        """The short question that is asked now."""
        return self._narrowed().level

    def _narrowed(self) -> Narrowing:
        """The short questions of the point where the line is now."""
        point = self._draft.point()
        if self._narrowing is None or self._at is not point:
            self._narrowing, self._at = Narrowing(point, self._display.fits), point
        return self._narrowing

    def offer(self, text: str) -> bool:
        """Ask which of the answers it is to be that the last of these words fit; False if they are
        too many."""
        found = candidates(text.rpartition(";")[2], list(self._draft.point().choices))
        if not 1 < len(found) <= MOST or ";" in text:
            return False
        self._narrowed().offer(found)
        return True

    def _answer(self, rest: str) -> None:
        if not rest:
            return
        item = self._item(rest)
        if item is not None and item.opens is not None:
            self._narrowed().choose(item.opens)
            return
        before = self._draft.point()
        given = self._draft.answer(*(answers_in(rest) if item is None else [item.sentence]))
        after = self._draft.point()
        for number, sentence in enumerate(given, len(after.entry.said) - len(given)):
            only = " (the only answer)" if number in after.entry.only else ""
            self._screen.show(f"> {sentence}{only}", style="bold")
        if not after.is_complete():  # else it is told before the signature
            self._display.came(before, after)

    def _item(self, text: str) -> Item | None:
        """What is offered under this number, or by this name where it is no answer by itself; None
        for answers in words. Raises `Refused` at a number that is none."""
        items = self.level().items
        if text.isdecimal():
            return items[_number(text, len(items), "answer")]
        if any(tokens(sentence) == tokens(text) for sentence in self._draft.point().choices):
            return None
        named = [item for item in items if tokens(item.words) == tokens(text)]
        if not named and not self._is_answer(text):
            matches = candidates(text, [item.words for item in items])
            named = [item for item in items if item.words in matches]
        return named[0] if len(named) == 1 else None

    def _is_answer(self, text: str) -> bool:
        try:
            self._draft.what_if(*answers_in(text))
        except Refused:
            return False
        return True

    def _back(self, rest: str) -> None:
        if not rest and self._narrowed().back():
            return
        gone = self._draft.back(_number(rest, 1000, "answer") + 1 if rest else 1)
        self._screen.show(f"Taken back: {'; '.join(gone)}")

    def _what_if(self, rest: str) -> None:
        text = _named(rest, "what if ANSWER")
        item = self._item(text)
        if item is not None and item.opens is not None:
            raise Refused(f"{item.words} is no whole answer: choose it, then ask what if")
        then = self._draft.what_if(*(answers_in(text) if item is None else [item.sentence]))
        answers = then.line.answers[len(self._draft.line.answers) :]
        self._screen.show(f"What if: {'; '.join(answers)}", style="bold")
        self._display.what_if(self._draft.point(), then)

    def _drop_order(self, rest: str) -> None:
        self._draft.drop_order(_number(rest, len(self._draft.line.orders), "order"))

    def _order(self, rest: str) -> None:
        if not rest:
            self._about_orders()
            return
        fresh = self._draft.order(rest)
        self._screen.show("The others will read:" if fresh else "The order is left out again.")
        self._show_orders(fresh)
        if fresh and not any(order.giveaway for order in fresh):
            self._screen.show("It tells nothing about your hand.")

    def _about_orders(self) -> None:
        """What orders can be about, those in force, and those of this line."""
        draft = self._draft.point().entry
        rules = draft.ledger.rules
        rows = words.order_rows(rules, draft.seat)
        self._screen.show(
            "Orders, as in order TOPIC: WHAT" if rows else "This game takes no standing orders."
        )
        self._screen.pairs(rows)
        self._display.advice(self._draft.point())
        standing = draft.ledger.begun().referee.book.by_seat[draft.seat]
        if standing:
            self._screen.show(f"In force with this turn: {'; '.join(standing)}")
        for number, text in enumerate(self._draft.line.orders, 1):
            self._screen.show(f"{number:>3}  {text}")
        self._show_orders([order for order in self._draft.public_orders() if order.giveaway])

    def _show_orders(self, orders: Sequence[PublicOrder]) -> None:
        for order in orders[:_MOST_ORDERS]:
            for line in (order.text, order.giveaway):
                if line:
                    self._screen.show(f"  {line}")
        if len(orders) > _MOST_ORDERS:
            self._screen.show(f"  and {len(orders) - _MOST_ORDERS} more")

    def _message(self, rest: str) -> None:
        if not rest:
            self._screen.show("Your message, line by line; an empty line ends it.")
            given = []
            while line := self._screen.ask("| "):
                given.append(line.rstrip())
            rest = "\n".join(given)
        self._draft.say(rest)
        self._screen.show(
            "The message goes with the turn." if rest else "No message goes with the turn."
        )

    def _draw(self, what: str) -> None:
        self._draft.draw(what)
        if what == "offer" and self._draft.point().question:
            self._screen.show(
                "A draw is offered with this turn. Answer on, or sign: alone it takes a round trip."
            )

    def _note(self, rest: str) -> None:
        self._draft.note(rest)
        self._tell(Intent(note=rest))
        if not rest:
            self._screen.show("No note goes with the turn.")

    def _away(self, rest: str) -> None:
        self._draft.away(rest)
        until = (
            "No absence is announced."
            if not rest
            else f"The others will read that you are away until {rest}."
        )
        self._screen.show(until)
        self._tell(Intent(leave=rest))

    def _grant(self, rest: str) -> None:
        self._draft.grant(_days(rest))
        given = counted(self._draft.line.grant, "day")
        self._screen.show(
            f"The turn gives the others {given} on the clock." if rest else "No days are given."
        )

    def _plan(self, rest: str) -> None:
        self._draft.seal(rest)
        self._tell_plans(rest)

    def _plan_together(self, rest: str) -> None:
        self._draft.seal_together(rest)
        self._tell_plans(rest)

    def _tell_plans(self, rest: str) -> None:
        line = self._draft.line
        self._tell(Intent(plans=line.plans, joint_plans=line.joint_plans))
        if not rest:
            self._screen.show("No such plan is sealed in the turn.")

    def _open_plan(self, rest: str) -> None:
        self._draft.open_plans(*rest.replace(",", " ").split())
        self._tell(Intent(opens=self._draft.line.opens))
        self._screen.show(f"The turn opens plan {rest}." if rest else "The turn opens no plan.")

    def _prepare(self, rest: str) -> None:
        if rest and " then " not in f" {rest.casefold()} ":
            self._what_if(rest)
            return
        said = self._draft.prepare(rest)
        for branch in said:
            self._screen.show(f"Prepared: {branch}")
        if said:
            self._screen.show("It stays in your home, and is signed by itself when it fits.")
        elif not rest:
            self._screen.show("Nothing is prepared with this turn.")

    def _file(self, rest: str) -> None:
        if rest:
            chosen = attached_files.chosen(Path(rest).expanduser())
            self._draft.attach(chosen)
            self._screen.show(f"{chosen.file.name}, {size(chosen.file.size)}, goes with the turn.")
        else:
            for _ in self._draft.line.files:
                self._draft.detach(0)
            self._screen.show("No file goes with the turn.")

    def _tell(self, said: Intent) -> None:
        """What becomes of what goes with the entry."""
        for line in extras.consequences(
            said, self._draft.opened.ledger, self._draft.point().entry.seat
        ):
            self._screen.show(line)

    def _lines(self, _rest: str = "") -> None:
        for number, line in enumerate(self._draft.lines, 1):
            mark = ">" if number - 1 == self._draft.chosen else " "
            more = [counted(len(line.orders), "order")] if line.orders else []
            more += ["a message"] if line.message else []
            more += ["a note"] if line.note else []
            plans = len(line.plans) + len(line.joint_plans)
            more += [counted(plans, "sealed plan")] if plans else []
            more += [f"opens plan {', '.join(line.opens)}"] if line.opens else []
            more += [counted(len(line.files), "file")] if line.files else []
            more += ["prepared answers"] if line.prepared else []
            more += [f"away until {line.leave}"] if line.leave else []
            more += [f"{counted(line.grant, 'day')} for the others"] if line.grant else []
            self._screen.show(
                f"{mark}{number:>2}  {'; '.join([*line.answers, *more]) or 'nothing yet'}"
            )

    def _help(self, _rest: str) -> None:
        gone = {*self._not_here(), "help"}
        self._screen.show(words.HELP_FIRST)
        self._screen.pairs(
            [
                (f"{name} {one.takes}".strip(), one.what)
                for name, one in COMMANDS.items()
                if name not in gone
            ]
        )

    def _not_here(self) -> Iterator[str]:
        """Commands that are about what this game, or this turn, has not."""
        point, line = self._draft.point(), self._draft.line
        game, seat = point.entry.ledger, point.entry.seat
        if not self._display.has_hand(point):
            yield "hand"
        if registry.descriptor(game.rules.name).card_texts is None:
            yield "card"
        if not game.rules.order_topics(seat):
            yield "order"
        if not line.orders:
            yield "drop order"
        if len(game.invitation.keyed_seats()) < 2:
            yield from ("message", "file", "plan", "away", "offer draw", "mail")
        if len(game.deciding()) < 2:
            yield "plan together"
        if not game.plans.closed(seat):
            yield "open plan"
        if game.is_over() or not game.begun().owes_root(seat):
            yield "note"
        if game.clock.terms is None:
            yield "grant"
        if preparing.why_none(game):
            yield "if"
        if not point.offer:
            yield from ("accept draw", "decline draw")
        if not line.draw:
            yield "no draw"
        if len(self._draft.lines) < 2:
            yield from ("lines", "line", "drop line")

    def _new_line(self, _rest: str = "") -> None:
        if self._draft.line.is_empty():
            raise Refused("this line is new: nothing was tried on it yet")
        self._draft.begin_line()

    def _choose_line(self, rest: str) -> None:
        self._draft.choose_line(_number(rest, len(self._draft.lines), "line"))

    def _drop_line(self, rest: str) -> None:
        self._draft.drop_line(_number(rest, len(self._draft.lines), "line"))
        self._lines()

    def _by_the_guide(self, _rest: str) -> None:
        """The guide shows and signs the entry before a line comes here."""

    def _quit(self, _rest: str) -> None:
        raise Left


def _number(text: str, count: int, what: str) -> int:
    """The number that was entered, from 0. Raises `Refused` if it is none, or there are not so
    many."""
    if not (text.isdecimal() and text.isascii() and 1 <= int(text[:9]) <= count):
        raise Refused(
            f'there is no {what} "{text[:20]}": they are numbered 1 to {count}'
            if count
            else f"there is no {what}"
        )
    return int(text) - 1


def _days(text: str) -> int:
    """A number of days; 0 for none. Raises `Refused`."""
    if text and not (text.isdecimal() and text.isascii() and len(text) < 6):
        raise Refused(f'"{text[:20]}" is no number of days', hint="as in: grant 7")
    return int(text or 0)


def _named(rest: str, usage: str) -> str:
    if not rest:
        raise Refused(f"more belongs to it: {usage}")
    return rest


class LedCommand(NamedTuple):
    """A command of a led turn: what goes with it, what it is for, and what is done at it."""

    takes: str
    what: str
    do: Callable[[Steps, str], None]


COMMANDS: Mapping[str, LedCommand] = {
    "goal": LedCommand(
        "",
        "how one wins, and what else there is to know of this game",
        lambda turn, _rest: turn._display.goal(turn._draft.point()),
    ),
    "back": LedCommand("[N]", "take the last answer back, or the last N", Steps._back),
    "what if": LedCommand(
        "ANSWER", "see what an answer would bring; nothing is taken", Steps._what_if
    ),
    "list": LedCommand(
        "[WORDS]",
        "every legal answer, or those with these words",
        lambda turn, rest: turn._display.all_answers(turn._draft.point(), rest),
    ),
    "story": LedCommand(
        "",
        "all that happened since your last turn, and who plays",
        lambda turn, _rest: turn._display.story(turn._draft.point()),
    ),
    "board": LedCommand(
        "",
        "the whole board as it stands now",
        lambda turn, _rest: turn._display.board(turn._draft.point()),
    ),
    "hand": LedCommand(
        "",
        "your cards: what each does, and what is legal now",
        lambda turn, _rest: turn._display.hand(turn._draft.point()),
    ),
    "card": LedCommand(
        "NAME",
        "what a card does",
        lambda turn, rest: turn._display.hand(turn._draft.point(), _named(rest, "card NAME")),
    ),
    "order": LedCommand(
        "[TOPIC: WHAT]", "leave a standing order; alone: what they are about", Steps._order
    ),
    "drop order": LedCommand("N", "leave the order with this number out again", Steps._drop_order),
    "message": LedCommand(
        "[TEXT]", "a message to the others; alone: in several lines", Steps._message
    ),
    "note": LedCommand("[TEXT]", "a private note in the turn, open to all at the end", Steps._note),
    "plan": LedCommand(
        "[TEXT]", "seal a plan, which nobody reads before you open it; alone: none", Steps._plan
    ),
    "plan together": LedCommand(
        "[WORD: TEXT]",
        "seal one that opens when all have sealed one with this word; alone: none",
        Steps._plan_together,
    ),
    "open plan": LedCommand(
        "[N]", "open your sealed plan of this number, or all; alone: none", Steps._open_plan
    ),
    "if": LedCommand(
        "[THEIRS then YOURS]",
        "what you answer if they play that, signed when it comes; alone: nothing",
        Steps._prepare,
    ),
    "file": LedCommand(
        "[FILE]", "a file that goes with the turn, of any kind; alone: none goes", Steps._file
    ),
    "away": LedCommand("[DAY]", "you are away until this day, as in 2026-12-31", Steps._away),
    "grant": LedCommand("[DAYS]", "give the others so many days on the clock", Steps._grant),
    "offer draw": LedCommand(
        "", "offer a draw with this turn", lambda turn, _rest: turn._draw("offer")
    ),
    "accept draw": LedCommand(
        "", "accept the draw that is offered", lambda turn, _rest: turn._draw("accept")
    ),
    "decline draw": LedCommand("", "decline it", lambda turn, _rest: turn._draw("decline")),
    "no draw": LedCommand(
        "", "say nothing of a draw after all", lambda turn, _rest: turn._draft.draw("")
    ),
    "new line": LedCommand("", "try another way from the start of the turn", Steps._new_line),
    "lines": LedCommand("", "the ways of playing it that you have tried", Steps._lines),
    "line": LedCommand("N", "go on with one of them", Steps._choose_line),
    "drop line": LedCommand("N", "forget one", Steps._drop_line),
    "preview": LedCommand("", "your turn, and what the others will read", Steps._by_the_guide),
    "mail": LedCommand(
        "",
        "the mail as the others will get it",
        lambda turn, _rest: turn._display.mail(turn._draft.preview()),
    ),
    "sign": LedCommand("", "sign the turn, after one question", Steps._by_the_guide),
    "quit": LedCommand("", "leave the turn unsigned; what you tried is kept", Steps._quit),
    "help": LedCommand("", "this list", Steps._help),
}
"""Every command, in the order in which `help` lists them."""
