"""Writing an entry: an invitation, a join, a turn; drafted, signed, verified, remembered, and only then given away.

docs/format.md, section 9.
"""

from __future__ import annotations

import atexit
import secrets as random_source
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import lru_cache

from engine.flow import Ambiguous, Illegal, NotUnderstood, Refusal, Seat
from engine.rules import Rules, Settings
from pbem import games, seating, secrets, turnfile, vrf
from pbem.draft import Draft
from pbem.encoding import b64
from pbem.errors import Conflict, Refused, RulesBroken
from pbem.grammar import Fields, write_string
from pbem.home import Home
from pbem.identity import Identity
from pbem.ledger import SIGNED, Ledger
from pbem.memory import Memory
from pbem.seating import Player
from pbem.session import Opened, asked, check_asked, check_turn, options
from pbem.story import Seen, follow
from pbem.turnfile import HEADER, Entry


def invite(rules: Rules, settings: Settings, seat_name: str, identity: Identity, home: Home, invites: Fields) -> bytes:
    """Entry 0: the file that invites others to a game. Remembered before it is returned."""
    names = rules.seats(settings)
    game = Ledger()
    game.open(rules, settings)
    nonce = random_source.token_bytes(32)
    game.game_id = seating.game_id_of(identity.public, nonce)
    fields: Fields = {
        "game": rules.name,
        "rules": rules.version,
        "options": games.write_settings(rules, settings),
        "seats": list(names),
        **invites,
    }
    return _first_entry(game, names.index(seat_name), identity, home, f"{HEADER}\n".encode(), nonce, fields)


def join(opened: Opened, home: Home) -> bytes:
    """The next free seat's first entry. Raises `Refused` or `Conflict`."""
    identity, game = opened.identity, opened.ledger
    assert identity is not None and opened.memory is not None
    if (signed := opened.memory.newest_signed()) is not None and opened.seat is None:
        return _signed_before(opened, signed)
    if opened.seat is not None:
        raise Refused("you sit in this game already", hint=_instead_of_joining(game))
    seat = game.to_act()
    if seat is None or game.players[seat] is not None:
        raise Refused("every seat of this game is taken")
    if game.invites.get(game.seats[seat], identity.public) != identity.public:
        raise Refused(f"somebody else is invited to play {game.seats[seat]}")
    nonce = random_source.token_bytes(32)
    return _first_entry(game, seat, identity, home, opened.file.data, nonce, {})


def _instead_of_joining(game: Ledger) -> str:
    """What is to be done with this file by somebody who sits in the game."""
    seat = game.to_act()
    if seat is not None and game.players[seat] is None:
        return "send the file to the player you want to invite"
    return "pbem show FILE tells who writes next"


def _first_entry(
    game: Ledger, seat: Seat, identity: Identity, home: Home, before: bytes, nonce: bytes, fields: Fields
) -> bytes:
    derived = secrets.derive(identity.seed, game.game_id, game.seats[seat], nonce)
    draft = Draft(game, seat, derived)
    key = vrf.public_key(derived.vrf_seed)
    draft.fields.update(fields)
    draft.fields.update(name=identity.name, mail=identity.mail, key=b64(identity.public), vrf=b64(key))
    player = Player(seat, identity.name, identity.mail, identity.public, key, nonce, draft.common.keys())
    seals = draft.first_seals()
    game.seat_down(player, seals, draft.number)
    if game.referee is not None:
        game.referee.take(draft)
    return _sign(draft, identity, Memory(home, game.game_id), before, nonce)


def next_entry(
    opened: Opened,
    typed: Sequence[str],
    *,
    keep: bool,
    ordered: Sequence[str] = (),
    message: str = "",
    draw: str = "",
    resign: bool = False,
) -> bytes:
    """The next turn file with these answers; if this entry was signed before, the same bytes again.

    `draw` is "offer", "decline", or "answer": accept the offer that stands, or make one.
    """
    before = signed_before(opened, typed, ordered, draw, resign)
    if before is not None:
        return before
    if draw == "answer":
        draw = "accept" if opened.ledger.offer is not None else "offer"
        if draw == "offer" and "draw" in opened.ledger.rules.vocabulary():
            hint = "to draw a card: pbem play FILE draw; to offer a draw: pbem draw FILE --offer"
            raise Refused("in this game to draw is a move, and this would offer to end the game", hint=hint)
    draft = answer(opened, typed, ordered, message=message, draw=draw, resign=resign)
    return finish(opened, draft, keep=keep)


def answer(
    opened: Opened,
    typed: Sequence[str],
    ordered: Sequence[str] = (),
    *,
    message: str = "",
    draw: str = "",
    resign: bool = False,
) -> Draft:
    """The draft of the next entry with these answers, complete but for its signature.

    Raises `Refused` if it is not this player's turn, an answer is not taken, or more is needed.
    """
    check_turn(opened)
    game = opened.ledger
    assert opened.seat is not None
    if draw not in ("accept", "decline") and not resign:
        check_asked(game, typed)
    try:
        draft = opened.draft(typed, ordered)
        assert draft is not None and game.referee is not None
        if not game.is_over():
            game.referee.hear(draft)
    except (NotUnderstood, Illegal, Ambiguous) as error:
        raise Refused(str(error), hint="pbem moves FILE lists what is legal") from error
    if ordered and game.is_over():
        opened.warnings.append("the game is over with this entry: no standing order was written into it")
    if draft.typed:
        raise Refused(
            f'"{draft.typed[0][:80]}" answers a question that is not asked yet',
            hint="the entry ends where chance or another seat comes in: leave it out, it is asked after the reply",
        )
    if not game.is_over():
        if draw != "accept":
            game.referee.seal_early(draft)
        try:
            game.consent(opened.seat, draw, resign)
        except RulesBroken as error:
            hint = "pbem draw FILE accepts, --decline declines" if game.offer is not None else ""
            raise Refused(error.what, hint=hint) from error
        _check_complete(opened, draft)
        if draw == "offer" and game.offer is None and not game.is_over():
            raise Refused(
                "an offer of a draw would lapse at once: chance follows this entry, and the others would see it first",
                hint="offer it in an entry that needs no dice after it, or alone on your turn: pbem draw FILE --offer",
            )
        draft.fields.update({"draw": draw} if draw else {}, **({"resign": "yes"} if resign else {}))
    elif draw or resign:
        raise Refused("the game is over")
    if game.is_over() and game.owes_root(opened.seat):
        draft.fields["root"] = b64(opened.secrets().root)
    if message:
        _check_message(message)
        draft.fields["message"] = message
    return draft


def finish(opened: Opened, draft: Draft, *, keep: bool = True) -> bytes:
    """Sign the draft and remember the next turn file (unless only to be looked at); its bytes."""
    assert opened.identity is not None and opened.memory is not None
    memory = opened.memory if keep else None
    data = _sign(draft, opened.identity, memory, opened.file.data, random_source.token_bytes(32))
    if keep and opened.checks is not None:
        opened.checks.keep()
    return data


def signed_before(
    opened: Opened,
    typed: Sequence[str],
    ordered: Sequence[str] = (),
    draw: str = "",
    resign: bool = False,
) -> bytes | None:
    """If the entry that a file waits for was signed before: the same bytes again. Raises `Conflict` if something else
    is asked for now, or if the file is older still."""
    if not opened.stale or opened.memory is None:
        return None
    number = len(opened.file.entries)
    data = opened.memory.signed(number)
    if data is None:
        raise opened.too_old()
    entry = turnfile.read(data).entries[-1]
    opened.stale = False
    if (typed or ordered) and not _is_repeated(opened, entry, typed, ordered):
        raise Conflict(
            f"you have signed entry {number} already, with other answers or orders",
            hint="one entry a turn, ever: pbem play FILE without answers writes the signed one again",
        )
    same_draw = entry.text("draw") in ("offer", "accept") if draw == "answer" else entry.text("draw") == draw
    if (draw and not same_draw) or (resign and not entry.text("resign")):
        raise Conflict(
            f"you have signed entry {number} already, and not as you ask now",
            hint="one entry a turn, ever: pbem play FILE writes the signed one again",
        )
    opened.warnings.append(f"entry {number} was signed before: the same file is written again, as it was")
    return data


def _is_repeated(opened: Opened, entry: Entry, typed: Sequence[str], ordered: Sequence[str]) -> bool:
    """Whether these answers and orders, where any are typed, are those of the entry that was signed."""
    try:
        draft = opened.draft(typed, ordered)
        if draft is None or draft.typed:
            return False
        if not opened.ledger.is_over() and opened.ledger.referee is not None:
            opened.ledger.referee.hear(draft)
    except Refusal:
        return False
    found = draft.contents()
    return (not typed or entry.list("answers") == found["answers"]) and (
        not ordered or entry.list("orders") == found["orders"]
    )


def _check_complete(opened: Opened, draft: Draft) -> None:
    assert opened.seat is not None
    if opened.ledger.may_end(opened.seat, draft.number):
        return
    ask = asked(draft)
    if ask is None:
        raise Refused("an offer of a draw waits for your answer", hint="pbem draw FILE accepts, --decline declines")
    game = opened.ledger.referee.game if opened.ledger.referee else None
    assert game is not None
    listed = list(options(draft))
    shown = "; ".join(listed[:12]) + (f"; and {len(listed) - 12} more" if len(listed) > 12 else "")
    prompt = opened.ledger.rules.prompt(game, ask)
    raise MoreNeeded(f"more is needed from you: {prompt}: {shown}", list(listed), prompt)


class MoreNeeded(Refused):
    """The answers are legal so far, and the entry is not complete; `options` are the legal next ones."""

    def __init__(self, what: str, listed: list[str], prompt: str) -> None:
        super().__init__(
            what,
            hint='nothing was written; add one of them to what you typed: "A; B" (pbem show FILE --after "A" shows '
            "what comes of A)",
        )
        self.options = listed
        self.prompt = prompt


def _check_message(message: str) -> None:
    try:
        write_string(message)
    except ValueError as error:
        raise Refused(f"the message: {error}", hint="plain text and line breaks only") from error
    if len(message) > 4000:
        raise Refused(f"the message has {len(message)} characters, 4000 are allowed")


@lru_cache(maxsize=1)
def verified(data: bytes) -> tuple[Ledger, Seen]:
    """The game of these bytes and what each player saw last, to look at only: the file just signed is asked for again
    by whoever writes it."""
    return follow(turnfile.read(data))


atexit.register(verified.cache_clear)  # a game that outlives the modules it is made of complains on standard error


def _sign(draft: Draft, identity: Identity, memory: Memory | None, before: bytes, nonce: bytes) -> bytes:
    fields = draft.contents()
    fields["seat"] = draft.ledger.seats[draft.seat]
    fields["date"] = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    fields["nonce"] = b64(nonce)
    fields["position"] = b64(draft.ledger.position_digest())
    body = turnfile.write_body(turnfile.in_order(fields))
    digest = turnfile.digest_of(before, body)
    data = before + body + turnfile.write_signature(identity.sign(SIGNED + digest))
    verified(data)  # what the gate would refuse is never signed for others
    if memory is not None:
        memory.keep_signed(draft.number, data)
    return data


def _signed_before(opened: Opened, newest: int) -> bytes:
    assert opened.memory is not None
    data = opened.memory.signed(newest)
    if data is None or not data.startswith(opened.file.data) or newest != len(opened.file.entries):
        raise Conflict("you have joined this game already, on another file", hint="go on with the newest file")
    return data
