// On a board of fields a piece that may go can be dragged too: the same places as with clicks. Let go where it may not go, it
// stays chosen.
"use strict";

const HELD = 6; // dots that a pointer moves before it drags
let grasped = null; // what the pointer was pressed on: its place, the piece there, where; and the copy that follows it

// The piece of a place as it stands on the board, if an answer of several places begins there.
function graspable(name) {
  const isStart = path.at(-1) === `place:${name}` || known.some((one) => one.path.length > 1 && one.path[0] === `place:${name}`);
  return isStart ? ground?.standing.querySelector(`[data-at="${CSS.escape(name)}"]`) : null;
}

document.addEventListener("pointerdown", (event) => {
  const place = event.target.closest?.(".of-fields .pin:is(.can-go, .chosen-place)")?.dataset.place, piece = place && !event.button && event.isPrimary && !isFilming() ? graspable(place) : null;
  grasped = piece && { place, piece, id: event.pointerId, x: event.clientX, y: event.clientY, copy: null };
  if (piece) touching.delete(event.pointerId); // the board stays where it is
});
document.addEventListener("pointermove", (event) => {
  if (event.pointerId !== grasped?.id) return;
  if (!grasped.copy && Math.hypot(event.clientX - grasped.x, event.clientY - grasped.y) > HELD) lift();
  if (!grasped.copy) return;
  const { left, top } = viewBox();
  grasped.copy.style.translate = `calc(${event.clientX - left}px - 50%) calc(${event.clientY - top}px - 50%)`;
});
for (const kind of ["pointerup", "pointercancel"]) document.addEventListener(kind, (event) => {
  const { id, place, piece, copy } = grasped ?? {};
  if (event.pointerId !== id) return;
  grasped = null;
  if (!copy) return;
  copy.remove();
  piece.classList.remove("spent");
  const under = document.elementsFromPoint(event.clientX, event.clientY).map((one) => one.closest?.(".pin.can-go")).find(Boolean);
  if (kind === "pointerup" && under && under.dataset.place !== place) choose(`place:${under.dataset.place}`, under);
});

function lift() {
  const { place, piece } = grasped, step = `place:${place}`, size = (board.piece_size ?? 40) * camera.scale;
  if (path.at(-1) !== step) choose(step, pins.get(place).button);
  grasped.copy = make("span", { className: "dragged", ariaHidden: "true" });
  grasped.copy.append(symbolOf(piece.dataset.piece));
  Object.assign(grasped.copy.style, { width: `${size}px`, height: `${size}px` });
  document.getElementById("view").append(grasped.copy);
  piece.classList.add("spent");
}
