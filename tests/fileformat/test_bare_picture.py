"""Pictures go with a turn without place, camera and time, and stay the same pictures."""

from __future__ import annotations

import io
import random
import struct
import zlib
from collections.abc import Iterator
from contextlib import suppress

import pytest
from PIL import Image, PngImagePlugin

from pbem.errors import Refused
from pbem.fileformat.bare_picture import JPEG, PNG, NotWhole, bare, other_kind
from pbem.home.attached_files import chosen_bytes
from tests.support.effort import processor_seconds

SECRET = b"Derne 32.7N"
SIZE = (60, 40)


def picture(mode: str = "RGB") -> Image.Image:
    made = Image.frombytes("RGB", SIZE, random.Random(5).randbytes(SIZE[0] * SIZE[1] * 3))
    return made.convert(mode)


def jpeg(mode: str = "RGB", orientation: int = 0, **more: object) -> bytes:
    """A photograph with a place, a camera, a comment, a profile, and a film behind it."""
    exif = Image.Exif()
    exif[0x0110] = SECRET.decode()
    if orientation:
        exif[0x0112] = orientation
    exif.get_ifd(0x8825)[0x001D] = SECRET.decode()
    out = io.BytesIO()
    more = {"exif": exif, "comment": SECRET, "icc_profile": SECRET * 20, **more}
    picture(mode).save(out, "JPEG", **more)
    return out.getvalue() + SECRET


def png(mode: str = "RGB") -> bytes:
    about, out = PngImagePlugin.PngInfo(), io.BytesIO()
    about.add_text("Place", SECRET.decode())
    about.add_itxt("Packed", SECRET.decode() * 9, zip=True)
    exif = Image.Exif()
    exif[0x0110] = SECRET.decode()
    picture(mode).save(out, "PNG", pnginfo=about, exif=exif, icc_profile=SECRET * 20)
    return out.getvalue() + SECRET


def dots(data: bytes) -> bytes:
    with Image.open(io.BytesIO(data)) as read:
        return read.convert("RGB").tobytes()


@pytest.mark.parametrize("mode", ["RGB", "L", "CMYK"])
@pytest.mark.parametrize("progressive", [False, True])
def test_a_photograph_keeps_its_dots_and_tells_nothing(mode: str, progressive: bool) -> None:
    data = jpeg(mode, progressive=progressive)
    made = bare(data)
    assert SECRET in data and SECRET not in made
    assert dots(made) == dots(data) and bare(made) == made
    with Image.open(io.BytesIO(made)) as read:
        assert not read.getexif() and "icc_profile" not in read.info and "comment" not in read.info


@pytest.mark.parametrize("orientation", [3, 6, 8])
def test_a_photograph_that_is_stored_turned_says_so_still(orientation: int) -> None:
    made = bare(jpeg(orientation=orientation))
    assert SECRET not in made
    with Image.open(io.BytesIO(made)) as read:
        assert dict(read.getexif()) == {0x0112: orientation}


@pytest.mark.parametrize("mode", ["RGB", "L", "P", "RGBA", "LA", "1"])
def test_a_screenshot_keeps_its_dots_and_tells_nothing(mode: str) -> None:
    data = png(mode)
    made = bare(data)
    assert SECRET in data and SECRET not in made
    assert dots(made) == dots(data) and bare(made) == made
    with Image.open(io.BytesIO(made)) as read:
        assert set(read.info) <= {"transparency", "gamma"} and not read.getexif()


def broken() -> Iterator[bytes]:
    for whole in (png(), jpeg(progressive=True)):
        whole = whole.removesuffix(SECRET)
        yield from (whole[:length] for length in range(8, len(whole) - 1, 97))
    yield PNG
    yield JPEG
    yield PNG + bytes(300)
    yield JPEG + b"\xff" * 300
    yield JPEG + bytes(300)
    yield png().replace(b"IDAT", b"IDBT")


def test_what_is_broken_is_refused_and_never_goes_as_it_is() -> None:
    for data in broken():
        with pytest.raises(NotWhole):
            bare(data)
        with pytest.raises(Refused) as refused:
            chosen_bytes("a.jpg", data)
        assert "a.jpg" in str(refused.value)


def test_anything_at_all_is_answered_soon() -> None:
    chance = random.Random(55)
    for head in (JPEG, PNG, jpeg()[:700], png()[:60]):
        for _ in range(60):
            data = bytearray(head + chance.randbytes(3000))
            data[chance.randrange(3, len(data))] = 0xFF
            with suppress(NotWhole):
                assert bare(bytes(data)).startswith(head[:3])

    def refused(worst: bytes) -> None:
        with pytest.raises(NotWhole):
            bare(worst)

    for worst in (JPEG + b"\xff" * 5_000_000, jpeg()[:700] + b"\xff\xd0" * 2_400_000):
        assert processor_seconds(lambda worst=worst: refused(worst)) < 10  # type: ignore[misc]


def test_a_picture_of_very_many_dots_is_never_unpacked() -> None:
    """60,000 by 60,000 dots in a few bytes: nothing here decodes."""

    def chunk(name: bytes, body: bytes) -> bytes:
        checked = name + body
        return struct.pack(">I", len(body)) + checked + struct.pack(">I", zlib.crc32(checked))

    head = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 6, 0, 0, 0)
    data = zlib.compress(bytes(9000))
    bomb = PNG + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")
    assert bare(bomb) == bomb
    assert processor_seconds(lambda: bare(bomb)) < 1


def test_any_other_file_goes_as_it_is() -> None:
    for data in (b"PK\x03\x04 a game of VASSAL", b"GIF89a", b"\xff\xd8", b""):
        assert bare(data) == data
    assert chosen_bytes("b.png", png()).data == bare(png())


def test_a_picture_of_very_many_parts_is_none() -> None:
    """Empty parts are looked through one by one."""
    head = b"IHDR" + struct.pack(">IIBBBBB", 5, 5, 8, 0, 0, 0, 0)
    begun = PNG + b"\0\0\0\x0d" + head + zlib.crc32(head).to_bytes(4, "big")
    chunk = b"\0\0\0\0teXt" + zlib.crc32(b"teXt").to_bytes(4, "big")
    for data in (b"\xff\xd8" + b"\xff\xfe\0\2" * 1_000_000, begun + chunk * 400_000):

        def refused(data: bytes = data) -> None:
            with pytest.raises(NotWhole, match="parts"):
                bare(data)

        assert processor_seconds(refused) < 1


def test_a_picture_of_very_many_scans_is_none() -> None:
    """Each is work for whoever draws it, however little it holds."""
    whole = jpeg()
    begins = whole.index(b"\xff\xda")
    head, scan = whole[:begins], whole[begins : whole.index(b"\xff\xd9", begins)]
    assert bare(head + scan * 10 + b"\xff\xd9")
    with pytest.raises(NotWhole, match="parts"):
        bare(head + scan * 101 + b"\xff\xd9")


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"RIFF\x10\0\0\0WEBPVP8 ", "WebP"),
        (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", "HEIC"),
        (b"\0\0\0\x1cftypmif1\0\0\0\0mif1avifmiaf", "AVIF"),
        (b"\0\0\0\x18ftypisom\0\0\0\0isomiso2", ""),
        (b"RIFF\x10\0\0\0WAVEfmt ", ""),
        (b"", ""),
    ],
)
def test_pictures_of_other_kinds_are_known_and_do_not_go_along(data: bytes, kind: str) -> None:
    assert other_kind(data) == kind
    if kind:
        with pytest.raises(Refused, match=kind) as caught:
            chosen_bytes("a.vsav", data)
        assert "JPEG or PNG" in str(caught.value.hint)
