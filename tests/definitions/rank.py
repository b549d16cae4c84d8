"""Cases of the filters over windows and structuring elements, by scipy.ndimage; where NaN is, by numpy's sort, which puts
it last."""

import numpy
import scipy
from scipy import ndimage

from cases import Cases, noise

MODES = {"clamp": "nearest", "mirror": "mirror", "wrap": "wrap", "constant=40": "constant"}
cases = Cases(__file__, f"scipy {scipy.__version__} and numpy {numpy.__version__}")


def by_channel(function, image, *arguments, **options):
    planes = numpy.atleast_3d(image)
    return numpy.stack([function(planes[..., c], *arguments, **options) for c in range(planes.shape[2])], axis=2)


def disk(radius):
    y, x = numpy.mgrid[-radius:radius + 1, -radius:radius + 1]
    return x * x + y * y <= radius * radius


def cells(text):
    return numpy.array([[cell == "1" for cell in row] for row in text.split()])


for seed, (border, mode) in enumerate(MODES.items()):
    options = {"mode": mode, "cval": 40}
    image = noise(10 + seed, 7, 9, 3)
    cases.add("median", image, by_channel(ndimage.median_filter, image, 3, **options), 0, border)
    cases.add("erode", image, by_channel(ndimage.grey_erosion, image, 3, **options), 0, border)
    image = noise(20 + seed, 6, 8, 1, "uint16")
    cases.add("median=2:disk", image, ndimage.median_filter(image, footprint=disk(2), **options), 0, border)
    cases.add("dilate=2", image, ndimage.grey_dilation(image, 5, **options), 0, border)

# The exact rank of a percentile, and its ends.
image = noise(30, 7, 8, 2, "float32")
for share in (0, 10, 33, 50, 89, 99, 100):
    cases.add(f"percentile={share}", image, by_channel(ndimage.percentile_filter, image, share, 3, mode="nearest"), 0,
               options="alpha=ignore")
cases.add("percentile=25:element=0110 1011", image, by_channel(
    ndimage.percentile_filter, image, 25, footprint=cells("0110 1011"), mode="nearest"), 0,
               options="alpha=ignore")
cases.add("minimum=2", image, by_channel(ndimage.minimum_filter, image, 5, mode="nearest"), 0,
               options="alpha=ignore")
cases.add("maximum=2", image, by_channel(ndimage.maximum_filter, image, 5, mode="nearest"), 0,
               options="alpha=ignore")

# Elements that a reflection changes, with sides of even length.
image = noise(31, 8, 9)
for text in ("1100 0100 0111", "001", "10 11", "1 0 1 1"):
    footprint, of = cells(text), f":element={text}"
    options = {"footprint": footprint, "mode": "mirror"}
    for name, function in (("minimum", ndimage.minimum_filter), ("maximum", ndimage.maximum_filter),
                           ("erode", ndimage.grey_erosion), ("dilate", ndimage.grey_dilation),
                           ("open", ndimage.grey_opening), ("close", ndimage.grey_closing)):
        cases.add(name + "=1" + of, image, function(image, **options), 0, "mirror")
for name, function in (("tophat", ndimage.white_tophat), ("tophat=2:of=black", ndimage.black_tophat),
                       ("gradient", ndimage.morphological_gradient)):
    size = 5 if "=2" in name else 3
    cases.add(name, image, function(image, size=size, mode="nearest"), 0)

# NaN sorts above all numbers, infinity too.
image = noise(32, 7, 9, 1, "float32") - numpy.float32(0.5)
image[1, 1], image[2, 2], image[5, 6], image[4, 1] = numpy.nan, -numpy.nan, numpy.inf, -numpy.inf
image[3, 3:7] = numpy.nan
windows = numpy.lib.stride_tricks.sliding_window_view(numpy.pad(image, 1, mode="edge"), (3, 3)).reshape(7, 9, 9)
ranked = numpy.sort(windows, axis=2)
cases.add("median", image, ranked[..., 4], 0)
cases.add("percentile=80", image, ranked[..., 7], 0)
cases.add("erode", image, numpy.fmin.reduce(windows, axis=2), 0)
cases.add("dilate", image, numpy.maximum.reduce(windows, axis=2), 0)
cases.write()
