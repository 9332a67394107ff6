// What moves in a film: pieces on their way over a picture that names its places (`data-place`), and the faces of dice. By
// transform and opacity alone; for whoever wants no motion everything is in its place at once.
"use strict";
(function (pbem) {
  const SVG = "http://www.w3.org/2000/svg", WAY = 650, FADE = 220; // milliseconds
  const MOST_MOVES = 12; // at once
  const PIPS = { 1: [[20, 20]], 2: [[11, 11], [29, 29]], 3: [[11, 11], [20, 20], [29, 29]], 4: [[11, 11], [29, 11], [11, 29], [29, 29]], 5: [[11, 11], [29, 11], [20, 20], [11, 29], [29, 29]], 6: [[11, 10], [29, 10], [11, 20], [29, 20], [11, 30], [29, 30]] };
  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  function draw(tag, attributes = {}) {
    const made = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  }

  /** The middle of a place in the units of the picture; null where it has no such place. */
  function middleOf(picture, name) {
    const place = [...picture.querySelectorAll("[data-place]")].find((one) => one.dataset.place === name);
    if (!place) return null;
    const box = (place.querySelector("rect") ?? place).getBoundingClientRect(), inverse = picture.getScreenCTM()?.inverse();
    return inverse ? new DOMPoint(box.x + box.width / 2, box.y + box.height / 2).matrixTransform(inverse) : null;
  }

  /** One group of pieces: its symbol where the picture has that, else a disc, and their number. */
  function marker(picture, piece, count) {
    const group = draw("g", { "aria-hidden": "true" });
    const hasSymbol = piece && [...picture.querySelectorAll("defs [id], symbol[id]")].some((one) => one.id === piece);
    group.append(draw("circle", { r: 24, fill: "#ffd84d", stroke: "#1c1a17", "stroke-width": 2 }));
    if (hasSymbol) group.append(draw("use", { href: `#${piece}`, x: -20, y: -20 }));
    if (count > 1) {
      const number = draw("text", { x: hasSymbol ? 20 : 0, y: hasSymbol ? 26 : 8, "text-anchor": "middle", "font-size": 22, fill: "#1c1a17" });
      number.textContent = String(count);
      group.append(number);
    }
    return group;
  }

  /** Pieces go their ways over a picture, all at once; resolves when they have arrived, at once for whoever wants no motion. */
  async function glide(picture, moves) {
    if (calm.matches) return;
    const runs = moves.slice(0, MOST_MOVES).flatMap(([piece, count, from, to]) => {
      const [start, end] = [middleOf(picture, from), middleOf(picture, to)];
      if (!start || !end) return [];
      const group = marker(picture, piece, count), at = ({ x, y }) => `translate(${x}px, ${y}px)`;
      picture.append(group);
      const run = group.animate([{ transform: at(start) }, { transform: at(end) }], { duration: WAY, easing: "ease-in-out", fill: "both" });
      return [run.finished.catch(() => {}).then(() => group.remove())];
    });
    await Promise.all(runs);
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

  Object.assign(pbem, { film: { glide, fade, die, calm } });
})((globalThis.pbem ??= {}));
