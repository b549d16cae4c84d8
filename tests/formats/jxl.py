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
samples.write()
