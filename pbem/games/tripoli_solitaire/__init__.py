"""What the program knows of The Shores of Tripoli against its own rules; what shows it is that of
the game for two."""
