// Series: which game of which series a file is, and how the earlier ones ended as entry 0 says (docs/format.md, section 25).
"use strict";
(function (pbem) {
  const { must, equal, blob, hex, H } = pbem;
  const MOST_GAMES = 99, HALVES = { won: [2, 0], lost: [0, 2], drawn: [1, 1] };
  const SPELLED = /^(?:([1-9][0-9]?) games|([1-9][0-9]?) games at once|best of ([1-9][0-9]?)|([1-9][0-9]?) points)$/;

  /** The terms of a series: what kind it is, its number, and how many games it has at most; null where they are no such. */
  function termsOf(text) {
    const match = SPELLED.exec(text) ?? [], place = match.findIndex((part, group) => group > 0 && part !== undefined);
    if (place < 0) return null;
    const kind = ["games", "at once", "best", "points"][place - 1], number = Number(match[place]);
    const most = kind === "points" ? 2 * number - 1 : number;
    return (number > 1 || kind === "points") && most <= MOST_GAMES ? { kind, number, most } : null;
  }

  /** Half points of the inviter and of the other one. */
  const tally = (results) => results.reduce(([one, other], result) => [one + HALVES[result][0], other + HALVES[result][1]], [0, 0]);

  function isOver({ kind, number, most }, results) {
    const halves = Math.max(...tally(results));
    return (kind === "best" && halves > number) || (kind === "points" && halves >= 2 * number) || results.length >= most;
  }

  /** The place of a game in its series, from the fields of entry 0; null where it is in none. */
  function seriesOf(fields) {
    if (!["series", "series-game", "series-first", "earlier"].some((name) => fields.has(name))) return null;
    const terms = termsOf(fields.get("series") ?? ""), texts = fields.get("earlier") ?? [], later = fields.has("series-game");
    must(terms !== null, "grammar", '"series" is "2 games", "2 games at once", "best of 5" or "3 points"');
    must(later === fields.has("series-first") && (later || !texts.length), "chain", "these fields stand in a later game of a series");
    if (!later) return { terms, text: fields.get("series"), number: 1, first: null, results: [] };
    const number = fields.get("series-game"), first = blob(fields.get("series-first"), 32, "series-first");
    must(number >= 2 && number <= terms.most, "grammar", `"series-game" is 2 to ${terms.most} in such a series`);
    const results = texts.map((text) => {
      const [digest, ...rest] = text.split(" "), result = rest.join(" ");
      must(Object.hasOwn(HALVES, result), "grammar", 'a string of "earlier" ends with won, lost or drawn');
      blob(digest, 32, "earlier");
      return result;
    });
    must(texts.length === (terms.kind === "at once" ? 0 : number - 1), "chain", "the invitation says of each game before how it ended");
    return { terms, text: fields.get("series"), number, first, results };
  }

  /** Checks what entry 0 says of a series; `seats` are those of the trace. */
  function checkSeries(fields, seats) {
    const place = seriesOf(fields), many = (test) => seats.filter(test).length;
    if (place === null) return;
    const isForTwo = many((seat) => seat.keyed) === 2 && many((seat) => seat.keyed && seat.plays) === 2;
    must(isForTwo, "chain", "a series is for two players, and nobody else has a key in its games");
    if (place.first === null) return;
    must((fields.get("invites") ?? []).length === 1, "chain", "a later game of a series is kept for the key of the other player");
    const nonce = H("pbem/1 series", place.first, String(place.number));
    must(equal(blob(fields.get("nonce"), 32, "nonce"), nonce), "chain", "the nonce is not that of this game of the series");
    const early = place.results.some((_, end) => isOver(place.terms, place.results.slice(0, end + 1)));
    must(!early, "chain", "this series was at its end before this game");
  }

  /** What a card tells of a series: its terms, the game's number, the id of its first game, and the half points before it of
   * the inviter and of the other one (null where entry 0 does not say them); null where the game is in none. */
  function seriesFacts(fields) {
    const place = seriesOf(fields);
    if (place === null) return null;
    const { terms, text, number, first, results } = place;
    const halves = terms.kind === "at once" ? null : tally(results);
    return { terms: text, number, first: first === null ? null : hex(first), inviter: fields.get("seat"), halves };
  }

  Object.assign(pbem, { checkSeries, seriesFacts });
})((globalThis.pbem ??= {}));
