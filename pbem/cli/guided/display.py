"""What a turn in the making looks like: the position, the hand, the legal answers, the entry before
it is signed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from pbem.cli import legal
from pbem.cli.guided.narrowing import Level
from pbem.cli.guided.screen import Screen
from pbem.cli.guided.words import candidates
from pbem.english import counted, tallied
from pbem.games import registry
from pbem.games.descriptor import OrderChoice
from pbem.games.faces import ENDS, CardFace
from pbem.home.home import Home
from pbem.ledger.ledger import Ledger
from pbem.report import history, pages, render, terminal
from pbem.report.facts import faces_of, in_words, report
from pbem.report.lines import Line, kind_of
from pbem.report.model import CardFacts, EntryFacts, Report, names_of
from pbem.table.choices import used_once
from pbem.turn import own_report, signing
from pbem.turn.draft import Draft, Preview
from pbem.turn.draft_entry import PublicOrder
from pbem.turn.draft_lines import Intent
from pbem.turn.questions import Point
from pbem.turn.recent_entries import recent_entries

NEWS = 4
"""So many rows of what happened are worth more than a better board."""
CLOSE = 4
"""So many things to choose stand one below the other; more of them in columns."""
_STAR = "★"
"""Stands at what plays or spends a card that ends the game."""
_ONCE = "(once): it is gone then"


@dataclass(frozen=True, kw_only=True)
class PreviewFacts:
    """The public `report` of a game with an entry that is not signed, what this entry `says`, and
    its orders as the others read them."""

    report: Report
    says: Intent
    given: Sequence[PublicOrder]


class DrawnBoard(NamedTuple):
    """A form of the board: what draws it, its rows, and whether it is good only where no other has
    room."""

    draw: Callable[[], None]
    rows: int
    is_last: bool = False


class TurnDisplay:
    """What is shown of one turn, with the player's own templates."""

    def __init__(self, draft: Draft, home: Home, screen: Screen, *, goes_on: bool = False) -> None:
        self._goes_on = goes_on
        self._draft = draft
        self._own = home.folder / "templates"
        self._screen = screen
        self._board: object = None
        """The position whose board was drawn last."""
        self._top = 0
        """So many rows were shown before it."""
        self._told: Sequence[Line] = ()
        """What had happened before this turn's first question, since the own last turn."""

    def begin(self, point: Point, question: Callable[[], None]) -> None:
        """What there is to know before the first question: what happened since the own last turn,
        in at most a third of the screen (all of it after a turn that was signed a moment ago), on
        the first turn how one wins, the board, and the hand where there is room for it."""
        facts, rows_of = self._facts(point), self._screen.rows_of
        height, below = self._screen.height(), rows_of(question) + 1
        has_board = bool(point.question or not point.line.answers)
        boards = self._boards(point, facts) if has_board else []
        good = min((board.rows for board in boards if not board.is_last), default=0)
        few = min((board.rows for board in boards), default=0)
        few = good if height - below - good >= NEWS else few
        room = min(height // 3, max(2, height - below - few))
        title = self._render("opened.txt.j2", facts)
        self._screen.show(title, style="bold")
        is_first = self._draft.opened.is_new_to_player()
        self._happened(facts, room - self._screen.printed - is_first)
        if is_first:
            aim = self._introduction(facts, ("aim",))
            has_room = self._screen.printed + self._rows([aim]) <= room
            self._screen.show(aim if has_room else "goal says how one wins.")
        if has_board:
            self.board(point, below=question, scrolls=False)
        hand = rows_of(lambda: self._hand_by_name(facts))
        if self._screen.printed + hand + below <= height:
            self._hand_by_name(facts)
        if self._screen.printed + 1 + below <= height:
            self._screen.show("Answer by number or words; help lists more.", style="dim")

    def goal(self, point: Point) -> None:
        """What this game is, and where its rules stand."""
        facts = self._facts(point)
        self._screen.show(self._introduction(facts))
        page = pages.of_game(facts.about.game)
        topic = facts.about.game if page is None else page.topic
        self._screen.show(f"pbem help {topic} has the rules, in another terminal.")

    def _introduction(self, facts: Report, parts: Sequence[str] = ()) -> str:
        about = {"game": facts.about.game, "width": min(self._screen.width(), 100), "only": parts}
        return render.render("introduction.txt.j2", about, self._own).rstrip("\n")

    def _happened(self, facts: Report, room: int) -> None:
        """What happened since the own last turn: the newest lines that have room, the rest by a
        word."""
        news = recent_entries(self._draft.opened, facts, self._draft.start().entry)
        self._told = [line for entry in news.whole for line in entry.lines]
        lines = self._lines(facts, news.entries)
        as_before = len(self._lines(facts, news.as_before))
        visible = list(lines)
        more = as_before > 0
        while not self._goes_on and visible and self._rows(visible) + more > room:
            more = True
            del visible[0]
        left_out = []
        if lines and not visible and self._rows(lines[-1:]) <= room:
            visible = lines[-1:]  # worth more than how much there is besides
        elif len(visible) < len(lines):
            left_out.append(f"{counted(len(lines) - len(visible), 'line')} of what happened before")
        if as_before:
            left_out.append(f"{counted(as_before, 'line')} as before")
        if left_out and (room > 0 or self._goes_on):
            self._screen.show(f"{', '.join(left_out)}: story shows all.", style="dim")
        if visible:
            self._screen.show("\n".join(visible))

    def _lines(self, facts: Report, entries: Sequence[EntryFacts]) -> list[str]:
        text = self._render("came.txt.j2", facts.with_entries(entries))
        return [line for line in text.splitlines() if line.strip()]

    def _rows(self, lines: Sequence[str]) -> int:
        return self._screen.rows_of(lambda: self._screen.show("\n".join(lines)))

    def story(self, point: Point) -> None:
        """Everything that happened since the own last turn, and who plays."""
        facts = self._facts(point)
        if not facts.position.witnessed:
            news = recent_entries(self._draft.opened, facts, point.entry)
            facts = facts.with_entries(news.whole)
        self._screen.show(self._render("head.txt.j2", facts))

    def advice(self, point: Point) -> None:
        """What the player has given no orders about."""
        if text := self._render("advised.txt.j2", self._facts(point)).strip("\n"):
            self._screen.show(text)

    def _hand_by_name(self, facts: Report) -> None:
        if facts.position.hand is not None:
            held = ", ".join(tallied(facts.position.hand)) or "no card"
            self._screen.show(f"Your hand: {held} (hand, card NAME: what they do)")

    def board(
        self,
        point: Point,
        before: Mapping[str, object] | None = None,
        *,
        below: Callable[[], None] | None = None,
        scrolls: bool = True,
    ) -> None:
        """Draw the board at this point, in the roomiest form that there is room for between what
        was printed since the last line was entered and what is to stand `below`; else in one that
        fits above that, and what was printed may go up out of sight, for the board is what a
        question is about (where it `scrolls`; else a lesser form comes first). Without `below` it
        was asked for, and is whole. What has changed is marked: since
        `before`; without it by the answers of this turn; and as long as there are none, since the
        player's last turn."""
        facts, opened = self._facts(point), self._draft.opened
        self._board, self._top = facts.position.board, self._screen.printed
        if before is None:
            seen = opened.seen.get(opened.seat, (0, None))[1] if opened.seat is not None else None
            before = self._facts(self._draft.start()).position.view if point.line.answers else seen
        boards = self._boards(point, facts, before)
        if below is None:
            boards[0].draw()
            self._screen.show(self._render("status.txt.j2", facts))
            return
        left = self._screen.height() - 1 - self._screen.rows_of(below)
        beside = left - (self._screen.printed - self._screen.asked)
        good = [board for board in boards if not board.is_last]
        fitting = [board for board in good if board.rows <= beside]
        if not scrolls:
            fitting += [board for board in boards if board.rows <= beside]
        fitting += [board for board in good[-1:] if board.rows <= left]
        fitting += [board for board in boards if board.rows <= left]
        if fitting:
            fitting[0].draw()
            return
        if facts.position.view:
            self._screen.show("The board has no room here: board shows it.", style="dim")

    def _boards(
        self, point: Point, facts: Report, before: Mapping[str, object] | None = None
    ) -> list[DrawnBoard]:
        """The board in each of its forms, the roomiest first; in words where the screen is
        plain."""
        view = facts.position.view
        if not view:
            return [DrawnBoard(lambda: None, 0)]
        names, width = names_of(facts.position.players), self._screen.width()
        if self._screen.is_plain:
            show = partial(self._screen.show, self._render("position.txt.j2", facts))
            return [DrawnBoard(show, self._screen.rows_of(show))]
        told = history.told(point.entry.ledger)
        forms = terminal.boards(facts.about.game, view, before, width, names, told)
        return [
            DrawnBoard(partial(self._screen.draw, form.text), form.rows, form.kind == "last")
            for form in forms
        ]

    def board_if_needed(self, point: Point, below: Callable[[], None]) -> None:
        """The board before a question after the first, unless it stands on the screen as it is now;
        a plain screen waits to be asked."""
        if self._screen.is_plain or not self._screen.asked:
            return
        rows = self._screen.printed - self._top + self._screen.rows_of(below) + 1
        if self._facts(point).position.board != self._board or rows > self._screen.height():
            self.board(point, below=below)

    def what_if(self, point: Point, then: Point) -> None:
        """What answers would bring: deeds, and the board with what they change."""
        self.came(point, then)
        if not self._screen.is_plain and self._facts(then).position.board != self._board:
            kept = self._board
            self.board(then, self._facts(point).position.view, below=lambda: None)
            self._board, self._top = kept, 0
        if then.question:
            self._screen.show(f"Then you would be asked: {then.question}")
        elif then.may_sign:
            self._screen.show("Then your turn would be complete.")
        self._screen.show("Nothing is changed by this.", style="dim")

    def came(self, before: Point, after: Point) -> None:
        """What the answers between two points brought, in the words of the game."""
        known, facts = len(self._deeds(before)), self._facts(after)
        last = [entry for entry in facts.position.entries if entry.number == self._draft.number]
        fresh = [replace(entry, lines=self._changed(entry.lines, known)) for entry in last]
        if lines := self._lines(facts, fresh):
            self._show_folded(lines, 1, self._screen.height() // 3)

    def _changed(self, lines: Sequence[Line], known: int) -> list[Line]:
        """The lines after so many, but for those that only tell again how something stands."""
        standing = registry.descriptor(self._draft.opened.ledger.rules.name).standing
        told, found = [*self._told, *lines[:known]], list[Line]()
        for line in lines[known:]:
            if kind_of(line) not in standing or line not in told:
                found.append(line)
            told.append(line)
        return found

    def _show_folded(self, lines: Sequence[str], first: int, room: int) -> None:
        """Lines in so many rows: the first ones, which tell what the player did themselves, and as
        many of the last as there is room for."""
        last = list(lines[first:])
        while (
            last and self._rows([*lines[:first], *last]) + (len(last) + first < len(lines)) > room
        ):
            del last[0]
        self._screen.show("\n".join(lines[:first]))
        if more := len(lines) - first - len(last):
            self._screen.show(f"{counted(more, 'line')} more: story shows all.", style="dim")
        if last:
            self._screen.show("\n".join(last))

    def has_hand(self, point: Point) -> bool:
        """Whether the player holds cards in this game."""
        return self._facts(point).position.hand is not None

    def hand(self, point: Point, wanted: str = "") -> None:
        """The cards of the hand with their texts, and whether each is legal now, or only those that
        `wanted` names; copies stand once, with how many there are. Of a hand whose texts have no
        room on one screen the beginning of each text, with what can be done with the card now."""
        cards = self._cards(point, wanted)
        if not cards:
            self._screen.show("You hold no card.")
            return
        copies = Counter(self._facts(point).position.hand or ())
        titles = [
            one.name if copies[one.name] < 2 else f"{copies[one.name]} × {one.name}"
            for one in cards
        ]
        whole = zip(titles, map(in_words, cards), strict=True)
        text = "\n".join("\n".join([title, *said.split("\n")[1:]]) for title, said in whole)
        if wanted or self._screen.is_plain or self._rows([text]) + 2 <= self._screen.height():
            self._screen.show(text)
            return
        room = self._screen.width() - max(map(len, titles)) - 4
        faces = faces_of(point.entry.ledger.rules.name)
        briefly = [_shortened(_brief(facts, faces.get(facts.name)), room) for facts in cards]
        self._screen.pairs(list(zip(titles, briefly, strict=True)))
        self._screen.show("card NAME has the text of one, and why not now.", style="dim")

    def question(self, point: Point, level: Level) -> None:
        """What is asked now, and what can be chosen."""
        asked = level.chosen or f"You are asked: {point.question}"
        how = level.question.casefold() if level.chosen else level.question
        between = ": " if level.chosen else ". "
        self._screen.show(between.join(filter(None, (asked, how))), style="bold")
        faces = faces_of(point.entry.ledger.rules.name)
        ends = [name for name, face in faces.items() if ENDS in face.marks]
        stars = [any(name in item.words for name in ends) for item in level.items]
        once = [used_once(point, item.sentence) for item in level.items]
        rows = [
            (number, item.words + f" {_STAR}" * star + " (once)" * is_once)
            for number, (item, star, is_once) in enumerate(
                zip(level.items, stars, once, strict=True), 1
            )
        ]
        self._screen.numbered(rows, close=len(rows) > CLOSE)
        marks = [f"{_STAR}: {ENDS} as an event"] * any(stars) + [_ONCE] * any(once)
        if marks:
            self._screen.show("   ".join(marks))
        if point.may_sign and not level.chosen:
            self._screen.show("sign ends the turn here.", style="dim")

    def fits(self, sentences: Sequence[str]) -> bool:
        """Whether so many answers leave the board its room."""
        rows = list(enumerate(sentences, 1))
        taken = self._screen.rows_of(lambda: self._screen.numbered(rows, close=len(rows) > CLOSE))
        return self._screen.is_plain or taken <= max(6, self._screen.height() // 5)

    def all_answers(self, point: Point, words: str = "") -> None:
        """Every legal answer, or those with these words."""
        sentences = list(point.choices)
        found = candidates(words, sentences, len(sentences)) if words else sentences
        if not found:
            self._screen.show("No legal answer has these words.")
            return
        self._screen.columns(found)

    def order_choices(self, choices: Sequence[OrderChoice]) -> None:
        """What can be chosen for the turns to come, each way by the number that chooses it."""
        number = 0
        for choice in choices:
            self._screen.show(f"{choice.title}:")
            for nth, (words, _) in enumerate(choice.ways):
                number += 1
                mark = "*" if nth == choice.chosen else " "
                self._screen.show(f"{mark}{number:>2}  {words}")
        if number:
            self._screen.show("A number chooses; the one with * counts until you change it.")

    def entry(self, preview: Preview) -> None:
        """What the entry says, and what comes of it as the others will read it."""
        game = preview.game
        public = report(game, None, game.public_faces(), self._draft.number)
        position = public.position
        if not position.witnessed:  # nobody reads it, and what came before the answers was told
            known = len(self._deeds(self._draft.start()))
            public = public.with_entries(
                [replace(one, lines=self._changed(one.lines, known)) for one in position.entries]
            )
        given = self._draft.public_orders()
        facts = PreviewFacts(
            report=public,
            says=replace(self._draft.line, answers=tuple(preview.entry.said)),
            given=given,
        )
        lines, room = self._render("preview.txt.j2", facts).splitlines(), self._screen.height() - 3
        if self._screen.is_plain:
            self._screen.show("\n".join(lines))
        else:
            self._show_folded(lines, min(len(lines), room // 2), room)
        for warning in preview.warnings:
            if all(warning != order.giveaway for order in given):
                self._screen.show(f"Note: {warning}")

    def mail(self, preview: Preview) -> None:
        """The mail as the others will get it; where there is nobody else, that."""
        from pbem.mail.compose import preview_mail  # few look at the mail

        file = f"{signing.stem(preview.game)}.toml"
        found = preview_mail(preview.game, self._draft.opened.seen, file, self._own)
        self._screen.show(
            "Nobody else gets a mail."
            if found is None
            else f"Subject: {found.subject}\n\n{found.text}"
        )

    def _deeds(self, point: Point) -> Sequence[object]:
        return [
            line
            for entry in self._facts(point).position.entries
            if entry.number == self._draft.number
            for line in entry.lines
        ]

    def _cards(self, point: Point, wanted: str) -> list[CardFacts]:
        facts, draft = self._facts(point), point.entry
        held = legal.of_hand(self._draft.opened, draft, facts)
        if not wanted:
            return held
        return [legal.described_at(self._draft.opened, draft, wanted)]

    def _facts(self, point: Point) -> Report:
        facts = own_report.facts_at(self._draft.opened, point.entry)
        return replace(facts, turn=replace(facts.turn, moves=[]), warnings=[])

    def _render(self, template: str, facts: Report | PreviewFacts) -> str:
        return render.render(template, facts, self._own).rstrip("\n")


def _brief(facts: CardFacts, face: CardFace | None) -> str:
    """What can be done with a card now, where its game says so, and what it does in few words, or
    how its text begins."""
    does = (face and face.gist) or facts.text.partition("\n")[0]
    if facts.uses is None:
        return does
    now = ", ".join(use.use for use in facts.uses if not use.missing) or "not now"
    return f"{now}: {does}"


def _shortened(text: str, room: int) -> str:
    return text if len(text) <= room else f"{text[: max(0, room - 1)].rstrip()}…"


def waits_for(game: Ledger) -> str:
    """The seat that writes after the entry, or nothing."""
    seat = game.to_act()
    return "" if seat is None else game.seats[seat]
