// The page itself. Whatever stands in the file beside its data (elements, attributes, a title, styles, shadow roots) goes
// with the old root element, before anything else runs, and all that is seen is built here.
"use strict";
(function (pbem) {
  // From the prototype: an element may be called like what a document has, and stands before it then.
  pbem.rootOf = (one) => Object.getOwnPropertyDescriptor(Document.prototype, "documentElement").get.call(one);
  const old = pbem.rootOf(document);
  const attribute = (one, name) => Element.prototype.getAttribute.call(one, name);

  /** What a page holds of a game: the turn file and what stands beside it, packed; and a name that two of its elements have. */
  pbem.heldIn = (page) => {
    const all = [...Element.prototype.querySelectorAll.call(page, "[id]")], ids = all.map((one) => attribute(one, "id"));
    const textOf = (id) => all.find((one) => attribute(one, "id") === id && one.localName === "script")?.textContent.trim() ?? "";
    return { file: textOf("file"), data: textOf("data"), twice: ids.find((id, place) => ids.indexOf(id) !== place) };
  };
  pbem.inFile = pbem.heldIn(old);

  const root = Document.prototype.createElement.call(document, "html"), sheet = new CSSStyleSheet();
  root.lang = "en";
  root.dataset.checks = pbem.hasGame ? "running" : "waiting"; // docs/format.md, section 18
  root.innerHTML = pbem.frame;
  old.replaceWith(root);
  sheet.replaceSync(pbem.style);
  document.adoptedStyleSheets = [sheet];
})(globalThis.pbem);
