"""A game as its viewer may see it, in dataclasses (`pbem.report.model`) for templates and for JSON:
the position, who writes next and why, the standing orders, and what the cards do.

Nothing here decides anything. It gives away no secret that its viewer does not know: all names of
cards come from `faces`. What a hand means for standing orders (`about_orders`; docs/format.md,
section 12) is for its owner alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from engine.cards import write_handle
from engine.flow import Ask, Card, Handle, Open, Pick, Reveal, Roll, Seal, Seat
from engine.notation import held_cards
from engine.orders import Order
from engine.requirements import Unmet, Use, by_reason
from engine.rules import Rules
from pbem.english import listed
from pbem.fileformat.encoding import b64, fingerprint
from pbem.games import registry
from pbem.games.descriptor import OrderChoice, load
from pbem.games.faces import CardFace
from pbem.games.registry import write_settings
from pbem.ledger.file_entry import write_order
from pbem.ledger.ledger import Ledger, player_names
from pbem.ledger.playing import Playing
from pbem.report import seat_names, time
from pbem.report.history import entries
from pbem.report.model import (
    CardFacts,
    Missing,
    NextTurn,
    OrderHints,
    OrderOffer,
    PlayedGame,
    PlayerFacts,
    Progress,
    Report,
    SeenPosition,
    Unread,
    UseFacts,
    Waiting,
)
from pbem.report.series import series_of
from pbem.report.standing import over, to_act


def card_names(rules: Rules) -> tuple[str, ...]:
    """Every card that can be asked about: those of the rules, and those that lie with the
    players."""
    return (*rules.cards, *rules.table_cards())


def card_text(rules: Rules, name: str) -> str:
    """What a card does; a line that says so where the game has no texts."""
    if (text := rules.table_cards().get(name)) is not None:
        return text
    reference = registry.descriptor(rules.name).card_texts
    texts: Mapping[str, str] = load(reference) if reference is not None else {}
    if not rules.keeps_rules:
        return "What it does stands on the card in your box."
    return texts.get(name) or "The game has no texts for its cards."


def faces_of(game: str) -> Mapping[str, CardFace]:
    """The faces of the cards, by name, where the game has any; all others are plain."""
    reference = registry.descriptor(game).faces
    faces: Mapping[str, CardFace] = {} if reference is None else load(reference)
    return faces


def described(rules: Rules, name: str) -> CardFacts:
    """What a card does, without a position."""
    return CardFacts(rules.name, name, card_text(rules, name))


def described_now(
    game: Ledger, viewer: Seat | None, faces: Mapping[Handle, Card], card: Card
) -> CardFacts:
    """What a card does, and what each of its uses needs now, for somebody who knows these faces.
    For an onlooker (`viewer` is None) nothing is said that depends on the hand."""
    facts = described(game.rules, card_names(game.rules)[card])
    playing = game.playing
    if playing is None or playing.is_over():
        return facts
    referee = playing.referee
    ask = referee.turn.request if isinstance(referee.turn.request, Ask) else None
    position = referee.game
    held = None if viewer is None else held_cards(position, ask, viewer, faces)
    uses = [
        UseFacts(use.what, not use.unmet, [Missing(needs, fact) for needs, fact in use.unmet])
        for use in position.card_uses(ask, viewer, card, held)
    ]
    return CardFacts(facts.game, facts.name, facts.text, uses or None)


def described_in_hand(
    game: Ledger, viewer: Seat | None, faces: Mapping[Handle, Card], hand: Iterable[str]
) -> dict[str, CardFacts]:
    """The cards with these names, each once, for somebody who knows these faces."""
    names = game.rules.cards
    return {
        name: described_now(game, viewer, faces, names.index(name)) for name in dict.fromkeys(hand)
    }


def in_words(facts: CardFacts) -> str:
    """A card as a command prints it: its name, its text, and each of its uses now."""
    lines = [facts.name, *(f"  {line}" for line in facts.text.split("\n"))]
    uses = [
        Use(use.use, tuple(Unmet(one.needs, one.fact) for one in use.missing))
        for use in facts.uses or ()
    ]
    for reason, verbs in by_reason(facts.name, uses).items():
        lines.append(
            f"  Not now ({', '.join(verbs)}): {reason}" if reason else f"  Now: {', '.join(verbs)}"
        )
    return "\n".join(lines)


def about_orders(game: Playing, seat: Seat, faces: Mapping[Handle, Card]) -> OrderHints | None:
    """What a player may settle ahead. Without an order are `topics` (preferences), `others` (the
    number of cards with a window that are not held) and `held` (those that are); `against` are
    cards that are held and declined. None where orders spare nobody a mail, or nothing is left to
    say."""
    referee = game.referee
    if game.is_over() or len(game.invitation.keyed_seats()) < 2:
        return None
    names, given = game.rules.cards, referee.book.by_seat[seat]
    offered = [
        choice.ways[choice.fewest]
        for choice in order_choices(game, seat, given)
        if choice.fewest is not None and choice.chosen != choice.fewest
    ]
    held = {faces[back] for back in referee.game.hand(seat) if back in faces}
    cards, silent = game.rules.card_topics(seat), referee.silent_cards(seat)
    hints = OrderHints(
        topics=[topic for topic in game.rules.preference_topics(seat) if topic not in given],
        others=sum(card not in held for card in silent),
        held=[names[card] for card in silent if card in held],
        against=[
            names[card]
            for card in cards
            if card in held
            and (order := given.get(names[card])) is not None
            and order.handle is None
        ],
        offers=tuple(OrderOffer(order, words) for words, order in offered),
    )
    return hints if any(vars(hints).values()) else None


def order_choices(game: Playing, seat: Seat, given: Mapping[str, Order]) -> list[OrderChoice]:
    """The choices that stand beside an entry of this seat, under these orders; none where the game
    has none, or nobody else plays."""
    found = registry.descriptor(game.rules.name).order_choices
    if found is None or len(game.invitation.keyed_seats()) < 2:
        return []
    orders = {topic: order for topic, order in given.items() if order.value}
    return list(load(found)(game.referee.game, seat, orders))


def report(game: Ledger, viewer: Seat | None, faces: Mapping[Handle, Card], since: int) -> Report:
    """Everything a report shows. `faces` are the cards that the viewer knows, `since` the first
    entry to tell of."""
    playing = game.playing
    return Report(
        _played_game(game),
        _position(game, viewer, faces, since),
        NextTurn(
            asked=asked(game),
            due=None,
            moves=[],
            fresh=[],
            orders={} if playing is None else _orders(playing),
            advice=about_orders(playing, viewer, faces)
            if playing is not None and viewer is not None and game.to_act() == viewer
            else None,
            offer=None if game.offer is None else game.seats[game.offer.seat],
        ),
        Progress(
            played_out=game.is_over(),
            over=over(game),
            to_act=to_act(game),
            clock=time.clock(game),
            away=time.absences(game),
            disagree=game.clock.disagreement(),
        ),
        called=game.invitation.title,
        series=series_of(game),
    )


def _played_game(game: Ledger) -> PlayedGame:
    return PlayedGame(
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
    )


def _position(
    game: Ledger, viewer: Seat | None, faces: Mapping[Handle, Card], since: int
) -> SeenPosition:
    """The position and the viewer's hand, of a game that is played; empty before that."""
    seen = SeenPosition(
        seat=None if viewer is None else game.seats[viewer],
        witnessed=game.invitation.is_witnessed(),
        players=players(game),
        when=None,
        view={},
        board={},
        hand=None,
        unread=Unread(0, []),
        entries=entries(game, since, faces),
    )
    playing = game.playing
    if playing is None:
        return seen
    view, backs = playing.referee.game.view(viewer, faces), _backs(playing, viewer)
    return replace(
        seen,
        when=playing.referee.game.when(),
        view=view,
        board=view.get("board", view),
        hand=None if backs is None else _names(playing, backs, faces),
        unread=_unread(playing, backs or (), faces),
    )


def report_to_player(
    file: Ledger,
    game: Ledger,
    viewer: Seat | None,
    faces: Mapping[Handle, Card],
    moves: Sequence[str],
) -> Report:
    """The report for the player of a seat (None: for an onlooker). `game` is the position of the
    `file` after what the player's next entry holds so far, `moves` are their legal answers there.
    The report has the entries since their last one; or that one itself, if nobody else has written
    and nothing has come since. For whom the game waits is as the file stands."""
    own = [entry.number for entry in game.entries if game.seat_of(entry) == viewer]
    since = 0 if viewer is not None else len(game.entries) - 1
    if own:
        since = own[-1] + 1
    if own and game.to_act() == viewer and not entries(game, since, faces):
        since = own[-1]
    facts = report(game, viewer, faces, since)
    fresh = [] if game.playing is None else _fresh(game.playing, viewer, faces, since)
    return replace(
        facts,
        turn=replace(facts.turn, fresh=fresh, due=asked(file), moves=moves),
        progress=replace(facts.progress, to_act=to_act(file), clock=time.clock(file)),
    )


def _names(game: Playing, backs: Iterable[Handle], faces: Mapping[Handle, Card]) -> list[str]:
    """Names of those of the cards that are known, numbers in their order: 9 before 10."""
    names = [game.rules.cards[faces[handle]] for handle in backs if handle in faces]
    return sorted(names, key=_by_number)


def _by_number(name: str) -> tuple[str, int, str]:
    """What a name is sorted by: its number where it ends in one."""
    words = name.rstrip("0123456789")
    return words, int(name[len(words) :] or 0), name


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
    playing = game.playing
    what, prompt = _reason(playing, seat)
    prompt = None if prompt is None else seat_names.said(game, prompt)
    roll, chance = _chance(playing) if what in ("proof", "settle") else (None, None)
    readers = _readers(playing, seat) if what == "share" else ()
    name = playing.players[seat].name
    return Waiting(game.seats[seat], name, what, prompt, roll, chance, readers)


def _reason(game: Playing, seat: Seat) -> tuple[str, str | None]:
    """What is waited for of this seat, and the question in words."""
    referee = game.referee
    if game.is_over() and game.is_root_due(seat):
        return "root" if game.invitation.has_cards(seat) else "choices", None
    if game.offer is not None and game.offer.alone:
        return "draw", None
    turn, common = referee.turn, referee.common
    is_first = game.waits_for_inviter()
    if common is not None and common.owed(seat) if is_first else turn.seats_owing_shares():
        return "share", listed(_readers(game, seat))
    if is_first and not turn.pending() and turn.waits_for() != seat:
        return "table", None
    request = referee.turn.request
    if isinstance(request, Ask):
        return "answer", referee.game.prompt(request)
    if isinstance(request, Open):
        back = write_handle(game.decks, request.handle)
        return "open", referee.game.opening(request.handle) or back
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


def _readers(game: Playing, seat: Seat) -> list[str]:
    """Who reads cards with the shares that this seat owes: the player who is to answer;
    or, if they are that player themself, the seats that drew those cards."""
    referee = game.referee
    common = referee.common
    if common is None or referee.turn.reader() != seat:
        return [game.seats[referee.turn.reader()]]
    return [
        game.seats[drawer]
        for drawer in sorted({common.drawers[handle] for handle in common.owed(seat)})
    ]


def _orders(game: Playing) -> dict[str, list[str]]:
    """The standing orders in force, by seat, as everybody may read them."""
    referee, found = game.referee, {}
    for seat, by_topic in enumerate(referee.book.by_seat):
        hand = referee.game.hand(seat)
        standing = [
            order for order in by_topic.values() if order.handle is None or order.handle in hand
        ]
        if standing:
            found[game.seats[seat]] = [write_order(game.decks, order) for order in standing]
    return found


def players(game: Ledger) -> list[PlayerFacts]:
    """Who plays, in the order of the seats."""
    return [_player(game, seat, word) for seat, word in enumerate(player_names(game))]


def _player(game: Ledger, seat: Seat, word: str) -> PlayerFacts:
    player, name = game.players[seat], game.seats[seat]
    if seat not in game.invitation.keyed_seats():
        return PlayerFacts(name, word, by_rules=True)
    witness = seat in game.rules.bystanders(game.settings)
    if player is None:
        return PlayerFacts(name, word, witness=witness)
    key = b64(player.key)
    mail, print_ = player.mail or None, fingerprint(player.key)
    return PlayerFacts(
        name, word, player.name, mail, key, print_, left=seat in game.left, witness=witness
    )
