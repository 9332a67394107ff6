"""Turns that a player has prepared (`pbem.turn.prepared`), signed by their own program when the
turn that they answer has come: by `pbem inbox`, at the table, and by `pbem watch` where it may.

A prepared answer is a decision that was made before, so what it could tell is whether there is one.
It goes the way of every other turn: the memory keeps one for each number, ever, so whoever tries
several versions of a turn learns one answer. What could be asked twice is asked of nobody:
of two versions that are known neither is answered, and a home that lacks a turn of its player's
answers nothing (docs/trust.md, "What a prepared answer tells").
"""

from __future__ import annotations

from pbem import files
from pbem.english import numbered
from pbem.errors import Do, PbemError, Refused, advice
from pbem.fileformat import turnfile
from pbem.games import registry
from pbem.home import clock
from pbem.home.game_index import game_folders, short_name
from pbem.home.home import Home
from pbem.home.memory import Memory
from pbem.home.shelf import kept_in, signed_path
from pbem.home.two_versions import second_version
from pbem.ledger.ledger import player_names
from pbem.turn import open_game, prepared, preparing, take_turn
from pbem.turn.draft_entry import DraftEntry
from pbem.turn.draft_lines import Intent
from pbem.turn.inbox import Inbox, Item
from pbem.turn.open_game import OpenFile, SeatedFile
from pbem.turn.signing import body_of

HOLDS = frozenset(("seat", "date", "received", "nonce", "answers", "position"))
"""What the entry of a prepared turn may hold."""


def draft(opened: OpenFile) -> DraftEntry | None:
    """The prepared turn that fits where this file ends, complete but for its signature; None if
    none does, or it is not the player's turn. Raises `Refused` where it may not be signed without
    its player."""
    if not isinstance(opened, SeatedFile) or opened.to_play() is None:
        return None
    branches = prepared.left_in(opened.memory, opened.file)
    if not branches:
        return None
    if reason := preparing.why_none(opened.ledger):
        raise Refused(reason)
    if opened.ledger.offer is not None:
        raise Refused("a draw is offered, and any turn would answer it")
    made = take_turn.answer(opened, Intent(branches[0][0]))
    more = body_of(made, opened.file.data, clock.now(), bytes(32)).fields.keys() - HOLDS
    if more:
        raise Refused(f"this turn would hold more than the answer: {', '.join(sorted(more))}")
    return made


def check_still_prepared(opened: SeatedFile, made: DraftEntry) -> None:
    """Raise `Refused` if its player has taken a turn back since it was drafted: looked at last of
    all before the signature."""
    answers = tuple(made.contents()["answers"])  # type: ignore[arg-type]
    if not any(one[0] == answers for one in prepared.left_in(opened.memory, opened.file)):
        raise Refused("it was taken back")


def answer_all(sorter: Inbox) -> None:
    """Sign what is prepared in each game of the home to the turn that has come last, and tell of it
    among what was looked at; and of what fits no more, which is gone."""
    for folder in game_folders(sorter.home):
        memory = Memory(sorter.home, bytes.fromhex(folder.name))
        if prepared.are_kept(memory) and (item := _answer(sorter.home, memory)) is not None:
            sorter.items.append(item)


def _answer(home: Home, memory: Memory) -> Item | None:
    """Sign what is prepared in one game; what is to be told of it, if anything is."""
    shelf = kept_in(memory.folder).shelf
    if shelf is None:
        return None
    where = files.printable(shelf.path)
    try:
        kept, opened = prepared.read(memory), open_game.open_in(home, shelf.file.data)
    except PbemError as error:
        return Item(where, "held", f"no prepared answer is looked at: {error}", memory.game[:8])
    game, newest = opened.ledger, opened.file.entries[-1]
    name, turn = short_name(game), numbered(newest.number, game.rules.measure)
    if kept is None or opened.stale:
        return None
    if not (left := kept.left(opened.file)):
        prepared.forget(memory)
        gone = " | ".join(prepared.in_words(kept.last_left(opened.file)))
        what = f"{turn} fits nothing that you had prepared, and it is gone: {gone}"
        return Item(where, "gone", what, name, newest.number)
    if opened.to_play() is None:
        return None
    said = prepared.as_said(left[0][0])
    try:
        data = _sign(opened)
    except PbemError as error:
        what = f"{said} is prepared as your answer to {turn}, and is not signed: {error}"
        return Item(where, "held", what, name, newest.number)
    by = player_names(game)[game.seat_of(newest)]
    what = f"{turn} by {by} is answered as you had prepared: {said}; {rest(memory, data)}"
    if files_too := advice(Do("play", name, does="writes its file")):
        what += f"; {files_too}"
    signed = signed_path(memory.folder, newest.number + 1)
    return Item(files.printable(signed), "answered", what, name, newest.number + 1)


@registry.plugins_told()
def _sign(opened: OpenFile) -> bytes:
    """The turn that is prepared, signed and remembered. Raises `PbemError` where it is not."""
    if not isinstance(opened, SeatedFile):
        raise Refused("you have no seat in this game")
    memory = opened.memory
    rival, _ = second_version(memory.folder / "read", opened.file)
    if rival is not None:
        raise Refused(f"two versions of turn {rival} have come: look which one you go on with")
    memory.check_here()
    if not memory.is_noted_here():
        raise Refused("what you sign is not noted outside of this home, and a copy would not know")
    made = draft(opened)
    if made is None:
        raise Refused("it fits no more")
    return take_turn.finish(opened, made, lambda _data: check_still_prepared(opened, made))


def rest(memory: Memory, data: bytes) -> str:
    """What is still prepared once the turn with which this file ends is signed; where nothing is,
    nothing is kept."""
    left = prepared.left_in(memory, turnfile.read(data))
    if left:
        return f"still prepared: {' | '.join(prepared.in_words(left))}"
    prepared.forget(memory)
    return "nothing more is prepared"
