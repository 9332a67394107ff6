"""The test bench for a game: checks what rules must keep to, so that turn files, hands and standing
orders can be relied on.

It plays random games with every number of seats to their end, and reads back the notation of
answers, in words and in a file. It checks that the position is complete
(`pbem.simulate.order_check`), and that hidden cards stay hidden in rules and views
(`pbem.simulate.secrecy`). It compares a golden playthrough, and measures.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

from engine.flow import MOST_SEALED, Answer, Ask, Pick, Roll
from engine.rules import Game, Rules, Settings, words_of
from engine.table import OpenTable
from pbem.english import counted
from pbem.games import registry
from pbem.games.foreign import package_of, raised
from pbem.games.leaving import problems_of_leaving
from pbem.games.sample import problems_at
from pbem.ledger.file_entry import read_answer, write_answer
from pbem.simulate import golden, secrecy
from pbem.simulate.bench_time import BenchTime, SlowFunction, TimeIsUp
from pbem.simulate.by_mail import play_by_mail
from pbem.simulate.order_check import WANTED, OrderCheck, SwapPlace
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
    reports. `games` of `asked` were played to their end in so many `seconds`; `slow` are functions
    of the game, and `cut` says what there was no time for."""

    game: str
    rules: int
    asked: int = 0
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
    seconds: float = 0
    slow: list[SlowFunction] = field(default_factory=list)
    cut: list[str] = field(default_factory=list)
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
    limit: float = math.inf,
    begun: Callable[[Callable[[], str]], None] = lambda _verdict: None,
    clock: Callable[[], float] = perf_counter,
) -> Findings:
    """Run every check on so many random games, for `limit` seconds at most. `places` are where
    pairs of games were found before; they are tried before others are searched for. `progress` is
    called after each game, `doing` with what is done next, and `begun` at the start, with a
    function that gives the verdict so far."""
    found = Findings(rules.name, rules.version, games)
    time = BenchTime(rules, limit, clock)
    begun(lambda: _so_far(found, time))
    stage = ["the games"]

    def note(what: str) -> None:
        stage[0] = what
        doing(what)

    try:
        with time.ending():
            _checks(found, rules, games, seed, golden_file, places, progress, note, time)
    except TimeIsUp as end:
        where = f"{end.function}(), " if end.function else ""
        found.add_problem(f"{where}{stage[0]}: it had not come to an end after {time.taken:.0f} s")
    time.end_measuring()
    found.slow, found.seconds = time.slow(), round(time.taken, 1)
    return found


def _checks(
    found: Findings,
    rules: Rules,
    games: int,
    seed: str,
    golden_file: Path | None,
    places: Sequence[SwapPlace],
    progress: Callable[[int], None],
    doing: Callable[[str], None],
    time: BenchTime,
) -> None:
    """All checks, one part after the other."""
    settings, orders = registry.variants(rules), OrderCheck(rules, time.is_over)
    catch = partial(_catch, found, {package_of(type(rules).__module__)})
    time.begin("games")
    for number in range(games):
        if time.is_over():
            break
        chosen, of = settings[number % len(settings)], f"{seed}/{number}"
        where = f"game {number}, {_options_in_words(chosen)}"
        say = partial(_say, doing, where)
        catch(where, partial(_one_game, found, rules, chosen, of, orders, say, time))
        progress(1)
    if found.games < games and not found.problems:
        found.cut.append(f"{games - found.games} of {games} games")
    doing("answers are given in another order")
    time.begin("orders")
    if not found.problems:
        catch("places of before", lambda: orders.look_again(settings, places))
        catch("answers in another order", lambda: orders.look_further(settings, games, seed))
    if time.is_over() and orders.pairs < WANTED:
        found.cut.append("some pairs of answers in another order")
    found.pairs, found.swapped = orders.pairs, orders.swapped
    for options, differs in orders.problems:
        found.add_problem(f"{_options_in_words(options)}: the position is not complete: {differs}")
    doing("a game is played by mail, signed and told")
    time.begin("mail")
    if not found.problems:
        catch("the signed game", lambda: _mail_game(found, rules, settings[0], seed, time))
    doing("the golden playthrough")
    if golden_file is not None:
        catch("the golden playthrough", lambda: _golden(found, rules, settings[0], golden_file))
    doing("games are played for the figures")
    time.begin("figures")
    if not found.problems:  # a broken game may have no end
        catch("the figures", lambda: _measure(found, rules, settings[0], games, time))


def _say(doing: Callable[[str], None], where: str, what: str) -> None:
    doing(f"{where}: {what}")


def _options_in_words(settings: Settings) -> str:
    return ", ".join(f"{name}={value}" for name, value in sorted(settings.items())) or "no options"


def _catch(found: Findings, packages: Collection[str], where: str, run: Callable[[], None]) -> None:
    try:
        run()
    except Exception as error:  # foreign code: anything can come out of it
        found.add_problem(f"{where}: {raised(error, packages)}")


def _one_game(
    found: Findings,
    rules: Rules,
    settings: Settings,
    seed: str,
    orders: OrderCheck,
    doing: Callable[[str], None],
    time: BenchTime,
) -> None:
    """Play one game at random and run every check on it; on a part of it where there is no time for
    more and none was played to its end before."""
    rng = random.Random(seed)
    table = Playthrough(rules, settings, Dealer(rng.randrange(2**32)))
    steps: list[Step] = []
    public_steps: list[secrecy.PublicStep] = []
    for step in _asking(found, table, rng, doing):
        if time.is_over():
            break
        if len(steps) == LONGEST:
            found.add_problem(
                f"{_options_in_words(settings)}: the game does not end within {LONGEST} requests"
            )
            return
        public_steps.append(secrecy.public(table, step, len(steps)))
        if len(steps) % secrecy.EVERY == 0:
            _search(found, table, step, public_steps[-1], len(steps) // secrecy.EVERY)
        steps.append(step)
    found.games += table.outcome is not None
    if table.outcome is None and found.games:
        return
    doing("it is played again in another order")
    orders.look(table, steps, rng)
    if table.outcome is not None and registry.goes_on_without(rules, settings):
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
    words = partial(words_of, table.rules, table.game)
    for answer in answers:
        text, faces = (
            write_answer(table.decks, words(answer.option), answer.handle),
            dict(table.game.faces()),
        )
        if answer.handle is not None and answer.option not in ask.spend:
            faces[answer.handle] = table.faces[answer.handle]
        if (read := read_answer(words, table.decks, ask, text, faces)) != answer:
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


class _InTime(RandomPolicy):
    """Any legal answer, for as long as there is time."""

    def __init__(self, rules: Rules, chance: random.Random, time: BenchTime) -> None:
        super().__init__(rules, chance)
        self._time = time

    def choose(self, game: Game, ask: Ask, answers: Sequence[Answer]) -> Answer:
        self._time.tick()
        return super().choose(game, ask, answers)


def _mail_game(
    found: Findings, rules: Rules, settings: Settings, seed: str, time: BenchTime
) -> None:
    """Play one game through the real ledger: count its mails, and search all reports of it."""
    try:
        game = play_by_mail(rules, settings, partial(_InTime, time=time), seed)
    except TimeIsUp:
        found.cut.append("the game by mail, and its reports")
        return
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


def _measure(
    found: Findings, rules: Rules, settings: Settings, games: int, time: BenchTime
) -> None:
    """Measure games a second at an open table, and answers for each question."""
    number_played, start = 0, perf_counter()
    try:
        while number_played < max(1, min(50, games)):
            chance = random.Random(number_played)
            policy = _InTime(rules, chance, time)
            OpenTable(rules, settings, chance).play(policy.choose)
            number_played += 1
    except TimeIsUp:
        if not number_played:
            found.cut.append("the figures")
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
    slow = [f"  slow: {one}" for one in found.slow]
    cut = [f"  no time for {', '.join(found.cut)}: --seconds 0 takes it"] if found.cut else []
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
        *slow,
        *cut,
    ]
    wrong = [f"wrong: {problem}" for problem in found.problems] or ["Nothing wrong was found."]
    return "\n".join([*lines, *wrong])


def plan(games: int, limit: float) -> str:
    """What the bench does and how long it may take, before it begins."""
    most = f"{limit:.0f} seconds at most" if limit < math.inf else "for as long as it takes"
    return (
        f"{counted(games, 'random game')} to the end, with answers read back, in another order, and"
        f" with other cards behind the backs; then one game by mail, and the figures: {most}"
    )


def _so_far(found: Findings, time: BenchTime) -> str:
    """The verdict on what was done until now: what is wrong, what is slow, how much longer the
    games take."""
    wrong = f"wrong: {found.problems[0]}" if found.problems else "nothing wrong"
    parts = [f"{wrong} in {found.games} of {found.asked} games, {found.questions} questions"]
    parts += [f"slow: {one}" for one in time.slow()]
    if name := time.running():
        parts.append(f"it is in {name}() now")
    if 0 < found.games < found.asked:
        left = min(time.limit, time.taken / found.games * found.asked) - time.taken
        parts.append(f"the games take about {max(1, round(left))} seconds more")
    return "; ".join(parts)
