"""A game as it is told to somebody: facts as dataclasses (`pbem.report.model`) for templates and
for JSON.

It decides nothing and tells no secret that its viewer does not know: all names of cards come from
`faces`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from engine.cards import write_handle
from engine.flow import Ask, Card, Handle, Open, Pick, Reveal, Roll, Seal, Seat
from pbem.english import listed
from pbem.fileformat.encoding import b64, fingerprint
from pbem.games.registry import write_settings
from pbem.ledger.file_entry import write_order
from pbem.ledger.ledger import Ledger, called
from pbem.ledger.playing import Playing
from pbem.report import time
from pbem.report.history import entries
from pbem.report.model import PlayerFacts, Report, Unread, Waiting
from pbem.report.order_hints import about_orders
from pbem.report.standing import over, to_act


def report(game: Ledger, viewer: Seat | None, faces: Mapping[Handle, Card], since: int) -> Report:
    """Everything a report shows. `faces` are the cards that the viewer knows, `since` the first
    entry to tell of."""
    facts = Report(
        title=game.rules.title,
        game=game.rules.name,
        game_id=game.game_id.hex(),
        entry=len(game.entries) - 1,
        measure=game.rules.measure,
        options=write_settings(game.rules, game.settings),
        made_with=game.rules.settings_in_words(
            {k: v for k, v in game.settings.items() if k != "unwitnessed"}
        ),
        dice=game.rules.dice,
        common_deck=any(deck.owner is None for deck in game.decks),
        has_cards=bool(game.decks),
        seat=None if viewer is None else game.seats[viewer],
        witnessed=game.invitation.is_witnessed(),
        players=players(game),
        when=None,
        view={},
        board={},
        hand=None,
        unread=Unread(0, []),
        entries=entries(game, since, faces),
        asked=asked(game),
        due=None,
        moves=[],
        fresh=[],
        orders={},
        advice=None,
        offer=None if game.offer is None else game.seats[game.offer.seat],
        played_out=game.is_over(),
        over=over(game),
        to_act=to_act(game),
        clock=time.clock(game),
        away=time.absences(game),
        disagree=game.clock.disagreement(),
        called=game.invitation.called,
    )
    return facts if game.playing is None else _with_position(facts, game.playing, viewer, faces)


def _with_position(
    facts: Report, game: Playing, viewer: Seat | None, faces: Mapping[Handle, Card]
) -> Report:
    """What is told of a game that is played besides: the position, the viewer's hand, standing
    orders."""
    view, backs = game.referee.game.view(viewer, faces), _backs(game, viewer)
    return replace(
        facts,
        when=game.referee.game.when(),
        view=view,
        board=view.get("board", view),
        hand=None if backs is None else _names(game, backs, faces),
        unread=_unread(game, backs or (), faces),
        orders=_orders(game),
        advice=about_orders(game, viewer, faces)
        if viewer is not None and game.to_act() == viewer
        else None,
    )


def report_to_player(
    file: Ledger,
    game: Ledger,
    viewer: Seat | None,
    faces: Mapping[Handle, Card],
    moves: Sequence[str],
) -> Report:
    """The report for the player of a seat (None: for an onlooker): the position of `game`, which is
    that of the `file` with what the player's next entry holds so far, what has happened since their
    last entry, and their legal answers there; nobody else has written and nothing has come since,
    that entry itself. Whom the game waits for is told as the file stands."""
    own = [entry.number for entry in game.entries if game.seat_of(entry) == viewer]
    since = own[-1] + 1 if own else (0 if viewer is not None else len(game.entries) - 1)
    if own and game.to_act() == viewer and not entries(game, since, faces):
        since = own[-1]
    facts = report(game, viewer, faces, since)
    fresh = [] if game.playing is None else _fresh(game.playing, viewer, faces, since)
    return replace(
        facts,
        fresh=fresh,
        to_act=to_act(file),
        due=asked(file),
        moves=moves,
        clock=time.clock(file),
    )


def _names(game: Playing, backs: Iterable[Handle], faces: Mapping[Handle, Card]) -> list[str]:
    """Names of those of the cards that are known."""
    return sorted(game.rules.cards[faces[handle]] for handle in backs if handle in faces)


def _unread(game: Playing, backs: Iterable[Handle], faces: Mapping[Handle, Card]) -> Unread:
    """How many cards of the viewer's own hand they cannot read yet, and whose shares are missing
    for that."""
    hidden, common = [handle for handle in backs if handle not in faces], game.referee.common
    return Unread(
        len(hidden), [game.seats[seat] for seat in (common.missing(hidden) if common else ())]
    )


def _fresh(
    game: Playing, viewer: Seat | None, faces: Mapping[Handle, Card], since: int
) -> list[str]:
    """Cards of the viewer's hand that shares in entry `since` or later made readable; a card of
    their own deck they could read when they drew it."""
    common = game.referee.common
    return _names(
        game, common.read_since(_backs(game, viewer) or (), since - 1) if common else (), faces
    )


def _backs(game: Playing, viewer: Seat | None) -> tuple[Handle, ...] | None:
    """The viewer's own hand; None for somebody who has none."""
    return (
        None
        if viewer is None or not game.invitation.has_cards(viewer)
        else game.referee.game.hand(viewer)
    )


def passes_on(game: Ledger) -> Seat | None:
    """Who gives the file to the next player while somebody is to join: who invited knows whom; None
    at other times."""
    turn = game.to_act()
    return game.invitation.host if turn is not None and game.players[turn] is None else None


def asked(game: Ledger) -> Waiting | None:
    """Who writes next, and why; None when nothing is left to write."""
    seat = game.to_act()
    if seat is None:
        return None
    if game.playing is None:
        return Waiting(game.seats[seat], None, "join")
    return _asked(game.playing, seat)


def _asked(game: Playing, seat: Seat) -> Waiting:
    """What is asked of the seat that writes next."""
    what, prompt = _reason(game, seat)
    roll, chance = _chance(game) if what in ("proof", "settle") else (None, None)
    readers = _readers(game) if what == "share" else ()
    return Waiting(game.seats[seat], game.players[seat].name, what, prompt, roll, chance, readers)


def _reason(game: Playing, seat: Seat) -> tuple[str, str | None]:
    """What is waited for of this seat, and the question in words."""
    referee = game.referee
    if game.is_over() and game.is_root_due(seat):
        return "root" if game.invitation.has_cards(seat) else "choices", None
    if game.offer is not None and game.offer.alone:
        return "draw", None
    if referee.turn.seats_owing_shares():
        return "share", listed(_readers(game))
    request = referee.turn.request
    if isinstance(request, Ask):
        return "answer", referee.game.prompt(request)
    if isinstance(request, Open):
        return "open", _opening(game, request.handle)
    if isinstance(request, Seal):
        return "seal", None
    if isinstance(request, Reveal):
        return "choice", None
    return "proof" if referee.randomness.witnesses() else "settle", None


def _chance(game: Playing) -> tuple[str, str]:
    """What chance is asked for, in words, and what it gives."""
    request = game.referee.turn.request
    if not isinstance(request, Roll | Pick):
        return "cards", "cards"
    return game.referee.game.occasion(request), "dice" if isinstance(request, Roll) else "choice"


def _readers(game: Playing) -> list[str]:
    """Who reads cards with the shares that are waited for: the player who is to answer, or those
    whose cards they are where it is that player's own shares."""
    referee = game.referee
    common, seat = referee.common, referee.turn.seats_owing_shares()[0]
    if common is None or referee.turn.reader() != seat:
        return [game.seats[referee.turn.reader()]]
    return [
        game.seats[drawer]
        for drawer in sorted({common.drawers[handle] for handle in common.owed(seat)})
    ]


def _opening(game: Playing, handle: Handle) -> str:
    return game.referee.game.opening(handle) or write_handle(game.decks, handle)


def _orders(game: Playing) -> dict[str, list[str]]:
    """The standing orders in force, by seat, as everybody may read them."""
    referee, found = game.referee, {}
    for seat, by_topic in enumerate(referee.book.given):
        hand = referee.game.hand(seat)
        standing = [
            order for order in by_topic.values() if order.handle is None or order.handle in hand
        ]
        if standing:
            found[game.seats[seat]] = [write_order(game.decks, order) for order in standing]
    return found


def players(game: Ledger) -> list[PlayerFacts]:
    """Who plays, in the order of the seats."""
    return [_player(game, seat, word) for seat, word in enumerate(called(game))]


def _player(game: Ledger, seat: Seat, called: str) -> PlayerFacts:
    player, name = game.players[seat], game.seats[seat]
    if seat not in game.invitation.keyed():
        return PlayerFacts(name, called, by_rules=True)
    witness = seat in game.rules.bystanders(game.settings)
    if player is None:
        return PlayerFacts(name, called, witness=witness)
    key = b64(player.key)
    mail, print_ = player.mail or None, fingerprint(player.key)
    return PlayerFacts(
        name, called, player.name, mail, key, print_, left=seat in game.left, witness=witness
    )
