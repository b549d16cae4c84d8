"""The bilateral filter by OpenCV for bytes, and by its formula in numpy where OpenCV has none or interpolates."""

import cv2
import numpy
from cases import Cases, noise

cases = Cases(__file__, f"OpenCV {cv2.__version__} and numpy {numpy.__version__}")
PAD = {"clamp": "edge", "mirror": "reflect", "wrap": "wrap"}


def formula(image, guide, radius, space, sigma, border="clamp"):
    image, guide = (numpy.atleast_3d(a).astype(float) for a in (image, guide))
    height, width, channels = image.shape
    far = [numpy.pad(a, ((radius, radius), (radius, radius), (0, 0)), PAD[border]) for a in (image, guide)]
    total, weights = numpy.zeros(image.shape), numpy.zeros((height, width, 1))
    for j in range(-radius, radius + 1):
        for i in range(-radius, radius + 1):
            if i * i + j * j > radius * radius:
                continue
            part = [a[radius + j : radius + j + height, radius + i : radius + i + width] for a in far]
            distance = numpy.abs(part[1] - guide).sum(axis=2, keepdims=True)
            weight = numpy.exp(-(i * i + j * j) / (2 * space**2)) * numpy.exp(-(distance**2) / (2 * sigma**2))
            total += weight * part[0]
            weights += weight
    return total / weights


def stored(values, kind):
    if kind == numpy.float32:
        return values.astype(numpy.float32)
    return numpy.clip(numpy.rint(values), 0, numpy.iinfo(kind).max).astype(kind)


for channels in (1, 3):
    image = noise(1, 7, 9, channels)
    for diameter, sigma, space in ((5, 0.2, 3), (9, 0.6, 2), (4, 0.4, 2)):
        want = cv2.bilateralFilter(image, diameter, sigma * 255, space, borderType=cv2.BORDER_REFLECT_101)
        cases.add(f"bilateral={diameter}:range={sigma}:space={space}", image, want, 0, "mirror")
for kind, channels, border in (("uint16", 1, "wrap"), ("float32", 3, "clamp"), ("uint16", 3, "clamp")):
    image = noise(2, 5, 7, channels, kind)
    white = 1 if kind == "float32" else 65535
    want = stored(formula(image, image, 3, 7 / 3, 0.3 * white, border), image.dtype)
    cases.add("bilateral=7:range=0.3", image, want, 2e-6 if white == 1 else 0, border)

# A guide of another type; and colours times alpha, which counts as a channel.
image, guide = noise(3, 5, 7, 3), noise(4, 5, 7, 1, "uint16")
want = formula(image, guide, 2, 1.5, 0.25 * 65535)
cases.add("joint=5:range=0.25:space=1.5:guide=second.png", image, stored(want, image.dtype), 0, second=guide)
image = noise(5, 5, 7, 4)
times = image.astype(float)
times[..., :3] *= times[..., 3:] / 255
want = formula(times, times, 2, 2, 0.5 * 255)
want[..., :3] *= 255 / want[..., 3:]
cases.add("bilateral=5:range=0.5:space=2", image, stored(want, image.dtype), 0)

# NaN and infinity spread as far as the window.
image = noise(6, 5, 9, 1, "float32")
image[2, 1], image[1, 7] = numpy.nan, numpy.inf
with numpy.errstate(invalid="ignore"):
    want = formula(image, image, 1, 1, 0.2)[..., 0]
cases.add("bilateral=3:range=0.2:space=1", image, stored(want, image.dtype), 2e-6)
cases.write()
