"""A CMYK TIFF with an ICC profile made by hand (ICC.1:2010, lut8Type), and the picture in sRGB: icc-cmyk.tif,
icc-cmyk16.tif and icc-cmyk-srgb.png. The pixels are the 16 nodes of the profile's table, so that nothing is
interpolated; their colours are computed here from CIE L*a*b* under D50. The darkest has L* 0, so that black point
compensation changes nothing. tests/cli/test_icc.sh compares."""

import os
import struct
import zlib

FOLDER = os.path.dirname(os.path.abspath(__file__))
XYZ_TO_SRGB = ((3.1338561, -1.6168667, -0.4906146), (-0.9787684, 1.9161415, 0.0334540), (0.0719453, -0.2289914, 1.4052427))
D50 = (0.9642, 1, 0.8249)  # the matrix is Lindbloom's: Bradford from D50, then IEC 61966-2-1


def node(number):
    """L*, a*, b* of C, M, Y, K (bits 3 to 0) as bytes: L in 255 steps, a and b from -128."""
    c, m, y, k = (number >> bit & 1 for bit in (3, 2, 1, 0))
    if k:
        return (8 * (3 - c - m - y), 128, 128)
    return (255 - 40 * c - 45 * m - 15 * y, 128 - 12 * c + 22 * m - 2 * y, 128 - 14 * c - 2 * m + 24 * y)


def srgb(lab):
    light, a, b = lab[0] * 100 / 255, lab[1] - 128, lab[2] - 128
    f = (light + 16) / 116
    back = lambda t: t**3 if t > 6 / 29 else 3 * (6 / 29) ** 2 * (t - 4 / 29)
    xyz = (D50[0] * back(f + a / 500), back(f), D50[2] * back(f - b / 200))
    linear = [sum(row[i] * xyz[i] for i in range(3)) for row in XYZ_TO_SRGB]
    assert all(-0.002 < value < 1.002 for value in linear), (lab, linear)
    clipped = [min(max(value, 0), 1) for value in linear]
    return bytes(round(255 * (12.92 * v if v <= 0.0031308 else 1.055 * v ** (1 / 2.4) - 0.055)) for v in clipped)


def tag(kind, data):
    data = kind + bytes(4) + data
    return data + bytes(-len(data) % 4)


def profile():
    identity = struct.pack(">9i", *(65536 if i % 4 == 0 else 0 for i in range(9)))
    table = bytes([4, 3, 2, 0]) + identity + bytes(range(256)) * 4 + bytes(v for n in range(16) for v in node(n)) + bytes(range(256)) * 3
    text = b"made by hand\0"
    tags = [(b"desc", tag(b"desc", struct.pack(">I", len(text)) + text + bytes(78))), (b"cprt", tag(b"text", b"none\0")),
            (b"wtpt", tag(b"XYZ ", struct.pack(">3i", *(round(v * 65536) for v in D50)))), (b"A2B0", tag(b"mft1", table)),
            (b"A2B1", tag(b"mft1", table))]
    at, entries, body = 132 + 12 * len(tags), b"", b""
    for name, data in tags:
        entries += name + struct.pack(">II", at + len(body), len(data))
        body += data
    head = struct.pack(">I4sI4s4s4s", at + len(body), b"none", 0x02400000, b"prtr", b"CMYK", b"Lab ")
    head += struct.pack(">6H", 2020, 1, 1, 0, 0, 0) + b"acsp" + bytes(28) + struct.pack(">3i", *(round(v * 65536) for v in D50))
    return head.ljust(128, b"\0") + struct.pack(">I", len(tags)) + entries + body


def tiff(bits):
    white = (1 << bits) - 1
    pixels = b"".join(struct.pack("<H" if bits == 16 else "<B", white * (n >> bit & 1)) for n in range(16) for bit in (3, 2, 1, 0))
    icc = profile()
    entries = [(256, 3, 1, 16), (257, 3, 1, 1), (258, 3, 4, None), (259, 3, 1, 1), (262, 3, 1, 5), (273, 4, 1, None), (277, 3, 1, 4),
               (278, 3, 1, 1), (279, 4, 1, len(pixels)), (332, 3, 1, 1), (34675, 7, len(icc), None)]
    at = 8 + 2 + 12 * len(entries) + 4
    places = {258: at, 273: at + 8, 34675: at + 8 + len(pixels)}
    directory = b"".join(struct.pack("<HHII", t, kind, count, places[t] if value is None else value) for t, kind, count, value in entries)
    return b"II*\0" + struct.pack("<IH", 8, len(entries)) + directory + bytes(4) + struct.pack("<4H", *[bits] * 4) + pixels + icc


def png():
    row = b"\0" + b"".join(srgb(node(n)) for n in range(16))
    chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 16, 1, 8, 2, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(row)) + chunk(b"IEND", b"")


for name, data in (("icc-cmyk.tif", tiff(8)), ("icc-cmyk16.tif", tiff(16)), ("icc-cmyk-srgb.png", png())):
    with open(os.path.join(FOLDER, name), "wb") as file:
        file.write(data)
