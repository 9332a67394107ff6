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

  const MOST = 100_000_000; // bytes of what is unpacked

  // Two letters hold thirteen bits, and one left over six (pbem/fileformat/packed.py).
  function fromLetters(text) {
    const bytes = new Uint8Array(Math.floor(((text.length >> 1) * 13 + (text.length & 1) * 6) / 8)), value = (at) => {
      const code = text.charCodeAt(at);
      return code - 33 - (code > 34) - (code > 38) - (code > 60);
    };
    let held = 0, bits = 0, place = 0;
    for (let at = 0; at < text.length; at += 2) {
      const isPair = at + 1 < text.length;
      held = isPair ? (held << 13) | (value(at) * 91 + value(at + 1)) : (held << 6) | value(at);
      for (bits += isPair ? 13 : 6; bits >= 8; held &= (1 << bits) - 1) {
        bits -= 8;
        bytes[place++] = held >> bits;
      }
    }
    return bytes;
  }

  async function inflated(text) {
    const packed = new Blob([fromLetters(text)]).stream().pipeThrough(new DecompressionStream("deflate")), parts = [];
    let size = 0;
    for (const reader = packed.getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) break;
      parts.push(value);
      if ((size += value.length) <= MOST) continue;
      await reader.cancel();
      throw new pbem.Failure("trace", "the page cannot be read: it unpacks to more than a game can have");
    }
    return new Uint8Array(await new Blob(parts).arrayBuffer());
  }

  /** The turn file that a page holds, and what stands beside it. Raises what is wrong with the page. */
  async function gameIn({ file, data, twice }) {
    if (twice !== undefined) {
      throw new pbem.Failure("trace", `somebody has changed this page: two of its elements are called “${[...twice].slice(0, 40).join("")}”`);
    }
    try {
      const [bytes, told] = [await inflated(file), await inflated(data)];
      return { bytes, data: JSON.parse(new TextDecoder().decode(told)) };
    } catch (error) {
      throw error instanceof pbem.Failure ? error : new pbem.Failure("trace", `the page cannot be read: ${error.message}`);
    }
  }

  Object.assign(pbem, { page: { $, state, element, gameIn } });
})(globalThis.pbem);
