// The drawer: the log, who plays, all answers, and whatever else goes with a turn. It is open where the window is wide, and
// else behind a button that says how much is new.
"use strict";

let isSeen = ""; // the news that somebody has had before their eyes

// How much of the log nobody has seen yet, on the button that opens it.
function countNews() {
  const log = document.getElementById("log-button"), news = [...document.querySelectorAll(".log > article h3")];
  if (!log) return;
  const mark = news.map((one) => one.textContent).join();
  if (isDrawerOpen() || docked.matches) isSeen = mark;
  const count = mark === isSeen ? 0 : news.length;
  log.textContent = count ? `Log ${count}` : "Log";
  log.classList.toggle("news", count > 0);
  log.setAttribute("aria-label", count ? `Log ${count} new, and people` : "Log and people");
}

// Names of cards and places in the log: the one shows its text, the other lights up on the board.
async function linkLog() {
  countNews();
  const lines = [...document.querySelectorAll(".log .deeds li:not([data-linked])")];
  if (!lines.length || !main().dataset.name) return;
  for (const line of lines) line.dataset.linked = "";
  const cards = Object.keys(await cardTexts()), places = [...pins.keys()];
  const names = [...places, ...cards].sort((one, other) => other.length - one.length);
  if (!names.length) return;
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(${names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})(?![\\p{L}\\p{N}])`, "u");
  for (const line of lines) {
    const parts = line.textContent.split(pattern), touched = parts.filter((part) => places.includes(part));
    if (parts.length === 1) continue;
    line.replaceChildren(...parts.map((part, at) => (at % 2 && cards.includes(part) ? cardName(part) : part)));
    if (touched.length) {
      line.dataset.touches = JSON.stringify([...new Set(touched)]);
      line.tabIndex = 0;
    }
  }
}

function cardName(name) {
  const named = make("span", { className: "names-card", textContent: name, tabIndex: 0 });
  named.dataset.names = name;
  return named;
}

function touch(event) {
  const line = event.target.closest?.("[data-touches]"), wanted = line ? JSON.parse(line.dataset.touches) : [];
  for (const [name, pin] of pins) pin.button.classList.toggle("touched", wanted.includes(name));
}
document.addEventListener("pointerover", touch);
document.addEventListener("focusin", touch);

// The whole log is made only for whoever asks for it.
document.addEventListener("click", async (event) => {
  const page = main();
  if (event.target.id !== "older") return;
  try {
    const text = await (await ask(`/game/${event.target.dataset.name}/log`)).text();
    if (main() !== page) return;
    document.getElementById("whole-log").replaceWith(new DOMParser().parseFromString(text, "text/html").getElementById("whole-log"));
    event.target.remove();
    document.querySelector("#whole-log a").focus();
    linkLog();
  } catch (error) {
    noAnswer(error);
  }
});

prepare();
