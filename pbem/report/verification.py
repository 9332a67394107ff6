"""Checking a game from its file alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pbem.english import counted, listed
from pbem.errors import PbemError
from pbem.fileformat import turnfile
from pbem.ledger import gate
from pbem.ledger.ledger import Ledger
from pbem.report import plans, verdict_card
from pbem.report.attached import TurnFiles, in_lines, of_turns
from pbem.report.plans import PlanCounts
from pbem.report.standing import Ending, over, to_act
from pbem.report.verdict_card import VerdictCard

if TYPE_CHECKING:
    from pbem.ledger.common_deck import CommonDeck


@dataclass(frozen=True)
class Verification:
    """What was checked of a file, up to the first failure if there is one. Counts of what stood in
    its entries."""

    ok: bool
    entries: int
    rolls: int
    draws: int
    shuffles: int
    shares: int
    openings: int
    result: Ending | None
    error: str | None


@dataclass(frozen=True)
class FailedVerification(Verification):
    """A file that does not hold: the exit code of what is wrong, the entry where it is, if it is in
    one, and the layer (docs/format.md, section 18)."""

    exit: int
    entry: int | None
    layer: str


@dataclass(frozen=True)
class VerifiedGame(Verification):
    """A file that holds: its game, who plays it, who writes next (nobody: an empty list), its card,
    the plans that were sealed in it, and the files that go with its turns."""

    game: str
    rules: int
    game_id: str
    players: Mapping[str, str]
    witnessed: bool
    to_act: str | Sequence[str]
    played_out: bool
    card: VerdictCard
    plans: PlanCounts | None = None
    attached: Sequence[TurnFiles] = ()


def verify(
    data: bytes, file: bytes | None = None
) -> tuple[FailedVerification | VerifiedGame, PbemError | None]:
    """What a turn proves, and the first thing that is wrong with it if anything is. `file` are the
    bytes of the file that it stands in, where these are others."""
    game, failure = Ledger(), None
    try:
        for entry in turnfile.read(data).entries:
            gate.admit(game, entry)
    except PbemError as error:
        failure = error
    return facts_of(game, failure, data if file is None else file), failure


def facts_of(
    game: Ledger, error: PbemError | None, file: bytes = b""
) -> FailedVerification | VerifiedGame:
    """What was checked of a game that holds, or as far as it does; `file` are the bytes of its file
    as they lie."""
    if error is not None:
        return FailedVerification(
            ok=False,
            **_counts(game),
            result=None,
            error=str(error),
            exit=error.exit_code,
            entry=error.entry,
            layer=error.layer,
        )
    return VerifiedGame(
        ok=True,
        **_counts(game),
        result=over(game),
        error=None,
        game=game.rules.name,
        rules=game.rules.version,
        game_id=game.game_id.hex(),
        players={
            game.seats[player.seat]: player.name for player in game.players if player is not None
        },
        witnessed=game.invitation.is_witnessed(),
        to_act=to_act(game),
        played_out=game.is_over(),
        card=verdict_card.card(game, file),
        plans=plans.count(game),
        attached=of_turns(game.entries),
    )


def _counts(game: Ledger) -> dict[str, int]:
    """How much of each kind has been checked."""
    shuffles = len(game.layers.shuffles) if game.layers else 0
    shares = count_shares(game.playing.referee.common) if game.playing is not None else 0
    return {
        "entries": len(game.entries),
        **verdict_card.counted(game),
        "shuffles": shuffles,
        "shares": shares,
    }


def in_words(facts: VerifiedGame) -> str:
    """What `verify` prints of a file that holds."""
    return "\n".join([_of_game(facts), *in_lines(facts.attached)])


def _of_game(facts: VerifiedGame) -> str:
    result = facts.result
    lines = [
        "Every turn holds.",
        *_without_rules(facts.card),
        *(f"{label}: {text}" for label, text in verdict_card.rows(facts.card)),
    ]
    if facts.shuffles:
        times, shares = counted(facts.shuffles, "time"), counted(facts.shares, "share")
        lines.append(
            f"The common deck was shuffled {times}, always with a proof that no card was added or"
            " exchanged."
        )
        if facts.shares:
            lines.append(f"To read its cards the players gave {shares}, each with a proof.")
    if facts.plans is not None:
        lines.append(facts.plans.in_words())
    if not facts.witnessed:
        lines.append(
            "Unwitnessed: the player was alone with the dice and could look ahead; nobody else"
            " confirms them."
        )
    if result is None and facts.played_out:
        lines.append(
            "Nothing is left to decide; the result follows when all secrets are opened, and waits"
            f" for {_waited_for(facts)}."
        )
        return "\n".join(lines)
    if result is None:
        lines.append(f"The game goes on; it waits for {_waited_for(facts)}.")
        return "\n".join(lines)
    if result.totals:
        totals = ", ".join(f"{total.side} {total.points}" for total in result.totals)
        lines.append(f"{result.unit.capitalize()}: {totals}.")
    lines += [*_rooted(facts, result), *_unaudited(result.unaudited), *_elsewhere(facts, result)]
    return "\n".join(lines)


def _without_rules(card: VerdictCard) -> list[str]:
    """What was checked of a game whose rules the program does not know."""
    if card.rules_from is not None:
        return []
    counts = listed([*verdict_card.counts(card), "what the players counted"])
    return [
        "This program knows no rules of this game. Checked: who wrote what, when and in which"
        f" order, {counts}."
    ]


def _waited_for(facts: VerifiedGame) -> str:
    """Who writes next; a seat that nobody has taken yet by its word."""
    seat = str(facts.to_act)
    return verdict_card.who(facts.card, seat) if seat in facts.players else "somebody to join"


def _unaudited(left: Sequence[str]) -> list[str]:
    """Whose secrets nobody will see."""
    if not left:
        return []
    shuffle = "the shuffle" if len(left) == 1 else "the shuffles"
    return [
        f"{listed(left)} left: nobody audits {shuffle} of {listed(left)}, which came with a proof"
        " and counts."
    ]


def _elsewhere(facts: VerifiedGame, result: Ending) -> list[str]:
    """Why a page that checks the same file says less of its end (templates/replay/verdict.js)."""
    signed = [
        one.signed
        for one in facts.card.seats
        if one.signed is not None and one.seat not in result.unaudited
    ]
    if not result.proven or min(signed) == facts.card.turns - 1:
        return []
    return [
        f"Of what came after turn {min(signed)}, up to which all players signed, a page without"
        " the rules (pbem replay --html, check.html) says that it stands on their word. Here the"
        " rules are computed too, and nobody's word is needed."
    ]


def _rooted(facts: VerifiedGame, result: Ending) -> list[str]:
    """What the roots prove. Those of a common deck prove little that was not proven before
    (docs/trust.md)."""
    if result.rests_on == "hand":
        return ["The result is unproven: the player threw the dice at the table and entered them."]
    if result.unproven:
        has = "has" if len(result.unproven) == 1 else "have"
        lines = [
            f"The result is unproven: {listed(result.unproven)} {has} not opened what was secret"
            " yet."
        ]
        also = "The shuffles, the shares and the opened cards are proven without that."
        return [*lines, also] if facts.shuffles else lines
    if result.rests_on == "turns":
        return [
            "Nobody had a secret to open: the result follows from the signed turns, and from"
            " nothing else."
        ]
    if result.rests_on == "one player":
        return ["The result rests on one player, of whom nobody can say whether they looked ahead."]
    whose = "Every player who stayed" if result.unaudited else "Every player"
    what = "a deck as it was sealed" if facts.openings else "what its seat sealed"
    if facts.shuffles:
        what = "again what its seat did with the common deck"
    return [f"{whose} has opened what was secret, and it gives {what}: the result is proven."]


def count_shares(common: CommonDeck | None) -> int:
    """How many shares of cards were given and proven, those of opened cards included."""
    return common.share_count if common else 0
