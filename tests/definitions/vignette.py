"""Cases of vignette: its definition written out in numpy."""

import numpy

from cases import Cases, noise

cases = Cases(__file__, f"numpy {numpy.__version__}")


def vignette(image, amount, start):
    """Where `amount` is below 0, such a darkening is taken away."""
    height, width = image.shape[:2]
    y, x = numpy.mgrid[0:height, 0:width]
    squared = (((x + 0.5) / width - 0.5) ** 2 + ((y + 0.5) / height - 0.5) ** 2) * 2
    t = numpy.maximum((squared - start ** 2) / (1 - start ** 2), 0)
    factor = 1 - abs(amount) * (3 * t ** 2 - 2 * t ** 3)
    factor = 1 / factor if amount < 0 else factor
    result = image * (factor if image.ndim == 2 else factor[..., None])
    if image.dtype == numpy.float32:
        return result.astype(numpy.float32)
    return numpy.clip(numpy.rint(result), 0, numpy.iinfo(image.dtype).max).astype(image.dtype)


cases.add("vignette", noise(1, 9, 14), vignette(noise(1, 9, 14), 0.4, 0.3), within=1)
colours = noise(2, 7, 5, 3)
cases.add("vignette=100:start=0", colours, vignette(colours, 1, 0), within=1)
deep = noise(3, 8, 8, 1, "uint16")
cases.add("vignette=75:start=60", deep, vignette(deep, 0.75, 0.6), within=2)
light = noise(4, 6, 11, 3, "float32")
cases.add("vignette=50:start=10", light, vignette(light, 0.5, 0.1), within=2e-6)
cases.add("vignette=-80", light, vignette(light, -0.8, 0.3), within=2e-6)
cases.add("vignette=-30:start=0", colours, vignette(colours, -0.3, 0), within=1)
one = noise(5, 1, 1)
cases.add("vignette=100:start=0", one, one, within=0)
cases.write()
