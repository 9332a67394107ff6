"""What a player keeps: their key, the memory of what they signed, contacts, and where the home is
in use."""
