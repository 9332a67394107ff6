"""A game replayed for whoever watches it: entry by entry, in a terminal or as a page that checks
it."""
