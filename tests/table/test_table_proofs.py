"""What the look back tells of each die and card: it is what the file holds, and it can be computed
again from it."""

from __future__ import annotations

import html
from pathlib import Path

import pytest

from engine.cards import deck_of, read_handle
from pbem.fileformat import turnfile
from pbem.fileformat.encoding import unb64
from pbem.ledger import gate
from pbem.ledger.ledger import Ledger
from pbem.ledger.own_decks import commitment
from pbem.replay.scenes import all_faces
from pbem.report import verdict_card, verification
from pbem.report.history import entries
from pbem.report.lines import DiceLine, OpenedLine, PickLine
from pbem.table.proofs import CardProof, Proofs
from tests.support.homes import make_home
from tests.support.table_kit import Client, served

ARCHIVE = Path(__file__).parents[1] / "archive"
GAMES = ("tripoli-1", "loot-1", "tripoli-solitaire-1", "paradise-4-witnessed")


def gone_through(name: str, upto: int | None = None) -> tuple[Ledger, Proofs]:
    game = Ledger()
    proofs = Proofs(game)
    for entry in turnfile.read((ARCHIVE / f"{name}.toml").read_bytes()).entries[:upto]:
        gate.admit(game, entry)
        proofs.watch()
    return game, proofs


@pytest.fixture(scope="module")
def games() -> dict[str, tuple[Ledger, Proofs]]:
    return {name: gone_through(name) for name in GAMES}


@pytest.mark.parametrize("name", GAMES)
def test_dice_and_opened_cards_stand_where_the_story_tells_of_them(
    name: str, games: dict[str, tuple[Ledger, Proofs]]
) -> None:
    game, proofs = games[name]
    for told in entries(game, 0, all_faces(game)):
        thrown = [line for line in told.lines if isinstance(line, DiceLine)]
        assert [(roll.dice, roll.chance.entry) for roll in proofs.rolls(told.number)] == [
            (d.dice, d.entry) for d in thrown
        ]
        opened = [line.back for line in told.lines if isinstance(line, OpenedLine)]
        cards = proofs.cards(told.number, all_faces(game))
        assert [card.back for card in cards if card.opened == told.number] == opened
        picked = {back for line in told.lines if isinstance(line, PickLine) for back in line.backs}
        assert picked <= {card.back for card in cards}


@pytest.mark.parametrize("name", ["tripoli-1", "tripoli-solitaire-1"])
def test_a_seal_comes_out_of_the_name_and_the_secret_number(
    name: str, games: dict[str, tuple[Ledger, Proofs]]
) -> None:
    game, proofs = games[name]
    checked = 0
    for number in range(len(game.entries)):
        for card in proofs.cards(number, all_faces(game)):
            if card.seal is None or not card.seal.salt:
                continue
            back = read_handle(game.decks, card.back)
            assert back is not None and card.name is not None
            deck, salt = game.decks[deck_of(back)], bytes.fromhex(card.seal.salt)
            made = commitment(game.game_id, deck, card.seal.generation, back, card.name, salt)
            assert made.hex() == card.seal.seal
            assert card.seal.sealed < (card.drawn or card.opened or 0)
            checked += 1
    assert checked >= 10


def test_shares_are_named_by_the_entries_that_hold_them(
    games: dict[str, tuple[Ledger, Proofs]],
) -> None:
    game, proofs = games["loot-1"]
    named = set()
    for number in range(len(game.entries)):
        for card in proofs.cards(number, {}):
            assert card.shares is not None and card.name is None
            named |= {(one.seat, one.entry) for one in card.shares.shares}
            for one in (*card.shares.shares, *([card.shares.own] if card.shares.own else [])):
                entry = game.entries[one.entry]
                assert entry.seat == one.seat and "shares" in entry.fields
            assert [one.entry for one in card.shares.shuffles] == list(range(len(game.seats)))
    holding = {
        (entry.seat, entry.number)
        for entry in game.entries
        if len(unb64(entry.text("shares"))) > 64
    }
    assert named and named <= holding


def test_a_stranger_reads_no_name_before_a_card_is_open() -> None:
    game, proofs = gone_through("tripoli-1", 30)
    hidden: list[CardProof] = []
    for number in range(30):
        cards = proofs.cards(number, game.begun().referee.faces())
        hidden += [card for card in cards if card.opened is None]
        assert all(card.name for card in cards if card.opened is not None)
    assert hidden and not any(card.name or (card.seal and card.seal.salt) for card in hidden)


@pytest.mark.dear("drives a browser")
@pytest.mark.parametrize("name", GAMES)
def test_every_entry_has_its_page(name: str, tmp_path: Path) -> None:
    path = ARCHIVE / f"{name}.toml"
    game, proofs = gone_through(name)
    with served(make_home(tmp_path / "cleo", "Cleo"), tmp_path / "files", path) as server:
        client = Client(server)
        client.enter()
        place = server.url.partition("?")[0].partition(str(server.port))[2]
        for number in range(len(game.entries)):
            body = client.ask("GET", f"{place}/entry/{number}").body.decode()
            wanted = len(proofs.rolls(number)) + len(proofs.cards(number, all_faces(game)))
            assert body.count('<details class="proof" data-') == wanted


def test_looking_back_shows_the_card_of_the_file_and_what_only_this_home_knows(
    tmp_path: Path,
) -> None:
    path = ARCHIVE / "backgammon-2-sealed.toml"
    data = path.read_bytes()
    facts, _ = verification.verify(data)
    assert isinstance(facts, verification.VerifiedGame)
    with served(make_home(tmp_path / "cleo", "Cleo"), tmp_path / "files", path) as server:
        client = Client(server)
        client.enter()
        place = server.url.partition("?")[0].partition(str(server.port))[2]
        last = html.unescape(client.ask("GET", f"{place}/entry/{facts.entries - 1}").body.decode())
        page = client.ask("GET", f"{place}/replay.html").body.decode()
    for label, text in verdict_card.rows(facts.card):
        assert f"<dt>{label}</dt><dd>{text}</dd>" in last
    assert last.count("compared this key") == 2 and "compared this key" not in page
    assert "in secret" in last and "deck" not in last
