"""What a game looks like to somebody: typed facts, history, templates, picture, terminal."""
