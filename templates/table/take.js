// Files that are dropped on any page, or chosen on the first one, and text that is pasted there.
"use strict";

const ARMOR = "-----BEGIN PBEM TURN-----";
const holdsTurn = (text) => text.includes(ARMOR) || text.includes("-----BEGIN PBEM SEEK-----") || /#(join|turn|seek)=/.test(text);

async function take(data, name) {
  let facts = {};
  try {
    facts = await (await ask(`/take?name=${encodeURIComponent(name)}`, { method: "POST", body: data })).json();
    answered();
  } catch (error) {
    noAnswer(error, `"${name}" did not arrive whole: sending it was broken off. Choose it once more; a file of more than 26 MB holds no turn.`);
    return facts;
  }
  const list = document.getElementById("taken");
  for (const line of facts.told ?? (facts.page ? [] : [facts.error])) {
    if (list) list.append(Object.assign(document.createElement("li"), { textContent: line }));
    else tell(line, "notice");
  }
  return facts;
}

function offerToOpen(game) {
  const list = document.getElementById("taken"), item = Object.assign(document.createElement(list ? "li" : "p"), { className: list ? "" : "notice" });
  item.append(Object.assign(document.createElement("a"), { href: addressOf(`/game/${game}`), textContent: "open this game" }));
  if (list) list.append(item);
  else notices().prepend(item);
}

// Where a picture is the board it goes as large as it is looked at: a photograph of a telephone is a tenth of what it was.
const MOST_SIDE = 2400, MOST_OF_PICTURE = 1_000_000; // dots, bytes
async function fitting(file) {
  const isOther = /^image\/(webp|avif|hei[cf])$/.test(file.type) || /\.(webp|avif|hei[cf])$/i.test(file.name); // they go as a JPEG where the browser can draw them
  if (!isOther && (!main().classList.contains("pictured") || !/^image\/(png|jpeg)$/.test(file.type))) return file;
  try {
    const drawn = await createImageBitmap(file), scale = Math.min(1, MOST_SIDE / Math.max(drawn.width, drawn.height));
    if (!isOther && scale === 1 && file.size <= MOST_OF_PICTURE) return file;
    const canvas = Object.assign(document.createElement("canvas"), { width: Math.round(drawn.width * scale), height: Math.round(drawn.height * scale) });
    canvas.getContext("2d").drawImage(drawn, 0, 0, canvas.width, canvas.height);
    for (const quality of [0.85, 0.7, 0.5]) {
      const made = await new Promise((done) => canvas.toBlob(done, "image/jpeg", quality));
      if (made && (made.size <= MOST_OF_PICTURE || quality === 0.5)) return new File([made], file.name.replace(/\.[^.]*$/, "") + ".jpg");
    }
  } catch {
    // it is none that this browser can draw: it goes as any other file does
  }
  return file;
}

// A file goes with the turn of the game that is shown; one that was dropped may be a turn itself, or what went with one, and
// is taken in then.
async function attachAll(files, dropped = "") {
  const { name } = main().dataset, others = [];
  await keepTexts();
  let count = 0;
  for (const chosen of files) {
    const file = await fitting(chosen);
    try {
      const facts = await (await ask(`/take?name=${encodeURIComponent(file.name)}&with=${encodeURIComponent(name)}${dropped}`, { method: "POST", body: file })).json();
      answered();
      if (facts.attached) {
        count += 1;
        setMark(facts.mark);
        if (files.length > 1) tell(facts.attached, "notice");
      }
      else if (facts.error) tell(facts.error, "notice");
      else others.push(facts);
    } catch (error) {
      noAnswer(error, `"${file.name}" did not arrive whole: sending it was broken off. Choose it once more; up to 5 MB can go with a turn.`);
    }
  }
  for (const facts of others) (facts.told ?? []).forEach((line) => tell(line, "notice"));
  new Set(others.map((facts) => facts.game).filter(Boolean)).forEach(offerToOpen);
  if (count === files.length) go(`/game/${name}`);
}

// True where each of them belongs to a game that goes on here.
async function takeAll(files) {
  const pages = [];
  await keepTexts(); // while the page is not behind
  document.getElementById("taken")?.replaceChildren();
  for (const file of files) {
    const facts = await take(file, file.name);
    if (facts.page) return go(facts.page); // a newcomer sees what it is before they say who they are
    pages.push(facts.game);
  }
  const games = document.getElementById("seek-title") ? null : document.getElementById("games"); // among seeks a turn leads to its game
  if (games) {
    const fresh = mainOf(await (await ask("/", { headers: { "Table-Part": "1" } })).text());
    games.replaceWith(fresh.querySelector("#games"));
    new Set(pages.filter(Boolean)).forEach(offerToOpen); // once the list above has its height: nothing moves away under a finger
  } else if (pages.length && pages.every((page) => page && page === pages[0])) {
    go(`/game/${pages[0]}`);
  } else new Set(pages.filter(Boolean)).forEach(offerToOpen); // what is wrong with the others is told here, and stays
  return pages.every(Boolean);
}

function pasted(text) {
  return takeAll([new File([text], "what was pasted")]);
}

// What is dragged into a text field is written there, as everywhere, and a home into the field for its file.
function isForField({ target, dataTransfer }) {
  return Boolean(target.closest?.(dataTransfer.types.includes("Files") ? "#pack" : "input, textarea"));
}

document.addEventListener("dragover", (event) => {
  if (isForField(event)) return;
  event.preventDefault();
  document.body.classList.add("dropping");
});
document.addEventListener("dragleave", () => document.body.classList.remove("dropping"));
document.addEventListener("drop", (event) => {
  document.body.classList.remove("dropping");
  if (isForField(event)) return;
  event.preventDefault();
  if (event.dataTransfer.files.length) document.getElementById("with-file") ? attachAll([...event.dataTransfer.files], "&dropped=yes") : takeAll(event.dataTransfer.files);
  else if (holdsTurn(event.dataTransfer.getData("text/plain"))) pasted(event.dataTransfer.getData("text/plain"));
});
document.addEventListener("paste", (event) => {
  const text = event.clipboardData.getData("text/plain");
  if (event.target.closest?.("input, textarea") || !holdsTurn(text)) return;
  event.preventDefault();
  pasted(text);
});
document.addEventListener("change", (event) => {
  if (event.target.id === "take-file") takeAll(event.target.files);
  if (event.target.id === "with-file") attachAll([...event.target.files]);
});
document.addEventListener("click", (event) => {
  const field = document.getElementById("take-text");
  if (event.target.id === "take-it" && field.value.trim()) pasted(field.value).then((isTaken) => isTaken && (field.value = "")); // what nothing came of stays to be looked at
});
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("[data-invite]");
  if (link) document.querySelector(`.offers [name="game"][value="${link.dataset.invite}"]`)?.click();
});
