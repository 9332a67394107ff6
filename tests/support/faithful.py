"""What a short answer may leave out, told in a second way: by trying every way to lay its words
over a sentence."""

from __future__ import annotations

import re
from itertools import combinations, groupby

from engine.words import SMALL, is_form_of, tokens


def is_faithful(entered: str, sentence: str, telling: frozenset[str] = frozenset()) -> bool:
    """Whether nothing but small words, some words of a name and the end of the sentence is left
    out."""
    given, words = tokens(entered), tokens(sentence)
    capitals = [
        part[0].isupper() for part in re.sub("['’]", "", sentence).replace("->", ">").split()
    ]
    parts = [len(tokens(part)) for part in sentence.split()]
    is_name = [
        is_capital for is_capital, count in zip(capitals, parts, strict=True) for _ in range(count)
    ]
    runs: list[list[int]] = []
    places = [at for at, word in enumerate(words) if is_name[at] or word not in SMALL]
    for named, run in groupby(places, key=lambda at: is_name[at]):
        runs += [list(run)] if named else []
    for chosen in combinations(range(len(words)), len(given)):
        if not all(is_form_of(word, words[at]) for word, at in zip(given, chosen, strict=True)):
            continue
        last = chosen[-1]
        skipped = [at for at in range(last) if at not in chosen]
        named = all(set(run) & set(chosen) for run in runs if run[0] < last)
        if (
            named
            and all(words[at] in SMALL or is_name[at] for at in skipped)
            and telling.isdisjoint(words[last + 1 :])
        ):
            return True
    return False
