"""A friendly reminder with the newest file, for whoever a game waits for.

A mail may be lost, and nobody can tell that from a player who takes their time. So the reminder
carries the file once more, and blames nobody. The outbox of each game (`pbem.home.outbox`) has the
file that was reminded of.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from pbem import files
from pbem.english import spell
from pbem.errors import Do, PbemError, Refused, Typed, Usage
from pbem.fileformat import turnfile
from pbem.home import attached_files, clock, outbox
from pbem.home.game_index import short_name
from pbem.home.home import Home
from pbem.home.memory import Memory
from pbem.home.shelf import shelf_of
from pbem.ledger.clock import DAY, seconds
from pbem.ledger.gate import follow
from pbem.ledger.ledger import Ledger
from pbem.mail import compose, heads, links, settings, transport
from pbem.mail.transport import Doubtful, MailedTurn
from pbem.report.facts import passes_on
from pbem.turn.game_list import GameSummary
from pbem.turn.signing import stem


@dataclass(frozen=True)
class RemindFacts:
    """A reminder: the file of the mail (null: it was sent), whom it reminds, by seat and name,
    since when the game waits, and the addresses it goes to (none: they gave none)."""

    mail: str | None
    seat: str
    name: str
    since: str
    to: list[str]
    sent: bool


class Reminder(NamedTuple):
    """A reminder as a mail, with whom it reminds."""

    message: bytes
    data: bytes
    game: Ledger
    seat: int
    to: list[str]

    def facts(self, path: Path | None, *, sent: bool) -> RemindFacts:
        """What a command tells of it."""
        player = self.game.player_of(self.seat)
        mail = None if path is None else str(path)
        return RemindFacts(
            mail, self.game.seats[self.seat], player.name, self.game.entries[-1].date, self.to, sent
        )


def reminder(home: Home, data: bytes) -> Reminder:
    """The reminder for whoever the game of a turn file waits for. Raises `Refused` if it waits for
    nobody else."""
    file = turnfile.read(data)
    game, seen = follow(file, home.checks.verifier)
    own = game.seat_with(home.identity().public)
    turn, name = game.to_act(), short_name(game)
    shelf = shelf_of(home.game_folder(game.game_id))
    if shelf is not None and len(shelf.file.entries) > len(file.entries):
        raise Refused("this file is old: a newer one of this game is here", hint=Do("remind", name))
    if own is None:
        raise Refused(
            "you sit in no seat of this game", hint="nobody is reminded but by those who play"
        )
    if turn is None:
        raise Refused("the game is over: it waits for nobody")
    waited = passes_on(game) if game.players[turn] is None else turn
    if waited is None or waited == own:
        hint = (
            Do("play", name)
            if turn == own
            else Do("send", name, "--to", "ADDRESS", does="passes the file on")
        )
        raise Refused("the game waits for you", hint=hint)
    if game.seat_of(file.entries[-1]) == own:
        Memory(home, game.game_id).check_before_sending()
    player = game.player_of(waited)
    to = [player.mail] if heads.address("", player.mail) is not None else []
    words = in_words(game, own)
    forward = compose.Forward(own, tuple(to), words)
    templates, page = home.folder / "templates", links.page_for(home, game, file.data)
    message = compose.compose(
        file.data,
        game,
        seen,
        f"{stem(game)}.toml",
        templates,
        forward,
        page=page,
        files=attached_files.contents_with(home.game_folder(game.game_id), file.entries[-1]),
    )
    assert message is not None, "somebody else plays"
    return Reminder(message, file.data, game, waited, to)


def in_words(game: Ledger, own: int) -> str:
    """The friendly lines above the turn."""
    date = game.entries[-1].date
    age = seconds(clock.now()) - seconds(date)
    since = f"since {date[:10]}, {spell(age)} now" if age >= DAY else f"since {date[:10]}"
    return (
        f"A friendly reminder from {game.player_of(own).name}: {since}, our game waits for you. The"
        " newest file comes with this mail, in case the last one was lost on its way. No need to"
        " hurry; if you are away for long, pbem play FILE with --leave-until DATE tells everybody"
        " so with your next turn."
    )


def write(home: Home, data: bytes, folder: Path) -> RemindFacts:
    """Write the reminder as a draft that any mail program opens; one of the same turn and day that
    is there already stays, with all that was typed into it. Raises `Conflict` or `Usage`."""
    made = reminder(home, data)
    target = folder / f"{stem(made.game)}-reminder-{clock.today()}.eml"
    if not target.exists():
        files.replace(target, made.message, mode=0o644)
    # only ever a help: where it cannot be noted, somebody is reminded of it again
    with suppress(Usage):
        number = len(made.game.entries) - 1
        outbox.note(
            home.game_folder(made.game.game_id),
            number,
            made.data,
            lambda turn: replace(turn, reminded=True),
        )
    return made.facts(target, sent=False)


def send(home: Home, data: bytes, *, automatic: bool = False) -> RemindFacts:
    """Send the reminder as mail.toml says. `automatic`: no hand sends it, so it is noted before it
    is sent, and nobody is reminded twice, whatever happens in between; only one that nobody can
    have is due again. Raises `Usage`, and `Refused` if it is not taken."""
    made = reminder(home, data)
    if not made.to:
        what = f"{made.game.player_of(made.seat).name} gave no mail address"
        raise Usage(what, hint=Typed("without --send it is written as a draft"))
    folder, number = home.game_folder(made.game.game_id), len(made.game.entries) - 1
    if automatic:
        outbox.note(folder, number, made.data, lambda turn: replace(turn, reminded=True))
    try:
        turn = MailedTurn(folder, number, made.data, "reminder")
        done = transport.post(
            turn, made.message, transport.way_of(settings.read(home)), automatic=automatic
        )
        if done.refused:
            raise Refused(
                "; ".join(done.refused.values()), hint="nothing was sent; check the address"
            )
    except PbemError as error:
        if automatic and not isinstance(error, Doubtful):
            outbox.note(folder, number, made.data, lambda turn: replace(turn, reminded=False))
        raise
    return made.facts(None, sent=True)


def is_due(home: Home, game: GameSummary, days: int) -> bool:
    """Whether a game has waited for another player for so many days, who is not away and was not
    reminded of this turn: for programs that remind by themselves, once."""
    if game.over is not None or game.yours or game.seat is None or game.to_act_name is None:
        return False
    now = clock.now()
    is_away = any(one.seat == game.to_act for one in game.away)
    is_late = seconds(now) - seconds(game.since) >= days * DAY
    if not is_late or is_away:
        return False
    try:
        data = files.read_own(Path(game.file), turnfile.MAX_FILE)
    except Usage:
        return True
    return not outbox.sent_turn(home.folder / "games" / game.game_id[:32], data).reminded
