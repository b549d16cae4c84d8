#!/usr/bin/env python3
"""Writes premultiplied.txt: pictures whose files hold colours times alpha, as EXR does. Filters that mix neighbours mix
the values as they stand there, light where alpha is 0 with them; those of single pixels see colour / alpha there, and
colours where alpha is 0 as they are. A black pixel without alpha stays one."""

import numpy
import scipy
from scipy import ndimage

from cases import Cases

cases = Cases(__file__, "scipy " + scipy.__version__)
random = numpy.random.default_rng(7)
picture = random.random((5, 6, 4)).astype(numpy.float32)
picture[..., :3] *= picture[..., 3:]
picture[0:2, 0:4] = 0
picture[3, 2] = [5, 3, 1, 0]
picture[2, 4] = [2, 2, 2, 1]
picture[4, 5] = [1e30, 0, 0, 1e-30]
faint = picture.copy()
faint[4, 5] = [0.5, 0.25, 0.125, 0.25]
stored = faint.astype(float)


def add(chain, expected, image=faint, within=1e-6, options="premultiplied"):
    cases.add(chain, image, numpy.asarray(expected).astype(numpy.float32), within, options=options)


def each(function):
    return numpy.stack([function(stored[..., c]) for c in range(4)], -1)


def of_alpha(colours):
    """Alpha stays."""
    return numpy.concatenate([colours[..., :3], stored[..., 3:]], -1)


def straight(function):
    alpha = stored[..., 3:]
    some, lit = alpha != 0, (stored[..., :3] != 0).any(-1, keepdims=True)
    colours = function(numpy.where(some, stored[..., :3] / numpy.where(some, alpha, 1), stored[..., :3]))
    return of_alpha(numpy.where(some, colours * alpha, numpy.where(lit, colours, 0)))


def masked(mask):
    return each(lambda v: ndimage.correlate(v, numpy.array(mask, float), mode="nearest"))


add("flip", picture[:, ::-1], image=picture, within=0)
add("box=3", each(lambda v: ndimage.uniform_filter(v, 3, mode="nearest")))
add("gaussian=1", each(lambda v: ndimage.gaussian_filter(v, 1, radius=3, mode="nearest")))
add("gaussian=1", each(lambda v: ndimage.gaussian_filter(v, 1, radius=3, mode="nearest")), options="premultiplied alpha=ignore")
add("sharpen", masked([[0, -1, 0], [-1, 5, -1], [0, -1, 0]]))
add("convolve=0 -1 0 -1 4 -1 0 -1 0", of_alpha(masked([[0, -1, 0], [-1, 4, -1], [0, -1, 0]])))
add("sobel=output=x", of_alpha(each(lambda v: ndimage.sobel(v, 1, mode="nearest"))), within=1e-5)
add("sobel", of_alpha(each(lambda v: numpy.hypot(ndimage.sobel(v, 1, mode="nearest"), ndimage.sobel(v, 0, mode="nearest")))), within=1e-5)
add("resize=width=2:height=5:by=box", stored.reshape(5, 2, 3, 4).mean(2))
add("invert", straight(lambda v: 1 - v))
add("matrix=0 1 0;0 0 1;1 0 0", straight(lambda v: v[..., [1, 2, 0]]))
add("matrix=2 0 0 0.25;0 2 0 0.25;0 0 2 0.25,box=3", ndimage.uniform_filter(straight(lambda v: 2 * v + 0.25), (3, 3, 0), mode="nearest"), within=3e-6)


def decode(v):
    a = numpy.abs(v)
    return numpy.copysign(numpy.where(a <= 0.04045, a / 12.92, ((a + 0.055) / 1.055) ** 2.4), v)


def encode(v):
    a = numpy.abs(v)
    return numpy.copysign(numpy.where(a <= 0.0031308, a * 12.92, 1.055 * a ** (1 / 2.4) - 0.055), v)


light = straight(decode)
mixed = ndimage.uniform_filter(light, (3, 3, 0), mode="nearest")
stored = numpy.where(numpy.abs(mixed) < 1e-12, 0, mixed)
add("box=3", straight(encode), within=1e-5, options="premultiplied linear")
cases.write()
