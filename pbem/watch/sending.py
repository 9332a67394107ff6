"""Hands mails over beside the looks of a watcher: a server may take ten minutes to answer a mail
(RFC 5321, section 4.5.3.2.6), and nothing else waits for that."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

T = TypeVar("T")
PATIENCE = 10.0
"""Seconds for which a look waits for a mail that it hands over."""


@dataclass
class _Mail(Generic[T]):
    """A mail under way. `hand_over` runs in a thread of its own; `then` is told afterwards that
    this is over, and raises again what `hand_over` has raised by asking for its result."""

    hand_over: Callable[[], T]
    then: Callable[[Callable[[], T]], None]
    over: Future[T] = field(default_factory=Future)


class Sending:
    """Hands over one mail at a time, and lets a look go on where that takes long. What a look knows
    of games is older than the end of a mail that was under way when it began, so the mail counts
    as under way until `is_free` has said that it is not: nothing is handed over twice."""

    def __init__(self, wake: Callable[[], None]) -> None:
        """`wake` is called, in any thread, when a mail is over for which nobody waited."""
        self._wake = wake
        self._mail: _Mail[Any] | None = None

    def is_busy(self) -> bool:
        """Whether a mail is under way, so that no other one is handed over."""
        return self._mail is not None

    def is_free(self, seconds: float | None = 0.0) -> bool:
        """Whether no mail is under way, at the latest after so many seconds (None: however long it
        takes); of one that is over `then` is told now. Raises what that raises."""
        mail = self._mail
        if mail is None:
            return True
        if not wait([mail.over], seconds).done:
            return False
        self._mail = None
        mail.then(mail.over.result)
        return True

    def hand_over(
        self, hand_over: Callable[[], T], then: Callable[[Callable[[], T]], None]
    ) -> None:
        """Hand over a mail, and wait for a while for what becomes of it. None may be under way.
        Raises what `then` raises."""
        assert self._mail is None
        mail = self._mail = _Mail(hand_over, then)
        threading.Thread(target=_run, args=(mail,), name="pbem send", daemon=True).start()
        if not self.is_free(PATIENCE):
            mail.over.add_done_callback(lambda _: self._wake())


def _run(mail: _Mail[Any]) -> None:
    try:
        mail.over.set_result(mail.hand_over())
    except BaseException as error:  # whoever asks for the result is told
        mail.over.set_exception(error)
