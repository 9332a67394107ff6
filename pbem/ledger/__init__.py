"""The public side of a game: the gate that every entry passes, and what follows from the entries.

No input or output, no secret.
"""
