"""Gathers the facts about one game by which the rules for automatic entries decide
(`pbem.watch.rules`)."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from pbem import files
from pbem.errors import PbemError, Refused
from pbem.fileformat import turnfile
from pbem.fileformat.turnfile import MAX_FILE, Entry, TurnFile
from pbem.home import clock
from pbem.home.home import Home
from pbem.home.outside import Outside
from pbem.home.shelf import READ_FILE
from pbem.ledger.clock import seconds
from pbem.ledger.ledger import Ledger
from pbem.mail import compose
from pbem.turn import open_game, take_turn
from pbem.turn.open_game import OpenFile, SeatedFile
from pbem.turn.signing import body_of
from pbem.turn.take_turn import OwedDraft
from pbem.watch.outbox import Outbox
from pbem.watch.rules import DAY, Facts

NOTES = ("note",)
"""Fields whose contents a root would reveal to the others."""


class Candidate(NamedTuple):
    """An entry that might be written by itself: the opened game, its draft (None if the player has
    to decide something), and the facts about it."""

    opened: SeatedFile
    draft: OwedDraft | None
    facts: Facts


def candidate(
    home: Home, data: bytes, outside: Outside, counts: tuple[int, int], can_send: bool
) -> Candidate | None:
    """The entry that the newest file of a game asks of the player of this home; None if it asks for
    none. Once the game is over this may be the entry that says that the player has seen the end.
    `counts` are the automatic mails of the last day in this game and in all games. Raises what
    `pbem.turn.open_game.open_file` raises."""
    opened = open_game.open_file(data, home)
    closes = opened.may_close()
    if not isinstance(opened, SeatedFile) or (opened.to_play() is None and not closes):
        return None
    game, seat = opened.ledger, opened.seat
    draft = take_turn.closing(opened) if closes else _draft(opened)
    fields = None if draft is None else body_of(draft, data, clock.now(), bytes(32)).fields
    after = game if draft is None else draft.ledger
    own = [entry.number for entry in opened.file.entries if game.seat_of(entry) == seat]
    joins = [entry.number for entry in opened.file.entries if "key" in entry.fields]
    version, is_extended = _versions(opened.memory.folder / "read", opened.file, joins[-1])
    name = opened.memory.game
    turn = after.to_act()
    concerned = {seat} if turn is None else {seat, turn}  # these need an address
    facts = Facts(
        is_home_on=outside.home,
        mark=outside.games.get(name, ""),
        why=outside.why.get(name, ""),
        is_witness=seat in game.rules.bystanders(game.settings),
        newest_join=joins[-1],
        own=own,
        is_extended=is_extended,
        second_version=version,
        fields=None if fields is None else frozenset(fields),
        is_draw_offered=game.offer is not None and not closes,
        addresses=[
            player.mail
            for player in game.players
            if player is not None
            and player.key
            and player.seat != seat
            and compose.address(player.name, player.mail) is not None
        ],
        is_reached=can_send
        and all(compose.address("", game.player_of(one).mail) is not None for one in concerned),
        today=counts[0],
        today_in_all=counts[1],
        lacking=opened.memory.missing_turn(),
        is_noted=opened.memory.is_noted_here(),
        ended=_end_date(game),
        came=_came(opened.memory.folder / "read", opened.file.entries[-1]),
        now=time.time(),
        has_notes=any(
            name in opened.file.entries[number].fields for number in own for name in NOTES
        ),
        may_reveal_notes=outside.notes,
    )
    return Candidate(opened, draft, facts)


def _draft(opened: OpenFile) -> OwedDraft | None:
    """A draft that decides nothing; None where the player has to decide."""
    try:
        return take_turn.draft(opened)
    except Refused:
        return None


def _versions(folder: Path, file: TurnFile, newest_join: int) -> tuple[int | None, bool]:
    """The number of the first entry of which another version was read, None if there is none, and
    whether the file continues everything that was read.

    A player who wanted the same seat and was not accepted is no second version: their join is
    signed by another key, and anybody who has an invitation can write one.
    """
    is_extended = True
    for path in files.listed(folder):
        match = READ_FILE.match(path.name)
        if match is None:
            continue
        number = int(match[1])
        if number < len(file.entries) and file.entries[number].after.hex().startswith(match[2]):
            continue
        difference = _difference(path, file)
        if difference is None:
            is_extended = False
        else:
            first, here, there = difference
            keys = here.fields.get("key"), there.fields.get("key")
            are_rivals = None not in keys and keys[0] != keys[1]
            if first > newest_join or not are_rivals:
                return first, is_extended
    return None, is_extended


def _difference(path: Path, file: TurnFile) -> tuple[int, Entry, Entry] | None:
    """The number of the first entry in which the file at this path differs, and both versions of
    the entry; None if one file continues the other, or the kept one is damaged."""
    try:
        other = turnfile.read(files.read_own(path, MAX_FILE))
    except PbemError:
        return None
    pairs = zip(file.entries, other.entries, strict=False)
    return next(((a.number, a, b) for a, b in pairs if a.after != b.after), None)


def _came(folder: Path, entry: Entry) -> float:
    """When the file that ends with this entry was first kept here; the present time if that is not
    known."""
    path = folder / f"{entry.number:04}-{entry.after.hex()[:16]}.toml"
    try:
        return path.stat().st_mtime
    except OSError:
        return time.time()


def _end_date(game: Ledger) -> float:
    """When the game ended, by the date in the entry that ended it; 0 while it goes on."""
    end = None if game.playing is None else game.playing.ended
    return 0.0 if end is None else float(seconds(game.entries[end].date))


def counts(outboxes: Sequence[Outbox], outbox: Outbox) -> tuple[int, int]:
    """How many automatic mails went out in the last day, in one game and in all."""
    since = time.time() - DAY
    return outbox.count_since(since), sum(other.count_since(since) for other in outboxes)
