"""Cryptographic constructions. Nothing here knows a game or a turn file."""
