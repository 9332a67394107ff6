"""`python -m pbem`"""

from pbem.cli import run

run()
