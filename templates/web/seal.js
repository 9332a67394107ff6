// What is kept is encrypted: each record by itself, under one random key, which a passphrase wraps (docs/format.md).
"use strict";

const TAG = "pbem web 1";
const KEY_BYTES = 32, NONCE_BYTES = 24, SALT_BYTES = 16;
const PASSES = 3, MEMORY = 64 * 1024 * 1024; // fixed by TAG and never read from what is stored
let sodium = null; // libsodium, once it is there

// Why something cannot be done, for whoever plays: `kind` is for the page, the message is what it says.
class Refusal extends Error {
  constructor(kind, words) {
    super(words);
    this.kind = kind;
  }
}

const utf8 = (text) => new TextEncoder().encode(text);

// Each part with its length before it, as 8 bytes big-endian.
function framed(...parts) {
  const bytes = parts.map((part) => (typeof part === "string" ? utf8(part) : part));
  const made = new Uint8Array(bytes.reduce((sum, part) => sum + 8 + part.length, 0));
  let at = 0;
  for (const part of bytes) {
    new DataView(made.buffer).setBigUint64(at, BigInt(part.length));
    made.set(part, at + 8);
    at += 8 + part.length;
  }
  return made;
}

const randomBytes = (count) => crypto.getRandomValues(new Uint8Array(count));

function sealed(contents, name, key) {
  const nonce = randomBytes(NONCE_BYTES), made = sodium.crypto_aead_xchacha20poly1305_ietf_encrypt(contents, framed(TAG, name), null, nonce, key);
  const record = new Uint8Array(NONCE_BYTES + made.length);
  record.set(nonce);
  record.set(made, NONCE_BYTES);
  return record;
}

// The contents of a record; null where it is not what was sealed under this name with this key.
function opened(record, name, key) {
  if (!(record instanceof Uint8Array) || record.length < NONCE_BYTES) return null;
  try {
    return sodium.crypto_aead_xchacha20poly1305_ietf_decrypt(null, record.subarray(NONCE_BYTES), framed(TAG, name), record.subarray(0, NONCE_BYTES), key);
  } catch {
    return null;
  }
}

// What a passphrase is, however it is typed: as for the file of a home (docs/format.md, section 17).
const wordsOf = (passphrase) => passphrase.normalize("NFC").replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, "");

function keyOf(passphrase, salt) {
  const words = utf8(wordsOf(passphrase));
  return sodium.crypto_pwhash(KEY_BYTES, words, salt, PASSES, MEMORY, sodium.crypto_pwhash_ALG_ARGON2ID13);
}

// How the data key stands in the storage.
function wrappedKey(key, passphrase) {
  if (passphrase === null) return { kind: "none", key };
  const salt = randomBytes(SALT_BYTES);
  return { kind: "passphrase", salt, wrapped: sealed(key, "key", keyOf(passphrase, salt)) };
}

// The data key. Raises a `Refusal` for a passphrase that is not the one.
function unwrappedKey(kept, passphrase) {
  const key = kept.kind === "none" ? kept.key : passphrase === null ? null : opened(kept.wrapped, "key", keyOf(passphrase, kept.salt));
  if (key?.length === KEY_BYTES) return key;
  if (kept.kind === "none") throw new Refusal("broken", `The key of this home is not in the ${PLACE.keeper}'s storage any more: ${PLACE.restore}.`);
  throw new Refusal("passphrase", "This is not the passphrase of this home.");
}
