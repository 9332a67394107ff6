// Pages of the table in this one: links and forms lead here and not to a server, and back leads to the page before.
"use strict";

let here = "/"; // the path of the page that is shown
const styles = new Set();
const isAtDoor = () => document.body.classList.contains("at-door"); // no home is open: no page of the table is shown

function adopt(text) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

// The table's own styles, with their letters from what was loaded.
function adoptTable() {
  const text = ["table.css", "stage.css", "turn.css", "chart.css"].map((name) => new TextDecoder().decode(loaded.get(`table/${name}`))).join("\n");
  adopt(text.replace(/\/static\/([A-Za-z-]+\.ttf)/g, (_, name) => URL.createObjectURL(new Blob([loaded.get(`table/${name}`)], { type: "font/ttf" }))));
}

// A picture's style sheet.
function addStyle(link) {
  const path = link.dataset.href;
  link.remove();
  if (!path || styles.has(path)) return;
  styles.add(path);
  ask(path).then((answer) => answer.text()).then(adopt).catch(() => styles.delete(path));
}

function isNowAt(address) {
  here = pathOf(address);
  history.replaceState({ path: here }, "", BASE.href);
}

function putPage(text) {
  const parsed = new DOMParser().parseFromString(text, "text/html"), fresh = parsed.querySelector("main");
  if (fresh === null) return false;
  closeAbout();
  replaceMain(fresh);
  document.title = parsed.title || fresh.querySelector("h1")?.textContent || "pbem";
  document.body.classList.toggle("at-door", Boolean(visit?.isAtDoor));
  showPromises();
  heard().textContent = document.title;
  prepare();
  return true;
}

const KEEPS = /^\/game\/[^/]+\/(replay\.html|with\/)/;

// The way to a page of the table. `how` is "push" for a click, "back" for the browser's buttons.
async function go(address, how = "push", scroll = 0) {
  const to = pathOf(address);
  if (KEEPS.test(to)) {
    await download(to);
    return;
  }
  try {
    if (main().dataset.name) await keepTexts();
    const answer = await asking(() => ask(to));
    if (answer.status === 303) {
      await go(answer.headers.get("location"), how);
      return;
    }
    history.replaceState({ ...history.state, scroll: window.scrollY }, "", BASE.href);
    if (!putPage(await answer.text())) {
      tell("There is no such page here.");
      return;
    }
    here = to;
    if (how === "push") history.pushState({ path: to, isSample: Boolean(visit?.isSample) }, "", BASE.href);
    focusPage();
    window.scrollTo(0, scroll);
  } catch (error) {
    tell(error.message || ENDED);
  }
}

// The page that is shown, as it is now.
const again = () => go(here, "stay", window.scrollY);

// Where the keyboard is on a page that is new: at what it asks, or its title.
function focusPage() {
  const title = main().querySelector("#turn-title") ?? main().querySelector("h1") ?? main();
  title.tabIndex = -1;
  title.focus({ preventScroll: true });
}

// What takes long is said.
async function asking(act) {
  const busy = document.getElementById("busy"), slow = setTimeout(() => (busy.hidden = false), SLOW);
  main().setAttribute("aria-busy", "true");
  try {
    return await act();
  } finally {
    clearTimeout(slow);
    busy.hidden = true;
    main().removeAttribute("aria-busy");
  }
}

// A form whose answer is another page.
async function sendWhole(form, submitter) {
  const fields = new URLSearchParams(new FormData(form, submitter));
  try {
    const answer = await asking(() => ask(form.getAttribute("action"), { method: "POST", body: fields }));
    if (answer.status === 303) await go(answer.headers.get("location"));
    else if (putPage(await answer.text())) {
      focusPage();
      window.scrollTo(0, 0);
    }
  } catch (error) {
    tell(error.message || ENDED);
  }
}

// What a file is called that is an answer.
function fileNameOf(answer, otherwise) {
  const [, plain, encoded] = /filename="([^"]+)"(?:; filename\*=UTF-8''(\S+))?/.exec(answer.headers.get("content-disposition") ?? "") ?? [];
  return encoded ? decodeURIComponent(encoded) : plain ?? otherwise;
}

async function download(address) {
  try {
    const answer = await asking(() => ask(address));
    if (answer.status !== 200) {
      tell(address.includes("/with/") ? "This file is not here any more, or it was changed." : "The replay of this game cannot be made now: it is there once the game is over.");
      return;
    }
    saveFile(new File([await answer.blob()], fileNameOf(answer, pathOf(address).split("/").pop())));
  } catch (error) {
    tell(error.message || ENDED);
  }
}

// The mail as others get it, apart from the page: its styles stand in its lines, where the policy takes none.
async function fillPreview(frame) {
  const box = Object.assign(document.createElement("div"), { className: "mail" }), inside = box.attachShadow({ mode: "open" });
  box.setAttribute("role", "region");
  box.setAttribute("aria-label", frame.title);
  box.tabIndex = 0;
  frame.replaceWith(box);
  const text = (await (await ask(frame.dataset.src)).text()).replace(/<style>[^]*?<\/style>/g, "").replace(/ style="/g, ' data-style="');
  const parsed = new DOMParser().parseFromString(text, "text/html");
  for (const one of parsed.querySelectorAll("script, style, link, meta, base, form, iframe, object, embed")) one.remove();
  for (const one of parsed.querySelectorAll("img:not([src^='data:image/'])")) one.remove();
  const page = document.createElement("div");
  page.dataset.style = parsed.body.dataset.style ?? "";
  page.append(...parsed.body.childNodes);
  inside.append(page);
  for (const one of inside.querySelectorAll("[data-style]")) {
    one.style.cssText = one.dataset.style;
    delete one.dataset.style;
  }
}

// Called when something was put on the page (ask.js).
function prepared() {
  for (const frame of main().querySelectorAll("iframe[data-src]")) fillPreview(frame).catch(() => {});
  prepareFirstPage();
  offerToSend();
  showInDrawer();
}

function startPages() {
  // After the table's own listeners, which stop what they have done.
  window.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    if (!link || event.defaultPrevented) return;
    const address = link.getAttribute("href");
    if (address === "#page") {
      event.preventDefault();
      focusPage();
    } else if (address.startsWith("#/")) {
      event.preventDefault();
      go(link.closest("#behind") ? here : address);
    } else if (!/^(https?:|mailto:|blob:)/.test(address)) {
      event.preventDefault(); // words of a help page that lead to a place in the sources
      if (address.startsWith("#")) document.getElementById(decodeURIComponent(address.slice(1)))?.scrollIntoView();
    }
  });
  window.addEventListener("submit", (event) => {
    if (event.target.dataset.whole === undefined || event.defaultPrevented) return;
    event.preventDefault();
    sendWhole(event.target, event.submitter ?? undefined);
  });
  window.addEventListener("popstate", (event) => {
    const { path, isSample, scroll = 0 } = event.state ?? {};
    if (visit?.isSample && !isSample) leaveSample();
    else if (path && (isSample ? visit?.isSample : visit?.isUnkept || !isAtDoor())) go(path, "back", scroll);
  });
  history.scrollRestoration = "manual";
}
