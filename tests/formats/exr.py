"""Samples of OpenEXR, written by OpenEXR's own bindings of a later version."""

import os
import struct
import tempfile
import zlib

import numpy
import OpenEXR

from samples import Samples, picture

samples = Samples("exr", f"OpenEXR {OpenEXR.__version__}")


def add(name, channels, expected, premultiplied=False, **header):
    header = {"compression": OpenEXR.ZIP_COMPRESSION, "type": OpenEXR.scanlineimage, **header}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.exr")
        OpenEXR.File(header, channels).write(path)
        with open(path, "rb") as file:
            samples.add(f"exr-{name}.exr", file.read(), expected, within=1e-6, premultiplied=premultiplied)


def add_refused(name, channels, compression):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.exr")
        OpenEXR.File({"compression": compression, "type": OpenEXR.scanlineimage}, channels).write(path)
        with open(path, "rb") as file, open(os.path.join(os.path.dirname(__file__), f"exr-{name}.exr"), "wb") as made:
            made.write(file.read())


colour = picture(1, kind="float32", height=21) * 8 - 1
gray = picture(2, height=21, channels=1, kind="float32")
half = colour.astype("float16")
for name, compression in (("none", OpenEXR.NO_COMPRESSION), ("rle", OpenEXR.RLE_COMPRESSION),
                          ("zips", OpenEXR.ZIPS_COMPRESSION), ("piz", OpenEXR.PIZ_COMPRESSION)):
    add(f"half-{name}", {"RGB": half}, half.astype("float32"), compression=compression)
add("float-zip", {"RGB": colour}, colour)
add("gray", {"Y": gray}, gray)
add("depth", {"Z": gray}, gray)
add("layers", {"RGB": half, "diffuse.R": gray, "Z": gray}, half.astype("float32"))
alpha = picture(3, channels=4, kind="float32")
multiplied = alpha.copy()
multiplied[..., :3] *= alpha[..., 3:]
add("alpha", {"RGBA": multiplied}, multiplied, premultiplied=True)
tiles = OpenEXR.TileDescription()
tiles.xSize, tiles.ySize, tiles.mode = 16, 8, OpenEXR.ONE_LEVEL
add("tiles", {"RGB": half}, half.astype("float32"), type=OpenEXR.tiledimage, tiles=tiles)

# Each number of channels in each type of values, and kinds of blocks, by which readers take ways of their own.
for count, layout in enumerate(("Y", "YA", "RGB", "RGBA"), 1):
    for kind, compression in (("float16", OpenEXR.PIZ_COMPRESSION), ("float32", OpenEXR.NO_COMPRESSION),
                              ("uint32", OpenEXR.ZIP_COMPRESSION)):
        values = (picture(10 + count, height=5, width=7, channels=count, kind="float32").reshape(5, 7, count) * 8)
        values = values.astype(kind)
        add(f"{layout.lower()}-{kind}", {name: values[..., i].copy() for i, name in enumerate(layout)},
            values.astype("float32"), compression=compression, premultiplied=count % 2 == 0)
four = picture(15, height=5, width=7, channels=4, kind="float32").astype("float16")
planes = {name: four[..., i].copy() for i, name in enumerate("RGBA")}
for name, compression in (("none", OpenEXR.NO_COMPRESSION), ("zip", OpenEXR.ZIP_COMPRESSION),
                          ("pxr24", OpenEXR.PXR24_COMPRESSION)):
    add(f"four-{name}", planes, four.astype("float32"), compression=compression, premultiplied=True)
add("four-tiles", planes, four.astype("float32"), type=OpenEXR.tiledimage, tiles=tiles, premultiplied=True)
add("four-mixed", {**planes, "G": four[..., 1].astype("float32")}, four.astype("float32"), premultiplied=True)
add("four-further", {**planes, "B2": four[..., 0].copy(), "Z": gray[:5, :7].copy()}, four.astype("float32"),
    premultiplied=True)
window = {"dataWindow": ((3, -2), (9, 2)), "displayWindow": ((0, 0), (20, 20))}
add("four-window", planes, four.astype("float32"), premultiplied=True, **window)
add_refused("b44-float", {"RGB": colour}, OpenEXR.B44_COMPRESSION)
add_refused("dwaa", {"RGB": half}, OpenEXR.DWAA_COMPRESSION)


# A channel of every third row, which the bindings do not write: put together from the file's layout. In blocks of 16
# rows the C library of version 3.1 counts its rows as 16 / 3. One block is as long as it counts, and ends too early.
def attribute(name, kind, value):
    return name.encode() + b"\0" + kind.encode() + b"\0" + struct.pack("<i", len(value)) + value


def by_hand(colours, sparse, step, window, compression, most=None):
    channels = b"".join(name + b"\0" + struct.pack("<iB3xii", 1, 0, 1, rows) for name, rows in
                        ((b"B", 1), (b"G", 1), (b"R", 1), (b"S", step))) + b"\0"
    box = struct.pack("<4i", *window)
    head = b"v/1\x01" + struct.pack("<i", 2) + b"".join((
        attribute("channels", "chlist", channels), attribute("compression", "compression", bytes([compression])),
        attribute("dataWindow", "box2i", box), attribute("displayWindow", "box2i", box),
        attribute("lineOrder", "lineOrder", b"\0"), attribute("pixelAspectRatio", "float", struct.pack("<f", 1)),
        attribute("screenWindowCenter", "v2f", bytes(8)), attribute("screenWindowWidth", "float", struct.pack("<f", 1)))) + b"\0"
    blocks, at_once = [], {0: 1, 3: 16}[compression]
    for first in range(0, len(colours), at_once):
        rows = b""
        for y in range(first, min(first + at_once, len(colours))):
            rows += b"".join(colours[y, :, c].tobytes() for c in (2, 1, 0))
            rows += sparse[y // step].tobytes() if y % step == 0 else b""
        if compression == 3:
            values = numpy.frombuffer(rows[:most][0::2] + rows[:most][1::2], "uint8").astype(int)
            values[1:] = values[1:] - values[:-1] + 128
            rows = zlib.compress(values.astype("uint8").tobytes())
        blocks.append(struct.pack("<ii", first, len(rows)) + rows)
    table = [len(head) + 8 * len(blocks) + sum(map(len, blocks[:i])) for i in range(len(blocks))]
    return head + struct.pack(f"<{len(table)}Q", *table) + b"".join(blocks)


flat = (numpy.arange(18 * 6 * 3).reshape(18, 6, 3) // 20).astype("float16")
sparse = (numpy.arange(6 * 6).reshape(6, 6) // 5).astype("float16")
samples.add("exr-sampled.exr", by_hand(flat, sparse, 3, (0, 0, 5, 17), 0), flat.astype("float32"))
folder = os.path.dirname(os.path.abspath(__file__))
for name, data in (("short", by_hand(flat, sparse, 3, (0, 0, 5, 17), 3, 16 * 36 + 16 * 12 // 3)),
                   ("wide", by_hand(flat[:1], sparse[:1], 1, (0, 0, 2**27 - 1, 0), 0))):
    with open(f"{folder}/exr-sampled-{name}.exr", "wb") as file:
        file.write(data)
samples.write()
