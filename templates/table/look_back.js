// Looking back: by the slider, by keys and by links, without loading the page anew. The slider itself stays where it is,
// so that it can be dragged on, and so does the board, with its zoom; of all the places that it is dragged over only the newest is asked for.
"use strict";

let wanted = null;
let isLooking = false;

async function look(address) {
  wanted = address;
  if (isLooking) return;
  isLooking = true;
  try {
    while (wanted !== null) {
      const place = wanted;
      wanted = null;
      const answer = await ask(place, { headers: { "Table-Part": "1" } });
      showEntry(await answer.text());
      isNowAt(place);
    }
  } catch {
    ended();
  } finally {
    isLooking = false;
  }
}

function showEntry(text) {
  const fresh = mainOf(text), timeline = main().querySelector(".timeline");
  if (!fresh?.querySelector(".timeline") || !timeline) {
    show(text);
    return;
  }
  const words = main().querySelector(".in-words")?.open;
  const view = main().querySelector("#view"), now = fresh.querySelector("#view"); // it stays as it is zoomed
  view.querySelector(".ground").replaceWith(now.querySelector(".ground"));
  now.replaceWith(view);
  for (const part of ["header", ".columns"]) main().querySelector(part).replaceWith(fresh.querySelector(part));
  if (words && main().querySelector(".in-words")) main().querySelector(".in-words").open = true;
  const steps = [...fresh.querySelector(".timeline").children], slide = document.getElementById("slide");
  [...timeline.children].forEach((step, at) => {
    if (step.contains(slide)) {
      const now = steps[at].querySelector("input");
      slide.max = now.max;
      if (wanted === null) slide.value = now.value;
      return;
    }
    const hasFocus = step === document.activeElement;
    step.replaceWith(steps[at]);
    if (hasFocus) steps[at].focus();
  });
  main().dataset.lookBack = fresh.dataset.lookBack;
  document.title = main().querySelector("h1").textContent;
  heard().textContent = `${document.title}. ${main().querySelector(".deeds").textContent.trim()}`;
  prepare();
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.(".timeline a, .proof a[href*='/entry/']");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  look(link.getAttribute("href"));
});

document.addEventListener("input", (event) => {
  if (event.target.id === "slide") look(`/game/${event.target.dataset.name}/entry/${event.target.value}`);
});

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || main()?.dataset.lookBack === undefined) return;
  if (event.target.closest?.("input, textarea, select")) return;
  const rel = { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last" }[event.key];
  const step = rel && document.querySelector(`.timeline a[rel=${rel}]`);
  if (!step) return;
  event.preventDefault();
  step.click();
});
