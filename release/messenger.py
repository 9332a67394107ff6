"""Builds the app for a chat of a messenger (webxdc): `./run web --xdc` makes dist/pbem-VERSION.xdc.

It is the built page with another host (templates/messenger/), as one archive, the block with nearly
all of it (lib.xz) among its files: the archive's own compression would leave it too large for a
mail. Two builds agree byte for byte. docs/messenger.md.

    index.html, start.js, web.css    what the messenger opens
    manifest.toml, icon.png          what it shows
    page.pack                        scripts, styles, letters and boards of the page, and
                                     chat.js, the way into the chat and out of it: one file, since
                                     each one takes a messenger a while
    SHA256SUMS                       a list of these files, whose hash is that of the version
    the rest                         as in the page
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from pbem import PROGRAM_ADDRESS, __version__
from release import web_packages
from release.build import ROOT
from release.web import inside, list_of, part_of
from release.web_packages import CannotBuild, Tree

SOURCE = ROOT / "templates" / "messenger"
MOST = 7_000_000
"""Bytes of the app: a mail server takes ten million, and a mail makes them a third more."""
PACK = "page.pack"
PACKED = (".js", ".css", ".ttf", ".svg")
ASKED_FOR = "web.css"
"""What index.html asks for by itself, besides its script."""
NOT_TAKEN = (
    *("index.html", "start.js", "SHA256SUMS", "version.json", "check.html"),
    *("sw.js", "manifest.webmanifest", "arrivals.js", "out.js", "first.html"),
)
"""Files of the page that are not in the app."""


def build(page: Path, target: Path, source: str = PROGRAM_ADDRESS) -> str:
    """The app from the folder of a built page; its SHA-256. `source` is where its source code is to
    be had, which the messenger shows. Raises `CannotBuild`."""
    files = {one.relative_to(page).as_posix(): one for one in page.rglob("*") if one.is_file()}
    tree: Tree = {
        name: path.read_bytes()
        for name, path in files.items()
        if name not in NOT_TAKEN and not name.startswith("icons/")
    }
    own = {
        name: tree.pop(name) for name in sorted(tree) if name.endswith(PACKED) and name != ASKED_FOR
    }
    host, start = SOURCE / "host.js", web_packages.SOURCE / "start.js"
    tree |= {
        PACK: _together(own | {"chat.js": (SOURCE / "chat.js").read_bytes()}),
        "start.js": host.read_bytes() + b"\n" + start.read_bytes(),
        "icon.png": files["icons/pbem-512.png"].read_bytes(),
        "manifest.toml": _manifest(source),
    }
    sums = list_of(tree)
    index = part_of((web_packages.SOURCE / "index.html").read_bytes(), "messenger")
    digest = hashlib.sha256(sums).hexdigest()
    for mark, value in ((b"@VERSION@", __version__), (b"@HASH@", digest)):
        index = index.replace(mark, value.encode())
    whole = {**tree, "SHA256SUMS": sums, "index.html": index}
    data = inside(web_packages.npm_packages(), {"app": whole})["app"]
    if len(data) > MOST:
        raise CannotBuild(f"{target.name} has {len(data)} bytes, {MOST} are allowed")
    target.write_bytes(data)
    return hashlib.sha256(data).hexdigest()


def _together(tree: Tree) -> bytes:
    """Files in the form of the block, not compressed: a line with names and sizes, then the files
    one behind the other."""
    sizes = [[name, len(data)] for name, data in tree.items()]
    return b"".join((json.dumps(sizes).encode() + b"\n", *tree.values()))


def _manifest(source: str) -> bytes:
    text = f'name = "pbem {__version__}"\n'
    return (text + (f'source_code_url = "{source}"\n' if source else "")).encode()
