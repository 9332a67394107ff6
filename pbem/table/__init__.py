"""The table: the player's games in the browser of their own machine (`pbem table`,
docs/table.md)."""
