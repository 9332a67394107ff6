// Answers for the page without a connection: the version that the player has taken, whole, until they take another. What
// is shared to the installed page waits in a cache of its own until the page takes it.
"use strict";

const BASE = new URL("./", location.href), FOLDER = unescape(BASE.pathname).replace(/\/+/g, "/"); // as start.js has them
const CACHE = `pbem ${FOLDER} `, TAKEN_CACHE = `${CACHE}taken`, SHARED_CACHE = `${CACHE}shared`;
const MOST_FILES = 20, MOST_BYTES = 26_000_000;

async function taken(name) {
  const hash = await (await (await caches.open(TAKEN_CACHE)).match(new URL("taken", BASE)))?.text();
  return hash === undefined ? undefined : (await caches.open(CACHE + hash)).match(new URL(name, BASE));
}

// Files and text of a share, behind those that wait already. Any page can send such a request, so nothing else is done
// with it, and all that waits is bounded.
async function shared(request) {
  const form = await request.formData(), cache = await caches.open(SHARED_CACHE), waiting = await cache.keys();
  const given = [...form.getAll("turn"), ...form.getAll("text")].map((one) => (typeof one === "string" ? new File([one], "what was shared") : one));
  let bytes = 0;
  for (const one of waiting) bytes += (await (await cache.match(one)).blob()).size;
  const files = given.filter((one) => one.size), room = files.slice(0, Math.max(0, MOST_FILES - waiting.length)).filter((one) => (bytes += one.size) <= MOST_BYTES);
  for (const file of room) {
    const name = encodeURIComponent([...file.name].slice(0, 100).join("")); // by characters: half of one has no code
    await cache.put(new URL(`shared-${crypto.randomUUID()}`, BASE), new Response(file, { headers: { "pbem-name": name } }));
  }
  if (room.length < files.length) await (await caches.open(TAKEN_CACHE)).put(new URL("left", BASE), new Response("for the page to say"));
  return Response.redirect(BASE, 303);
}

async function answer(request, name) {
  return (await taken(name)) ?? fetch(request);
}

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (!url.href.startsWith(BASE.href)) return;
  const name = url.pathname.slice(BASE.pathname.length);
  if (event.request.method === "POST" && name === "share") event.respondWith(shared(event.request).catch(() => Response.redirect(BASE, 303)));
  else if (event.request.method === "GET" && name !== "version.json" && event.request.cache !== "reload") event.respondWith(answer(event.request, name));
});
