"""What a line means that was entered in a led turn (an answer, a number of the list, or a command),
and what the beginning of one may become: commands and legal answers, found by their words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import NamedTuple

from engine.words import tokens

HELP = {
    "goal": ("", "how one wins, and what else there is to know of this game"),
    "back": ("[N]", "take the last answer back, or the last N"),
    "what if": ("ANSWER", "see what an answer would bring; nothing is taken"),
    "list": ("[WORDS]", "every legal answer, or those with these words"),
    "story": ("", "all that happened since your last turn, and who plays"),
    "board": ("", "the whole board as it stands now"),
    "hand": ("", "your cards: what each does, and what is legal now"),
    "card": ("NAME", "what a card does"),
    "order": ("[TOPIC: WHAT]", "leave a standing order; alone: what they are about"),
    "drop order": ("N", "leave the order with this number out again"),
    "message": ("[TEXT]", "a message to the others; alone: in several lines"),
    "note": ("[TEXT]", "a private note in the turn, open to all at the end"),
    "away": ("[DAY]", "you are away until this day, as in 2026-12-31"),
    "grant": ("[DAYS]", "give the others so many days on the clock"),
    "offer draw": ("", "offer a draw with this turn"),
    "accept draw": ("", "accept the draw that is offered"),
    "decline draw": ("", "decline it"),
    "no draw": ("", "say nothing of a draw after all"),
    "new line": ("", "try another way from the start of the turn"),
    "lines": ("", "the ways of playing it that you have tried"),
    "line": ("N", "go on with one of them"),
    "drop line": ("N", "forget one"),
    "preview": ("", "your turn, and what the others will read"),
    "mail": ("", "the mail as the others will get it"),
    "sign": ("", "sign the turn, after one question"),
    "quit": ("", "leave the turn unsigned; what you tried is kept"),
    "help": ("", "this list"),
}
"""Every command, what goes with it, and what it does."""

_OTHER_NAMES = {
    **dict.fromkeys(("win", "rules", "aim"), "goal"),
    **{"if": "what if", "orders": "order", "cards": "hand", "exit": "quit", "?": "help"},
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
}
"""Words that others use for a command."""
RESIGN = ("resign", "surrender", "concede", "abandon")
COMMANDS = tuple(HELP)
_NAMES = sorted([*HELP, *_OTHER_NAMES], key=len, reverse=True)


class Input(NamedTuple):
    """A command and what goes with it; no command ("") for answers."""

    command: str
    rest: str


def read(line: str, choices: Iterable[str]) -> Input:
    """What a line means. A legal answer that is spelled in full comes before a command of that
    name; with a stroke before it (/back) a line is a command in any case."""
    text = " ".join(line.split())
    is_command = text.startswith("/")
    text = text.removeprefix("/").strip()
    words = tokens(text)
    if not is_command and words and any(tokens(choice) == words for choice in choices):
        return Input("", text)
    for name in _NAMES:
        if text.casefold() == name or text.casefold().startswith(f"{name} "):
            return Input(_OTHER_NAMES.get(name, name), text[len(name) :].strip())
    return Input("help" if is_command else "", text)


def nearest(text: str) -> str:
    """The command that was probably meant by a word that is none; nothing if it is like no
    command."""
    word, _, rest = text.casefold().partition(" ")
    if word in _SAME:
        return _SAME[word]
    near = get_close_matches(
        word, [name for name in _NAMES if " " not in name and len(name) > 1], 1, 0.7
    )
    return f"{_OTHER_NAMES.get(near[0], near[0])} {rest}".strip() if near else ""


HELP_FIRST = "Answer by a number, or by words cut short; several with semicolons. Or:"


def help_rows(left_out: Iterable[str]) -> list[tuple[str, str]]:
    """Every command but some with what goes with it, and what it does."""
    gone = {*left_out, "help"}
    return [
        (f"{name} {takes}".strip(), what)
        for name, (takes, what) in HELP.items()
        if name not in gone
    ]


MOST = 200
"""Candidates that are offered at once; more would be no help."""


def candidates(text: str, known: Sequence[str], most: int = MOST) -> list[str]:
    """The sentences whose words begin as these do, in their order; words may be left out."""
    wanted = tokens(text)
    return [sentence for sentence in known if _fits(wanted, tokens(sentence))][:most]


def _fits(wanted: Sequence[str], words: Sequence[str]) -> bool:
    rest = iter(words)
    return all(any(word.startswith(token) for word in rest) for token in wanted)
