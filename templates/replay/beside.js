// Fields that decide nothing: those of the clock, notes, plans, and files that go with a turn (docs/format.md, sections 15, 16,
// 22 and 23).
"use strict";
(function (pbem) {
  const { must, equal, utf8, blob, frame, H, noble, isWithin } = pbem;
  const CLOCK = /^[1-9][0-9]{0,3}\+(0|[1-9][0-9]{0,2})$/, DAY = /^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$/;
  const SIZES = [288, 1056, 4128];
  const FILE = /^([^ ]*) ([1-9][0-9]{0,6}) ([^]*)$/, MOST = { files: 4, bytes: 5000000, name: 100 };
  const UNSAFE = /[\\/:*?"<>|]|^[ .-]|[ .]$/;
  const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3]) *(?:\.|$)/i;

  /** The files that go with an entry: of each its name, its size in bytes, and its SHA-256 in base64 (section 22). */
  function filesOf(fields) {
    const files = (fields.get("files") ?? []).map((text) => {
      const [, digest, size, name] = FILE.exec(text) ?? [];
      must(name !== undefined, "grammar", "a file that goes with a turn is named by digest, size and name");
      const mayBe = utf8(name).length <= MOST.name && pbem.isName(name) && !UNSAFE.test(name) && !DEVICE.test(name);
      must(mayBe, "grammar", "no file that goes with a turn may have this name");
      blob(digest, 32, "the digest of a file");
      return { name, size: Number(size), digest };
    });
    must(files.length <= MOST.files, "limit", "more files than can go with a turn");
    must(files.reduce((sum, { size }) => sum + size, 0) <= MOST.bytes, "limit", "more bytes of files than can go with a turn");
    const names = files.map(({ name }) => name.replace(/[A-Z]/g, (letter) => letter.toLowerCase()));
    must(new Set(names).size === files.length, "grammar", "two files of one name");
    return files;
  }

  class Beside {
    constructor(gate) {
      Object.assign(this, { gate, hasClock: false, notes: [], texts: new Map(), plans: new pbem.Plans(gate) });
    }
    /** Whether these fields stand where they may; `mayNote`: a later entry of a seat that owes a root. */
    check(entry, seat, joins, mayNote) {
      this.clock(entry, seat, joins);
      this.note(entry, seat, mayNote);
      this.plans.take(entry, seat, joins);
      filesOf(entry.fields);
    }
    note(entry, seat, mayNote) {
      if (!entry.fields.has("note")) return;
      must(mayNote, "chain", "a note stands in a later entry of a seat that reveals a root");
      const text = entry.fields.get("note"), size = Math.floor(text.length / 4) * 3;
      must(SIZES.includes(size), "grammar", "a note has 288, 1056 or 4128 bytes");
      const nonce = blob(entry.fields.get("nonce"), 32, "nonce");
      this.notes.push({ number: entry.number, seat, before: entry.before, nonce, note: blob(text, size, "note") });
    }
    clock({ fields, number }, seat, joins) {
      if (number === 0) {
        const clock = fields.get("clock");
        this.hasClock = clock !== undefined;
        must(!this.hasClock || CLOCK.test(clock), "grammar", "a clock is written 30+3");
        must(this.hasClock || !fields.has("leave-days"), "chain", "days of leave belong to a game with a clock");
        must(isWithin("leave-days", fields.get("leave-days") ?? 1), "grammar", '"leave-days" is a number of days from 1 to 999');
      }
      const says = fields.has("received"), should = this.hasClock && number > 0;
      must(says === should, "chain", '"received" stands in each later entry of a game with a clock, and nowhere else');
      must(!says || pbem.isDate(fields.get("received")), "grammar", '"received" is no date');
      must(DAY.test(fields.get("leave") ?? "2026-12-31"), "grammar", '"leave" is no date');
      if (!fields.has("grant")) return;
      must(isWithin("grant", fields.get("grant")), "grammar", '"grant" is a number of days from 1 to 999');
      const others = this.gate.trace.seats.filter((other, place) => other.plays && place !== seat);
      const may = !joins && this.hasClock && this.gate.trace.seats[seat].plays && others.length > 0;
      must(may, "chain", "days are granted by a seat with a clock to another one");
    }
    /** Every note of a seat whose root is there, made again from it. */
    reveal(seat, root) {
      const { gate } = this;
      for (const { number, before, nonce, note } of this.notes.filter((one) => one.seat === seat)) {
        const key = noble.expand(noble.sha256, root, frame("pbem/1 note", before, nonce), 32);
        const padded = pbem.unsealed(key, note.slice(0, -32));
        const bound = H("pbem/1 note", gate.game, gate.seats[seat], before, key, padded);
        must(equal(bound, note.slice(-32)), "note", `the root does not give the note of entry ${number}`);
        gate.note("notes", `the note of turn ${number} is the one that was sealed`);
        this.texts.set(number, pbem.noteText(padded));
      }
      this.notes = this.notes.filter((one) => one.seat !== seat);
      this.plans.reveal(seat, root);
    }
  }

  Object.assign(pbem, { Beside, filesOf });
})((globalThis.pbem ??= {}));
