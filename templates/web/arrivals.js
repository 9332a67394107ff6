// What comes from outside: the text after # in the address, what was shared to the installed page, files and text that are
// dropped before the home is open. All of it is hostile until it was read, and none of it does anything by itself: it is
// shown as come, and taken in by the same way as a file that the player chooses.
"use strict";

const SHARED_CACHE = "pbem shared", MOST_SHARED = 26_000_000;
const held = []; // files that came before the home was open

async function sharedFiles() {
  try {
    const cache = await caches.open(SHARED_CACHE), found = [];
    for (const request of await cache.keys()) {
      const answer = await cache.match(request), blob = await answer.blob();
      if (blob.size <= MOST_SHARED) found.push(new File([blob], decodeURIComponent(answer.headers.get("pbem-name") ?? "shared")));
    }
    return found;
  } catch {
    return [];
  }
}

// Whoever is at the door is told what waits for them.
async function tellWhatCame() {
  const note = document.getElementById("invited"), shared = await sharedFiles();
  const what = [arrived.startsWith("join=") && "an invitation", arrived.startsWith("turn=") && "a turn", shared.length + held.length && (shared.length + held.length === 1 ? "a file" : `${shared.length + held.length} files`)].filter(Boolean);
  if (!note || !what.length) return;
  note.textContent = `With this page came ${what.join(" and ")}. It is looked at once the home is open, and nothing is done with it before you say so.`;
  note.hidden = false;
}

// What came is taken in as pasted text is. True where it leads to the page of a game.
async function takeArrivals() {
  const told = [];
  let game = "";
  if (/^(join|turn)=/.test(arrived)) {
    try {
      const facts = await askFacts("/web/arrived", { fragment: arrived });
      told.push(...facts.told);
      game = facts.game || game;
    } catch (error) {
      told.push(error.message);
    }
    forgetArrived();
  }
  for (const file of [...held.splice(0), ...(await sharedFiles())]) {
    const answer = await ask(`/take?name=${encodeURIComponent(file.name)}`, { method: "POST", body: file }), facts = await answer.json();
    told.push(...(facts.told ?? [facts.error]));
    game = facts.game || game;
  }
  await caches.delete?.(SHARED_CACHE).catch(() => {});
  await go(game ? `/game/${game}` : "/");
  for (const line of told.reverse()) tell(line, "notice");
}

// Before the home is open, what is dropped or pasted waits at the door.
function holdArrivals() {
  const isAtDoor = () => document.body.classList.contains("at-door");
  window.addEventListener("drop", (event) => {
    if (!isAtDoor()) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    document.body.classList.remove("dropping");
    held.push(...event.dataTransfer.files);
    tellWhatCame();
  }, true);
  window.addEventListener("paste", (event) => {
    const text = event.clipboardData.getData("text/plain");
    if (!isAtDoor() || !text.includes(ARMOR) || event.target.closest?.("#pack-text")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    held.push(new File([text], "what was pasted"));
    tellWhatCame();
  }, true);
  window.addEventListener("hashchange", () => {
    readArrived();
    history.replaceState(history.state, "", BASE.pathname);
    if (isAtDoor()) tellWhatCame();
    else if (/^(join|turn)=/.test(arrived)) offerArrived();
  });
}

// A link that was opened while somebody plays: they say when it is looked at.
function offerArrived() {
  const told = Object.assign(document.createElement("p"), { className: "notice", textContent: `${arrived.startsWith("join=") ? "An invitation" : "A turn"} has come with a link. ` });
  told.append(button("look at it", () => {
    told.remove();
    takeArrivals();
  }, "small-button"));
  main().prepend(told);
}
