"""What the table says where a hint names something that the program does: its buttons and places
have other names than commands, and a page in a browser or a chat has no command line at all."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.errors import Do, Typed, typed

_OPEN = "open the game"
WORDS: Mapping[str, str] = {
    "draw": "the game's drawer offers a draw; an offer is answered where the turn is made",
    "inbox": "“Take it in”, with the list of games, takes a file, or the text of a mail or link",
    "join": "open the invitation: “Join and” play stands below it",
    "log": "“Look back” goes through all turns",
    "moves": "all legal answers stand beside the board",
    "new": "a game is begun below the list of games",
    "play": _OPEN,
    "play --my-clock-is-right": "“The clock is right” says so",
    "resign": "“resign …” stands in the game's drawer",
    "show": _OPEN,
    "show --i-have-no-newer-file": "“Go on with this game” says so",
}
"""What is done at the table in place of a command; where an option decides, with that option. What
stands in “” is the beginning of a button's or link's text."""


def clicked(part: Do | Typed) -> str:
    """The words of a page that has no command line; empty where it has nothing for it."""
    if not isinstance(part, Do):
        return ""
    keys = [f"{part.command} {one}" for one in part.arguments if one.startswith("--")]
    words = next((WORDS[key] for key in (*keys, part.command) if key in WORDS), "")
    return f"{part.when}: {words}" if words and part.when else words


def clicked_or_typed(part: Do | Typed) -> str:
    """The words of the table on a computer: whoever sits at it has started it by a command."""
    return clicked(part) or typed(part)
