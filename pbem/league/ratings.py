"""Glicko-2 ratings of a league's players, from the games that were verified (docs/format.md,
section 26; M. Glickman, "Example of the Glicko-2 system", 2022, steps 1 to 8).

Everything is computed in decimal numbers of 40 digits, whose operations are rounded in one way on
every machine, and not in those of a processor and its libraries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import ROUND_HALF_EVEN, Context, Decimal, localcontext
from typing import NamedTuple

from pbem.league.league import DRAWN, WON, League

SCALE = Decimal("173.7178")
TAU = Decimal("0.5")
CLOSE = Decimal("0.000001")
"""How near the volatility is brought to its value (step 5)."""
PI = Decimal("3.141592653589793238462643383279502884197")
_AVERAGE = Decimal(1500)
_PLACES = Decimal("0.000001")
_DIGITS = Context(prec=40, rounding=ROUND_HALF_EVEN)
_SCORE = {WON: Decimal(1), DRAWN: Decimal("0.5")}


class Rating(NamedTuple):
    """A player's rating, its deviation, and its volatility."""

    rating: Decimal = _AVERAGE
    deviation: Decimal = Decimal(350)
    volatility: Decimal = Decimal("0.06")

    def whole(self) -> tuple[int, int]:
        """Rating and deviation as they are shown."""
        return tuple(int(one.to_integral_value(ROUND_HALF_EVEN)) for one in self[:2])  # type: ignore[return-value]


class RatedGame(NamedTuple):
    """An opponent's rating before the period, and the score against them: 1, 0.5 or 0."""

    opponent: Rating
    score: Decimal


def ratings(league: League) -> list[Rating]:
    """The ratings after all rounds that are complete, in the order of the players' numbers."""
    now = {one.number: Rating() for one in league.players}
    for one in league.rounds:
        if not one.is_complete():
            continue
        met: dict[int, list[RatedGame]] = {number: [] for number in now}
        for game in one.games:
            if game.digest:
                for player in (game.first, game.second):
                    score = _SCORE.get(game.of(player), Decimal(0))
                    met[player].append(RatedGame(now[game.other(player)], score))
        now = after_period(now, met)
    return [now[one.number] for one in league.players]


def after_period(
    before: Mapping[int, Rating], met: Mapping[int, Sequence[RatedGame]]
) -> dict[int, Rating]:
    """The ratings of some players after a period in which they met these opponents."""
    return {player: after_games(one, met.get(player, ())) for player, one in before.items()}


def after_games(one: Rating, met: Sequence[RatedGame]) -> Rating:
    """A player's rating after a period with these games; without one the deviation alone grows."""
    with localcontext(_DIGITS):
        mu, phi = (one.rating - _AVERAGE) / SCALE, one.deviation / SCALE
        if not met:
            phi = (phi * phi + one.volatility * one.volatility).sqrt()
            return _rounded(mu, phi, one.volatility)
        inverse, gain = Decimal(0), Decimal(0)
        for other in met:
            other_phi = other.opponent.deviation / SCALE
            weight = 1 / (1 + 3 * other_phi * other_phi / (PI * PI)).sqrt()
            distance = mu - (other.opponent.rating - _AVERAGE) / SCALE
            expected = 1 / (1 + (-weight * distance).exp())
            inverse += weight * weight * expected * (1 - expected)
            gain += weight * (other.score - expected)
        variance = 1 / inverse
        volatility = _volatility(one.volatility, variance * gain, phi, variance)
        phi_before = (phi * phi + volatility * volatility).sqrt()
        phi = 1 / (1 / (phi_before * phi_before) + 1 / variance).sqrt()
        return _rounded(mu + phi * phi * gain, phi, volatility)


def _volatility(before: Decimal, delta: Decimal, phi: Decimal, variance: Decimal) -> Decimal:
    """Step 5, by the Illinois method."""
    a, square = (before * before).ln(), delta * delta

    def f(x: Decimal) -> Decimal:
        growth = x.exp()
        total = phi * phi + variance + growth
        return growth * (square - total) / (2 * total * total) - (x - a) / (TAU * TAU)

    low = a
    if square > phi * phi + variance:
        high = (square - phi * phi - variance).ln()
    else:
        steps = 1
        while f(a - steps * TAU) < 0:
            steps += 1
        high = a - steps * TAU
    at_low, at_high = f(low), f(high)
    while abs(high - low) > CLOSE:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = f(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return (low / 2).exp()


def _rounded(mu: Decimal, phi: Decimal, volatility: Decimal) -> Rating:
    values = (mu * SCALE + _AVERAGE, phi * SCALE, volatility)
    return Rating(*(value.quantize(_PLACES, ROUND_HALF_EVEN) for value in values))
