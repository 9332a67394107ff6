"""Options and answers that are counted and made one by one, without a list of them.

A question with a few dozen options is a tuple, made once from tables. Where options multiply (each
group of islands with each name it may get, frigates of each place to each other place), making the
list would cost more than everything else in a game that is played at random. `Product` and `Chain`
are sequences that know their length and make an option only when it is asked for by its number or
by iterating.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain, product, repeat
from typing import Any, Final, overload

from engine.flow import Answer, Ask, Card, Handle, Illegal, Option, Refusal

_ANSWER: Final[Callable[[tuple[Option, Handle | None]], Answer]] = partial(tuple.__new__, Answer)
"""`Answer._make` without a frame of Python's for each: to go through all answers is what many
positions cost most."""


class OptionSequence(Sequence[Option]):
    """What these sequences have in common. They are equal to any other sequence with the same
    options."""

    @overload
    def __getitem__(self, at: int) -> Option: ...

    @overload
    def __getitem__(self, at: slice) -> tuple[Option, ...]: ...

    def __getitem__(self, at: int | slice) -> Option | tuple[Option, ...]:
        if isinstance(at, slice):
            return tuple(self)[at]
        count = len(self)
        if not -count <= at < count:
            raise IndexError(f"there is no option {at} of {count}")
        return self._at(at if at >= 0 else at + count)

    @abstractmethod
    def _at(self, number: int) -> Option:
        """The option of this number, from 0 and below the length."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (OptionSequence, tuple)):
            return NotImplemented
        return tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))


class Product(OptionSequence):
    """`(verb, a, b, …)` for each `a` of the first row, each `b` of the second …; the last row
    changes fastest."""

    def __init__(self, verb: str, *rows: Sequence[int]) -> None:
        self._verb: Final = verb
        self._rows: Final = rows
        count = 1
        for row in rows:
            count *= len(row)
        self._count: Final = count

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Option]:
        return product((self._verb,), *self._rows)

    def __contains__(self, option: object) -> bool:
        return (
            isinstance(option, tuple)
            and len(option) == 1 + len(self._rows)
            and option[0] == self._verb
            and all(value in row for value, row in zip(option[1:], self._rows, strict=True))
        )

    def _at(self, number: int) -> Option:
        values: list[Any] = []
        for row in reversed(self._rows):
            number, place = divmod(number, len(row))
            values.append(row[place])
        values.append(self._verb)
        values.reverse()
        return tuple(values)


class Chain(OptionSequence):
    """The options of each part, one part after the other."""

    def __init__(self, *parts: Sequence[Option]) -> None:
        self._parts: Final = parts
        self._count: Final = sum([len(part) for part in parts])

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Option]:
        return chain.from_iterable(self._parts)

    def __contains__(self, option: object) -> bool:
        return any(option in part for part in self._parts)

    def _at(self, number: int) -> Option:
        for part in self._parts:
            if number < len(part):
                return part[number]
            number -= len(part)
        raise AssertionError("the number is below the count of all parts")


class Notation(OptionSequence):
    """The options of a question whose answers no list can hold: any number of dice, a text.

    `listed` are those that are offered where a list is wanted, at least one. All others are read by
    their notation: `read` gives the option that a text means or raises a `Refusal`, `words` the one
    spelling of an option, and `why_not` why it cannot be taken now ("": it can). What is signed is
    that spelling alone, so reading it must give the same option back.
    """

    def __init__(
        self,
        listed: Sequence[Option],
        read: Callable[[str], Option],
        words: Callable[[Option], str],
        why_not: Callable[[Option], str],
    ) -> None:
        self._listed: Final = listed
        self._read: Final = read
        self._words: Final = words
        self._why_not: Final = why_not

    def __len__(self) -> int:
        return len(self._listed)

    def __iter__(self) -> Iterator[Option]:
        return iter(self._listed)

    def __contains__(self, option: object) -> bool:
        if option in self._listed:
            return True
        return isinstance(option, tuple) and self.spelled(self._words(option)) == option

    def option_of(self, text: str) -> Option:
        """The option that a text means. Raises a `Refusal` if it means none, or one that cannot be
        taken now."""
        option = self._read(text)
        if reason := self._why_not(option):
            raise Illegal(reason)
        return option

    def spelled(self, text: str) -> Option | None:
        """The option of which this is the one spelling, if it can be taken now."""
        with suppress(Refusal):
            option = self.option_of(text)
            return option if self._words(option) == text else None
        return None

    def _at(self, number: int) -> Option:
        return self._listed[number]


class LegalAnswers(Sequence[Answer]):
    """Every legal answer of a seat that knows the cards of its hand, in this order: the options
    without a card; for each card of the hand what it may be spent for and what it allows; then
    `Ask.mends`.

    Equal cards count once: the first of them in `Ask.hand` stands for all. (Where others can see
    which copy is used, the caller puts `Ask.hand` into a secret order before.)
    """

    def __init__(self, ask: Ask, faces: Mapping[Handle, Card]) -> None:
        options, spend = ask.options, ask.spend
        count, spent = len(options), len(spend)
        parts: list[tuple[Sequence[Option], Handle | None]] = [(options, None)]
        if ask.hand:
            allows = ask.allows
            seen: set[Card] = set()
            for handle in ask.hand:
                card = faces[handle]
                if card in seen:
                    continue
                seen.add(card)
                if spent:
                    parts.append((spend, handle))
                    count += spent
                allowed = allows(card)
                if allowed:
                    parts.append((allowed, handle))
                    count += len(allowed)
        if ask.mends:
            parts.append((ask.mends, None))
            count += len(ask.mends)
        self._parts: Final = parts
        self._count: Final = count

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Answer]:
        return chain.from_iterable(
            [map(_ANSWER, zip(options, repeat(handle))) for options, handle in self._parts]
        )

    def __contains__(self, answer: object) -> bool:
        if not isinstance(answer, Answer):
            return False
        return any(
            handle == answer.handle and answer.option in options for options, handle in self._parts
        )

    def is_same(self, other: LegalAnswers) -> bool:
        """Whether both hold the same answers in the same order."""
        return self._parts == other._parts or list(self) == list(other)

    @overload
    def __getitem__(self, at: int) -> Answer: ...

    @overload
    def __getitem__(self, at: slice) -> list[Answer]: ...

    def __getitem__(self, at: int | slice) -> Answer | list[Answer]:
        if isinstance(at, slice):
            return list(self)[at]
        number = at if at >= 0 else at + self._count
        if number >= 0:
            for options, handle in self._parts:
                count = len(options)
                if number < count:
                    return Answer(options[number], handle)
                number -= count
        raise IndexError(f"there is no answer {at} of {self._count}")
