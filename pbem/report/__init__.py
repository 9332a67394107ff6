"""What a game looks like to somebody: facts as dataclasses, history, templates, picture,
terminal."""
