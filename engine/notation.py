"""Answers in words: the canonical sentence of each, and which of the legal answers a player means.

What is printed is canonical: reading it gives the same answer back. How much may be left out or cut short is
`engine.words`' part; an answer that is signed cannot be taken back, so nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from engine.flow import Answer, Ask, Card, Handle, Illegal, NotUnderstood
from engine.rules import Rules, legal_answers
from engine.words import clip, is_form_of, listed, pick, tokens

NEAREST = "; nearest to it: "
"""What stands between a refusal and the answers that are nearest."""
_NEAR = 4
"""So many sentences that are nearest to what is not legal are named; more would be no help."""


def say(rules: Rules, answer: Answer, faces: Mapping[Handle, Card]) -> str:
    """The canonical sentence for an answer, for somebody who knows the card it uses."""
    words = rules.words(answer.option)
    if "{}" in words and answer.handle is not None:
        return words.replace("{}", rules.cards[faces[answer.handle]])
    return words


def sentences(rules: Rules, ask: Ask, faces: Mapping[Handle, Card]) -> dict[str, Answer]:
    """Every legal answer of a seat by its canonical sentence, in the order the game lists them."""
    return {say(rules, answer, faces): answer for answer in legal_answers(ask, faces)}


def understand(rules: Rules, text: str, legal: Mapping[str, Answer]) -> Answer:
    """The legal answer that `text` means.

    Raises `NotUnderstood`, `Illegal` (a sentence of the game, but not legal now) or `Ambiguous`.
    """
    spelled = {sentence: tokens(sentence) for sentence in legal}
    found = pick(text, spelled, rules.telling)
    if found is not None:
        return legal[found]
    if (strange := strange_word(rules, text)) is not None:
        refusal = NotUnderstood(f'"{strange[:40]}" is no word of this game')
        refusal.strange = strange
        raise refusal
    known = {word for words in spelled.values() for word in words}
    forms = [(token, {word for word in known if is_form_of(token, word)}) for token in tokens(text)]
    near = _nearest([words for _, words in forms], spelled)
    raise Illegal(_not_there(text, forms) + (f"{NEAREST}{listed(near)}" if near else ""))


def _not_there(text: str, forms: Sequence[tuple[str, Set[str]]]) -> str:
    """What keeps words of the game from being one of the sentences, each given with the words there that it may be."""
    strange = next((token for token, words in forms if not words), None)
    if strange is None or len(forms) == 1:
        return f'"{clip(text)}" is no answer to this question'
    return f'"{clip(text)}" is no answer to this question: none has "{strange}"'


def known_words(rules: Rules) -> frozenset[str]:
    """The vocabulary of a game as words are compared: "to" and "->" are one word there, and small letters are used."""
    return frozenset(word for text in rules.vocabulary() for word in tokens(text))


def strange_word(rules: Rules, text: str) -> str | None:
    """The first word that no answer of the game has in any form; None if there is none. Numbers are no words."""
    known = known_words(rules)
    strange = (word for word in tokens(text) if not any(is_form_of(word, w) for w in known) and not word.isdigit())
    return next(strange, None)


def _nearest(wanted: Sequence[Set[str]], spelled: Mapping[str, tuple[str, ...]]) -> list[str]:
    """The sentences that share the most words with what was entered, if there are only a few: each word is given as
    those that it may be."""
    shared = {sentence: sum(not meant.isdisjoint(words) for meant in wanted) for sentence, words in spelled.items()}
    most = max(shared.values(), default=0)
    near = [sentence for sentence, count in shared.items() if count == most > 0]
    return near if len(near) <= _NEAR else []
