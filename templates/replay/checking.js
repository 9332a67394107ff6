// What the page checks, and the verdict on it.
"use strict";
(function (pbem) {
  const { standing, linesOf, resultOf, failureOf, facesOf, headOf, cardOf, cardResult, cardRows, readFile, FILE_ONLY } = pbem;
  const { $, state, element, control, show, stopAt, draw, titled, seenInTheEnd, gameIn } = pbem.page;
  const root = document.documentElement;

  const COUNTS = [
    ["entries", "turns in their one spelling, each signed over every byte before it"],
    ["positions", "positions that are the ones their authors signed"],
    ["proofs", "proofs of what chance gave"],
    ["rolls", "rolls thrown again from them"],
    ["draws", "draws made again"],
    ["shuffles", "shuffles of the common deck with their proofs"],
    ["shares", "shares of cards with their proofs"],
    ["seals", "seals of cards kept"],
    ["openings", "opened cards that agree with their seals or shares"],
    ["choices", "choices made in secret, shown as they were sealed"],
    ["plans", "plans, read as they were sealed"],
    ["notes", "private notes, as they were sealed"],
    ["roots", "secrets that were opened, from which decks are made again"],
  ];

  function tick(tally, isDone) {
    const rows = COUNTS.filter(([name]) => tally[name]);
    $("ticks-box").hidden = !rows.length;
    $("ticks").replaceChildren(...rows.map(([name, text]) => element("li", `${tally[name]} ${text}`, isDone ? { class: "done" } : {})));
  }

  function verdict([computed, open, more]) {
    for (const [id, text] of [["verdict", computed], ["open", open], ["more", more]]) $(id).textContent = text ?? "";
  }

  function failed(failure) {
    root.dataset.checks = "failed";
    const { entry } = failure;
    if (entry !== null && entry !== undefined) root.dataset.failedEntry = String(entry);
    const words = failureOf(failure);
    verdict(words);
    $("ticks-box").hidden = false;
    $("ticks").append(element("li", words[0], { class: "failed" }));
    if (state.entries.length) stopAt(Math.min(state.last, (entry ?? 0) - 1));
  }

  /** What an entry has shown, kept for whoever looks at it later. */
  function remember(entry, gate) {
    state.checked.set(entry.number, gate.told.splice(0));
    state.rolls.set(entry.number, gate.rolls.splice(0));
    for (const back of facesOf(gate, false).keys()) if (!state.opened.has(back)) state.opened.set(back, entry.number);
    gate.beside.texts.forEach((text, number) => state.notes.set(number, text));
  }

  const pause = () => new Promise((resolve) => setTimeout(resolve, 0));

  /** What was judged, from the bytes of the file as it lies there and from what was checked of it; the result apart, for
   * who goes through the game may not want to read it first. */
  function showCard(file, entries, gate) {
    const made = cardOf(file, entries, gate), rows = cardRows(made).filter(([label]) => label !== pbem.cardWords.labels.result);
    $("card").replaceChildren(...rows.flatMap(([label, text]) => [element("dt", label), element("dd", text)]));
    $("card").hidden = false;
    $("result").textContent = [`${cardResult(made)}.`, state.stands && resultOf(state.stands)].filter(Boolean).join(" ");
    $("result-box").hidden = gate === null;
  }

  /** The verdict on a turn file; `file` are its bytes as they lie there, where they come in armor. */
  async function check(bytes, trace, file = bytes) {
    const run = ++state.run; // another file may come while this one is checked
    root.dataset.checks = "running"; // docs/format.md, section 18: words that programs read
    for (const name of ["failedEntry", "signed"]) delete root.dataset[name];
    Object.assign(state, { stands: null, checked: new Map(), rolls: new Map(), opened: new Map(), notes: new Map(), faces: new Map() });
    verdict(["Checking …"]);
    for (const id of ["result-box", "card"]) $(id).hidden = true;
    tick({}, false);
    await pause();
    if (run !== state.run) return;
    let tally = {}, since = performance.now(), last = null;
    try {
      for (const { entry, of, gate } of pbem.steps(bytes, trace)) {
        ({ tally } = last = gate);
        remember(entry, gate);
        if (performance.now() - since < 40) continue;
        verdict([`Checking … turn ${entry.number + 1} of ${of}`]);
        tick(tally, false);
        await pause();
        if (run !== state.run) return;
        since = performance.now();
      }
      if (last !== null) state.faces = facesOf(last, true);
    } catch (error) {
      tick(tally, true);
      if (last !== null) state.faces = facesOf(last, false);
      failed(error instanceof pbem.Failure ? error : { entry: null, layer: "trace", message: String(error.message) });
      return;
    }
    tick(tally, true);
    if (last === null) verdict(["Computed here: the signatures hold.", FILE_ONLY]);
    else holds(last);
    showCard(file, last?.entries ?? readFile(bytes), last);
    root.dataset.checks = last === null ? "waiting" : "ok";
    if (pbem.hasGame) draw();
  }

  function holds(gate) {
    const { players } = headOf(gate.entries), stands = standing(gate, players);
    state.stands = stands;
    verdict(linesOf(stands));
    root.dataset.signed = stands.won?.signed ? "all" : stands.on === null ? "none" : "part";
    if (!pbem.hasGame || stands.won === null) return;
    if (stands.won.signed) titled(gate.entries, gate.outcome.winners);
    seenInTheEnd();
  }

  function offer(id, bytes, type) {
    $(id).href = URL.createObjectURL(new Blob([bytes], { type }));
  }

  async function main() {
    if (!pbem.hasGame) {
      pbem.takeFiles(check, verdict);
      return;
    }
    const { bytes, data } = await gameIn(pbem.inFile);
    control();
    show(pbem.readFile(bytes), data);
    offer("save-file", bytes, "application/toml");
    offer("save-trace", JSON.stringify(data.trace), "application/json");
    await check(bytes, data.trace);
  }

  const unread = (error) => ({ entry: null, layer: "trace", message: `the page cannot be read: ${error.message}` });
  main().catch((error) => failed(error instanceof pbem.Failure ? error : unread(error)));
})(globalThis.pbem);
