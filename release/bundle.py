"""Builds templates/replay/noble.js from npm, and compares it with the one that is there: `./run
bundle`.

The versions are pinned in templates/replay/noble/package-lock.json, each with the hash of its
package. `--write` puts what was built in place, with its hash and the licences: for a new version
of a library, after package.json was changed and `npm install --package-lock-only
--omit-lockfile-registry-resolved` has made the lock anew. Needs npm and a network.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "templates" / "replay" / "noble"
BUNDLE = FOLDER.parent / "noble.js"
LIBRARIES = ("curves", "hashes", "ciphers")
BANNER = (
    "/*! @noble/curves, @noble/hashes and @noble/ciphers 2.4.0, (c) Paul Miller, MIT licence"
    " (noble/LICENSE); Extended_Pictographic of Unicode 17.0.0. Made by ./run bundle. */"
)
OPTIONS = (
    "--bundle",
    "--minify",
    "--format=iife",
    "--global-name=noble",
    "--charset=ascii",
    "--legal-comments=none",
    "--target=es2022",
    f"--banner:js={BANNER}",
    "--footer:js=globalThis.noble=noble;if(typeof module==='object')module.exports=noble;",
)


def build(folder: Path) -> tuple[bytes, str]:
    """The bundle and the licence of its libraries, built in an empty folder. Raises
    `CalledProcessError`."""
    for name in ("package.json", "package-lock.json", "entry.js"):
        shutil.copy(FOLDER / name, folder)
    subprocess.run(
        ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"],
        cwd=folder,
        check=True,
    )
    esbuild = folder / "node_modules" / "esbuild" / "bin" / "esbuild"
    command = [
        "node",
        str(esbuild),
        "entry.js",
        *OPTIONS,
        "--outfile=noble.js",
        "--log-level=warning",
    ]
    subprocess.run(command, cwd=folder, check=True)
    licences = [
        (folder / "node_modules" / "@noble" / name / "LICENSE").read_text("utf-8")
        for name in LIBRARIES
    ]
    heads = [
        f"@noble/{name}\n\n{text.strip()}\n" for name, text in zip(LIBRARIES, licences, strict=True)
    ]
    return (folder / "noble.js").read_bytes(), "\n".join(heads)


def main(arguments: list[str]) -> int:
    if shutil.which("npm") is None or shutil.which("node") is None:
        print("bundle: npm and node are needed (Debian: npm)", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        built, licence = build(Path(folder))
    digest = hashlib.sha256(built).hexdigest()
    if arguments == ["--write"]:
        BUNDLE.write_bytes(built)
        (FOLDER / "LICENSE").write_text(licence, encoding="utf-8", newline="\n")
        (FOLDER / "SHA256SUMS").write_text(
            f"{digest}  ../noble.js\n", encoding="ascii", newline="\n"
        )
        print(f"wrote {BUNDLE.relative_to(FOLDER.parents[2])}, SHA-256 {digest}")
        return 0
    if built != BUNDLE.read_bytes():
        print(f"bundle: npm gives another file, SHA-256 {digest}", file=sys.stderr)
        return 1
    print(f"the same as npm gives, SHA-256 {digest}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
