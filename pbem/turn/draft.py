"""A turn in the making: what its player would answer, tried out, taken back and tried again until
it is signed (docs/design.md, "A turn in the making is a draft").

A turn that is led in the terminal and one that is clicked are made here, on the path of entered
answers: every step runs the whole entry on a copy of the game
(`pbem.turn.open_game.SeatedFile.begin`), and the signature is that of `pbem.turn.take_turn`.
Nothing here prints, and nothing is signed but by `Draft.sign`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import NamedTuple

from pbem.errors import PbemError, Refused
from pbem.fileformat.attached import read_line
from pbem.fileformat.characters import normalize_pasted
from pbem.games.descriptor import OrderChoice
from pbem.home import attached_files
from pbem.home.attached_files import ChosenFile
from pbem.ledger.ledger import Ledger
from pbem.report.facts import order_choices
from pbem.turn import extras, plans, prepared, preparing, take_turn
from pbem.turn.draft_entry import DraftEntry, PublicOrder
from pbem.turn.draft_lines import MAX_TEXT, Intent, TriedLines, check_unsigned, new_name
from pbem.turn.open_game import OpenFile, SeatedFile
from pbem.turn.questions import Point, check_turn, run_line


def _without_texts(line: Intent) -> Intent:
    """A line without what is kept though it cannot be signed: it is told before the signature."""
    return replace(line, message="", note="", plans=(), joint_plans=(), opens=(), prepared=())


class Preview(NamedTuple):
    """The game as it will be after the entry, unsigned; the entry; and what its player should know
    before signing."""

    game: Ledger
    entry: DraftEntry
    warnings: Sequence[str]


class Draft:
    """The next entry of the player of an opened game, until it is signed.

    Raises `Refused` or `Conflict` where they have none to write.

    What was tried is kept in the home, also over a restart. `warnings` are for the player, one line
    each; `news` gives those that they have not heard."""

    is_ahead = False
    """Whether it is played ahead (`pbem.turn.ahead`), and no entry."""

    def __init__(self, opened: OpenFile) -> None:
        self.opened = check_turn(opened)
        if opened.stale:
            raise self.opened.too_old()
        self.number = len(opened.file.entries)
        self.warnings: list[str] = []
        self._heard = 0
        self._store = TriedLines(self.opened.memory, self.number, self.warnings)
        self._is_trial = False
        self._points: dict[Intent, Point] = {}
        self._start: Point | None = None
        tried = self._store.read()
        self._tried: dict[str, Intent] = {}
        if tried is None:
            self._add_line()
        else:
            self._tried.update(tried.lines)
            self._name = tried.chosen
        self._set(self._still_allowed(self._cut_to_fit(self.line)), keep=False)

    @property
    def lines(self) -> Sequence[Intent]:
        """The ways of playing the turn that were tried, in the order in which they were begun."""
        return [*self._tried.values()]

    @property
    def line(self) -> Intent:
        """The line that is being tried."""
        return self._tried[self._name]

    @property
    def chosen(self) -> int:
        """Which of `lines` that is."""
        return [*self._tried].index(self._name)

    def point(self) -> Point:
        """Where the line has come to."""
        return self._at(self.line)

    def start(self) -> Point:
        """Where every line of this turn begins: the position after what the seat's entry holds
        anyway."""
        if self._start is None:
            self._start = run_line(self._fresh(), Intent())
        return self._start

    def news(self) -> Sequence[str]:
        """What the player should hear of since this was asked last."""
        news, self._heard = self.warnings[self._heard :], len(self.warnings)
        return news

    def trial(self) -> Draft:
        """The same turn, to look at what a step brings: what is done with it is not kept, and
        leaves this one as it is."""
        made = copy(self)
        made._tried = {**self._tried}
        made.warnings, made._heard = [], 0
        made._is_trial = True
        return made

    # Answers

    def answer(self, *answers: str) -> Sequence[str]:
        """Add answers, in words that may be cut short; their canonical sentences. Raises `Refused`,
        and the line stays as it was."""
        line, before = self.what_if(*answers).line, len(self.line.answers)
        self._set(line)
        return line.answers[before:]

    def what_if(self, *answers: str) -> Point:
        """Where these answers would lead; the line stays as it is. Raises `Refused`."""
        return self._at(replace(self.line, answers=(*self.line.answers, *answers)))

    def back(self, count: int = 1) -> Sequence[str]:
        """Take the last answers back; those that were. Answers that come by themselves, as the only
        ones, go with the one before them. Raises `Refused` if none is left."""
        if not self.line.answers:
            raise Refused("there is no answer to take back")
        kept = max(0, len(self.line.answers) - max(1, count))
        while self._at(replace(self.line, answers=self.line.answers[:kept])).line == self.line:
            if not kept:
                raise Refused("there is no answer to take back")
            kept -= 1
        gone = self.line.answers[kept:]
        self._set(replace(self.line, answers=self.line.answers[:kept]))
        return gone

    # What goes with them

    def order(self, text: str) -> Sequence[PublicOrder]:
        """Add a standing order, in place of one that the line has about the same topic; what it
        gives, as the others will read it: nothing where it only takes back what the line had
        ordered. Raises `Refused`."""
        before, line = self.public_orders(), self.line
        others = self.point().entry.without_topic(line.orders, text)
        point = self._at(replace(line, orders=(*others, text)))
        after = point.entry.public_orders()
        without = self._at(replace(line, orders=others)).entry.public_orders()
        if after == before:
            raise Refused(f'"{text[:80]}" changes nothing: it is in force already')
        self._set(
            self._cut_to_fit(point.line if after != without else replace(point.line, orders=others))
        )
        return [order for order in after if order not in before]

    def order_choices(self) -> Sequence[OrderChoice]:
        """What can be chosen with the line for the turns to come; nothing before it is complete."""
        point = self.point()
        entry = point.entry
        if not (point.may_sign and point.line.answers) or entry.ledger.is_over():
            return ()
        playing = entry.ledger.begun()
        in_force = dict(playing.referee.book.by_seat[entry.seat])
        in_force |= {order.topic: order for order, _ in entry.given}
        return order_choices(playing, entry.seat, in_force)

    def drop_order(self, index: int) -> None:
        """Leave an order of the line out again (from 0); answers that only fitted with it are gone
        as well. Raises `Refused` if there is none of that number."""
        orders = list(self.line.orders)
        if not 0 <= index < len(orders):
            raise Refused("there is no such order")
        del orders[index]
        self._set(self._cut_to_fit(replace(self.line, orders=tuple(orders))))

    def public_orders(self) -> Sequence[PublicOrder]:
        """The orders that the line gives, and what each tells the others."""
        return self.point().entry.public_orders()

    def say(self, message: str) -> None:
        """The message to the others; nothing takes it back. Raises `Refused` for one that no file
        may hold, which is kept all the same: nothing is signed with it, and nothing that somebody
        wrote is lost."""
        self._write(replace(self.line, message=normalize_pasted(message)))

    def note(self, text: str) -> None:
        """A private note of the entry, kept as a message is. Raises `Refused` for one that it
        cannot hold."""
        self._write(replace(self.line, note=normalize_pasted(text)))

    def attach(self, file: ChosenFile) -> None:
        """Let a file go with the turn, in place of one of its name; it is kept in the home from now
        on. Raises `Refused` for one too many, or `Usage`."""
        others = [line for line in self.line.files if read_line(line, "").name != file.file.name]
        listed = (*others, file.file.line())
        extras.check_files(listed)
        attached_files.keep(self.opened.memory.folder, self.number, *file)
        self._set(replace(self.line, files=listed))

    def detach(self, index: int) -> None:
        """Let a file (from 0) not go with the turn. Raises `Refused` if there is none of that
        number."""
        listed = [*self.line.files]
        if not 0 <= index < len(listed):
            raise Refused("there is no such file")
        del listed[index]
        self._set(replace(self.line, files=tuple(listed)))
        named = [line for tried in self.lines for line in tried.files]
        attached_files.forget_chosen(self.opened.memory.folder, self.number, named)

    def seal(self, text: str) -> None:
        """A plan that the turn seals, besides those that it seals already; nothing leaves all of
        them out. Raises `Refused` for one that cannot be sealed."""
        self._set_plans(replace(self.line, plans=self._more(self.line.plans, text)))

    def seal_together(self, text: str) -> None:
        """The same of a plan that opens together with those of others: `winter: I attack`."""
        self._set_plans(replace(self.line, joint_plans=self._more(self.line.joint_plans, text)))

    def open_plans(self, *numbers: str) -> None:
        """Which plans the turn opens, by their numbers, or "all"; nothing: none. Raises `Refused`
        for one that is not closed."""
        self._set_plans(replace(self.line, opens=numbers))

    def prepare(self, text: str) -> Sequence[str]:
        """What the player answers to turns to come, besides what the line says of them already;
        nothing leaves all of it out. Returns all of it in canonical words. Raises `Refused` for
        what cannot be played after this line, or before the line is complete."""
        texts = (*self.line.prepared, normalize_pasted(text)) if text else ()
        line = replace(self.line, prepared=texts)
        if texts and not self.point().may_sign:
            raise Refused("first comes your whole turn, then what you answer to theirs")
        branches = preparing.prepared_with(self._fresh(), line)
        self._set(line)
        return prepared.in_words(prepared.longest(branches))

    @staticmethod
    def _more(listed: tuple[str, ...], text: str) -> tuple[str, ...]:
        return (*listed, normalize_pasted(text)) if text else ()

    def _set_plans(self, line: Intent) -> None:
        plans.check(line, self.opened.ledger, self.opened.seat)
        self._set(line)

    def _write(self, line: Intent) -> None:
        if max(len(line.message), len(line.note)) > MAX_TEXT:
            raise Refused(
                f"this text has more than {MAX_TEXT} characters, and is not kept", hint="shorten it"
            )
        changed = "message" if line.message != self.line.message else "note"
        self._set(line)
        problem = self.problems_of_texts().get(changed)
        if problem is not None:
            raise problem

    def away(self, until: str) -> None:
        """The last day of an absence; nothing takes it back. Raises `Refused` or `Usage` for one
        that cannot be."""
        self._beside(replace(self.line, leave=until))

    def grant(self, days: int) -> None:
        """Days for the others on the clock; 0 takes them back. Raises `Refused` where none can be
        given."""
        self._beside(replace(self.line, grant=days))

    def _beside(self, line: Intent) -> None:
        self._check(_without_texts(line))
        self._set(line)

    def problems_of_texts(self) -> Mapping[str, Refused]:
        """Why the message or the note of the line cannot be signed, under these names."""
        return extras.problems_of_texts(self.line, self.opened.ledger, self.opened.seat)

    def draw(self, what: str) -> None:
        """What is said of a draw: "offer", "accept", "decline", or nothing. Raises `Refused` if it
        may not be."""
        before = self.line
        self._set(replace(before, draw=what), keep=False)
        try:
            if what:
                self.preview()
        except take_turn.MoreNeeded:
            pass  # it is said with answers that are still to come
        except Refused:
            self._set(before, keep=False)
            raise
        self._keep()

    # Several lines

    def take(self, said: Intent) -> None:
        """What a command line says: with answers a line of its own, beside those that were tried
        before; without any what goes with the line as it is. Raises `Refused`, and nothing is
        changed."""
        self._check(said)
        line = self._at(said if said.answers else self._with(said)).line
        if said.answers:
            same = [number for number, other in enumerate(self.lines) if other == line]
            if same:
                self.choose_line(same[0])
                return
            self.begin_line()
        self._set(line)

    def _with(self, said: Intent) -> Intent:
        """The line with all else that another one says of the entry besides answers; of two orders
        about one topic the new one stays."""
        line, orders = self.line, self.line.orders
        for order in said.orders:
            orders = (*self.start().entry.without_topic(orders, order), order)
        beside = {name: value for name, value in vars(said).items() if value}
        return replace(line, **{**beside, "orders": orders})

    def begin_line(self) -> None:
        """Try another line from the start of the turn, beside those that were tried."""
        if not self.line.is_empty():
            self._add_line()
            self._keep()

    def choose_line(self, index: int) -> None:
        """Go on with a line that was tried before. Raises `Refused` if there is none of that number
        (from 0)."""
        self._name = self._name_of(index)
        self._set(self._cut_to_fit(self.line), keep=False)
        self._keep()

    def drop_line(self, index: int) -> None:
        """Forget a line. Raises `Refused`."""
        gone = self._name_of(index)
        self._store.drop(gone)
        del self._tried[gone]
        if not self._tried:
            self._add_line()
        elif gone == self._name:
            self._name = [*self._tried][min(index, len(self._tried) - 1)]
        self._set(self._cut_to_fit(self.line), keep=False)
        self._keep()

    # The end

    def preview(self, *, resign: bool = False) -> Preview:
        """The game after the entry, which is not signed. Raises `Refused` if it cannot be signed as
        it is."""
        opened = self._fresh()
        entry = take_turn.answer(opened, replace(self.line, resign=resign))
        return Preview(take_turn.ledger_after(opened, entry), entry, opened.warnings)

    def sign(self, *, resign: bool = False) -> bytes:
        """Sign the entry and remember it; the next turn file. What was tried is gone then.

        Raises `Refused` if it cannot be signed as it is, `Conflict` if it was signed elsewhere
        meanwhile."""
        check_unsigned(self.opened.memory, self.number)
        return take_turn.next_entry(self._fresh(), replace(self.line, resign=resign))

    # Inside

    def _fresh(self) -> SeatedFile:
        """The opened game with warnings of its own, so that trying again does not repeat them."""
        return replace(self.opened, warnings=[])

    def _at(self, line: Intent) -> Point:
        """Where a line has come to, its answers in canonical words. Raises `Refused`."""
        if line not in self._points:
            point = run_line(self._fresh(), line)
            for old in self._points.keys() - {self.line}:
                del self._points[old]
            self._points |= {line: point, point.line: point}  # a trial's are those of its turn
        return self._points[line]

    def _cut_to_fit(self, line: Intent) -> Intent:
        """The line, cut where its answers or orders fit no longer; a warning tells what is gone."""
        try:
            return self._at(line).line
        except Refused as error:
            reason = error.what
        if not self._fits(replace(line, answers=())):
            line = replace(line, orders=())
        fits, fails = 0, len(line.answers) + 1  # so many answers fit, and so many do not
        while fails - fits > 1:
            middle = (fits + fails) // 2
            if self._fits(replace(line, answers=line.answers[:middle])):
                fits = middle
            else:
                fails = middle
        gone = "; ".join(line.answers[fits:])
        what = f", and is gone: {gone[:200]}" if gone else ""
        self.warnings.append(f"what you tried no longer fits{what}: {reason}")
        cut = replace(line, answers=line.answers[:fits])
        return (
            self._at(cut).line if self._fits(cut) else replace(line, answers=(), orders=(), draw="")
        )

    def _fits(self, line: Intent) -> bool:
        try:
            self._at(line)
        except PbemError:
            return False
        return True

    def _still_allowed(self, line: Intent) -> Intent:
        """A line of an earlier day without an absence that is past by now, and days that can be
        given no more; a warning says so."""
        try:
            self._check(_without_texts(line))
        except Refused as error:
            self.warnings.append(error.what)
            return replace(line, leave="", grant=0)
        return line

    def _check(self, said: Intent) -> None:
        extras.check(said, self.opened.ledger, self.opened.seat)

    def _add_line(self) -> None:
        self._name = new_name()
        self._tried[self._name] = Intent()

    def _name_of(self, index: int) -> str:
        """The name of a line by its number from 0. Raises `Refused` if there is none."""
        if not 0 <= index < len(self._tried):
            raise Refused(f"there is no line {index + 1}: {len(self._tried)} were tried")
        return [*self._tried][index]

    def _set(self, line: Intent, *, keep: bool = True) -> None:
        is_new = line != self.line
        self._tried[self._name] = line
        if keep and is_new:
            self._keep()

    def _keep(self) -> None:
        if self._is_trial:
            return
        check_unsigned(self.opened.memory, self.number)
        self._store.keep(self._tried, self._name)
