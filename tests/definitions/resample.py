"""Cases of resize, by Pillow's Image.resize in float (mode F), channel by channel."""

import numpy
import PIL
from PIL import Image

from cases import Cases, noise

KERNELS = {
    "nearest": Image.Resampling.NEAREST,
    "box": Image.Resampling.BOX,
    "linear": Image.Resampling.BILINEAR,
    "cubic": Image.Resampling.BICUBIC,
    "lanczos": Image.Resampling.LANCZOS,
}
cases = Cases(__file__, f"Pillow {PIL.__version__}, numpy {numpy.__version__}")


def stored(values, kind):
    """Halves, and values that float arithmetic left just below them, go up."""
    if kind == "float32":
        return values.astype(kind)
    return numpy.floor(numpy.clip(values + 0.5 + 1 / 4096, 0, numpy.iinfo(kind).max)).astype(kind)


def resized(image, width, height, kernel):
    planes = numpy.atleast_3d(image.astype(numpy.float32))
    done = [Image.fromarray(planes[..., c]).resize((width, height), KERNELS[kernel]) for c in range(planes.shape[2])]
    return stored(numpy.stack([numpy.asarray(plane) for plane in done], axis=2), image.dtype.name)


for kernel in KERNELS:
    for width, height in ((5, 4), (4, 3), (17, 9), (30, 2), (1, 1)):
        image = noise(1, 7, 10, 3)
        cases.add(f"resize={width}:{height}:by={kernel}", image, resized(image, width, height, kernel), 0)
image = noise(2, 8, 9, 1, "uint16")
cases.add("resize=scale=0.5", image, resized(image, 4, 4, "lanczos"), 0)
cases.add("resize=20", image, resized(image, 20, 18, "lanczos"), 0)
cases.add("resize=height=4:by=cubic", image, resized(image, 4, 4, "cubic"), 0)
image = noise(3, 6, 8, 2, "float32")
cases.add("resize=3:11", image, resized(image, 3, 11, "lanczos"), 3e-6, options="alpha=ignore")
for shape in ((1, 1), (1, 9), (9, 1)):
    image = noise(4, *shape)
    cases.add("resize=7:5", image, resized(image, 7, 5, "lanczos"), 0)
    cases.add("resize=2:2:by=box", image, resized(image, 2, 2, "box"), 0)


# Mitchell and Netravali's kernel, which Pillow has not: their formula 8 with B = C = 1/3.
def mitchell(x):
    x = abs(x)
    if x < 1:
        return (7 * x**3 - 12 * x**2 + 16 / 3) / 6
    return (-7 / 3 * x**3 + 12 * x**2 - 20 * x + 32 / 3) / 6 if x < 2 else 0


def matrix(n, count):
    scale = n / count
    wide = max(scale, 1)
    weights = numpy.array([[mitchell((j + 0.5 - (i + 0.5) * scale) / wide) for j in range(n)] for i in range(count)])
    return weights / weights.sum(axis=1, keepdims=True)


for width, height in ((5, 4), (17, 9)):
    image = noise(5, 7, 10)
    cases.add(f"resize={width}:{height}:by=mitchell", image,
              stored(matrix(7, height) @ image.astype(numpy.float64) @ matrix(10, width).T, "uint8"), 0)

# Colours are weighed by alpha: a transparent pixel's does not show.
image = noise(6, 6, 6, 4)
real = image.astype(numpy.float64)
alpha = real[..., 3:] / 255
mixed = resized(numpy.concatenate([real[..., :3] * alpha, real[..., 3:]], axis=2).astype(numpy.float32), 3, 3, "linear")
mixed = mixed.astype(numpy.float64)
straight = numpy.concatenate([mixed[..., :3] * 255 / mixed[..., 3:], mixed[..., 3:]], axis=2)
cases.add("resize=3:by=linear", image, numpy.rint(numpy.clip(straight, 0, 255)).astype(numpy.uint8), 0)

# A NaN makes NaN of all whose window holds it.
image = noise(7, 6, 6, 1, "float32")
image[2, 3] = numpy.nan
cases.add("resize=3:3:by=box", image, resized(image, 3, 3, "box"), 1e-6)
cases.add("resize=12:12:by=nearest", image, resized(image, 12, 12, "nearest"), 0)
cases.write()
