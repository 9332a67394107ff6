"""Board games by correspondence: signed turn files, dice you can check, hands nobody can peek
at."""

__version__ = "0.1.0"
__date__ = "2026-11-28"
"""The day of this number, which man pages name: of a release that of its section in CHANGELOG.md.
Not the day of a build, so that two builds agree."""
PROGRAM_ADDRESS = ""
"""Where this release can be fetched from, an https address that its build was given
(docs/release.md): invitations name it. Empty: nowhere."""
PAGE_ADDRESS = ""
"""The page in which this release can be played in a browser, likewise."""
FORMAT = "pbem/1"
"""Name of the file format, first line of every turn file and part of every domain tag."""
