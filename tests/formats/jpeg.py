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


# Every sampling, storage and number of channels, each of a small picture, must be read as the file that it was made of.
# So must the spectrum of Samsung's phones, and scans of frequencies before that of the mean.
small = smooth(3).crop((3, 2, 14, 11))
gray = small.convert("L")
values = numpy.asarray(small)


def subsampled(kind):
    return imagecodecs.jpeg8_encode(values, level=90, subsampling=kind)


def read(data):
    return numpy.asarray(Image.open(io.BytesIO(data)))


files = {"gray": by_pillow(gray, quality=90), "gray-progressive": by_pillow(gray, quality=90, progressive=True),
         "444": by_pillow(small, quality=90, subsampling=0), "422": by_pillow(small, quality=90, subsampling=1),
         "420": by_pillow(small, quality=90, subsampling=2), "440": subsampled("440"), "411": subsampled("411"),
         "restarts": by_pillow(small, quality=90, restart_marker_blocks=1), "best": by_pillow(small, quality=100, subsampling=0),
         "optimized": by_pillow(small, quality=90, optimize=True), "rgb": by_pillow(small, quality=90, keep_rgb=True),
         "cmyk-progressive": by_pillow(smooth(4).crop((3, 2, 14, 11)), quality=90, progressive=True)}
for name, data in files.items():
    expected = numpy.asarray(Image.open(io.BytesIO(data)).convert("RGB")) if "cmyk" in name else read(data)
    samples.add(f"jpeg-{name}.jpg", data, expected, 2)
data = files["420"]
spectrum = data.index(b"\xff\xda") + 4 + 1 + 2 * 3 + 1
assert data[spectrum] == 63
samples.add("jpeg-samsung.jpg", data[:spectrum] + b"\0" + data[spectrum + 1:], read(data), 2)
data = files["gray-progressive"]
parts = data.split(b"\xff\xc4")  # each scan follows its table
assert len(parts) == 7 or len(parts) == 6, len(parts)
parts[1], parts[2] = parts[2], parts[1]
samples.add("jpeg-frequencies-first.jpg", b"\xff\xc4".join(parts), read(data), 2)
samples.write()
