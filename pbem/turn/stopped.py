"""What should go on by itself and does not: turns that nobody writes, servers that do not answer,
settings that were lost. The lists of games, the table's first page and `pbem auto` say it in one
line each, and `pbem doctor` in words that name nobody.

It rests on what the watcher wrote at its last look (`pbem.home.heartbeat`) and on `mail.toml` as it
is now. That a watcher looked is no sign that a server answered.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from pbem.english import spell
from pbem.errors import Damaged, Do, Hint, Usage, with_hint
from pbem.home import heartbeat, outside, place
from pbem.home.heartbeat import Heartbeat, Trouble
from pbem.home.home import Home
from pbem.mail import settings
from pbem.mail.settings import MailSettings

MOST = 5
"""Failures of a watcher that are named; `pbem watch --once` names all."""
_START = (Do("watch", "--answer", when="start it again", does="or as a service"), Do("help mail"))
_FETCHING, _SENDING = "fetching", "sending"
_TOLD_ELSEWHERE = tuple(
    f"look:{kind}" for kind in ("mail.toml", "missing:", "unkept:", "damaged:", "early:", "ignore")
)
"""How the names of failures begin that whoever lists the games sees in the files themselves."""
_KINDS = {
    "fetch": (_FETCHING, "mails are not fetched: the server failed at the last look"),
    "send:": (_SENDING, "a turn that wrote itself could not be sent"),
    "look:lacking:": (_SENDING, "a turn that wrote itself did not reach everybody"),
    "remind:": (_SENDING, "a reminder could not be sent"),
    "store": ("room for mails", "mails with turns stay on the server"),
    "notify": ("notices", "a notice did not go out"),
    "heartbeat": ("notices", "the heartbeat was not taken"),
}
"""What a failure concerns, by the beginning of its name, in words that name nobody."""


@dataclass(frozen=True)
class Stopped:
    """Something that does not go on: what it concerns; `text`, which may name servers and
    addresses; the same in `public`, which names nobody; and what to do (empty: the text says).
    `is_of_last_look`: the watcher found it when it looked last."""

    about: str
    text: str
    public: str
    todo: Hint = ""
    is_of_last_look: bool = False

    @property
    def line(self) -> str:
        """The text and what to do, on one line."""
        return with_hint(self.text, self.todo)


def stopped(home: Home, games: Collection[str]) -> list[Stopped]:
    """All that does not go on, where turns may write themselves in these games (the first 32 digits
    of their ids) or a watcher looked within a day. Nothing in a home that signs nothing."""
    if place.signs_nothing(home.folder):
        return []
    beat, now = heartbeat.read(home.folder), time.time()
    is_on = _is_on(home, games)
    if not is_on and not 0 <= now - beat.looked < heartbeat.DAY:
        return []
    found: list[Stopped] = []
    known: MailSettings | None = None
    try:
        known = settings.read(home)
    except Usage as error:
        public = "mail.toml cannot be read or is wrong"
        found.append(Stopped("mail", str(error), public, ""))
    if is_on:
        found += _silence(beat, now)
        found += [] if known is None else _lost(known, beat)
    return [*found, *_failing(known, beat, now)]


def _is_on(home: Home, games: Collection[str]) -> bool:
    try:
        kept = outside.read(home.identity().public)
    except Damaged:  # then nothing is on; whoever watches says so
        return False
    return any(map(kept.is_on, games))


def _silence(beat: Heartbeat, now: float) -> Iterator[Stopped]:
    """That nobody looks, though turns are to write themselves."""
    age = beat.silent_for(now)
    if not beat.answered:
        what = "pbem watch --answer, which writes them, has not looked here yet"
        text = f"automatic turns are on, but {what}"
        yield Stopped("watcher", text, text)
    elif age is not None:
        when = f"was {spell(int(age))} ago" if age > 0 else "is dated in the future"
        text = f"automatic turns are on, but the last look of pbem watch --answer {when}"
        yield Stopped("watcher", text, text, _START)


def _lost(known: MailSettings, beat: Heartbeat) -> Iterator[Stopped]:
    """What `mail.toml` lacks for turns that write themselves: a way to send, and whatever it had at
    an earlier look."""
    if not known.can_send:
        text = "automatic turns are on, but mail.toml does not say how they are sent"
        yield Stopped("mail", text, text, Do("help mail", when="write [send] there"))
    for name in sorted({*beat.had} - {*ways_in(known)}):
        what = "[fetch]" if name == "fetch" else "its inbox"
        text = f"mail.toml has lost {what}, by which turns came in"
        yield Stopped(
            "mail", text, text, ("write it there again", Do("auto on", when="if it is meant so"))
        )


def ways_in(known: MailSettings) -> list[str]:
    """The names of the ways in `mail.toml` by which turns come in."""
    ways = {"fetch": known.fetch is not None, "inbox": bool(known.inbox)}
    return [name for name, is_there in ways.items() if is_there]


def _failing(known: MailSettings | None, beat: Heartbeat, now: float) -> Iterator[Stopped]:
    """What failed at the last look, by its name, but for what `mail.toml` names no more."""
    troubles = {
        name: one
        for name, one in beat.failing.items()
        if not name.startswith(_TOLD_ELSEWHERE)
        and (known is None or name != "fetch" or known.fetch is not None)
        and (known is None or not name.startswith("send:") or known.can_send)
    }
    for name, trouble in [*troubles.items()][:MOST]:
        begin = next((begin for begin in _KINDS if name.startswith(begin)), "")
        about, public = _KINDS.get(begin, ("watcher", "something failed at the last look"))
        since = _since(trouble, now)
        text, words = f"{trouble.text}; {since}", f"{public}; {since}"
        yield Stopped(
            about, text, words, Do("watch", "--once", does="says more"), is_of_last_look=True
        )
    if len(troubles) > MOST:
        text = f"{len(troubles) - MOST} things more failed at the last look"
        yield Stopped("watcher", text, text, Do("watch", "--once", does="names them"))


def _since(trouble: Trouble, now: float) -> str:
    date = time.strftime("%Y-%m-%d %H:%M", time.localtime(trouble.since))
    return f"so since {date}, for {spell(max(0, int(now - trouble.since)))}"
