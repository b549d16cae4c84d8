#!/usr/bin/env python3
"""Writes precision.txt: chains whose values are floats between filters. scipy computes them in float64, and the result
alone is rounded and cut off."""

import numpy
import scipy
from scipy import ndimage

from cases import Cases, noise

cases = Cases(__file__, "scipy " + scipy.__version__)


def add(chain, image, steps, **more):
    """Each step takes one channel of values, where 1 is white. Floats of 24 bits decide ties of 16 bits."""
    white = numpy.iinfo(image.dtype).max
    values = image / white
    for step in steps:
        values = numpy.stack([step(values[..., c]) for c in range(values.shape[-1])], -1)
    cases.add(chain, image, numpy.clip(numpy.rint(white * values), 0, white).astype(image.dtype), int(white > 255), options="high", **more)


def power(exponent):
    return lambda v: numpy.copysign(numpy.abs(v) ** exponent, v)


def masked(mask):
    return lambda v: ndimage.correlate(v, numpy.array(mask, float), mode="nearest")


def gaussian(v):
    return ndimage.gaussian_filter(v, 1, radius=3, mode="nearest")


def median(v):
    return ndimage.median_filter(v, 3, mode="nearest")


ramp = numpy.arange(256, dtype=numpy.uint8).reshape(8, 32, 1)
bytes, words = noise(1, 5, 6, 3), noise(2, 6, 5, 3, "uint16")
sharpen = masked([[0, -1, 0], [-1, 5, -1], [0, -1, 0]])
add("gamma=0.25,gamma=4", ramp, [power(4), power(0.25)])
add("brightness=50,brightness=-50", ramp, [])
for image in (bytes, words):
    add("gaussian=1,sharpen", image, [gaussian, sharpen])
    add("sharpen,sharpen,box=3", image, [sharpen, sharpen, masked(numpy.full((3, 3), 1 / 9))])
    add("median=1,gaussian=1,median=1,gamma=2", image, [median, gaussian, median, power(0.5)])
    add("invert,gaussian=1,gamma=0.5,invert", image, [lambda v: 1 - v, gaussian, power(2), lambda v: 1 - v])
cases.write()
