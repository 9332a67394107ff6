"""What a line means that was entered in a led turn (an answer, a number of the list, or a command),
and what the beginning of one may become: commands and legal answers, found by their words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import NamedTuple

from engine.flow import Seat
from engine.orders import ALL, OTHERS
from engine.rules import Rules
from engine.words import tokens

_OTHER_NAMES = {
    **dict.fromkeys(("win", "rules", "aim"), "goal"),
    **dict.fromkeys(("seal:", "plan:"), "plan"),
    **dict.fromkeys(("seal together:", "plan together:"), "plan together"),
    **{"orders": "order", "cards": "hand", "exit": "quit", "q": "quit", "?": "help"},
}
_SAME = {
    **dict.fromkeys(("undo", "oops", "takeback", "revert"), "back"),
    **dict.fromkeys(("moves", "options"), "list"),
    **dict.fromkeys(("show", "status", "position"), "board"),
    **dict.fromkeys(("say", "chat", "tell"), "message"),
    **dict.fromkeys(("log", "history"), "story"),
    **dict.fromkeys(("offer", "draw"), "offer draw"),
    "accept": "accept draw",
    "decline": "decline draw",
    **dict.fromkeys(("yes", "y"), "sign"),
}
"""Words that others use for a command."""
RESIGN = ("resign", "surrender", "concede", "abandon")


class Input(NamedTuple):
    """A command and what goes with it; no command ("") for answers."""

    command: str
    rest: str


def read(line: str, choices: Iterable[str], commands: Iterable[str]) -> Input:
    """What a line means, of these legal answers and commands. A legal answer that is spelled in
    full comes before a command of that name; with a stroke before it (/back) a line is a command in
    any case."""
    text = " ".join(line.split())
    is_command = text.startswith("/")
    text = text.removeprefix("/").strip()
    words = tokens(text)
    if not is_command and words and any(tokens(choice) == words for choice in choices):
        return Input("", text)
    for name in sorted([*commands, *_OTHER_NAMES], key=len, reverse=True):
        if text.casefold() == name or text.casefold().startswith(f"{name} "):
            return Input(_OTHER_NAMES.get(name, name), text[len(name) :].strip())
    return Input("help" if is_command else "", text)


def nearest(text: str, commands: Iterable[str]) -> str:
    """The one of these commands that was probably meant by a word that is none; nothing if it is
    like no command."""
    word, _, rest = text.casefold().partition(" ")
    if word in _SAME:
        return _SAME[word]
    names = [name for name in (*commands, *_OTHER_NAMES) if " " not in name and len(name) > 1]
    near = get_close_matches(word, sorted(names, key=len, reverse=True), 1, 0.7)
    return f"{_OTHER_NAMES.get(near[0], near[0])} {rest}".strip() if near else ""


HELP_FIRST = "Answer by a number, or by words cut short; several with semicolons. Or:"


def order_rows(rules: Rules, seat: Seat) -> list[tuple[str, str]]:
    """What orders can be about, each topic with what can be said of it."""
    preferred, cards = (
        rules.preference_topics(seat),
        [rules.cards[card] for card in rules.card_topics(seat)],
    )
    rows = []
    for topic in rules.order_topics(seat):
        if topic in preferred:
            what = f"in the order you prefer: {', '.join(preferred[topic])}; or ask"
        elif topic in cards:
            what = "decline; play; or ask"
        else:
            what = "accept" if topic == "draw" else "see the page of the game: pbem help"
        rows.append((f"{topic}:", what))
    if cards:
        rows.append((f"{ALL}:", "decline, for each card that has no order yet"))
        rows.append((f"{OTHERS}:", "decline, for each card that you do not hold"))
    return rows


MOST = 200
"""Candidates that are offered at once; more would be no help."""


def candidates(text: str, known: Sequence[str], most: int = MOST) -> list[str]:
    """The sentences whose words begin as these do, in their order; words may be left out."""
    wanted = tokens(text)
    return [sentence for sentence in known if _fits(wanted, tokens(sentence))][:most]


def _fits(wanted: Sequence[str], words: Sequence[str]) -> bool:
    rest = iter(words)
    return all(any(word.startswith(token) for word in rest) for token in wanted)
