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
add_refused("b44-float", {"RGB": colour}, OpenEXR.B44_COMPRESSION)
add_refused("dwaa", {"RGB": half}, OpenEXR.DWAA_COMPRESSION)
samples.write()
