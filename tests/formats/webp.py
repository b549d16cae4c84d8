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

# Three frames, two of which change a part only.
frames = [Image.fromarray(alpha)]
for i in range(2):
    values = numpy.asarray(frames[-1]).copy()
    values[3:8, 2 + i:9 + i] = (200, 10 * i, 30, 255)
    frames.append(Image.fromarray(values))
file = io.BytesIO()
frames[0].save(file, "WEBP", save_all=True, append_images=frames[1:], duration=[40, 80, 120], loop=3, lossless=True,
               exact=True, kmin=5, kmax=9)
read = Image.open(io.BytesIO(file.getvalue()))
seen = []
for i in range(read.n_frames):
    read.seek(i)
    seen.append(numpy.asarray(read.convert("RGBA")))
samples.add("webp-frames.webp", file.getvalue(), seen)
samples.write()
