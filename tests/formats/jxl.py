"""Samples of JPEG XL, written and read by imagecodecs."""

import imagecodecs
import numpy

from samples import Samples, picture

samples = Samples("jxl", f"imagecodecs {imagecodecs.__version__} with {imagecodecs.jpegxl_version()}")


def add(name, values, within=0, **options):
    data = imagecodecs.jpegxl_encode(values, **options)
    samples.add(f"jxl-{name}.jxl", data, imagecodecs.jpegxl_decode(data), within)


add("lossless", picture(1), lossless=True)
add("alpha", picture(2, channels=4), lossless=True)
add("gray-16", picture(3, channels=1, kind="uint16"), lossless=True)
add("boxed", picture(4), lossless=True, usecontainer=True)
add("float", picture(5, kind="float32") * 3, lossless=True)
add("lossy", picture(6, 24, 33), within=1, distance=1)
frames = numpy.stack([picture(7 + i, channels=3) for i in range(3)])
data = imagecodecs.jpegxl_encode(frames, lossless=True)
samples.add("jxl-frames.jxl", data, list(imagecodecs.jpegxl_decode(data)))


def box(kind, contents, wide=False):
    if wide:
        return (1).to_bytes(4, "big") + kind + (16 + len(contents)).to_bytes(8, "big") + contents
    return (8 + len(contents)).to_bytes(4, "big") + kind + contents


# Sizes of 64 bits, a codestream in two parts, a gain map, and a last box that goes to the end.
values = picture(10, 9, 12)
stream = imagecodecs.jpegxl_encode(values, lossless=True, usecontainer=False)
half = len(stream) // 2
head = box(b"JXL ", b"\r\n\x87\n") + box(b"ftyp", b"jxl \0\0\0\0jxl ", True)
packet = b"<x:xmpmeta xmlns:x='adobe:ns:meta/'/>"
wide = (head + box(b"jxlp", b"\0\0\0\0" + stream[:half], True) + box(b"jhgm", b"a map", True)
        + box(b"jxlp", b"\x80\0\0\1" + stream[half:], True) + bytes(4) + b"xml " + packet)
samples.add("jxl-wide.jxl", wide, values)
samples.write()
