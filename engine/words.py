"""Which of some sentences a text means.

Forgiving in case, accents and punctuation; words may be cut short or given an ending where only one sentence fits.
Everything that fits several is refused as ambiguous, however much nearer one of them looks, unless one alone is given
whole, with its last word spelled to the end. Left out may be only the
end of a sentence, small words (`SMALL`), and all but one of the words of a name that has capitals: a number or a word
between that is passed over could turn one report into another.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from engine.flow import Ambiguous, Card, NotUnderstood

_WORD = re.compile(r"(?:(?<![^\W_])[-+\u2212\u2013](?=\d))?[^\W_]+|>")
"""A word or a number with its sign: "-3" is no 3."""
_APOSTROPHES = dict.fromkeys(map(ord, "'’`"))
_ENDINGS = ("s", "d", "ed")
_STEM = 3
"""Letters a word needs before it can be meant with an ending: "damaged frigate" may be "damage frigate"."""

SMALL = frozenset(("a", "an", "the", "of", "at", "on", "in", "with", "from", "and", ">"))
"""Words that tell no two answers apart."""

_MOST_LISTED = 10
"""How many sentences a refusal lists."""


@lru_cache(maxsize=8192)
def tokens(text: str) -> tuple[str, ...]:
    """The words of a sentence, in lower case without accents, apostrophes and punctuation; an arrow and "to" are the
    same word."""
    plain = text.casefold()
    if not plain.isascii():
        plain = "".join(map(_plain, plain))
    plain = plain.translate(_APOSTROPHES)
    plain = plain.replace("->", ">").replace("→", ">")
    return tuple(">" if word == "to" else word for word in _WORD.findall(plain))


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
    """The cards that these words can mean: those whose name is given by the longest run of them, words cut short or
    left out; empty if they name none."""
    wanted = tokens(text)
    spelled = [tokens(name) for name in names]
    for length in range(len(wanted), 0, -1):
        runs = [wanted[start : start + length] for start in range(len(wanted) - length + 1)]
        whole = [card for card, words in enumerate(spelled) if words in runs]
        found = whole or [
            card for card, words in enumerate(spelled) if any(_names_it(run, words) for run in runs if run)
        ]
        if found:
            return found
    return []


def _names_it(run: Sequence[str], words: Sequence[str]) -> bool:
    """Whether these words can be the name: with one word of some length among them, so that "a" means nothing yet."""
    return any(len(word) >= _STEM for word in run) and _is_abbreviation(run, words)


def pick(text: str, spelled: Mapping[str, tuple[str, ...]], distinctive: Collection[str] = ()) -> str | None:
    """The sentence that has exactly these words, else the only one that they fit, or None if they fit none. The
    `distinctive` words are never left out."""
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
    if found and not _is_faithful(wanted, _spelled(found[0]), distinctive):
        raise Ambiguous(f'"{clip(text)}" leaves out words: it could be {listed(found)}')
    return found[0] if found else None


def _is_whole(wanted: Sequence[str], words: Sequence[str]) -> bool:
    """Whether each word of the sentence is there, cut short perhaps, and the last one to its end: "3 gib > tripoli" is
    no move to the Tripoli zone, which is called by one word more."""
    begun = all(word.startswith(token) for token, word in zip(wanted, words, strict=False))
    return len(wanted) == len(words) and begun and wanted[-1] == words[-1]


@lru_cache(maxsize=8192)
def _spelled(sentence: str) -> tuple[tuple[str, bool], ...]:
    """The words of a sentence, each with whether it is part of a name that has capitals."""
    return tuple((word, part.strip("'\"(")[:1].isupper()) for part in sentence.split() for word in tokens(part))


def _is_faithful(wanted: Sequence[str], words: Sequence[tuple[str, bool]], distinctive: Collection[str]) -> bool:
    """Whether nothing is left out that could tell: see the top of this module."""
    states = {(0, False, False)}
    for token in wanted:
        states = {after for state in states for after in _steps(token, words, *state)}
    return any(not is_open and not any(word in distinctive for word, _ in words[end:]) for end, _, is_open in states)


def _steps(
    token: str, words: Sequence[tuple[str, bool]], start: int, is_named: bool, is_open: bool
) -> Iterator[tuple[int, bool, bool]]:
    """Where reading can go on after this word, with whether a word of the present name has been given, and whether
    words of a name have been passed over of which none is given yet."""
    for end, (word, is_name) in enumerate(words[start:], start + 1):
        if is_form_of(token, word):
            if is_name:
                yield end, True, False
            elif word in SMALL:
                yield end, is_named, is_open
            elif not is_open:
                yield end, False, False
        if not is_name and word not in SMALL:
            return
        is_open = is_open or (is_name and not is_named)


def _is_abbreviation(wanted: Sequence[str], words: Sequence[str]) -> bool:
    """Whether these are some words of the sentence, in its order. A number must be whole, and stands for the next
    number of the sentence: "blue 1" is never the blue 3 at ship 1."""
    ends = {0}
    for token in wanted:
        ends = {end for start in ends for end in _places(token, words, start)}
    return bool(ends)


def _places(token: str, words: Sequence[str], start: int) -> Iterator[int]:
    """Where reading can go on after this word has been found at `start` or later."""
    for end, word in enumerate(words[start:], start + 1):
        if is_form_of(token, word):
            yield end
        elif token.isdigit() and word.isdigit():
            return


def is_form_of(token: str, word: str) -> bool:
    """Whether a player may have meant this word: it is cut short, or has an ending more."""
    if token == word or word.isdigit():
        return token == word
    return word.startswith(token) or (len(word) >= _STEM and token.startswith(word) and token[len(word) :] in _ENDINGS)


def _distance(wanted: Sequence[str], words: Sequence[str]) -> tuple[bool, int, int]:
    """How far a sentence is from what was entered: whether it begins otherwise, words left out, letters left out."""
    begins = all(is_form_of(token, word) for token, word in zip(wanted, words, strict=False))
    return not begins, len(words) - len(wanted), abs(sum(map(len, words)) - sum(map(len, wanted)))


def clip(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 80 else line[:77] + "..."


def listed(sentences: Sequence[str]) -> str:
    first = ", ".join(f'"{sentence}"' for sentence in sentences[:_MOST_LISTED])
    return first if len(sentences) <= _MOST_LISTED else f"{first} or {len(sentences) - _MOST_LISTED} more"
