// What the page without a game takes: turn files, a trace, and pages with a game, which hold both; one after the other or together.
// It says which file it judges, and what all of them prove of a key that signed two versions.
"use strict";
(function (pbem) {
  const { equal, evidence, evidenceInWords, heldIn, rootOf, signedChain, unarmored, NO_ACCUSATION } = pbem;
  const { $, element, gameIn } = pbem.page;
  const NAMES = 6, NO_GAME = "no game is in this page: those that pbem replay FILE --html PAGE.html makes hold one";
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
    for (const one of given.turns) one.trace = null; // this one was chosen
  }

  /** A page with a game: its file, with its own trace. The text of any other page may hold a turn. Raises what is wrong with it. */
  async function takePage(name, raw) {
    const root = rootOf(new DOMParser().parseFromString(new TextDecoder().decode(raw), "text/html")), held = heldIn(root);
    for (const one of root.querySelectorAll("script, style")) one.remove();
    if (!held.file && root.textContent.includes("-----BEGIN PBEM TURN-----")) takeTurn(name, raw, new TextEncoder().encode(root.textContent));
    else if (!held.file) throw new pbem.Failure("trace", NO_GAME);
    else {
      const { bytes, data } = await gameIn(held);
      takeTurn(name, bytes);
      given.turns.at(-1).trace = data?.trace ?? {};
    }
  }

  /** A turn file, in armor or not, which may stand in a text of the file; the same bytes once more take the place of those before. */
  function takeTurn(name, raw, text = raw) {
    if (given.isUsed) given.trace = null; // it is that of the file before
    given.isUsed = false;
    const bytes = unarmored(text), chain = signedChain(bytes);
    given.turns = given.turns.filter((one) => !equal(one.bytes, bytes));
    given.turns.push({ name, raw, bytes, chain, trace: null, turns: chain?.entries.length ?? 0 });
  }

  /** Which file is judged: of those that came just now, or that was judged before, the one that the trace is as long as;
   * else the longest. */
  function chosen(fresh) {
    const fits = ({ turns, trace }) => turns === (trace ?? given.trace)?.entries?.length, before = given.turns.filter((one) => one === given.judged);
    const from = fresh.length ? fresh : [...before, ...given.turns];
    const longest = (given.judged && !fresh.length) || from.reduce((most, one) => (one.turns > most.turns ? one : most));
    return from.find(fits) ?? longest;
  }

  function tellWhich(wrong) {
    const others = given.turns.filter((one) => one !== given.judged);
    const also = others.length ? ` Also here: ${namesOf(others)}.` : "";
    $("judged").textContent = [`Judged: ${nameOf(given.judged)}.${also}`, ...wrong].join(" ");
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

  /** What a file is, mostly whatever it is called. */
  function kindOf(name, bytes) {
    const head = new TextDecoder().decode(bytes.subarray(0, 400)).trimStart();
    return head.startsWith("{") || /\.json$/i.test(name) ? "trace" : /^<(!doctype|html|!--)/i.test(head) ? "page" : "turn";
  }

  async function read(file) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    return { name: file.name, bytes, kind: kindOf(file.name, bytes) };
  }

  /** Files that were chosen or dropped: all are read, then one is checked. */
  async function take(files, check, say) {
    if (!files.length) return;
    const before = given.turns, wrong = [], all = await Promise.all([...files].map(read));
    for (const { name, bytes, kind } of all.sort((left, right) => (left.kind === "trace") - (right.kind === "trace"))) {
      try {
        if (kind === "trace") takeTrace(bytes);
        else if (kind === "page") await takePage(name, bytes);
        else takeTurn(name, bytes);
      } catch (error) {
        wrong.push(`${nameOf({ name })}: ${error.message}.`);
      }
    }
    const fresh = given.turns.filter((one) => !before.includes(one));
    if (!given.turns.length) {
      say([wrong.join(" ") || `${nameOf(all[0])} is here. Now the turn file.`]);
      return;
    }
    if (given.judged && wrong.length === all.length) {
      tellWhich(wrong);
      return;
    }
    given.judged = chosen(fresh);
    given.isUsed = given.trace !== null;
    tellWhich(wrong);
    tellEvidence();
    await check(given.judged.bytes, given.judged.trace ?? given.trace, given.judged.raw);
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
