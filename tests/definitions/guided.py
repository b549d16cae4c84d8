"""The guided filter by its formula, with box means of numpy's windows."""

import numpy
from cases import Cases, noise

cases = Cases(__file__, f"numpy {numpy.__version__}")
PAD = {"clamp": "edge", "mirror": "reflect", "wrap": "wrap"}


def mean(values, radius):
    windows = numpy.lib.stride_tricks.sliding_window_view(values, (2 * radius + 1,) * 2, axis=(0, 1))
    return windows.mean(axis=(-2, -1))


def guided(image, guide, radius, epsilon, border="clamp"):
    image, guide = (numpy.atleast_3d(a).astype(float) for a in (image, guide))
    around = ((2 * radius,) * 2,) * 2 + ((0, 0),)
    p, i = (numpy.pad(a, around, PAD[border]) for a in (image, guide))
    mean_i, mean_p = mean(i, radius), mean(p, radius)
    a = (mean(i * p, radius) - mean_i * mean_p) / (mean(i * i, radius) - mean_i**2 + epsilon)
    return mean(a, radius) * guide + mean(mean_p - a * mean_i, radius)


def stored(values, kind):
    if kind == numpy.float32:
        return values.astype(numpy.float32)
    return numpy.clip(numpy.rint(values), 0, numpy.iinfo(kind).max).astype(kind)


for kind, channels, border in (("uint8", 3, "clamp"), ("uint16", 1, "mirror"), ("float32", 1, "wrap")):
    image = noise(1, 9, 11, channels, kind)
    white = 1 if kind == "float32" else numpy.iinfo(kind).max
    want = guided(image, image, 2, (0.2 * white) ** 2, border)
    cases.add("guided=2:edge=0.2", image, stored(want, image.dtype), 2e-6 if white == 1 else 0, border)
image, guide = noise(2, 7, 9, 3), noise(3, 7, 9, 1, "uint16")
want = guided(image, guide, 1, (0.3 * 65535) ** 2)
cases.add("guided=1:edge=0.3:guide=second.png", image, stored(want, image.dtype), 0, second=guide)
image = noise(4, 5, 7, 4)
times = image.astype(float)
times[..., :3] *= times[..., 3:] / 255
want = guided(times, times, 1, (0.5 * 255) ** 2)
want[..., :3] *= 255 / want[..., 3:]
cases.add("guided=1:edge=0.5", image, stored(want, image.dtype), 0)
image = noise(5, 7, 13, 1, "float32")
image[3, 1] = numpy.nan
cases.add("guided=1:edge=0.2", image, stored(guided(image, image, 1, 0.04), image.dtype), 2e-6)
cases.write()
