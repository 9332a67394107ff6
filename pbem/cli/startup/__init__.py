"""What makes a command start fast, in one place.

A command lives for some tenths of a second, most of them imports, and a game takes many commands.
What each trick saves is processor time of the whole command in milliseconds, the median of eleven
runs in turn on a machine where `pbem verify` of the example takes 160, `pbem show` 180 and `pbem
--help` 77:

- 76: `parameters` reads the words of a command itself, which keeps pydantic out.
- 28: `commands` loads and prepares the one command that is called, and no other; `--help` imports
  none.
- 28: `process.end` ends the process at once; Python would take everything apart first.
-  9: `process.collect_rarely` keeps Python from looking for circles of objects.

Two more need the player's home, and so stand where it is known:

- 74 (`show`): `pbem.report.render` keeps compiled templates.
- 29 (`show`): `pbem.home.check_cache` keeps which signatures and proofs were checked.

A command's module imports at its top what it needs, and commands that need different things have
modules of their own. An import inside a function is a door behind which a heavy library lies that
few come to need; a comment says which. `tests/cli/test_cli_loads.py` names what a command must not
load: rich (29), jinja2 (29, where nothing is rendered), the standard library's mail (14), the
pictures' libraries (13), the cryptography of the common deck, other games, plug-ins. A frozen
dataclass takes half a millisecond to make, so those that tell of a game lie apart from those that
`verify` has need of (`pbem.report.standing`).
"""
