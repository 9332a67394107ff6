"""The table's first page: the player's games as `pbem inbox` lists them, what has come in, and new
games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pbem import files
from pbem.errors import PbemError, Usage
from pbem.fileformat import turnfile
from pbem.fileformat.turnfile import MAX_MESSAGE
from pbem.games import game_data, registry
from pbem.games.descriptor import CommandOption, chosen_options, settled
from pbem.games.game_data import DataLine
from pbem.home import attached_files, known_names, make_identity
from pbem.home.clock import ClockDoubt
from pbem.home.home import Home
from pbem.home.identity import UNNAMED, as_written_in_mails, is_doubtful
from pbem.home.make_identity import IdentityFacts
from pbem.ledger.invitation import id_of_game
from pbem.mail import find_turns, links
from pbem.mail.find_turns import Found
from pbem.table import shelf
from pbem.table.open_games import page_name
from pbem.table.shelf import Box, GameOffer
from pbem.turn import game_list, joining, named_file, open_game, prepared_turns
from pbem.turn.extras import first_of_series
from pbem.turn.game_list import GameSummary
from pbem.turn.inbox import Inbox, Item


@dataclass(frozen=True)
class HomePage:
    """Everything on the first page. `me` is None for a newcomer. `asks_name`: nobody has said who
    plays here, so that a name is asked where others will read it; `entered` is what was written in
    a form that was refused. `boxes` are the games that can be begun, and `offers` what each asks;
    a whole game of `to_watch` came with the program.
    `hidden` is the number of games that the player ignores."""

    me: IdentityFacts | None
    asks_name: bool
    entered: Mapping[str, str]
    offers: Sequence[GameOffer]
    boxes: Sequence[Box]
    to_watch: Box | None
    refusal: str
    games: Sequence[GameSummary] = ()
    files: Sequence[Item] = ()
    known: Sequence[str] = ()
    clock_in_doubt: bool = False
    hidden: int = 0
    silence: str = ""


def page(
    home: Home, *, refusal: PbemError | None = None, entered: Mapping[str, str] | None = None
) -> HomePage:
    """The first page. It looks through the usual places as `pbem inbox` does. A newcomer sees what
    can be played, and is asked nothing before they have chosen."""
    offered = shelf.offers()
    boxes = shelf.boxes(offered)
    to_watch = next((one for one in boxes if files.example(one.game)), None)
    entered, refused = entered or {}, "" if refusal is None else in_words(refusal)
    if is_newcomer(home):
        return HomePage(None, True, entered, offered, boxes, to_watch, refused)
    sorter = Inbox(home)
    sorter.take_usual()
    prepared_turns.answer_all(sorter)
    facts = game_list.facts(sorter)
    return HomePage(
        me=make_identity.identify(home, None, None, False, None, None),
        asks_name=is_unnamed(home),
        entered=entered,
        offers=offered,
        boxes=boxes,
        to_watch=to_watch,
        refusal=refused,
        games=facts.games,
        files=[item for item in facts.files if item.kind not in ("stale", "duplicate", "foreign")],
        known=[known.name for known in known_names.from_games(home).known.values()],
        clock_in_doubt=isinstance(refusal, ClockDoubt),
        hidden=facts.hidden,
        silence=facts.silence,
    )


def is_newcomer(home: Home) -> bool:
    """Whether nobody has played with this home yet."""
    return not home.has_identity() and home.lost_key() is None


def is_unnamed(home: Home) -> bool:
    """Whether this home has a key, and its player has not said what they are called."""
    return home.has_identity() and home.identity().name == UNNAMED


def introduce(home: Home, form: Mapping[str, str]) -> None:
    """Give a newcomer's home its key, with the name and the mail address of a form, or one that has
    a key and no name yet these; `mail_before` is the address of the form that was refused before.
    Raises `Usage`."""
    if is_newcomer(home) or is_unnamed(home):
        name, mail = form.get("name", "").strip(), as_written_in_mails(form.get("mail", ""))
        if not name:
            raise Usage("the name is empty", hint="the others read it beside your turns")
        if is_doubtful(mail, form.get("mail_before", "")):
            raise Usage(f'"{mail[:80]}" has no dot behind the @', hint="if it is right, once more")
        make_identity.identify(home, name, mail, False, None, None)


def begin_unnamed(home: Home) -> None:
    """Give a newcomer's home its key, so that they can play alone; what they are called is asked
    where somebody else will read it."""
    if is_newcomer(home):
        make_identity.identify(home, UNNAMED, "", False, None, None)


class Taken(NamedTuple):
    """What became of something that was dropped or pasted. `game` is the page of its game, if the
    home can go on with it; else empty."""

    items: list[Item]
    game: str


def take(home: Home, data: bytes, where: str) -> Taken:
    """Sort a dropped file or a pasted text into the home, as `pbem inbox` does with a file."""
    sorter = Inbox(home)
    if len(data) > MAX_MESSAGE:
        return Taken([Item(where, "invalid", "too large for a mail or a turn file")], "")
    found = list(links.with_files(home, find_turns.turns_in(data, where)))
    sorter.take(found)
    if not sorter.take_dropped(data, where) and not sorter.items:
        sorter.take([Found(where, None, _NOTHING)])
    prepared_turns.answer_all(sorter)
    has_gone_on = any(item.kind in _GOES_ON for item in sorter.items)
    pages = {_page_of(one.data) for one in found if one.data is not None} if has_gone_on else set()
    return Taken(sorter.items, pages.pop() if len(pages) == 1 else "")


def belongs_here(home: Home, data: bytes) -> bool:
    """Whether what was dropped is a turn, or a file that went with one and is awaited here."""
    return holds_turn(data) or any(one.file().is_file(data) for one in attached_files.awaited(home))


def holds_turn(data: bytes) -> bool:
    """Whether a file, a mail or a text has a turn in it."""
    return any(
        one.data is not None or one.link is not None for one in find_turns.turns_in(data, "")
    )


_NOTHING = (
    "there is no turn in it. Choose the turn file itself, or paste the text or the link that came"
)
_GOES_ON = ("new", "duplicate", "stale", "mended")


def _page_of(data: bytes) -> str:
    """The page of the game that a turn file belongs to; empty if this is no turn file."""
    try:
        first = turnfile.read(data).entries[0]
        return page_name(first.text("game"), id_of_game(first))
    except PbemError:
        return ""


def one_turn(data: bytes, where: str) -> bytes:
    """The turn in something that a newcomer was sent. Raises `PbemError` where there is none, or
    one that does not hold."""
    turn = named_file.turn_in(data, where)
    came(turn, {})
    return turn


@dataclass(frozen=True)
class Came:
    """A file that a newcomer was sent, as they see it before they say who they are: the game, with
    its picture, who plays it, and who invites them to a seat (empty: nobody, it is a turn)."""

    game: str
    title: str
    players: Sequence[str]
    inviter: str
    seat: str
    entered: Mapping[str, str]
    refusal: str


def came(data: bytes, entered: Mapping[str, str], refusal: str = "") -> Came:
    """What somebody was sent. Raises `PbemError` for what does not hold."""
    game = open_game.open_file(data, None).ledger
    seat, players = game.to_act(), [one.name for one in game.players if one is not None]
    is_free = seat is not None and game.players[seat] is None
    return Came(
        game.rules.name,
        game.rules.title,
        players,
        game.player_of(game.invitation.host).name if is_free else "",
        game.seats[seat] if is_free and seat is not None else "",
        entered,
        refusal,
    )


def invited(home: Home, form: Mapping[str, str]) -> bytes:
    """Entry 0 of the game that a form asks for; the form of a newcomer says who they are, unless
    nobody else plays. Raises `Usage`."""
    game = form.get("game", "")
    found = registry.descriptor(game)
    if len(registry.usual_seats(game)) == 1 and not form.get("name"):
        begin_unnamed(home)
    else:
        introduce(home, form)
    values = {option.name: _value(option, form, game) for option in found.options}
    chosen, keys = chosen_options(found.options, values)
    said = {name for name, value in values.items() if value}
    chosen = settled(found.question, found.options, chosen, said)
    wanted = [
        part.strip()
        for part in form.get("opponents", "").replace("\n", ",").split(",")
        if part.strip()
    ]
    opponents, _ = known_names.opponents_of(home, wanted)
    proving, _ = known_names.opponents_of(home, keys)
    seat = form.get(f"{game}.seat") or None
    filled_in: Sequence[DataLine] = ()
    if (setup := form.get(f"{game}.setup", "")) and len(found.data) == 1:
        filled_in = game_data.read_text(found, setup)
        seat = _seat_of_setup(game, seat, filled_in)
    place = first_of_series(form.get("series", ""))
    new = joining.NewGame(game, seat, chosen, opponents, proving, filled_in, place=place)
    return joining.invite(home, new)


def _seat_of_setup(game: str, seat: str | None, lines: Sequence[DataLine]) -> str | None:
    """The seat that a form chose by its number, by the name that a setup gives it."""
    usual = registry.usual_seats(game)
    if not lines or seat not in usual:
        return seat
    return game_data.rules_with(registry.newest(game), lines).seats({})[usual.index(seat)]


def _value(option: CommandOption, form: Mapping[str, str], game: str) -> int | str | None:
    """What a form says of one option; None if it says nothing. Raises `Usage`."""
    value = form.get(f"{game}.{option.name}", "").strip()
    if not value or option.takes != "number":
        return value or None
    if (number := number_in(value)) is None:
        raise Usage(f'"{value[:40]}" is no number', where=option.name)
    return number


def number_in(text: str) -> int | None:
    """The number that an address or a form has, of four digits at most; None for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 5 else None


def in_words(error: PbemError) -> str:
    """An error as one line: what is wrong and what to do."""
    return " ".join(str(error).split())
