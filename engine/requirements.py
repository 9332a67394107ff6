"""Requirements of rules: a predicate, the words for it, and a fact that says how things stand.

The rules ask the same predicate that a refusal explains, so the two cannot differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias

Predicate: TypeAlias = Callable[[Any], bool]
"""A question to a position, from public facts."""


class Unmet(NamedTuple):
    """A requirement that does not hold, and the fact against it: "1803 or later", "it is 1801". If
    `needs` is empty the fact is about the card itself and complete: "it is not in your hand"."""

    needs: str
    fact: str


class Requirement(NamedTuple):
    """One thing that a rule asks for: `holds` answers, `words` name it, `fact` says how things
    stand."""

    holds: Predicate
    words: str
    fact: Callable[[Any], str]


class Use(NamedTuple):
    """One way to use a card: the verb that players enter, if there is one, and what is missing for
    it now."""

    what: str
    unmet: tuple[Unmet, ...] = ()


def requires(words: str, fact: Callable[[Any], str]) -> Callable[[Predicate], Requirement]:
    """A decorator that makes a predicate a `Requirement` with these words and this fact."""

    def with_words(holds: Predicate) -> Requirement:
        return Requirement(holds, words, fact)

    return with_words


def all_hold(required: Sequence[Requirement]) -> Predicate:
    """One predicate that is true if all requirements hold, without a loop for up to two of them."""
    holds = tuple(requirement.holds for requirement in required)
    match holds:
        case ():
            return lambda _game: True
        case (only,):
            return only
        case (first, second):
            return lambda game: first(game) and second(game)
    return lambda game: all(question(game) for question in holds)


def unmet(required: Iterable[Requirement], game: Any) -> tuple[Unmet, ...]:
    """The requirements that do not hold, each with its fact."""
    return tuple(
        Unmet(requirement.words, requirement.fact(game))
        for requirement in required
        if not requirement.holds(game)
    )


def why_not(name: str, missing: Sequence[Unmet]) -> str:
    """The facts against using a card, each with what the card needs: "it is 1801, and Sweden Pays
    Tribute needs 1803 or later"."""
    facts = []
    for number, (needs, fact) in enumerate(missing):
        subject = "it" if number else name
        facts.append(
            f"{fact}, and {subject} needs {needs}"
            if needs
            else f"{subject} {fact.removeprefix('it ')}"
        )
    return "; ".join(facts)


def by_reason(name: str, uses: Iterable[Use]) -> dict[str, list[str]]:
    """The uses grouped by the reason that stands against each, in words; those that are open now
    are under ""."""
    found: dict[str, list[str]] = {}
    for use in uses:
        found.setdefault(why_not(name, use.unmet), []).append(use.what)
    return found
