"""Non-local means by their formula in numpy."""

import numpy
from cases import Cases, noise

cases = Cases(__file__, f"numpy {numpy.__version__}")
PAD = {"clamp": "edge", "mirror": "reflect", "wrap": "wrap"}


def nlmeans(image, patch, search, h, border="clamp"):
    image = numpy.atleast_3d(image).astype(float)
    height, width, channels = image.shape
    reach, side = patch + search, 2 * patch + 1
    far = numpy.pad(image, ((reach, reach), (reach, reach), (0, 0)), PAD[border])
    total, weights = numpy.zeros(image.shape), numpy.zeros((height, width, 1))
    windows = numpy.lib.stride_tricks.sliding_window_view(far, (side, side), axis=(0, 1))
    own = windows[search : search + height, search : search + width]
    for j in range(2 * search + 1):
        for i in range(2 * search + 1):
            other = windows[j : j + height, i : i + width]
            distance = ((other - own) ** 2).mean(axis=(2, 3, 4))[..., None]
            weight = numpy.exp(-distance / h**2)
            total += weight * far[patch + j : patch + j + height, patch + i : patch + i + width]
            weights += weight
    return total / weights


def stored(values, kind):
    if kind == numpy.float32:
        return values.astype(numpy.float32)
    return numpy.clip(numpy.rint(values), 0, numpy.iinfo(kind).max).astype(kind)


for kind, channels, border in (("uint8", 3, "clamp"), ("uint16", 1, "mirror"), ("float32", 1, "wrap"), ("uint8", 1, "mirror")):
    image = noise(1, 9, 11, channels, kind)
    white = 1 if kind == "float32" else numpy.iinfo(kind).max
    want = nlmeans(image, 1, 3, 0.2 * white, border)
    cases.add("nlmeans=0.2:patch=1:search=3", image, stored(want, image.dtype), 2e-6 if white == 1 else 0, border)
image = noise(4, 5, 7, 4)
times = image.astype(float)
times[..., :3] *= times[..., 3:] / 255
want = nlmeans(times, 2, 2, 0.5 * 255)
want[..., :3] *= 255 / want[..., 3:]
cases.add("nlmeans=0.5:patch=2:search=2", image, stored(want, image.dtype), 0)
image = noise(5, 5, 11, 1, "float32")
image[2, 1], image[2, 9] = numpy.nan, numpy.inf
with numpy.errstate(invalid="ignore"):
    want = nlmeans(image, 1, 1, 0.3)
cases.add("nlmeans=0.3:patch=1:search=1", image, stored(want, image.dtype), 2e-6)
cases.write()
