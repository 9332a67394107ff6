// A sample of a game, for whoever has not joined it: in memory, under keys that are thrown away. While it is shown all that
// is asked for is answered by it (port.js), and nothing of it is signed, kept or sent.
"use strict";

// Show a sample; `back` leads out of it.
async function trySample({ game, seat }, back) {
  const { page } = await asking(() => askFacts("/web/try", { game, seat }));
  visit = { isSample: true, isAtDoor: isAtDoor(), back };
  document.body.classList.add("has-sample");
  await go(`/game/${page}`);
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

// What is played here, before anything is asked of somebody who came without an invitation.
async function showGames(page) {
  const answer = await ask("/web/games", { method: "POST" });
  if (answer.status !== 200 || !page.isConnected) return;
  page.querySelector("#shelf").replaceChildren(mainOf(await answer.text()).querySelector("section"));
  for (const one of page.querySelectorAll("[data-begin]")) {
    one.addEventListener("click", (event) => {
      event.preventDefault();
      page.querySelector("#make").scrollIntoView();
      page.querySelector("#name").focus({ preventScroll: true });
    });
  }
}

document.addEventListener("click", async ({ target }) => {
  const one = target.closest?.("[data-try]"), was = here;
  if (!one || one.disabled) return;
  one.disabled = true;
  try {
    await trySample({ game: one.dataset.try, seat: one.dataset.seat }, visit?.again ?? (isAtDoor() ? host.begin : () => go(was, "stay")));
  } catch (error) {
    tell(error.message);
    one.disabled = false;
  }
});
