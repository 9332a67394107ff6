"""Board games by correspondence: signed turn files, dice you can check, hands nobody can peek
at."""

__version__ = "0.1.0"
FORMAT = "pbem/1"
"""Name of the file format, first line of every turn file and part of every domain tag."""
