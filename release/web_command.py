"""`./run web`: builds the page that plays in any browser, and with `--xdc` the app for a chat,
which is made of that page."""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from pbem import __version__
from pbem.errors import PbemError
from release import messenger, seek_list, web, web_serve
from release.build import ROOT
from release.web_packages import CannotBuild


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="run web", description="Builds the page that plays in any browser."
    )
    plug_in = (
        "a pure wheel with a game that does not come with the program; may be given several times"
    )
    parser.add_argument(
        "--with",
        dest="plugins",
        metavar="WHEEL",
        type=Path,
        action="append",
        default=[],
        help=plug_in,
    )
    parser.add_argument(
        "--xdc",
        action="store_true",
        help="also the app for a chat of a messenger: pbem-VERSION.xdc",
    )
    parser.add_argument(
        "--seeks",
        metavar="FOLDER",
        type=Path,
        help="put the seeks of this folder beside the page, as seeks.json (docs/seek.md)",
    )
    parser.add_argument(
        "--serve", action="store_true", help="serve the page on this machine, to try it"
    )
    options = parser.parse_args(arguments)
    target, archive = ROOT / "dist" / "web", ROOT / "dist" / f"pbem-web-{__version__}.zip"
    try:
        with tempfile.TemporaryDirectory() as folder:
            made = Path(folder) / "web"
            digest = web.build(made, options.plugins)
            target.parent.mkdir(exist_ok=True)
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(made, target)
        if options.seeks is not None:
            print(seek_list.write(options.seeks, target))
        print(f"{digest}  dist/web/SHA256SUMS")
        print(f"{web.pack(target, archive)}  dist/{archive.name}", flush=True)
        if options.xdc:
            app = ROOT / "dist" / f"pbem-{__version__}.xdc"
            print(f"{messenger.build(target, app)}  dist/{app.name}", flush=True)
        if not options.serve:
            print(
                "run: unpack it into your web space; docs/web.md says how to invite to it",
                file=sys.stderr,
            )
    except (CannotBuild, PbemError) as error:
        print(f"run: {error}", file=sys.stderr)
        return 2
    if options.serve:
        web_serve.serve(target)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
