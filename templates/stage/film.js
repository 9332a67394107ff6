// What moves in a film besides pieces (player.js): what comes in place of something else, and the faces of dice. By transform and
// opacity alone; for whoever wants no motion everything is in its place at once.
"use strict";
(function (pbem) {
  const SVG = "http://www.w3.org/2000/svg", FADE = 220; // milliseconds
  const PIPS = { 1: [[20, 20]], 2: [[11, 11], [29, 29]], 3: [[11, 11], [20, 20], [29, 29]], 4: [[11, 11], [29, 11], [11, 29], [29, 29]], 5: [[11, 11], [29, 11], [20, 20], [11, 29], [29, 29]], 6: [[11, 10], [29, 10], [11, 20], [29, 20], [11, 30], [29, 30]] };
  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  function draw(tag, attributes = {}) {
    const made = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  }

  /** What has come in place of something else fades in. */
  function fade(element) {
    if (!calm.matches) element.animate([{ opacity: 0.35 }, { opacity: 1 }], { duration: FADE });
  }

  /** A die that has come to lie as it fell; it rolls first where it `moves`. */
  function die(number, sides, isHit = false, moves = true) {
    const svg = draw("svg", { viewBox: "0 0 40 40", width: 30, height: 30, "aria-hidden": "true" });
    svg.append(draw("rect", { x: 2, y: 2, width: 36, height: 36, rx: 7, fill: isHit ? "#ffd84d" : "#fffdf6", stroke: "#1c1a17", "stroke-width": 2 }));
    for (const [cx, cy] of sides === 6 ? PIPS[number] ?? [] : []) svg.append(draw("circle", { cx, cy, r: 4, fill: "#1c1a17" }));
    if (sides !== 6) {
      const text = draw("text", { x: 20, y: 27, "text-anchor": "middle", "font-size": 19, fill: "#1c1a17" });
      text.textContent = String(number);
      svg.append(text);
    }
    if (moves && !calm.matches) svg.animate([{ transform: "rotate(-200deg) scale(0.4)", opacity: 0 }, { transform: "none", opacity: 1 }], { duration: 420, easing: "ease-out" });
    return svg;
  }

  Object.assign(pbem, { film: { fade, die } });
})((globalThis.pbem ??= {}));
