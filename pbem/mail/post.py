"""A mail of a turn is handed over, and noted in the outbox of its game (`pbem.home.outbox`)."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pbem.errors import Usage
from pbem.home import outbox
from pbem.home.outbox import SentMail, SentTurn
from pbem.mail import transport
from pbem.mail.transport import Doubtful, Way


@dataclass(frozen=True)
class Delivery:
    """What became of a mail: the addresses that have it, and those that were refused, in words."""

    to: Sequence[str]
    refused: Mapping[str, str]


@dataclass(frozen=True)
class Posted:
    """The turn file of which a mail is: the folder of its game in the home, the number of its
    newest entry, its bytes. A `reminder` goes to somebody who may have it, and a turn is `passed
    on` to addresses of the sender's choice, whose refusal leaves no player without it; any other
    mail is for all players."""

    folder: Path
    number: int
    data: bytes
    kind: Literal["turn", "passed on", "reminder"] = "turn"


def post(
    turn: Posted,
    mail: bytes,
    way: Way,
    only: Collection[str] | None = None,
    *,
    automatic: bool = False,
) -> Delivery:
    """Send a mail to all to whom it is addressed, or `only` to some of them. One that a hand sends
    somebody again gets an id of its own, for a mail service may drop the second of one id, and what
    comes back names it. The outbox is only ever a help here: where nothing can be noted, the mail
    goes all the same.

    Raises `Usage` if the draft has no addresses, `Refused` if nobody has it, `Doubtful` if somebody
    may.
    """
    letter = transport.letter_of(mail, only, automatic=automatic)
    before = outbox.known(turn.folder, turn.data)
    if not automatic and any(
        one.id == letter.id and {*one.to} & {*letter.to} for one in before.mails
    ):
        letter.give_new_id()
    try:
        refused = way.send(letter)
    except Doubtful:
        _note(turn, SentMail(letter.id, letter.to, time.time()), Delivery([], {}))
        raise
    done = Delivery([address for address in letter.to if address not in refused], refused)
    _note(turn, SentMail(letter.id, done.to, time.time()), done)
    return done


def _note(turn: Posted, mail: SentMail, done: Delivery) -> None:
    def noted(before: SentTurn) -> SentTurn:
        after = before.with_mail(mail) if mail.to else before
        if turn.kind == "reminder":
            return after
        return after.went_to(done.to, done.refused if turn.kind == "turn" else {})

    with suppress(Usage):
        outbox.note(turn.folder, turn.number, turn.data, noted)
