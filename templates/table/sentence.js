// A sentence that is put together, where many answers are about no card and no place: a row of buttons wherever they differ.
"use strict";

let words = []; // what was chosen of it, row by row

function sentenceForm(all) {
  const rows = [];
  let rest = all.map((one) => ({ answer: one, words: one.sentence.split(" ") })), at = 0;
  for (let row = 0; rest.length > 1; row++) {
    while (rest.every((one) => at < one.words.length && one.words[at] === rest[0].words[at])) at += 1;
    const groups = Map.groupBy ? Map.groupBy(rest, (one) => one.words[at] ?? "") : groupBy(rest, (one) => one.words[at] ?? "");
    const line = Object.assign(document.createElement("div"), { className: "row words-row" });
    for (const [word, some] of groups) line.append(wordButton(row, word, some, at));
    rows.push(line);
    if (!groups.has(words[row])) break;
    rest = groups.get(words[row]);
  }
  return rows;
}

function groupBy(all, key) {
  const groups = new Map();
  for (const one of all) groups.set(key(one), [...(groups.get(key(one)) ?? []), one]);
  return groups;
}

function wordButton(row, word, some, at) {
  let end = at;
  while (some.every((one) => end < one.words.length && one.words[end] === some[0].words[end])) end += 1;
  const text = some[0].words.slice(at, end).join(" ") || "nothing more";
  const made = button(text, () => {
    if (some.length === 1) {
      give(some[0].answer);
      return;
    }
    words = [...words.slice(0, row), word];
    paint();
    document.querySelectorAll(".words-row")[row + 1]?.querySelector("button")?.focus({ preventScroll: true });
  }, some.length === 1 ? "choice" : "word");
  if (some.length === 1) made.dataset.give = some[0].answer.sentence;
  else made.setAttribute("aria-pressed", String(words[row] === word));
  return made;
}
