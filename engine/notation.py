"""Answers in words: the canonical sentence of each, which of the legal answers a player means, and
why it is none.

What is printed is canonical: reading it gives the same answer back. How much may be left out or cut
short is `engine.words`' part; an answer that is signed cannot be taken back, so nothing is guessed.
A refusal gives its reason: why the card that was named cannot be used now, and what is being asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from difflib import get_close_matches
from functools import lru_cache

from engine.flow import Ambiguous, Answer, Ask, Card, Handle, Illegal, NotUnderstood, Refusal, Seat
from engine.options import Notation
from engine.requirements import why_not
from engine.rules import Game, Rules, legal_answers, words_of
from engine.words import as_written, cards_in, clip, is_form_of, listed, pick, tokens

NEAREST = "; nearest to it: "
"""The words in a refusal that come before the answers nearest to what was entered."""
MISSPELT = ": did you mean "
"""The words in a refusal that come before what was entered, spelled as the game spells it."""
_SHORTEST, _LONGEST, _ALIKE = 4, 200, 0.75
"""Letters of a word that may count as misspelt, of a text that is spelled anew, and how alike two
words have to be."""
_NEAR = 4
"""How many nearest answers a refusal names at most."""


def with_card(rules: Rules, words: str, handle: Handle | None, faces: Mapping[Handle, Card]) -> str:
    """The words of an option with the name of the card that is used for it."""
    if handle is None or "{}" not in words:
        return words
    return words.replace("{}", rules.cards[faces[handle]])


def say(rules: Rules, game: Game, answer: Answer, faces: Mapping[Handle, Card]) -> str:
    """The canonical sentence for an answer, for somebody who knows the card it uses, in the
    position in which it can be given."""
    return with_card(rules, words_of(rules, game, answer.option), answer.handle, faces)


def sentences(
    rules: Rules, game: Game, ask: Ask, faces: Mapping[Handle, Card]
) -> dict[str, Answer]:
    """Every legal answer of a seat by its canonical sentence, in the order the game lists them."""
    return {say(rules, game, answer, faces): answer for answer in legal_answers(ask, faces)}


def understand(rules: Rules, text: str, legal: Mapping[str, Answer]) -> Answer:
    """The legal answer that `text` means.

    Raises `NotUnderstood`, `Illegal` (a sentence of the game, but not legal now) or `Ambiguous`.
    """
    spelled = {sentence: tokens(sentence) for sentence in legal}
    distinctive = _as_tokens(rules.distinctive_words)
    found = pick(text, spelled, distinctive, _as_tokens(rules.small_words) - distinctive)
    if found is not None:
        return legal[found]
    if (strange := strange_word(rules, text)) is not None:
        refusal = NotUnderstood(no_word(rules, strange, text))
        refusal.strange = strange
        raise refusal
    known = {word for words in spelled.values() for word in words}
    forms = [(token, {word for word in known if is_form_of(token, word)}) for token in tokens(text)]
    near = _nearest([words for _, words in forms], spelled)
    raise Illegal(_not_there(text, forms) + (f"{NEAREST}{listed(near)}" if near else ""))


def no_word(rules: Rules, strange: str, text: str) -> str:
    """Says that a word of a text is none of the game, and what the text may have been meant to
    be."""
    said = f'"{as_written(strange, text)[:40]}" is no word of this game'
    words = text[:_LONGEST].split()
    if not _respelled(rules, strange) or strange not in text[:_LONGEST].casefold().split():
        return said
    return f'{said}{MISSPELT}"{clip(" ".join(_respelled(rules, word) or word for word in words))}"?'


def _respelled(rules: Rules, word: str) -> str:
    """The word of a game that a misspelt one is nearest to; empty if it is a word of the game, or
    near to none."""
    known, small = known_words(rules), word.casefold()
    if (
        not small.isalpha()
        or not _SHORTEST <= len(small) <= 40
        or any(is_form_of(small, one) for one in known)
    ):
        return ""
    words = sorted(one for one in known if len(one) >= _SHORTEST)
    return next(iter(get_close_matches(small, words, 1, _ALIKE)), "")


def _not_there(text: str, forms: Sequence[tuple[str, Set[str]]]) -> str:
    """Says that no sentence fits, and names the first word that no sentence has. `forms` has each
    word of the text with the words of the sentences that it may stand for."""
    strange = next((token for token, words in forms if not words), None)
    if strange is None or len(forms) == 1:
        return f'"{clip(text)}" is no answer to this question'
    return f'"{clip(text)}" is no answer to this question: none has "{as_written(strange, text)}"'


def known_words(rules: Rules) -> frozenset[str]:
    """The vocabulary of a game as words are compared: "to" and "->" are one word there, and small
    letters are used."""
    return _as_tokens(rules.vocabulary())


@lru_cache(maxsize=64)
def _as_tokens(words: frozenset[str]) -> frozenset[str]:
    """Words that a game lists, as they are compared: whoever lists "to" means an arrow too."""
    return frozenset(token for word in words for token in tokens(word))


def unlisted(rules: Rules, text: str) -> Iterator[str]:
    """The words of a text that only a vocabulary can know: no numbers, and nothing that fits the
    game's pattern. None where the game lists no words."""
    if not rules.pattern and not rules.vocabulary():
        return
    for part in text.split():
        if not (rules.pattern and re.fullmatch(rules.pattern, part)):
            yield from (word for word in tokens(part) if not word.isdigit())


def strange_word(rules: Rules, text: str) -> str | None:
    """The first word of the text that is the form of no word of the game; None if there is none,
    or the game lists no words. Numbers are skipped."""
    known = known_words(rules)
    strange = (
        word for word in unlisted(rules, text) if not any(is_form_of(word, one) for one in known)
    )
    return next(strange, None)


def _nearest(wanted: Sequence[Set[str]], spelled: Mapping[str, tuple[str, ...]]) -> list[str]:
    """The sentences that have most words in common with the text, if they are at most `_NEAR`.
    `wanted` has, for each word of the text, the words that it may stand for."""
    shared = {
        sentence: sum(not forms.isdisjoint(words) for forms in wanted)
        for sentence, words in spelled.items()
    }
    most = max(shared.values(), default=0)
    near = [sentence for sentence, count in shared.items() if count == most > 0]
    return near if len(near) <= _NEAR else []


# ---- refusals with their reason ------------------------------------------------------------------

_MOST_CARDS = 3
"""How many cards a refusal explains at most: a text that fits more of them is about none."""


def understand_answer(
    rules: Rules,
    game: Game,
    ask: Ask,
    text: str,
    legal: Mapping[str, Answer],
    faces: Mapping[Handle, Card],
) -> Answer:
    """The legal answer that `text` means. `faces` are the cards that the asked seat knows.

    Raises a `Refusal` that gives one reason if there is any (what the rules say against the answer,
    or what is missing for the card that was named) and repeats the question.
    """
    try:
        sentence = game.respelled(ask, text)
        if isinstance(ask.options, Notation) and sentence not in legal:
            return Answer(ask.options.option_of(sentence))
        return understand(rules, sentence, legal)
    except Refusal as refusal:
        reason = game.why_refused(ask, text)
        is_fact = bool(reason) and not reason.startswith("(")
        reasons = [reason] if is_fact else []
        # a word that was only misspelt says nothing about cards
        if not is_fact and not isinstance(refusal, Ambiguous) and MISSPELT not in str(refusal):
            reasons = _against_cards(rules, game, ask, text, faces, legal)
        parts = [str(refusal), *reasons]
        # it stands against the answer that is meant: others are no help
        if reasons and isinstance(refusal, Illegal):
            parts = reasons
        elif reason and not is_fact:
            parts[0] = f"{parts[0].partition(NEAREST)[0]} {reason}"
        question = game.prompt(ask)
        if not any(question in line for line in parts):
            parts.append(f"you are asked: {question}")
        whole = type(refusal)("; ".join(parts).replace('"?; ', '"? '))
        whole.strange = refusal.strange
        raise whole from None


def _against_cards(
    rules: Rules,
    game: Game,
    ask: Ask,
    text: str,
    faces: Mapping[Handle, Card],
    legal: Mapping[str, Answer],
) -> list[str]:
    """What keeps the cards that a text names from being used now, as the rules say it; nothing
    where it could name more than a few. A question that is about no card is meant before any card:
    one is named there only by a word that no answer has. Where cards lie with the players, those
    are named, and only by words that say "card"."""
    on_table = tuple(rules.table_cards())
    if on_table and "card" not in tokens(text):
        return []
    names, first = (on_table, len(rules.cards)) if on_table else (rules.cards, 0)
    cards = cards_in(text, names)
    if not ask.hand and not any(name in sentence for sentence in legal for name in rules.cards):
        known = {word for sentence in legal for word in tokens(sentence)}
        strange = [
            token for token in tokens(text) if not any(is_form_of(token, word) for word in known)
        ]
        cards = [
            card
            for card in cards
            if any(is_form_of(token, word) for token in strange for word in tokens(names[card]))
        ]
    if len(cards) > _MOST_CARDS:
        return []
    held = held_cards(game, ask, ask.seat, faces)
    against = []
    for card in cards:
        uses = game.card_uses(ask, ask.seat, first + card, held)
        by_verb = [use for use in uses if use.what in tokens(text)] or list(uses[:1])
        unmet = next((use.unmet for use in by_verb if use.unmet), ())
        if unmet:  # of a card that cannot be had at all nothing but that is said
            against.append(
                f"not now: {why_not(names[card], unmet if unmet[0].needs else unmet[:1])}"
            )
    return against


def held_cards(game: Game, ask: Ask | None, seat: Seat, faces: Mapping[Handle, Card]) -> set[Card]:
    """The cards that a seat could use: those in the question's hand if it is asked now, otherwise
    those of its own hand, as far as `faces` has them."""
    handles = ask.hand if ask is not None and ask.seat == seat and ask.hand else game.hand(seat)
    return {faces[handle] for handle in handles if handle in faces}
