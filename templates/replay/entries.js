// What the entries of a file say and what was computed of them, in words. Nothing else is shown as signed: no word here
// comes from the page's own data.
"use strict";
(function (pbem) {
  const { H, hex, fingerprint, fromBase64, escaped } = pbem;
  const DRAWS = { offer: "offers a draw", accept: "accepts the draw", decline: "declines the draw" };

  /** The key that a first entry brings, as people compare it by telephone. */
  const keyOf = (text) => fingerprint(fromBase64(text ?? "") ?? new Uint8Array(0));

  /** The players of a file by their seats: what their first entries call them, and their keys. */
  function playersOf(entries) {
    const players = new Map();
    for (const { fields } of entries) {
      if (!players.has(fields.get("seat"))) {
        players.set(fields.get("seat"), { name: fields.get("name") ?? fields.get("seat"), key: keyOf(fields.get("key")) });
      }
    }
    return players;
  }

  /** How a player is called: by their seat, and in quotation marks by the name of their first entry, cut where it is long
   * enough to be a sentence. */
  function called(players, seat) {
    const name = players.get(seat)?.name ?? "";
    return name ? `${seat} (${quoted(name)})` : seat;
  }

  function quoted(name) {
    const letters = [...name];
    return `"${escaped(letters.length > 30 ? `${letters.slice(0, 29).join("")}…` : name)}"`;
  }

  const listed = (texts) => texts.join(", ").replace(/, ([^,]*)$/, " and $1");

  const day = (date) => date.replace("T", " ").replace("Z", " UTC");

  /** The game and who plays it; `winners` are seats, null as long as nobody has won by what was computed. */
  function headOf(entries, winners = null) {
    const { fields } = entries[0], players = playersOf(entries), key = fromBase64(fields.get("key") ?? "") ?? [];
    const id = hex(H("pbem/1 game", Uint8Array.from(key), fromBase64(fields.get("nonce") ?? "") ?? new Uint8Array(0)));
    const options = (fields.get("options") ?? []).join(", "), names = [...players].map(([seat]) => called(players, seat));
    const game = fields.get("game") ?? "no game", named = (seat) => (players.has(seat) ? quoted(players.get(seat).name) : seat);
    const who = [...players.keys()].map(named), pair = who.length === 2 ? who.join(" against ") : listed(who);
    const won = winners === null ? "" : winners.length ? `, won by ${listed(winners.map(named))}` : ", a draw";
    return {
      players, title: `${pbem.titles[game] ?? game}: ${pair}${won}`,
      about: `Game ${id.slice(0, 8)}, rules ${fields.get("rules")}${options ? `, ${options}` : ""}. ${listed(names)}.`,
    };
  }

  /** When an entry says that it was written, and when its author says to have read the one before. */
  function written({ fields }) {
    const received = fields.has("received") ? `read ${day(fields.get("received"))}, ` : "";
    return `${received}written ${day(fields.get("date"))}`;
  }

  /** What an entry says, line by line, but for its message. */
  function said({ fields }) {
    const list = (name) => fields.get(name) ?? [], lines = [];
    if (fields.has("key")) lines.push(`joins as ${fields.get("seat")}: ${fields.get("name")}`);
    if (fields.has("clock")) lines.push(`a clock of ${fields.get("clock")} days`);
    lines.push(...list("orders").map((text) => `orders “${text}”`), ...list("answers").map((text) => `answers “${text}”`));
    lines.push(...list("openings").map((text) => `opens ${text.split(" ").filter((_, place) => place !== 1).join(" ")}`));
    if (fields.has("draw")) lines.push(DRAWS[fields.get("draw")] ?? "speaks of a draw");
    if (fields.has("resign")) lines.push("resigns");
    if (fields.has("root")) lines.push("opens what was secret, from which its cards are made again");
    if (fields.has("end")) lines.push("says that their program has verified this end");
    for (const [, group] of list("plans").map((text) => text.split(" "))) {
      lines.push(group ? `seals a plan that opens together with the others of “${group}”` : "seals a plan");
    }
    lines.push(...list("opened-plans").map((text) => `opens plan ${text.split(" ")[0]}`));
    for (const [digest, size, ...name] of list("files").map((text) => text.split(" "))) {
      lines.push(`sends the file ${name.join(" ")}: ${size} bytes, SHA-256 ${hex(fromBase64(digest) ?? [])}`);
    }
    if (fields.has("leave")) lines.push(`is away until ${fields.get("leave")}`);
    if (fields.has("grant")) lines.push(`grants ${fields.get("grant")} days`);
    return lines;
  }

  /** Every card that the file tells by now, by its back: opened, or computed from roots and shares. */
  function facesOf({ referee, left }, wantsAll) {
    const faces = new Map(referee?.faces ?? []), common = referee?.common ?? null;
    if (wantsAll) referee?.revealed.forEach((name, back) => faces.set(back, name));
    for (const [back, drawer] of common?.drawer ?? []) {
      const name = faces.has(back) || !(wantsAll || left.includes(drawer)) ? null : common.readable(back);
      if (name !== null) faces.set(back, name);
    }
    return faces;
  }

  Object.assign(pbem, { headOf, called, listed, written, said, facesOf });
})((globalThis.pbem ??= {}));
