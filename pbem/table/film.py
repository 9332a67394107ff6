"""The film at the table: what happened since the player last looked, or what comes of the answers
that they try, step by step as they themselves could see it then (`pbem.replay.film`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from engine.flow import Card, Handle
from pbem.english import numbered
from pbem.games.stage import StageBoard, StagePicture, as_json
from pbem.home import looked
from pbem.ledger import gate
from pbem.ledger.gate import PublicView
from pbem.ledger.ledger import Ledger
from pbem.replay import film
from pbem.replay.film import FilmStep
from pbem.report import facts, history
from pbem.report.lines import AnswerLine, DiceLine, DrawLine, OpenedLine
from pbem.report.model import EntryFacts, names_of
from pbem.report.render import lines, render
from pbem.table.board_picture import on_picture, pictures, until
from pbem.table.open_games import OpenGame
from pbem.turn.draft_entry import Hand
from pbem.turn.draft_lines import Intent
from pbem.turn.open_game import HomeFile, SeatedFile
from pbem.turn.recent_entries import RecentEntries, last_decision


@dataclass(frozen=True)
class Offer:
    """A film that a page offers: of the entries from `since` on. `is_new`: the player has not seen
    all of it."""

    since: int
    is_new: bool


def offer(game: OpenGame, news: RecentEntries) -> Offer | None:
    """The film that the page offers of what has happened; None if there is nothing to see."""
    if not any(entry.lines for entry in news.entries):
        return None
    opened, count = game.opened, len(game.opened.file.entries)
    before = 0
    if isinstance(opened, HomeFile):
        before = looked.entries_looked_at(opened.memory.folder)
    own = opened.seen[opened.seat][0] if opened.seat in opened.seen else count - 2
    if not opened.ledger.invitation.is_witnessed():
        since = last_decision(opened)
    else:
        since = max(own + 1, before) if before < count else own + 1
    return Offer(max(0, min(since, count)), before < count)


@dataclass
class Film:
    """A film as plain data for the script that plays it: the board `before` its first step, the
    steps, and the faces of the cards that turn up in them. What is empty in a step is left out."""

    before: object
    steps: list[dict[str, object]]
    faces: dict[str, object]


@dataclass(frozen=True)
class Footage:
    """A whole game as its viewer saw it: the steps of its film, each with its lines of text, and
    the position `before` the first of them; and the pictures that players made of their board, by
    the entry with which they go."""

    ledger: Ledger
    entries: Sequence[EntryFacts]
    before: PublicView | None
    steps: Sequence[tuple[FilmStep, list[str]]]
    pictures: dict[int, StagePicture]

    def film(self, start: int = 0) -> Film:
        """The film from step `start` on."""
        before = self.steps[start - 1][0].view if start else self.before
        return _film_from(self, before, self.steps[start:])


def film_of(game: OpenGame, since: int, own: Path, *, is_trying: bool) -> Film:
    """The film of the entries from `since` on, and of what the player's next entry does before they
    decide anything. With `is_trying` it is the film of their answers so far. `own` is the folder of
    the player's own templates."""
    draft = None if game.draft is None or game.draft.is_ahead else game.draft
    since = draft.number if is_trying and draft is not None else since
    line = draft.line if is_trying and draft is not None else Intent()
    footage = watch(game, own, since=since, line=line)
    if not is_trying and footage.ledger.invitation.is_witnessed():
        return footage.film()
    # what the player saw before they answered is no news
    return footage.film(
        next((at for at, (step, _) in enumerate(footage.steps) if _is_answer(step)), 0)
    )


def _is_answer(step: FilmStep) -> bool:
    return any(isinstance(line, AnswerLine) and not line.ordered for line in step.lines)


def watch(
    game: OpenGame,
    templates: Path,
    *,
    since: int = 0,
    line: Intent | None = None,
    each: Callable[[Ledger], object] = lambda _ledger: None,
) -> Footage:
    """Play the whole game through as its player saw it, with boards from entry `since` on. With a
    `line` it goes on with the player's next entry as far as that line has it. `each` is called with
    the game after each entry of the file."""
    opened = game.opened
    own: dict[Handle, Card] = {}
    if isinstance(opened, SeatedFile):
        own.update(Hand(opened.ledger, opened.seat, opened.secrets().root).faces)
    filming = film.Filming(opened.seat, own, since)
    ledger = Ledger(None if opened.checks is None else opened.checks.verifier, filming)
    for entry in opened.file.entries:
        gate.admit(ledger, entry)
        filming.entry_done(ledger, None if ledger.playing is None else facts.asked(ledger))
        each(ledger)
    if line is not None and isinstance(opened, SeatedFile) and opened.to_play() is not None:
        own.update(opened.draft_on(ledger, line.answers, line.orders).hand.faces)
        filming.entry_done(ledger, facts.asked(ledger))
    rules = ledger.rules
    names = {
        "what": "deeds",
        "game": rules.name,
        "common_deck": any(deck.owner is None for deck in ledger.decks),
        "dice": rules.dice,
        "players": facts.players(ledger),
        "has_cards": bool(ledger.decks),
    }

    def words(entry: EntryFacts) -> list[str]:
        return lines(render("replay/words.txt.j2", {**names, "turn": entry}, templates))

    entries = history.entries(ledger, 0, own)
    steps = filming.steps(ledger)
    before = [step.view for step in steps if step.entry < since]
    cut = film.cut(ledger, steps, entries, words, since)
    return Footage(ledger, entries, before[-1] if before else None, cut, pictures(game))


def _film_from(
    footage: Footage, before: PublicView | None, steps: Sequence[tuple[FilmStep, list[str]]]
) -> Film:
    ledger = footage.ledger
    game, names = ledger.rules.name, names_of(facts.players(ledger))
    symbols: dict[str, str] = {}
    faces, turned = facts.faces_of(game), dict[str, object]()
    first = None if before is None else _drawn(game, before, None, None, names, symbols, None)
    made: list[dict[str, object]] = []
    seen, thrown, lies_on = before, dict[int, int](), None
    for step, words in steps:
        board: StageBoard | None = None
        picture = until(footage.pictures, step.entry)
        if step.view is not None and (step.view != seen or step.rolls or picture != lies_on):
            board = _drawn(game, step.view, seen, step, names, symbols, picture)
            lies_on = picture
        dice = []
        for line in step.lines:
            if isinstance(line, DiceLine) and line.dice:
                nth = thrown[step.entry] = thrown.get(step.entry, -1) + 1
                dice.append([line.why, line.sides, line.dice, line.hits, nth])
        cards = _cards(step)
        turned |= {name: asdict(faces[name]) for name, _ in cards if name in faces}
        made_step = {
            "entry": step.entry,
            "title": _title(ledger, step.entry),
            "lines": words,
            "board": None if board is None else as_json(board),
            "moves": [
                [one.piece, one.count, one.source, one.target]
                for one in step.moves(game, symbols, board)
            ],
            "dice": dice,
            "cards": cards,
        }
        made.append({name: value for name, value in made_step.items() if value})
        seen = step.view or seen
    return Film(None if first is None else as_json(first), made, turned)


def _drawn(
    game: str,
    view: PublicView,
    before: PublicView | None,
    step: FilmStep | None,
    names: Mapping[str, str],
    symbols: dict[str, str],
    picture: StagePicture | None,
) -> StageBoard:
    """The board of a position; its symbols are added to those that are known."""
    board = film.position(game, view, before, step, names)
    symbols.update(film.symbols(board))
    return on_picture(board, picture)


def _title(ledger: Ledger, entry: int) -> str:
    """Whose turn a step belongs to; empty for the turn that is being made."""
    if entry >= len(ledger.entries):
        return ""
    number = numbered(entry, ledger.rules.measure)
    record = ledger.entries[entry]
    return f"{number[0].upper()}{number[1:]}: {ledger.player_of(ledger.seat_of(record)).name}"


def _cards(step: FilmStep) -> list[list[str]]:
    """The cards that turned up for the viewer with a step: names and backs."""
    opened = [[line.card, line.back] for line in step.lines if isinstance(line, OpenedLine)]
    drawn = [
        [name, ""]
        for line in step.lines
        if isinstance(line, DrawLine) and len(line.cards) == line.count
        for name in line.cards
    ]
    return opened + drawn
