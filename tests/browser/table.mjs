// Two frigates moved at the table by clicks, in the browser named on the command line: what it showed, as one JSON line.
import puppeteer from "puppeteer-core";

const [browserName, program, url] = process.argv.slice(2);
const browser = await puppeteer.launch({ browser: browserName, executablePath: program, headless: true, timeout: 600000, protocolTimeout: 600000 });
const page = await browser.newPage(), problems = [];
page.on("pageerror", (error) => problems.push(error.message));
page.on("console", (message) => ["error", "warn"].includes(message.type()) && problems.push(message.text()));
await page.setViewport({ width: 1400, height: 900 });
await page.goto(url);

async function place(name) {
  await page.waitForSelector(`.pin[data-place="${name}"].can-go, .pin[data-place="${name}"].chosen-place`);
  await page.waitForSelector("#view:not(.gliding)");
  const box = await (await page.$(`.pin[data-place="${name}"]`)).boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
}

const said = () => page.$$eval(".line li > span", (all) => all.map((one) => one.textContent));
async function answered(count) {
  await page.waitForFunction((wanted) => document.querySelectorAll(".line li").length === wanted, {}, count);
}

await page.waitForSelector(".held .can-go");
await page.click(".held .can-go:not(.open-card)");
await page.waitForSelector("#besides [data-give^='move with']");
await page.click("#besides [data-give^='move with']");
await answered(1);
await place("Gibraltar");
await place("Malta");
await answered(2);
await place("Algiers");
await answered(3);
const whole = await page.evaluate("camera.scale");
await page.mouse.move(300, 300);
await page.mouse.wheel({ deltaY: -300 });
await page.waitForFunction((before) => camera.scale > before * 1.2, {}, whole);
console.log(JSON.stringify({ said: await said(), problems }));
await browser.close();
