"""Gathers the facts about one game by which the rules for automatic entries decide
(`pbem.watch.rules`)."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from pbem.errors import Refused
from pbem.fileformat.turnfile import Entry
from pbem.home import clock
from pbem.home.home import Home
from pbem.home.outside import Outside
from pbem.home.two_versions import second_version
from pbem.ledger.clock import seconds
from pbem.ledger.ledger import Ledger
from pbem.mail import heads
from pbem.turn import open_game, prepared_turns, take_turn
from pbem.turn.draft_entry import DraftEntry
from pbem.turn.open_game import OpenFile, SeatedFile
from pbem.turn.signing import body_of
from pbem.turn.take_turn import OwedDraft
from pbem.watch.outbox import Outbox
from pbem.watch.rules import DAY, Facts

NOTES = ("note",)
"""Fields whose contents a root would reveal to the others."""


class Candidate(NamedTuple):
    """An entry that might be written by itself: the opened game, its draft (None if the player has
    to decide something that they have not prepared), and the facts about it."""

    opened: SeatedFile
    draft: DraftEntry | None
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
    owed = take_turn.closing(opened) if closes else _draft(opened)
    draft = owed or _prepared(opened)
    fields = None if draft is None else body_of(draft, data, clock.now(), bytes(32)).fields
    after = game if draft is None else draft.ledger
    own = [entry.number for entry in opened.file.entries if game.seat_of(entry) == seat]
    joins = [entry.number for entry in opened.file.entries if "key" in entry.fields]
    version, is_extended = second_version(opened.memory.folder / "read", opened.file)
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
            and heads.address(player.name, player.mail) is not None
        ],
        is_reached=can_send
        and all(heads.address("", game.player_of(one).mail) is not None for one in concerned),
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
        is_prepared=owed is None and draft is not None,
        may_answer_prepared=outside.prepared,
    )
    return Candidate(opened, draft, facts)


def _draft(opened: OpenFile) -> OwedDraft | None:
    """A draft that decides nothing; None where the player has to decide."""
    try:
        return take_turn.draft(opened)
    except Refused:
        return None


def _prepared(opened: OpenFile) -> DraftEntry | None:
    """A draft with the answers that the player has prepared; None where there are none."""
    try:
        return prepared_turns.draft(opened)
    except Refused:
        return None


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
