"""What a game offers to the program: one descriptor, for a game that comes with it and for a
plug-in alike.

Whatever takes time to load stands in a descriptor as a reference, `package.module:name`, and is
loaded when it is needed: `pbem verify` never loads the code that draws a board.
`docs/write-a-game.md` shows each field in use.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from importlib import import_module
from inspect import signature
from operator import attrgetter
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from engine.flow import Option
from pbem.errors import Do, PbemError
from pbem.files import shipped
from pbem.games.foreign import package_of

if TYPE_CHECKING:
    from engine.flow import Answer
    from engine.rules import Game, Rules

API = 3
"""The version of this module and of `engine` that descriptors are written for."""
APIS = (2, API)
"""The versions for which a game may be written. 3 has `engine.rules.Rules.pattern`, words that
readers may leave out, `words` and a `concerns` that look at the position, boards of fields and
tables of cards, and a default for what a game need not say. Another version is refused by name."""

Reference: TypeAlias = str
"""Where something is found, as entry points write it: `package.module:name`, or a part of what has
that name, `package.module:name.part`."""

_WITHOUT_POSITION = 2
"""Arguments of a `concerns` that does not look at the position: the answer and the rules."""
FOREIGN = (Exception, SystemExit)
"""What the code of a plug-in may raise: anything, and an exit would otherwise end the program as if
all were well."""


class CommandOption(NamedTuple):
    """An option of `pbem new` that a game adds, written `--name`.

    `takes` nothing (a switch: the setting of this name is `value`), a `number` (the setting's
    value), or a `key`: the setting is `value`, and the owner of that public key is invited. A
    switch that `plays` names another game, which is made instead. `spares_mails` marks a setting
    that shortens a game by mail, for simulations that compare. A switch with the value 0 says
    that nothing is set.
    """

    name: str
    help: str
    takes: Literal["nothing", "number", "key"] = "nothing"
    plays: str = ""
    spares_mails: bool = False
    value: int = 1


class Question(NamedTuple):
    """What `pbem new` asks once, in a terminal, of somebody who has not said it: `answers` are
    options of the game (`CommandOption.name`) with what each means. The first is what a game is
    begun with where nobody is asked. `applies` says of the settings chosen whether it makes a
    difference."""

    words: str
    answers: tuple[tuple[str, str], ...]
    applies: Reference


def settled(
    question: Question | None,
    options: Iterable[CommandOption],
    settings: Mapping[str, int],
    said: Container[str],
    ask: Callable[[Question], str] = lambda question: question.answers[0][0],
) -> dict[str, int]:
    """The settings of a new game with an answer to its question, which is asked unless one of its
    options was `said`, or set in another way."""
    if question is None or not load(question.applies)(settings):
        return dict(settings)
    names = [name for name, _ in question.answers]
    if any(name in said or name in settings for name in names):
        return dict(settings)
    answer = ask(question)
    value = next(option.value for option in options if option.name == answer)
    return {**settings, **({answer: value} if value else {})}


def chosen_options(
    options: Iterable[CommandOption], given: Mapping[str, int | str | bool | None]
) -> tuple[dict[str, int], list[str]]:
    """The settings that these options choose, and the public keys that they invite. `given` are
    their values by name: none, or a switch that is off, chooses nothing. A switch that plays
    another game is no setting."""
    settings: dict[str, int] = {}
    keys: list[str] = []
    for option in options:
        value = given.get(option.name)
        if option.plays or value is None or value is False or not option.value:
            continue
        settings[option.name] = int(value) if option.takes == "number" else option.value
        keys += [str(value)] if option.takes == "key" else []
    return settings, keys


class Introduction(NamedTuple):
    """What a game is, for somebody who has never heard of it: plain sentences that stand wherever
    a stranger meets the game, before they have to decide anything.

    `pitch` says in one line what one does, where a game is chosen (empty: the first sentence of the
    aim); `aim` how one wins, in two sentences at most; `sides` who plays, `length` how many turns,
    mails and minutes a turn, `hidden` what not everybody sees, `chance` what chance does. Its
    picture is a position of a sample game that is made with these settings (`made_with`), after so
    many answers (`sample`).
    """

    aim: str
    pitch: str = ""
    sides: str = ""
    length: str = ""
    hidden: str = ""
    chance: str = ""
    made_with: Mapping[str, int] = MappingProxyType({})
    sample: int = 0


class Stage(NamedTuple):
    """What the board of a game needs to be drawn, on the stage of a browser and as a picture.

    `backdrop` is the template of what lies under its places (`GAME/backdrop.svg.j2`, which may use
    `whole` and `turns` of the board, and where its `places` are), an SVG with the symbols of the
    pieces; the plain one has none, and pieces are words on it. A film shows which pieces went
    where: that is in lines of the story with `from` and `to`, else `moves(line)` gives for a line
    tuples of the symbol, how many, from and to.
    """

    backdrop: str = "stage/plain.svg.j2"
    moves: Reference | None = None


class Concerned(NamedTuple):
    """What an answer is about, in the order in which a player clicks it: cards by name, then places
    as the board names them. The card of the hand that a hidden answer
    uses is not among the cards; its handle stands in the answer, and it is clicked first. `pieces`:
    how many go, for answers that differ in that alone; 0 where none do. `amends`: it takes the last
    answer back, or puts an earlier one right; the table has its own way to take back what is not
    signed yet. `ends`: it gives the game up, which is offered where one leaves a game and not
    beside the question. A place that the board does not have is a button beside the question: a
    word that leads to several answers."""

    places: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    pieces: int = 0
    amends: Literal["", "last", "earlier"] = ""
    ends: bool = False


class OrderChoice(NamedTuple):
    """A choice that stands beside a turn where it is signed, and stays as it was left: `ways` are
    standing orders, each with what it means to a player, and `chosen` is the one that counts now,
    if one of them does. `fewest` is the one that takes the fewest mails, which a report offers
    until it is chosen."""

    title: str
    ways: tuple[tuple[str, str], ...]
    chosen: int | None
    fewest: int | None = None


class StepNode(NamedTuple):
    """A position on the way through an answer that is made of several moves: what may move on from
    there, from a place to a place to the number of a node, the answer that is complete here, if
    one is, and the places whose pieces are used up by then, dice say."""

    steps: Mapping[str, Mapping[str, int]]
    option: Option | None = None
    spent: Sequence[str] = ()


class StepGraph(NamedTuple):
    """All ways to move the pieces of one answer, one after the other in whichever order; the first
    node is where they begin. On the picture the pieces that go are `data-piece` of this kind, and
    one that is taken goes to the place `captured`.

    A click on a piece moves it where there is one way to go, else the next click says where to. Not
    so where the graph has an `order`: there each click moves a piece to the first of its places,
    and a click on one of these two places, the dice say, turns that order and what lies on them
    round."""

    nodes: Sequence[StepNode]
    piece: str
    captured: str = ""
    order: tuple[()] | tuple[str, str] = ()


PLAIN = shipped() / "plain"
"""The templates of a game that brings none."""
OWN_FORMATS = ("json", "md", "html")
"""Formats of `pbem export` that every game has."""


class GameDescriptor(NamedTuple):
    """One game as the program meets it.

    `rules` are references to `engine.rules.Rules` objects by rules version; a version stays for as
    long as games of it exist. `board` is a function that describes the board as a
    `pbem.games.stage.StageBoard`, from the public view, the one at the reader's last turn or None,
    and the story since; all that shows the board draws it from there. The view has `waiting`
    besides: None, or the `seat` that the game waits for and `what` for ("answer": its decision);
    and `called`, the names of the players by seat, as far as they are known. Optional are:
    `templates`, a folder with `words.j2`, without which the story is told as the rules note it
    (`engine.rules.Rules.tell`), `title` and `seats`, the game's name in words and the seats that
    players take with its usual options, as its newest rules have them, for lists that then need
    not load the rules; the `introduction` (without it one is made of what the rules say:
    `pbem.games.introduction`), the `question` of a new game, `order_choices` (a function
    from a position, a seat and its orders in force to `OrderChoice`s), the `stage` on which its
    board is drawn, `card_texts` (a mapping from card name to what the card does, in our words),
    `faces` (a mapping from card name to a `pbem.games.faces.CardFace`), `concerns` (a function from
    `engine.flow.Answer`, the rules and, if it likes, the position to `Concerned`, for a reader who
    clicks), `used_once` (a
    function from such an answer to whether it uses something that is out of the game afterwards,
    which is said before it is given), `steps` (a function from a position and a question to a
    `StepGraph`, or None, for answers that move several pieces), `joined` (a function from two
    answers in words, given one after the other, to the one that says both, empty where they come to
    nothing, or None: at the table a counter that is clicked three times is one answer), `desk` (a
    function from a position, a question and the players' names by seat to a
    `pbem.games.desk.Desk`, controls for answers that are written), `said` and `meant`
    (functions from an answer in words and the players' names by seat to the answer with names for
    seats, and back; `meant` gets the words of the game besides) and `help`, the name of a text in
    `templates` that `pbem games NAME` prints. `reports`: the players have a board of their own and
    report what happens on it, so that answers are asked for as a form rather than by clicks on a
    picture. `data` names the files that players can fill in from their copy of the game:
    `data/FILE.txt` in `templates` is what `pbem data` writes, and their lines go to
    `Rules.with_data`; where that is one file and other programs write such files, `reads` is a
    function from the text of one to these lines, which raises `ValueError`. `standing` are kinds of
    lines that tell how something stands: at the table and in a led turn they are folded where
    nothing changed. `exports` are formats of the game's own that `pbem export` writes, each a
    function from a `pbem.games.record.GameRecord` to text;
    `analysis` is what `pbem analyse` tells: a function from the record of a game that is over, and
    a `pbem.games.record.Effort`, to an `Analysis`.
    """

    api: int
    name: str
    rules: Mapping[int, Reference]
    board: Reference
    templates: Path = PLAIN
    title: str = ""
    seats: tuple[str, ...] = ()
    options: tuple[CommandOption, ...] = ()
    introduction: Introduction | None = None
    question: Question | None = None
    order_choices: Reference | None = None
    stage: Stage = Stage()
    card_texts: Reference | None = None
    faces: Reference | None = None
    concerns: Reference | None = None
    used_once: Reference | None = None
    steps: Reference | None = None
    joined: Reference | None = None
    desk: Reference | None = None
    said: Reference | None = None
    meant: Reference | None = None
    help: str | None = None
    reports: bool = False
    data: tuple[str, ...] = ()
    reads: Reference | None = None
    standing: tuple[str, ...] = ()
    exports: Mapping[str, Reference] = MappingProxyType({})
    analysis: Reference | None = None


class Distribution(NamedTuple):
    """The installed package that a game comes from: its name and version, as its metadata say."""

    name: str
    version: str

    def __str__(self) -> str:
        return f"{self.name} {self.version}"


MORE_OF_IT = Do("games", does="tells what is wrong with each plug-in")


class InstalledGame(NamedTuple):
    """A game that is installed: its descriptor and where it came from; or what is wrong with it."""

    name: str
    distribution: Distribution
    descriptor: GameDescriptor | None
    problems: tuple[str, ...] = ()

    def error(self, kind: type[PbemError], more_of_it: Do = MORE_OF_IT) -> PbemError:
        """The error for a plug-in that does not work: the first thing that is wrong with it, and
        where to find out more."""
        more = len(self.problems) - 1
        also = f" (and {more} more)" if more else ""
        return kind(
            f'the plug-in {self.distribution} for the game "{self.name[:40]}" does not work:'
            f" {self.problems[0]}{also}",
            hint=(more_of_it, "its author can mend it"),
        )


def load(reference: Reference) -> Any:
    """What a reference names. Raises `ValueError` if there is no such thing, or what its module
    raises."""
    module, colon, name = reference.partition(":")
    if not colon or not module or not name:
        raise ValueError(f'"{reference}" is no reference: package.module:name')
    try:
        return attrgetter(name)(import_module(module))
    except AttributeError as error:
        raise ValueError(f'the module {module} has no "{name}"') from error


def packages_of(found: GameDescriptor) -> set[str]:
    """The packages with a game's own code: those of its rules and of its board."""
    return {package_of(one) for one in (*found.rules.values(), found.board)}


def concerned(found: GameDescriptor) -> Callable[[Answer, Rules, Game], Concerned]:
    """What an answer of a game is about, given the rules and the position: by the game's own
    `concerns`, which need not look at the position."""
    if found.concerns is None:
        return lambda _answer, _rules, _game: Concerned()
    own = load(found.concerns)
    if len(signature(own).parameters) > _WITHOUT_POSITION:
        position_too: Callable[[Answer, Rules, Game], Concerned] = own
        return position_too
    return lambda answer, rules, _game: own(answer, rules)
