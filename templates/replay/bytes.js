// Bytes, hashes and numbers of the turn file (docs/format.md, sections 1 and 13, "Notation").
"use strict";
(function (pbem) {
  const noble = (pbem.noble ??= globalThis.noble);

  /** What is wrong with a file, and of which layer it is (docs/format.md, section 18). */
  class Failure extends Error {
    constructor(layer, reason, entry = null) {
      super(reason);
      this.layer = layer;
      this.entry = entry;
    }
  }

  /** Throw a `Failure` unless the condition holds. */
  function must(condition, layer, reason) {
    if (!condition) throw new Failure(layer, reason);
  }

  const utf8 = (text) => new TextEncoder().encode(text);

  function concat(...parts) {
    const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
    let place = 0;
    for (const part of parts) {
      whole.set(part, place);
      place += part.length;
    }
    return whole;
  }

  const equal = (left, right) => left.length === right.length && left.every((byte, place) => byte === right[place]);
  const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
  const hex = (bytes) => bytes.reduce((text, byte) => text + HEX[byte], "");

  const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const VALUES = new Uint8Array(128);
  for (let value = 0; value < 64; value++) VALUES[ALPHABET.charCodeAt(value)] = value;

  /** The bytes of base64 in its one spelling (section 1), or null. */
  function fromBase64(text) {
    const match = /^([A-Za-z0-9+/]*)(={0,2})$/.exec(text);
    if (!match || text.length % 4 !== 0 || text.endsWith("\n")) return null;
    const padding = match[2].length, letters = text.length - padding;
    const bytes = new Uint8Array((text.length / 4) * 3 - padding);
    let place = 0, bits = 0, held = 0;
    for (let i = 0; i < letters; i++) {
      held = (held << 6) | VALUES[text.charCodeAt(i)];
      bits += 6;
      if (bits >= 8) {
        bits -= 8;
        bytes[place++] = held >> bits;
        held &= (1 << bits) - 1;
      }
    }
    return held === 0 && place === bytes.length && bits < 6 ? bytes : null;
  }

  function toBase64(bytes) {
    let text = "";
    for (let place = 0; place < bytes.length; place += 3) {
      const three = (bytes[place] << 16) | ((bytes[place + 1] ?? 0) << 8) | (bytes[place + 2] ?? 0);
      for (let shift = 18; shift >= 0; shift -= 6) text += ALPHABET[(three >> shift) & 63];
    }
    const padding = (3 - (bytes.length % 3)) % 3;
    return text.slice(0, text.length - padding) + "=".repeat(padding);
  }

  /** The bytes of a field, `size` of them unless it is null. Fails as *grammar*. */
  function blob(text, size, name) {
    const bytes = typeof text === "string" ? fromBase64(text) : fromBase64("");
    must(bytes !== null, "grammar", `${name}: not base64 in its one spelling`);
    must(size === null || bytes.length === size, "grammar", `${name}: ${bytes.length} bytes where ${size} belong`);
    return bytes;
  }

  /** A number as 8 bytes big-endian. */
  function number8(value) {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setBigUint64(0, BigInt(value));
    return bytes;
  }

  const asBytes = (part) => (typeof part === "string" ? utf8(part) : part);

  /** frame(p1, …, pn), section 1. */
  const frame = (...parts) => concat(...parts.flatMap((part) => [number8(asBytes(part).length), asBytes(part)]));

  const sha256 = (...parts) => noble.sha256(concat(...parts));
  const sha512 = (...parts) => noble.sha512(concat(...parts));

  /** H(tag, p1, …, pn), section 1. */
  const H = (...parts) => noble.sha256(frame(...parts));

  /** A number from bytes, the least significant first. */
  function littleEndian(bytes) {
    return BigInt("0x" + hex(Uint8Array.from(bytes).reverse()));
  }

  /** A number below 2^256 as 32 bytes, the least significant first. */
  function scalarBytes(value) {
    const bytes = new Uint8Array(32);
    for (let place = 0; place < 32; place++) {
      bytes[place] = Number(value & 255n);
      value >>= 8n;
    }
    return bytes;
  }

  /** Thirty digits in groups of five that stand for a key, to be compared by telephone (section 1). */
  function fingerprint(key) {
    const digits = (BigInt("0x" + hex(H("pbem/1 fingerprint", key))) % 10n ** 30n).toString().padStart(30, "0");
    return digits.match(/.{5}/g).join(" ");
  }

  Object.assign(pbem, {
    Failure, must, utf8, concat, equal, hex, fromBase64, toBase64, blob, number8, frame, sha256, sha512, H, fingerprint,
    littleEndian, scalarBytes,
  });
})((globalThis.pbem ??= {}));
