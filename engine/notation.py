"""Reading what a player typed: which of the legal answers is meant.

Forgiving in case, accents and punctuation; words may be shortened to prefixes and left out where that stays unique.
What is printed is canonical: reading it gives the same answer back.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence

from engine.flow import Ambiguous, Answer, Ask, Card, Handle, Illegal, NotUnderstood
from engine.rules import Rules, legal_answers

_WORD = re.compile(r"[a-z0-9]+|>")


_SHOWN = 10
"""How many sentences a refusal lists."""
_NEAR = 4
"""So many that are nearest to what is not legal; more would be no help."""


def tokens(text: str) -> tuple[str, ...]:
    """The words of a sentence, in lower case without accents, apostrophes and punctuation; an arrow and "to" are the
    same word."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(c for c in plain if not unicodedata.combining(c) and c not in "'’`")
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


def pick_sentence(typed: str, sentences: Iterable[str]) -> str:
    """The one of these sentences that `typed` means. Raises `NotUnderstood` or `Ambiguous`."""
    found = _pick(typed, {sentence: tokens(sentence) for sentence in sentences})
    if found is None:
        raise NotUnderstood(f'"{_clip(typed)}" is none of {_some(list(sentences))}')
    return found


def understand(rules: Rules, typed: str, legal: Mapping[str, Answer]) -> Answer:
    """The legal answer that `typed` means.

    Raises `NotUnderstood`, `Illegal` (a sentence of the game, but not legal now) or `Ambiguous`.
    """
    found = _pick(typed, {sentence: tokens(sentence) for sentence in legal})
    if found is not None:
        return legal[found]
    known = rules.vocabulary()
    strange = [word for word in tokens(typed) if not any(w.startswith(word) for w in known) and not word.isdigit()]
    if strange:
        raise NotUnderstood(f'"{strange[0][:40]}" is no word of this game')
    near = _nearest(tokens(typed), {sentence: tokens(sentence) for sentence in legal})
    raise Illegal(f'"{_clip(typed)}" is not legal now' + (f"; nearest to it: {_some(near)}" if near else ""))


def _pick(typed: str, spelled: Mapping[str, tuple[str, ...]]) -> str | None:
    wanted = tokens(typed)
    if not wanted:
        raise NotUnderstood("nothing was typed")
    for fits in (_is_same, _is_shortened, _is_begun, _is_hinted):
        found = [sentence for sentence, words in spelled.items() if fits(wanted, words)]
        if len(found) == 1:
            return found[0]
        if found:
            raise Ambiguous(f'"{_clip(typed)}" could be {_some(found)}')
    return None


def _is_same(wanted: Sequence[str], words: Sequence[str]) -> bool:
    return tuple(wanted) == tuple(words)


def _is_shortened(wanted: Sequence[str], words: Sequence[str]) -> bool:
    """Word for word, each may be cut short."""
    return len(wanted) == len(words) and _is_begun(wanted, words)


def _is_begun(wanted: Sequence[str], words: Sequence[str]) -> bool:
    """The first words of the sentence, each may be cut short."""
    return len(wanted) <= len(words) and all(w.startswith(t) for t, w in zip(wanted, words, strict=False))


def _is_hinted(wanted: Sequence[str], words: Sequence[str]) -> bool:
    """Some words of the sentence in its order. A number must be whole, and stands for the next number of the
    sentence: "blue 1" is never the blue 3 at ship 1."""
    rest = iter(words)
    for token in wanted:
        for word in rest:
            if word == token or (word.startswith(token) and not token.isdigit()):
                break
            if token.isdigit() and word.isdigit():
                return False
        else:
            return False
    return True


def _nearest(wanted: Sequence[str], spelled: Mapping[str, tuple[str, ...]]) -> list[str]:
    """The sentences that share the most words with what was typed, if there are only a few."""
    shared = {
        sentence: sum(any(word.startswith(token) for word in words) for token in wanted)
        for sentence, words in spelled.items()
    }
    most = max(shared.values(), default=0)
    near = [sentence for sentence, count in shared.items() if count == most > 0]
    return near if len(near) <= _NEAR else []


def _clip(typed: str) -> str:
    line = " ".join(typed.split())
    return line if len(line) <= 80 else line[:77] + "..."


def _some(sentences: Sequence[str]) -> str:
    shown = ", ".join(f'"{sentence}"' for sentence in sentences[:_SHOWN])
    return shown if len(sentences) <= _SHOWN else f"{shown} or {len(sentences) - _SHOWN} more"
