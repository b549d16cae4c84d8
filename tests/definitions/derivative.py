"""Sobel, Scharr, Prewitt and Roberts: masks by scipy.ndimage and OpenCV; root, direction and alpha in numpy."""

import cv2
import numpy
import scipy
from cases import Cases, noise
from scipy import ndimage

MODES = {"clamp": "nearest", "mirror": "mirror", "wrap": "wrap", "zero": "constant"}
cases = Cases(__file__, f"scipy {scipy.__version__}, OpenCV {cv2.__version__} and numpy {numpy.__version__}")


def stored(values, kind):
    if kind == numpy.float32:
        return values.astype(numpy.float32)
    return numpy.clip(numpy.rint(values), 0, numpy.iinfo(kind).max).astype(kind)


def each(function, image, axis, mode):
    image = image.astype(float)
    if image.ndim == 2:
        return function(image, axis, mode=mode)
    return numpy.dstack([function(image[..., c], axis, mode=mode) for c in range(image.shape[2])])


def slopes(function, image, border="clamp"):
    return each(function, image, 1, MODES[border]), each(function, image, 0, MODES[border])


def turn(x, y, white):
    return white * (numpy.arctan2(y, x) / (2 * numpy.pi) % 1)


for kind, channels, border in (("uint8", 1, "clamp"), ("uint16", 3, "mirror"), ("float32", 1, "wrap"), ("uint8", 3, "zero")):
    image = noise(1, 5, 7, channels, kind)
    within = 4e-6 if kind == "float32" else 0
    x, y = slopes(ndimage.sobel, image, border)
    cases.add("sobel", image, stored(numpy.hypot(x, y), image.dtype), within, border)
    x, y = slopes(ndimage.prewitt, image, border)
    cases.add("prewitt=0.5", image, stored(numpy.hypot(x, y) / 2, image.dtype), within, border)

image = noise(2, 5, 7)
for output, order in (("x", (1, 0)), ("y", (0, 1))):
    slope = cv2.Scharr(image, cv2.CV_64F, *order, borderType=cv2.BORDER_REFLECT_101)
    cases.add(f"scharr=scale=0.125:output={output}", image, stored(slope / 8 + 128, image.dtype), 0, "mirror")
    real = image.astype(numpy.float32)
    slope = cv2.Scharr(real, cv2.CV_32F, *order, borderType=cv2.BORDER_REFLECT_101)
    cases.add(f"scharr=output={output}", real, slope, 1e-3, "mirror")
sixteen = noise(3, 5, 7, 1, "uint16")
slope = cv2.Scharr(sixteen, cv2.CV_64F, 1, 0, borderType=cv2.BORDER_REPLICATE)
cases.add("scharr=scale=0.0625:output=x", sixteen, stored(slope / 16 + 32768, sixteen.dtype), 0)

for kind in ("uint8", "uint16"):
    image = noise(4, 5, 7, 1, kind)
    white = numpy.iinfo(kind).max
    cases.add("sobel=output=direction", image, stored(turn(*slopes(ndimage.sobel, image), white), image.dtype), 0)

image = noise(5, 5, 7)
beyond = numpy.pad(image.astype(float), 1, mode="edge")
x, y = beyond[2:, 2:] - beyond[1:-1, 1:-1], beyond[2:, 1:-1] - beyond[1:-1, 2:]
cases.add("roberts", image, stored(numpy.hypot(x, y), image.dtype), 0)
cases.add("roberts=output=x", image, stored(x + 128, image.dtype), 0)
cases.add("roberts=output=y", image, stored(y + 128, image.dtype), 0)
cases.add("roberts=output=direction", image, stored(turn(x, y, 255), image.dtype), 0)  # from the lower right

# Colours times alpha, divided by the pixel's own; a pixel without alpha has no colour.
image = noise(6, 5, 7, 4)
image[1, 2, 3] = 0
alpha = image[..., 3:].astype(float)
x, y = slopes(ndimage.sobel, image[..., :3] * alpha)
steep = numpy.divide(numpy.hypot(x, y), alpha, out=numpy.zeros_like(x), where=alpha > 0)
cases.add("sobel=0.25", image, stored(numpy.dstack([steep / 4, alpha]), image.dtype), 0)
x, y = slopes(ndimage.sobel, image)
cases.add("sobel", image, stored(numpy.hypot(x, y), image.dtype), 0, options="alpha=ignore")

# NaN where a mask has a weight, infinity as sums have it.
image = noise(7, 5, 7, 1, "float32")
image[1, 1] = numpy.nan
image[3, 5] = numpy.inf
beyond = numpy.pad(image.astype(float), 1, mode="edge")
x, y = (numpy.zeros(image.shape) for _ in range(2))
with numpy.errstate(invalid="ignore"):
    for j in range(3):
        for i in range(3):
            part = beyond[j : j + 5, i : i + 7]
            for total, weight in ((x, (i - 1) * (2 - abs(j - 1))), (y, (j - 1) * (2 - abs(i - 1)))):
                if weight != 0:
                    total += weight * part
    steep = numpy.sqrt(x * x + y * y)
    steep[numpy.isnan(x) | numpy.isnan(y)] = numpy.nan
cases.add("sobel", image, stored(steep, image.dtype), 4e-6)
cases.add("sobel=output=x", image, stored(x, image.dtype), 4e-6)
cases.write()
