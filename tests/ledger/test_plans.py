"""Plans: sealed texts that open to nothing else, alone or together, and what attacks come to."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.crypto import plans, randomness
from pbem.crypto.plans import PlanPlace
from pbem.errors import Forged, Invalid, Malformed, Refused, RulesBroken
from pbem.fileformat import turnfile
from pbem.fileformat.encoding import b64, unb64
from pbem.fileformat.toml_subset import Value
from pbem.ledger import plans as ledger_plans
from pbem.ledger.gate import decides_nothing, replay
from pbem.ledger.ledger import Ledger
from pbem.ledger.plans import MOST
from pbem.report import render, verification
from pbem.report.facts import report
from pbem.turn import own_report, take_turn
from pbem.turn import plans as turn_plans
from pbem.turn.draft_lines import Intent
from tests.ledger.test_notes import NO_TEXT, to_the_end
from tests.support.players import Pair, accepted, retouch
from tests.support.second_verifier import compare, needs_node

ARCHIVE = Path(__file__).parents[1] / "archive"
ROOT = bytes(range(32))
PLACE = PlanPlace(b"g" * 32, "american", b"b" * 32, b"n" * 32, 1)
TEXT = "I attack Derne, and Ben cannot know. 🙂"


@given(st.text(min_size=1, max_size=90))
def test_what_was_sealed_opens_again(text: str) -> None:
    try:
        padded = plans.pad(text)
    except (ValueError, UnicodeEncodeError):
        return
    sealed = plans.seal(ROOT, PLACE, padded)
    assert len(sealed) == 288 and plans.unseal(plans.key_of(ROOT, PLACE), PLACE, sealed) == padded
    assert plans.text_of(padded) in (text, "")


@pytest.mark.parametrize("text", ["", "x" * 257, "é" * 129, "two\nlines", "a\0b"])
def test_what_cannot_be_sealed(text: str) -> None:
    with pytest.raises(ValueError, match="plan"):
        plans.pad(text)


@pytest.mark.parametrize("padded", [*NO_TEXT[:2], *NO_TEXT[4:], b"two\nlines".ljust(256, b"\0")])
def test_what_is_no_line_of_a_message_is_no_text(padded: bytes) -> None:
    assert plans.text_of(padded) == ""


@pytest.mark.parametrize("change", ["game_id", "seat", "before", "number", "key", "text", "bound"])
def test_a_plan_opens_only_where_and_as_it_was_sealed(change: str) -> None:
    sealed, key, place = bytearray(plans.seal(ROOT, PLACE, plans.pad(TEXT))), ROOT, PLACE
    key = plans.key_of(ROOT, PLACE)
    if change == "key":
        key = bytes([key[0] ^ 1, *key[1:]])
    elif change in ("text", "bound"):
        sealed[0 if change == "text" else -1] ^= 1
    elif change == "number":
        place = place._replace(number=2)
    else:
        place = place._replace(**{change: "tripolitan" if change == "seat" else bytes(32)})
    assert plans.unseal(key, place, bytes(sealed)) is None


def test_no_other_key_opens_it_to_a_text_that_its_author_would_like() -> None:
    """Whoever chooses a stream that gives another text needs the same commitment for it."""
    sealed, rng = plans.seal(ROOT, PLACE, plans.pad(TEXT)), random.Random(1)
    assert all(plans.unseal(rng.randbytes(32), PLACE, sealed) is None for _ in range(2000))


def test_no_two_plans_share_a_keystream() -> None:
    places = [
        PLACE,
        PLACE._replace(number=2),
        PLACE._replace(nonce=bytes(32)),
        PLACE._replace(before=bytes(32)),
    ]
    streams = [plans.seal(ROOT, place, bytes(256))[:256] for place in places]
    blocks = [stream[i : i + 32] for stream in streams for i in range(0, 256, 32)]
    assert len({*blocks}) == len(blocks)


@pytest.fixture
def pair(tmp_path: Path) -> Pair:
    """A game of four entries."""
    return Pair(tmp_path, 7).play(4)


def newest_plans(data: bytes) -> list[str]:
    return turnfile.read(data).entries[-1].list("plans")


def key_of(pair: Pair, seat: int, number: int) -> str:
    """What opens a plan, as a line of the field."""
    game = pair.ledger()
    nonce = game.player_of(seat).nonce
    root = randomness.derive(pair.identities[seat].seed, game.game_id, game.seats[seat], nonce).root
    plan = game.plans.of(seat)[number - 1]
    return f"{number} {b64(plans.key_of(root, plan.place))}"


def opening(pair: Pair, *opened: str, **fields: Value | None) -> bytes:
    """The newest entry, with these openings of plans."""
    return pair.cheat(**fields | {"opened-plans": [*opened] or None})


def told(game: Ledger, since: int = 0, template: str = "report.txt.j2") -> str:
    return render.render(template, report(game, None, game.public_faces(), since))


def on(pair: Pair, seat: int) -> Pair:
    """Go on until this seat writes."""
    while pair.turn() != seat:
        pair.step()
    return pair


def test_two_versions_of_a_turn_share_no_keystream(pair: Pair) -> None:
    """Two texts under one number, on the same file: equal texts would show an equal stream."""
    seat = pair.turn()
    assert seat is not None
    answers = pair.choose(seat)
    sealed = []
    for _ in range(2):
        sealed.append(unb64(newest_plans(pair.next(answers, plans=("one plan",)))[0]))
        pair.nonces = type(pair.nonces)("another try")
    pieces = ([one[i : i + 32] for i in range(0, 288, 32)] for one in sealed)
    assert not any(a == b for a, b in itertools.product(*pieces))


def test_every_plan_has_the_same_length(pair: Pair) -> None:
    texts = ("x", "y" * 256, TEXT)
    pair.step(plans=texts)
    lengths = {len(text) for text in newest_plans(pair.data)}
    assert lengths == {384} and not any(text.encode()[:12] in pair.data for text in texts[1:])


def test_a_plan_is_sealed_opened_and_told(pair: Pair) -> None:
    seat = pair.turn()
    assert seat is not None
    pair.step(plans=(TEXT, "I give it all up."))
    who = pair.ledger().player_of(seat).name
    assert f"{who} keeps a sealed plan (1)" in told(pair.ledger(), 4) and TEXT not in told(
        pair.ledger()
    )
    own, _ = own_report.facts_for(pair.open(seat), public=False)
    assert [(one.number, one.text) for one in own.plans] == [(1, TEXT), (2, "I give it all up.")]
    for template in ("report.txt.j2", "report.md.j2"):
        assert f"Your plan 1, sealed in turn 4: {TEXT}" in render.render(template, own)
    other, _ = own_report.facts_for(pair.open(1 - seat), public=False)
    assert other.plans == [] and TEXT not in render.render("report.txt.j2", other)
    on(pair, seat).step(opens=("1",))
    game = pair.ledger()
    (plan, closed) = game.plans.of(seat)
    assert (plan.text, plan.opened, closed.text) == (TEXT, len(game.entries) - 1, None)
    for template in ("report.txt.j2", "report.md.j2", "log.txt.j2", "log.md.j2"):
        words = told(game, 0, template)
        assert f"{who} opens plan 1" in words and f"{who}'s plan 1, sealed in turn 4:" in words
        assert TEXT in words and "give it all" not in words


def test_at_the_end_the_root_shows_what_was_never_opened(pair: Pair) -> None:
    seat = pair.turn()
    assert seat is not None
    pair.step(plans=(TEXT, "never"))
    on(pair, seat).step(opens=("1",))
    to_the_end(pair, pair.data)
    game = replay(turnfile.read(pair.data))
    assert game.is_proven() and [plan.text for plan in game.plans.of(seat)] == [TEXT, "never"]
    words = told(game, 6)
    assert "has never opened plan 2, which everybody can read now" in words
    assert "has never opened plan 1" not in words and "| never" in words


# Attacks


def attacked(pair: Pair, seat: int, kind: type[Invalid], match: str, **fields: object) -> None:
    """The newest entry, of this seat, with other fields, is refused so."""
    data = pair.cheat(**fields)  # type: ignore[arg-type]
    with pytest.raises(kind, match=match or None):
        replay(turnfile.read(data))
    assert pair.ledger().seat_of(pair.ledger().entries[-1]) == seat


@pytest.fixture
def sealed(pair: Pair) -> tuple[Pair, int]:
    """A game in which a seat has sealed two plans, and has just written again."""
    seat = pair.turn()
    assert seat is not None
    pair.step(plans=(TEXT, "no"))
    on(pair, seat).step()
    return pair, seat


def test_nobody_opens_a_plan_otherwise_than_it_was_sealed(sealed: tuple[Pair, int]) -> None:
    pair, seat = sealed
    first, second = key_of(pair, seat, 1), key_of(pair, seat, 2)
    accepted(opening(pair, first))
    accepted(opening(pair, first, second))
    other = b64(bytes(32))
    for opened, match in (
        (f"1 {other}", "another key"),
        (f"1{second[1:]}", "another key"),
        (f"2{first[1:]}", "another key"),
        (f"3 {other}", "none of its closed"),
    ):
        attacked(pair, seat, Forged, match, **{"opened-plans": [opened]})
    for listed in (
        [second, first],
        [first, first],
        [f"0{first}"],
        [f"1 {other[:-1]}"],
        ["1"],
        [f"{first} "],
    ):
        attacked(pair, seat, Malformed, "", **{"opened-plans": listed})


def test_a_plan_is_opened_once_and_by_its_author(sealed: tuple[Pair, int]) -> None:
    pair, seat = sealed
    first = key_of(pair, seat, 1)
    on(pair, seat).step(opens=("1",))
    on(pair, seat).step()
    attacked(pair, seat, Forged, "none of its closed", **{"opened-plans": [first]})
    on(pair, 1 - seat).step()
    attacked(pair, 1 - seat, Forged, "none of its", **{"opened-plans": [key_of(pair, seat, 2)]})


def test_a_sealed_text_that_another_seat_takes_over_never_opens(sealed: tuple[Pair, int]) -> None:
    """Ben puts Ann's sealed bytes into his own entry, and waits for her key."""
    pair, seat = sealed
    taken = turnfile.read(pair.data).entries[4].list("plans")[:1]
    on(pair, 1 - seat).step()
    data = pair.cheat(plans=taken)
    accepted(data)  # nobody can tell it from a plan of his own
    game = replay(turnfile.read(data))
    stolen, original = game.plans.of(1 - seat)[0], game.plans.of(seat)[0]
    key = unb64(key_of(pair, seat, 1)[2:])
    assert plans.unseal(key, original.place, original.sealed) is not None
    assert plans.unseal(key, stolen.place, stolen.sealed) is None
    with pytest.raises(Forged, match="root does not give plan 1"):
        to_the_end(pair, data)


def test_a_plan_of_another_game_or_turn_never_opens(pair: Pair, tmp_path: Path) -> None:
    seat = pair.turn()
    assert seat is not None
    elsewhere = Pair(tmp_path / "other", 8).play(4)
    on(elsewhere, seat).step(plans=(TEXT,))
    key = unb64(key_of(elsewhere, seat, 1)[2:])
    pair.step()
    data = pair.cheat(plans=newest_plans(elsewhere.data))
    plan = replay(turnfile.read(data)).plans.of(seat)[0]
    assert plans.unseal(key, plan.place, plan.sealed) is None


def test_where_and_how_plans_stand(pair: Pair) -> None:
    one = b64(bytes(288))
    seat = pair.turn()
    assert seat is not None
    pair.step()
    accepted(pair.cheat(plans=[one] * MOST))
    attacked(pair, seat, Malformed, "9 plans", plans=[one] * (MOST + 1))
    for text in (b64(bytes(287)), b64(bytes(289)), b64(bytes(320)), one[:-4], f"{one} ", "x"):
        attacked(pair, seat, Malformed, "", plans=[text])
    for group in ("Winter", "w w", "1st", "w" * 21, "w_", "wínter"):
        attacked(pair, seat, Malformed, "", plans=[f"{one} {group}"])
    joins = turnfile.read(pair.data).prefix(2)
    with pytest.raises(RulesBroken, match="later entry"):
        replay(turnfile.read(retouch(joins, pair.identities[1], plans=[one])))
    own = key_of(replace_data(pair, pair.cheat(plans=[one])), seat, 1)
    attack = opening(pair, own, plans=[one])
    with pytest.raises(Forged, match="none of its closed"):  # no entry opens what it seals
        replay(turnfile.read(attack))


def replace_data(pair: Pair, data: bytes) -> Pair:
    """The game with another newest file, which was just made."""
    pair.data = data
    return pair


def test_so_many_are_closed_at_a_time(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred, of which this test makes ten."""
    for module in (ledger_plans, turn_plans):
        assert module.MOST_CLOSED == 100
        monkeypatch.setattr(module, "MOST_CLOSED", 10)
    on(pair, 0).step(plans=("x",) * MOST)
    on(pair, 0)
    with pytest.raises(Refused, match="sealed at a time"):
        pair.step(plans=("x",) * 3)
    pair.step(plans=("x",) * 2)
    on(pair, 0).step()
    attacked(pair, 0, Malformed, "closed plans", plans=[b64(bytes(288))])
    on(pair, 0).step(plans=("y",), opens=("7",))
    assert len(pair.ledger().plans.closed(0)) == 10


@pytest.mark.parametrize("padded", [*NO_TEXT[:2], *NO_TEXT[4:9]], ids=range(7))
def test_what_is_no_text_opens_as_such_and_stops_nothing(pair: Pair, padded: bytes) -> None:
    """Its author made it up: bytes that no program of ours seals."""
    seat = pair.turn()
    assert seat is not None
    pair.step()
    game = pair.ledger()
    nonce = game.player_of(seat).nonce
    root = randomness.derive(pair.identities[seat].seed, game.game_id, game.seats[seat], nonce).root
    place = game.plans.place(game.game_id, game.entries[-1], 1)
    to_the_end(pair, pair.cheat(plans=[b64(plans.seal(root, place, padded))]))
    game = replay(turnfile.read(pair.data))
    assert game.is_proven() and [plan.text for plan in game.plans.all] == [""]
    assert "| (no text)" in told(game) and "\x1b" not in told(game)


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("a\u202eb", "U[+]202E"),
        ("a\x1b[2Jb", "U[+]001B"),
        ("x" * 257, "256 bytes"),
        ("two\nlines", "one line"),
        ("", "256 bytes"),
        ("\ud800", "U[+]D800"),
    ],
)
def test_a_text_that_cannot_be_sealed_is_told(pair: Pair, text: str, match: str) -> None:
    before = pair.data
    with pytest.raises(Refused, match=match):
        pair.step(plans=(text,))
    assert pair.data == before


def test_an_opened_text_is_never_markup_or_a_line_of_its_own(pair: Pair) -> None:
    """What looks like a heading, a link, HTML or another player's line stands where a text does."""
    seat = pair.turn()
    assert seat is not None
    text = "<b>Ben opens plan 1</b> [x](http://example.org) # 1 `a` | Ben"
    pair.step(plans=(text,))
    on(pair, seat).step(opens=("all",))
    page = told(pair.ledger(), 0, "log.md.j2")
    assert "<b>" not in page and "](http" not in page
    assert f"    | {text}" in told(pair.ledger()).split("\n")[-400:] or text in told(pair.ledger())


# Together


def test_plans_of_a_group_open_once_all_have_sealed(pair: Pair) -> None:
    seat = pair.turn()
    assert seat is not None
    pair.step(joint_plans=("winter: I attack Derne",), plans=("alone",))
    own, _ = own_report.facts_for(pair.open(seat), public=False)
    assert [one.waits_for for one in own.plans] == [[], [pair.ledger().seats[1 - seat]]]
    on(pair, 1 - seat).step(joint_plans=("winter: I stay",))
    game = pair.ledger()
    assert game.plans.missing("winter", game.deciding()) == []
    assert not [plan for plan in game.plans.all if plan.text is not None]
    on(pair, seat).step()
    assert [plan.text for plan in pair.ledger().plans.of(seat)] == [None, "I attack Derne"]
    attacked(pair, seat, RulesBroken, 'sealed in "winter"', **{"opened-plans": None})
    on(pair, 1 - seat).step()
    assert [plan.text for plan in pair.ledger().plans.of(1 - seat)] == ["I stay"]
    with pytest.raises(Refused, match="everybody has sealed"):
        on(pair, seat).step(joint_plans=("winter: and also Tunis",))
    on(pair, seat).step()
    late = f"{b64(bytes(288))} winter"
    attacked(pair, seat, RulesBroken, "nothing more is sealed there", plans=[late])


def test_a_program_opens_what_is_owed_and_nothing_else(pair: Pair) -> None:
    """An entry that decides nothing may open a group, and a plan of one's own only by oneself."""
    seat = pair.turn()
    assert seat is not None
    assert decides_nothing(("seat", "date", "nonce", "proof", "opened-plans", "position"))
    assert not decides_nothing(("seat", "date", "nonce", "proof", "plans", "position"))
    pair.step(joint_plans=("winter: I attack",), plans=("alone",))
    on(pair, 1 - seat).step(joint_plans=("winter: I stay",))
    on(pair, seat)
    draft = take_turn.answer(pair.open(seat), replace_answers(pair, seat))
    assert draft.opens == []


def replace_answers(pair: Pair, seat: int) -> Intent:
    """The intent of a turn that only answers."""
    return Intent(answers=tuple(pair.choose(seat)))


@pytest.mark.parametrize("given", ["winter", "Winter: x", ": x", "w w: x", f"{'w' * 21}: x"])
def test_a_group_is_named_by_one_word(pair: Pair, given: str) -> None:
    with pytest.raises(Refused, match="does not say with which plans"):
        pair.step(joint_plans=(given,))


def test_an_opening_of_what_is_not_there_is_refused(pair: Pair) -> None:
    seat = pair.turn()
    assert seat is not None
    with pytest.raises(Refused, match="no sealed plan"):
        pair.step(opens=("all",))
    pair.step(plans=("x",))
    on(pair, seat)
    for text in ("2", "0", "01", "one", "-1"):
        with pytest.raises(Refused, match="no plan of yours"):
            pair.step(opens=(text,))


def test_who_resigns_shows_their_plans_by_the_root(pair: Pair) -> None:
    seat = pair.turn()
    assert seat is not None
    pair.step(plans=(TEXT,))
    on(pair, seat)
    with pytest.raises(Refused, match="no use for a plan"):
        pair.step([], plans=("more",), resign=True)
    pair.step([], resign=True)
    while pair.turn() is not None:
        pair.step([])
    game = pair.ledger()
    assert game.is_proven() and game.plans.of(seat)[0].text == TEXT


@needs_node
def test_both_verifiers_judge_plans_alike(tmp_path: Path) -> None:
    pair = Pair(tmp_path, 9).play(4)
    seat = pair.turn()
    assert seat is not None
    one = b64(bytes(288))
    pair.step(plans=(TEXT, "no"), joint_plans=("winter: a",))
    cases = [("sealed", pair.data)]
    for text in (one, f"{one} w", f"{one} W", one[4:], f"{one} winter", f"{one}  w", f"{one}\n"):
        cases.append((f"plans {text[-8:]!r}", pair.cheat(plans=[text])))
    cases += [(f"{n} plans", pair.cheat(plans=[one] * n)) for n in (8, 9)]
    on(pair, 1 - seat).step(joint_plans=("winter: b",))
    taken = turnfile.read(pair.data).entries[4].list("plans")[:1]
    cases.append(("thief", pair.cheat(plans=taken)))
    on(pair, seat).step(opens=("1",))
    keys = {number: key_of(pair, seat, number) for number in (1, 2, 3)}
    cases.append(("opened", pair.data))
    for opened in (
        [keys[3]],
        [keys[1]],
        [keys[1], keys[2], keys[3]],
        [keys[3], keys[1]],
        [keys[3], keys[3]],
        [f"2{keys[1][1:]}", keys[3]],
        [f"4 {b64(bytes(32))}"],
        [f"3 {b64(bytes(31))}"],
        ["3"],
        [f"03{keys[3][1:]}"],
    ):
        cases.append((f"opens {[text[:3] for text in opened]}", opening(pair, *opened)))
    cases.append(("late", pair.cheat(plans=[f"{one} winter"])))
    cases.append(("owed", opening(pair)))
    on(pair, 1 - seat).step()
    to_the_end(pair, pair.data)
    cases.append(("end", pair.data))
    cases.append(("in the end", pair.cheat(plans=[one])))
    found = compare(cases)
    assert found.different == [] and found.judged == len(cases)
    assert found.failed >= 16


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        (3, None),
        (4, (2, 0, 0)),
        (9, (4, 0, 0)),
        (10, (4, 1, 0)),
        (11, (5, 2, 0)),
        (18, (5, 2, 3)),
    ],
)
def test_verify_counts_the_plans(turns: int, expected: tuple[int, int, int] | None) -> None:
    game = turnfile.read((ARCHIVE / "tripoli-1-plans.toml").read_bytes())

    facts, failure = verification.verify(game.prefix(turns))

    assert failure is None and isinstance(facts, verification.VerifiedGame)
    counts = facts.plans
    assert (counts and (counts.sealed, counts.opened, counts.read)) == expected
    said = verification.in_words(facts)
    assert ("sealed:" in said) == (expected is not None)
    assert (" closed." in said) == (turns in range(4, 18))
