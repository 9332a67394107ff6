// What is shown without a home that is kept: the first page, and what is played from it before anybody says who they are; a sample
// of a game, for whoever has not joined it, and a whole game that came with the page. While it is shown all that is asked for is
// answered by it (port.js). Of a sample and of what is watched nothing is signed, kept or sent.
"use strict";

let hasBegun = false; // a game is played here that is not kept yet

// The first page, as the table has it: it was made with the page, and stands there before Python does.
function firstPage() {
  visit = { isUnkept: true, isAtDoor: true, prefix: "/unkept", again: firstPage };
  if (hasBegun) return go("/");
  putPage(new TextDecoder().decode(loaded.get("first.html")));
  main().append(startingLine());
  here = "/";
  history.replaceState({ path: here }, "", BASE.href);
  return tellWhatCame();
}

// What the first page has besides the table's, wherever it was made: called once it stands there (pages.js).
function prepareFirstPage() {
  const page = main();
  for (const one of page.querySelectorAll("img[data-src^='/sample/']")) {
    const drawn = loaded.get(`boards/${one.dataset.src.split("/").pop()}`);
    if (drawn) one.src = `data:image/svg+xml,${encodeURIComponent(new TextDecoder().decode(drawn))}`;
    one.removeAttribute("data-src");
  }
  if (!page.querySelector("[data-put]")) return;
  fillIn(page);
  wireShown(page);
  wireBring(page);
}

// Show a sample; `back` leads out of it.
async function trySample({ game, seat }, back) {
  const { page } = await asking(() => askFacts("/web/try", { game, seat }));
  await enterVisit("Sample: nothing here is signed, kept or sent.", "leave the sample", back, `/game/${page}`);
}

// Watch a whole game that came with the page, from its beginning.
async function watchGame(game, back) {
  const { page, turns } = await asking(() => askFacts("/web/watch", { game }));
  await enterVisit(`A finished game: its ${turns} turns were checked here, and hold.`, "leave it", back, `/game/${page}/entry/1`);
  if (!stillness.matches) await playFilm();
}

async function enterVisit(words, leave, back, page) {
  visit = { isSample: true, isAtDoor: isAtDoor(), prefix: "/visit", words, leave, back };
  document.body.classList.add("has-sample");
  await go(page);
  showStrip();
}

async function leaveSample() {
  const { back } = visit;
  visit = null;
  document.body.classList.remove("has-sample");
  showStrip();
  await askFacts("/web/leave");
  await back();
}

// The way out of a sample that was begun on the page that is shown.
const wayBack = () => {
  const was = here;
  return visit?.again ?? (isAtDoor() ? host.begin : () => go(was, "stay"));
};

document.addEventListener("click", async ({ target }) => {
  const one = target.closest?.("[data-try], [data-watch], [data-make]");
  if (!one || one.disabled) return;
  const { try: game, seat, watch } = one.dataset;
  one.disabled = true;
  try {
    if (game) await trySample({ game, seat }, wayBack());
    else if (watch) await watchGame(watch, wayBack());
    else newDoor({ title: "Who plays here?", act: "Begin", back: firstPage });
  } catch (error) {
    tell(error.message);
    one.disabled = false;
  }
});
