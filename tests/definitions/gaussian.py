"""Cases of gaussians that no mask holds, and of those of two sigmas: by scipy."""

import math

import numpy
import scipy
from scipy import ndimage

from cases import Cases, noise

cases = Cases(__file__, "scipy.ndimage " + scipy.__version__)


def blurred(image, sigma, reach, mode, cval):
    """`sigma` is (y, x), as axes are in numpy."""
    planes = numpy.atleast_3d(image.astype(numpy.float64))
    radius = tuple(math.ceil(reach * s) for s in sigma)
    result = numpy.stack([ndimage.gaussian_filter(planes[..., c], sigma, radius=radius, mode=mode, cval=cval)
                          for c in range(planes.shape[2])], axis=2)
    kind = str(image.dtype)
    return result.astype(kind) if kind == "float32" else numpy.rint(result).astype(kind)


MODES = {"clamp": "nearest", "mirror": "mirror", "wrap": "wrap", "zero": "constant", "constant=40": "constant"}
for chain, sigma, reach, kind, channels, border in (
        ("gaussian=10", (10, 10), 6, "uint8", 3, "clamp"), ("gaussian=200", (200, 200), 6, "uint16", 1, "mirror"),
        ("gaussian=33:sigma_y=0.7", (0.7, 33), 6, "float32", 2, "wrap"), ("gaussian=2:sigma_y=14", (14, 2), 6, "uint8", 1, "zero"),
        ("gaussian=12", (12, 12), 6, "uint16", 4, "constant=40"), ("gaussian=1:sigma_y=2", (2, 1), 3, "uint8", 2, "clamp")):
    image = noise(5, 7, 9, channels, kind)
    within = 2e-6 if kind == "float32" else 0
    cases.add(chain, image, blurred(image, sigma, reach, MODES[border], 40 if border.startswith("const") else 0), within, border,
              options="alpha=ignore")
cases.write()
