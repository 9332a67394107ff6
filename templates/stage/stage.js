// The stage: one screen that does not scroll. The page of a game comes as a document, which is what it stays without
// JavaScript; here its parts are put where they belong: board, prompt, hand, what is told above the board, and the drawer.
"use strict";

document.documentElement.classList.add("scripted"); // nothing is seen before it lies where it belongs

// A part may say where it lies (`data-in`); all others lie in the main part itself.
const boxOf = (part) => (part.dataset.in && document.getElementById(part.dataset.in)) || main();

function arrange() {
  const page = main(), isStage = page.classList.contains("playing");
  document.documentElement.classList.toggle("staged", isStage);
  if (!isStage) return;
  if (!document.getElementById("view")) {
    buildStage(page, make("a", { href: addressOf("/"), className: "home-link", textContent: "‹", title: "all games", ariaLabel: "all games" }));
    page.append(buildDrawer("Log, people, and what goes with the turn"));
  }
  for (const part of page.querySelectorAll(":scope > [data-in]")) boxOf(part).append(part);
  const work = page.querySelector(".work");
  work?.setAttribute("data-covers", "bottom");
  if (work) growing.observe(work);
  page.querySelector(".held")?.setAttribute("data-covers", "bottom");
  addCloser(page.querySelector(".told"));
  for (const letter of page.querySelectorAll(".letter")) addLetterCloser(letter);
}

// What stands above the prompt goes up with one that needs more room than it has.
function keepBar() {
  const work = document.querySelector(".work");
  work?.closest("main").style.setProperty("--bar-now", `${work.offsetHeight}px`);
}
const growing = new ResizeObserver(() => {
  keepBar();
  const dice = document.getElementById("dice");
  if (!dice?.matches(".below:not([hidden])")) return;
  dice.placedFor = ""; // it stands on the bar, and the board on it
  if (rows) rows.isBrief = false; // what had no room may have it now
  placeDice();
});
window.addEventListener("resize", keepBar); // before the camera's own

// Parts in the order of the page, each in its box, before what follows it there.
function putInOrder(parts) {
  const next = new Map([[main(), document.getElementById("drawer")]]);
  for (const part of [...parts].reverse()) {
    const box = boxOf(part), after = next.get(box) ?? null;
    if (part.parentNode !== box || part.nextElementSibling !== after) box.insertBefore(part, after);
    next.set(box, part);
  }
}

// What is told can be put away, but for what waits for an answer.
function addCloser(told) {
  if (!told || told.querySelector(".ask-again, .preview, .joining, :scope > .close")) return;
  told.append(Object.assign(button("✕", () => {
    told.remove();
    follow(true);
  }, "close"), { ariaLabel: "put this away", title: "put this away" }));
}

// Letters that were put away stay away, whatever else of the page is made anew.
const readLetters = new Set();
function addLetterCloser(letter) {
  const mark = `${main().dataset.name} ${letter.dataset.letter}`;
  letter.hidden = readLetters.has(mark);
  if (letter.querySelector(".close")) return;
  letter.append(Object.assign(button("✕", () => {
    readLetters.add(mark);
    letter.hidden = true;
    follow(true);
  }, "close"), { ariaLabel: "put this message away", title: "put this away" }));
}

// Another page takes the place of this one: places, camera and film belong to what was shown, and what was begun there is over.
function leaveStage() {
  closeBeside();
  closeHint();
  document.documentElement.classList.remove("filming");
  film = { key: "", address: "", steps: null };
  ground = rows = aimedAt = list = wanted = texts_of_cards = null;
  [path, amount, isListOpen] = [[], 1, false];
  for (const one of [pins, sizes, widest]) one.clear();
  document.getElementById("behind").hidden = true;
}

// What the page of a game has: data and a backdrop, or a picture of another game before it begins.
function prepareBoard() {
  const view = document.getElementById("view"), svg = view?.querySelector(".ground svg");
  if (!svg) {
    ground = null;
    pins.clear();
    return;
  }
  const isNew = ground?.svg !== svg;
  if (isNew) takeGround(svg);
  const told = document.querySelector("#on-stage");
  drawBoard(told ? JSON.parse(told.textContent) : { whole: [ground.left, ground.top, ground.width, ground.height], places: [] }, true);
  if (isNew) measurePins();
  if (isNew && view.dataset.lies) goTo(camera);
}

// The whole of it, after the page or a part of it has changed.
function prepareStage() {
  arrange();
  prepareBoard();
  document.documentElement.classList.toggle("turns", Boolean(board.turns || board.fields)); // a board of fields takes the height of a low window, too
  drawHand();
  prepareChoices();
  if (low.matches) keepBar(); // the hand stands below the prompt: not a frame later
  if (!ground) return;
  const line = document.querySelector(".doing");
  if (line) requestAnimationFrame(() => (line.scrollLeft = isReport() ? 0 : line.scrollWidth)); // laid out once, with the frame
  const view = document.getElementById("view"), isFirst = !view.dataset.lies;
  if (!document.querySelector(".tools")) view.after(buildTools());
  if (isFirst) {
    isHeld = isWhole = false;
    view.dataset.lies = "yes";
    document.fonts?.ready.then(() => {
      measurePins(true);
      if (ground && !isHeld) aim(false);
      makeWay();
    });
  }
  if (isFirst) aim(false);
  offerFilm();
  paintTimeline();
}

let aimedAt = null; // what could be clicked, and where what is free began, when the camera moved last

// The camera follows what can be clicked, but for somebody who has moved it themselves.
function follow(isAnew = false) {
  if (!ground || !document.getElementById("view").dataset.lies) return;
  const names = [...document.querySelectorAll(".pin:is(.can-go, .chosen-place, .went)")].map((one) => one.dataset.place).join();
  if (isResized) measurePins();
  const targets = `${names} ${freePart().top}`;
  if (targets === aimedAt && !isAnew && !isResized) return;
  if (hasRows()) followRows();
  else if (isHeld || (targets === aimedAt && !isAnew)) goTo(camera);
  else aim(true, board.stretches ? null : mayStay); // a chart fills the window, whatever of it is seen
  aimedAt = targets;
}

// The camera stays where it is for as long as it is about as near as the one it would go to, and all that is to be seen is: the
// places, and a board that they lie in.
function mayStay({ scale, isTurned }) {
  const free = freePart(), all = [...pins.values()], { left, top, right, bottom } = reachOf(all, camera), [x, y, wide, high] = board.whole;
  const spots = [[left, top], [right, bottom], ...(all.some((pin) => pin.place.box) ? [onScreen([x, y]), onScreen([x + wide, y + high])] : [])];
  return isTurned === camera.isTurned && Math.abs(scale / camera.scale - 1) < 0.05
    && spots.every(([at, down]) => at > free.left && at < free.right && down > free.top && down < free.bottom);
}

document.addEventListener("keydown", (event) => {
  if (!document.documentElement.classList.contains("staged") || event.ctrlKey || event.altKey || event.metaKey) return;
  const isField = event.target.closest?.("input, textarea, select, iframe");
  if (event.key === "Escape") {
    if (foldIn() || isField || letGo() || event.repeat) return;
    document.querySelector('.told > .close, [data-action="back"]')?.click(); // what is told, else the newest answer
    return;
  }
  if (isField) return;
  const acts = {
    "+": () => zoomMiddle(1.5), "=": () => zoomMiddle(1.5), "-": () => zoomMiddle(1 / 1.5), 0: aimAtAll, m: aimAtAll,
    l: () => openDrawer(!isDrawerOpen()), h: () => document.querySelector(".held .can-go, .held .card")?.focus(), t: () => showTray(),
    n: () => document.querySelector('[data-action="next-game"]')?.click(),
    r: () => event.repeat || document.querySelector('[data-action="rematch"]')?.click(),
  };
  if (event.key.startsWith("Arrow") && goToTarget(event.key, event.target)) event.preventDefault();
  else if (acts[event.key]) {
    event.preventDefault();
    acts[event.key]();
  }
});

// The arrow keys lead to the nearest target that lies that way: among all places, cards and buttons of a question, or among
// what stands beside a card. Where none lies that way they go on to the next one in the order of the page.
function goToTarget(key, from) {
  if (from.closest?.("#drawer, .told, .above, #marks, #tray")) return false;
  const among = document.getElementById("besides") ? "#besides button" : ".pin.can-go, .pin.chosen-place, #choices button, .held .can-go";
  const all = [...document.querySelectorAll(among)].filter((one) => one.getClientRects().length);
  if (!all.length) return false;
  const middle = (one) => {
    const box = one.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  };
  let next = all[0];
  if (all.includes(from)) {
    const [x, y] = middle(from), [right, down] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
    const ahead = all.filter((one) => one !== from).map((one) => {
      const [atX, atY] = middle(one), along = (atX - x) * right + (atY - y) * down, aside = Math.abs((atX - x) * down) + Math.abs((atY - y) * right);
      return { one, along, cost: along + 2 * aside };
    }).filter(({ along }) => along > 4).sort((one, other) => one.cost - other.cost);
    next = ahead[0]?.one ?? all.at((all.indexOf(from) + right + down) % all.length);
  }
  next.focus({ preventScroll: !next.closest(".held, .work, #besides") });
  return true;
}

// What somebody writes stands above the prompt, where they sign.
document.addEventListener("toggle", (event) => {
  if (event.target.matches?.(".writing") && event.target.open) event.target.querySelector("textarea").focus({ preventScroll: true });
}, true);
