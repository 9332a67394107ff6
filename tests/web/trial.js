// What a person does in a page, in its own document: they click what is to be seen, and look what becomes of it. Python
// reads this file and runs it there (tests/support/web_players.py).
if (!window.trial) {
  const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  const shown = (selector) => [...document.querySelectorAll(selector)].find((one) => one.checkVisibility());
  const until = async (found, what) => {
    for (let wait = 0; wait < 600_000; wait += 10) {
      const problem = document.querySelector("#over, main > .refusal:not([hidden]), #notices > .refusal, .told > .refusal:not([hidden])");
      if (problem) throw new Error(`${what}: ${problem.innerText}`);
      const one = found();
      if (one) return one;
      await pause(10);
    }
    throw new Error(`${what}: it never came`);
  };
  const clicked = async (one) => {
    document.querySelector("main").dataset.old = "yes";
    one.click();
    await until(() => document.querySelector("main:not([data-old])"), one.innerText);
  };
  const chosen = (all, wishes, turn) => wishes.map((wish) => all.find((one) => one.dataset.answer.startsWith(wish))).find(Boolean) ?? all[turn % all.length];
  window.trial = {
    pause, shown, until, clicked,
    async answer(wishes, turn) {
      const given = [];
      while (!shown("[data-action=sign]")) {
        const all = [...document.querySelectorAll("[data-answer]")];
        if (!all.length || given.length > 400) throw new Error(`no answer: ${document.querySelector("main").innerText.slice(0, 2000)}`);
        const one = chosen(all, wishes, turn + given.length);
        given.push(one.dataset.answer);
        await clicked(one);
      }
      return given;
    },
    // A whole turn on the board: a piece that can go and where it can go are clicked, until nothing more is asked.
    async move() {
      for (let clicks = 0; ; clicks++) {
        await pause(0);
        if (shown("[data-action=sign]")) return clicks;
        const place = await until(() => shown(".pin.can-go:not(.chosen-place)") ?? shown("[data-answer]") ?? shown("[data-action=sign]"), "a piece that can go");
        if (place.dataset.action) return clicks;
        if (place.dataset.answer) await clicked(place);
        else place.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail: 1 }));
        if (clicks > 100) throw new Error("this turn never ends");
      }
    },
    async sign() {
      await clicked(shown("[data-action=sign]"));
      await until(() => shown(".sending button"), "signed");
    },
    way: (words) => [...document.querySelectorAll(".sending button")].find((one) => one.textContent === words),
    async copied(words) {
      const found = [];
      Object.defineProperty(navigator.clipboard, "writeText", { configurable: true, value: async (text) => void found.push(text) });
      window.trial.way(words).click();
      await until(() => found.length, words);
      return found[0];
    },
  };
}
