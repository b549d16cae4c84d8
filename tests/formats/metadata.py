"""Writes metadata.jpg by Pillow: 16 x 8 pixels whose first row is the right side, with Exif, a thumbnail in it, and XMP.
tests/unit/test_metadata.c says what becomes of them."""

import io
import pathlib

from PIL import Image, TiffImagePlugin

from samples import picture

small = io.BytesIO()
Image.fromarray(picture(1, 4, 8)).save(small, "JPEG")
exif = Image.Exif()
exif[0x0112] = 6
exif[0x013B] = "Somebody of that name"
exif.get_ifd(0x8769)[0x829A] = TiffImagePlugin.IFDRational(1, 250)  # time of exposure
exif.get_ifd(0x8825)[0x0001] = "N"
exif.endian = "<"
block = exif.tobytes()

# The second directory, with the thumbnail, which Pillow does not write: appended, and led to.
head = 6  # "Exif", 0, 0
assert block[head:head + 2] == b"II"
tiff = bytearray(block[head:])
first = int.from_bytes(tiff[4:8], "little")
link = first + 2 + 12 * int.from_bytes(tiff[first:first + 2], "little")
second = len(tiff)
tiff[link:link + 4] = second.to_bytes(4, "little")
thumbnail = second + 2 + 2 * 12 + 4


def entry(tag, value):
    return tag.to_bytes(2, "little") + (4).to_bytes(2, "little") + (1).to_bytes(4, "little") + value.to_bytes(4, "little")


tiff += (2).to_bytes(2, "little") + entry(0x0201, thumbnail) + entry(0x0202, len(small.getvalue())) + bytes(4)
tiff += small.getvalue()
packet = b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><!-- a packet --></x:xmpmeta>'
file = io.BytesIO()
Image.fromarray(picture(2, 8, 16)).save(file, "JPEG", exif=block[:head] + bytes(tiff), xmp=packet)
(pathlib.Path(__file__).parent / "metadata.jpg").write_bytes(file.getvalue())
