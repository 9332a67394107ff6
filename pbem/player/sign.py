"""From a draft to the bytes of the next turn file: signed, verified, remembered, and only then given away.

docs/format.md, section 9.
"""

from __future__ import annotations

from datetime import UTC, datetime

from pbem.fileformat import turnfile
from pbem.fileformat.encoding import b64
from pbem.ledger.ledger import SIGNED
from pbem.player.check_cache import CheckCache
from pbem.player.draft_entry import Draft
from pbem.player.identity import Identity
from pbem.player.signed_history import Memory


def sign(
    draft: Draft, identity: Identity, memory: Memory | None, before: bytes, nonce: bytes, checks: CheckCache
) -> bytes:
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
    checks.follow(data)  # what the gate would refuse is never signed for others
    if memory is not None:
        memory.keep_signed(draft.number, data)
    return data
