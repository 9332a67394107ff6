// libsodium's verdicts by the rule of docs/format.md, section 3: a list of [key, message, signature], each in
// hexadecimal, comes in, and a list of true and false goes out.
import { readFileSync } from "node:fs";
import sodium from "libsodium-wrappers-sumo";

const NEUTRAL = "01" + "00".repeat(31);

await sodium.ready;
const { from_hex: bytes, to_hex: hex } = sodium;

const reduced = (bytes) => sodium.crypto_core_ed25519_scalar_reduce(bytes);
const isReduced = (s) => hex(reduced(Uint8Array.of(...s, ...new Uint8Array(32)))) === hex(s);

/** A multiple, as hexadecimal. libsodium gives none where the result is neutral, as with the scalar zero. */
function multiple(scalar, multiply) {
  return scalar.every((byte) => byte === 0) ? NEUTRAL : hex(multiply(scalar));
}

function holds(key, message, signature) {
  const r = signature.slice(0, 32), s = signature.slice(32);
  if (!sodium.crypto_core_ed25519_is_valid_point(key) || !isReduced(s)) return false;
  if (hex(r) !== NEUTRAL) return sodium.crypto_sign_verify_detached(signature, message, key);
  const k = reduced(sodium.crypto_hash_sha512(Uint8Array.of(...r, ...key, ...message)));
  const ofKey = multiple(k, (scalar) => sodium.crypto_scalarmult_ed25519_noclamp(scalar, key));
  return multiple(s, sodium.crypto_scalarmult_ed25519_base_noclamp) === ofKey;
}

const cases = JSON.parse(readFileSync(0, "utf-8"));
console.log(JSON.stringify(cases.map((one) => holds(...one.map((part) => bytes(part))))));
