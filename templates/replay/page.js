// The page: goes through the entries, and shows what the verifier finds. All words of players are put in as text.
"use strict";
(function (pbem) {
  const $ = (id) => document.getElementById(id);
  const root = document.documentElement;
  const state = { shown: null, boards: [], entry: 0, last: -1, checked: new Map(), timer: null, viewer: "", run: 0 };

  function element(name, text, attributes = {}) {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  }

  // The game as it is shown

  async function inflate(text) {
    const packed = new Blob([pbem.fromBase64(text)]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(packed).text());
  }

  /** The text of the picture after an entry: each picture is kept as its difference from the one before. */
  function unfold({ elements, changes }) {
    const boards = [];
    let now = [];
    for (const change of changes) {
      now = [...now];
      for (const [start, removed, added] of change ?? []) now.splice(start, removed, ...added);
      boards.push(now);
    }
    return boards.map((list) => list.map((number) => elements[number]).join(""));
  }

  function drawBoard() {
    const text = state.boards[state.entry] ?? "", board = $("board");
    $("no-board").hidden = state.boards.some(Boolean);
    board.replaceChildren();
    board.hidden = !text;
    if (!text) return;
    const drawing = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    if (drawing.localName === "svg") board.append(document.importNode(drawing, true));
  }

  /** Whether the viewer that was chosen may know this back: everybody, from the end; nobody but what was opened; or a seat. */
  function faceOf(back, scene, holder) {
    const open = scene.opened[back];
    if (open || state.viewer === "") return open ?? null;
    const sees = state.viewer === "*" || state.shown.seats.find((seat) => seat.seat === state.viewer)?.sees.includes(holder);
    return sees ? state.shown.faces[back] ?? null : null;
  }

  function drawHands(scene) {
    const names = Object.keys(scene.hands);
    $("hands-box").hidden = !state.shown.scenes.some((one) => Object.keys(one.hands).length);
    $("hands").replaceChildren();
    for (const name of names) {
      const cards = scene.hands[name].map((back) => faceOf(back, scene, name) ?? back).sort((left, right) => left.localeCompare(right, "en", { numeric: true }));
      $("hands").append(element("dt", `${name}: ${cards.length === 1 ? "1 card" : `${cards.length} cards`}`), element("dd", cards.join(", ") || "–"));
    }
  }

  function drawChecked() {
    const found = state.checked.get(state.entry) ?? [];
    $("entry-checked").replaceChildren(...found.map((text) => element("div", `✓ ${text}`)));
  }

  function draw() {
    const scene = state.shown?.scenes[state.entry];
    if (!scene) return;
    drawBoard();
    $("entry-title").textContent = `Entry ${scene.number}: ${scene.name ?? scene.seat} (${scene.seat})`;
    $("entry-meta").textContent = [scene.when, `written ${scene.date.replace("T", " ").replace("Z", " UTC")}`].filter(Boolean).join(" · ");
    $("message").hidden = !scene.message;
    $("message").textContent = scene.message;
    $("note").hidden = !scene.note;
    $("note").textContent = scene.note ?? "";
    $("deeds").replaceChildren(...scene.deeds.map((deed) => element("li", deed)));
    $("board").setAttribute("aria-label", `The board after entry ${scene.number}${scene.when ? ", " + scene.when : ""}`);
    drawHands(scene);
    drawChecked();
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
    $("links").replaceChildren(
      ...state.shown.scenes.slice(0, last + 1).map((scene) => {
        const item = element("li"), text = `${scene.name ?? scene.seat} (${scene.seat})${scene.when ? ", " + scene.when : ""}`;
        item.append(element("a", text, { href: `#entry-${scene.number}` }));
        return item;
      }),
    );
    go(state.entry, true);
    if (last < 0) for (const id of ["watch", "entry", "hands-box"]) $(id).hidden = true;
  }

  function control() {
    const to = { first: () => 0, back: () => state.entry - 1, on: () => state.entry + 1, last: () => state.last };
    for (const [id, place] of Object.entries(to)) $(id).addEventListener("click", () => (play(false), go(place())));
    $("play").addEventListener("click", () => play(state.timer === null));
    $("slider").addEventListener("input", () => (play(false), go(Number($("slider").value))));
    $("viewer").addEventListener("change", () => ((state.viewer = $("viewer").value), draw()));
    addEventListener("hashchange", follow);
    addEventListener("keydown", (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
      const isButton = event.target.closest?.("button, a") !== null;
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

  function show(shown) {
    state.shown = shown;
    state.boards = unfold(shown.boards);
    const views = [["", "the public"], ["*", "everybody, in the end"]];
    for (const seat of shown.seats) if (shown.scenes.some((scene) => seat.seat in scene.hands)) views.push([seat.seat, seat.seat]);
    $("viewer").replaceChildren(...views.map(([value, text]) => element("option", text, { value })));
    state.entry = Math.max(state.boards.findIndex(Boolean), 0);
    stopAt(shown.scenes.length - 1);
    follow();
  }

  // What is checked

  const COUNTS = [
    ["entries", "entries in their one spelling, each signed over every byte before it"],
    ["positions", "positions that are the ones their authors signed"],
    ["proofs", "proofs for dice and cards"],
    ["rolls", "rolls thrown again from them"],
    ["draws", "draws made again"],
    ["shuffles", "shuffles of the common deck with their proofs"],
    ["shares", "shares of cards with their proofs"],
    ["seals", "seals of cards kept"],
    ["openings", "opened cards that agree with their seals or shares"],
    ["notes", "private notes that their roots give"],
    ["roots", "roots, from which decks are made again"],
  ];

  function tick(tally, isDone) {
    const rows = COUNTS.filter(([name]) => tally[name]);
    $("ticks").replaceChildren(...rows.map(([name, text]) => element("li", `${tally[name]} ${text}`, isDone ? { class: "done" } : {})));
  }

  function failed(failure) {
    root.dataset.checks = "failed";
    const { entry, layer, message } = failure;
    if (entry !== null && entry !== undefined) root.dataset.failedEntry = String(entry);
    const where = entry === null || entry === undefined ? "The file" : `Entry ${entry}`;
    $("verdict").textContent = `${where} does not hold (${layer}): ${message}`;
    $("ticks").append(element("li", `${where}: ${message}`, { class: "failed" }));
    if (state.shown) stopAt(Math.min(state.last, (entry ?? 0) - 1));
  }

  const pause = () => new Promise((resolve) => setTimeout(resolve, 0));

  async function check(bytes, trace) {
    const run = ++state.run; // another file may come while this one is checked
    root.dataset.checks = "running"; // docs/format.md, section 18: words that programs read
    delete root.dataset.failedEntry;
    $("verdict").textContent = "Checking …";
    $("ticks").replaceChildren();
    await pause();
    if (run !== state.run) return;
    let tally = {}, since = performance.now();
    try {
      for (const { entry, of, gate } of pbem.steps(bytes, trace)) {
        tally = gate.tally;
        state.checked.set(entry.number, gate.told.splice(0));
        if (performance.now() - since < 40) continue;
        $("verdict").textContent = `Checking … entry ${entry.number + 1} of ${of}`;
        tick(tally, false);
        await pause();
        if (run !== state.run) return;
        since = performance.now();
      }
    } catch (error) {
      tick(tally, true);
      failed(error instanceof pbem.Failure ? error : { entry: null, layer: "trace", message: String(error.message) });
      return;
    }
    tick(tally, true);
    const sum = trace ? "All of this holds, from the bytes of the file alone." : "The signatures hold. Give the trace too, for all else.";
    $("verdict").textContent = sum;
    root.dataset.checks = trace ? "ok" : "waiting";
    drawChecked();
  }

  function offer(id, bytes, type) {
    $(id).href = URL.createObjectURL(new Blob([bytes], { type }));
  }

  // A page without a game takes files

  function takeFiles() {
    const given = { file: null, trace: null, isUsed: false };
    const read = async (file) => {
      const bytes = new Uint8Array(await file.arrayBuffer());
      if (/\.json$/i.test(file.name)) {
        try {
          given.trace = JSON.parse(new TextDecoder().decode(bytes));
        } catch {
          given.trace = {};
        }
        given.isUsed = false;
      } else {
        if (given.isUsed) given.trace = null; // it is that of the file before
        given.file = bytes;
      }
      if (!given.file) $("verdict").textContent = `${file.name} is here. Now the turn file.`;
    };
    const take = async (files) => {
      const isTrace = (file) => Number(/\.json$/i.test(file.name));
      for (const file of [...files].sort((left, right) => isTrace(left) - isTrace(right))) await read(file);
      if (!given.file || !files.length) return;
      given.isUsed = given.trace !== null;
      await check(given.file, given.trace);
    };
    for (const id of ["choose-file", "choose-trace"]) $(id).addEventListener("change", () => take($(id).files));
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => {
      event.preventDefault();
      take(event.dataTransfer.files);
    });
  }

  async function main() {
    const file = $("file").textContent.trim();
    if (!file) {
      takeFiles();
      return;
    }
    const bytes = pbem.fromBase64(file), data = await inflate($("data").textContent.trim());
    control();
    show(data.shown);
    offer("save-file", bytes, "application/toml");
    offer("save-trace", JSON.stringify(data.trace), "application/json");
    await check(bytes, data.trace);
  }

  main().catch((error) => failed({ entry: null, layer: "trace", message: `the page cannot be read: ${error.message}` }));
})(globalThis.pbem);
