"""Conquest of Paradise by ledger: alone, with a witness, with data of the players' own; and what it
shows."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from engine.paradise import RULES
from engine.paradise.data import PRACTICE
from engine.paradise.game import Paradise
from pbem.cli.errors import plain
from pbem.errors import Malformed, Refused, RulesBroken, Usage
from pbem.fileformat import turnfile
from pbem.games import registry
from pbem.games.game_data import DataLine, read, write_templates
from pbem.games.paradise.chits import CARD_TEXTS
from pbem.home.home import Home
from pbem.ledger.gate import replay
from pbem.ledger.ledger import Ledger
from pbem.ledger.signatures import SIGNATURE_TAG
from pbem.report import dice_count, picture, render, verification
from pbem.report.facts import report
from pbem.simulate.series import simulate
from pbem.turn import joining as invitations
from pbem.turn import open_game, own_report, questions, signing, take_turn
from pbem.turn.draft_lines import Intent
from tests.support.golden_words import Golden
from tests.support.paradise_kit import SMALL_MAP, by_verb
from tests.support.paradise_match import invite
from tests.support.solitaire_kit import home_of, join, play_on, write

MAP = [DataLine(line, Path("map.txt"), number) for number, line in enumerate(SMALL_MAP, 1)]


def opened(data: bytes) -> Ledger:
    return replay(turnfile.read(data))


def game_in(data: bytes) -> Paradise:
    referee = opened(data).begun().referee
    assert isinstance(referee.game, Paradise)
    return referee.game


@pytest.fixture(scope="module")
def homes(tmp_path_factory: pytest.TempPathFactory) -> tuple[Home, Home]:
    folder = tmp_path_factory.mktemp("homes")
    return home_of(folder, "Ann"), home_of(folder, "Ben")


@pytest.fixture(scope="module")
def alone(homes: tuple[Home, Home]) -> bytes:
    return play_on(invite(homes[0]), [homes[0]], by_verb(random.Random(3)))


@pytest.fixture(scope="module")
def witnessed(homes: tuple[Home, Home]) -> bytes:
    ann, ben = homes
    return play_on(join(ben, invite(ann, ben)), [ann, ben], by_verb(random.Random(3)))


def test_alone_to_the_end(alone: bytes) -> None:
    game = opened(alone)
    assert game.is_over() and {entry.seat for entry in game.entries} == {"tonga"}
    facts, failure = verification.verify(alone)
    assert (
        failure is None and facts.witnessed is False and facts.rolls > 0 and b"unwitnessed" in alone
    )


def test_nobody_has_cards_so_nobody_reveals_a_root(alone: bytes, witnessed: bytes) -> None:
    """The result is proven with the last entry: there is no own deck of anybody's (docs/format.md,
    section 7)."""
    for data in (alone, witnessed):
        assert opened(data).is_proven() and b"root = " not in data and b"seals = " not in data


def test_the_witness_only_proves(homes: tuple[Home, Home], witnessed: bytes) -> None:
    for entry in opened(witnessed).entries:
        if entry.seat == "witness" and "key" not in entry.fields:
            assert set(entry.fields) == {"seat", "date", "nonce", "proof", "position"}
    rolls = dice_count.dice(witnessed).rolls
    assert rolls and all(roll.witness == "witness" for roll in rolls)


def test_reports_say_practice_unofficial_and_quote_rulings(
    homes: tuple[Home, Home], witnessed: bytes
) -> None:
    for template in ("report.txt.j2", "report.md.j2"):
        text = render.render(
            template,
            own_report.facts_for(open_game.open_file(witnessed, homes[0]), public=False)[0],
        )
        assert "practice" in text and "unofficial" in text
    everything = render.render("report.md.j2", report(opened(witnessed), None, {}, 0))
    assert "(Exploration Step; ruling 17)" in everything and "Your hand" not in everything


def test_what_is_asked_is_listed_by_shape(homes: tuple[Home, Home]) -> None:
    ann = homes[0]
    data = invite(ann)
    facts = questions.moves(
        open_game.open_file(data, ann), ["samoa has 4 boxes", "samoa starts with nothing"]
    )
    shapes = opened(data).rules.shapes(facts.options)
    assert "discover N from tonga N from samoa: N boxes N green" in shapes and len(
        shapes
    ) < 10 < len(facts.options)
    assert "exploration complete" in shapes and "undo" in shapes


def test_undo_by_ledger_keeps_dice(homes: tuple[Home, Home], golden: Golden) -> None:
    """The corrected report is a new decision; the die that fell before is the die of the corrected
    report."""
    ann, ben = homes
    data = join(ben, invite(ann, ben))

    def says(data: bytes, *answers: str) -> bytes:
        return take_turn.next_entry(open_game.open_file(data, ann), Intent(list(answers)))

    wrong, right = (
        "discover 1 from tonga 2 from samoa: atoll",
        "discover 9 from tonga 8 from samoa: atoll",
    )
    data = write(ben, says(data, "samoa has 4 boxes", "samoa starts with nothing", wrong))
    die = list(game_in(data).dice)
    data = says(data, "undo", right, "exploration complete", "movement complete", "victory 1")
    game = game_in(data)
    assert (
        len(die) == 1
        and game.dice == die
        and game.realm.groups[game.realm.data.names.index("group 1")].canoe
    )
    assert (game.undos, game.undos_after_chance) == (1, 1)
    text = render.render("report.md.j2", report(opened(data), None, {}, 0))
    golden(*(line for line in text.splitlines() if " back: " in line or " undo" in line))
    assert wrong in text


def test_own_dice_are_told_everywhere(homes: tuple[Home, Home], golden: Golden) -> None:
    ann = homes[0]
    data = play_on(invite(ann, own_dice=1), [ann], by_verb(random.Random(4)))
    assert b'"own-dice",' in data and not dice_count.dice(data).rolls
    text = render.render(
        "report.txt.j2", own_report.facts_for(open_game.open_file(data, ann), public=False)[0]
    )
    golden(*(line for line in text.splitlines() if "proves" in line))
    assert "own dice" in text


def test_with_own_dice_an_entry_may_stop_after_any_report(homes: tuple[Home, Home]) -> None:
    """But not without one, and never where dice come from keys (docs/format.md, section 4)."""
    ann = homes[0]
    data = invite(ann, own_dice=1)
    for answer in ("samoa has 4 boxes", "samoa starts with nothing", "exploration complete"):
        data = take_turn.next_entry(open_game.open_file(data, ann), Intent([answer]))
    assert len(opened(data).entries) == 4
    with pytest.raises(Refused):
        take_turn.next_entry(open_game.open_file(data, ann), Intent())
    with pytest.raises(Refused):
        take_turn.next_entry(open_game.open_file(invite(ann), ann), Intent(["samoa has 4 boxes"]))


def test_more_answers_than_an_entry_holds_are_refused_before_anything_is_signed(
    homes: tuple[Home, Home], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With own dice a whole turn at the table can take hundreds; that many are not made here."""
    monkeypatch.setattr(signing, "MAX_ELEMENTS", 3)
    opened_file = open_game.open_file(invite(homes[0], own_dice=1), homes[0])
    answers = [
        "samoa has 4 boxes",
        "samoa starts with nothing",
        "exploration complete",
        "movement complete",
    ]
    with pytest.raises(Refused):
        take_turn.next_entry(opened_file, Intent(answers))
    assert take_turn.next_entry(opened_file, Intent(answers[:3]))


@pytest.mark.dear("plays whole games by mail")
def test_simulated_by_mail() -> None:
    for settings in ({}, {"witness": 1}):
        assert json.dumps(plain(simulate("paradise", 2, "1", settings=settings, by_mail=True)))
    assert "tonga" in str(simulate("paradise", 3, "1"))


def test_a_practice_chit_says_so_wherever_it_is_shown() -> None:
    """Its name, and its text; filled-in chits do not."""
    assert all("practice" in name and "Unofficial" in CARD_TEXTS[name] for name in RULES.cards)
    filled = RULES.with_data([f"chits: {chit.sides()}" for chit in PRACTICE])
    assert not any("practice" in name or "Unofficial" in CARD_TEXTS[name] for name in filled.cards)
    assert "elephant 1: 1 Village, Build" not in CARD_TEXTS


def test_simulated_with_data(tmp_path: Path) -> None:
    """In memory, in several processes and through the ledger; what does not hold names its file and
    line."""
    (tmp_path / "map.txt").write_text(
        "\n".join(line.removeprefix("map: ") for line in SMALL_MAP), encoding="utf-8"
    )
    data = read(registry.descriptor("paradise"), tmp_path)
    one, two = (simulate("paradise", 12, "1", data=data, jobs=jobs) for jobs in (1, 2))
    assert one.results == two.results != simulate("paradise", 12, "1").results
    assert simulate("paradise", 2, "1", data=data, by_mail=True, settings={"witness": 1}).games == 2
    (tmp_path / "map.txt").write_text("hex samoa 0 0 known\nhex fiji 9 9 9\n", encoding="utf-8")
    with pytest.raises(Usage) as refused:
        simulate("paradise", 1, "1", data=read(registry.descriptor("paradise"), tmp_path))
    assert refused.value.where.endswith("map.txt, line 2")


# ---- data ----------------------------------------------------------------------------------------


def test_data_stand_in_the_invitation_and_everybody_reads_them(homes: tuple[Home, Home]) -> None:
    ann, ben = homes
    data = join(ben, invite(ann, ben, MAP))
    entry = turnfile.read(data).entries[0]
    assert entry.list("data") == list(SMALL_MAP)
    data = play_on(data, [ann, ben], by_verb(random.Random(2)))
    assert verification.verify(data)[1] is None
    view = game_in(data).view(None, {})
    assert len(view["hexes"]) == 14
    drawn = picture.svg("paradise", view)
    assert drawn.count('class="isles-hex') == 14 and picture.png(drawn)


def test_a_later_entry_has_no_data(homes: tuple[Home, Home]) -> None:
    ann = homes[0]
    data = invite(ann)
    with pytest.raises(RulesBroken, match='"data"'):
        opened(forged(write(ann, data, by_verb(random.Random(1))), ann, 1, {"data": ["map: x"]}))


@pytest.mark.parametrize(
    "lines",
    [
        ["map: hex samoa 0 0 known"],
        ["chits: 1 Village / Build"],
        ["chits: 1 Elephant / Build"],
        ["nonsense"],
        ["setup: boxes 9"],
        ["tiles: hiva: 4 boxes 5 green"],
        [" setup: boxes 4"],
        ["setup: boxes 4\nsetup: boxes 4"],
        ["setup: boxes 4", "setup: boxes 5"],
    ],
    ids="; ".join,
)
def test_a_file_with_data_that_do_not_hold_is_refused(
    homes: tuple[Home, Home], lines: list[str], golden: Golden
) -> None:
    with pytest.raises(Malformed) as refused:
        opened(forged(invite(homes[0]), homes[0], 0, {"data": lines}))
    assert f"data {len(lines)}" in refused.value.where
    golden(refused.value.what)


def test_games_that_take_no_data_refuse_them(homes: tuple[Home, Home]) -> None:
    data = invitations.invite(homes[0], invitations.NewGame("tripoli-solitaire"))
    with pytest.raises(Malformed, match="data"):
        opened(forged(data, homes[0], 0, {"data": ["map: x"]}))


def test_bounds_of_the_field(homes: tuple[Home, Home]) -> None:
    """At most 512 lines of 200 characters (docs/format.md, sections 2 and 3)."""
    for lines in (["x" * 201], ["x"] * 513):
        with pytest.raises(Malformed):
            turnfile.read(forged(invite(homes[0]), homes[0], 0, {"data": lines}))


def forged(data: bytes, home: Home, number: int, fields: dict[str, list[str]]) -> bytes:
    """The file up to this entry, which holds these fields besides and is signed again."""
    file = turnfile.read(data)
    before = file.prefix(number) if number else f"{turnfile.HEADER}\n".encode()
    body = turnfile.write_body(turnfile.in_order({**file.entries[number].fields, **fields}))
    signature = home.identity().sign(SIGNATURE_TAG + turnfile.digest_of(before, body))
    return before + body + turnfile.write_signature(signature)


# ---- files to fill in ----------------------------------------------------------------------------


def test_templates_are_written_and_read_back(tmp_path: Path, homes: tuple[Home, Home]) -> None:
    paradise = registry.descriptor("paradise")
    written = write_templates(paradise, tmp_path / "mine")
    assert [path.stem for path in written] == list(paradise.data)
    lines = read(paradise, tmp_path / "mine")
    assert lines and {one.path.stem for one in lines} == {"cards"}  # all else waits to be filled in
    rules = opened(invite(homes[0], None, lines)).rules
    assert rules.settings_in_words({}) == ["practice chits (unofficial)"]


def test_filled_in_chits_are_not_called_unofficial(
    tmp_path: Path, homes: tuple[Home, Home]
) -> None:
    paradise = registry.descriptor("paradise")
    write_templates(paradise, tmp_path)
    chits = ["1 Village / Build"] * 11 + ["1 Card/Attack!  # the one with the shark"] * 4
    (tmp_path / "chits.txt").write_text("\n".join(chits) + "\n", encoding="utf-8")
    data = invite(homes[0], None, read(paradise, tmp_path))
    assert opened(data).rules.settings_in_words({}) == []
    text = render.render(
        "report.txt.j2",
        own_report.facts_for(open_game.open_file(data, homes[0]), public=False)[0],
    )
    assert "unofficial" not in text and "practice" not in text


def test_errors_name_file_and_line(tmp_path: Path, homes: tuple[Home, Home]) -> None:
    (tmp_path / "setup.txt").write_text(
        "# what Samoa has\nboxes 4\n\nwarriors many\n", encoding="utf-8"
    )
    with pytest.raises(Usage, match="warriors many") as refused:
        invite(homes[0], None, read(registry.descriptor("paradise"), tmp_path))
    assert refused.value.where.endswith("setup.txt, line 4")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"\xff\xfe", "no UTF-8"),
        (b"boxes " + b"4" * 300, "at most 200"),
        (b"boxes\x074", "visible"),
        (b"", "nothing is filled"),
    ],
)
def test_files_are_doubted(tmp_path: Path, text: bytes, words: str) -> None:
    (tmp_path / "setup.txt").write_bytes(text)
    with pytest.raises(Usage, match=words):
        read(registry.descriptor("paradise"), tmp_path)


def test_other_games_take_no_data(tmp_path: Path) -> None:
    with pytest.raises(Usage):
        write_templates(registry.descriptor("loot"), tmp_path)
    assert not list(tmp_path.iterdir())
    with pytest.raises(Usage, match="no folder"):
        read(registry.descriptor("paradise"), tmp_path / "nowhere")


def test_a_correction_can_be_an_entry_of_its_own(homes: tuple[Home, Home], golden: Golden) -> None:
    """Ruling 27: alone, and only where the fact has just been stated; with a witness an
    entry goes on to where chance is waited for."""
    ann, ben = homes
    began = ("samoa has 4 boxes", "samoa starts with nothing")
    mended = ("correct pieces on samoa", "2 warriors")

    def says(data: bytes, *answers: str) -> bytes:
        return take_turn.next_entry(open_game.open_file(data, ann), Intent(list(answers)))

    data = says(invite(ann), *began, "correct samoa", "samoa has 5 boxes")
    data = says(data, *mended)
    assert turnfile.read(data).entries[2].list("answers") == list(mended)
    assert game_in(data).realm.groups[0].warriors == 2 and opened(data).to_act() == 0
    for answers in (
        mended[:1],
        ("exploration complete",),
        (mended[0], "3 warriors", "exploration complete"),
    ):
        with pytest.raises(take_turn.MoreNeeded):
            says(data, *answers)
    data = says(data, "undo", "3 warriors")
    assert game_in(data).realm.groups[0].warriors == 3 and game_in(data).realm.corrections == 2
    told = render.render("report.md.j2", report(opened(data), None, {}, 0))
    golden(*(line for line in told.splitlines() if "Correction: " in line))
    (newest,) = own_report.facts_for(open_game.open_file(data, ann), public=False)[
        0
    ].position.entries
    assert newest.number == 3, "nobody else writes: show tells what was said last"
    with pytest.raises(take_turn.MoreNeeded):
        says(join(ben, invite(ann, ben)), *began, *mended)


def test_a_correction_is_told_as_one(tmp_path: Path) -> None:
    """Ruling 27: in the story of the game, with what was kept before, and not as an ordinary
    report."""
    data = (Path(__file__).parents[1] / "archive" / "paradise-4-corrected.toml").read_bytes()
    text = render.render("report.md.j2", report(opened(data), None, {}, 0))
    told = [line for line in text.splitlines() if "Correction: " in line]
    assert told and all("(ruling 27)" in line and ", not " in line for line in told)
    assert (
        "reports: correct" not in text
        and f"Facts stated anew: {game_in(data).realm.corrections}" in text
    )
