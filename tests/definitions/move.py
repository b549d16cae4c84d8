"""Cases of crop, pad, flip and quarter turns, by numpy."""

import numpy

from cases import Cases, noise

MODES = {"clamp": "edge", "mirror": "reflect", "wrap": "wrap"}
cases = Cases(__file__, "numpy " + numpy.__version__)

image = noise(1, 5, 7, 3)
cases.add("crop=4:2:x=1:y=3", image, image[3:5, 1:5], 0)
cases.add("crop=3:3", image, image[1:4, 2:5], 0)
cases.add("crop=x=2", image, image[:, 2:], 0)
for border, mode in MODES.items():
    around = ((2, 9), (3, 1), (0, 0))
    cases.add("pad=top=2:bottom=9:left=3:right=1", image, numpy.pad(image, around, mode=mode), 0, border)
cases.add("pad=1", image, numpy.pad(image, ((1, 1), (1, 1), (0, 0)), constant_values=40), 0, "constant=40")
cases.add("pad=1:colour=7", image, numpy.pad(image, ((1, 1), (1, 1), (0, 0)), constant_values=7), 0)
coloured = numpy.full((7, 9, 3), (10, 20, 30), numpy.uint8)
coloured[1:6, 1:8] = image
cases.add("pad=1:colour=10 20 30", image, coloured, 0)
image = noise(2, 4, 3, 4, "uint16")
opaque = numpy.full((6, 5, 4), (9, 9, 9, 65535), numpy.uint16)
opaque[1:5, 1:4] = image
cases.add("pad=1:colour=9", image, opaque, 0)
image = noise(3, 3, 4, 1, "float32")
image[1, 2], image[0, 0] = numpy.nan, -numpy.inf
cases.add("flip", image, numpy.fliplr(image), 0)
cases.add("flip=vertical", image, numpy.flipud(image), 0)
cases.add("flip=both", image, image[::-1, ::-1], 0)
cases.write()
