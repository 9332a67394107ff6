"""Reading what a player entered: which of the legal answers is meant.

Forgiving in case, accents and punctuation; words may be cut short, left out or given an ending where only one legal
answer fits. What is printed is canonical: reading it gives the same answer back. Everything else that fits several
answers is refused as ambiguous, however much nearer one of them looks: an answer that is signed cannot be taken back.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from engine.flow import Ambiguous, Answer, Ask, Card, Handle, Illegal, NotUnderstood
from engine.rules import Rules, legal_answers

_WORD = re.compile(r"[^\W_]+|>")
_APOSTROPHES = dict.fromkeys(map(ord, "'’`"))
_ENDINGS = ("s", "d", "ed")
_STEM = 3
"""Letters a word needs before it can be meant with an ending: "damaged frigate" may be "damage frigate"."""

_SHOWN = 10
"""How many sentences a refusal lists."""
_NEAR = 4
"""So many that are nearest to what is not legal; more would be no help."""


@lru_cache(maxsize=8192)
def tokens(text: str) -> tuple[str, ...]:
    """The words of a sentence, in lower case without accents, apostrophes and punctuation; an arrow and "to" are the
    same word."""
    plain = text.casefold()
    if not plain.isascii():
        plain = "".join(c for c in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(c))
    plain = plain.translate(_APOSTROPHES)
    plain = plain.replace("->", ">").replace("→", ">")
    return tuple(">" if word == "to" else word for word in _WORD.findall(plain))


def say(rules: Rules, answer: Answer, faces: Mapping[Handle, Card]) -> str:
    """The canonical sentence for an answer, for somebody who knows the card it uses."""
    words = rules.words(answer.option)
    if "{}" in words and answer.handle is not None:
        return words.replace("{}", rules.cards[faces[answer.handle]])
    return words


def sentences(rules: Rules, ask: Ask, faces: Mapping[Handle, Card]) -> dict[str, Answer]:
    """Every legal answer of a seat by its canonical sentence, in the order the game lists them."""
    return {say(rules, answer, faces): answer for answer in legal_answers(ask, faces)}


def pick_sentence(text: str, sentences: Iterable[str]) -> str:
    """The one of these sentences that `text` means. Raises `NotUnderstood` or `Ambiguous`."""
    found = _pick(text, {sentence: tokens(sentence) for sentence in sentences})
    if found is None:
        raise NotUnderstood(f'"{_clip(text)}" is none of {_some(list(sentences))}')
    return found


def understand(rules: Rules, text: str, legal: Mapping[str, Answer]) -> Answer:
    """The legal answer that `text` means.

    Raises `NotUnderstood`, `Illegal` (a sentence of the game, but not legal now) or `Ambiguous`.
    """
    found = _pick(text, {sentence: tokens(sentence) for sentence in legal})
    if found is not None:
        return legal[found]
    if (strange := strange_word(rules, text)) is not None:
        raise NotUnderstood(f'"{strange[:40]}" is no word of this game')
    near = _nearest(tokens(text), {sentence: tokens(sentence) for sentence in legal})
    raise Illegal(f'"{_clip(text)}" is not legal now' + (f"; nearest to it: {_some(near)}" if near else ""))


def strange_word(rules: Rules, text: str) -> str | None:
    """The first word that no answer of the game has in any form; None if there is none. Numbers are no words."""
    known = rules.vocabulary()
    strange = (word for word in tokens(text) if not any(_is_form_of(word, w) for w in known) and not word.isdigit())
    return next(strange, None)


def meant_cards(text: str, names: Sequence[str]) -> list[Card]:
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


def _pick(text: str, spelled: Mapping[str, tuple[str, ...]]) -> str | None:
    """The sentence that has exactly these words, else the only one that they fit, or None if they fit none."""
    wanted = tokens(text)
    if not wanted:
        raise NotUnderstood("nothing was entered")
    same = [sentence for sentence, words in spelled.items() if words == wanted]
    if len(same) == 1:
        return same[0]
    found = [sentence for sentence, words in spelled.items() if _is_abbreviation(wanted, words)]
    if len(found) > 1:
        found.sort(key=lambda sentence: _distance(wanted, spelled[sentence]))
        raise Ambiguous(f'"{_clip(text)}" could be {_some(found)}')
    return found[0] if found else None


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
        if _is_form_of(token, word):
            yield end
        elif token.isdigit() and word.isdigit():
            return


def _is_form_of(token: str, word: str) -> bool:
    """Whether a player may have meant this word: it is cut short, or has an ending more."""
    if token == word or word.isdigit():
        return token == word
    return word.startswith(token) or (len(word) >= _STEM and token.startswith(word) and token[len(word) :] in _ENDINGS)


def _distance(wanted: Sequence[str], words: Sequence[str]) -> tuple[bool, int, int]:
    """How far a sentence is from what was entered: whether it begins otherwise, words left out, letters left out."""
    begins = all(_is_form_of(token, word) for token, word in zip(wanted, words, strict=False))
    return not begins, len(words) - len(wanted), abs(sum(map(len, words)) - sum(map(len, wanted)))


def _nearest(wanted: Sequence[str], spelled: Mapping[str, tuple[str, ...]]) -> list[str]:
    """The sentences that share the most words with what was entered, if there are only a few."""
    shared = {
        sentence: sum(any(_is_form_of(token, word) for word in words) for token in wanted)
        for sentence, words in spelled.items()
    }
    most = max(shared.values(), default=0)
    near = [sentence for sentence, count in shared.items() if count == most > 0]
    return near if len(near) <= _NEAR else []


def _clip(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 80 else line[:77] + "..."


def _some(sentences: Sequence[str]) -> str:
    shown = ", ".join(f'"{sentence}"' for sentence in sentences[:_SHOWN])
    return shown if len(sentences) <= _SHOWN else f"{shown} or {len(sentences) - _SHOWN} more"
