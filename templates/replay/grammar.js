// The grammar of the turn file: bytes to entries, strictly (docs/format.md, sections 2 and 3).
"use strict";
(function (pbem) {
  const { Failure, must, utf8, concat, fromBase64, noble } = pbem;

  const HEADER = 'format = "pbem/1"';
  const MAX = { file: 8000000, entries: 9999, line: 8192, elements: 512 };

  // The table of fields, in the order in which they stand (pbem/fileformat/fields.json).
  const FIELDS = new Map(pbem.fields.map((field) => [field.key, field]));
  const RANK = new Map(pbem.fields.map(({ key }, rank) => [key, rank]));
  /** The keys that stand in such entries alone. */
  const standing = (where) => pbem.fields.filter((field) => field.where === where).map(({ key }) => key);
  const ALWAYS = standing("always");
  /** Whether a number is within the bounds of its field. */
  const isWithin = (key, number) => number >= FIELDS.get(key).least && number <= FIELDS.get(key).most;

  const CONTROL = "\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\ufff9-\\uffff";
  const HIDDEN =
    "\\u00ad\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u202a-\\u202e" +
    "\\u2060-\\u206f\\u3164\\ufe00-\\ufe0e\\ufeff\\uffa0\\ufff0-\\ufff8\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}" +
    "\\u{e0000}-\\u{e001f}\\u{e0080}-\\u{e0fff}";
  const MARKS = /[\u061c\u200c-\u200f\ufe0f\u{e0020}-\u{e007f}]/u;
  const CHAR = `(?:[^"\\\\${CONTROL}${HIDDEN}]|\\\\["\\\\n])*`;
  const KEY = "[a-z][a-z0-9-]{0,31}";
  const STRING = new RegExp(`^(${KEY}) = "(${CHAR})"$`, "u");
  const NUMBER = new RegExp(`^(${KEY}) = (0|[1-9][0-9]{0,8})$`, "u");
  const LIST = new RegExp(`^(${KEY}) = \\[$`, "u");
  const ELEMENT = new RegExp(`^  "(${CHAR})",$`, "u");
  const DATE = /^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3])(:[0-5][0-9]){2}Z$/;

  const ONE = `[${noble.pictographic}](?:\\ufe0f|[\\u{1f3fb}-\\u{1f3ff}])?`;
  const LETTER = "\\u{e0061}-\\u{e007a}";
  const JOINED = ["\\u0620-\\u08ff", "\\u0900-\\u0dff", "\\u1000-\\u109f", "\\u1780-\\u17ff", "\\u1800-\\u18af"];
  const PLACES =
    `\\u{1f3f4}[${LETTER}]{2}[\\u{e0030}-\\u{e0039}${LETTER}]{1,4}\\u{e007f}` +
    `|[0-9#*]\\ufe0f\\u20e3|${ONE}(?:\\u200d${ONE})*` +
    JOINED.map((script) => `|[${script}][\\u200c\\u200d](?=[${script}])`).join("");
  const IN_PLACE = new RegExp(PLACES, "gu");
  const IN_PLACE_TURNED = new RegExp(`${PLACES}|[\\u061c\\u200e\\u200f](?![\\u061c\\u200c-\\u200f])`, "gu");
  const RIGHT_TO_LEFT =
    /[\u0590-\u061b\u061d-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

  const unescape = (text) => text.replace(/\\(.)/gu, (_, one) => (one === "n" ? "\n" : one));
  const count = (text) => [...text].length;

  /** Undo what mail does to line ends (section 2): CR before every LF, and what stands after the last line. */
  function repaired(data) {
    let end = data.length;
    while (end > 0 && (data[end - 1] === 10 || data[end - 1] === 13)) end -= 1;
    if (/\ned25519 = "[A-Za-z0-9+/]{86}=="$/.test(latin(data.slice(Math.max(0, end - 120), end)))) {
      const isCrlf = latin(data.slice(0, 200)).includes("\r\n");
      data = concat(data.slice(0, end), utf8(isCrlf ? "\r\n" : "\n"));
    }
    let lf = 0, crlf = 0;
    for (let place = 0; place < data.length; place++) {
      if (data[place] !== 10) continue;
      lf += 1;
      if (place > 0 && data[place - 1] === 13) crlf += 1;
    }
    return lf > 0 && lf === crlf ? data.filter((byte, place) => byte !== 13 || data[place + 1] !== 10) : data;
  }

  const ARMOR = /-{1,10}BEGIN PBEM TURN-{1,10}([^-]*)-{1,10}END PBEM TURN-{1,10}/;

  /** The file in a text that holds it in armor (section 10); these bytes where there is none, without a byte order mark. */
  function unarmored(bytes) {
    if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) bytes = bytes.slice(3);
    const text = new TextDecoder("latin1").decode(bytes), found = text.startsWith('format = "') ? null : ARMOR.exec(text);
    return (found && fromBase64(found[1].replace(/[\s>|]|[^\x00-\x7f]/g, ""))) ?? bytes;
  }

  const latin = (bytes) => Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");

  /** The lines of a file, taken one after the other; each is bounded when it is taken. */
  class Lines {
    constructor(text) {
      this.lines = text.split("\n");
      this.last = this.lines.pop();
      this.place = 0;
      must(this.last === "", "grammar", `line ${this.lines.length + 1}: the last line does not end`);
    }
    get more() {
      return this.place < this.lines.length;
    }
    fail(reason, layer = "grammar") {
      throw new Failure(layer, `line ${Math.max(this.place, 1)}: ${reason}`);
    }
    checkMore() {
      if (!this.more) this.fail("the file ends in the middle of a turn");
    }
    take() {
      this.checkMore();
      const line = this.lines[this.place++];
      if (line.length > MAX.line && count(line) > MAX.line) this.fail("the line is too long", "limit");
      return line;
    }
    expect(wanted) {
      if (this.take() !== wanted) this.fail(`expected "${wanted}"`);
    }
  }

  function elements(lines) {
    const found = [];
    for (let line; (line = lines.take()) !== "]"; ) {
      const match = ELEMENT.exec(line);
      if (!match) lines.fail("not an element of a list");
      found.push(unescape(match[1]));
      if (found.length > MAX.elements) lines.fail("the list is too long", "limit");
    }
    if (found.length === 0) lines.fail("an empty list");
    return found;
  }

  function readFields(lines) {
    const fields = new Map();
    while (lines.more) {
      const line = lines.lines[lines.place];
      if (line === "" || line.startsWith("[")) break;
      lines.take();
      let match, value;
      if ((match = STRING.exec(line))) value = unescape(match[2]);
      else if ((match = NUMBER.exec(line))) value = Number(match[2]);
      else if ((match = LIST.exec(line))) value = elements(lines);
      else lines.fail("not a key with a string, a number or a list");
      if (fields.has(match[1])) lines.fail(`the key "${match[1]}" stands twice`);
      fields.set(match[1], value);
    }
    return fields;
  }

  /** Whether every mark stands where emoji or letters need it (section 2). */
  const isMessage = (text) => !MARKS.test(text) || text.split("\n").every(
    (line) => !MARKS.test(line.replace(RIGHT_TO_LEFT.test(line) ? IN_PLACE_TURNED : IN_PLACE, " ")));

  function checkFields(lines, fields) {
    let rank = -1;
    for (const [key, value] of fields) {
      if (!RANK.has(key)) lines.fail(`unknown key "${key}": the file was made by a newer program`);
      const { kind, longest } = FIELDS.get(key);
      if ((Array.isArray(value) ? "list" : typeof value) !== kind) lines.fail(`"${key}" holds another kind of value`);
      if (RANK.get(key) < rank) lines.fail(`"${key}" is out of order`);
      rank = RANK.get(key);
      const texts = typeof value === "string" ? [value] : Array.isArray(value) ? value : [];
      if (texts.includes("")) lines.fail(`"${key}" is empty`);
      if (texts.some((text) => text.length > longest && count(text) > longest)) {
        lines.fail(`"${key}" is longer than ${longest} characters`, "limit");
      }
      if (key === "message" ? !isMessage(value) : texts.some((text) => MARKS.test(text))) {
        lines.fail(`"${key}" holds a character that nobody sees`);
      }
    }
    for (const key of ALWAYS) {
      if (!fields.has(key)) lines.fail(`an entry without "${key}"`);
    }
    if (!DATE.test(fields.get("date"))) lines.fail("a date is written 2026-11-21T09:30:00Z");
  }

  function readEntry(lines) {
    lines.expect("");
    lines.expect("[[entry]]");
    const fields = readFields(lines);
    lines.checkMore();
    checkFields(lines, fields);
    const body = lines.place;
    lines.expect("[entry.signature]");
    lines.checkMore();
    const tail = readFields(lines);
    const text = tail.get("ed25519");
    if (tail.size !== 1 || typeof text !== "string") lines.fail("a signature table holds ed25519 and nothing else");
    const signature = fromBase64(text);
    if (signature === null || signature.length !== 64) lines.fail("the signature is not 64 bytes in base64");
    return { fields, signature, body, end: lines.place };
  }

  /** The entries of a file. `digest` is what a signature covers, `before` the SHA-256 of the file before the entry. */
  function readFile(bytes) {
    const data = repaired(bytes);
    must(data.length <= MAX.file, "limit", `a file of ${data.length} bytes`);
    let text;
    try {
      text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(data);
    } catch {
      throw new Failure("grammar", "not UTF-8 text");
    }
    const lines = new Lines(text);
    if (lines.take() !== HEADER) lines.fail(`a turn file begins with ${HEADER}`);
    const entries = [];
    let before = utf8(HEADER + "\n");
    const chain = noble.sha256.create().update(before);
    while (lines.more) {
      try {
        if (entries.length === MAX.entries) lines.fail(`more than ${MAX.entries} entries`, "limit");
        const start = lines.place, entry = readEntry(lines);
        const bytesOf = (from, to) => utf8(lines.lines.slice(from, to).join("\n") + "\n");
        entry.number = entries.length;
        entry.before = chain.clone().digest();
        chain.update(bytesOf(start, entry.body));
        entry.digest = chain.clone().digest();
        chain.update(bytesOf(entry.body, entry.end));
        entries.push(entry);
      } catch (error) {
        if (error instanceof Failure) error.entry = entries.length;
        throw error;
      }
    }
    must(entries.length > 0, "grammar", "line 1: there is no turn in it");
    return entries;
  }

  /** Whether this may be a player's name: a line with no blank but U+0020, and something besides (section 4). */
  const BLANK = /[\n\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000\u{13441}\u{13442}\u{16fe4}\u{1d159}]/u;
  const isName = (text) => !BLANK.test(text) && /[^ ]/.test(text);

  /** The text of a note that is padded with zero bytes, or null where it is none that a message may hold (section 16). */
  const NOTE = new RegExp(`^(?:[^${CONTROL}${HIDDEN}]|\\n)+$`, "u");
  function noteText(padded) {
    const end = padded.findLastIndex((byte) => byte !== 0) + 1;
    try {
      const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(padded.slice(0, end));
      return NOTE.test(text) && isMessage(text) ? text : null;
    } catch {
      return null;
    }
  }

  /** Whether this is written as a date is. */
  const isDate = (text) => DATE.test(text);

  Object.assign(pbem, { readFile, repaired, unarmored, isMessage, isName, isDate, noteText, standing, isWithin });
})((globalThis.pbem ??= {}));
