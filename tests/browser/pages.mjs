// Replay pages in a real browser, and what happened there.
// Steps: [{url, width, dark, calm, axe, keys, files, drops, sizes, touch, shot}]. At further `sizes` the page goes on in another window. A key is that of the keyboard, "#entry-5", "choose SEAT" or
// "swipe left" or "swipe right". `drops` are lists of files that fall on the page together: from the browser itself in Chromium, as an
// event with the same files in Firefox.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename } from "node:path";

// The clock of a page whose film is awaited goes eight times as fast.
function hasten() {
  const [HASTE, later, clock, move] = [8, setTimeout, performance.now.bind(performance), Element.prototype.animate];
  window.setTimeout = (act, wait = 0, ...given) => later(act, wait / HASTE, ...given);
  performance.now = () => clock() * HASTE;
  Element.prototype.animate = function (frames, options) {
    return Object.assign(move.call(this, frames, options), { playbackRate: HASTE });
  };
}

export const axe = () => readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf-8");

async function see(page) {
  return page.evaluate(() => {
    const text = (id) => document.getElementById(id)?.textContent ?? null;
    const color = (id) => getComputedStyle(document.getElementById(id)).color, size = (id) => getComputedStyle(document.getElementById(id)).fontSize;
    const shape = document.getElementById("verdict").getBoundingClientRect();
    const middle = document.elementFromPoint(shape.x + shape.width / 2, shape.y + shape.height / 2);
    const rest = document.body.cloneNode(true); // all that does not stand in the frame of what is told
    for (const one of rest.querySelectorAll("#told, script")) one.remove();
    const green = getComputedStyle(document.documentElement).getPropertyValue("--good").trim();
    const rgb = `rgb(${[1, 3, 5].map((place) => parseInt(green.slice(place, place + 2), 16)).join(", ")})`;
    return {
      checks: document.documentElement.dataset.checks,
      signed: document.documentElement.dataset.signed ?? null, open: `${text("open")} ${text("more")}`.trim(), result: text("result"),
      told: text("told"), rest: rest.textContent.replace(/\s+/g, " "), tab: document.title,
      green: ["verdict", "open", "result", "word", "told-by"].filter((id) => document.getElementById(id) && color(id) === rgb),
      sizes: ["verdict", "open", "told-by"].map((id) => document.getElementById(id) && size(id)),
      boardEnd: document.getElementById("view")?.getBoundingClientRect().bottom ?? null, boardHigh: document.getElementById("view")?.getBoundingClientRect().height ?? null,
      step: document.querySelectorAll("#deeds li.now").length, told_lines: document.querySelectorAll("#deeds li").length,
      thrown: [...document.querySelectorAll("#thrown button, #dice .throw button")].map((one) => one.getAttribute("aria-label")),
      playing: document.getElementById("film-play")?.textContent === "❚❚",
      fold: document.getElementById("told-by")?.getBoundingClientRect().bottom ?? null,
      judged: text("judged"), evidence: [...document.querySelectorAll("#evidence:not([hidden]) li")].map((one) => one.textContent),
      counted: document.documentElement.dataset.evidence ?? null,
      failedEntry: document.documentElement.dataset.failedEntry ?? null,
      verdict: text("verdict"), title: text("entry-title"), message: text("message"), hash: location.hash,
      hands: text("hands"), deeds: text("deeds"), entries: document.querySelectorAll("#links a").length,
      board: document.querySelectorAll("#view .ground svg *, #view .pin").length, images: document.images.length,
      // Where the verdict is seen: nothing where something else lies over its middle, or none is to be seen.
      shape: middle?.closest("#verdict") ? { left: shape.left, top: shape.top, right: shape.right, bottom: shape.bottom } : null,
      wide: document.documentElement.scrollWidth > innerWidth, violations: window.violations ?? null,
      proofs: [...document.querySelectorAll("#entry-checked li")].map((one) => one.textContent),
      focus: document.activeElement?.id ?? null,
      folded: [...document.querySelectorAll("details:not([hidden], [open])")].map((one) => one.id), // what a fold hides
      seen: ["check", "entry", "limits", "index"].map((id) => document.getElementById(id)?.innerText ?? "").join("\n"),
    };
  });
}

async function swipe(page, way) {
  const { x, y, width, height } = await (await page.$("#caption")).boundingBox();
  const from = x + width * (way === "left" ? 0.8 : 0.2), to = x + width * (way === "left" ? 0.2 : 0.8), middle = y + height / 2;
  await page.touchscreen.touchStart(from, middle);
  for (let part = 1; part <= 5; part++) await page.touchscreen.touchMove(from + ((to - from) * part) / 5, middle + part);
  await page.touchscreen.touchEnd();
}

async function drop(page, kind, paths) {
  if (kind === "chrome") {
    const session = await page.createCDPSession();
    const data = { items: [], files: paths, dragOperationsMask: 1 };
    for (const type of ["dragEnter", "dragOver", "drop"]) await session.send("Input.dispatchDragEvent", { type, x: 200, y: 200, data });
    return;
  }
  const files = paths.map((path) => ({ name: basename(path), text: readFileSync(path, "utf-8") }));
  await page.evaluate((files) => {
    const dataTransfer = new DataTransfer();
    for (const { name, text } of files) dataTransfer.items.add(new File([text], name));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  }, files);
}

/** What was found on the page of each step, one after the other in one tab: a new one costs Firefox as much as to check a game. */
export async function lookAt(page, kind, steps) {
  let bad, requests;
  const all = [];
  page.on("console", (message) => message.type() === "error" && bad.push(message.text()));
  page.on("pageerror", (error) => bad.push(String(error)));
  page.on("request", (request) => requests.push(request.url().slice(0, 80)));
  await page.evaluateOnNewDocument(() => {
    window.violations = [];
    document.addEventListener("securitypolicyviolation", (event) => window.violations.push(event.violatedDirective));
  });
  for (const step of steps) {
    await page.goto("about:blank"); // what the page before still tells of itself has come by then
    [bad, requests] = [[], []];
    await page.setViewport({ width: step.width ?? 1280, height: step.height ?? 900, hasTouch: Boolean(step.touch) });
    if (kind === "chrome") {
      const features = [["prefers-color-scheme", step.dark ? "dark" : "light"], ["prefers-reduced-motion", step.calm ? "reduce" : "no-preference"]];
      await page.emulateMediaFeatures(features.map(([name, value]) => ({ name, value })));
    }
    const began = Date.now();
    await page.goto(step.url);
    for (const [id, path] of Object.entries(step.files ?? {})) await (await page.$(`#${id}`)).uploadFile(path);
    const settled = `document.documentElement.dataset.checks !== "running"`;
    const found = { seen: [] };
    for (const paths of step.drops ?? []) {
      await page.evaluate(() => (document.getElementById("verdict").textContent = "not yet"));
      await drop(page, kind, paths);
      await page.waitForFunction(`${settled} && !["not yet", "Checking …"].includes(document.getElementById("verdict").textContent)`, { timeout: 600000 });
      found.seen.push(await see(page));
    }
    const wanted = step.files ? `["ok", "failed"].includes(document.documentElement.dataset.checks)` : settled;
    await page.waitForFunction(wanted, { timeout: 600000 });
    found.ms = Date.now() - began;
    found.seen.push(await see(page));
    for (const [width, height] of step.sizes ?? []) {
      await page.setViewport({ width, height });
      await page.waitForFunction((wide) => innerWidth === wide, {}, width);
      await page.evaluate(() => new Promise((laidOut) => requestAnimationFrame(() => requestAnimationFrame(laidOut))));
      found.seen.push(await see(page));
    }
    for (const offset of step.strip ?? []) { // the strip with the verdict as it is painted, scrolled so far
      await page.evaluate((offset) => scrollTo(0, offset), offset);
      const { x, y, width, height } = await (await page.$("#strip")).boundingBox(), top = y + (await page.evaluate(() => scrollY));
      (found.strips ??= []).push(await page.screenshot({ clip: { x, y: top, width, height }, encoding: "base64" }));
    }
    for (const key of step.keys ?? []) {
      if (key.startsWith("#entry-")) await page.evaluate((hash) => (location.hash = hash), key);
      else if (key === "film") { // played from its first step to its last
        await page.evaluate(hasten);
        await page.evaluate(() => document.getElementById("film-play").click());
        await page.waitForFunction(`document.getElementById("film-play").textContent === "▶"`, { timeout: 240000 });
      } else if (key.startsWith("choose ")) await page.select("#viewer", key.slice(7));
      else if (key.startsWith("swipe ")) await swipe(page, key.slice(6));
      else await page.keyboard.press(key);
      found.seen.push(await see(page));
    }
    if (step.axe) {
      await page.evaluate(axe());
      const result = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
      found.axe = result.violations.map(({ id, impact, nodes }) => `${impact}: ${id} ${nodes[0].html.slice(0, 100)}`);
    }
    if (step.shot) await page.screenshot({ path: step.shot });
    Object.assign(found, { bad, requests });
    all.push(found);
  }
  return all;
}
