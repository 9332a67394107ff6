"""From a draft to the bytes of the next turn file: signed, verified, remembered, and only then
given away.

docs/format.md, section 9.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import NamedTuple

from pbem.crypto import choices, notes
from pbem.errors import Refused
from pbem.fileformat import turnfile
from pbem.fileformat.encoding import b64
from pbem.fileformat.toml_subset import MAX_ELEMENTS, Fields
from pbem.fileformat.turnfile import Entry
from pbem.home import clock
from pbem.home.check_cache import CheckCache
from pbem.home.identity import Identity
from pbem.home.memory import Memory
from pbem.ledger.gate import Seen
from pbem.ledger.ledger import Ledger
from pbem.ledger.signatures import SIGNED
from pbem.turn.draft_entry import Draft


class Body(NamedTuple):
    """An entry without its signature: its fields in their order, their text, and the digest that a
    signature covers."""

    fields: Fields
    text: bytes
    digest: bytes


def body_of(draft: Draft, before: bytes, date: str, nonce: bytes, received: str = "") -> Body:
    """What the draft appends to the file `before` it; `date` in UTC, `nonce` 32 fresh secret bytes,
    `received` the date on which that file was first seen (docs/format.md, section 15), if it is
    known. Raises `Refused` for more answers than an entry holds (section 2)."""
    fields = draft.contents()
    answers = fields.get("answers")
    if isinstance(answers, list) and len(answers) > MAX_ELEMENTS:
        what = f"a turn holds at most {MAX_ELEMENTS} answers, and these are {len(answers)}"
        raise Refused(
            what, hint="end the turn after fewer of them, and give the others in the next one"
        )
    if draft.ledger.clock.terms is not None and draft.number:
        fields["received"] = received or date
    place = notes.NotePlace(
        draft.ledger.game_id, draft.ledger.seats[draft.seat], sha256(before).digest(), nonce
    )
    if draft.choices:
        places = [choices.ChoicePlace(*place, index) for index in range(len(draft.choices))]
        sealed = [
            choices.seal(draft.secrets.root, *one)
            for one in zip(places, draft.choices, strict=True)
        ]
        fields["choice"] = [b64(commitment) for commitment in sealed]
    if draft.note:
        fields["note"] = b64(notes.seal(draft.secrets.root, place, notes.pad(draft.note)))
    fields["seat"] = draft.ledger.seats[draft.seat]
    fields["date"] = date
    fields["nonce"] = b64(nonce)
    fields["position"] = b64(draft.ledger.position_digest())
    fields = turnfile.in_order(fields)
    text = turnfile.write_body(fields)
    return Body(fields, text, turnfile.digest_of(before, text))


def signed_with(body: Body, before: bytes, sign: Callable[[bytes], bytes]) -> bytes:
    """The whole file with the body and its signature; `sign` gives 64 bytes for a message."""
    return before + body.text + turnfile.write_signature(sign(SIGNED + body.digest))


def entry_of(draft: Draft, body: Body, before: bytes, after: bytes, signature: bytes) -> Entry:
    """The entry as a reader of the file `after` it finds it."""
    ends = [sha256(data).digest() for data in (before, after)]
    return Entry(draft.number, body.fields, body.digest, signature, len(after), *ends)


def sign(
    draft: Draft,
    identity: Identity,
    memory: Memory,
    before: bytes,
    nonce: bytes,
    checks: CheckCache,
    verified: tuple[Ledger, Seen] | None = None,
    note: Callable[[bytes], object] = lambda _data: None,
) -> bytes:
    """The turn file that a draft makes of the one `before` it; remembered before it is returned.
    `verified` is the game of the file before, which goes on with the entry; without it the whole
    file is checked. `note` is told the file just before it is remembered: what it writes down, a
    killed program finds again.

    Raises a kind of `Invalid` for what the gate would refuse, `Conflict` if another entry was
    signed meanwhile, in this home or another one on this computer, or the home was moved away, and
    `ClockDoubt` if the clock of this machine counts as wrong.
    """
    memory.check_open()
    memory.check_clock(
        entry.date for entry in draft.ledger.entries if draft.ledger.seat_of(entry) == draft.seat
    )
    received, date = memory.first_seen(before, draft.number - 1), clock.now()
    data = signed_with(body_of(draft, before, date, nonce, received), before, identity.sign)
    if verified is None:  # what the gate would refuse is never given to others
        checks.follow(data)
    else:
        checks.extend(*verified, data)
    note(data)
    memory.sign_once(draft.number, data, date)
    return data


def unsigned(draft: Draft, before: bytes, nonce: bytes) -> Ledger:
    """The game as it would be after the draft, for its author to look at; nothing is signed."""
    body = body_of(draft, before, clock.now(), nonce)
    draft.ledger.adopt(entry_of(draft, body, before, before + body.text, b""))
    return draft.ledger
