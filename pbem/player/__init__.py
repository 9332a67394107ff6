"""The private side: identity, memory, secrets, and the entry a player is about to write."""
