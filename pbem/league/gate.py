"""The gate that every entry of a league passes (docs/format.md, section 26). It reads and writes no
files, and looks at no game.

Its laws: an entry is signed by a director over every byte before it; each player's join is signed
by themselves; a result stands once; rounds come in order; pairs are possible, and those of the
method unless the entry says why not. What passes here once passes on every machine."""

from __future__ import annotations

import re
from collections.abc import Iterable
from string import ascii_uppercase

from pbem.errors import Forged, Malformed, PbemError, RulesBroken
from pbem.fileformat.characters import is_name
from pbem.fileformat.turnfile import Entry, blob
from pbem.league import join_form, knockout, league_file, pairing
from pbem.league.league import (
    DRAWN,
    LOST,
    NONE,
    WON,
    League,
    LeagueGame,
    LeaguePlayer,
    LeagueRound,
    Pairs,
)
from pbem.league.league_file import ASK, LATER_ROWS, SIGNATURE_TAG, LeagueFile
from pbem.league.swiss import Effort, TooMuch
from pbem.league.terms import ALL_PLAY_ALL, SWISS, read_terms_of
from pbem.ledger.signatures import holds

_NUMBER = re.compile(r"[1-9][0-9]{0,5}\Z")
MOST_REASON = 300
_LOWER = {ord(letter): letter.lower() for letter in ascii_uppercase}


def follow(file: LeagueFile, *, compare: bool = False) -> League:
    """Send a whole file through the gate. With `compare` the pairs of Swiss rounds are computed and
    held against those in the file, as far as an effort goes (`League.compared`): that takes seconds
    where there are hundreds of players, and minutes where somebody wants it to. Those of other
    methods always are. Raises kinds of `Invalid`, with the entry."""
    league: League | None = None
    effort = Effort() if compare else Effort(0)
    for entry in file.entries:
        try:
            league = begin(entry) if league is None else admit(league, entry, effort)
        except PbemError as error:
            error.where, error.entry = f"entry {entry.number} of the league", entry.number
            error.layer = error.layer or "chain"
            raise
    assert league is not None, "a file has entries"
    return league


def read(data: bytes, *, compare: bool = False) -> League:
    """The league that the bytes of a file spell, through the gate. Raises kinds of `Invalid`."""
    return follow(league_file.read(data), compare=compare)


def begin(entry: Entry) -> League:
    """The league that entry 0 begins. Raises kinds of `Invalid`."""
    terms = read_terms_of(entry)
    _check_signature(entry, terms.directors)
    return League(terms, entry.digest, [entry])


def admit(
    league: League, entry: Entry, effort: Effort | None = None, *, is_signed: bool = True
) -> League:
    """Let one more entry take effect; one that is not signed is only tried. The pairs of a Swiss
    round are held against the method with this `effort` (None: with any). Raises kinds of
    `Invalid`, and the league is of no use then."""
    if is_signed:
        _check_signature(entry, league.terms.directors)
    if league.ended:
        raise _broken("the league has ended, and nothing follows")
    if not any(key in entry.fields for key in (*LATER_ROWS, "message")):
        raise _broken("the entry says nothing")
    if "players" in entry.fields:
        _join(league, entry)
    _take_results(league, entry)
    _decide(league, entry)
    _leave(league, entry)
    if "round" in entry.fields:
        _begin_round(league, entry, effort)
    elif foreign := [key for key in ("absent", "pairings", "by-hand") if key in entry.fields]:
        raise _broken(f'"{foreign[0]}" stands where a round begins')
    if "end" in entry.fields:
        if entry.text("end") != "yes":
            raise Malformed('"end" is yes', hint=ASK)
        if not league.rounds or not league.is_complete():
            raise _broken("a league ends when every game has a result")
        league.ended = True
    league.entries.append(entry)
    return league


def differs(league: League, other: LeagueFile) -> Entry | None:
    """The first entry of another file of the same league that is not the one here; None if all that
    both have are alike. What follows it says nothing more: whoever signed it has signed two. Raises
    `Forged` where that is no director."""
    for ours, theirs in zip(league.entries, other.entries, strict=False):
        if ours.after != theirs.after:
            _check_signature(theirs, league.terms.directors)
            return theirs
    return None


def _check_signature(entry: Entry, directors: tuple[bytes, ...]) -> None:
    number = entry.fields["director"]
    assert isinstance(number, int), "the reader has looked at it"
    if number > len(directors):
        raise Forged("the league has no second director", layer="signature")
    if not holds(directors[number - 1], SIGNATURE_TAG + entry.digest, entry.signature):
        raise Forged("the signature is not the director's for these bytes", layer="signature")


def _join(league: League, entry: Entry) -> None:
    if league.rounds and league.terms.method.kind != SWISS:
        raise _broken("nobody joins after the first round but in a Swiss league")
    for line in entry.list("players"):
        join = join_form.from_line(league.id, line)
        if why := cannot_join(league, join.key, join.name):
            raise _broken(why)
        number = len(league.players) + 1
        league.players.append(
            LeaguePlayer(number, join.name, join.mail, join.key, len(league.rounds) + 1)
        )


def cannot_join(league: League, key: bytes, name: str) -> str:
    """Why somebody of this key and name cannot play; empty if they can."""
    if league.ended:
        return "the league has ended"
    if len(league.players) == league.terms.places:
        return f"all {league.terms.places} places are taken"
    if league.with_key(key) is not None:
        return "this key plays already"
    if any(one.name.translate(_LOWER) == name.translate(_LOWER) for one in league.players):
        return "somebody of this name plays already"
    return ""


def _take_results(league: League, entry: Entry) -> None:
    for line in entry.list("results"):
        number, _, rest = line.partition(" ")
        result, _, digest = rest.partition(" ")
        game = _game(league, number)
        if result not in (WON, DRAWN, LOST):
            raise Malformed("a result is won, drawn or lost", hint=ASK)
        if game.result:
            raise _broken(f"game {game.number} has a result already")
        game.result, game.digest = result, blob(digest, 32, "", "results")
        game.noted = entry.number


def _decide(league: League, entry: Entry) -> None:
    for line in entry.list("decided"):
        number, _, rest = line.partition(" ")
        result, _, reason = rest.partition(" ")
        game = _game(league, number)
        if result not in (WON, DRAWN, LOST, NONE):
            raise Malformed("a decision is won, drawn, lost or none", hint=ASK)
        _check_reason(reason)
        _set_decision(game, result, reason, entry)


def _set_decision(game: LeagueGame, result: str, reason: str, entry: Entry) -> None:
    game.result, game.digest, game.reason, game.noted = result, b"", reason, entry.number


def _leave(league: League, entry: Entry) -> None:
    gone: set[int] = set()
    for line in entry.list("left"):
        number, _, reason = line.partition(" ")
        player = _player(league, number)
        _check_reason(reason)
        if player.left:
            raise _broken(f"player {player.number} has left already")
        player.left = reason
        gone.add(player.number)
    for game in league.open_games():
        if game.first in gone or game.second in gone:
            _lose_if_left(league, game, entry)


def _lose_if_left(league: League, game: LeagueGame, entry: Entry) -> None:
    """A game without a result is lost for whoever has left."""
    first, second = league.player(game.first).left, league.player(game.second).left
    if game.result or not (first or second):
        return
    result = NONE if first and second else LOST if first else WON
    _set_decision(game, result, first or second, entry)


def _begin_round(league: League, entry: Entry, effort: Effort | None) -> None:
    number = len(league.rounds) + 1
    if entry.fields["round"] != number:
        raise _broken(f"round {number} comes next")
    if not league.is_complete() and league.terms.method.kind != ALL_PLAY_ALL:
        raise _broken("a game before has no result")
    absent: dict[int, str] = {}
    for line in entry.list("absent"):
        text, _, reason = line.partition(" ")
        player = _player(league, text)
        _check_reason(reason)
        if league.terms.method.kind != SWISS or player.left or player.number in absent:
            raise _broken(f"player {player.number} is not absent here")
        absent[player.number] = reason
    if why := pairing.cannot_begin(league, absent):
        raise _broken(why)
    pairs, by_hand = _read_pairs(league, entry.list("pairings")), entry.text("by-hand")
    if by_hand:
        _check_reason(by_hand)
    _check_possible(league, pairs, absent)
    _compare(league, pairs, absent, effort, is_by_hand=bool(by_hand))
    bracket = knockout.bracket_now(league)
    begun = LeagueRound(number, entry.number, [], [*pairs.byes], absent, by_hand, bracket)
    for first, second in pairs.games:
        game = league.new_game(entry, first, second)
        _lose_if_left(league, game, entry)
        league.games.append(game)
        begun.games.append(game)
    league.rounds.append(begun)


def _compare(
    league: League,
    pairs: Pairs,
    absent: Iterable[int],
    effort: Effort | None,
    *,
    is_by_hand: bool,
) -> None:
    """Whether these pairs are those of the method, unless they are said to be made by hand."""
    try:
        by_method = pairing.pairs_of(league, absent, effort)
    except TooMuch:
        league.compared = False
        return
    if is_by_hand and by_method and len(pairs.byes) != len(by_method.byes):
        raise _broken(f"{len(by_method.byes)} have a bye in this round")
    if (pairs == by_method) == is_by_hand:
        raise _broken(
            "the pairs are those of the method, and are called made by hand"
            if is_by_hand
            else "the pairs are not those of the method, and nothing says why"
        )


def _read_pairs(league: League, lines: Iterable[str]) -> Pairs:
    games: list[tuple[int, int]] = []
    byes: list[int] = []
    for line in lines:
        first, _, second = line.partition(" ")
        number = _player(league, first).number
        if second == "-":
            byes.append(number)
        elif byes:
            raise Malformed("byes stand behind the pairs", hint=ASK)
        else:
            games.append((number, _player(league, second).number))
    return Pairs(tuple(games), tuple(byes))


def _check_possible(league: League, pairs: Pairs, absent: Iterable[int]) -> None:
    """Whether each player who plays in this round stands in one pair, and none meets somebody
    again in a Swiss league."""
    paired = [player for pair in pairs.games for player in pair] + [*pairs.byes]
    if sorted(paired) != sorted(pairing.who_plays(league, absent)):
        raise _broken("not everybody who plays in this round is paired once")
    if league.terms.method.kind == SWISS:
        met = {frozenset((game.first, game.second)) for game in league.games}
        if any(frozenset(pair) in met for pair in pairs.games):
            raise _broken("two players meet again")
        if len(pairs.byes) != len(paired) % 2:
            raise _broken("somebody has a bye who need not have one")


def _check_reason(reason: str) -> None:
    if len(reason) > MOST_REASON or not is_name(reason):
        raise Malformed("a reason is 1 to 300 characters of one line that can be seen", hint=ASK)


def _game(league: League, text: str) -> LeagueGame:
    if not _NUMBER.match(text) or int(text) > len(league.games):
        raise _broken(f'there is no game "{text[:10]}"')
    return league.games[int(text) - 1]


def _player(league: League, text: str) -> LeaguePlayer:
    if not _NUMBER.match(text) or int(text) > len(league.players):
        raise _broken(f'there is no player "{text[:10]}"')
    return league.players[int(text) - 1]


def _broken(what: str) -> RulesBroken:
    return RulesBroken(what, hint=ASK, layer="chain")
