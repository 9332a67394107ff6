"""The commands that tell what is legal now: the answers, and a card with what it does."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from engine.words import cards_in
from pbem.cli.errors import say
from pbem.cli.options import File, Json, Newer
from pbem.cli.own_home import open_home
from pbem.cli.startup.commands import CommandEntry
from pbem.errors import Refused
from pbem.games import registry
from pbem.home import game_index
from pbem.home.home import Home
from pbem.home.shelf import shelf_of
from pbem.report import facts as report_facts
from pbem.report.model import CardFacts, Report
from pbem.turn import named_file, open_game, own_report, questions
from pbem.turn.draft_entry import DraftEntry
from pbem.turn.draft_lines import answers_in
from pbem.turn.open_game import OpenFile

_SHORTEST = 4
"""Letters of a short name: fewer are a word of a card's name ("a")."""
_MOST_NAMES = 12


class CardQuery(NamedTuple):
    """What the words of the command name: the card's name as it was entered, and a game, by its
    name or by a file."""

    card: str
    game: str = ""
    file: Path | None = None


def card(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="[GAME] NAME", help="The card, after a game or a turn file.", show_default=False
        ),
    ],
    as_json: Json = False,
) -> None:
    """GAME is a game by its name or, to be told whether the card is legal now and why not, a turn
    file, a saved mail or a short name. NAME may be cut short."""
    home = open_home()
    named = _read(words, home)
    facts = _text(named) if named.file is None else _now(named.card, named.file, home)
    say(as_json, facts, report_facts.in_words(facts))


def of_hand(opened: OpenFile, draft: DraftEntry | None, report: Report) -> list[CardFacts]:
    """The cards of the hand that a report shows, each once, as they stand in the position that it
    shows."""
    game = opened.ledger if draft is None else draft.ledger
    return list(
        report_facts.described_in_hand(
            game, opened.seat, own_report.own_faces(opened, draft), report.position.hand or ()
        ).values()
    )


def _read(words: Sequence[str], home: Home) -> CardQuery:
    """The game that the first word names, if it does, and the name of the card."""
    first, rest = words[0], " ".join(words[1:])
    if not rest:
        return CardQuery(first)
    if (found := registry.find_installed(first)) is not None and found.descriptor is not None:
        return CardQuery(rest, game=first)
    path = Path(first)
    if path.suffix in (".toml", ".eml") or path.exists() or _names_a_game(first, home):
        return CardQuery(rest, file=path)
    return CardQuery(" ".join(words))


def _names_a_game(word: str, home: Home) -> bool:
    """Whether a word begins the short name of a game that this home knows."""
    if len(word) < _SHORTEST or not game_index.is_short(Path(word)):
        return False
    shelves = (shelf_of(folder) for folder in game_index.game_folders(home))
    return any(shelf is not None and shelf.is_named_by(word) for shelf in shelves)


def _now(name: str, file: Path, home: Home) -> CardFacts:
    """The card in the position of a file, after what the player's own seat owes."""
    opened = open_game.open_file(named_file.find(file, home).turn, home)
    draft = opened.draft()  # the position after what the own seat's next entry holds anyway
    return described_at(opened, draft, name)


def described_at(opened: OpenFile, draft: DraftEntry | None, text: str) -> CardFacts:
    """The card that these words mean, at the position of a draft, or of the file. Raises
    `Refused`."""
    game = opened.ledger if draft is None else draft.ledger
    faces, names = own_report.own_faces(opened, draft), report_facts.card_names(game.rules)
    return report_facts.described_now(game, opened.seat, faces, names.index(_pick(text, names)))


def _text(named: CardQuery) -> CardFacts:
    """The card of the game that was named, or of the only game that has such a card."""
    if named.game:
        rules = registry.newest(named.game)
        names = report_facts.card_names(rules)
        # a game's name may be a word of a card's
        whole = cards_in(f"{named.game} {named.card}", names)
        is_whole = len(whole) == 1 and len(cards_in(named.card, names)) != 1
        return report_facts.described(
            rules, names[whole[0]] if is_whole else _pick(named.card, names)
        )
    games = [
        registry.newest(one.name) for one in registry.installed() if one.descriptor is not None
    ]
    having = [rules for rules in games if cards_in(named.card, report_facts.card_names(rules))]
    if not having:
        raise Refused(
            f'no game has a card "{named.card[:80]}"',
            hint="pbem card GAME NAME; pbem games lists the games",
        )
    return report_facts.described(having[0], _pick(named.card, report_facts.card_names(having[0])))


def _pick(text: str, names: Sequence[str]) -> str:
    """The card's name. Raises `Refused` if the words mean none, or several."""
    found = [names[card] for card in cards_in(text, names)]
    if not found:
        raise Refused(
            f'there is no card "{text[:80]}" in this game',
            hint="pbem show FILE --cards tells those you hold",
        )
    if len(found) > 1:
        more = f" and {len(found) - _MOST_NAMES} more" if len(found) > _MOST_NAMES else ""
        raise Refused(
            f'"{text[:80]}" could be {", ".join(found[:_MOST_NAMES])}{more}',
            hint="type more of the name",
        )
    return found[0]


def moves(
    file: File,
    after: Annotated[
        str, typer.Option(metavar='"A; B"', help='Answers already given: "A; B".')
    ] = "",
    newer: Newer = False,
    as_json: Json = False,
) -> None:
    """With --after those that are legal once these answers are given."""
    home = open_home()
    opened = open_game.open_file(named_file.find(file, home).turn, home, nothing_newer=newer)
    facts = questions.moves(opened, answers_in(after))
    text = "\n".join(opened.ledger.rules.shapes(facts.options))
    if facts.complete:
        text = "The turn is complete: pbem play writes it."
    say(as_json, facts, f"{facts.prompt}:\n{text}" if facts.prompt else text)


COMMANDS = {
    "moves": CommandEntry(moves),
    "card": CommandEntry(card),
}
