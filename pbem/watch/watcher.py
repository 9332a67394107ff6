"""The watcher of one home: it takes in what comes, writes entries that decide nothing, and reports
each new turn once."""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from pbem import files
from pbem.errors import PbemError, Refused, Typed
from pbem.home import clock, heartbeat, ignore_list, outside, place
from pbem.home.game_index import game_folders
from pbem.home.heartbeat import LastSent, Trouble
from pbem.home.home import Home
from pbem.lock import Lock
from pbem.mail import settings as mail_settings
from pbem.mail.settings import MailSettings
from pbem.turn import stopped
from pbem.turn.inbox import Inbox, Limits
from pbem.turn.remind import RemindFacts
from pbem.watch import intake, news, notify
from pbem.watch.alive import Systemd, WebHeartbeat
from pbem.watch.answers import Answers, HeldEntry
from pbem.watch.failing import LOOK, Pause
from pbem.watch.intake import Intake
from pbem.watch.news import News, NewsRecord, new_round
from pbem.watch.outbox import Post, SentEntry, send_reminders
from pbem.watch.sending import Sending
from pbem.watch.waiting import FolderWaiter, MailWaiter

MINUTE = 60.0
"""Seconds after which everything is looked at again, whether or not anything was reported as
new."""
HOUR = 60 * MINUTE
_BEAT_KEPT = 10 * MINUTE
"""Seconds after which the heartbeat is written again if only the time of the last look is new."""
_FETCH, _NOTIFY, _RECORD, _HEARTBEAT = "fetch", "notify", "record", "heartbeat"
"""Names of failures that are not tried in every round."""
_EACH_ROUND = ("lacking:", "round", "answers", "clock", "game:", "journal:", "mail.toml")
_UNWELL = (_FETCH, "send:", "remind:", *(LOOK + name for name in _EACH_ROUND))
"""How the names of failures begin that mean that a server does not answer, or that something that
is due is not sent."""
MOST_FETCHES = 20
"""How often a server is asked in a row: each time is a sign-in, and mails may come faster."""
SPACED = 6.0
"""Seconds from one time to the next where it is asked without end; so much a turn waits at most."""
MOST_NOTIFICATIONS = 40
"""Notifications that may be under way at once; what is beyond them is only printed."""


@dataclass(frozen=True)
class Round:
    """What one look brought: each new turn and problem, reported once; the entries that were
    written and sent by themselves; those that are held back and were not before, with the reason;
    and the reminders that were sent. `failed` is all that does not work at the moment, whether it
    was reported with this look or before."""

    news: Sequence[News] = ()
    sent: Sequence[SentEntry] = ()
    held: Sequence[HeldEntry] = ()
    reminded: Sequence[RemindFacts] = ()
    failed: Sequence[str] = ()

    def is_empty(self) -> bool:
        """Whether there is nothing to report."""
        return not (self.news or self.sent or self.held or self.reminded)


class Busy(Refused):
    """Another watcher has this home, or its key."""


class Watcher:
    """Watches one home. With `answers`, entries that decide nothing are written where that is
    switched on. `is_ended` ends `run`: whoever catches an interrupt sets it, since a library may
    swallow the exception and go on. Raises `Busy` if another watcher has this home, `Usage` or
    `Damaged` if the home cannot be used."""

    def __init__(self, home: Home, *, answers: bool) -> None:
        self.is_ended = False
        self._folder = home.folder
        self._key = home.identity().public
        self._unlocked = home.unlocked
        self._lock = Lock(home.make_folder("watch") / "lock")
        if not self._lock.take():
            raise Busy(
                "another pbem watch has this home", hint="one is enough; end the other one first"
            )
        self._key_lock = Lock(outside.make_folder(self._key) / "watching") if answers else None
        if self._key_lock is not None and not self._key_lock.take():
            self._lock.release()
            raise Busy(
                "another home with the same key is answered from already",
                hint="one key, one machine",
            )
        self._record = NewsRecord(home)
        self._failing = self._record.failing
        self._systemd: Systemd | None = None
        self._sending = Sending(lambda: self.wake("files"))
        self._post = Post(self._sending, self._failing)
        self._answers = Answers(self._post, self._works) if answers else None
        self._number = place.folder_number(home.folder)
        self._heartbeat = heartbeat.read(home.folder)
        self._beat_kept = 0.0
        self._web = WebHeartbeat()
        self._settings_before = MailSettings()
        self._has_fetched = False
        self._intake = Intake(home.folder / "watch")
        self._jumps = clock.Jumps()
        self._limits = Limits(home, self._key)
        self._tellers: list[subprocess.Popen[bytes]] = []
        self._pause = Pause()
        self._left, self._left_at = float(MOST_FETCHES), time.monotonic()
        self._is_postponed = False
        self._reminded_at = 0.0
        self._came = threading.Event()
        self._what: set[str] = set()
        self._mail: MailWaiter | None = None
        self._folders: FolderWaiter | None = None

    def close(self) -> None:
        """Release the home, and stop the threads that wait."""
        for waiter in (self._mail, self._folders):
            if waiter is not None:
                waiter.stop()
        self._lock.release()
        if self._key_lock is not None:
            self._key_lock.release()
        if self._systemd is not None:
            self._systemd.ends()

    def run(self, show: Callable[[Round], None]) -> None:
        """Look now, and again whenever something comes, until interrupted. `show` gets the first
        look, and each that brings something. Raises `Refused` if the home was taken away."""
        what, is_first = {"mail", "files"}, True
        self._systemd = Systemd()
        self._systemd.ready()
        while not self.is_ended:
            if not self._lock.is_held():
                raise self._taken_away()
            may_fetch = "mail" in what and self._may_fetch()
            self._is_postponed = "mail" in what and not may_fetch
            done = self.round(fetch=may_fetch)
            if is_first or not done.is_empty():
                show(done)
            is_first = False
            if not self.is_ended:
                self._wait_on(self._settings())
                what = self._wait()

    def _may_fetch(self) -> bool:
        """Whether the server may be asked now, which is then counted: so many times in a row, and
        once more for each time that has passed since."""
        now = time.monotonic()
        self._left = min(MOST_FETCHES, self._left + (now - self._left_at) / SPACED)
        self._left_at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True

    def _taken_away(self) -> Refused:
        """Why the lock of this home is not held any more."""
        where = files.printable(self._folder)
        hint = Typed("start pbem watch anew, with PBEM_HOME if the home lies elsewhere now")
        if not self._folder.is_dir():
            return Refused(
                f"the home lies in {where} no more: it was moved, renamed or deleted", hint=hint
            )
        if place.folder_number(self._folder) != self._number:
            return Refused(
                f"another home lies in {where} now: the watched one was moved or renamed", hint=hint
            )
        return Refused(
            "the lock of this home was removed", hint="another pbem watch may have it: end one"
        )

    def _works(self) -> None:
        """Tell the service manager that the watcher works."""
        if self._systemd is not None:
            self._systemd.works()

    def finish(self, done: Round) -> Round:
        """The only look of a watcher that ends now, with what has become of the mail that was under
        way and of the notifications: all of them are waited for."""
        self._sending.is_free(None)
        sent, reminded = self._post.take_sent()
        self._web.wait()
        self._check_heartbeat()
        for process in self._tellers:
            process.wait()
        self._collect_tellers()
        with suppress(PbemError):  # the round before has told that it cannot be written
            if self._record.is_to_be_kept():
                self._record.keep(new_round())
        return replace(
            done,
            sent=[*done.sent, *sent],
            reminded=[*done.reminded, *reminded],
            failed=self._failing.texts(),
        )

    def wake(self, what: str) -> None:
        """Note that something may have come: "mail" or "files". Any thread may call this."""
        self._what.add(what)
        self._came.set()

    def round(self, *, fetch: bool = True) -> Round:
        """Take in what has come, answer it, and report it."""
        self._works()
        self._failing.begin()
        self._check_heartbeat()
        self._jumps.look(self._folder)
        home = Home(self._folder)
        home.unlocked = self._unlocked
        settings = self._settings()
        events: list[tuple[str, str]] = []
        held: list[HeldEntry] = []
        try:
            self._sending.is_free()
            events = self._take_in(home, settings, fetch=fetch)
            if self._answers is not None:
                held = self._answers.round(home, settings)
            self._remind(home, settings)
        except (PbemError, OSError) as error:
            self._failing.fails(f"{LOOK}round", str(error))
        except Exception as error:  # whatever came must not end what goes on for months
            self._failing.breaks(f"{LOOK}round", error)
        found = self._notify(home, settings, events)
        sent, reminded = self._post.take_sent()
        self._beat(settings, sent, has_sent=bool(sent or reminded))
        return Round(found, sent, held, reminded, self._failing.texts())

    def _remind(self, home: Home, settings: MailSettings) -> None:
        """Send the reminders that are due, once an hour at most."""
        now = time.monotonic()
        if not settings.remind_after or (self._reminded_at and now - self._reminded_at < HOUR):
            return
        self._reminded_at = now
        send_reminders(home, settings, self._post)

    def _settings(self) -> MailSettings:
        """What mail.toml says. Where it cannot be read, only the ways of being notified that it
        named before."""
        try:
            self._settings_before = mail_settings.read(Home(self._folder))
        except PbemError as error:
            self._failing.fails(f"{LOOK}mail.toml", str(error))
            before = self._settings_before
            return MailSettings(notify=before.notify, services=before.services)
        return self._settings_before

    def _beat(self, settings: MailSettings, sent: Sequence[SentEntry], *, has_sent: bool) -> None:
        """Write down when this look was, which servers answered, what was sent and what fails.
        Fetch the heartbeat of mail.toml too, if every server that was asked has answered and
        nothing that is due is unsent."""
        now = time.time()
        is_waiting = self._mail is not None and self._mail.is_waiting
        has_answered = (self._has_fetched or is_waiting) and not self._failing.is_failing(_FETCH)
        servers = dict(self._heartbeat.servers)
        if settings.fetch is not None and has_answered:
            servers[settings.fetch.host] = now
        if settings.send is not None and has_sent:
            servers[settings.send.host] = now
        before, on_disk = self._heartbeat, heartbeat.read(self._folder)
        beat = before.after_look(now, answers=self._answers is not None)
        self._heartbeat = replace(
            beat,
            servers=servers,
            sent=LastSent(sent[-1].game, sent[-1].entry, now) if sent else before.sent,
            failing={
                name: Trouble(news.plain(one.text), one.since or now)
                for name, one in self._failing.snapshot().items()
            },
            # whoever switches automatic turns on begins it anew
            had=tuple(dict.fromkeys([*on_disk.had, *stopped.ways_in(settings)])),
        )
        is_news = (
            bool(sent)
            or servers.keys() != before.servers.keys()
            or self._heartbeat.failing != on_disk.failing
            or self._heartbeat.had != on_disk.had
        )
        if is_news or not self._beat_kept or time.monotonic() - self._beat_kept > _BEAT_KEPT:
            self._beat_kept = time.monotonic()
            # then the record of what was told is not written either, which is told
            with suppress(PbemError):
                heartbeat.write(self._folder, self._heartbeat)
        are_sent = self._answers is None or self._answers.are_sent
        is_well = (
            (settings.fetch is None or has_answered)
            and are_sent
            and not self._failing.is_failing(*_UNWELL)
        )
        if settings.heartbeat and is_well:
            self._web.beat(settings.heartbeat)

    def _check_heartbeat(self) -> None:
        """Note whether the last fetch of the heartbeat failed."""
        if self._web.problem:
            self._failing.fails(_HEARTBEAT, self._web.problem)
        else:
            self._failing.works(_HEARTBEAT)

    def _take_in(self, home: Home, settings: MailSettings, *, fetch: bool) -> list[tuple[str, str]]:
        """Take everything that has come into the memory of the home before anything is answered, so
        that two versions of an entry that come together are both known then. Returns what is to be
        reported of single files, each with the game it belongs to."""
        inbox = Inbox(home, limits=self._limits)
        # first what no server can hold up
        inbox.take_fetched(self._intake)
        self._intake.is_unfinished = False
        for source in settings.inbox:
            self._intake.take(inbox, source)
        self._has_fetched = False
        if settings.fetch is None:
            self._failing.works(_FETCH)
        elif fetch and self._pause.is_over():
            try:
                intake.fetch(inbox, settings.fetch, self._failing, self._intake, self._works)
                self._has_fetched = True
                self._pause.end()
                self._failing.works(_FETCH)
            except PbemError as error:
                self._failing.fails(_FETCH, str(error))
                self._pause.begin()
        intake.name_failures(inbox.items, self._failing)
        return intake.events(inbox.items)

    def _notify(
        self, home: Home, settings: MailSettings, events: list[tuple[str, str]]
    ) -> list[News]:
        """The news of this round, each reported once. It is noted as reported first, in a record
        that each notification looks into before it goes out."""
        new: dict[str, list[News]] = {}
        for folder in game_folders(home):
            try:
                new[folder.name] = news.of_game(home, self._key, folder, self._record)
            except (PbemError, OSError) as error:
                self._failing.fails(f"{LOOK}tell:{folder.name}", str(error))
            # a mistake of this program in one game must not silence all others
            except Exception as error:
                self._failing.breaks(f"{LOOK}tell:{folder.name}", error, folder.name[:8])
        ignored_games = self._ignored_games(home) if any(new.values()) else {}
        found = [one for game, those in new.items() if game not in ignored_games for one in those]
        self._collect_tellers()
        self._failing.end()
        found += [
            news.problem(text, game) for text, game in events if self._record.add_problem(text)
        ]
        failures = [news.problem(text) for text in self._failing.due(time.time())]
        if found or failures or self._record.is_to_be_kept():
            name = new_round()
            chosen_news = [*failures, *(one for one in found if one.game)][
                : max(0, MOST_NOTIFICATIONS - len(self._tellers))
            ]
            batch = notify.Notifications(settings, chosen_news, self._record.path, name)
            self._tellers += batch.processes
            try:
                self._record.keep(name)
            # no turn is told then, and all of them as soon as it can be written down
            except PbemError as error:
                self._record.read()
                batch.release()
                self._failing.fails(_RECORD, str(error))
                return [*failures, *(news.problem(text) for text in self._failing.due(time.time()))]
            self._failing.works(_RECORD)
            batch.release()
        self._intake.keep()
        return [*found, *failures]

    def _ignored_games(self, home: Home) -> Mapping[str, str]:
        """The games about which nothing is reported, since the player ignores them."""
        try:
            return ignore_list.hidden_games(home, self._key, lambda: ignore_list.keys_by_game(home))
        except PbemError as error:
            self._failing.fails(f"{LOOK}ignore.toml", str(error))
            return {}

    def _collect_tellers(self) -> None:
        """Take in the notifications that have ended, and note whether one of them failed."""
        before = len(self._tellers)
        if said := notify.take_ended(self._tellers):
            self._failing.fails(_NOTIFY, said[0])
        elif len(self._tellers) < before:
            self._failing.works(_NOTIFY)

    def _wait_on(self, settings: MailSettings) -> None:
        """Have the server and the system report when something comes, as mail.toml says now."""
        server, folders = settings.fetch, settings.inbox
        if self._mail is not None and self._mail.server != server:
            self._mail.stop()
            self._mail = None
        if self._mail is None and server is not None:
            self._mail = MailWaiter(server, self.wake)
            self._mail.start()
        if self._folders is None or not self._folders.is_watching(folders):
            if self._folders is not None:
                self._folders.stop()
            self._folders = FolderWaiter(folders, self.wake)
            self._folders.start()

    def _wait(self) -> set[str]:
        """Wait until something comes, a minute at most; returns what to look at then. Mails are
        fetched once a minute where the server does not report them."""
        seconds = (1 - self._left) * SPACED if self._is_postponed else MINUTE
        if self._intake.is_unfinished:
            seconds = 1.0
        begun = time.time(), time.monotonic()
        self._came.wait(seconds)
        self._came.clear()
        what, self._what = self._what, set()
        has_slept = (time.time() - begun[0]) - (time.monotonic() - begun[1]) > MINUTE
        if has_slept and self._mail is not None:  # the machine slept, and its connections are gone
            self._mail.stop()
            self._mail = None
        if self._is_postponed or (not what and (self._mail is None or not self._mail.is_waiting)):
            what.add("mail")
        return what
