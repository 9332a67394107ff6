"""A check-up of a home, for `pbem doctor`: one line for each thing that playing by mail depends on.

Nothing is changed, fetched or marked as read. A finding holds no name, address, key, path or words
of a player or a server, only numbers, ages, versions and sentences of ours, so that all of it can
be posted in public.
"""

from __future__ import annotations

import os
import platform
import shutil
import stat
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from importlib import metadata

from pbem.english import counted, spell
from pbem.errors import Damaged, Do, Hint, PbemError, Typed, Usage, advice
from pbem.home import clock, heartbeat, outbox, outside, place
from pbem.home.game_index import game_folders
from pbem.home.heartbeat import DAY
from pbem.home.home import Home
from pbem.ledger.clock import seconds
from pbem.lock import Lock
from pbem.mail import fetch, fetched_mails, imap, server_errors, settings, transport
from pbem.mail.imap import NoFolder
from pbem.mail.server import Server
from pbem.mail.settings import MailSettings
from pbem.turn import game_list, stopped
from pbem.turn.game_list import GameList
from pbem.turn.stopped import Stopped
from pbem.version import exact

LEAST_SPACE = 100_000_000
"""Free bytes below which there may soon be no room for a turn."""
_LIBRARIES = ("cryptography", "PyNaCl", "typer", "jinja2", "msgspec", "IMAPClient")
_UNTOLD = "does not say its version"
FINE, HAND, UNKNOWN = "fine", "needs a hand", "not tried"


@dataclass(frozen=True)
class Finding:
    """What was checked, its state ("fine", "needs a hand" or "not tried"), what was found, and what
    to do about it (empty: nothing)."""

    about: str
    state: str
    text: str
    todo: str = ""


def _by_hand(about: str, text: str, todo: Hint = ()) -> Finding:
    return Finding(about, HAND, text, advice(todo))


@dataclass(frozen=True)
class CheckUp:
    """The findings, in the order in which they are printed, and whether something needs a hand."""

    findings: Sequence[Finding]
    needs_a_hand: bool


def servers_to_try(home: Home) -> int:
    """How many mail servers are named in mail.toml; none where it cannot be read."""
    found = _settings(home)
    return 0 if found is None else len(_servers(found))


def check_up(home: Home, *, log_in: bool) -> CheckUp:
    """Check everything. With `log_in` the program signs in once to each server in mail.toml."""
    findings = [_home(home), _space(home), _clock(home)]
    if home.has_identity():
        try:
            lists: GameList | None = game_list.games(home, home.identity())
        except PbemError:
            lists = None
        games = [] if lists is None else [*lists.games, *lists.hidden]
        going = [one.game_id[:32] for one in games if one.over is None]
        stops = [] if lists is None else stopped.stopped(home, going)
        findings += [_last_look(home, stops), *_mail(home, stops, log_in=log_in), _room(home)]
        findings.append(_refused_mails(home))
        if lists is None:
            findings.append(
                _by_hand("games", "they cannot be listed", Do("inbox", does="says why"))
            )
        else:
            findings += [*_watcher(home, going, stops), *_files(lists)]
    findings.append(_versions())
    return CheckUp(findings, any(one.state == HAND for one in findings))


def _home(home: Home) -> Finding:
    """The folder and the key, their permissions, and whether the home is in use on this
    computer."""
    about = "home"
    try:
        home.check()
    except Damaged as error:
        return _by_hand(
            about, error.what, Typed("give the folder back its rights, or check PBEM_HOME")
        )
    if home.lost_key() is not None:
        return _by_hand(
            about,
            "the key of its games is gone",
            Do("id", "--import", "COPY", when="restore it from your copy"),
        )
    if not home.has_identity():
        return _by_hand(
            about,
            "there is none yet, or no key in it",
            (Do("id", does="makes one"), Typed("PBEM_HOME names another")),
        )
    try:
        place.read(home.folder)
    except Damaged:
        text = "where this home is in use cannot be read"
        return _by_hand(
            about, text, Do("home keep", "--nowhere-else", when="if you use it nowhere else")
        )
    if warning := place.warning(home.folder):
        return _by_hand(about, warning.what, warning.hint)
    if not os.access(home.folder, os.R_OK | os.W_OK | os.X_OK):
        return _by_hand(
            about,
            "this user may not write it",
            Typed("give it back its rights, or check PBEM_HOME"),
        )
    if home.key_warning():
        return _by_hand(
            about,
            "others on this computer can read the key",
            Typed("chmod 600 identity.pem in the home"),
        )
    mode = stat.S_IMODE(home.folder.stat().st_mode)
    if os.name == "posix" and mode & 0o077:
        text = f"others on this computer can look into it (mode {mode:03o})"
        return _by_hand(about, text, Typed("chmod 700 on the folder that pbem id names"))
    return Finding(about, FINE, "in use here, and read by this user alone")


def _space(home: Home) -> Finding:
    """The free space on the disk with the home."""
    folder = home.folder
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    try:
        free = shutil.disk_usage(folder).free
    except OSError:
        return Finding("free space", UNKNOWN, "this system does not say")
    text = f"{free / 1e9:.1f} GB" if free >= 1e9 else f"{free // 1_000_000} MB"
    if free < LEAST_SPACE:
        return _by_hand("free space", text, "make room: a turn that cannot be kept is not signed")
    return Finding("free space", FINE, text)


def _clock(home: Home) -> Finding:
    """The clock, compared with the newest turn that was signed here and the newest mail on the
    server."""
    if why := clock.doubt(home.folder):
        return _by_hand("clock", why, Typed("set it, or say that it is right: --my-clock-is-right"))
    known, now = clock.moments(home.folder), seconds(clock.now())
    since = [
        f"{what} {spell(max(0, now - seconds(date)))} ago"
        for what, date in (
            ("your newest turn was signed", known.signed),
            ("your server's newest mail came", known.server),
        )
        if date
    ]
    return Finding("clock", FINE, "; ".join(since) or "nothing here contradicts it")


def _last_look(home: Home, stops: Sequence[Stopped]) -> Finding:
    """When a watcher looked and sent last, if one ever did, and whether all worked then: that it
    looked is no sign that a server answered."""
    beat, now = heartbeat.read(home.folder), time.time()
    if not beat.looked:
        return Finding("last look", FINE, "no pbem watch has looked here")
    text = f"{spell(max(0, int(now - beat.looked)))} ago"
    if beat.sent is not None:
        text += f"; the last turn was sent {spell(max(0, int(now - beat.sent.when)))} ago"
    if failed := sum(one.is_of_last_look for one in stops):
        text += f"; {counted(failed, 'thing')} failed then"
        return _by_hand("last look", text, ("below", Do("watch", "--once", does="says more")))
    return Finding("last look", FINE, text)


def _settings(home: Home) -> MailSettings | None:
    """What mail.toml says; None where it cannot be read."""
    try:
        return settings.read(home)
    except PbemError:
        return None


def _servers(found: MailSettings) -> list[tuple[str, Server, Callable[[Server], None]]]:
    """The servers in mail.toml, each with its name in a finding and the function that signs in
    there."""
    servers = [("sending", found.send, _try_smtp), ("fetching", found.fetch, _try_imap)]
    return [(about, server, attempt) for about, server, attempt in servers if server is not None]


def _mail(home: Home, stops: Sequence[Stopped], *, log_in: bool) -> list[Finding]:
    """The settings, what the watcher found about them, and whether each server takes user and
    password."""
    found = _settings(home)
    if found is None:
        what = "mail.toml cannot be read or is wrong"
        return [_by_hand("mail", what, Do("fetch", does="says what is wrong in it"))]
    servers = _servers(found)
    asked = {"watcher", *(about for about, _, _ in servers)}
    findings = [
        _by_hand(one.about, one.public, one.todo) for one in stops if one.about not in asked
    ]
    gone = sum(not path.exists() for path in found.inbox)
    if gone:
        what = f"{counted(gone, 'place')} of inbox in mail.toml {'is' if gone == 1 else 'are'} gone"
        findings.append(_by_hand("mail", what, Do("inbox", does="names it")))
    if found.program and shutil.which(found.program[0]) is None:
        what = "the program that sends mails is not there"
        findings.append(_by_hand("sending", what, Typed("check send.program in mail.toml")))
    for about, server, attempt in servers:
        known = next((one for one in stops if one.about == about), None)
        answered = heartbeat.read(home.folder).servers.get(server.host)
        if log_in:
            findings.append(_log_in(about, server, attempt))
        elif known is not None:
            findings.append(_by_hand(about, known.public, known.todo))
        else:
            findings.append(_answered(about, answered))
    if not servers and not findings:
        text = (
            "sent by a program"
            if found.program
            else "no server is set up: turns go by your own mail program"
        )
        return [Finding("mail", FINE, text)]
    return findings


def _answered(about: str, when: float | None) -> Finding:
    """When a server answered last, which is all that is known where none is asked."""
    todo = advice(Do("doctor", "--log-in", does="tries it"))
    if when is None:
        return Finding(about, UNKNOWN, "a server is set up; signing in was not tried", todo)
    age = time.time() - when
    text = f"the server answered {spell(max(0, int(age)))} ago"
    return Finding(about, FINE, text) if 0 <= age < DAY else Finding(about, UNKNOWN, text, todo)


def _log_in(about: str, server: Server, attempt: Callable[[Server], None]) -> Finding:
    """One log-in. What the server says is left out, since it may name the player."""
    try:
        attempt(server)
    except NoFolder:
        what = "the server has no folder of the name in mail.toml"
        return _by_hand(about, what, Typed("check fetch.folder in mail.toml"))
    except PbemError:
        return _by_hand(
            about,
            "there is no password for its server",
            "check password-command, or the keyring",
        )
    except ImportError:
        return _by_hand(about, "the library for it is missing", "install pbem anew")
    except imap.errors() as error:
        wording = server_errors.in_words(error, replace(server, host="the server"))
        what, _, _ = wording.what.replace(
            "no server the server", "no server of that name"
        ).partition(": ")
        return _by_hand(
            about, what if what != "the server" else f"{type(error).__name__}", wording.hint
        )
    return Finding(about, FINE, "the server takes user and password")


def _room(home: Home) -> Finding:
    """Whether mails with turns wait on a server, since there is no room for them here."""
    if left := fetch.left_on_servers(home):
        text = f"{counted(left, 'mail')} with turns wait{'s' * (left == 1)} on the server"
        return _by_hand(
            "room for mails",
            text,
            (Do("inbox"), Do("fetch", when="then", does="says what is full")),
        )
    return Finding("room for mails", FINE, "no mail waits on a server for want of room")


def _try_smtp(server: Server) -> None:
    """Sign in and leave; no mail is sent."""
    password = server.password() if server.user else ""
    with closing(transport.smtp(server)) as connection:
        if server.user:
            connection.login(server.user, password)
        else:
            connection.noop()


def _try_imap(server: Server) -> None:
    """Sign in, open the folder to be read only, and leave."""
    password = server.password()
    client = imap.connect(server)
    try:
        imap.sign_in(client, server, password)
        imap.open_folder(client, server)
    finally:
        imap.leave(client)


def _refused_mails(home: Home) -> Finding:
    """The player's turns that a mail system refused, and turns that came and did not verify."""
    count = 0
    try:
        folders = game_folders(home)
    except PbemError:
        return Finding("refused mails", UNKNOWN, "the games cannot be listed")
    for folder in folders:
        try:
            turns = [turn for turn in outbox.read(folder) if turn.is_out]
        except Damaged:
            continue
        if turns and (turns[-1].lacking or turns[-1].bounces):
            count += 1
    bad = fetched_mails.refused_turns(home)
    came = f"{counted(bad, 'turn')} that came did not verify" if bad else ""
    if count:
        text = f"the newest turn of {counted(count, 'game')} did not reach everybody"
        return _by_hand(
            "refused mails",
            "; ".join(filter(None, [text, came])),
            Do("inbox", does="says whom, and what to do"),
        )
    return Finding("refused mails", FINE, came or "none")


def _files(lists: GameList) -> list[Finding]:
    """Files of the home that cannot be read."""
    newer = sum(one.kind == "newer" for one in lists.damaged)
    damaged = sum(one.kind == "damaged" for one in lists.damaged)
    findings = [Finding("newer files", FINE, "none")]
    if newer:
        text = f"a newer pbem made {counted(newer, 'file')} here"
        findings = [_by_hand("newer files", text, "use the newer pbem")]
    if damaged:
        text = f"{counted(damaged, 'file')} of the home cannot be read"
        findings.append(
            _by_hand("damaged files", text, Do("inbox", does="names them, with what to do"))
        )
    return findings


def _watcher(home: Home, games: Sequence[str], stops: Sequence[Stopped]) -> list[Finding]:
    """Whether automatic turns are on, and whether a watcher runs that would write them."""
    try:
        kept = outside.read(home.identity().public)
    except Damaged:
        what = "the switches of automatic turns cannot be read"
        return [_by_hand("watcher", what, Do("auto", does="says more"))]
    about = [one for one in stops if one.about == "watcher"]
    if about:
        return [_by_hand("watcher", one.public, one.todo) for one in about]
    is_on = kept.home or any(map(kept.is_on, games))
    looks = "a pbem watch looks on" if _is_watched(home) else "no pbem watch looks on now"
    return [Finding("watcher", FINE, f"automatic turns are {'on' if is_on else 'off'}; {looks}")]


def _is_watched(home: Home) -> bool:
    """Whether a watcher holds this home's lock."""
    folder = home.folder / "watch"
    lock = Lock(folder / "lock")
    if not (folder / "lock").exists():
        return False
    try:
        is_free = lock.take()
    except Usage:
        return False
    lock.release()
    return not is_free


def _versions() -> Finding:
    """The versions of the program, of Python, the system and the libraries that matter."""
    found = []
    for name in _LIBRARIES:
        try:
            # where an installation is damaged some versions of Python return None, others raise
            version = metadata.version(name) or _UNTOLD
        except metadata.PackageNotFoundError:
            version = "is not there"
        except KeyError:
            version = _UNTOLD
        found.append(f"{name} {version}")
    system = f"{platform.system()} {platform.machine()}".strip()
    text = f"pbem {exact()}, Python {platform.python_version()}, {system}; {', '.join(found)}"
    return Finding("versions", FINE, text)
