// What is looked at on a page: which it is, whether fingers can use it, and where the keyboard is. Python reads this file
// and runs it there (tests/support/web_states.py).
if (!window.reach) {
  const CONTROLS = "a[href], button, input:not([type=hidden]), select, textarea, summary, main [tabindex='0']";
  const inText = (one) => getComputedStyle(one).display === "inline" && one.closest("p, li, dd, td") !== null;
  const sameAs = (one) => document.querySelector(one.id ? `#${one.id}` : `.${[...one.classList].join(".")}`);
  const PARTS = [0.1, 0.3, 0.5, 0.7, 0.9];
  window.reach = {
    // Which templates of this page are shown, and which of these selectors.
    shown(selectors) {
      const marked = (template) => [...template.content.querySelectorAll("[id], [class]")];
      const doors = [...document.querySelectorAll("template[id]")].filter((one) => marked(one).every(sameAs));
      return [...doors.map((one) => one.id), ...selectors.filter((one) => document.querySelector(one))];
    },
    // What a finger would miss. Words in a sentence are excepted, as everywhere; what nobody on the board
    // can click now, and a card of the film while it turns.
    small() {
      const controls = [...document.querySelectorAll(CONTROLS)].filter((one) => one.checkVisibility({ checkVisibilityCSS: true }));
      return controls.filter((one) => {
        const { width, height } = one.getBoundingClientRect();
        return (width < 23.9 || height < 23.9) && !one.closest("svg, .unseen, .skip, .film-words, p.words, .pin:not(.can-go)") && !one.getAnimations().length && !inText(one);
      }).map((one) => one.outerHTML.replace(/\s+/g, " ").slice(0, 120));
    },
    // The element that has the focus, whether that is any, and whether it and its frame can be seen.
    focus() {
      const one = document.activeElement, box = one.getBoundingClientRect(), style = getComputedStyle(one);
      const place = one.closest("svg") && (one.querySelector(":scope > rect") ?? one.firstElementChild);
      const [left, right] = [Math.max(box.left, 0), Math.min(box.right, innerWidth)];
      const [top, bottom] = [Math.max(box.top, 0), Math.min(box.bottom, innerHeight)];
      const isOnTop = (across, down) => {
        const at = document.elementFromPoint(left + (right - left) * across, top + (bottom - top) * down);
        return one.contains(at) || at?.contains(one);
      };
      const isFree = left < right && top < bottom && PARTS.some((across) => PARTS.some((down) => isOnTop(across, down)));
      const hasFrame = place ? parseFloat(getComputedStyle(place).strokeWidth) >= 8 : style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1;
      return {
        name: `${one.tagName} ${(one.id || one.name || one.innerText || one.dataset.place || "").slice(0, 40)}`,
        isLost: one === document.body || one === document.documentElement || !one.isConnected,
        isSeen: isFree && hasFrame,
      };
    },
  };
}
