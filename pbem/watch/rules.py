"""When a program may write an entry by itself: seven rules, each a function of its own
(docs/mail.md, "Entries that write themselves").

Whoever writes to an automatic client can ask it questions. So it answers only with what is already
settled, only on the one version of the game that it knows, and never where something is asked of
the player; and a root, or that the end was seen, only late. Everything here is a pure function of
`Facts`, which `pbem.watch.gather` gathers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pbem.home.outside import BY_HAND, ON
from pbem.ledger.gate import decides_nothing

DAY = 24 * 60 * 60
"""A day in seconds."""
LAST = 30 * DAY
"""How long after the end of a game the program may sign that it was seen."""
MOST_IN_A_GAME = 100
"""Automatic mails a day in one game: whoever asks for more is not playing."""
MOST_IN_ALL = 400
"""Automatic entries a day in all games of a home."""


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What the rules look at, in one game that waits for an entry of this seat. Times are seconds
    since 1970.

    `is_home_on` and `mark` are the switches (`pbem.home.outside`), `why` the reason for a mark.
    `is_witness`: the seat decides nothing in this game. `newest_join` is the number of the last
    entry with which somebody joined, `own` the numbers of all entries of this seat. `is_extended`:
    the file continues everything that was signed and read; `second_version` is the number of an
    entry of which two versions are known. `fields` are those of the entry as it would be signed,
    None if the player has to decide something; `is_draw_offered`: a draw is on offer. `addresses`
    are those in the other players' first entries; `is_reached`: mails can be sent from here, and
    both this player and the one who writes next gave an address. `today` and `today_in_all` count
    automatic mails. `lacking` says which turn was signed on this computer and is not in this home
    (empty: none); `is_noted`: what is in the home is noted outside of it. `ended` is when the game
    ended, by the date of its entry, and `came` when the file came. `has_notes`: the root would
    reveal private notes; `may_reveal_notes`: the player agreed to that. `is_prepared`:
    the entry gives the answers that its player has prepared, and nothing else;
    `may_answer_prepared`: they agreed to that.
    """

    is_home_on: bool
    mark: str
    why: str
    is_witness: bool
    newest_join: int
    own: Sequence[int]
    is_extended: bool
    second_version: int | None
    fields: frozenset[str] | None
    is_draw_offered: bool
    addresses: Sequence[str]
    is_reached: bool
    today: int
    today_in_all: int
    lacking: str
    is_noted: bool
    ended: float
    came: float
    now: float
    has_notes: bool
    may_reveal_notes: bool
    is_prepared: bool
    may_answer_prepared: bool

    def is_end(self) -> bool:
        """Whether the entry only says that the end was seen. Nobody waits for such an entry, so it
        is not reported what holds it back."""
        return self.fields is not None and "end" in self.fields


@dataclass(frozen=True)
class Hold:
    """Why no entry is written by itself: the number of the rule (0: it is not switched on), the
    reason in words, and when to check again (None: not before something changes)."""

    rule: int
    reason: str
    until: float | None = None


def may_answer(facts: Facts) -> Hold | None:
    """The first rule that holds the entry back; None if it may be written and sent."""
    return next((held for check in CHECKS if (held := check(facts)) is not None), None)


def is_switched_on(facts: Facts) -> Hold | None:
    """Off by default; on for the home or the game, and off for a game that is marked."""
    if facts.mark == BY_HAND:
        return Hold(0, f"this game is played by hand{f': {facts.why}' if facts.why else ''}")
    if facts.mark != ON and not facts.is_home_on:
        return Hold(0, "automatic turns are not switched on: pbem auto on GAME")
    return None


def has_been_joined_by_hand(facts: Facts) -> Hold | None:
    """Rule 1: an automatic answer must not settle who plays, nor bind its player to a table. So the
    first entry after the last join is written by hand. For a mere witness the player has to switch
    it on game by game; one who invited settles who plays all the same."""
    if facts.is_witness and facts.mark != ON:
        return Hold(1, "a witness says so for each game: pbem auto on GAME")
    if not facts.own:
        return Hold(1, "you have not joined")
    has_invited = facts.own[0] == 0
    if max(facts.own) <= facts.newest_join and (has_invited or not facts.is_witness):
        why = "settles who plays" if has_invited else "says that you play with these"
        return Hold(1, f"your first turn after the last join is written by hand, for it {why}")
    return None


def is_one_story(facts: Facts) -> Hold | None:
    """Rule 2: the file continues everything that was signed and read, and no second version of any
    entry is known."""
    if facts.second_version is not None:
        return Hold(
            2,
            f"two versions of turn {facts.second_version} have come, so the game is played by hand",
        )
    if not facts.is_extended:
        return Hold(2, "the newest file does not go on with everything that came before")
    return None


def is_settled(facts: Facts) -> Hold | None:
    """Rule 3: the entry decides nothing, or what its player has decided before and lets be written,
    and no offer of a draw would lapse by it."""
    if facts.is_draw_offered:
        return Hold(3, "a draw is offered, and any turn would answer it")
    if facts.is_prepared:
        hold = Hold(
            3,
            "you have prepared an answer: pbem inbox signs it, and pbem auto on --prepared lets it"
            " be written by itself",
        )
        return None if facts.may_answer_prepared else hold
    if facts.fields is None or not decides_nothing(facts.fields):
        return Hold(3, "a decision is asked of you")
    return None


def is_bounded(facts: Facts) -> Hold | None:
    """Rule 4: it goes to the addresses in the first entries, and there is a limit a day."""
    if not facts.addresses or not facts.is_reached:
        return Hold(
            4,
            "it cannot be sent: mail.toml says how, and your address and theirs stand in the first"
            " turns",
        )
    if are_used_up(facts.today, facts.today_in_all):
        return Hold(4, "this day's automatic mails are used up", facts.now + DAY / 24)
    return None


def are_used_up(today: int, today_in_all: int) -> bool:
    """Whether the automatic mails of a day are used up, in a game or in all."""
    return today >= MOST_IN_A_GAME or today_in_all >= MOST_IN_ALL


def is_home_of_today(facts: Facts) -> Hold | None:
    """Rule 5: a home that knows less than what is noted outside of it was restored or copied. And
    where nothing can be noted outside, a copy of the home could not notice."""
    if facts.lacking:
        return Hold(5, f"{facts.lacking}: pbem show GAME says more")
    if not facts.is_noted:
        return Hold(
            5,
            "what is signed cannot be noted outside of this home: pbem auto shows where it is kept",
        )
    return None


def may_reveal(facts: Facts) -> Hold | None:
    """Rule 6: a root goes out a day after the file came that asks for it, and with notes only if
    the player agreed."""
    if facts.fields is None or "root" not in facts.fields:
        return None
    if facts.has_notes and not facts.may_reveal_notes:
        return Hold(
            6,
            "this turn reveals your notes: pbem play writes it, or pbem auto on --notes lets it be"
            " written",
        )
    if facts.now < facts.came + DAY:
        return Hold(
            6, "this turn opens what was secret, a day after the file came", facts.came + DAY
        )
    return None


def may_sign_the_end(facts: Facts) -> Hold | None:
    """Rule 7: that the end was seen is signed a day after the file came, and within 30 days of the
    end."""
    if not facts.is_end():
        return None
    if facts.now < facts.came + DAY:
        return Hold(
            7, "that you have seen the end is signed a day after the file came", facts.came + DAY
        )
    if facts.now > min(facts.came, facts.ended) + LAST:
        return Hold(7, "the game has been over for too long")
    return None


CHECKS: tuple[Callable[[Facts], Hold | None], ...] = (
    is_switched_on,
    has_been_joined_by_hand,
    is_one_story,
    is_settled,
    is_bounded,
    is_home_of_today,
    may_reveal,
    may_sign_the_end,
)
