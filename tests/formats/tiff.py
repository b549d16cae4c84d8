"""Samples of TIFF: written by tifffile and Pillow, with the values that were written or that Pillow reads."""

import io

import imagecodecs
import numpy
import PIL
import tifffile
from PIL import Image

from samples import Samples, picture

samples = Samples("tiff", f"tifffile {tifffile.__version__}, Pillow {PIL.__version__} and imagecodecs "
                          f"{imagecodecs.__version__}")


def by_tifffile(values, **options):
    file = io.BytesIO()
    options.setdefault("metadata", None)
    tifffile.imwrite(file, values, software=False, **options)
    return file.getvalue()


def by_pillow(image, **options):
    file = io.BytesIO()
    image.save(file, "TIFF", **options)
    return file.getvalue()


def rgb(data):
    return numpy.asarray(Image.open(io.BytesIO(data)).convert("RGB"))


def add(name, values, within=0, expected=None, **options):
    samples.add(f"tiff-{name}.tif", by_tifffile(values, **options), values if expected is None else expected, within)


gray, colour, alpha = picture(1, channels=1), picture(2), picture(3, channels=4)
deep, floats = picture(4, kind="uint16"), picture(5, kind="float32")
add("u8x1", gray, rowsperstrip=4)
add("u8x3-big-endian", colour, photometric="rgb", byteorder=">", rowsperstrip=5)
add("u8x3-tiles", colour, photometric="rgb", tile=(16, 16), compression="deflate", predictor=2)
add("u8x3-planes", numpy.moveaxis(colour, -1, 0), expected=colour, photometric="rgb", planarconfig="separate",
    compression="lzw")
add("u8x3-plane-tiles", numpy.moveaxis(colour, -1, 0), expected=colour, photometric="rgb", planarconfig="separate",
    tile=(16, 16), compression="packbits")
add("u8x4-straight", alpha, photometric="rgb", extrasamples=["unassalpha"], compression="lzw", predictor=2)
add("u16x1-bigtiff", picture(6, channels=1, kind="uint16"), bigtiff=True, compression="deflate")
add("u16x3-lzw", deep, photometric="rgb", compression="lzw", predictor=2, byteorder=">")
add("f32x1", picture(7, channels=1, kind="float32") * 3 - 1, compression="deflate", predictor=3)
add("f32x3-tiles", floats, photometric="rgb", tile=(16, 16), compression="deflate", predictor=3, byteorder=">")
halves, doubles = floats.astype("float16"), picture(8, channels=1, kind="float64")
add("f16x3", halves, expected=halves.astype("float32"), photometric="rgb")
add("f64x1", doubles, expected=doubles.astype("float32"))
longs = picture(9, channels=1, kind="uint32")
add("u32x1", longs, expected=(longs / 4294967295).astype("float32"), compression="lzw", predictor=2, within=1e-7)
add("inverted", gray, expected=255 - gray, photometric="miniswhite")
add("zstd", colour, photometric="rgb", compression="zstd")

# Alpha that the colours were multiplied by: what is left of them, divided by it again.
straight, a = alpha[..., :3].astype(int), alpha[..., 3:].astype(int)
multiplied = numpy.concatenate([(straight * a + 127) // 255, a], axis=2).astype("uint8")
divided = numpy.concatenate([numpy.minimum(255, numpy.rint(multiplied[..., :3] * 255.0 / a)), a], axis=2)
add("u8x4-multiplied", multiplied, expected=divided.astype("uint8"), photometric="rgb", extrasamples=["assocalpha"])

# As Pillow reads them.
turned = by_pillow(Image.fromarray(colour), tiffinfo={274: 6}, compression="tiff_lzw")
samples.add("tiff-turned.tif", turned, numpy.rot90(colour, -1))
for colours in (16, 256):
    data = by_pillow(Image.fromarray(colour).quantize(colours), compression="packbits")
    samples.add(f"tiff-palette-{colours}.tif", data, rgb(data))
nibbles = picture(10, channels=1) >> 4
add("u4x1", nibbles, expected=nibbles * 17, bitspersample=4)
inks = by_pillow(Image.fromarray(alpha, "CMYK"), compression="tiff_lzw")
samples.add("tiff-cmyk.tif", inks, rgb(inks), within=1)
bits = Image.fromarray(gray).convert("1")
black = numpy.asarray(bits.convert("L"))
samples.add("tiff-bits.tif", by_pillow(bits, compression="packbits"), black)
samples.add("tiff-fax.tif", by_pillow(bits, compression="group4"), black)
jpeg = by_pillow(Image.fromarray(picture(2, 24, 32)), compression="jpeg", quality=90)
samples.add("tiff-jpeg.tif", jpeg, rgb(jpeg), within=3)

# Two pages of different shapes, and between them a small copy of the first, which is none.
pages = io.BytesIO()
with tifffile.TiffWriter(pages) as writer:
    writer.write(colour, photometric="rgb", compression="lzw", metadata=None, software=False)
    writer.write(colour[::2, ::2], photometric="rgb", subfiletype=1, metadata=None, software=False)
    writer.write(gray[:7], metadata=None, software=False)
samples.add("tiff-pages.tif", pages.getvalue(), [colour, gray[:7]])
samples.write()
