"""Sealed choices that are changed, copied, opened too early or not at all: refused by both
verifiers alike."""

from __future__ import annotations

import pytest

from pbem.crypto import choices
from pbem.crypto.choices import ChoicePlace
from pbem.fileformat import turnfile
from pbem.fileformat.encoding import b64
from pbem.fileformat.toml_subset import Fields
from tests.support.morra_match import Change, Match
from tests.support.second_verifier import by_node, by_pbem, needs_node

pytestmark = needs_node


def refused(data: bytes, layer: str, *words: str) -> None:
    """Both verifiers refuse the newest entry, of this layer."""
    verdict, trace = by_pbem(data)
    newest = len(turnfile.read(data).entries) - 1
    assert (verdict.ok, verdict.entry, verdict.layer) == (False, newest, layer), verdict
    ((other, reason),) = by_node([(data, trace)])
    assert other == verdict, reason


def put(name: str, *values: str) -> Change:
    return lambda fields: fields.__setitem__(name, list(values))


def place_of(match: Match, seat: int, number: int, index: int = 0) -> ChoicePlace:
    entry = turnfile.read(match.data).entries[number]
    return ChoicePlace(
        match.game().game_id, entry.seat, entry.before, entry.blob("nonce", 32), index
    )


def lines(match: Match, seat: int, number: int, words: str, index: int = 0) -> str:
    salt = choices.salt_of(match.root(seat), place_of(match, seat, number, index))
    return f"{number} {index} {b64(salt)} {words}"


@pytest.fixture
def sealed() -> Match:
    """Both have sealed; entry 4 is the first player's, which opens what entry 2 sealed."""
    match = Match()
    match.write("show 2 call 4")
    match.write("show 3 call 5")
    return match


def test_other_words(sealed: Match) -> None:
    refused(sealed.forged(put("chosen", lines(sealed, 0, 2, "show 3 call 4"))), "seal")


def test_another_salt(sealed: Match) -> None:
    refused(sealed.forged(put("chosen", f"2 0 {b64(bytes(32))} show 2 call 4")), "seal")


@pytest.mark.parametrize("named", ["3 0", "2 1", "0 0", "9999 511"])
def test_another_entry_or_index(sealed: Match, named: str) -> None:
    text = lines(sealed, 0, 2, "show 2 call 4").removeprefix("2 0")
    refused(sealed.forged(put("chosen", named + text)), "seal")


@pytest.mark.parametrize(
    "text", ["2 0", "2 0 x show 2 call 4", "02 0 {} show 2 call 4", "2 0 {} ", "2  0 {} show"]
)
def test_an_opening_that_is_none(sealed: Match, text: str) -> None:
    refused(sealed.forged(put("chosen", text.format(b64(bytes(32))))), "grammar")


def test_a_missing_opening(sealed: Match) -> None:
    refused(sealed.forged(lambda fields: fields.pop("chosen")), "chain")


def test_the_same_opening_twice(sealed: Match) -> None:
    text = lines(sealed, 0, 2, "show 2 call 4")
    refused(sealed.forged(put("chosen", text, text)), "seal")


def test_the_others_choice_is_not_opened_for_them(sealed: Match) -> None:
    text = lines(sealed, 0, 2, "show 2 call 4")
    refused(sealed.forged(put("chosen", text, lines(sealed, 1, 3, "show 3 call 5"))), "seal")


def test_an_opening_before_the_other_has_sealed() -> None:
    """A look before one's own: nobody can open, or be made to open, while somebody is still to
    choose."""
    match = Match()
    match.write("show 2 call 4")
    early = put("chosen", lines(match, 0, 2, "show 2 call 4"))
    refused(match.forged(early, "show 3 call 5"), "seal")

    def instead(fields: Fields) -> None:
        early(fields)
        del fields["choice"]

    refused(match.forged(instead, "show 3 call 5"), "chain")


def test_words_that_were_never_on_the_list() -> None:
    match = Match()

    def seal(fields: Fields) -> None:
        entries = turnfile.read(match.data).entries
        place = ChoicePlace(match.game().game_id, "first", entries[-1].after, match.nonce(), 0)
        fields["choice"] = [b64(choices.seal(match.root(0), place, "show 6 call 7"))]

    match.data = match.forged(seal, "show 2 call 4")
    match.write("show 3 call 5")
    text = lines(match, 0, 2, "show 6 call 7")
    refused(_opened_by_hand(match, text), "rules")


def _opened_by_hand(match: Match, text: str) -> bytes:
    """An entry of the first seat that opens with this line, made without its program."""
    return match.signed(
        _honest("show 2 call 4", "show 3 call 5").draft(), match.nonce(), put("chosen", text)
    )


def _honest(*calls: str, resign: bool = False) -> Match:
    """Another copy of the game, so far without an attack: drafts of it are signed in the one that
    is attacked."""
    match = Match()
    for call in calls:
        match.write(call)
    if resign:
        match.write(resign=True)
    return match


def test_a_choice_copied_from_another_place(sealed: Match) -> None:
    """A commitment of the other player is no choice of one's own: nobody opens it under their
    name."""
    match = Match()
    match.write("show 2 call 4")
    copied = turnfile.read(match.data).entries[2].list("choice")
    match.data = match.forged(put("choice", *copied), "show 3 call 5")
    text = lines(match, 0, 2, "show 2 call 4")
    match.write()
    honest = _honest("show 2 call 4", "show 3 call 5")
    honest.write()
    draft = honest.draft("show 1 call 2")
    refused(
        match.signed(draft, match.nonce(), put("chosen", text.replace("2 0", "3 0", 1))), "seal"
    )


def test_a_choice_is_good_in_its_own_game_only(sealed: Match) -> None:
    other = Match(seed=2)
    other.write("show 2 call 4")
    other.write("show 3 call 5")
    refused(sealed.forged(put("chosen", lines(other, 0, 2, "show 2 call 4"))), "seal")


@pytest.mark.parametrize("change", [put("choice", b64(bytes(32)), b64(bytes(32)))])
def test_more_choices_than_were_asked_for(change: Change) -> None:
    refused(Match().forged(change, "show 2 call 4"), "seal")


def test_an_answer_that_everybody_reads_is_no_sealed_one() -> None:
    def open_answer(fields: Fields) -> None:
        del fields["choice"]
        fields["answers"] = ["show 2 call 4"]

    refused(Match().forged(open_answer, "show 2 call 4"), "chain")


def test_a_choice_that_is_no_commitment() -> None:
    refused(Match().forged(put("choice", b64(bytes(31))), "show 2 call 4"), "grammar")


def _first(change: Change) -> bytes:
    match = Match.__new__(Match)
    whole = Match()
    match.__dict__.update(whole.__dict__)
    match.data = turnfile.read(whole.data).prefix(1)
    return match.join(1, change)


def test_a_first_entry_without_the_digest_of_its_root() -> None:
    refused(_first(lambda fields: fields.pop("root-digest")), "chain")


def test_a_digest_that_is_none() -> None:
    refused(_first(lambda fields: fields.__setitem__("root-digest", b64(bytes(31)))), "grammar")


def test_a_later_entry_names_no_digest(sealed: Match) -> None:
    refused(
        sealed.forged(lambda fields: fields.__setitem__("root-digest", b64(bytes(32)))), "chain"
    )


def test_a_root_other_than_that_of_the_first_entry() -> None:
    """It might give all seals that were ever opened, and another story of those that were not."""
    match = Match()
    match.data = _first(lambda fields: fields.__setitem__("root-digest", b64(bytes(32))))
    match.write(resign=True)
    refused(match.signed(_honest(resign=True).draft(), match.nonce()), "root")


def test_a_root_checks_choices_that_were_never_opened() -> None:
    """A player seals what follows from no root, and the game is resigned before it opens: the root
    tells."""
    match = Match()
    match.data = match.forged(put("choice", b64(bytes(32))), "show 2 call 4")
    match.write(resign=True)
    assert match.game().outcome is not None and match.game().to_act() == 0
    refused(match.signed(_honest("show 2 call 4", resign=True).draft(), match.nonce()), "root")


def _answered_by_leaving() -> Match:
    """Three players: the first has sealed, the second offers a draw in an entry of its own, and the
    first leaves."""
    match = Match(3)
    match.write("show 2 call 4")
    offer = match.draft(draw="offer")
    match.data = match.signed(offer, match.nonce())
    assert match.game().to_act() == 0
    return match


def test_who_leaves_opens_all_their_choices() -> None:
    match = _answered_by_leaving()
    leaving = match.draft(resign=True)
    match.data = match.signed(leaving, match.nonce())
    assert turnfile.read(match.data).entries[-1].list("chosen") == [
        lines(match, 0, 3, "show 2 call 4")
    ]
    assert match.game().left == [0]
    verdict, trace = by_pbem(match.data)
    ((other, reason),) = by_node([(match.data, trace)])
    assert verdict.ok and other.ok, reason
    match.finish()
    assert match.game().is_proven()


@pytest.mark.parametrize(
    "change",
    [lambda fields: fields.pop("chosen"), put("chosen", f"3 0 {b64(bytes(32))} show 2 call 4")],
)
def test_who_leaves_opens_nothing_or_something_else(change: Change) -> None:
    refused(_answered_by_leaving().forged(change, resign=True), "seal")


def test_nobody_seals_and_leaves_in_one_entry() -> None:
    match = Match(3)

    def also_leave(fields: Fields) -> None:
        fields["resign"] = "yes"

    refused(match.forged(also_leave, "show 2 call 4"), "chain")


def test_a_seat_that_left_has_opened_what_it_sealed_before() -> None:
    match = Match(3)
    for _ in range(5):
        match.write()
    assert match.game().to_act() == 2, "the third player opens, and is asked in the same entry"
    draft = match.draft(resign=True)
    assert draft.contents()["chosen"], "what is due and what is left are opened"
    match.data = match.signed(draft, match.nonce())
    game = match.game()
    assert game.left == [2] and not game.begun().referee.choices.unopened(2)
    verdict, trace = by_pbem(match.data)
    ((other, reason),) = by_node([(match.data, trace)])
    assert verdict.ok and other.ok, reason
