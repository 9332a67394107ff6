// A real browser that a test drives, tab by tab: one command a line as JSON, one answer a line.
//   node tabs.mjs BROWSER PROGRAM PROFILE PREFERENCES      commands: {tab, act, given: [...]}
// The preferences are Firefox's; of Chromium they are its options, by name.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { createInterface } from "node:readline";
import puppeteer from "puppeteer-core";
import { axe, lookAt } from "./pages.mjs";
import { measureStage } from "./stage.mjs";
import { moveFrigates } from "./table.mjs";

const [kind, executablePath, userDataDir, prefs] = process.argv.slice(2);
const options = Object.entries(JSON.parse(prefs)).map(([name, value]) => `--${name}=${value}`);
// What has changed in a part of a page is painted anew as a whole: where a busy Chromium paints only what has changed, the corners
// that are smoothed are smoothed twice, and two pictures of one page differ in some dots.
// What its pages run is compiled in their own thread: beside other tests a second one takes a fifth more of both processors.
const args = kind === "chrome" ? ["--js-flags=--no-concurrent-recompilation", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-dev-shm-usage", "--disable-partial-raster", ...options] : [];
const downloadPath = `${userDataDir}/downloads`, downloadBehavior = { policy: "allow", downloadPath };
const extraPrefsFirefox = { "browser.download.folderList": 2, "browser.download.dir": downloadPath, "browser.download.useDownloadDir": true, ...JSON.parse(prefs) };
const LONGEST = 600_000, patience = { timeout: LONGEST, protocolTimeout: LONGEST };
const browser = await puppeteer.launch({ browser: kind, executablePath, userDataDir, headless: true, args, downloadBehavior, extraPrefsFirefox, ...patience });
const tabs = new Map();

// What a page was given, for whoever asks why it did not do it.
function noteEvents() {
  const noted = (globalThis.notedEvents = []);
  const note = ({ type, target }) => (noted.push(`${type} ${target.id || target.name || target.localName} ${target.localName === "button" ? target.textContent.slice(0, 30) : ""}`), noted.splice(0, noted.length - 20));
  for (const type of ["mousedown", "mouseup", "click", "submit", "change", "invalid"]) addEventListener(type, note, true);
}

async function opened(isApart) {
  const page = await (isApart ? await browser.createBrowserContext({ downloadBehavior }) : browser).newPage(), problems = [], told = [], number = tabs.size + 1;
  page.setDefaultTimeout(LONGEST);
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (said) => ["error", "warn", "warning"].includes(said.type()) && problems.push(said.text()));
  page.on("dialog", (dialog) => dialog.accept());
  await page.setViewport({ width: 1200, height: 900 });
  await page.evaluateOnNewDocument(noteEvents);
  tabs.set(number, { page, problems, told });
  return number;
}

async function pressed(keyboard, key, held) {
  for (const one of held) await keyboard.down(one);
  await keyboard.press(key);
  for (const one of held) await keyboard.up(one);
}

const ACTS = {
  goto: ({ page }, url) => page.goto(url).then(() => null),
  reload: async ({ page }) => {
    await page.evaluate(() => {
      window.isOld = true;
      setTimeout(() => location.reload());
    });
    await page.waitForFunction(() => window.isOld === undefined);
    return null;
  },
  back: ({ page }) => page.evaluate(() => history.back()).then(() => null),
  run: ({ page }, source) => page.evaluate(source).then((value) => value ?? null),
  click: async ({ page }, selector) => (await page.waitForSelector(selector, { visible: true })).click().then(() => null),
  fill: async ({ page }, selector, text) => {
    const field = await page.waitForSelector(selector, { visible: true });
    await field.evaluate((one) => (one.value = ""));
    await field.type(text);
    const holds = await field.evaluate((one) => one.value);
    if (holds !== text) throw new Error(`what was typed is not what the field holds: ${holds}`);
    return null;
  },
  wait: ({ page }, selector) => page.waitForSelector(selector, { visible: true }).then(() => null),
  gone: ({ page }, selector) => page.waitForSelector(selector, { hidden: true }).then(() => null),
  until: ({ page }, source) => page.waitForFunction(source).then(() => null),
  text: async ({ page }, selector) => (await page.waitForSelector(selector)).evaluate((one) => one.innerText),
  upload: async ({ page }, selector, ...paths) => (await page.waitForSelector(selector)).uploadFile(...paths).then(() => null),
  press: ({ page }, key, ...held) => pressed(page.keyboard, key, held).then(() => null),
  type: ({ page }, text, isPasted) => (isPasted ? page.evaluate((all) => void document.execCommand("insertText", false, all), text) : page.keyboard.type(text)).then(() => null),
  // A key, with others held down: "Control+v".
  chord: async ({ page }, keys) => {
    const held = keys.split("+"), key = held.pop(), commands = held.includes("Control") ? { a: ["SelectAll"], c: ["Copy"], v: ["Paste"] }[key] : undefined;
    for (const one of held) await page.keyboard.down(one);
    await page.keyboard.press(key, kind === "chrome" && commands ? { commands } : {});
    for (const one of held) await page.keyboard.up(one);
    return null;
  },
  // Files, or a text, dragged onto an element and let go: by the browser's own events where its driver has them.
  drop: async ({ page }, selector, paths, text) => {
    const target = await page.waitForSelector(selector, { visible: true });
    if (kind !== "chrome") {
      const files = paths.map((path) => [basename(path), readFileSync(path, "base64")]);
      await target.evaluate((element, given, words) => {
        const dataTransfer = new DataTransfer();
        for (const [name, bytes] of given) dataTransfer.items.add(new File([Uint8Array.from(atob(bytes), (one) => one.charCodeAt(0))], name));
        if (words) dataTransfer.setData("text/plain", words);
        for (const type of ["dragenter", "dragover", "drop"]) element.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, composed: true, dataTransfer }));
      }, files, text);
      return null;
    }
    await target.scrollIntoView();
    const { x, y, width, height } = await target.boundingBox(), session = await page.createCDPSession();
    const data = { items: text ? [{ mimeType: "text/plain", data: text }] : [], files: paths, dragOperationsMask: 1 };
    for (const type of ["dragEnter", "dragOver", "drop"]) await session.send("Input.dispatchDragEvent", { type, x: x + width / 2, y: y + Math.min(height / 2, 20), data });
    return session.detach().then(() => null);
  },
  // A person's browser copies where they have clicked; headless Chromium has to be told that it may.
  permit: ({ page }, origin) => kind === "chrome" && page.browserContext().overridePermissions(origin, ["clipboard-sanitized-write"]).then(() => null),
  front: ({ page }) => page.bringToFront().then(() => null),
  before: ({ page }, source) => page.evaluateOnNewDocument(source).then(() => null),
  size: ({ page }, width, height, hasTouch = false) => page.setViewport({ width, height, ...(kind === "chrome" ? { hasTouch, isMobile: hasTouch } : {}) }).then(() => null),
  dark: ({ page }) => page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]).then(() => null),
  shot: ({ page }, path) => page.screenshot({ path, fullPage: true }).then(() => null),
  problems: ({ problems }) => problems.splice(0),
  quota: async ({ page }, origin, quotaSize) => (await page.createCDPSession()).send("Storage.overrideQuotaForOrigin", { origin, quotaSize }),
  axe: async ({ page }, ...rules) => {
    if (!(await page.evaluate("window.axe !== undefined"))) await page.evaluate(axe());
    return page.evaluate(async (rules) => {
      const { violations } = await axe.run(document, { resultTypes: ["violations"], ...(rules.length && { runOnly: rules }) });
      return violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 120)).join(" | ")}`);
    }, rules);
  },
  listen: ({ page, told }) => page.exposeFunction("toldTo", (text) => void told.push(text)).then(() => null),
  told: ({ told }) => told.splice(0),
  renderers: async () => {
    const session = await browser.target().createCDPSession(), { processInfo } = await session.send("SystemInfo.getProcessInfo");
    await session.detach();
    return processInfo.filter((one) => one.type === "renderer").map((one) => one.id);
  },
  close: ({ page }) => page.close().then(() => null),
};

// What is done in a page of its own, in a context of its own, which is closed then.
const WHOLE = { lookAt, measureStage, moveFrigates };

async function apart(act, given) {
  const context = await browser.createBrowserContext();
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(LONGEST);
    return await WHOLE[act](page, kind, ...given);
  } finally {
    await context.close();
  }
}

console.log(JSON.stringify({ done: browser.process().pid }));
for await (const line of createInterface({ input: process.stdin })) {
  const { tab, act, given = [] } = JSON.parse(line);
  try {
    const done = act === "open" ? await opened(...given) : await (act in WHOLE ? apart(act, given) : ACTS[act](tabs.get(tab), ...given));
    console.log(JSON.stringify({ done }));
  } catch (error) {
    const seen = await tabs.get(tab)?.page.evaluate(() => `${document.body.innerText.slice(-800)}\n${[...document.querySelectorAll(".refusal:not([hidden])")].map((one) => one.textContent).join("\n")}\nit was given: ${globalThis.notedEvents?.join("; ")}`).catch(() => "no page");
    console.log(JSON.stringify({ failed: `${act} ${given.join(" ").slice(-300)}: ${error.message}; in the page stood: ${seen}` }));
  }
}
await browser.close();
