"""From a draft to the bytes of the next turn file: signed, verified, remembered, and only then given away.

docs/format.md, section 9.
"""

from __future__ import annotations

import atexit
from datetime import UTC, datetime
from functools import lru_cache

from pbem.fileformat import turnfile
from pbem.fileformat.encoding import b64
from pbem.ledger.ledger import SIGNED, Ledger
from pbem.ledger.replay import Seen, follow
from pbem.player.draft_entry import Draft
from pbem.player.identity import Identity
from pbem.player.signed_history import Memory


@lru_cache(maxsize=1)
def verified(data: bytes) -> tuple[Ledger, Seen]:
    """The game of these bytes and what each player saw last, to look at only: the file just signed is asked for again
    by whoever writes it."""
    return follow(turnfile.read(data))


atexit.register(verified.cache_clear)  # a game that outlives the modules it is made of complains on standard error


def sign(draft: Draft, identity: Identity, memory: Memory | None, before: bytes, nonce: bytes) -> bytes:
    """The turn file that a draft makes of the one `before` it; remembered, if there is a memory, before it is returned.

    Raises a kind of `Invalid` for what the gate would refuse, `Conflict` if another entry was signed meanwhile.
    """
    fields = draft.contents()
    fields["seat"] = draft.ledger.seats[draft.seat]
    fields["date"] = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    fields["nonce"] = b64(nonce)
    fields["position"] = b64(draft.ledger.position_digest())
    body = turnfile.write_body(turnfile.in_order(fields))
    digest = turnfile.digest_of(before, body)
    data = before + body + turnfile.write_signature(identity.sign(SIGNED + digest))
    verified(data)  # what the gate would refuse is never signed for others
    if memory is not None:
        memory.keep_signed(draft.number, data)
    return data
