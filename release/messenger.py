"""Builds the app for a chat of a messenger (webxdc): `./run web --xdc` makes dist/pbem-VERSION.xdc.

It is the built page with another host (templates/messenger/), as one archive: almost all of it is
one block in xz, since the archive's own compression would leave it too large for a mail. Two builds
agree byte for byte. docs/messenger.md.

    index.html, start.js, web.css    what the messenger opens
    xz-decompress.js                 what unpacks the rest
    pbem.xz                          scripts, the table, Python, libsodium, the program
    manifest.toml, icon.png          what the messenger shows
    LICENSES.txt                     what all this is made of, and under which licences
"""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path

from pbem import PROGRAM_ADDRESS, __version__
from release import web_packages
from release.build import ROOT
from release.web_inside import DATE, SOLID
from release.web_licences import licences
from release.web_packages import CannotBuild, Tree

SOURCE = ROOT / "templates" / "messenger"
MOST = 6_500_000
"""Bytes of the app: a mail server takes ten million, and a mail makes them a third more."""
DECODER = "xz-decompress"
OUTSIDE = ("web.css",)
"""What the first page asks for by itself."""
NOT_TAKEN = (
    *("index.html", "start.js", "web.css", "LICENSES.txt", "SHA256SUMS", "version.json"),
    *("check.html", "sw.js", "manifest.webmanifest", "arrivals.js", "out.js"),
)
"""Files of the page that are not in the block."""


def build(page: Path, target: Path, source: str = PROGRAM_ADDRESS) -> str:
    """The app from the folder of a built page; its SHA-256. `source` is where its source code is to
    be had, which the messenger shows. Raises `CannotBuild`."""
    from release.web import inside, part_of

    npm = web_packages.npm_packages()
    files = {one.relative_to(page).as_posix(): one for one in page.rglob("*") if one.is_file()}
    block: Tree = {
        name: path.read_bytes()
        for name, path in files.items()
        if name not in NOT_TAKEN and not name.startswith("icons/")
    }
    block["chat.js"] = (SOURCE / "chat.js").read_bytes()
    host, start = SOURCE / "host.js", web_packages.SOURCE / "start.js"
    decoder = npm / DECODER / "dist" / "package" / f"{DECODER}.min.js"
    tree: Tree = {
        "pbem.xz": inside(npm, {SOLID: block})[SOLID],
        "start.js": host.read_bytes() + b"\n" + start.read_bytes(),
        f"{DECODER}.js": decoder.read_bytes(),
        "web.css": files["web.css"].read_bytes(),
        "icon.png": files["icons/pbem-512.png"].read_bytes(),
        "manifest.toml": _manifest(source),
        "LICENSES.txt": licences(npm, web_packages.python_packages(), (DECODER,)),
    }
    listed = "".join(
        f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in sorted(tree.items())
    )
    index = part_of((web_packages.SOURCE / "index.html").read_bytes(), "messenger")
    digest = hashlib.sha256(listed.encode()).hexdigest()
    for mark, value in ((b"@VERSION@", __version__), (b"@HASH@", digest)):
        index = index.replace(mark, value.encode())
    data = _archive({**tree, "index.html": index}, target)
    if len(data) > MOST:
        raise CannotBuild(f"{target.name} has {len(data)} bytes, {MOST} are allowed")
    return hashlib.sha256(data).hexdigest()


def _manifest(source: str) -> bytes:
    text = f'name = "pbem {__version__}"\n'
    return (text + (f'source_code_url = "{source}"\n' if source else "")).encode()


def _archive(tree: Tree, target: Path) -> bytes:
    """The files as an archive that compresses nothing, and so is the same everywhere."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(tree):
            info = zipfile.ZipInfo(name, DATE)
            info.external_attr = 0o644 << 16
            archive.writestr(info, tree[name])
    return target.read_bytes()
