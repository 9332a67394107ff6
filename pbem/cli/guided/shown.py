"""What a turn in the making looks like: the position, the hand, the legal answers, the entry before
it is signed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from pbem.cli import cards
from pbem.cli.guided.screen import AROUND, FEW, Screen
from pbem.english import counted
from pbem.home.home import Home
from pbem.ledger.ledger import Ledger
from pbem.report import render, terminal
from pbem.report.facts import report
from pbem.report.model import CardFacts, EntryFacts, Report, names_of
from pbem.turn import open_game, signing
from pbem.turn.brought import brought
from pbem.turn.in_making import Turn
from pbem.turn.run_line import OrderTold, Point, Preview

_QUESTION = 3
"""Rows for the question and the line below its answers."""
FOLDED = 8
"""So many lines of what happened stand above the first question."""
_PROMPT = 2
"""The row of the prompt, and one to spare."""
_AROUND_ANSWERS = 7
"""Rows for the question around its answers, and for what just happened."""
_LEAST = 9
"""So many rows the first question has at least, however much has happened."""
MANY, MANY_PLAIN = 60, 20
"""So many answers are listed, and so many in plain lines; more only when they are asked for."""


@dataclass(frozen=True, kw_only=True)
class PreviewFacts:
    """The public `report` of a game with an entry that is not signed, and what this entry says."""

    report: Report
    answers: Sequence[str]
    given: Sequence[OrderTold]
    message: str
    said_of_draw: str
    note: str
    leave: str
    grant: int


class TurnDisplay:
    """What is shown of one turn, with the player's own templates."""

    def __init__(self, turn: Turn, home: Home, screen: Screen) -> None:
        self._turn = turn
        self._own = home.folder / "templates"
        self._screen = screen
        self._board: object = None
        self._above = 0
        """So many rows of the screen what stands above the first question takes, until that is
        shown."""

    def position(self, point: Point, question: Callable[[], None]) -> None:
        """What there is to know before the first question, and no more of it than leaves room for
        the question: what happened since the own last turn, the board, the hand by name."""
        facts, rows_of = self._facts(point), self._screen.rows_of

        def title() -> None:
            self._screen.show(self._render("opened.txt.j2", facts), style="bold")
            if self._turn.opened.is_new_to_player():
                self._introduce(facts, ("aim",))
                self._screen.show("goal says more; help lists what else you can do.", style="dim")

        self._above = 0
        fixed = rows_of(title) + rows_of(lambda: self._hand_by_name(facts)) + _PROMPT
        room = self._screen.height() - fixed - 1  # a row says where the board is, if it has no room
        above = fixed + rows_of(lambda: self._happened(facts, room - _LEAST))
        self._above = min(above, self._screen.height() - _LEAST)
        below = rows_of(question)
        title()
        self._happened(facts, room - _LEAST)
        if point.question or not point.line.answers:
            self.board(point, room=self._screen.height() - self._above - below)
        self._hand_by_name(facts)

    def goal(self, point: Point) -> None:
        """What this game is, and where its rules stand."""
        facts = self._facts(point)
        self._introduce(facts)
        self._screen.show(f"pbem help {facts.game} has the rules, in another terminal.")

    def _introduce(self, facts: Report, parts: Sequence[str] = ()) -> None:
        about = {"game": facts.game, "width": min(self._screen.width(), 100), "only": parts}
        self._screen.show(render.render("introduction.txt.j2", about, self._own).rstrip("\n"))

    def asked(self) -> None:
        """The first question stands on the screen: the next one has it for itself."""
        self._above = 0

    def _happened(self, facts: Report, room: int) -> None:
        """What happened since the own last turn, the newest lines where they are many: the rest by
        a word. After a turn of a game that is played alone all of it, from the own decision on."""
        news = brought(self._turn.opened, facts, self._turn.start().draft)
        told = self._lines(facts, news.entries)
        shown = told[-FOLDED:] if facts.witnessed else told
        while facts.witnessed and shown and self._rows(shown) + (len(shown) < len(told)) > room:
            del shown[0]
        if len(shown) < len(told) and room > 0:
            more = counted(len(told) - len(shown), "line")
            self._screen.show(f"{more} of what happened before: story shows all.", style="dim")
        if shown:
            self._screen.show("\n".join(shown))
        if as_before := len(self._lines(facts, news.as_before)):
            self._screen.show(
                f"{counted(as_before, 'line')} as before: story shows all.", style="dim"
            )

    def _lines(self, facts: Report, entries: Sequence[EntryFacts]) -> list[str]:
        text = self._render("came.txt.j2", replace(facts, entries=entries))
        return [line for line in text.splitlines() if line.strip()]

    def _rows(self, lines: Sequence[str]) -> int:
        return self._screen.rows_of(lambda: self._screen.show("\n".join(lines)))

    def story(self, point: Point) -> None:
        """Everything that happened since the own last turn, and who plays."""
        facts = self._facts(point)
        if not facts.witnessed:
            facts = replace(facts, entries=brought(self._turn.opened, facts, point.draft).whole)
        self._screen.show(self._render("head.txt.j2", facts))

    def advice(self, point: Point) -> None:
        """What the player has given no orders about."""
        if text := self._render("advised.txt.j2", self._facts(point)).strip("\n"):
            self._screen.show(text)

    def _hand_by_name(self, facts: Report) -> None:
        if facts.hand is not None:
            held = ", ".join(facts.hand) or "no card"
            self._screen.show(f"Your hand: {held} (hand, card NAME: what they do)")

    def board(
        self,
        point: Point,
        before: Mapping[str, object] | None = None,
        *,
        on_request: bool = False,
        room: int = 0,
    ) -> None:
        """The board there, if the terminal has room for it beside the question and what just
        happened, or `on_request`; what has changed is marked: since `before`, or by the answers of
        this turn, or, as long as there are none, since the own last turn. `room`: so many rows are
        free for it."""
        facts, opened = self._facts(point), self._turn.opened
        self._board = facts.board
        if before is None:
            seen = opened.seen.get(opened.seat, (0, None))[1] if opened.seat is not None else None
            before = self._facts(self._turn.start()).view if point.line.answers else seen
        drawn = None
        if not self._screen.is_plain and facts.view:
            drawn = terminal.board(
                facts.game, facts.view, before, self._screen.width(), names_of(facts.players)
            )

        def show() -> None:
            if drawn is not None:
                self._screen.draw(drawn)
            elif facts.view:
                self._screen.show(self._render("position.txt.j2", facts))

        has_room = on_request or self._screen.rows_of(show) <= (
            room or self._screen.height() - AROUND
        )
        if has_room:
            show()
        else:
            self._screen.show(
                "The board has no room here beside the question: board shows it.", style="dim"
            )

    def board_if_new(self, point: Point) -> None:
        """The board, if it differs from the one that was shown last; a plain screen waits to be
        asked."""
        if not self._screen.is_plain and self._facts(point).board != self._board:
            self.board(point)

    def what_if(self, point: Point, then: Point) -> None:
        """What answers would bring: deeds, and the board with what they change."""
        self.came(point, then)
        if not self._screen.is_plain and self._facts(then).board != self._board:
            kept = self._board
            self.board(then, self._facts(point).view)
            self._board = kept
        if then.question:
            self._screen.show(f"Then you would be asked: {then.question}")
        elif then.may_sign:
            self._screen.show("Then your turn would be complete.")
        self._screen.show("Nothing is changed by this.", style="dim")

    def came(self, before: Point, after: Point) -> None:
        """What the answers between two points brought, in the words of the game."""
        known, facts = len(self._deeds(before)), self._facts(after)
        last = [entry for entry in facts.entries if entry.number == self._turn.number]
        fresh = [replace(entry, lines=list(entry.lines)[known:]) for entry in last]
        if text := self._render("came.txt.j2", replace(facts, entries=fresh)).strip("\n"):
            self._screen.show(text)

    def hand(self, point: Point, wanted: str = "") -> None:
        """The cards of the hand with their texts, and whether each is legal now; or only those that
        `wanted` names."""
        for facts in self._cards(point, wanted):
            self._screen.show(cards.shown(facts, markdown=False))

    def choices(self, point: Point, words: str = "", *, everything: bool = False) -> None:
        """The legal answers by number; those with these words only, if any are given."""
        from pbem.cli.guided.completion import candidates

        sentences = list(point.choices)
        wanted = set(candidates(words, sentences)) if words else set(sentences)
        rows = [(number, text) for number, text in enumerate(sentences, 1) if text in wanted]
        room = self._screen.height() - max(_AROUND_ANSWERS, self._above + _QUESTION)
        if not rows:
            self._screen.show("No legal answer has these words.")
        elif everything or (
            len(rows) <= (MANY_PLAIN if self._screen.is_plain else MANY)
            and self._screen.rows_of(lambda: self._screen.numbered(rows)) <= room
        ):
            self._screen.numbered(rows)
        elif len(rows) <= MANY and not self._screen.is_plain:
            self._screen.numbered(rows[: max(room - 1, 1)])
            self._screen.show(
                f"and {len(rows) - max(room - 1, 1)} more: list shows all, list WORDS some"
            )
        else:
            shapes = list(point.draft.ledger.rules.shapes(sentences))
            examples = shapes if len(shapes) <= FEW else [*shapes[:3], "..."]
            self._screen.show("\n".join(f"  {shape}" for shape in examples))
            self._screen.show(
                f"{len(sentences)} answers are legal: type the words of one, or: list, list WORDS"
            )

    def entry(self, preview: Preview) -> None:
        """What the entry says, and what comes of it as the others will read it."""
        game, draft, line = preview.game, preview.draft, self._turn.line
        public = report(game, None, game.public_faces(), self._turn.number)
        if not public.witnessed:  # nobody else reads it, and what came before the answers was told
            known = len(self._deeds(self._turn.start()))
            public = replace(
                public, entries=[replace(one, lines=one.lines[known:]) for one in public.entries]
            )
        given = self._turn.orders_told()
        facts = PreviewFacts(
            report=public,
            answers=draft.said,
            given=given,
            message=line.message,
            said_of_draw=line.draw,
            note=line.note,
            leave=line.leave,
            grant=line.grant,
        )
        self._screen.show(self._render("preview.txt.j2", facts))
        for warning in preview.warnings:
            if all(warning != order.told for order in given):
                self._screen.show(f"Note: {warning}")

    def mail(self, preview: Preview) -> None:
        """The mail as the others will get it; where there is nobody else, that."""
        from pbem.mail.compose import preview_mail

        file = f"{signing.stem(preview.game)}.toml"
        found = preview_mail(preview.game, self._turn.opened.seen, file, self._own)
        self._screen.show(
            "Nobody else gets a mail."
            if found is None
            else f"Subject: {found.subject}\n\n{found.text}"
        )

    def _deeds(self, point: Point) -> Sequence[object]:
        return [
            line
            for entry in self._facts(point).entries
            if entry.number == self._turn.number
            for line in entry.lines
        ]

    def _cards(self, point: Point, wanted: str) -> list[CardFacts]:
        facts, draft = self._facts(point), point.draft
        held = cards.of_hand(self._turn.opened, draft, facts)
        if not wanted:
            return held
        return [cards.described_at(self._turn.opened, draft, wanted)]

    def _facts(self, point: Point) -> Report:
        facts = open_game.facts_at(self._turn.opened, point.draft)
        return replace(facts, moves=[], warnings=[])

    def _render(self, template: str, facts: Report | PreviewFacts) -> str:
        return render.render(template, facts, self._own).rstrip("\n")


def waits_for(game: Ledger) -> str:
    """The seat that writes after the entry, or nothing."""
    seat = game.to_act()
    return "" if seat is None else game.seats[seat]
