"""Any game, as the program meets it."""
