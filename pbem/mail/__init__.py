"""Turn files by mail: composing, finding, sending, fetching, and the list of games."""
