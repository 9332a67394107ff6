// Looking back: by the slider, by keys, by links and by the film, without loading the page anew. The timeline itself stays where it
// is, so that it can be dragged on; of all the places that it is dragged over only the newest is asked for.
"use strict";

let wanted = null;
let isLooking = false;

const lookedAt = () => main()?.dataset.lookBack;
const entryAddress = (number) => `/game/${main().dataset.name}/entry/${number}`;

async function look(address) {
  wanted = address;
  if (isLooking) return;
  isLooking = true;
  try {
    while (wanted !== null) {
      const place = wanted, page = main();
      wanted = null;
      const answer = await ask(place, { headers: { "Table-Part": "1", "Table-Has": partsHere() } });
      const text = await answer.text();
      if (main() !== page) return; // somebody has gone elsewhere meanwhile
      if (answer.headers.get("content-type").startsWith("application/json")) patch(JSON.parse(text));
      else show(text);
      isNowAt(place);
    }
  } catch (error) {
    noAnswer(error);
  } finally {
    isLooking = false;
  }
}

// The timeline says which entry is looked at.
function paintTimeline() {
  if (lookedAt() === undefined) return;
  const { lookBack, last, title, heading, said } = main().dataset, at = Number(lookBack), end = Number(last), slide = document.getElementById("slide");
  const steps = { first: 0, prev: Math.max(at - 1, 0), next: Math.min(at + 1, end), last: end };
  for (const [rel, number] of Object.entries(steps)) document.querySelector(`.timeline [rel=${rel}]`).setAttribute("href", addressOf(entryAddress(number)));
  if (wanted === null) slide.value = lookBack;
  document.querySelector(".timeline output").textContent = `${lookBack} of ${last}`;
  document.querySelector(".timeline .words").replaceChildren(make("b", { textContent: heading }), said.slice(heading.length + 1)); // what is heard begins with it too
  document.title = title;
}

document.addEventListener("click", (event) => {
  const link = lookedAt() !== undefined && event.target.closest?.(".timeline a, .proof a[href*='/entry/']");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  look(link.getAttribute("href"));
});

document.addEventListener("input", (event) => {
  if (event.target.id === "slide") look(entryAddress(event.target.value));
});

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || lookedAt() === undefined || isFilming()) return;
  if (event.target.closest?.("input, textarea, select")) return;
  const rel = { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last" }[event.key];
  if (!rel) return;
  event.preventDefault();
  look(document.querySelector(`.timeline [rel=${rel}]`).getAttribute("href"));
});
