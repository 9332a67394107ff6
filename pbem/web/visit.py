"""What a page shows before anybody has a home in it, or has opened the one that is there: an
invitation that was verified, a sample of a game to try, and a whole game that came with the page.
Nobody's key is made or read for it.

A sample is a real game under keys that are made for it and thrown away. All of it lies in a folder
that is no part of what a page keeps. Its table answers a few requests, none of which signs, writes
a file or makes a mail, and the next visit forgets it.
"""

from __future__ import annotations

import os
import random
import re
import secrets
import shutil
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from engine.flow import Seat
from pbem import files
from pbem.errors import Malformed, Refused, Usage
from pbem.fileformat import link
from pbem.games import registry
from pbem.games.descriptor import settled
from pbem.home.home import Home
from pbem.ledger.playing import answer_rules
from pbem.mail import find_turns
from pbem.table import drawing, request
from pbem.table.drawing import PageBoard
from pbem.table.home_page import in_words
from pbem.table.open_games import OpenGames, page_name
from pbem.table.request import PageAnswer, PageRequest
from pbem.table.routes import Table
from pbem.turn import joining, open_game, questions, take_turn
from pbem.turn.draft_lines import Intent
from pbem.turn.joining import NewGame
from pbem.turn.open_game import OpenFile

_LOOKS = re.compile(
    r"/(?:game/[^/]+(?:/(?:news|film|log|cards|entry/[^/]+))?|help/[^/]+|style/[^/]+\.css)\Z"
)
_TRIES = re.compile(r"/game/[^/]+/do\Z")
_TRIED = frozenset(
    (
        *("mark", "answer", "back", "line", "drop-line", "type"),
        *("order", "give-order", "drop-order"),
    )
)
"""The fields of a form that changes the turn in the making; any other field is refused."""
_KNOWN_SEED = bytes(32)
MAX_LOOK = 400_000
"""Bytes of a form that holds an invitation, which may be a mail with its picture."""
_MOST_ENTRIES = 40
"""Entries of the others before the player of the sample has something to choose."""


@dataclass(frozen=True)
class Invited:
    """An invitation for somebody who has not opened a home: what a verified file says, and a
    picture of its game. `name` is the game's page, `for_key` says that the free seat is kept for
    one public key."""

    game: str
    name: str
    title: str
    seat: str
    inviter: str
    for_key: bool
    drawn: PageBoard


class Visit:
    """A table with a home that nobody keeps, in a folder of its own."""

    def __init__(self) -> None:
        self.ending = ExitStack()
        self.folder = self.ending.enter_context(files.private_folder())
        self.home = Home(self.folder / "You")
        self.table = Table(OpenGames(self.home, self.folder), in_page=True, sample=True)

    @contextmanager
    def apart(self) -> Iterator[None]:
        """What the program notes of keys beside their homes lies in the folder too."""
        before = os.environ.get("PBEM_STATE")
        os.environ["PBEM_STATE"] = str(self.folder / "state")
        try:
            yield
        finally:
            if before is None:
                del os.environ["PBEM_STATE"]
            else:
                os.environ["PBEM_STATE"] = before


_visits: list[Visit] = []  # at most one


def tables() -> list[Table]:
    """The table of the visit, if there is one."""
    return [one.table for one in _visits]


def leave(_table: Table, _fields: Mapping[str, str]) -> Mapping[str, object]:
    """Forget what was looked at and tried, with the keys of a sample."""
    while _visits:
        _visits.pop().ending.close()
    return {}


def rehearse() -> None:
    """Show the list of games to a player who is forgotten at once, so that what it needs is in
    memory: a picture of that is taken next (templates/web/memory.js). What is in memory stays in
    the picture, so the player has a key that everybody knows."""
    visit = Visit()
    with visit.ending, visit.apart():
        visit.home.create("You", "", _KNOWN_SEED, "")
        visit.table.answer(PageRequest("GET", "/"))


def awake() -> None:
    """Draw anew what Python drew before the picture was taken that it begins from. Nothing of ours
    depends on it, since keys, seeds and nonces come from the system; a plug-in's game may."""
    random.seed()
    files.draw_names_anew()


def _begin(table: Table) -> Visit:
    leave(table, {})
    _visits.append(Visit())
    _visits[0].table.in_chat = table.in_chat
    return _visits[0]


def answer(asked: PageRequest) -> PageAnswer:
    """The answer to a request of the visit; `asked.path` has its prefix no more."""
    is_known = (
        _LOOKS.match(asked.path)
        if asked.method == "GET"
        else _TRIES.match(asked.path) and asked.fields.keys() <= _TRIED
    )
    if asked.path == request.TAKE:
        return request.facts({"error": "this is a sample: leave it first, then take it in"}, 400)
    if not _visits or not is_known:
        return request.html("", 404)
    with _visits[0].apart():
        return _visits[0].table.answer(asked)


# An invitation


def look(table: Table, fields: Mapping[str, str]) -> PageAnswer:
    """The page of an invitation that stood behind the `#` of the page's address, or came as the
    text of a file or a mail; where there is none, `nothing` says whether there is no turn either.
    Raises `PbemError` for one that does not hold."""
    came: list[object]
    if text := fields.get("file", ""):
        came = [one.data for one in find_turns.turns_in(text.encode(), "")]
    else:
        came = [link.read(one) for one in link.links_in(f"#{fields.get('fragment', '')}".encode())]
    data = came[0] if len(came) == 1 else None
    if not isinstance(data, bytes):
        no = Malformed("there is no invitation in it", hint="ask for the file itself")
        return request.facts({"error": in_words(no), "nothing": not any(came)}, 400)
    return _begin(table).table.page(
        PageRequest("GET", "/"), "table/look.html.j2", _invited(open_game.open_file(data, None))
    )


def _invited(opened: OpenFile) -> Invited:
    game = opened.ledger
    seat = game.to_act()
    if seat is None or game.players[seat] is not None:
        raise Refused("every seat of this game is taken")
    return Invited(
        game=game.rules.name,
        name=page_name(game.rules.name, game.game_id),
        title=game.rules.title,
        seat=game.seats[seat],
        inviter=game.player_of(game.invitation.host).name,
        for_key=game.invitation.is_kept(seat),
        drawn=PageBoard(drawing=drawing.sample(game.rules.name)),
    )


# A game that came with the page


def watch(table: Table, fields: Mapping[str, str]) -> Mapping[str, object]:
    """Open a whole game that came with the page, and check it: the name of its page, and how
    many turns hold. Raises `Usage`."""
    game = fields.get("game", "")
    path = files.example(game) if game in registry.known_games() else None
    if path is None:
        raise Usage("there is no such game to watch")
    visit = _begin(table)
    with visit.apart():
        visit.home.create("You", "", secrets.token_bytes(32), "")
        opened = visit.table.games.open_data(path.read_bytes())
    return {"page": opened.name, "turns": len(opened.opened.file.entries)}


# A sample


def begin_sample(table: Table, fields: Mapping[str, str]) -> Mapping[str, object]:
    """Make a sample of a game, played until its player has something to choose: the name of its
    page. The seat is the one of the form where the sample has it. Raises `Usage`."""
    game = fields.get("game", "")
    if game not in registry.known_games():
        raise Usage("there is no such game to try")
    visit = _begin(table)
    with visit.apart():
        opened = _first_choice(visit, game, fields.get("seat", ""))
    return {"page": page_name(game, opened.ledger.game_id)}


def _first_choice(visit: Visit, game: str, wanted: str) -> OpenFile:
    """The sample where its player chooses for the first time: everybody before takes the first
    answer there is. The homes of the others are gone then."""
    visit.home.create("You", "", secrets.token_bytes(32), "")
    rules, found = registry.newest(game), registry.descriptor(game)
    chosen = settled(found.question, found.options, {}, ())
    settings = registry.completed(rules, registry.chosen_settings(rules, chosen))
    seats = [rules.seats(settings)[place] for place in registry.keyed_seats(rules, settings)]
    new = NewGame(game, wanted if wanted in seats else None, chosen)
    data = joining.invite(visit.home, new)
    homes: dict[Seat | None, Home] = {}
    for number in range(1, len(seats)):
        other = Home(visit.folder / str(number))
        other.create(f"Sample {number}", "", secrets.token_bytes(32), "")
        data = joining.join(open_game.open_in(other, data), other)
        homes[open_game.open_file(data, other).seat] = other
    for _ in range(_MOST_ENTRIES):
        opened = open_game.open_file(data, visit.home)
        home = homes.get(opened.ledger.to_act(), visit.home)
        answers, has_choice = _first_answers(open_game.open_file(data, home))
        if home is visit.home and has_choice:
            break
        data = take_turn.next_entry(open_game.open_file(data, home), Intent(answers))
    for home in homes.values():
        shutil.rmtree(home.folder, ignore_errors=True)
    return opened


def _first_answers(opened: OpenFile) -> tuple[tuple[str, ...], bool]:
    """The first answer to each question of the next entry, and whether there was another one."""
    draft, answers, has_choice = opened.draft(), [], False
    while draft is not None and questions.open_question(draft) is not None:
        found = list(questions.options(draft))
        has_choice = has_choice or len(found) > 1
        answers.append(found[0])
        draft.remaining.append(found[0])
        answer_rules(draft.ledger.begun(), draft)
    return tuple(answers), has_choice
