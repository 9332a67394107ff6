"""Which of some sentences a text means.

Case, accents and punctuation do not matter. Words may be cut short or given an ending as long as
only one sentence fits. A text that fits several sentences is refused as ambiguous, even if it is
much closer to one of them; the exception is a text that gives exactly one of them with all of its
words and the last word complete.

What may be left out: the end of a sentence, small words (`SMALL`, unless a game has others), and
all but one word of a name with capitals. Nothing else, because a number or word that is skipped in
the middle could turn one report into another.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from engine.flow import Ambiguous, Card, NotUnderstood

_WORD = re.compile(r"(?:(?<![^\W_])[-+\u2212\u2013](?=\d))?[^\W_]+|>")
"""A word, or a number with its sign: -3 and 3 are different words."""
_APOSTROPHES = dict.fromkeys(map(ord, "'’`"))
_ENDINGS = ("s", "d", "ed")
_STEM = 3
"""How many letters a word of a sentence needs before a text may add an ending to it: "damaged
frigate" may mean "damage frigate"."""

SMALL = frozenset(("a", "an", "the", "of", "at", "on", "in", "with", "from", "and", ">"))
"""Words that may be left out, because no two answers differ in them alone."""

_MOST_LISTED = 10
"""How many sentences a refusal lists."""


@lru_cache(maxsize=8192)
def tokens(text: str) -> tuple[str, ...]:
    """The words of a sentence, in lower case without accents, apostrophes and punctuation; an arrow
    and "to" are the same word."""
    plain = text.casefold()
    if not plain.isascii():
        plain = "".join(map(_plain, plain))
    plain = plain.translate(_APOSTROPHES)
    plain = plain.replace("->", ">").replace("→", ">")
    return tuple(">" if word == "to" else word for word in _WORD.findall(plain))


def as_written(token: str, text: str) -> str:
    """The word of a text that was read as this token: "to" where it is that, and no arrow."""
    parts = (part.strip(".,;:!?") for part in text.split())
    return next((part for part in parts if tokens(part) == (token,)), token)


def _plain(letter: str) -> str:
    """A letter without accents. Raised digits and fractions stay what they are: 2² is no 22."""
    if letter.isnumeric() and not letter.isdecimal():
        return letter
    return "".join(c for c in unicodedata.normalize("NFKD", letter) if not unicodedata.combining(c))


def pick_sentence(text: str, sentences: Iterable[str]) -> str:
    """The one of these sentences that `text` means. Raises `NotUnderstood` or `Ambiguous`."""
    found = pick(text, {sentence: tokens(sentence) for sentence in sentences})
    if found is None:
        raise NotUnderstood(f'"{clip(text)}" is none of {listed(list(sentences))}')
    return found


def cards_in(text: str, names: Sequence[str]) -> list[Card]:
    """The cards that a text can mean. The longest run of its words that is the name of a card
    decides, with words cut short or left out. Empty if there is none."""
    wanted = tokens(text)
    spelled = [tokens(name) for name in names]
    for length in range(len(wanted), 0, -1):
        runs = [wanted[start : start + length] for start in range(len(wanted) - length + 1)]
        whole = [card for card, words in enumerate(spelled) if words in runs]
        found = whole or [
            card
            for card, words in enumerate(spelled)
            if any(_names_it(run, words) for run in runs if run)
        ]
        if found:
            return found
    return []


def _names_it(run: Sequence[str], words: Sequence[str]) -> bool:
    """Whether these words can be a card's name. One of them must have at least `_STEM` letters, so
    that "a" alone names no card."""
    return any(len(word) >= _STEM for word in run) and _is_abbreviation(run, words)


def pick(
    text: str,
    spelled: Mapping[str, tuple[str, ...]],
    distinctive: Collection[str] = (),
    small: Collection[str] = SMALL,
) -> str | None:
    """The sentence that is the text; otherwise that with exactly these words, otherwise the only
    one that they fit; None if they fit none. Words in `distinctive` may not be left out, `small`
    ones may. Raises `NotUnderstood` if there are no words and `Ambiguous` if several sentences
    fit."""
    if text in spelled:  # in chess bxc3 and Bxc3 have one word
        return text
    wanted = tokens(text)
    if not wanted:
        raise NotUnderstood("nothing was entered")
    same = [sentence for sentence, words in spelled.items() if words == wanted]
    if len(same) == 1:
        return same[0]
    found = [sentence for sentence, words in spelled.items() if _is_abbreviation(wanted, words)]
    if len(found) > 1:
        whole = [sentence for sentence in found if _is_whole(wanted, spelled[sentence])]
        found = whole if len(whole) == 1 else found
    if len(found) > 1:
        found.sort(key=lambda sentence: _distance(wanted, spelled[sentence]))
        raise Ambiguous(f'"{clip(text)}" could be {listed(found)}')
    if found and not _is_faithful(wanted, _spelled(found[0]), distinctive, small):
        raise Ambiguous(f'"{clip(text)}" leaves out words: it could be {listed(found)}')
    return found[0] if found else None


def _is_whole(wanted: Sequence[str], words: Sequence[str]) -> bool:
    """Whether every word of the sentence is given, cut short or not, and the last word is complete:
    "3 gib > tripoli" is a move to Tripoli and not to the Tripoli zone."""
    begun = all(word.startswith(token) for token, word in zip(wanted, words, strict=False))
    return len(wanted) == len(words) and begun and wanted[-1] == words[-1]


@lru_cache(maxsize=8192)
def _spelled(sentence: str) -> tuple[tuple[str, bool], ...]:
    """The words of a sentence, each with whether it is part of a name that has capitals."""
    return tuple(
        (word, part.strip("'\"(")[:1].isupper())
        for part in sentence.split()
        for word in tokens(part)
    )


def _is_faithful(
    wanted: Sequence[str],
    words: Sequence[tuple[str, bool]],
    distinctive: Collection[str],
    small: Collection[str],
) -> bool:
    """Whether only those words are left out that may be left out (top of this module)."""
    states = {(0, False, False)}
    for token in wanted:
        states = {after for state in states for after in _steps(token, words, small, *state)}
    return any(
        not is_open and not any(word in distinctive for word, _ in words[end:])
        for end, _, is_open in states
    )


def _steps(
    token: str,
    words: Sequence[tuple[str, bool]],
    small: Collection[str],
    start: int,
    is_named: bool,
    is_open: bool,
) -> Iterator[tuple[int, bool, bool]]:
    """How reading can go on after this word. Each result is the next position in the sentence,
    whether a word of the current name was given, and whether a name was skipped of which no word
    was given yet."""
    for end, (word, is_name) in enumerate(words[start:], start + 1):
        if is_form_of(token, word):
            if is_name:
                yield end, True, False
            elif word in small:
                yield end, is_named, is_open
            elif not is_open:
                yield end, False, False
        if not is_name and word not in small:
            return
        is_open = is_open or (is_name and not is_named)


def _is_abbreviation(wanted: Sequence[str], words: Sequence[str]) -> bool:
    """Whether these words are some of the sentence's, in its order. A number must be complete and
    matches the next number of the sentence: "blue 1" is never "blue 3 at ship 1"."""
    ends = {0}
    for token in wanted:
        ends = {end for start in ends for end in _places(token, words, start)}
    return bool(ends)


def _places(token: str, words: Sequence[str], start: int) -> Iterator[int]:
    """The positions at which reading can go on if this word is found at `start` or later."""
    for end, word in enumerate(words[start:], start + 1):
        if is_form_of(token, word):
            yield end
        elif token.isdigit() and word.isdigit():
            return


def is_form_of(token: str, word: str) -> bool:
    """Whether a player may mean `word` by `token`: the beginning of it, or it with one of
    `_ENDINGS`."""
    if token == word or word.isdigit():
        return token == word
    return word.startswith(token) or (
        len(word) >= _STEM and token.startswith(word) and token[len(word) :] in _ENDINGS
    )


def _distance(wanted: Sequence[str], words: Sequence[str]) -> tuple[bool, int, int]:
    """A key to sort sentences by: first those that begin as the text does, then by the number of
    words left out, then by the number of letters left out."""
    begins = all(is_form_of(token, word) for token, word in zip(wanted, words, strict=False))
    return not begins, len(words) - len(wanted), abs(sum(map(len, words)) - sum(map(len, wanted)))


def clip(text: str) -> str:
    """The text in one line, shortened to 80 characters."""
    line = " ".join(text.split())
    return line if len(line) <= 80 else line[:77] + "..."


def listed(sentences: Sequence[str]) -> str:
    """The sentences in quotation marks, at most `_MOST_LISTED` of them, and how many more there
    are."""
    first = ", ".join(f'"{sentence}"' for sentence in sentences[:_MOST_LISTED])
    return (
        first
        if len(sentences) <= _MOST_LISTED
        else f"{first} or {len(sentences) - _MOST_LISTED} more"
    )
