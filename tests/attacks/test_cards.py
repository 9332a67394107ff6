"""Promise 3, and the half of promise 2 that is about cards: decks cannot be stacked, hands cannot
be bent or read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from engine.cards import read_handle, write_handle
from pbem.errors import Forged, RulesBroken
from pbem.fileformat import turnfile
from pbem.fileformat.encoding import b64
from pbem.fileformat.toml_subset import Fields
from pbem.ledger import own_decks
from pbem.ledger.file_entry import write_opening
from pbem.ledger.own_decks import commitment
from pbem.report import verification
from pbem.turn import draft_entry, open_game
from tests.support.players import (
    AMERICAN,
    TRIPOLITAN,
    Pair,
    accepted,
    forge,
    last_fields,
    refused,
    retouch,
)

NAVAL = "Naval Movement"


def hand_of(pair: Pair, seat: int) -> draft_entry.Hand:
    """What a seat knows of its own deck."""
    ledger = open_game.open_file(pair.data, None).ledger
    return draft_entry.Hand(
        ledger, seat, open_game.secrets_of(pair.identities[seat], ledger, seat).root
    )


def opening(pair: Pair, seat: int, handle: int, card: int | None = None) -> str:
    """The opening of one back, true unless another card is given."""
    hand, ledger = hand_of(pair, seat), pair.ledger()
    found = hand.faces[handle] if card is None else card
    return write_opening(ledger.decks, ledger.rules.cards, handle, found, hand.salts[handle])


@pytest.fixture(scope="module")
def spring(tmp_path_factory: pytest.TempPathFactory) -> tuple[Pair, bytes, list[int]]:
    """1801: the American has six cards, and an honest entry of theirs that opens one is at hand."""
    for seed in range(51, 90):
        pair = Pair(tmp_path_factory.mktemp("spring"), seed).play(2)
        data = pair.next()
        if len(last_fields(data).get("openings", [])) == 1:  # type: ignore[arg-type]
            drawn = (
                open_game.open_file(pair.next(), None).ledger.begun().referee.chance_uses[0].result
            )
            assert drawn is not None
            return pair, data, sorted(drawn)
    raise AssertionError("nobody opens a card")


def opened(data: bytes) -> tuple[str, str, str, str]:
    """Of an entry with one opening: the back, the salt, the card, and its first answer."""
    fields = last_fields(data)
    (text,) = fields["openings"]  # type: ignore[misc]
    back, salt, card = text.split(" ", 2)
    answers = fields["answers"]
    assert isinstance(answers, list)
    return back, salt, card, next(answer for answer in answers if answer.endswith(f" {back}"))


def test_an_honest_opening(spring: tuple[Pair, bytes, list[int]]) -> None:
    accepted(spring[1])


def test_an_opening_of_another_card(spring: tuple[Pair, bytes, list[int]]) -> None:
    pair, data, _ = spring
    back, salt, card, answer = opened(data)
    for other in pair.ledger().rules.cards:
        if other != card:
            words = [
                text.replace(card, other) if text == answer else text
                for text in last_fields(data)["answers"]  # type: ignore[union-attr]
            ]
            changes: Fields = {"openings": [f"{back} {salt} {other}"], "answers": words}
            refused(
                retouch(data, pair.identities[AMERICAN], **changes),
                f"{back} was not sealed as|is not legal there",
            )


def test_an_opening_with_another_salt_or_of_another_back(
    spring: tuple[Pair, bytes, list[int]],
) -> None:
    pair, data, drawn = spring
    back, salt, card, _ = opened(data)
    ann = pair.identities[AMERICAN]
    refused(
        retouch(data, ann, openings=[f"{back} {b64(bytes(32))} {card}"]),
        f"{back} was not sealed as {card}",
    )
    refused(retouch(data, ann, openings=[f"{back} {salt[:-1]} {card}"]), f"{back}: ")
    refused(
        retouch(data, ann, openings=[f"{back} {salt} Queen of Hearts"]),
        "opens no card of this game",
    )
    refused(retouch(data, ann, openings=[f"x1 {salt} {card}"]), "opens no card of this game")
    refused(retouch(data, ann, openings=[f"{back}  {salt} {card}"]), "opens no card of this game")
    other = next(handle for handle in drawn if write_handle(pair.ledger().decks, handle) != back)
    refused(
        retouch(data, ann, openings=[opening(pair, AMERICAN, other)]),
        f"opens .* where {back} is to be opened|legal",
    )
    refused(retouch(data, ann, openings=None), "leaves out what its seat owes|not legal")


def test_an_opening_that_is_not_owed(spring: tuple[Pair, bytes, list[int]]) -> None:
    pair, data, drawn = spring
    first = last_fields(data)["openings"]
    assert isinstance(first, list)
    more = [opening(pair, AMERICAN, handle) for handle in drawn]
    for text in more:
        refused(
            retouch(data, pair.identities[AMERICAN], openings=[*first, text]),
            "an opening of a.* that is not owed",
        )


def test_a_card_never_drawn(spring: tuple[Pair, bytes, list[int]]) -> None:
    pair, data, drawn = spring
    hand, ledger = hand_of(pair, AMERICAN), pair.ledger()
    back, _, card, answer = opened(data)
    index = ledger.rules.cards.index(card)
    never = [handle for handle in hand.faces if handle not in drawn]
    assert len(never) == 18
    for handle in never:
        other = write_handle(ledger.decks, handle)
        answers = [
            text.replace(f" {back}", f" {other}") if text == answer else text
            for text in last_fields(data)["answers"]  # type: ignore[union-attr]
        ]
        for shown in {hand.faces[handle], index}:
            changes: Fields = {
                "answers": answers,
                "openings": [opening(pair, AMERICAN, handle, shown)],
            }
            refused(retouch(data, pair.identities[AMERICAN], **changes), "is not legal there")


def test_the_other_sides_card(spring: tuple[Pair, bytes, list[int]]) -> None:
    pair, data, _ = spring
    back, salt, card, answer = opened(data)
    changes: Fields = {"answers": [answer.replace(back, "t1")], "openings": [f"t1 {salt} {card}"]}
    refused(retouch(data, pair.identities[AMERICAN], **changes), "is not legal there")


def test_a_card_played_twice(tmp_path: Path) -> None:
    """The card of the first play again in the second: it has left the hand."""
    for seed in range(51, 90):
        pair = Pair(tmp_path / str(seed), seed).play(2)
        played = last_fields(pair.step())
        if "openings" in played and pair.turn() == TRIPOLITAN:
            break
    openings, answers = played["openings"], played["answers"]
    assert isinstance(openings, list) and isinstance(answers, list)
    back = openings[0].split(" ")[0]
    pair.step()
    while pair.turn() != AMERICAN or not last_fields(pair.next()).get("answers"):
        pair.step()
    honest = pair.next()
    for changes in (
        {"openings": openings, "answers": answers},
        {"openings": None, "answers": [f"move with {back}"]},
    ):
        refused(retouch(honest, pair.identities[AMERICAN], **changes), "is not legal there")


# Stacked decks


@contextmanager
def stacked(stack: dict[int, int], seat: int) -> Iterator[None]:
    """Inside, one seat's program lays other cards than the rules give it: `stack` says which card
    becomes which."""
    honest = own_decks.seal_pile

    def seal_pile(
        root: bytes, game: bytes, deck: Any, generation: int, handles: Any, cards: Any, *rest: Any
    ) -> own_decks.OpenPile:
        if deck.owner == seat:
            cards = [stack.get(card, card) for card in cards]
        return honest(root, game, deck, generation, handles, cards, *rest)

    with (
        patch.object(own_decks, "seal_pile", seal_pile),
        patch.object(draft_entry, "seal_pile", seal_pile),
    ):
        yield


def cards(pair: Pair, *names: str) -> list[int]:
    return [pair.ledger().rules.cards.index(name) for name in names]


def test_two_copies_of_a_card_are_found_at_once(tmp_path: Path) -> None:
    """The Tripolitan deck is all Storms but for what the rules name otherwise; the second one shown
    is one too many."""
    pair = Pair(tmp_path, 60)
    (storms,) = cards(pair, "Storms")
    stack = dict.fromkeys(range(27, 48), storms)
    with stacked(stack, TRIPOLITAN):
        pair.step()
    accepted(pair.data)
    failure = None
    for _ in range(60):
        seat = pair.turn()
        try:
            if seat == TRIPOLITAN:
                with stacked(stack, TRIPOLITAN):
                    pair.step()
            else:
                pair.step()
        except RulesBroken as error:
            failure = error
            break
    assert failure is not None and "cannot be Storms as well: the deck was stacked" in str(failure)
    assert failure.exit_code == 3
    accepted(pair.data)


def test_a_second_copy_written_by_a_program_without_scruples(tmp_path: Path) -> None:
    """The same, and the entry is really written: anybody who verifies it sees it."""
    pair = Pair(tmp_path, 60)
    (storms,) = cards(pair, "Storms")
    stack = dict.fromkeys(range(27, 48), storms)
    with stacked(stack, TRIPOLITAN):
        pair.step()
    for _ in range(60):
        with patch("pbem.ledger.own_decks.may_still_be", lambda *_: True):
            if pair.turn() == TRIPOLITAN:
                with stacked(stack, TRIPOLITAN):
                    pair.step()
            else:
                pair.step()
        if verification.verify(pair.data)[1] is not None:
            break
    refused(pair.data, "tripolitan: t.* cannot be Storms as well: the deck was stacked")


def test_a_card_of_the_other_deck(tmp_path: Path) -> None:
    pair = Pair(tmp_path, 61, host=TRIPOLITAN)
    (storms,) = cards(pair, "Storms")
    with stacked(dict.fromkeys(range(48), storms), AMERICAN):
        pair.step()
        while verification.verify(pair.data)[1] is None:
            with patch("pbem.ledger.own_decks.may_still_be", lambda *_: True):
                pair.step()
    refused(pair.data, "cannot be Storms as well: the deck was stacked")


def test_a_stacked_deck_is_found_when_the_root_is_revealed(tmp_path: Path) -> None:
    """One Tribute Paid is swapped for a fifth Naval Movement, and never shown: the root tells."""
    pair = Pair(tmp_path, 62, host=TRIPOLITAN)
    naval, tribute = cards(pair, NAVAL, "Tribute Paid")
    with stacked({tribute: naval}, AMERICAN):
        pair.step()
        pair.play(6)
    accepted(pair.data)
    if pair.turn() == AMERICAN:
        with stacked({tribute: naval}, AMERICAN):
            pair.step([], resign=True)
    else:
        pair.step([], resign=True)
        with stacked({tribute: naval}, AMERICAN):
            pair.step([])
    refused(pair.data, "american: the root does not give the seals of deck a, shuffle 1")
    facts, failure = verification.verify(pair.data)
    assert isinstance(failure, Forged) and facts.result is None


def test_a_chosen_order_is_found_when_the_root_is_revealed(tmp_path: Path) -> None:
    """The right cards, but sealed by hand instead of in the order of the root."""
    pair = Pair(tmp_path, 63)
    joined = pair.step()
    ledger, names = pair.ledger(), pair.ledger().rules.cards
    deck = ledger.decks[TRIPOLITAN]
    salt = bytes(32)
    sealed_by_hand = [
        f"t{number} {b64(commitment(ledger.game_id, deck, 1, 1000 + number, names[card], salt))}"
        for number, card in enumerate(deck.contents, 1)
    ]
    data = retouch(joined, pair.identities[TRIPOLITAN], seals=sealed_by_hand)
    accepted(data)
    seat = open_game.open_file(data, None).ledger.to_act()
    assert seat == AMERICAN
    root = open_game.secrets_of(pair.identities[TRIPOLITAN], ledger, TRIPOLITAN).root
    resigned = forge_resignation(pair, data)
    last = {k: v for k, v in last_fields(resigned).items() if k in ("date", "nonce", "position")}
    fields: Fields = {**last, "seat": "tripolitan", "root": b64(root)}
    refused(
        forge(resigned, pair.identities[TRIPOLITAN], fields),
        "the root does not give the seals of deck t, shuffle 1",
    )


def forge_resignation(pair: Pair, data: bytes) -> bytes:
    """The American's honest resignation on a file that did not come through their memory."""
    pair.data = data
    return pair.next([], resign=True)


def test_a_pile_made_anew_holds_the_cards_it_is_made_of(tmp_path: Path) -> None:
    """A shuffle that turns one card of the discard into another: shown twice it is found at once,
    or by the root."""
    for seed in range(210, 230):  # 210 does; others are for the day when the rules change
        pair = Pair(tmp_path / str(seed), seed)
        naval, tribute = cards(pair, NAVAL, "Tribute Paid")
        with stacked_from(2, {tribute: naval}):
            while pair.turn() is not None and not any(
                p.generation == 2 for p in piles(pair, AMERICAN)
            ):
                pair.step()
            if pair.turn() is None:
                continue
            pile = next(p for p in piles(pair, AMERICAN) if p.generation == 2)
            faces = hand_of(pair, AMERICAN).faces
            if tribute not in [faces[handle] for handle in pile.sources]:
                continue
            if not pair.ledger().is_over():
                pair.step([], resign=True)
            pair.play(400)
        refused(
            pair.data, "the root does not give the seals of deck a, shuffle 2|the deck was stacked"
        )
        return
    raise AssertionError("no game has such a reshuffle")


def piles(pair: Pair, owner: int) -> list[own_decks.SealedPile]:
    playing = pair.ledger().playing
    return (
        []
        if playing is None
        else [pile for pile in playing.referee.own_decks.piles if pile.deck.owner == owner]
    )


@contextmanager
def stacked_from(shuffle: int, stack: dict[int, int]) -> Iterator[None]:
    """Inside, the American's program stacks its deck from that shuffle on."""
    honest = own_decks.seal_pile

    def seal_pile(
        root: bytes, game: bytes, deck: Any, generation: int, handles: Any, cards: Any, *rest: Any
    ) -> own_decks.OpenPile:
        if deck.owner == AMERICAN and generation >= shuffle:
            cards = [stack.get(card, card) for card in cards]
        return honest(root, game, deck, generation, handles, cards, *rest)

    with (
        patch.object(own_decks, "seal_pile", seal_pile),
        patch.object(draft_entry, "seal_pile", seal_pile),
    ):
        yield


# What a file tells of a hidden card


def test_the_public_fields_hide_the_hand(tmp_path: Path) -> None:
    """A salt appears in the file only where its card is opened, and no root before the end."""
    pair = Pair(tmp_path, 64).play(30)
    text = pair.data.decode()
    ledger = pair.ledger()
    assert ledger.playing is not None and not ledger.is_over()
    shown = ledger.begun().referee.opened.count
    for seat in (AMERICAN, TRIPOLITAN):
        hand = hand_of(pair, seat)
        secret = open_game.secrets_of(pair.identities[seat], ledger, seat)
        assert b64(secret.root) not in text and b64(secret.vrf_seed) not in text
        shown -= sum(b64(salt) in text for salt in hand.salts.values())
        assert len(set(hand.salts.values())) == len(hand.salts)
    assert shown == 0


def test_guessing_the_card_behind_a_seal_needs_its_salt(tmp_path: Path) -> None:
    """Fifty cards are few, so a commitment without an independent salt would be an open card."""
    pair = Pair(tmp_path, 65).play(4)
    ledger = pair.ledger()
    hand = hand_of(pair, TRIPOLITAN)
    known = [
        b"",
        bytes(32),
        ledger.game_id,
        *(e.digest for e in ledger.entries),
        *hand.salts.values(),
    ]
    pile = piles(pair, TRIPOLITAN)[0]
    for handle in pile.handles:
        for salt in known:
            if salt == hand.salts[handle]:
                continue
            for name in ledger.rules.cards:
                guess = commitment(ledger.game_id, pile.deck, 1, handle, name, salt)
                assert guess != pile.commitment(handle)


def test_a_seal_stands_for_one_place_in_one_deck_of_one_game(tmp_path: Path) -> None:
    """The same card and salt in another game, deck, shuffle or place is another seal."""
    pair = Pair(tmp_path, 66).play(1)
    decks, game = pair.ledger().decks, pair.ledger().game_id
    salt = bytes(range(32))
    made = {
        commitment(g, deck, generation, handle, name, s)
        for g in (game, bytes(32))
        for deck in decks
        for generation in (1, 2, 12)
        for handle in (1, 2, 12, 21)
        for name in ("Storms", "Storm", "2Storms")
        for s in (salt, bytes(32))
    }
    assert len(made) == 2 * 2 * 3 * 4 * 3 * 2
    assert read_handle(decks, "a01") is None and read_handle(decks, "A1") is None


def test_no_card_is_opened_twice_in_a_game(tmp_path: Path) -> None:
    pair = Pair(tmp_path, 68).play(400)
    seen = [text for e in turnfile.read(pair.data).entries for text in e.list("openings")]
    backs = [text.split(" ")[0] for text in seen]
    assert len(backs) == len(set(backs)) > 5
