"""Samples of WebP, written and read by Pillow."""

import io
import struct

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


def animation(width, height, frames, alpha):
    """Frames (left, top, values, blended, cleared away afterwards) as WebP's container specification has them."""

    def chunk(name, data):
        return name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)

    def u24(value):
        return struct.pack("<I", value)[:3]

    body = chunk(b"VP8X", struct.pack("<I", 2 | (16 if alpha else 0)) + u24(width - 1) + u24(height - 1))
    body += chunk(b"ANIM", bytes(6))
    for left, top, values, blended, cleared in frames:
        still = io.BytesIO()
        Image.fromarray(values).save(still, "WEBP", lossless=True, exact=True)
        coded = still.getvalue()[still.getvalue().index(b"VP8L"):]
        head = u24(left // 2) + u24(top // 2) + u24(values.shape[1] - 1) + u24(values.shape[0] - 1) + u24(50)
        body += chunk(b"ANMF", head + bytes([(0 if blended else 2) | cleared]) + coded)
    return b"RIFF" + struct.pack("<I", 4 + len(body)) + b"WEBP" + body


def seen_by_pillow(data, mode):
    read, seen = Image.open(io.BytesIO(data)), []
    for i in range(read.n_frames):
        read.seek(i)
        seen.append(numpy.asarray(read.convert(mode)))
    return seen


# Frames of all alphas, blended or not, cleared away or not, on a canvas that is blank at first, and twice later.
random, frames = numpy.random.default_rng(7), []
for i in range(24):
    left, top = (0, 0) if i in (9, 10) else (2 * int(random.integers(0, 5)), 2 * int(random.integers(0, 4)))
    width, height = (19, 13) if i in (9, 10) else (int(random.integers(1, 20 - left)), int(random.integers(1, 14 - top)))
    values = random.integers(0, 256, (height, width, 4), dtype=numpy.uint8)
    values[..., 3] = random.choice([0, 1, 100, 128, 254, 255], (height, width))
    frames.append((left, top, values, i % 3 != 1, i % 4 == 2 or i in (9, 10)))
data = animation(19, 13, frames, True)
samples.add("webp-blended.webp", data, seen_by_pillow(data, "RGBA"))

# Opaque frames, the first of which covers the canvas; and, in the second file, does not, which Pillow shows if it is told
# of alpha.
for name, left, alpha in (("covered", 0, False), ("uncovered", 2, True)):
    frames = [(left, 0, picture(1, width=19 - left), True, False), (4, 2, picture(2, 5, 7), True, False)]
    seen = seen_by_pillow(animation(19, 13, frames, alpha), "RGBA" if alpha else "RGB")
    samples.add(f"webp-{name}.webp", animation(19, 13, frames, False), seen)
samples.write()
