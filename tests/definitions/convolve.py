"""Cases of the linear filters, by scipy.ndimage."""

import numpy
import scipy
from scipy import ndimage

from cases import Cases, noise

MODES = {"clamp": "nearest", "mirror": "mirror", "wrap": "wrap", "constant=40": "constant"}
cases = Cases(__file__, "scipy " + scipy.__version__)


def stored(values, kind):
    if kind == "float32":
        return values.astype(kind)
    return numpy.rint(numpy.clip(values, 0, numpy.iinfo(kind).max)).astype(kind)


def by_channel(function, image):
    planes = numpy.atleast_3d(image.astype(numpy.float64))
    return numpy.stack([function(planes[..., c]) for c in range(planes.shape[2])], axis=2)


for border, mode in MODES.items():
    image = noise(1, 7, 9, 3)
    cases.add("gaussian=0.8", image, stored(by_channel(
        lambda plane: ndimage.gaussian_filter(plane, 0.8, radius=3, mode=mode, cval=40), image), "uint8"), 0, border)
    image = noise(2, 5, 8, 1, "uint16")
    cases.add("box=5:3", image, stored(by_channel(
        lambda plane: ndimage.uniform_filter(plane, (3, 5), mode=mode, cval=40), image), "uint16"), 0, border)

mask = numpy.array([[1, -2, 0.5], [0, 3, 1], [-1, 0.25, 2]])
written = "1 -2 0.5 0 3 1 -1 0.25 2"
for kind, within in (("uint8", 0), ("uint16", 0), ("float32", 2e-5)):
    image = noise(3, 6, 7, 1, kind)
    real = image.astype(numpy.float64)
    cases.add(f"convolve={written}:scale=0.25", image,
              stored(0.25 * ndimage.correlate(real, mask, mode="nearest"), kind), within)
    cases.add(f"convolve={written}:scale=0.25:flip=1", image,
              stored(0.25 * ndimage.convolve(real, mask, mode="nearest"), kind), within)
    for even in ([[1, 2]], [[3], [-1]], [[1, 2], [3, 4]], [[1, -2, 0.5], [0, 3, 1]], [[1, 2], [3, 4], [5, -6]]):
        rows = "; ".join(" ".join(f"{weight:g}" for weight in row) for row in even) + ";"
        for flip, function in (("", ndimage.correlate), (":flip=1", ndimage.convolve)):
            cases.add(f"convolve={rows}:scale=0.25{flip}", image,
                      stored(0.25 * function(real, numpy.array(even), mode="nearest"), kind), within)
    cases.add("laplacian", image, stored(ndimage.laplace(real, mode="nearest"), kind), within)

# A NaN in the window makes NaN, and infinity infinity; the rest of the picture does not notice.
image = noise(4, 7, 8, 1, "float32")
image[2, 2], image[5, 6] = numpy.nan, numpy.inf
cases.add("box=3", image, ndimage.correlate(image.astype(numpy.float64), numpy.full((3, 3), 1 / 9),
                                            mode="nearest").astype(numpy.float32), 2e-6)
cases.write()
