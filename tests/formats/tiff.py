"""Samples of TIFF: written by tifffile and Pillow, with the values that were written or that Pillow reads."""

import io
import struct

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

# Alpha that the colours were multiplied by: their rest, divided by it again.
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

# Each number of channels in each type of values, in each way that files are laid out.
ways = [{}, {"byteorder": ">", "compression": "lzw"}, {"tile": (16, 16), "compression": "deflate"},
        {"planarconfig": "separate", "compression": "packbits"},
        {"planarconfig": "separate", "tile": (16, 16), "byteorder": ">"}]
for count in range(1, 5):
    for i, kind in enumerate(("uint8", "uint16", "float16", "float32")):
        way = ways[(count + i) % 5 if count > 1 else (count + i) % 3]
        values = picture(20 + count, 4, 6, count, kind)
        planes = "planarconfig" in way
        extra = ["assocalpha" if "float" in kind else "unassalpha"] if count % 2 == 0 else None
        data = by_tifffile(numpy.moveaxis(values, -1, 0) if planes else values, extrasamples=extra,
                           photometric="minisblack" if count < 3 else "rgb",
                           **({"planarconfig": "contig"} if count == 2 and not planes else {}), **way)
        samples.add(f"tiff-{kind}-{count}.tif", data, values.astype("float32") if kind == "float16" else values,
                    premultiplied=extra == ["assocalpha"])


def by_hand(tags, data):
    """One little-endian directory of SHORTs and LONGs: {tag: values}."""
    tags = {**tags, 273: [0]}
    offset, more, entries = 8 + 2 + 12 * len(tags) + 4, b"", []
    for tag in sorted(tags):
        kind = "I" if tag in (254, 273, 279) else "H"
        values = struct.pack(f"<{len(tags[tag])}{kind}", *tags[tag])
        where = values.ljust(4, b"\0") if len(values) <= 4 else struct.pack("<I", offset + len(more))
        more += values if len(values) > 4 else b""
        entries.append((tag, 4 if kind == "I" else 3, len(tags[tag]), where))
    start = struct.pack("<I", offset + len(more))
    return (b"II*\0\x08\0\0\0" + struct.pack("<H", len(tags)) +
            b"".join(struct.pack("<HHI", *entry[:3]) + (start if entry[0] == 273 else entry[3]) for entry in entries) +
            b"\0\0\0\0" + more + data)


def plain(name, values, expected, data=None, bits=8, **tags):
    """Values as they are, or `data`, with no tag but those that there must be, and others by number, t262=[1]."""
    height, width = values.shape[:2]
    count = values.shape[2] if values.ndim > 2 else 1
    data = values.tobytes() if data is None else data
    tags = {int(tag[1:]): value for tag, value in tags.items()}
    samples.add(f"tiff-{name}.tif", by_hand({256: [width], 257: [height], 258: [bits] * count, 277: [count],
                                             278: [height], 279: [len(data)], **tags}, data), expected)


# Files that lack a tag, or use older ways. A palette of values up to 255 is one of bytes. Black is 0 unless a file says
# otherwise. LZW before TIFF 6.0 had the lowest bits of codes first.
index, low = picture(30, 4, 6, 1) >> 4, numpy.random.default_rng(31).integers(0, 256, (256, 3))
plain("palette-low", index, low[index].astype("uint8"), t262=[3], t320=low.T.ravel().tolist())
plain("palette-low-4", index, low[index].astype("uint8"), bits=4, t262=[3], t320=low[:16].T.ravel().tolist(),
      data=(index[:, ::2] << 4 | index[:, 1::2]).astype("uint8").tobytes())
plain("untold-gray", gray[:4, :6].copy(), gray[:4, :6])
plain("untold-rgb", colour[:4, :6].copy(), colour[:4, :6])
plain("untold-palette", index, low[index].astype("uint8"), t320=(low * 257).T.ravel().tolist())
plain("reduced", gray[:4, :6].copy(), gray[:4, :6], t254=[1], t262=[1])
plain("mask", gray[:4, :6].copy(), gray[:4, :6], t254=[4], t262=[1])
codes = [256, *gray[:4, :6].ravel().tolist(), 257]
packed = numpy.packbits([code >> i & 1 for code in codes for i in range(9)], bitorder="little").tobytes()
plain("old-lzw", gray[:4, :6], gray[:4, :6], data=packed, t259=[5], t262=[1])

# A further sample is alpha where the file says so, also behind another; RGBA of before TIFF 6.0 says nothing.
four, five = alpha[:4, :6].copy(), numpy.concatenate([alpha, gray[..., None]], 2)[:4, :6].copy()
plain("unspecified", four, four[..., :3], t262=[2], t338=[0])
plain("old-rgba", four, four, t262=[2])
plain("second-extra", five[..., [0, 1, 2, 4, 3]].copy(), five[..., :4], t262=[2], t338=[0, 2])
plain("gray-unspecified", four[..., :2].copy(), four[..., :1], t262=[1], t338=[0])
plain("gray-untold", four[..., :2].copy(), four[..., :1], t262=[1])

# Two pages of different shapes, and between them a small copy of the first, which is none.
pages = io.BytesIO()
with tifffile.TiffWriter(pages) as writer:
    writer.write(colour, photometric="rgb", compression="lzw", metadata=None, software=False)
    writer.write(colour[::2, ::2], photometric="rgb", subfiletype=1, metadata=None, software=False)
    writer.write(gray[:7], metadata=None, software=False)
samples.add("tiff-pages.tif", pages.getvalue(), [colour, gray[:7]])
samples.write()
