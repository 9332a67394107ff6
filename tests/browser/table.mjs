// Two frigates moved at the table by clicks.

/** What the page said when they were moved. */
export async function moveFrigates(page, _kind, url) {
  const problems = [];
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

  const answered = (count) => page.waitForFunction((wanted) => document.querySelectorAll(".line li").length === wanted, {}, count);

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
  return { said: await page.$$eval(".line li", (all) => all.flatMap((one) => one.dataset.answers.split("|"))), problems };
}
