// The card of a verdict: what was judged, who signed it and how it ended, from the file alone. `pbem verify` shows the same
// card (pbem/report/verdict_card.py); the words of both stand in card.json.
"use strict";
(function (pbem) {
  const { H, hex, fingerprint, fromBase64, noble, repaired } = pbem, WORDS = pbem.cardWords;
  const LONGEST = 30;

  const filled = (text, values) => text.replace(/\{([a-z0-9_]+)\}/g, (_, name) => String(values[name]));
  const listed = (texts) => texts.slice(0, -1).join(", ") + (texts.length > 1 ? " and " : "") + (texts.at(-1) ?? "");

  const isAscii = (text) => /^[\x00-\x7f]*$/.test(text);

  let table = null;
  /** What each character looks like that looks like ASCII (lookalikes.txt, Unicode Technical Standard 39). */
  function looks() {
    if (table !== null) return table;
    table = new Map();
    for (const line of pbem.lookalikes.split("\n").filter((one) => one && !one.startsWith("# "))) {
      const [prototype, ...sources] = line.split(" ");
      if (!isAscii(prototype)) continue;
      for (const one of sources) table.set(one, prototype);
    }
    return table;
  }

  /** What a name looks like to whoever reads ASCII: the same for names of one look. */
  function skeleton(name) {
    const plain = name.normalize("NFKC").split(/\s+/).filter(Boolean).join(" ");
    return Array.from(plain, (one) => looks().get(one) ?? one).join("").toLowerCase();
  }

  /** The letters by which a name only looks as if it were written in ASCII. */
  function strangeLetters(name) {
    if (isAscii(name) || !isAscii(skeleton(name))) return [];
    const letters = Array.from(name).filter((one) => !isAscii(one));
    return [...new Set(letters)].map((one) => `U+${one.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`);
  }

  function seatsOf(entries) {
    const firsts = new Map(), newest = new Map();
    for (const { number, fields } of entries) {
      if (!firsts.has(fields.get("seat"))) firsts.set(fields.get("seat"), fields);
      newest.set(fields.get("seat"), number);
    }
    const nameOf = (seat) => firsts.get(seat).get("name") ?? "";
    return (entries[0].fields.get("seats") ?? []).map((seat) => {
      if (!firsts.has(seat)) return { seat, name: null, fingerprint: null, signed: null, strange: [], alike: [] };
      const name = nameOf(seat), key = fromBase64(firsts.get(seat).get("key") ?? "") ?? new Uint8Array(0);
      const alike = (entries[0].fields.get("seats") ?? []).filter(
        (other) => other !== seat && firsts.has(other) && skeleton(nameOf(other)) === skeleton(name));
      return { seat, name, fingerprint: fingerprint(key), signed: newest.get(seat), strange: strangeLetters(name), alike };
    });
  }

  /** How the game ended; not the words of the rules, which the trace tells and nobody signs. */
  function endingOf({ outcome, ended, referee, seats }) {
    if (outcome === null) return null;
    const { winners, how } = outcome;
    if (outcome === referee?.outcome) return { winners, turn: ended, by: "rules", seat: null, how: null };
    const gone = seats.find((seat) => how === `${seat} resigned`) ?? null;
    return { winners, turn: ended, by: gone === null ? "agreed" : "resigned", seat: gone, how: null };
  }

  /** The card of a file that holds: its bytes, as they lie there; its entries; and the gate that has admitted them, null
   * where there was no trace and only signatures were checked. */
  function cardOf(file, entries, gate) {
    const { fields } = entries[0], first = (name) => fromBase64(fields.get(name) ?? "") ?? new Uint8Array(0);
    const sha256 = hex(noble.sha256(repaired(pbem.unarmored(file)))), outer = hex(noble.sha256(file));
    const counted = (name) => (gate === null ? null : gate.tally[name]);
    return {
      game: fields.get("game") ?? "", rules: fields.get("rules") ?? 0, game_id: hex(H("pbem/1 game", first("key"), first("nonce"))),
      options: fields.get("options") ?? [], seats: seatsOf(entries), sha256, file_sha256: outer === sha256 ? null : outer,
      series: gate === null ? null : pbem.seriesFacts(fields), turns: entries.length, rolls: counted("rolls"), draws: counted("draws"), openings: counted("openings"),
      ending: gate === null ? null : endingOf(gate), verifier: WORDS.second, rules_from: null,
    };
  }

  // In words

  /** A name as it stands between quotation marks: with none of its own that could end them. */
  const escaped = (name) => name.replace(/\\/g, "\\\\").replace(/"/g, '\\"');

  /** A seat, and what its player calls themself, cut where it is long enough to be a sentence. */
  function who(card, seat) {
    const name = card.seats.find((one) => one.seat === seat)?.name ?? null;
    if (name === null) return seat;
    const letters = Array.from(name), short = letters.length <= LONGEST ? name : `${letters.slice(0, LONGEST - 1).join("")}…`;
    return filled(WORDS.who, { seat, name: escaped(short) });
  }

  function seatRows({ seat, name, fingerprint, signed, strange, alike }) {
    if (name === null) return [[seat, WORDS.no_key]];
    const rows = [
      [seat, filled(WORDS.seat, { turn: signed, name: escaped(name) })],
      [filled(WORDS.labels.key, { seat }), fingerprint],
    ];
    if (strange.length) rows.push([WORDS.labels.names, filled(WORDS.strange, { seat, letters: strange.join(", ") })]);
    if (alike.length) rows.push([WORDS.labels.names, filled(WORDS.alike, { seats: listed([seat, ...alike]) })]);
    return rows;
  }

  function countsOf(card) {
    const counts = ["turns", "rolls", "draws", "openings"].filter((name) => card[name]);
    const [turns, ...others] = counts.map((name) => filled(WORDS[name][card[name] === 1 ? 0 : 1], { count: card[name] }));
    return card.rolls === null ? filled(WORDS.signatures, { turns }) : listed([turns, ...others]);
  }

  /** Who won, and how as far as it was computed here. */
  function cardResult(card) {
    if (card.rolls === null) return WORDS.unseen;
    if (card.ending === null) return WORDS.open;
    const { winners, turn, by, seat, how } = card.ending;
    const what = winners.length ? filled(WORDS.won, { who: listed(winners.map((one) => who(card, one))) }) : WORDS.nobody;
    const text = by === "rules" && how === null ? WORDS.rules_unsaid : WORDS[by];
    return filled(text, { what, how, turn, who: seat === null ? "" : who(card, seat) });
  }

  /** Points that are counted in halves. */
  const points = (halves) => `${halves > 1 || halves === 0 ? Math.floor(halves / 2) : ""}${halves % 2 ? "½" : ""}`;

  /** The game's place in its series, and the standing before it as entry 0 says it. */
  function seriesOf(card) {
    const { number, halves, inviter } = card.series;
    if (number === 1 || halves === null) return filled(WORDS.in_series, card.series);
    const [own, others] = halves.map(points);
    return filled(WORDS.in_series_later, { ...card.series, who: who(card, inviter), points: own, others });
  }

  /** The card in words: a label and what stands behind it, row by row. Whatever a player has written is quoted. */
  function cardRows(card) {
    const { labels } = WORDS;
    const rows = [
      [labels.checked, countsOf(card)],
      [labels.game, filled(WORDS.game, card)],
      [labels.id, card.game_id],
      [labels.options, card.options.join(", ") || WORDS.no_options],
      ...card.seats.flatMap(seatRows),
      [labels.sha256, filled(card.file_sha256 === null ? WORDS.exact : WORDS.others, card)],
    ];
    if (card.file_sha256 !== null) rows.push([labels.file, card.file_sha256]);
    if (card.series !== null) rows.push([labels.series, seriesOf(card)]);
    rows.push([labels.result, cardResult(card)], [labels.persons, WORDS.persons]);
    return [...rows, [labels.verifier, filled(card.rules_from === null ? WORDS.no_rules : WORDS.verifier, { ...card, rules: card.rules_from })]];
  }

  Object.assign(pbem, { cardOf, cardResult, cardRows, escaped, skeleton });
})((globalThis.pbem ??= {}));
