"""Entries by a program that forgets what it has signed: what attackers and restored homes send."""

from __future__ import annotations

from pbem.home.clock import now
from pbem.turn import take_turn
from pbem.turn.draft_entry import DraftEntry
from pbem.turn.draft_lines import Intent
from pbem.turn.open_game import HomeFile
from pbem.turn.signing import body_of, signed_with


def signed_and_forgotten(opened: HomeFile, draft: DraftEntry) -> bytes:
    """The next turn file with this draft, signed by the player of `opened`, whose memory learns
    nothing of it."""
    before, nonce = opened.file.data, take_turn.random_source.token_bytes(32)
    data = signed_with(body_of(draft, before, now(), nonce), before, opened.identity.sign)
    opened.checks.extend(opened.ledger, opened.seen, data)  # it is an entry that the gate takes
    return data


def forgotten_entry(opened: HomeFile, intent: Intent) -> bytes:
    """What `take_turn.next_entry` would give with this, and nothing remembered."""
    return signed_and_forgotten(opened, take_turn.answer(opened, intent))
