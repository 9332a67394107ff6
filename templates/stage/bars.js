// The bars round a board, on every stage: the strip above it, its tools, the tray that folds out of the strip, the drawer beside it.
"use strict";

const docked = matchMedia("(min-width: 1200px)");

function button(text, act, kind = "") {
  const made = Object.assign(document.createElement("button"), { type: "button", textContent: text, className: kind });
  made.addEventListener("click", act);
  return made;
}

// The view with its bars, put into a box; `links` elsewhere stand first in the strip.
function buildStage(box, ...links) {
  const marks = make("div", { id: "marks" }), view = make("div", { id: "view", className: "chart" });
  marks.dataset.covers = "top";
  const fold = button("", () => showTray(), "fold"), log = button("Log", () => openDrawer(true), "open-drawer");
  fold.append(make("span", { className: "wide", textContent: "More ▾" }), make("span", { className: "narrow", textContent: "⋯", ariaHidden: "true" }));
  fold.ariaLabel = "More: what is not on the map";
  fold.id = "fold";
  log.id = "log-button";
  fold.setAttribute("aria-expanded", "false");
  marks.append(...links, make("div", { className: "plates", role: "group", ariaLabel: "The players" }), make("div", { className: "values", tabIndex: 0, role: "group", ariaLabel: "What is counted" }), fold, log);
  view.append(make("div", { className: "pins", role: "group", ariaLabel: "Places of the board" }), make("div", { className: "fx" }));
  const tray = make("div", { id: "tray", hidden: true });
  tray.setAttribute("role", "region");
  tray.setAttribute("aria-label", "What is not on the map");
  box.prepend(marks, view, buildDice(), buildTools(), tray);
}

function buildTools() {
  const tools = make("div", { className: "tools" });
  const add = (text, label, act, more = {}) => tools.append(Object.assign(button(text, act, "tool"), { ariaLabel: label, title: label, ...more }));
  add("+", "zoom in", () => zoomMiddle(1.5));
  add("−", "zoom out", () => zoomMiddle(1 / 1.5));
  add("⤢", "the whole board, or back to what can be clicked", aimAtAll, { id: "whole" });
  return tools;
}

function showTray(isOpen = byId("tray").hidden) {
  if (isOpen) fillTray(byId("tray"));
  byId("tray").hidden = !isOpen;
  byId("fold").setAttribute("aria-expanded", String(isOpen));
}

const isDrawerOpen = () => byId("drawer")?.classList.contains("open") ?? false;

function buildDrawer(label) {
  const drawer = make("aside", { id: "drawer" });
  drawer.setAttribute("aria-label", label);
  drawer.dataset.covers = "right";
  drawer.append(Object.assign(button("✕", () => openDrawer(false), "close-drawer"), { ariaLabel: "close", title: "close" }));
  return drawer;
}

function openDrawer(isOpen, at = null) {
  const drawer = byId("drawer");
  if (!drawer) return;
  drawer.classList.toggle("open", isOpen);
  countNews();
  if (at) at.scrollIntoView({ block: "start" });
  if (docked.matches) return;
  (isOpen ? drawer.querySelector(".close-drawer") : byId("log-button")).focus({ preventScroll: true });
}

// What lies over the board folds in again; true where something did.
function foldIn() {
  const writing = document.querySelector(".writing[open]");
  if (byId("tray")?.hidden === false) showTray(false);
  else if (isDrawerOpen() && !docked.matches) openDrawer(false);
  else if (writing) {
    writing.open = false;
    writing.querySelector("summary").focus({ preventScroll: true });
  } else return false;
  return true;
}
document.addEventListener("pointerdown", (event) => {
  if (isDrawerOpen() && !docked.matches && event.target.closest?.("#view")) openDrawer(false);
  if (byId("tray")?.hidden === false && !event.target.closest?.("#tray, #fold")) showTray(false);
});
