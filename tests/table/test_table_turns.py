"""Turns that are played in a real browser: by clicking the board and the hand, by buttons, by the
keyboard alone."""

from __future__ import annotations

import email
import email.policy
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.fileformat import turnfile
from pbem.home.home import Home
from pbem.turn import joining, named_file, open_game, take_turn
from pbem.turn.draft_lines import Intent
from tests.support.homes import complete_answers, make_home
from tests.support.table_kit import Visitor, needs_browser, served

pytestmark = [pytest.mark.dear("drives a browser"), needs_browser]


def begun(folder: Path, game: str, **settings: int) -> tuple[list[Home], Path]:
    """Homes at a game that has begun, and its newest file."""
    ann, ben = make_home(folder / "ann"), make_home(folder / "ben", "Ben")
    data = joining.invite(ann, joining.NewGame(game, options=settings))
    if settings.get("players") == 2 or game == "tripoli":
        data = joining.join(open_game.open_file(data, ben), ben)
    path = folder / "newest.toml"
    path.write_bytes(data)
    return [ann, ben], path


@pytest.fixture
def visit(chromium: Any, tmp_path: Path) -> Iterator[Callable[..., Visitor]]:
    """Somebody with a game that has begun at their table; what the page complained of is
    nothing."""
    visitors: list[Visitor] = []
    tables = []

    def visiting(game: str, at: int = 0, **more: Any) -> Visitor:
        context = more.pop("context", {})
        homes, path = begun(tmp_path, game, **more)
        table = served(homes[at], tmp_path / "files", path)
        tables.append(table)
        visitors.append(Visitor(chromium, table.__enter__(), **context))
        return visitors[-1]

    yield visiting
    for one in visitors:
        one.close()
    for table in tables:
        table.__exit__(None, None, None)
    assert [problem for one in visitors for problem in one.problems] == []


def signed(tmp_path: Path, name: str) -> turnfile.TurnFile:
    return turnfile.read((tmp_path / "files" / name).read_bytes())


def spend(ann: Visitor) -> str:
    """Click a card of the hand, and in what stands beside it the button that spends it to move."""
    name = next(name for name in ann.cards() if f"move with {name}" in ann.answers())
    ann.card(name)
    assert name in ann.page.locator("#besides").inner_text()  # its text stands there as well
    ann.use(f"move with {name}")
    return name


def test_tripoli_by_clicking_the_board(visit: Callable[..., Visitor], tmp_path: Path) -> None:
    """Two frigates are moved with a card by one click on the card, one on what it does, and two for
    each frigate."""
    ann = visit("tripoli")
    assert ann.turn() == "yours"
    spend(ann)
    assert ann.line() and ann.page.locator("#besides").count() == 0
    assert ann.places() == ["Gibraltar"]
    ann.place("Gibraltar")
    assert ann.chosen() == ["place:Gibraltar"] and {"Malta", "Tripoli Patrol Zone"} <= set(
        ann.places()
    )
    assert ann.page.locator('.pin [data-badge="Malta"]').text_content() == "2"  # so many may go
    before = ann.page.locator('.pin[data-place="Malta"]').text_content()
    ann.click('.pin[data-place="Malta"]')
    assert ann.line()[1:] == ["1 gibraltar > malta"]
    # the board shows what it leads to
    assert ann.page.locator('.pin[data-place="Malta"]').text_content() != before
    assert ann.chosen() == ["place:Gibraltar"]  # a click sends another one
    ann.click('.pin[data-place="Algiers"]')
    assert ann.line()[1:] == ["1 gibraltar > malta", "1 gibraltar > algiers"]
    file = signed(tmp_path, ann.sign())
    assert ann.turn() == "theirs"
    assert file.entries[-1].list("answers")[1:] == ["1 gibraltar > malta", "1 gibraltar > algiers"]
    names = {path.suffix for path in (tmp_path / "files").iterdir()}
    assert names == {".toml", ".md", ".eml"}


def test_several_pieces_go_with_one_click(visit: Callable[..., Visitor]) -> None:
    ann = visit("tripoli")
    spend(ann)
    ann.place("Gibraltar")
    ann.page.locator('[data-amount="2"]').click()
    assert ann.page.locator('[data-amount="2"]').get_attribute("aria-pressed") == "true"
    ann.click('.pin[data-place="Malta"]')
    assert ann.line()[-1] == "2 gibraltar > malta"


def test_what_was_clicked_is_let_go(visit: Callable[..., Visitor]) -> None:
    ann = visit("tripoli")
    first = ann.cards()[0]
    for let_go in (
        lambda: ann.page.keyboard.press("Escape"),
        lambda: ann.card(first),
        lambda: ann.page.locator("#besides .close").click(),
        lambda: ann.page.locator(".let-go").click(),
    ):
        ann.card(first)
        assert ann.chosen() == [f"card:{first}"] and ann.page.locator("#besides").is_visible()
        let_go()
        assert ann.chosen() == [] and ann.page.locator("#besides").count() == 0
        assert set(ann.left()) == set(ann.answers())
    ann.card(first)
    # a click elsewhere closes what stands beside it, and the card stays chosen
    ann.page.locator("header h2").click()
    assert ann.page.locator("#besides").count() == 0 and ann.offered()


def test_a_message_that_was_not_kept_goes_with_an_answer(visit: Callable[..., Visitor]) -> None:
    ann = visit("tripoli")
    ann.page.locator("summary", has_text="A message").click()
    ann.page.locator("#message").fill("To sea!")
    ann.give(next(answer for answer in ann.answers() if answer.startswith("build with")))
    assert ann.page.locator("#message").input_value() == "To sea!"


def test_steps_are_taken_back_and_a_line_is_kept(visit: Callable[..., Visitor]) -> None:
    ann = visit("tripoli")
    first = ann.answers()
    ann.give(next(answer for answer in first if answer.startswith("move with")))
    ann.give("1 gibraltar > malta")
    tried = ann.line()
    ann.page.reload()
    assert ann.line() == tried
    ann.click('[data-action="back"]')
    assert ann.line() == tried[:1]
    ann.page.locator("summary", has_text="Other ways").click()
    ann.click('button[name="line"][value="new"]')
    assert ann.line() == [] and ann.answers() == first
    ann.click('button[name="line"][value="0"]')
    assert ann.line() == tried[:1]


def test_by_keyboard_alone(visit: Callable[..., Visitor], tmp_path: Path) -> None:
    ann = visit("tripoli")

    def press(*keys: str) -> None:
        for key in keys:
            ann.page.keyboard.press(key)

    def tab_to(name: str, wanted: Callable[[str], bool]) -> None:
        for _ in range(200):
            if wanted(str(ann.page.evaluate(f"document.activeElement.dataset.{name} ?? ''"))):
                return
            press("Tab")
        raise AssertionError(f"no {name} is reached by the keyboard")

    def enter() -> None:
        ann.page.evaluate("document.querySelector('main').dataset.old = 'yes'")
        press("Enter")
        ann.settle()

    tab_to("card", lambda card: f"move with {card}" in ann.answers())
    press("Enter")
    assert ann.page.evaluate("document.querySelector('#besides').contains(document.activeElement)")
    press("Escape")
    tab_to("card", lambda card: f"move with {card}" in ann.answers())  # it has the focus again
    press("Enter")
    tab_to("give", lambda answer: answer.startswith("move with"))
    enter()
    tab_to("place", lambda place: place == "Gibraltar")
    press("Enter")
    press("2")  # so many pieces go with one step
    tab_to("place", lambda place: place == "Malta")
    enter()
    assert ann.line()[-1] == "2 gibraltar > malta"
    tab_to("action", lambda action: action == "sign")
    enter()
    assert (
        signed(tmp_path, str(ann.page.locator("main").get_attribute("data-file")))
        .entries[-1]
        .number
        == 2
    )


def test_loot_by_clicking(visit: Callable[..., Visitor], tmp_path: Path) -> None:
    somebody = visit("loot", players=2, start=1)
    assert "sign, which lets Ben" in somebody.page.locator("main").inner_text(), "they have to sign"
    assert somebody.turn() == "yours"
    while somebody.answers():
        somebody.card(somebody.cards()[0])
        if places := somebody.places():
            somebody.click(f'.pin[data-place="{places[0]}"]')
        else:
            somebody.use(somebody.offered()[0])
    file = signed(tmp_path, somebody.sign())
    assert file.entries[-1].seat == "first"


def test_solitaire_by_buttons(visit: Callable[..., Visitor], tmp_path: Path) -> None:
    ann = visit("tripoli-solitaire")
    while ann.answers():
        ann.give(ann.answers()[0])
    assert ann.sign().endswith("0001.toml")
    assert ann.turn() == "yours"  # alone the next entry is the player's as well


def test_paradise_by_buttons_and_by_typing(visit: Callable[..., Visitor], tmp_path: Path) -> None:
    ann = visit("paradise")
    assert ann.answers()
    ann.page.locator("#all > summary").click()
    ann.page.locator("#entered").fill(ann.answers()[0])
    ann.click("#entered ~ button")
    assert len(ann.line()) == 1
    while ann.answers() and not ann.page.locator('[data-action="sign"]').count():
        ann.give(ann.answers()[0])
    assert ann.sign().endswith(".toml")


def test_the_preview_is_the_mail_that_is_written(
    visit: Callable[..., Visitor], tmp_path: Path
) -> None:
    ann = visit("tripoli")
    ann.give(next(answer for answer in ann.answers() if answer.startswith("build with")))
    ann.page.locator("summary", has_text="A message").click()
    ann.page.locator("#message").fill("Hello <b>Ben</b>\nhow are you?")
    ann.click('[data-action="preview"]')  # what stands in the field goes with the turn
    frame = ann.page.frame_locator("iframe")
    shown = " ".join(frame.locator("body").inner_text().split())
    assert "Hello <b>Ben</b>" in shown
    # By the keyboard: beside a frame of its own process a headless browser sometimes loses a click
    # of the mouse.
    ann.page.evaluate("document.querySelector('main').dataset.old = 'yes'")
    ann.page.locator('[data-action="sign"]').press("Enter")
    ann.settle()
    name = str(ann.page.locator("main").get_attribute("data-file"))
    data = (tmp_path / "files" / name.replace(".toml", ".eml")).read_bytes()
    html = email.message_from_bytes(data, policy=email.policy.default).get_body(("html",))
    assert html is not None and "Hello &lt;b&gt;Ben" in html.get_content()


def test_resigning_asks_again(visit: Callable[..., Visitor], tmp_path: Path) -> None:
    ann = visit("tripoli")
    ann.click('button[name="resign"]')
    assert ann.turn() == "yours" and ann.page.locator(".ask-again").inner_text()
    ann.click('button[name="resign"][value="yes"]')
    file = signed(tmp_path, str(ann.page.locator("main").get_attribute("data-file")))
    assert file.entries[-1].text("resign")


def test_two_tabs_and_the_command_line_beside(
    visit: Callable[..., Visitor], tmp_path: Path
) -> None:
    ann = visit("tripoli")
    other = ann.page.context.new_page()
    other.goto(ann.page.url)
    ann.give(next(answer for answer in ann.answers() if answer.startswith("build with")))
    old = other.locator("[data-answer]").first.get_attribute("data-answer")
    other.evaluate("document.querySelector('main').dataset.old = 'yes'")
    other.locator("[data-answer]").first.evaluate("one => one.click()")
    other.locator("main:not([data-old])").wait_for()
    assert "behind" in other.locator(".refusal[role=alert]").inner_text()
    assert old not in ann.line()
    home = Home(tmp_path / "ann")
    opened = open_game.open_file(named_file.find(tmp_path / "newest.toml", home).turn, home)
    take_turn.next_entry(opened, Intent(complete_answers(opened, lambda options: options[-1])))
    ann.click('[data-action="sign"]')
    text = ann.page.locator("main").inner_text()
    assert ann.turn() == "theirs" and "behind" in text and "signed meanwhile" in text
    assert not (tmp_path / "files").exists() or not list((tmp_path / "files").glob("*.toml"))


def test_joining_and_looking_back(chromium: Any, tmp_path: Path) -> None:
    ann, ben = make_home(tmp_path / "ann", "<i>Ann</i>"), make_home(tmp_path / "ben", "Ben")
    path = tmp_path / "invitation.toml"
    path.write_bytes(joining.invite(ann, joining.NewGame("tripoli")))
    with served(ben, tmp_path / "files", path) as server:
        visitor = Visitor(chromium, server)
        assert (
            visitor.turn() == "theirs"
            and "<i>Ann</i>" in visitor.page.locator(".joining").inner_text()
        )
        visitor.click('button[name="join"]')
        assert visitor.page.locator("main").get_attribute("data-file")
        visitor.page.goto(visitor.page.url + "/entry/0")
        visitor.page.keyboard.press("ArrowRight")
        visitor.page.locator('main[data-look-back="1"]').wait_for()
        assert visitor.page.locator("#view .ground > svg").count() == 1
        assert visitor.problems == []
        visitor.close()
