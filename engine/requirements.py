"""What a rule requires of the position: the question that the rules ask, with its words and the fact that answers it.

A refusal can so tell what is missing from the predicate that refused, and nothing is judged in two places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias

Predicate: TypeAlias = Callable[[Any], bool]
"""A question to a position, from public facts."""


class Unmet(NamedTuple):
    """A requirement that does not hold, and the fact against it: "1803 or later", "it is 1801". Without `needs` the
    fact is about the card and says it all: "it is not in your hand"."""

    needs: str
    fact: str


class Requirement(NamedTuple):
    """One thing that a rule asks for: `holds` answers, `words` name it, `fact` says how things stand."""

    holds: Predicate
    words: str
    fact: Callable[[Any], str]


class Use(NamedTuple):
    """One way to use a card, by the verb that players type where there is one, and what is missing for it now."""

    what: str
    unmet: tuple[Unmet, ...] = ()


def requires(words: str, fact: Callable[[Any], str]) -> Callable[[Predicate], Requirement]:
    """Make the predicate below a requirement with these words."""

    def with_words(holds: Predicate) -> Requirement:
        return Requirement(holds, words, fact)

    return with_words


def all_hold(required: Sequence[Requirement]) -> Predicate:
    """One question for them all, as quick as the predicates themselves."""
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
    """Those that do not hold, with the facts."""
    return tuple(
        Unmet(requirement.words, requirement.fact(game)) for requirement in required if not requirement.holds(game)
    )


def why_not(name: str, missing: Sequence[Unmet]) -> str:
    """The facts against using a card, each with what the card needs: "it is 1801, and Sweden Pays Tribute needs 1803
    or later"."""
    facts = []
    for number, (needs, fact) in enumerate(missing):
        subject = "it" if number else name
        facts.append(f"{fact}, and {subject} needs {needs}" if needs else f"{subject} {fact.removeprefix('it ')}")
    return "; ".join(facts)


def by_reason(name: str, uses: Iterable[Use]) -> dict[str, list[str]]:
    """The uses that have each reason against them, in words; those of a use that is open now are "" (none)."""
    found: dict[str, list[str]] = {}
    for use in uses:
        found.setdefault(why_not(name, use.unmet), []).append(use.what)
    return found
