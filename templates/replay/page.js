// The page: goes through the entries. What stands in the frame "told" comes from the page's own data; all else comes from
// the file. All words of players are put in as text.
"use strict";
(function (pbem) {
  const { called, said, written, wordOf, headOf, Told } = pbem;
  // Found once, before any picture is there: what a picture calls itself changes nothing.
  const IDS = new Map([...document.querySelectorAll("[id]")].map((one) => [one.id, one]));
  const $ = (id) => IDS.get(id);
  const state = {
    run: 0, timer: null, entry: 0, last: -1, viewer: "", entries: [], players: new Map(), seats: [], told: new Told(null),
    hasChosen: false, checked: new Map(), opened: new Map(), notes: new Map(), faces: new Map(), stands: null,
  };

  function element(name, text, attributes = {}) {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  }

  // What is told

  /** The name of a card for the viewer that was chosen: everybody, from the end; nobody but what was opened; or a seat. */
  function faceOf(back, holder) {
    const opened = state.opened.get(back), shown = state.seats.find((seat) => seat.name === holder)?.shown ?? [];
    const sees = ["*", holder].includes(state.viewer) || shown.includes(state.viewer);
    return (opened !== undefined && opened <= state.entry) || sees ? state.faces.get(back) : undefined;
  }

  function drawHands() {
    $("hands-box").hidden = !state.told.hasHands;
    $("hands").replaceChildren();
    for (const [seat, backs] of state.told.hands(state.entry)) {
      const cards = backs.map((back) => faceOf(back, seat) ?? back);
      cards.sort((left, right) => left.localeCompare(right, "en", { numeric: true }));
      const many = cards.length === 1 ? "1 card" : `${cards.length} cards`;
      $("hands").append(element("dt", `${called(state.players, seat)}: ${many}`), element("dd", cards.join(", ") || "–"));
    }
  }

  function drawTold() {
    const { told, entry } = state, board = told.board(entry);
    $("no-board").hidden = told.boards.some(Boolean);
    $("board").hidden = board === null;
    $("board").replaceChildren(...(board === null ? [] : [board]));
    $("board").setAttribute("aria-label", `The board after file ${entry}, as it is told`);
    $("when").textContent = told.when(entry);
    lines("deeds", told.deeds(entry));
    $("ending").hidden = !told.ending || entry < state.entries.length - 1;
    $("ending").textContent = told.ending;
    drawHands();
  }

  // What is signed: the file

  function lines(id, texts, attributes) {
    $(id).replaceChildren(...texts.map((text) => element("li", text, attributes)));
    $(id).hidden = !texts.length;
  }

  function drawEntry() {
    const entry = state.entries[state.entry], { stands } = state, note = state.notes.get(entry.number);
    $("entry-title").textContent = `File ${entry.number}: ${called(state.players, entry.fields.get("seat"))}`;
    $("entry-meta").textContent = written(entry);
    $("message").hidden = !entry.fields.has("message");
    $("message").textContent = entry.fields.get("message") ?? "";
    $("note").hidden = note === undefined;
    $("note").textContent = note ?? "no text";
    lines("said", said(entry));
    lines("entry-checked", state.checked.get(entry.number) ?? []);
    $("word").textContent = stands === null ? "" : wordOf(stands, entry, state.players);
    $("entry").dataset.signed = stands !== null && stands.on !== null && entry.number <= stands.on ? "all" : "no";
  }

  function draw() {
    if (!state.entries[state.entry]) return;
    drawTold();
    drawEntry();
    const slider = $("slider");
    slider.max = String(Math.max(state.last, 0));
    slider.value = String(state.entry);
    slider.setAttribute("aria-valuetext", $("entry-title").textContent);
    for (const [id, off] of [["first", state.entry === 0], ["back", state.entry === 0], ["on", state.entry >= state.last], ["last", state.entry >= state.last]]) {
      $(id).disabled = off;
    }
    for (const link of $("links").querySelectorAll("a")) {
      if (link.hash === `#entry-${state.entry}`) link.setAttribute("aria-current", "step");
      else link.removeAttribute("aria-current");
    }
  }

  // Going through the entries

  function go(entry, isFollowed = false) {
    state.entry = Math.min(Math.max(entry, 0), Math.max(state.last, 0));
    draw();
    if (!isFollowed && location.hash !== `#entry-${state.entry}`) history.replaceState(null, "", `#entry-${state.entry}`);
  }

  function play(isOn) {
    clearInterval(state.timer);
    state.timer = isOn ? setInterval(() => (state.entry < state.last ? go(state.entry + 1) : play(false)), 1400) : null;
    $("play").textContent = isOn ? "Pause" : "Play";
    $("play").setAttribute("aria-pressed", String(isOn));
  }

  function follow() {
    const match = /^#entry-([0-9]{1,4})$/.exec(location.hash);
    if (match) go(Number(match[1]), true);
  }

  /** The entries after a failure are not shown: the replay stops there. */
  function stopAt(last) {
    state.last = last;
    const links = state.entries.slice(0, last + 1).map(({ number, fields }) => {
      const item = element("li");
      item.append(element("a", called(state.players, fields.get("seat")), { href: `#entry-${number}` }));
      return item;
    });
    $("links").replaceChildren(...links);
    go(state.entry, true);
    for (const id of ["watch", "entry", "told", "index"]) $(id).hidden = last < 0;
  }

  function control() {
    const to = { first: () => 0, back: () => state.entry - 1, on: () => state.entry + 1, last: () => state.last };
    for (const [id, place] of Object.entries(to)) $(id).addEventListener("click", () => (play(false), go(place())));
    $("play").addEventListener("click", () => play(state.timer === null));
    $("slider").addEventListener("input", () => (play(false), go(Number($("slider").value))));
    $("viewer").addEventListener("change", () => (Object.assign(state, { viewer: $("viewer").value, hasChosen: true }), draw()));
    addEventListener("hashchange", follow);
    addEventListener("keydown", (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
      const isButton = event.target.closest?.("button, a, summary") !== null;
      const keys = { ArrowLeft: to.back, ArrowRight: to.on, Home: to.first, End: to.last };
      if (event.key === " " && !isButton) play(state.timer === null);
      else if (keys[event.key]) (play(false), go(keys[event.key]()));
      else return;
      event.preventDefault();
    });
    let start = null;
    $("board").addEventListener("pointerdown", (event) => (start = event.clientX));
    $("board").addEventListener("pointercancel", () => (start = null)); // the browser scrolls or zooms with it
    $("board").addEventListener("pointerup", (event) => {
      const moved = start === null ? 0 : event.clientX - start;
      start = null;
      if (Math.abs(moved) > 40) (play(false), go(state.entry + (moved < 0 ? 1 : -1)));
    });
  }

  /** A game that is over is looked at as everybody saw it in the end, unless somebody has chosen. */
  function seenInTheEnd() {
    if (!state.hasChosen) $("viewer").value = state.viewer = "*";
  }

  /** The game of a page, from its file; what is told of it besides. */
  function show(entries, { told, trace }) {
    const { players, title, about } = headOf(entries);
    Object.assign(state, { entries, players, told: new Told(told), seats: trace?.seats ?? [] });
    for (const id of ["title", "about"]) $(id).textContent = { title, about }[id];
    document.title = title;
    const seats = [...players.keys()].map((seat) => [seat, called(players, seat)]);
    const views = [["", "everybody then"], ["*", "everybody in the end"], ...seats];
    $("viewer").replaceChildren(...views.map(([value, text]) => element("option", text, { value })));
    state.entry = Math.max(entries.findLastIndex((entry) => entry.fields.has("key")), 0);
    stopAt(entries.length - 1);
    follow();
  }

  Object.assign(pbem, { page: { $, state, element, control, show, stopAt, draw, seenInTheEnd } });
})(globalThis.pbem);
