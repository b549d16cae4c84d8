"""Samples of PSD and Softimage PIC, made by hand from their specifications. PSD of 8 bits is as Pillow reads it. Its
transparent pixels were put on white (as Photoshop stores them), and are themselves again."""

import io
import struct

import numpy
import PIL
from PIL import Image

from samples import Samples, picture

samples = Samples("stb", f"Pillow {PIL.__version__}")


def packbits(row):
    """Runs of two and more, and the bytes between them."""
    out, at = b"", 0
    while at < len(row):
        run = 1
        while at + run < len(row) and run < 128 and row[at + run] == row[at]:
            run += 1
        if run > 1:
            out += bytes([257 - run, row[at]])
        else:
            while at + run < len(row) and run < 128 and (at + run + 1 == len(row) or row[at + run] != row[at + run + 1]):
                run += 1
            out += bytes([run - 1]) + bytes(row[at:at + run])
        at += run
    return out


def resource(number, data):
    return b"8BIM" + struct.pack(">H", number) + b"\0\0" + struct.pack(">I", len(data)) + data + bytes(len(data) % 2)


# A layer without pixels, in a number that says that the merged picture has alpha. Or the block that says so, behind
# other ones: layers of no 16 bits and a mask for all layers of no bytes.
BY_LAYERS = struct.pack(">Ih", 36, -1) + bytes(18) + b"8BIMnorm" + bytes(8) + bytes(4)
BY_BLOCK = bytes(8) + b"8BIMPatt" + struct.pack(">I", 2) + bytes(4) + b"8BIMMt16" + bytes(4)
BY_DEEP_LAYERS = bytes(8) + b"8BIMLr16" + struct.pack(">Ih", 36, -1) + bytes(34)


def psd(values, packed=False, resources=b"", layers=b""):
    height, width, channels = values.shape
    depth = values.dtype.itemsize * 8
    head = b"8BPS\0\1" + bytes(6) + struct.pack(">HIIHH", channels, height, width, depth, 3)
    sections = bytes(4) + struct.pack(">I", len(resources)) + resources + struct.pack(">I", len(layers)) + layers
    planes = [values[..., c] for c in range(channels)]
    if not packed:
        return head + sections + b"\0\0" + b"".join(p.astype(f">u{depth // 8}").tobytes() for p in planes)
    rows = [packbits(row.tolist()) for p in planes for row in p]
    return head + sections + b"\0\1" + b"".join(struct.pack(">H", len(row)) for row in rows) + b"".join(rows)


def by_pillow(data):
    return numpy.asarray(Image.open(io.BytesIO(data)))


xmp = b"<x:xmpmeta xmlns:x='adobe:ns:meta/'/>"
resolution = resource(1005, struct.pack(">IHHIHH", 300 << 16, 1, 1, 300 << 16, 1, 1))
plain = psd(picture(1), resources=resolution + resource(1060, xmp))
samples.add("psd-plain.psd", plain, by_pillow(plain))
flat = picture(2) // 48 * 48
packed = psd(flat, packed=True)
samples.add("psd-packed.psd", packed, by_pillow(packed))
deep = picture(3, kind="uint16")
samples.add("psd-deep.psd", psd(deep), deep)
extra = numpy.dstack([picture(4), numpy.full((13, 19), 255, "uint8"), picture(5, channels=1)])
samples.add("psd-further.psd", psd(extra, packed=True, layers=BY_LAYERS), extra[..., :4])
# Without a word a fourth channel is a saved selection.
for name, packs in (("plain", False), ("packed", True)):
    samples.add(f"psd-selection-{name}.psd", psd(picture(9, 5, 7, 5), packed=packs), picture(9, 5, 7, 5)[..., :3])
deeper = picture(10, 5, 7, 4, "uint16")
samples.add("psd-selection-deep.psd", psd(deeper), deeper[..., :3])
deeper[..., 3] = 65535
samples.add("psd-alpha-deep.psd", psd(deeper, layers=BY_DEEP_LAYERS), deeper)
samples.add("psd-alpha-block.psd", psd(deeper, layers=BY_BLOCK), deeper)
# Blocks are filled up to four bytes: by three zeros at most; behind more there is no block.
for fill in (3, 4):
    layers = BY_BLOCK.replace(bytes(4) + b"8BIMMt16", bytes(2 + fill) + b"8BIMMt16")
    samples.add(f"psd-fill-{fill}.psd", psd(deeper, layers=layers), deeper if fill < 4 else deeper[..., :3])
glass = picture(6, channels=4)
glass[..., 3] = numpy.clip(glass[..., 3], 64, 255)
alpha = glass[..., 3:] / 255
on_white = glass.copy()
on_white[..., :3] = numpy.rint(glass[..., :3] * alpha + 255 * (1 - alpha))
samples.add("psd-alpha.psd", psd(on_white, layers=BY_LAYERS), glass, within=4)


def pic(values, kinds):
    """Packets of colour and of alpha; of each 0: as it is, 1: runs, 2: runs and values."""
    height, width, channels = values.shape
    head = b"\x53\x80\xF6\x34" + struct.pack(">f", 3.5) + b"by hand".ljust(80, b"\0") + b"PICT"
    head += struct.pack(">HHfHH", width, height, 1.0, 3, 0)
    parts = [(0xE0, values[..., :3])] + ([(0x10, values[..., 3:])] if channels == 4 else [])
    for i, (mask, _) in enumerate(parts):
        head += bytes([i + 1 < len(parts), 8, kinds[i], mask])
    out = head
    for y in range(height):
        for (_, plane), kind in zip(parts, kinds):
            pixels = [bytes(p) for p in plane[y]]
            out += b"".join(pixels) if kind == 0 else runs(pixels) if kind == 1 else mixed(pixels)
    return out


def runs(pixels):
    out, at = b"", 0
    while at < len(pixels):
        run = 1
        while at + run < len(pixels) and pixels[at + run] == pixels[at]:
            run += 1
        out += bytes([run]) + pixels[at]
        at += run
    return out


def mixed(pixels):
    """A long run with its length in two bytes, a short one, the others as they are."""
    assert pixels[0] == pixels[5] and pixels[6] == pixels[9]
    return b"\x80" + struct.pack(">H", 6) + pixels[0] + bytes([127 + 4]) + pixels[6] + bytes([len(pixels) - 11]) + b"".join(pixels[10:])


samples.add("pic-plain.spic", pic(picture(7), [0]), picture(7))
samples.add("pic-runs.spic", pic(flat, [1]), flat)
both = picture(8, channels=4)
both[:, :6], both[:, 6:10] = both[:, :1], both[:, 6:7]
samples.add("pic-mixed.spic", pic(both, [2, 1]), both)
samples.write()
