"""Samples of JPEG, written and read by Pillow: CMYK as Adobe's programs store it, and as YCCK, which imagecodecs writes."""

import io

import imagecodecs
import numpy
import PIL
from PIL import Image

from samples import Samples, picture

samples = Samples("jpeg", f"Pillow {PIL.__version__} and imagecodecs {imagecodecs.__version__}")


def add(name, data, within):
    samples.add(f"jpeg-{name}.jpg", data, numpy.asarray(Image.open(io.BytesIO(data)).convert("RGB")), within)


def by_pillow(image, **options):
    file = io.BytesIO()
    image.save(file, "JPEG", **options)
    return file.getvalue()


def smooth(channels):
    return Image.fromarray(numpy.asarray(Image.fromarray(picture(1, 6, 6, channels)).resize((24, 20), Image.Resampling.BICUBIC)), "CMYK" if channels == 4 else "RGB")


inks = smooth(4)
add("cmyk", by_pillow(inks, quality=90), 2)
ycck = imagecodecs.jpeg8_encode(255 - numpy.asarray(inks), level=90, colorspace="CMYK", outcolorspace="YCCK")
assert Image.open(io.BytesIO(ycck)).mode == "CMYK"
add("ycck", ycck, 2)
add("progressive", by_pillow(smooth(3), quality=80, progressive=True), 2)
samples.write()
