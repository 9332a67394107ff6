"""What somebody sees of a board in a browser, beside what its data say should be there."""

from __future__ import annotations

from typing import Any

from tests.support.web_tabs import Tab

SEEN = """(() => {
  const told = JSON.parse(document.getElementById("on-stage").textContent), most = 5;
  const all = [...document.querySelectorAll("#view .pins .pin:not(.plate)")], box = (one) => one.getBoundingClientRect();
  const isShown = (one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && box(one).width > 4 && box(one).height > 4;
  const count = (places, of) => places.reduce((sum, place) => sum + of(place.pieces ?? []), 0);
  const free = freePart(), view = viewBox(), middle = (one) => [box(one).left + box(one).width / 2, box(one).top + box(one).height / 2];
  const inFree = ([x, y]) => x > view.left + free.left && x < view.left + free.right && y > view.top + free.top && y < view.top + free.bottom;
  const before = all.map(middle).filter(inFree), lets = (one) => getComputedStyle(one).pointerEvents !== "none", touchable = all.filter(lets).map(middle).filter(inFree);
  return {
    places: all.filter(isShown).map((one) => one.dataset.place).sort(), wanted: told.places.map((one) => one.name).sort(),
    spots: new Set(all.map((one) => middle(one).map(Math.round).join())).size,
    standing: [document.querySelectorAll("#view .standing > g").length, count(told.places.filter((one) => one.stack), (pieces) => pieces.reduce((sum, one) => sum + Math.min(one.count, most), 0))],
    pieces: [[...document.querySelectorAll("#view .pin:not(.plate) .piece")].filter(isShown).length, count(told.places.filter((one) => !one.stack), (pieces) => pieces.length)],
    inFree: before.length, touchable: touchable.length, hit: touchable.filter(([x, y]) => document.elementsFromPoint(x, y).some((one) => one.closest("#view .pin"))).length,
    ground: Boolean(document.querySelector("#view .ground svg")), filming: document.documentElement.classList.contains("filming"),
    canGo: document.querySelectorAll(".pin.can-go, .held .can-go, #choices button").length, turn: main().dataset.turn, isAsked: Boolean(document.querySelector("[data-answer]")),
    cards: document.querySelectorAll(".held .hand > li").length, art: [...document.querySelectorAll(".held .art")].filter((one) => !one.firstChild).length,
  };
})()"""  # noqa: E501


def check_board(tab: Tab, what: str) -> None:
    """Every place of the data is there, once, where it is seen, and so is every piece; what can be
    clicked has its frame."""
    tab.until("!document.querySelector('#view.gliding, .pin.coming')")
    check_seen(tab.run(SEEN), what)


def check_seen(found: dict[str, Any], what: str) -> None:
    """The same of what was measured."""
    assert found["wanted"] and found["places"] == found["wanted"], (what, found)
    assert found["spots"] > 0.9 * len(found["wanted"]), (what, found)
    for kind in ("standing", "pieces"):
        shown, wanted = found[kind]
        assert shown == wanted, (what, found)
    assert found["ground"] and not found["filming"], (what, found)
    assert found["inFree"] and found["hit"] == found["touchable"], (what, found)
    assert not found["isAsked"] or found["canGo"], (what, found)
