"""A turn led by the hand in a terminal, on the path of entered answers (`pbem.turn.draft`)."""
