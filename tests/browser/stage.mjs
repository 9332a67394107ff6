// A table seen at several sizes, in the browser named on the command line: what `measure` (a function as text, from the
// standard input with the sizes and what is clicked) finds at each, as one JSON line.
import { readFileSync } from "node:fs";
import puppeteer from "puppeteer-core";

const [browserName, program, url] = process.argv.slice(2), { measure, sizes, clicks } = JSON.parse(readFileSync(0, "utf8"));
const browser = await puppeteer.launch({ browser: browserName, executablePath: program, headless: true, timeout: 600000, protocolTimeout: 600000 });
const page = await browser.newPage(), problems = [], found = [];
page.on("pageerror", (error) => problems.push(error.message));
page.on("console", (message) => ["error", "warn"].includes(message.type()) && problems.push(message.text()));

const boxes = () => page.evaluate(() => [".work", "#view", "#marks"].map((one) => ({ ...document.querySelector(one).getBoundingClientRect().toJSON() })));
const measured = async () => {
  await page.waitForFunction(() => !document.querySelector("#view.gliding") && !document.getAnimations().some((one) => one.effect.target.closest?.("#view")));
  return page.evaluate(`(${measure})()`);
};

await page.goto(url);
for (const [width, height] of sizes) {
  await page.setViewport({ width, height });
  await page.reload();
  await page.waitForSelector("#view[data-lies]");
  const lay = await boxes(), seen = [await measured()];
  for (const selector of clicks) {
    await page.waitForSelector(selector);
    await page.$eval(selector, (one) => one.click());
    seen.push(await measured());
  }
  found.push({ seen, isStill: JSON.stringify(lay) === JSON.stringify(await boxes()) });
}
console.log(JSON.stringify({ found, problems }));
await browser.close();
