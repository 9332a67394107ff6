// What every page has: its elements by their ids, what it knows by now, and elements made of text. All words of players are put in as text.
"use strict";
(function (pbem) {
  // Found once, before any picture is there: what a picture calls itself changes nothing.
  const IDS = new Map([...document.querySelectorAll("[id]")].map((one) => [one.id, one]));
  const $ = (id) => IDS.get(id);
  const state = { run: 0, last: -1, entries: [], stands: null, checked: new Map(), rolls: new Map(), opened: new Map(), notes: new Map(), faces: new Map() };

  function element(name, text, attributes = {}) {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  }

  Object.assign(pbem, { page: { $, state, element } });
})(globalThis.pbem);
