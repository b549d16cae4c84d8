"""Samples of OpenEXR, written by OpenEXR's own bindings of a later version."""

import os
import tempfile

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
samples.write()
