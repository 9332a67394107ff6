"""The test bench for a game: checks what rules must keep to, so that turn files, hands and standing
orders can be relied on.

It plays random games with every number of seats to their end, and reads back the notation of
answers, in words and in a file. It checks that the position is complete
(`pbem.simulate.order_check`), and that hidden cards stay hidden in rules and views
(`pbem.simulate.secrecy`). It compares a golden playthrough, and measures.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

from engine.flow import MOST_SEALED, Answer, Ask, Pick, Roll
from engine.rules import Rules, Settings
from engine.table import OpenTable
from pbem.games import registry
from pbem.games.leaving import problems_of_leaving
from pbem.games.sample import problems_at
from pbem.ledger.file_entry import read_answer, write_answer
from pbem.simulate import golden, secrecy
from pbem.simulate.by_mail import play_by_mail
from pbem.simulate.order_check import OrderCheck, SwapPlace
from pbem.simulate.playthrough import Dealer, Playthrough, Step
from pbem.simulate.policies import RandomPolicy

LONGEST = 20_000
"""Requests after which a game counts as endless."""
SAMPLE = 4
"""Answers of one question whose notation is read back."""
VIEWS_EVERY = 7
"""At every so many questions it is checked that the views are plain data."""
MOST = 20
"""Problems that are reported."""


@dataclass
class Findings:
    """What the bench found. `swapped` are the games in which two answers were given in the other
    order and both orders were legal; `pairs` are those of them that then met in one position.
    `searched` is how many names that only others know were searched for, over all views and
    reports."""

    game: str
    rules: int
    games: int = 0
    questions: int = 0
    answers: int = 0
    pairs: int = 0
    swapped: int = 0
    replayed: int = 0
    searched: int = 0
    golden: str = "none"
    games_per_second: float = 0
    answers_per_question: float = 0
    entries_per_turn: float = 0
    problems: list[str] = field(default_factory=list)

    def add_problem(self, what: str) -> None:
        """Add a problem, unless it is known already or there are too many."""
        if what not in self.problems and len(self.problems) < MOST:
            self.problems.append(what)


def check(
    rules: Rules,
    games: int,
    seed: str = "1",
    *,
    golden_file: Path | None = None,
    places: Sequence[SwapPlace] = (),
    progress: Callable[[int], None] = lambda _played: None,
    doing: Callable[[str], None] = lambda _what: None,
) -> Findings:
    """Run every check on so many random games. `places` are where pairs of games were found before;
    they are tried before others are searched for. `progress` is called after each game, `doing`
    with what is done next."""
    found = Findings(rules.name, rules.version)
    settings, orders = registry.variants(rules), OrderCheck(rules)
    for number in range(games):
        chosen, of = settings[number % len(settings)], f"{seed}/{number}"
        where = f"game {number}, {_options_in_words(chosen)}"
        say = partial(_say, doing, where)
        _catch(found, where, partial(_one_game, found, rules, chosen, of, orders, say))
        progress(1)
    doing("answers are given in another order")
    if not found.problems:
        _catch(found, "places of before", lambda: orders.look_again(settings, places))
        _catch(
            found, "answers in another order", lambda: orders.look_further(settings, games, seed)
        )
    found.pairs, found.swapped = orders.pairs, orders.swapped
    for options, differs in orders.problems:
        found.add_problem(f"{_options_in_words(options)}: the position is not complete: {differs}")
    doing("a game is played by mail, signed and told")
    if not found.problems:
        _catch(found, "the signed game", lambda: _mail_game(found, rules, settings[0], seed))
    doing("the golden playthrough")
    if golden_file is not None:
        _catch(
            found, "the golden playthrough", lambda: _golden(found, rules, settings[0], golden_file)
        )
    doing("games are played for the figures")
    if not found.problems:  # a broken game may have no end
        _catch(found, "the figures", lambda: _measure(found, rules, settings[0], games))
    return found


def _say(doing: Callable[[str], None], where: str, what: str) -> None:
    doing(f"{where}: {what}")


def _options_in_words(settings: Settings) -> str:
    return ", ".join(f"{name}={value}" for name, value in sorted(settings.items())) or "no options"


def _catch(found: Findings, where: str, run: Callable[[], None]) -> None:
    try:
        run()
    except Exception as error:  # foreign code: anything can come out of it
        found.add_problem(f"{where}: {type(error).__name__}: {error}")


def _one_game(
    found: Findings,
    rules: Rules,
    settings: Settings,
    seed: str,
    orders: OrderCheck,
    doing: Callable[[str], None],
) -> None:
    """Play one game at random and run every check on it."""
    rng = random.Random(seed)
    table = Playthrough(rules, settings, Dealer(rng.randrange(2**32)))
    steps: list[Step] = []
    public_steps: list[secrecy.PublicStep] = []
    for step in _asking(found, table, rng, doing):
        if len(steps) == LONGEST:
            found.add_problem(
                f"{_options_in_words(settings)}: the game does not end within {LONGEST} requests"
            )
            return
        public_steps.append(secrecy.public(table, step, len(steps)))
        if len(steps) % secrecy.EVERY == 0:
            _search(found, table, step, public_steps[-1], len(steps) // secrecy.EVERY)
        steps.append(step)
    found.games += 1
    doing("it is played again in another order")
    orders.look(table, steps, rng)
    if registry.goes_on_without(rules, settings):
        doing("seats leave it")
        for problem in problems_of_leaving(rules, settings, rng, LONGEST):
            found.add_problem(f"{_options_in_words(settings)}: {problem}")
    found.replayed += 1
    doing("it is played again with other cards behind the backs")
    if differs := secrecy.follow_hidden(table, steps, public_steps):
        found.add_problem(
            f"{_options_in_words(settings)}, {differs}: a rule looks at a hidden card, or a view"
            " shows one"
        )


def _asking(
    found: Findings, table: Playthrough, rng: random.Random, doing: Callable[[str], None]
) -> Iterator[Step]:
    """The steps of a game. Before each answer is given, the notation of some answers is read
    back."""
    respond, number = table.respond, 0

    def look_and_respond(played: Playthrough, request: Any) -> Any:
        nonlocal number
        number += 1
        if isinstance(request, Ask):
            doing(f'the answers to request {number}, the question "{request.rule}", are read back')
            _question(found, played, request, rng)
        elif isinstance(request, Roll | Pick) and request.reason not in (
            played.rules.reasons or ("",)
        ):
            found.add_problem(
                f'"{request.why}": the reason "{request.reason}" is none of the rules\' own, so it'
                " is not signed"
            )
        result = respond(played, request)
        doing(f"the rules make up request {number + 1}")
        return result

    table.respond = look_and_respond
    return table.steps()


def _question(found: Findings, table: Playthrough, ask: Ask, rng: random.Random) -> None:
    """Check one question, and the notation of some of its answers."""
    if ask.sealed and (ask.hand or ask.mends or not 0 < len(ask.options) <= MOST_SEALED):
        found.add_problem(
            f'the question "{ask.rule}": what is sealed is one of 1 to {MOST_SEALED} options'
            " without a card"
        )
    if ask.sealed and not table.rules.seals_choices(table.settings):
        found.add_problem(
            f'the question "{ask.rule}" is sealed, and the rules do not say that they seal choices'
        )
    answers = list(table.legal)
    found.questions += 1
    found.answers += len(answers)
    sample = answers if len(answers) <= SAMPLE else rng.sample(answers, SAMPLE)
    views = found.questions % VIEWS_EVERY == 0
    for problem in problems_at(table.rules, table, ask, answers, sample, views=views):
        found.add_problem(problem)
    for problem in _in_a_file(table, ask, sample):
        found.add_problem(problem)


def _in_a_file(table: Playthrough, ask: Ask, answers: Sequence[Answer]) -> Iterator[str]:
    """Write answers as a file holds them and read them back, as a reader does who knows the open
    cards and those that the answers open. Yields a sentence for each that comes back as another
    one."""
    for answer in answers:
        text, faces = write_answer(table.rules, table.decks, answer), dict(table.game.faces())
        if answer.handle is not None and answer.option not in ask.spend:
            faces[answer.handle] = table.faces[answer.handle]
        if (read := read_answer(table.rules, table.decks, ask, text, faces)) != answer:
            yield f'the question "{ask.rule}": "{text}" in a file means {read}, not {answer}'


def _search(
    found: Findings, table: Playthrough, step: Step, public_step: secrecy.PublicStep, turn: int
) -> None:
    """Search what everybody gets, and what two seats get in turn, for names that only others know;
    and check that making a view changes nothing."""
    seats = len(table.seats)
    for viewer in (None, *sorted({turn % seats, (turn + 1) % seats})):
        names = secrecy.secrets_of(table, viewer)
        found.searched += len(names)
        if leaks := secrecy.named_in(secrecy.artefacts(table, viewer, public_step), names):
            who = "everybody" if viewer is None else table.seats[viewer]
            found.add_problem(
                f"request {step.number}: what {who} sees names {', '.join(leaks)}, which only"
                " others know"
            )
    if table.game.position() != public_step.position:
        found.add_problem(f"request {step.number}: looking at the position changes it")


def _mail_game(found: Findings, rules: Rules, settings: Settings, seed: str) -> None:
    """Play one game through the real ledger: count its mails, and search all reports of it."""
    game = play_by_mail(rules, settings, RandomPolicy, seed)
    found.entries_per_turn = round(game.entries / max(1, game.seasons), 2)
    leaks, count = secrecy.count_leaks(game.data)
    found.searched += count
    for leak in leaks:
        found.add_problem(f"a report of a signed game names what only others know: {leak}")


def _golden(found: Findings, rules: Rules, settings: Settings, path: Path) -> None:
    """Compare the golden playthrough with the file, or write it if there is none."""
    made = golden.text(rules, settings, 1)
    if not path.exists():
        path.write_text(made, encoding="utf-8", newline="\n")
        found.golden = "written"
        return
    kept = path.read_text(encoding="utf-8").splitlines()
    found.golden = "same" if kept == made.splitlines() else "different"
    if found.golden == "different":
        lines = enumerate(zip([*kept, ""], [*made.splitlines(), ""], strict=False), 1)
        number = next((number for number, (old, new) in lines if old != new), len(kept))
        found.add_problem(
            f"{path.name}, line {number}: the golden playthrough comes out differently; remove it"
            " if that is right"
        )


def _measure(found: Findings, rules: Rules, settings: Settings, games: int) -> None:
    """Measure games a second at an open table, and answers for each question."""
    number_played, start = max(1, min(50, games)), perf_counter()
    for number in range(number_played):
        chance = random.Random(number)
        OpenTable(rules, settings, chance).play(RandomPolicy(rules, chance).choose)
    found.games_per_second = round(number_played / (perf_counter() - start), 1)
    found.answers_per_question = round(found.answers / max(1, found.questions), 2)


def _orders_in_words(found: Findings) -> str:
    if found.pairs:
        pairs = f"{found.pairs} pair{'s' if found.pairs > 1 else ''} of games"
        return (
            f"{pairs} in which two answers in another order led to the same position, of"
            f" {found.swapped} compared"
        )
    if found.swapped:
        return f"no pair: each of {found.swapped} positions tells in which order two answers came"
    return "no pair: no two answers of a seat can come in another order"


def in_words(found: Findings, measure: str) -> str:
    """What `pbem check-game` prints."""
    lines = [
        f"{found.game}, rules version {found.rules}: {found.games} random games to the end",
        (
            f"  {found.questions} questions, {found.answers_per_question} answers each, read back"
            " as words and as filed"
        ),
        f"  {_orders_in_words(found)}",
        f"  {found.replayed} games played again with other cards behind the backs",
        f"  {found.searched} names of hidden cards searched for in views and reports",
        f"  golden playthrough: {found.golden}",
        (
            f"  {found.games_per_second} games a second, {found.entries_per_turn} entries a"
            f" {measure} by mail"
        ),
    ]
    wrong = [f"wrong: {problem}" for problem in found.problems] or ["Nothing wrong was found."]
    return "\n".join([*lines, *wrong])
