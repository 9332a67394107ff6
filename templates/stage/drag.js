// What is clicked can be dragged too: on a board of fields a piece that may go, and with a mouse a card of the hand. It goes to the
// same places as with clicks; a card that has one answer is given wherever it is let go on the board. Else it stays chosen.
"use strict";

const HELD = 6; // dots that a pointer moves before it drags
let grasped = null; // what the pointer was pressed on: its step, the element that goes, where; and the copy that follows it

// The piece of a place as it stands on the board, if an answer of several places begins there.
function graspable(name) {
  const isStart = path.at(-1) === `place:${name}` || known.some((one) => one.path.length > 1 && one.path[0] === `place:${name}`);
  return isStart ? ground?.standing.querySelector(`[data-at="${CSS.escape(name)}"]`) : null;
}

// The answer that a card gives as it is dropped on the board; null where it has to go to a place, or has several.
const onlyOf = (step) => (path.at(-1) === step && left().length === 1 && whole(left()).length === 1 ? left()[0] : null);

document.addEventListener("pointerdown", (event) => {
  const place = event.target.closest?.(".of-fields .pin:is(.can-go, .chosen-place)")?.dataset.place, card = event.pointerType === "mouse" && event.target.closest?.(".held .card.can-go");
  const piece = event.button || !event.isPrimary || isFilming() ? null : card || (place && graspable(place));
  grasped = piece && { step: card ? `card:${card.dataset.card}` : `place:${place}`, piece, isCard: Boolean(card), id: event.pointerId, x: event.clientX, y: event.clientY, copy: null };
  if (piece) touching.delete(event.pointerId); // the board stays where it is
});
document.addEventListener("pointermove", (event) => {
  if (event.pointerId !== grasped?.id) return;
  if (!grasped.copy && Math.hypot(event.clientX - grasped.x, event.clientY - grasped.y) > HELD) lift();
  if (!grasped.copy) return;
  const { left: x, top: y } = grasped.isCard ? { left: 0, top: 0 } : viewBox(); // a card lies over all of the page
  grasped.copy.style.translate = `calc(${event.clientX - x}px - 50%) calc(${event.clientY - y}px - 50%)`;
});
for (const kind of ["pointerup", "pointercancel"]) document.addEventListener(kind, (event) => {
  const { id, step, piece, copy } = grasped ?? {};
  if (event.pointerId !== id) return;
  grasped = null;
  if (!copy) return;
  copy.remove();
  piece.classList.remove("spent");
  document.getElementById("view").classList.remove("takes-card");
  if (kind === "pointercancel") return;
  const under = document.elementsFromPoint(event.clientX, event.clientY), place = under.map((one) => one.closest?.(".pin.can-go")).find(Boolean), only = onlyOf(step);
  if (place && `place:${place.dataset.place}` !== step) choose(`place:${place.dataset.place}`, place);
  else if (only && under[0]?.closest?.("#view")) give(only); // the hand and the prompt lie over it
});

function lift() {
  const { step, piece, isCard } = grasped, { width, height } = piece.getBoundingClientRect(), size = (board.piece_size ?? 40) * camera.scale;
  if (path.at(-1) !== step) choose(step, isCard ? piece : pins.get(nameOf(step)).button);
  if (isCard) {
    closeBeside();
    paint(); // its answers stand beside the question meanwhile
    document.getElementById("view").classList.toggle("takes-card", Boolean(onlyOf(step)));
  }
  grasped.copy = make("span", { className: `dragged${isCard ? " of-hand" : ""}`, ariaHidden: "true" });
  grasped.copy.append(isCard ? piece.cloneNode(true) : symbolOf(piece.dataset.piece));
  Object.assign(grasped.copy.style, { width: `${isCard ? width : size}px`, height: `${isCard ? height : size}px` });
  (isCard ? main() : document.getElementById("view")).append(grasped.copy);
  piece.classList.add("spent");
}
