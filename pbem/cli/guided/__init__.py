"""A turn led by the hand in a terminal, on the path of typed answers (`pbem.player.turn`)."""
