#!/usr/bin/env python3
"""flame.py write PATH writes a TIFF of a flame in f32: light without alpha on the left, with associated alpha on the
right. flame.py sums PATH prints the sums of red, green, blue and alpha, and of all colours where alpha is 0. PATH is a
TIFF or an EXR of glint. Readers and writer follow TIFF 6.0, Adobe's Technical Note 3, and OpenEXR's File Layout."""
import math
import struct
import sys
import zlib

WIDTH, HEIGHT = 96, 64


def flame():
    for y in range(HEIGHT):
        for x in range(WIDTH):
            light = math.exp(-((x - 47.5) ** 2 / 32 + (y - 31.5) ** 2 / 72))
            light = light if light > 1e-4 else 0
            yield from (4 * light, 2 * light, light / 2, light / 2 if x >= 48 else 0)


def write(path):
    data = struct.pack(f"<{4 * WIDTH * HEIGHT}f", *flame())
    behind = 8 + len(data) + 2 + 12 * 12 + 4
    entries = ((256, 4, 1, WIDTH), (257, 4, 1, HEIGHT), (258, 3, 4, behind), (259, 3, 1, 1), (262, 3, 1, 2),
               (273, 4, 1, 8), (277, 3, 1, 4), (278, 4, 1, HEIGHT), (279, 4, 1, len(data)), (284, 3, 1, 1),
               (338, 3, 1, 1), (339, 3, 4, behind + 8))
    directory = struct.pack("<H", len(entries)) + b"".join(struct.pack("<HHLL", *entry) for entry in entries)
    with open(path, "wb") as file:
        file.write(b"II*\0" + struct.pack("<L", 8 + len(data)) + data + directory + bytes(4) +
                   struct.pack("<8H", 32, 32, 32, 32, 3, 3, 3, 3))


def read_tiff(data):
    """Rows of values R G B A, deflated with the predictor of floats, or as they are."""
    assert data[:4] == b"II*\0"
    at = struct.unpack_from("<L", data, 4)[0]
    tags = {}
    for i in range(struct.unpack_from("<H", data, at)[0]):
        tag, kind, count = struct.unpack_from("<HHL", data, at + 2 + 12 * i)
        form = {3: "H", 4: "L"}.get(kind)
        where = at + 10 + 12 * i
        if form:
            inside = count * struct.calcsize(f"<{form}") <= 4
            place = where if inside else struct.unpack_from("<L", data, where)[0]
            tags[tag] = struct.unpack_from(f"<{count}{form}", data, place)
    assert tags[258] == (32,) * 4 and tags[339] == (3,) * 4 and tags[338] == (1,), "f32 with associated alpha"
    width, rows = tags[256][0], tags[278][0]
    for offset, size in zip(tags[273], tags[279]):
        strip = data[offset:offset + size]
        strip = strip if tags[259][0] == 1 else zlib.decompress(strip)
        for start in range(0, len(strip), 16 * width):
            row = bytearray(strip[start:start + 16 * width])
            if tags.get(317, (1,))[0] == 3:
                for i in range(4, len(row)):
                    row[i] = (row[i] + row[i - 4]) & 255
                row = bytes(row[k * 4 * width + i] for i in range(4 * width) for k in range(4))
                yield struct.unpack(f">{4 * width}f", row)
            else:
                yield struct.unpack(f"<{4 * width}f", row)
    assert rows > 0


def read_exr(data):
    """Rows of values R G B A of scan lines in f32, by ZIP or ZIPS or none."""
    assert data[:4] == b"\x76\x2f\x31\x01"
    at, head = 8, {}
    while data[at]:
        name = data[at:data.index(0, at)]
        at += len(name) + 1
        at = data.index(0, at) + 1
        size = struct.unpack_from("<L", data, at)[0]
        head[name] = data[at + 4:at + 4 + size]
        at += 4 + size
    assert head[b"channels"].startswith(b"A\0\2\0\0\0"), "alpha of f32 comes first"
    box = struct.unpack("<4l", head[b"dataWindow"])
    width, height = box[2] - box[0] + 1, box[3] - box[1] + 1
    each = {0: 1, 2: 1, 3: 16}[head[b"compression"][0]]
    for i in range(-(-height // each)):
        offset = struct.unpack_from("<Q", data, at + 1 + 8 * i)[0]
        lines, size = min(each, height - each * i), struct.unpack_from("<L", data, offset + 4)[0]
        block = data[offset + 8:offset + 8 + size]
        if size < 16 * width * lines:
            packed = bytearray(zlib.decompress(block))
            for k in range(1, len(packed)):
                packed[k] = (packed[k] + packed[k - 1] - 128) & 255
            half = (len(packed) + 1) // 2
            block = bytearray(len(packed))
            block[0::2], block[1::2] = packed[:half], packed[half:]
        for y in range(lines):
            a, b, g, r = (struct.unpack_from(f"<{width}f", block, 4 * width * (4 * y + c)) for c in range(4))
            yield [value for pixel in zip(r, g, b, a) for value in pixel]


if sys.argv[1] == "write":
    write(sys.argv[2])
else:
    with open(sys.argv[2], "rb") as opened:
        file = opened.read()
    rows = list(read_exr(file) if file[:2] == b"\x76\x2f" else read_tiff(file))
    glow = sum(sum(row[i:i + 3]) for row in rows for i in range(0, len(row), 4) if row[i + 3] == 0)
    print(*("%.4f" % sum(sum(row[c::4]) for row in rows) for c in range(4)), "%.4f" % glow)
