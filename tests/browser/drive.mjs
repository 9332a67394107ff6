// Opens pages in a real browser and prints what happened there as JSON, one line a page.
//   node drive.mjs BROWSER PROGRAM STEPS.json      steps: [{url, width, dark, calm, axe, keys, files, shot}]
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import puppeteer from "puppeteer-core";

const [browser, program, steps] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf-8");
const args = browser === "chrome" ? ["--no-sandbox", "--disable-gpu", "--disable-background-networking"] : [];
const driven = await puppeteer.launch({ browser, executablePath: program, headless: true, args });

async function see(page) {
  return page.evaluate(() => {
    const text = (id) => document.getElementById(id)?.textContent ?? null;
    return {
      checks: document.documentElement.dataset.checks,
      failedEntry: document.documentElement.dataset.failedEntry ?? null,
      verdict: text("verdict"), title: text("entry-title"), message: text("message"), hash: location.hash,
      hands: text("hands"), deeds: text("deeds"), entries: document.querySelectorAll("#links a").length,
      board: document.querySelectorAll("#board svg *").length, images: document.images.length,
      wide: document.documentElement.scrollWidth > innerWidth, violations: window.violations ?? null,
      focus: document.activeElement?.id ?? null,
    };
  });
}

for (const step of JSON.parse(readFileSync(steps, "utf-8"))) {
  const page = await driven.newPage();
  const bad = [], requests = [];
  page.on("console", (message) => message.type() === "error" && bad.push(message.text()));
  page.on("pageerror", (error) => bad.push(String(error)));
  page.on("request", (request) => requests.push(request.url().slice(0, 80)));
  await page.setViewport({ width: step.width ?? 1280, height: 900 });
  if (browser === "chrome") {
    const features = [["prefers-color-scheme", step.dark ? "dark" : "light"], ["prefers-reduced-motion", step.calm ? "reduce" : "no-preference"]];
    await page.emulateMediaFeatures(features.map(([name, value]) => ({ name, value })));
  }
  await page.evaluateOnNewDocument(() => {
    window.violations = [];
    document.addEventListener("securitypolicyviolation", (event) => window.violations.push(event.violatedDirective));
  });
  const began = Date.now();
  await page.goto(step.url);
  for (const [id, path] of Object.entries(step.files ?? {})) await (await page.$(`#${id}`)).uploadFile(path);
  const wanted = step.files ? `["ok", "failed"].includes(document.documentElement.dataset.checks)` : `document.documentElement.dataset.checks !== "running"`;
  await page.waitForFunction(wanted, { timeout: 240000 });
  const found = { ms: Date.now() - began, seen: [await see(page)] };
  for (const key of step.keys ?? []) {
    if (key.startsWith("choose ")) await page.select("#viewer", key.slice(7));
    else await page.keyboard.press(key);
    found.seen.push(await see(page));
  }
  if (step.axe) {
    await page.evaluate(axe);
    const result = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
    found.axe = result.violations.map(({ id, impact, nodes }) => `${impact}: ${id} ${nodes[0].html.slice(0, 100)}`);
  }
  if (step.shot) await page.screenshot({ path: step.shot });
  Object.assign(found, { bad, requests });
  process.stdout.write(JSON.stringify(found) + "\n");
  await page.close();
}
await driven.close();
