// A table seen at several sizes.

/** What `measure` finds at each size once `settled` is done (functions as text), before and after each click on one of these selectors. It is one page,
 * whose window changes; what was chosen is let go before. */
export async function measureStage(page, _kind, url, { settled, measure, sizes, clicks }) {
  const problems = [], found = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => ["error", "warn"].includes(message.type()) && problems.push(message.text()));

  // In a low window a longer prompt lies over the hand below it, and all else stays.
  const boxes = () => page.evaluate(() => [".work", "#view", "#marks"].map((one) => {
    const { left, top, width, height } = document.querySelector(one).getBoundingClientRect();
    return { left, top, width, height, grows: one === ".work" && innerHeight <= 480 && innerWidth >= 600 };
  }));
  const stays = (one, now) => ["left", "top", "width"].every((key) => one[key] === now[key]) && (one.grows ? now.height >= one.height : now.height === one.height);
  const measured = async () => {
    await page.evaluate(`(${settled})()`);
    return page.evaluate(`(${measure})()`);
  };

  await page.setViewport({ width: sizes[0][0], height: sizes[0][1] });
  await page.goto(url);
  await page.waitForSelector("#view[data-lies]");
  for (const [width, height] of sizes) {
    await page.setViewport({ width, height });
    for (let pressed = 0; pressed < 6 && (await page.evaluate(() => path.length > onlyStart().length || source !== null || stepped.length || document.getElementById("besides"))); pressed++) await page.keyboard.press("Escape");
    await page.waitForFunction((wide) => innerWidth === wide, {}, width);
    await page.evaluate(`(${settled})()`);
    const lay = await boxes(), seen = [await measured()];
    for (const selector of clicks) {
      await page.waitForSelector(selector);
      await page.$eval(selector, (one) => one.click());
      seen.push(await measured());
    }
    const now = await boxes();
    found.push({ seen, isStill: lay.every((one, at) => stays(one, now[at])) });
  }
  return { found, problems };
}
