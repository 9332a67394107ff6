// What the page without a game takes: turn files and a trace, one after the other or together. It says which file it judges,
// and what all of them prove of a key that signed two versions.
"use strict";
(function (pbem) {
  const { equal, evidence, evidenceInWords, signedChain, unarmored, NO_ACCUSATION } = pbem;
  const { $, element } = pbem.page;
  const NAMES = 6;
  const given = { turns: [], trace: null, isUsed: false, judged: null };

  /** The name of a file as it may be shown, whatever it is called. */
  const nameOf = ({ name }) => [...name.replace(/[\p{C}\u2028\u2029]/gu, "?")].slice(0, 60).join("");

  const namesOf = (turns) =>
    turns.slice(0, NAMES).map(nameOf).join(", ") + (turns.length > NAMES ? ` and ${turns.length - NAMES} more` : "");

  function takeTrace(bytes) {
    try {
      given.trace = JSON.parse(new TextDecoder().decode(bytes)) ?? {};
    } catch {
      given.trace = {};
    }
    given.isUsed = false;
  }

  /** A turn file, in armor or not; the same bytes once more take the place of those before. */
  function takeTurn(name, raw) {
    if (given.isUsed) given.trace = null; // it is that of the file before
    given.isUsed = false;
    const bytes = unarmored(raw), chain = signedChain(bytes);
    given.turns = given.turns.filter((one) => !equal(one.bytes, bytes));
    given.turns.push({ name, raw, bytes, chain, turns: chain?.entries.length ?? 0 });
  }

  /** Which file is judged: of those that came just now, or that was judged before, the one that the trace is as long as;
   * else the longest. */
  function chosen(fresh) {
    const fits = ({ turns }) => turns === given.trace?.entries?.length, before = given.turns.filter((one) => one === given.judged);
    const from = fresh.length ? fresh : [...before, ...given.turns];
    const longest = (given.judged && !fresh.length) || from.reduce((most, one) => (one.turns > most.turns ? one : most));
    return from.find(fits) ?? longest;
  }

  function tellWhich() {
    const others = given.turns.filter((one) => one !== given.judged);
    const also = others.length ? ` Also here: ${namesOf(others)}.` : "";
    $("judged").textContent = `Judged: ${nameOf(given.judged)}.${also}`;
    $("judged").hidden = false;
  }

  function tellEvidence() {
    const found = evidence(given.turns.map(({ chain }) => chain));
    const lines = found.map((one) => {
      const files = one.files.map((place) => given.turns[place]);
      return `${evidenceInWords(one).slice(0, -1)}: ${namesOf(files)}.`;
    });
    $("evidence").replaceChildren(...[...lines, ...(lines.length ? [NO_ACCUSATION] : [])].map((text) => element("li", text)));
    $("evidence").hidden = !lines.length;
    if (lines.length) document.documentElement.dataset.evidence = String(lines.length);
    else delete document.documentElement.dataset.evidence;
  }

  /** Files that were chosen or dropped: all are read, then one is checked. */
  async function take(files, check, say) {
    const isTrace = (file) => /\.json$/i.test(file.name), before = given.turns;
    for (const file of [...files].sort((left, right) => isTrace(left) - isTrace(right))) {
      const bytes = new Uint8Array(await file.arrayBuffer());
      if (isTrace(file)) takeTrace(bytes);
      else takeTurn(file.name, bytes);
    }
    if (!files.length) return;
    if (!given.turns.length) {
      say([`${nameOf(files[0])} is here. Now the turn file.`]);
      return;
    }
    given.judged = chosen(given.turns.filter((one) => !before.includes(one)));
    given.isUsed = given.trace !== null;
    tellWhich();
    tellEvidence();
    await check(given.judged.bytes, given.trace, given.judged.raw);
  }

  /** Take files from now on; each time one is to be judged `check` gets its bytes, the trace and the bytes of the file, `say` a line before. */
  function takeFiles(check, say) {
    for (const id of ["choose-file", "choose-trace"]) {
      $(id).addEventListener("change", () => take($(id).files, check, say));
    }
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => {
      event.preventDefault();
      take(event.dataTransfer.files, check, say);
    });
  }

  Object.assign(pbem, { takeFiles });
})(globalThis.pbem);
