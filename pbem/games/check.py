"""Checks a descriptor against what the program will ask of it, before anything is signed with its
rules.

Each problem is one line that says what is wrong. Nothing is raised, whatever foreign code raises.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Collection, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from jinja2 import Environment, TemplateSyntaxError, nodes

from engine.rules import Rules
from pbem.games.descriptor import (
    FOREIGN,
    OWN_FORMATS,
    CommandOption,
    GameDescriptor,
    Introduction,
    load,
    packages_of,
)
from pbem.games.faces import BANDS, CardFace
from pbem.games.foreign import raised
from pbem.games.leaving import leavable, problems_of_leaving
from pbem.games.sample import QUESTIONS, check_play
from pbem.games.settings import seats_of

_NAME = re.compile(r"[a-z][a-z0-9-]{0,19}\Z")
_SEAT = re.compile(r"[a-z]{1,20}\Z")
_SETTING = re.compile(r"[a-z][a-z_-]{0,33}\Z")
_REASON = re.compile(r"[a-z][a-z0-9-]{0,39}\Z")
_LETTER = re.compile(r"[a-z]\Z")
_LONGEST_CARD = 60
_LONGEST_PART = 400
_SENTENCE = re.compile(r"[.!?](?:\s|\Z)")
_TAKEN = frozenset({"seat", "option", "opponent", "data", "dir", "mail", "no-mail", "json", "help"})
"""Options that `pbem new` has for every game."""
WORDS = {"tell": 1}
"""Macros of `words.j2`, which also sets `SILENT`, and with how many arguments each is called."""
MORE_WORDS = {
    "answer": 2,
    "choice": 1,
    "deed": 2,
    "detail": 2,
    "forced": 1,
    "on_button": 1,
    "resumed": 1,
}
"""Macros that `words.j2` may have as well. If it sets `FOLLOWS` it must have `detail`, and `tell`
takes the details too."""


def problems(found: GameDescriptor) -> list[str]:
    """What is wrong with a descriptor, in the order in which its author would look for it; empty if
    nothing is."""
    problems_found = [*_check_names(found), *_check_templates(found)]
    newest: Rules | None = None
    for version, reference in sorted(found.rules.items()):
        rules, wrong = _rules(found, version, reference)
        problems_found += wrong
        newest = rules or newest
    if newest is None:
        return problems_found
    catch = partial(_catch, packages_of(found))
    problems_found += catch("what lists say of it", lambda: _check_listed(found, newest))
    problems_found += catch("its introduction", lambda: _check_introduction(found))
    problems_found += catch("its options", lambda: _check_options(found, newest))
    problems_found += catch("what shows it", lambda: _check_shows(found, newest))
    if not problems_found:
        problems_found += catch("a sample of play", lambda: check_play(found, newest))
    if not problems_found:
        problems_found += catch("a game from which a seat leaves", lambda: _check_leaving(newest))
    return problems_found


def _catch(packages: Collection[str], what: str, check: Callable[[], Iterator[str]]) -> list[str]:
    """The problems that a check finds, or what the code of these packages raised in it."""
    problems_found: list[str] = []
    try:
        for problem in check():
            problems_found.append(problem)
    except FOREIGN as error:
        problems_found.append(f"{what}: {raised(error, packages)}")
    return problems_found


def _check_names(found: GameDescriptor) -> Iterator[str]:
    if not _NAME.match(found.name):
        yield f'"{found.name}" is no name of a game: lower-case letters, digits and "-", at most 20'
    if not found.rules:
        yield "it has no rules"
    for version in found.rules:
        if not isinstance(version, int) or not 1 <= version < 1000:
            yield f"{version!r} is no rules version: a number from 1"


def _rules(found: GameDescriptor, version: int, reference: str) -> tuple[Rules | None, list[str]]:
    """The rules of one version, and what is wrong with them."""
    where = f"rules version {version} ({reference})"
    try:
        rules = load(reference)
    except FOREIGN as error:
        return None, [f"{where}: {raised(error, packages_of(found))}"]
    if not isinstance(rules, Rules):
        return None, [f"{where} are no engine.rules.Rules object"]
    if (rules.name, rules.version) != (found.name, version):
        return None, [f"{where} call themselves {rules.name}, version {rules.version}"]
    return rules, _catch(packages_of(found), where, lambda: _check_rules(rules, where))


def _check_rules(rules: Rules, where: str) -> Iterator[str]:
    if not rules.title.strip():
        yield f"{where}: the title is empty"
    for name, line in rules.settings.items():
        if not _SETTING.match(name) or not line.strip():
            yield (
                f'{where}: the setting "{name}" needs a name of lower-case letters, "-" or "_", and'
                " a line about it"
            )
    for name in set(rules.defaults).difference(rules.settings):
        yield f'{where}: "{name}" has a default and is no setting'
    for reason in rules.reasons:
        if not _REASON.match(reason) or rules.reasons.count(reason) > 1:
            yield (
                f'{where}: "{reason}" is no reason of chance: a key of lower-case letters, digits'
                ' and "-", once'
            )
    seats = rules.seats(dict(rules.defaults))
    if len(set(seats)) < len(seats) or not seats or not all(_SEAT.match(seat) for seat in seats):
        yield f"{where}: the seats are {seats}: different names of at most 20 lower-case letters"
    decks = rules.decks(dict(rules.defaults))
    letters = [deck.letter for deck in decks]
    if len(set(letters)) < len(letters) or not all(_LETTER.match(letter) for letter in letters):
        yield f"{where}: the letters of the decks are {letters}: different ones from a to z"
    if sum(deck.owner is None for deck in decks) > 1:
        yield f"{where}: more than one deck is common to all seats"
    for name in rules.cards:
        if (
            not name.strip()
            or len(name) > _LONGEST_CARD
            or not name.isprintable()
            or name != name.strip()
        ):
            yield (
                f'{where}: "{name}" is no card name: one line of at most {_LONGEST_CARD} characters'
            )
    if len(set(rules.cards)) < len(rules.cards):
        yield f"{where}: two cards have one name"


def _check_listed(found: GameDescriptor, rules: Rules) -> Iterator[str]:
    """Check that lists say of the game what its newest rules do."""
    if found.title and found.title != rules.title:
        yield f'its title is "{found.title}", and its newest rules say "{rules.title}"'
    if found.seats and found.seats != (seats := seats_of(rules)):
        yield f"its seats are {found.seats}, and its newest rules have {seats}"


def _check_introduction(found: GameDescriptor) -> Iterator[str]:
    """Check that a stranger can read what the game says of itself: lines of plain text, the aim in
    two sentences at most."""
    said = found.introduction
    if said is None:
        return
    if not isinstance(said, Introduction):
        yield f"its introduction {said!r} is no Introduction"
        return
    if not said.aim.strip() or len(_SENTENCE.findall(said.aim)) > 2:
        yield "its introduction: the aim is one sentence or two"
    for name in ("aim", "sides", "length", "hidden", "chance"):
        text = getattr(said, name)
        if len(text) > _LONGEST_PART or not (text == "" or text.isprintable()):
            yield f"its introduction: {name} is plain text of at most {_LONGEST_PART} characters"


def _check_options(found: GameDescriptor, rules: Rules) -> Iterator[str]:
    names: set[str] = set()
    for option in found.options:
        if not isinstance(option, CommandOption):
            yield f"{option!r} is no CommandOption"
            continue
        where = f"the option --{option.name}"
        if not _SETTING.match(option.name) or option.name in _TAKEN or option.name in names:
            yield f"{where}: the name is taken or is none"
        names.add(option.name)
        if option.takes not in ("nothing", "number", "key"):
            yield f'{where} takes "{option.takes}": it is to be nothing, number or key'
        if not option.help.strip():
            yield f"{where} has no help"
        if not option.plays and option.value and option.name not in rules.settings:
            yield f"{where} is no setting of rules version {rules.version}"


def _check_templates(found: GameDescriptor) -> Iterator[str]:
    if not Path(found.templates).is_dir():
        yield f"there is no folder of templates {found.templates}"
        return
    if (words := found.templates / "words.j2").exists():
        yield from _check_macros(words, WORDS, ("SILENT",), MORE_WORDS)
    for file in found.data:
        if not _NAME.match(file) or not (found.templates / "data" / f"{file}.txt").is_file():
            yield f"there is no file data/{file}.txt in {found.templates}"
    if found.help is not None and not (found.templates / found.help).is_file():
        yield f"there is no page of help {found.help} in {found.templates}"


def _check_macros(
    path: Path, macros: dict[str, int], sets: tuple[str, ...], optional: dict[str, int]
) -> Iterator[str]:
    """Check that a template can be read and has these macros, each of which takes so many
    arguments."""
    tree, wrong = _parse(path)
    if tree is None:
        yield wrong
        return
    have = {macro.name: macro for macro in tree.find_all(nodes.Macro)}
    names_set = {
        node.target.name
        for node in tree.find_all(nodes.Assign)
        if isinstance(node.target, nodes.Name)
    }
    if "FOLLOWS" in names_set:
        macros = {**macros, "tell": 2, "detail": 2}
    for name, count in {**optional, **macros}.items():
        if name not in have:
            if name in macros:
                yield f'{path.name} has no macro "{name}"'
            continue
        most, least = len(have[name].args), len(have[name].args) - len(have[name].defaults)
        if not least <= count <= most:
            yield (
                f'{path.name}: the macro "{name}" is called with {count} of its arguments, and'
                f" takes {most}"
            )
    for name in sets:
        if name not in names_set:
            yield f"{path.name} does not set {name}"


def _parse(path: Path) -> tuple[nodes.Template | None, str]:
    try:
        return Environment(autoescape=True).parse(path.read_text(encoding="utf-8")), ""
    except TemplateSyntaxError as error:
        return None, f"{path.name}, line {error.lineno}: {error.message}"
    except (OSError, UnicodeDecodeError) as error:
        return None, f"{path.name} cannot be read: {error}"


def _check_shows(found: GameDescriptor, rules: Rules) -> Iterator[str]:
    yield from _check_callable("the board", found.board)
    yield from _check_drawing("the backdrop of the stage", found.stage.backdrop, found)
    if found.stage.moves is not None:
        yield from _check_callable("what moves on the stage", found.stage.moves)
    if found.concerns is not None:
        yield from _check_callable("concerns", found.concerns)
    if found.used_once is not None:
        yield from _check_callable("used_once", found.used_once)
    if found.steps is not None:
        yield from _check_callable("steps", found.steps)
    if found.joined is not None:
        yield from _check_callable("joined", found.joined)
    for what in ("desk", "said", "meant"):
        if (reference := getattr(found, what)) is not None:
            yield from _check_callable(what, reference)
    if found.reads is not None:
        yield from _check_callable("reads", found.reads)
        if len(found.data) != 1:
            yield "reads is for games with one file of data"
    for name, reference in found.exports.items():
        if not _NAME.match(name) or name in OWN_FORMATS:
            yield f'"{name}" is no name of a format, or one that every game has'
        yield from _check_callable(f"the format {name}", reference)
    if found.analysis is not None:
        yield from _check_callable("the analysis", found.analysis)
    if found.faces is not None:
        faces: Any = load(found.faces)
        for name, face in faces.items():
            if name not in rules.cards:
                yield f'there is a face for "{name}", which is no card'
            elif not isinstance(face, CardFace) or face.band not in BANDS:
                yield f'the face of "{name}" is no CardFace with a band of {", ".join(BANDS)}'
    if found.card_texts is not None:
        texts: Any = load(found.card_texts)
        for name in rules.cards:
            if not str(texts.get(name, "")).strip():
                yield f'the card "{name}" has no text'


def _check_drawing(what: str, template: str, found: GameDescriptor) -> Iterator[str]:
    game, _, name = template.partition("/")
    if not name.endswith(".svg.j2"):
        yield f'{what} is "{template}": GAME/NAME.svg.j2'
    elif game == found.name and (wrong := _parse(found.templates / name))[0] is None:
        yield wrong[1]


def _check_leaving(rules: Rules) -> Iterator[str]:
    settings = leavable(rules)
    if settings is not None:
        yield from problems_of_leaving(rules, settings, random.Random(rules.name), QUESTIONS)


def _check_callable(what: str, reference: str) -> Iterator[str]:
    if not callable(load(reference)):
        yield f"{what}, {reference}, is nothing that can be called"
