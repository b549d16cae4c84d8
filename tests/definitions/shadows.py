"""Cases of shadows: scipy's monotone curve through the points of its definition."""

import numpy
import scipy
from scipy.interpolate import PchipInterpolator

from cases import Cases, noise

cases = Cases(__file__, f"numpy {numpy.__version__}, scipy {scipy.__version__}")


def shadows(image, amount):
    white = {"uint8": 255, "uint16": 65535, "float32": 1}[image.dtype.name]
    curve = PchipInterpolator([0, 0.2, 0.6, 1], [0, 0.2 + amount / 500, 0.6 + amount / 1000, 1])
    result = curve(numpy.clip(image / white, 0, 1)) * white
    if image.dtype == numpy.float32:
        return result.astype(numpy.float32)
    return numpy.rint(result).astype(image.dtype)


cases.add("shadows", noise(1, 9, 14), shadows(noise(1, 9, 14), 50), within=1)
colours = noise(2, 7, 5, 3)
cases.add("shadows=100", colours, shadows(colours, 100), within=1)
deep = noise(3, 8, 8, 1, "uint16")
cases.add("shadows=-100", deep, shadows(deep, -100), within=1)
light = noise(4, 6, 11, 3, "float32")
cases.add("shadows=-30", light, shadows(light, -30), within=2e-6)
one = noise(5, 1, 1)
cases.add("shadows=0", one, one, within=0)
cases.write()
