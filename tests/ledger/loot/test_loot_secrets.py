"""Nobody's program can name a card of another's hand or of the pile: searched for in all a home
holds and shows."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from engine.cards import write_handle
from pbem.cli.errors import plain
from pbem.crypto import elgamal
from pbem.crypto.decryption_shares import card_table
from pbem.crypto.group import mul, scalar_bytes
from pbem.fileformat.encoding import b64
from pbem.ledger.common_deck import secrets_of
from pbem.report import render
from pbem.turn import own_report
from pbem.turn.common_hand import read_cards
from tests.support.loot_homes import Table
from tests.support.loot_match import Match, anything


def everything(match: Match) -> dict[int, int]:
    """Every card of the pile and of all hands, by all secrets together."""
    common = match.checker.begun().referee.common
    assert common is not None
    secrets = [secrets_of(match.secrets(seat).root).x for seat in range(len(match.names))]
    table = card_table(match.rules.cards)
    return {
        place + 1: table[elgamal.card_in(pair, [mul(x, pair.a) for x in secrets])]
        for place, pair in enumerate(common.pile)
    }


@pytest.mark.parametrize(("count", "partners"), [(2, 0), (3, 0), (4, 1)])
def test_what_each_program_can_read(count: int, partners: int) -> None:
    """Exactly the own hand and the partner's, and these rightly, after every entry of a stretch of
    play."""
    match = Match(count, partners=partners).until(2 * count, anything(random.Random(1)))
    true, choose = everything(match), anything(random.Random(2))
    assert sorted(true.values()) == sorted(match.maker.decks[0].contents)
    for _ in range(12):
        match.step(choose)
        referee = match.checker.begun().referee
        assert referee.common is not None
        public = referee.game.faces()
        for seat in range(count):
            known = read_cards(referee.common, seat, match.secrets(seat).root)
            for handle, card in known.faces.items():
                assert card == true[handle]
                drawer = referee.common.drawers[handle]
                assert (
                    drawer == seat
                    or match.rules.may_see(match.settings, seat, drawer)
                    or handle in public
                )
            mine = set(referee.game.hand(seat)) - {
                h for h in known.own if referee.common.missing([h])
            }
            assert mine <= set(known.faces)


def test_coalitions_cannot_read_more() -> None:
    """With the file and the secrets of all players but one: not a card of the pile, and none of the
    one's hand."""
    match = Match(3).until(16, anything(random.Random(3)))
    referee = match.checker.begun().referee
    assert referee.common is not None
    common, table = referee.common, card_table(match.rules.cards)
    secrets = [secrets_of(match.secrets(seat).root).x for seat in range(3)]
    for together in combinations(range(3), 2):
        (other,) = set(range(3)) - set(together)
        for place, pair in enumerate(common.pile):
            given = dict(common.shares.get(place + 1, {}))
            given |= {seat: mul(secrets[seat], pair.a) for seat in together}
            readable = elgamal.card_in(pair, list(given.values())) in table
            assert readable == (other in given)
            if other not in given:
                assert common.drawers.get(place + 1) in (None, other) or common.owed(other)


def cards_of(value: Any) -> Iterator[tuple[str, str]]:
    """Every back that stands beside the name of a card, anywhere in a report."""
    if isinstance(value, dict):
        name = value.get("card") if "handle" in value else value.get("face")
        back = (
            value.get("handle")
            or value.get("back")
            or (value.get("card") if "face" in value else None)
        )
        if back and name:
            yield str(back), str(name)
        value = list(value.values())
    if isinstance(value, list):
        for part in value:
            yield from cards_of(part)


def test_homes_and_reports(tmp_path: Path) -> None:
    """A stretch of a game of pairs: no home holds, and no report tells, what only others know."""
    table = Table.of(Match(4, partners=1).until(4), tmp_path)
    choose = anything(random.Random(4))
    while len(table.opened(0).file.entries) < 24:
        table.step(choose)
    openeds = [table.opened(seat) for seat in range(4)]
    knows = [dict(own_report.own_faces(opened)) for opened in openeds]
    decks = openeds[0].ledger.decks
    public = dict(openeds[0].ledger.begun().referee.game.faces())
    for seat in range(4):
        partner = seat ^ 1
        hands = {
            h
            for one in (seat, partner)
            for h in openeds[seat].ledger.begun().referee.game.hand(one)
        }
        assert set(knows[seat]) <= hands | set(public)
        allowed = {write_handle(decks, handle) for handle in knows[seat]}
        for public_only in (False, True):
            facts, _ = own_report.facts_for(table.opened(seat), public=public_only)
            named = {back for back, _ in cards_of(json.loads(json.dumps(plain(facts))))}
            assert named <= (
                {write_handle(decks, handle) for handle in public} if public_only else allowed
            )
            assert public_only or named >= {
                write_handle(decks, handle) for handle in hands & set(knows[seat])
            }
            for template in ("report.txt.j2", "report.md.j2"):
                text = render.render(template, facts)
                assert ("Your hand" in text) is (not public_only) and (
                    "partner's hand" in text
                ) is (not public_only)
        held = b"".join(
            path.read_bytes() for path in table.homes[seat].folder.rglob("*") if path.is_file()
        )
        for other in range(4):
            if other != seat:
                secret = openeds[other].secrets()
                for value in (
                    secret.root,
                    secret.vrf_seed,
                    scalar_bytes(secrets_of(secret.root).x),
                ):
                    assert (
                        value not in held
                        and b64(value).encode() not in held
                        and value.hex().encode() not in held
                    )
