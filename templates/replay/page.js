// The page: goes through the entries. What stands in the frame "told" comes from the page's own data; all else comes from
// the file. All words of players are put in as text.
"use strict";
(function (pbem) {
  const { called, said, written, wordOf, headOf, Told, film } = pbem;
  // Found once, before any picture is there: what a picture calls itself changes nothing.
  const IDS = new Map([...document.querySelectorAll("[id]")].map((one) => [one.id, one]));
  const $ = (id) => IDS.get(id);
  const state = {
    run: 0, timer: null, entry: 0, step: 0, isWhole: true, last: -1, viewer: "", entries: [], players: new Map(), seats: [], told: new Told(null, 0),
    hasChosen: false, checked: new Map(), rolls: new Map(), opened: new Map(), notes: new Map(), faces: new Map(), stands: null,
  };
  const STEP = [900, 3200], LETTER = 35; // milliseconds: of a step at least and at most, and for each letter of its lines

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

  const stepsOf = (entry) => state.told.film[entry] ?? [];
  const stepNow = () => stepsOf(state.entry)[state.step];

  function drawBoard() {
    const { told, entry, step } = state, board = told.board(entry, step);
    $("no-board").hidden = told.boards.some(Boolean);
    $("board").hidden = board === null;
    $("board").replaceChildren(...(board === null ? [] : [board]));
    $("board").setAttribute("aria-label", `The board in file ${entry}, as it is told`);
  }

  function drawTold() {
    const { told, entry, step } = state, steps = stepsOf(entry);
    $("when").textContent = told.when(entry);
    const shown = steps.slice(0, step + 1).flatMap(({ lines }, place) => lines.map((text) => element("li", text, place === step ? { class: "now" } : {})));
    $("deeds").replaceChildren(...shown);
    $("ending").hidden = !told.ending || entry < state.entries.length - 1 || step < steps.length - 1;
    $("ending").textContent = told.ending;
    drawHands();
  }

  // What was computed of a step: nothing of it is told, but how many rolls and which backs belong to which step; the last one of a
  // turn has all that are left, and a turn that is looked at as a whole has all of them.

  function drawComputed() {
    const { entry, step } = state, steps = stepsOf(entry), isLast = step === steps.length - 1;
    const rolls = state.rolls.get(entry) ?? [], before = state.isWhole ? [] : steps.slice(0, step);
    const from = before.reduce((sum, one) => sum + one.rolls, 0), until = isLast ? rolls.length : from + stepNow().rolls;
    const mine = [...state.opened].filter(([, number]) => number === entry).map(([back]) => back);
    const earlier = new Set(before.flatMap(({ opened }) => opened)), cards = mine.filter((back) => !earlier.has(back) && (isLast || stepNow().opened.includes(back)));
    const proof = (label, line) => {
      const button = element("button", undefined, { type: "button", "aria-label": `${label}: how it was computed` });
      button.addEventListener("click", () => showProof(line));
      return button;
    };
    const thrown = rolls.slice(from, until).map(({ dice, sides, line }) => {
      const button = proof(`dice ${dice.join(" ")}`, line);
      button.append(...dice.slice(0, 20).map((number) => film.die(number, sides)));
      return button;
    });
    const turned = cards.filter((back) => state.faces.has(back)).map((back) => {
      const button = proof(`card ${state.faces.get(back)}`, (state.checked.get(entry) ?? []).findIndex((text) => text.split(/[ :,]/).includes(back)));
      button.append(state.faces.get(back));
      film.fade(button);
      return button;
    });
    $("computed").replaceChildren(...thrown, ...turned);
  }

  /** The line that says how a die or a card was computed. */
  function showProof(line) {
    const found = $("entry-checked").children[line] ?? $("entry-title");
    found.setAttribute("tabindex", "-1");
    found.focus();
  }

  // What is signed: the file

  function lines(id, texts, attributes) {
    $(id).replaceChildren(...texts.map((text) => element("li", text, attributes)));
    $(id).hidden = !texts.length;
  }

  function drawEntry() {
    const entry = state.entries[state.entry], { stands } = state, note = state.notes.get(entry.number);
    $("entry-title").textContent = `Turn ${entry.number} of the file: ${called(state.players, entry.fields.get("seat"))}`;
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

  const placeOf = (entry, step) => (state.told.first[entry] ?? 0) + step;
  const lastPlace = () => (state.last < 0 ? 0 : placeOf(state.last, stepsOf(state.last).length - 1));

  function draw() {
    if (!state.entries[state.entry]) return;
    drawBoard();
    drawAround();
  }

  /** Everything but the picture. */
  function drawAround() {
    drawTold();
    drawEntry();
    drawComputed();
    const slider = $("slider"), place = placeOf(state.entry, state.step), isEnd = place >= lastPlace();
    slider.max = String(lastPlace());
    slider.value = String(place);
    slider.setAttribute("aria-valuetext", `${$("entry-title").textContent}, step ${state.step + 1} of ${stepsOf(state.entry).length}`);
    for (const [id, off] of [["first", place === 0], ["back", place === 0], ["on", isEnd], ["skip", isEnd]]) $(id).disabled = off;
    for (const link of $("links").querySelectorAll("a")) {
      if (link.hash === `#entry-${state.entry}`) link.setAttribute("aria-current", "step");
      else link.removeAttribute("aria-current");
    }
  }

  // Going through the entries, step by step

  /** To a step of an entry, by default to its last one: the whole turn. */
  function go(entry, step = Infinity, isFollowed = false) {
    state.entry = Math.min(Math.max(entry, 0), Math.max(state.last, 0));
    Object.assign(state, { isWhole: step === Infinity, step: Math.max(0, Math.min(step, stepsOf(state.entry).length - 1)) });
    draw();
    if (!isFollowed && location.hash !== `#entry-${state.entry}`) history.replaceState(null, "", `#entry-${state.entry}`);
  }

  function goTo(place) {
    const kept = Math.min(Math.max(place, 0), lastPlace()), entry = state.told.first.findLastIndex((first) => first <= kept);
    go(entry, kept - state.told.first[entry]);
  }

  /** One step on, as a film: the pieces go their ways over the picture before, then the next one takes its place. */
  async function stepOn() {
    const place = placeOf(state.entry, state.step) + 1, before = $("board").firstElementChild;
    if (place > lastPlace()) return;
    goTo(place);
    const next = $("board").firstElementChild, { moves } = stepNow();
    if (!before || !next || !moves.length || film.calm.matches) {
      if (next && before?.outerHTML !== next.outerHTML) film.fade(next);
      return;
    }
    $("board").replaceChildren(before);
    await film.glide(before, moves);
    if ($("board").firstElementChild !== before) return; // somebody went elsewhere meanwhile
    $("board").replaceChildren(next);
  }

  function play(isOn) {
    clearTimeout(state.timer);
    state.timer = null;
    $("play").textContent = isOn ? "Pause" : "Play";
    $("play").setAttribute("aria-pressed", String(isOn));
    if (!isOn) return;
    const letters = stepNow()?.lines.join("").length ?? 0;
    state.timer = setTimeout(async () => {
      const timer = state.timer;
      await stepOn();
      if (state.timer === timer) play(placeOf(state.entry, state.step) < lastPlace());
    }, Math.min(STEP[1], STEP[0] + LETTER * letters));
  }

  function follow() {
    const match = /^#entry-([0-9]{1,4})$/.exec(location.hash);
    if (match) go(Number(match[1]), Infinity, true);
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
    go(state.entry, Infinity, true);
    for (const id of ["watch", "entry", "told", "index"]) $(id).hidden = last < 0;
  }

  function control() {
    const acts = {
      first: () => goTo(0), last: () => goTo(lastPlace()), back: () => goTo(placeOf(state.entry, state.step) - 1), on: stepOn,
      skip: () => (state.step < stepsOf(state.entry).length - 1 ? go(state.entry) : go(state.entry + 1)), before: () => go(state.entry - 1),
    };
    const act = (name) => (play(false), acts[name]());
    for (const id of ["first", "back", "on", "skip"]) $(id).addEventListener("click", () => act(id));
    $("play").addEventListener("click", () => play(state.timer === null));
    $("slider").addEventListener("input", () => (play(false), goTo(Number($("slider").value))));
    $("viewer").addEventListener("change", () => (Object.assign(state, { viewer: $("viewer").value, hasChosen: true }), draw()));
    addEventListener("hashchange", follow);
    addEventListener("keydown", (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
      const isButton = event.target.closest?.("button, a, summary") !== null;
      const keys = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", PageDown: "skip", PageUp: "before" };
      if (event.key === " " && !isButton) play(state.timer === null);
      else if (keys[event.key]) act(keys[event.key]);
      else return;
      event.preventDefault();
    });
    let start = null;
    $("board").addEventListener("pointerdown", (event) => (start = event.clientX));
    $("board").addEventListener("pointercancel", () => (start = null)); // the browser scrolls or zooms with it
    $("board").addEventListener("pointerup", (event) => {
      const moved = start === null ? 0 : event.clientX - start;
      start = null;
      if (Math.abs(moved) > 40) act(moved < 0 ? "skip" : "before");
    });
  }

  /** A game that is over is looked at as everybody saw it in the end, unless somebody has chosen. */
  function seenInTheEnd() {
    if (!state.hasChosen) $("viewer").value = state.viewer = "*";
  }

  /** The title of the page, from its file; with who has won where that was computed. */
  function titled(entries, winners = null) {
    const { title, about } = headOf(entries, winners);
    for (const id of ["title", "about"]) $(id).textContent = { title, about }[id];
    document.title = title;
  }

  /** The game of a page, from its file; what is told of it besides. */
  function show(entries, { told, trace }) {
    const { players } = headOf(entries);
    Object.assign(state, { entries, players, told: new Told(told, entries.length, players), seats: trace?.seats ?? [] });
    titled(entries);
    const seats = [...players.keys()].map((seat) => [seat, called(players, seat)]);
    const views = [["", "everybody then"], ["*", "everybody in the end"], ...seats];
    $("viewer").replaceChildren(...views.map(([value, text]) => element("option", text, { value })));
    state.entry = Math.max(entries.findLastIndex((entry) => entry.fields.has("key")), 0);
    stopAt(entries.length - 1);
    follow();
  }

  Object.assign(pbem, { page: { $, state, element, control, show, stopAt, draw, titled, seenInTheEnd } });
})(globalThis.pbem);
