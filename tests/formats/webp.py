"""Samples of WebP, written and read by Pillow."""

import io

import numpy
import PIL
from PIL import Image, features

from samples import Samples, picture

samples = Samples("webp", f"Pillow {PIL.__version__} with libwebp {features.version_module('webp')}")


def add(name, image, mode, within=0, **options):
    file = io.BytesIO()
    image.save(file, "WEBP", **options)
    read = Image.open(io.BytesIO(file.getvalue())).convert(mode)
    samples.add(f"webp-{name}.webp", file.getvalue(), numpy.asarray(read), within)


alpha = picture(3, channels=4)
alpha[2:5, 3:9, 3] = 0
add("lossy", Image.fromarray(picture(1, 24, 33)), "RGB", quality=80)
add("lossless", Image.fromarray(picture(2)), "RGB", lossless=True)
add("lossy-alpha", Image.fromarray(picture(4, 24, 33, 4)), "RGBA", quality=70)
add("lossless-alpha", Image.fromarray(alpha), "RGBA", lossless=True, exact=True)
samples.write()
