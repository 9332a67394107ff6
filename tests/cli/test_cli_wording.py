"""Words that commands share: numbers and lists in English, an old file, a draw, and who writes
next."""

from __future__ import annotations

from email import message_from_bytes
from email.policy import default as email_policy
from pathlib import Path

import pytest

from pbem.english import counted, listed, tallied
from pbem.home.home import Home
from pbem.simulate import figures, series
from tests.support.begun_game import BegunGame
from tests.table.test_table_request import Reader


def test_numbers_and_lists() -> None:
    assert [counted(number, "entry", "entries") for number in (0, 1, 2)] == [
        "0 entries",
        "1 entry",
        "2 entries",
    ]
    assert counted(1, "roll") == "1 roll" and counted(3, "roll") == "3 rolls"
    assert [listed(things) for things in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == [
        "",
        "a",
        "a and b",
        "a, b and c",
    ]
    assert tallied(["gold 1", "blue 2", "gold 1"]) == ["blue 2", "2 × gold 1"]


def test_verify_counts_in_the_singular_and_leaves_out_what_is_not_there(begun: BegunGame) -> None:
    said = [begun.ann.types("verify", file)[1].splitlines()[1] for file in begun.files]
    assert said[0].endswith(" 1 turn") and said[1].endswith(" 2 turns")
    assert "4 turns" in said[3] and " 2 draws" in said[3] and "opened" not in said[3]
    build = next(
        option
        for option in begun.ann.does("moves", begun.last)["options"]
        if option.startswith("build with")
    )
    begun.write("american", "play", begun.last, "; ".join([build, *_rest(begun, build)]))
    assert begun.ann.types("verify", begun.last)[1].splitlines()[1].endswith(" and 1 opened card")


def _rest(begun: BegunGame, first: str) -> list[str]:
    """Answers that end a turn first with this one."""
    given = [first]
    while not (facts := begun.ann.does("moves", begun.last, "--after", "; ".join(given)))[
        "complete"
    ]:
        given.append(facts["options"][0])
    return given[1:]


def test_an_old_file_is_called_so_in_the_same_words(begun: BegunGame) -> None:
    (words,) = begun.ann.does("show", begun.files[1])["warnings"]
    assert "turn 2" in words and words in begun.ann.types("show", begun.files[1])[1]
    for command in (["moves", begun.files[1]], ["play", begun.files[0], "event swedish"]):
        assert words in begun.ann.types(*command)[2]


def test_what_everybody_may_see_says_nothing_of_this_home(begun: BegunGame) -> None:
    """Notes tell what a home remembers, and which cards a partner fails to show: they go beside a
    public report."""
    (words,) = begun.ann.does("show", begun.files[1])["warnings"]
    code, text, notes = begun.ann.types("show", begun.files[1], "--public")
    assert code == 0 and words not in text and notes == f"pbem: {words}\n"
    facts = begun.ann.does("show", begun.files[1], "--public")
    assert facts["warnings"] == [] and not facts["stale"]
    assert begun.ann.does("show", begun.files[1])["stale"]


def test_an_agreed_draw_is_told_once(begun: BegunGame) -> None:
    begun.write("american", "play", begun.last, "event swedish", "--offer-draw")
    offered = begun.ben.types("show", begun.last)[1]
    assert offered.count("pbem draw FILE --decline") == 1
    assert begun.ben.does("show", begun.last)["over"] is None
    begun.write("tripolitan", "draw", begun.last)
    agreed = begun.ann.types("show", begun.last)[1]
    assert "pbem draw" not in agreed and agreed.count("A draw: ") == 1
    result = begun.ann.does("verify", begun.last)["result"]
    assert (result["winners"], result["proven"]) == ([], False)
    (kept,) = begun.ben.does("inbox", begun.last)["games"]
    assert (kept["over"]["winners"], kept["over"]["proven"]) == ([], False)


def test_a_result_is_unproven_wherever_it_is_told_until_all_have_opened_their_decks(
    begun: BegunGame, tmp_path: Path
) -> None:
    begun.write("american", "play", begun.last, "event swedish", "--offer-draw")
    written = begun.write("tripolitan", "draw", begun.last)
    when = "It is proven when Ann has opened their deck for checking"
    mail = message_from_bytes((begun.folder / written["mail"]).read_bytes(), policy=email_policy)
    for kind in ("plain", "html"):
        assert when in " ".join(mail.get_body((kind,)).get_content().split())
    for command in (
        ["show", begun.last],
        ["show", begun.last, "--format", "md"],
        ["log", begun.last],
    ):
        said = begun.ann.types(*command)[1]
        assert when in said and "and proven" not in said
    (unproven,) = (
        line for line in begun.ann.types("verify", begun.last)[1].splitlines() if "unproven" in line
    )
    assert "american" in unproven
    for told in (
        begun.ann.does("show", begun.last)["over"],
        begun.ann.does("verify", begun.last)["result"],
    ):
        assert (told["proven"], told["by_hand"], told["unproven"]) == (False, False, ["american"])
    (kept,) = begun.ann.does("inbox", begun.last)["games"]
    assert kept["over"]["proven"] is False
    page = (
        Reader(Home(begun.ann.home), tmp_path / "files")
        .ask("GET", f"/game/{kept['game']}")
        .body.decode()
    )
    assert when in page and "and proven" not in page
    begun.write("american", "play", begun.last)
    assert "over and proven" in begun.ann.types("show", begun.last)[1]


def test_the_legal_moves_stand_below_the_question(begun: BegunGame) -> None:
    facts = begun.ann.does("show", begun.last)
    assert facts["moves"] == begun.ann.does("moves", begun.last)["options"]
    text = begun.ann.types("show", begun.last)[1]
    question, said = text.splitlines()[-2:]
    assert facts["asked"]["prompt"] in question
    assert "; ".join(facts["moves"][:12]) in said
    first = next(option for option in facts["moves"] if option.startswith("move with"))
    assert f"\n{said}.\n" in begun.ann.types("show", begun.last, "--format", "md")[1]
    after = begun.ann.does("show", begun.last, "--after", first)["moves"]
    assert after and after != facts["moves"]
    assert (
        begun.ben.does("show", begun.last)["moves"]
        == []
        == begun.ann.does("show", begun.last, "--public")["moves"]
    )


# ---- simulations ---------------------------------------------------------------------------------


def test_a_series_of_loot_is_summed_up_by_quartiles() -> None:
    facts = series.simulate("loot", 40, "1")
    assert 1 <= len(facts.results["how"]) <= 2
    spread = facts.results["gold of the winner"]
    order = [
        getattr(spread, name)
        for name in ("lowest", "first_quartile", "median", "third_quartile", "highest")
    ]
    assert order == sorted(order) and 0 < order[0] < order[-1] <= 100
    text = figures.in_words(facts)
    assert f"{order[1]:g} to {order[3]:g}" in text and "median" in text
    assert len(text.splitlines()) < 10
    again = series.simulate("loot", 40, "1", jobs=2)
    assert again.results == facts.results


def test_by_mail_the_period_is_named_as_the_game_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game without standing orders is played at one level; the figures for scripts are there all
    the same."""
    played: list[str] = []
    play = series.play_by_mail

    def counting(*arguments: object) -> object:
        played.append(str(arguments[4]))  # how much is settled by standing orders
        return play(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(series, "play_by_mail", counting)
    facts = series.simulate("loot", 1, "1", by_mail=True)
    assert played == [""]
    text = figures.in_words(facts)
    assert "per turn" in text and "season" not in text
    assert "orders" not in text and all(
        getattr(facts, figure) == facts.entries_per_season for figure in figures.LEVELS
    )
    tripoli = series.simulate("tripoli", 1, "1", by_mail=True)
    assert played[1:] == list(figures.LEVELS.values())
    assert "per season with orders" in figures.in_words(tripoli)
