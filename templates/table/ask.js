// How the table's pages ask and go elsewhere: over the connection here. A page that runs the program itself has these
// functions too, and no connection.
"use strict";

const ENDED = "The table has ended. Start pbem table again: the terminal then has the new address. What you wrote is still here.";

// Why no answer came: the table has ended only where it answers nothing else either; else it is in `otherwise`.
async function whyNoAnswer(_error, otherwise) {
  try {
    await fetch("/static/ask.js", { cache: "no-store" });
    return otherwise;
  } catch {
    return ENDED;
  }
}

// What an address answers: status, headers.get(), text(), json().
function ask(path, how = {}) {
  return fetch(path, how);
}

// What is sent as somebody leaves, whose answer nobody waits for.
function askLast(path, body) {
  navigator.sendBeacon(path, body);
}

function go(path) {
  location.href = path;
}

// The page that is shown, as it is now.
function again() {
  location.reload();
}

// Where a link to a page of the table points.
function addressOf(path) {
  return path;
}

// A picture's style sheet is moved to the head once, so that it stays when the main part of the page is replaced.
function addStyle(link) {
  const isKnown = [...document.head.querySelectorAll("link[rel=stylesheet]")].some((one) => one.href === link.href);
  if (isKnown) link.remove();
  else document.head.append(link);
}

// What is put on a page is ready: nothing more to do here.
function prepared() {}

// The page has become the one of another address, without going there.
function isNowAt(path) {
  history.replaceState(null, "", path);
}
