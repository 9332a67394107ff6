"""The bytes of a turn file: encodings, the subset of TOML, entries, armor. Nothing here knows what
a field means."""
