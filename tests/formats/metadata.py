"""Writes three files by Pillow; tests/unit/test_metadata.c follows them through the formats.

metadata.jpg has 16 x 8 pixels whose first row is the right side. It has Exif with a thumbnail, XMP, a comment and 120
dots per inch. metadata.png has text of all kinds and 5000 dots per metre. metadata.tif, of u16 in big endian, has Exif,
GPS, a description and 300 dots per inch."""

import io
import pathlib

from PIL import Image, PngImagePlugin, TiffImagePlugin

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
Image.fromarray(picture(2, 8, 16)).save(file, "JPEG", exif=block[:head] + bytes(tiff), xmp=packet, dpi=(120, 60),
                                        comment="sixty pictures".encode())
folder = pathlib.Path(__file__).parent
(folder / "metadata.jpg").write_bytes(file.getvalue())

text = PngImagePlugin.PngInfo()
text.add_text("Title", "caf\u00e9")
text.add_text("Comment", "many words " * 200, zip=True)
text.add_itxt("Author", "\u0141ukasz", lang="pl")
text.add_itxt("Description", "\u03c0 " * 900, zip=True)
text.add_itxt("XML:com.adobe.xmp", packet.decode(), zip=True)
Image.fromarray(picture(3, 8, 16)).save(folder / "metadata.png", pnginfo=text, dpi=(127, 127))



# By hand, as Pillow writes no directories into TIFF: entries are (tag, type, count, bytes).
def directory(at, entries):
    """The bytes of a directory at `at` and of the values behind it, big-endian."""
    values, behind = b"", at + 2 + 12 * len(entries) + 4
    out = len(entries).to_bytes(2, "big")
    for tag, kind, count, data in sorted(entries):
        if len(data) > 4:
            place = (behind + len(values)).to_bytes(4, "big")
            values += data + bytes(len(data) % 2)
        else:
            place = data.ljust(4, b"\0")
        out += tag.to_bytes(2, "big") + kind.to_bytes(2, "big") + count.to_bytes(4, "big") + place
    return out + bytes(4) + values


def longs(*values):
    return b"".join(value.to_bytes(4, "big") for value in values)


def ascii_(tag, text):
    return tag, 2, len(text) + 1, text.encode() + b"\0"


deep = picture(4, 8, 16, 1, "uint16").astype(">u2").tobytes()
gps_at = 8 + len(deep)
gps = directory(gps_at, [(1, 2, 2, b"N\0"), (2, 5, 3, longs(51, 1, 28, 1, 153, 4))])
exif_at = gps_at + len(gps)
maker = b"opaque to all but its maker."
exif = directory(exif_at, [(0x829A, 5, 1, longs(1, 250)), (0x8827, 3, 1, b"\x01\x90"), (0x927C, 7, len(maker), maker)])
first = directory(exif_at + len(exif), [
    (256, 4, 1, longs(16)), (257, 4, 1, longs(8)), (258, 3, 1, b"\0\x10"), (259, 3, 1, b"\0\1"), (262, 3, 1, b"\0\1"),
    ascii_(270, "what it shows"), ascii_(271, "Maker"), (273, 4, 1, longs(8)), (277, 3, 1, b"\0\1"),
    (278, 4, 1, longs(8)), (279, 4, 1, longs(len(deep))), (282, 5, 1, longs(300, 1)), (283, 5, 1, longs(300, 1)),
    (296, 3, 1, b"\0\2"), (0x8769, 4, 1, longs(exif_at)), (0x8825, 4, 1, longs(gps_at))])
(folder / "metadata.tif").write_bytes(b"MM\0*" + longs(exif_at + len(exif)) + deep + gps + exif + first)
