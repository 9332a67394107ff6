// What somebody writes: kept in the turn while they write it, so that neither a refused answer nor a closed page loses it.
"use strict";

const FIELDS = "#message, #note";
let saving = Promise.resolve(); // the last of what is kept: whatever is sent waits for it, for the mark that it gives
let pause = 0;

function texts() {
  return [...document.querySelectorAll(FIELDS)];
}

function unsaved() {
  return texts().some((field) => field.value !== (field.dataset.kept ?? field.defaultValue));
}

function fieldsToKeep() {
  const fields = new URLSearchParams({ mark: main().dataset.mark });
  for (const field of texts()) fields.set(field.name, field.value);
  return fields;
}

function keepTexts() {
  clearTimeout(pause);
  if (unsaved()) saving = saving.then(keepNow, keepNow);
  return saving;
}

async function keepNow() {
  const page = main(), { name } = page.dataset, sent = new Map(texts().map((field) => [field, field.value]));
  if (!name || !sent.size || !unsaved()) return;
  try {
    const facts = await (await ask(`/game/${name}/words`, { method: "POST", body: fieldsToKeep() })).json();
    if (main() !== page) return;
    if (facts.behind) {
      document.getElementById("behind").hidden = false;
      return;
    }
    setMark(facts.mark);
    for (const [field, value] of sent) {
      if (!facts.problem && !facts.unkept.includes(field.name)) field.dataset.kept = value;
      const told = document.getElementById(`${field.name}-problem`), problem = facts.problem ?? facts.problems[field.name];
      told.hidden = !problem;
      told.querySelector("span").textContent = problem ?? "";
      if (problem) heard().textContent = problem;
    }
  } catch {
    // the next click says that the table has ended; the text stays in its field
  }
}

// Each form carries the mark of the page.
function setMark(mark) {
  main().dataset.mark = mark;
  for (const field of document.querySelectorAll("input[name=mark]")) field.value = mark;
}

document.addEventListener("input", (event) => {
  if (!event.target.matches(FIELDS)) return;
  clearTimeout(pause);
  pause = setTimeout(keepTexts, 600);
});
document.addEventListener("change", (event) => {
  if (event.target.matches(FIELDS)) keepTexts();
});
window.addEventListener("pagehide", () => {
  if (unsaved()) askLast(`/game/${main().dataset.name}/words`, fieldsToKeep());
});
// A page that is behind cannot keep anything: whoever leaves it is asked first.
window.addEventListener("beforeunload", (event) => {
  if (unsaved() && !document.getElementById("behind").hidden) event.preventDefault();
});
// "Show it as it is now" takes the texts along, to be copied.
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("#behind a");
  if (!link || !unsaved()) return;
  event.preventDefault();
  const fields = fieldsToKeep();
  fields.set("say", "yes");
  send(`/game/${main().dataset.name}/do`, fields).then(() => (document.getElementById("behind").hidden = true));
});
