#!/usr/bin/env python3
"""Writes premultiplied.txt: pictures whose files hold colours times alpha, as EXR does. Filters that mix neighbours mix
the values as they stand there, including light where alpha is 0. Filters of single pixels see colour / alpha there, and
colours where alpha is 0 as they are. A black pixel without alpha stays one. Filters of two pictures, guides and masks
act on the values as stored: light over a picture is added to it."""

import numpy
import scipy
from scipy import ndimage

from cases import Cases, noise

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


def add(chain, expected, image=faint, within=1e-6, options="premultiplied", **more):
    cases.add(chain, image, numpy.asarray(expected).astype(numpy.float32), within, options=options, **more)


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
add("gaussian=10", each(lambda v: ndimage.gaussian_filter(v, 10, radius=60, mode="nearest")), within=3e-6)
add("median=1", each(lambda v: ndimage.median_filter(v, 3, mode="nearest")), within=0)
add("maximum=1", each(lambda v: ndimage.maximum_filter(v, 3, mode="nearest")), within=0)
add("open=1", each(lambda v: ndimage.grey_opening(v, (3, 3), mode="nearest")), within=0)
add("rotate=90", numpy.rot90(stored, -1), within=0)
add("pad=1:colour=0 0 0 0", numpy.pad(stored, ((1, 1), (1, 1), (0, 0))), within=0)
add("invert", straight(lambda v: 1 - v))
add("gamma=2,gaussian=1", numpy.stack([ndimage.gaussian_filter(v, 1, radius=3, mode="nearest")
                                       for v in numpy.moveaxis(straight(lambda v: v**0.5), -1, 0)], -1), within=3e-6)
add("matrix=0 1 0;0 0 1;1 0 0", straight(lambda v: v[..., [1, 2, 0]]))
add("matrix=2 0 0 0.25;0 2 0 0.25;0 0 2 0.25,box=3", ndimage.uniform_filter(straight(lambda v: 2 * v + 0.25), (3, 3, 0), mode="nearest"), within=3e-6)

# Where alpha was 0 it is 0 again, behind a border that is opaque, too: light there stays light.
framed = numpy.pad(stored, ((1, 1), (1, 1), (0, 0)), constant_values=0.2)
framed[..., 3] = numpy.pad(stored[..., 3], 1, constant_values=1)
middle = numpy.median(numpy.lib.stride_tricks.sliding_window_view(framed, (3, 3), (0, 1)), (-2, -1))
given, stored = stored, middle
add("median,invert", straight(lambda v: 1 - v), border="constant=0.2")
stored = given

# Alpha of the picture stays, and with it how much of a surface each pixel shows.
blurred = each(lambda v: ndimage.gaussian_filter(v, 1, radius=3, mode="nearest"))
some, lit = stored[..., 3:] > 0, (stored[..., :3] != 0).any(-1, keepdims=True)
scaled = numpy.where(some, blurred * stored[..., 3:] / numpy.where(blurred[..., 3:] > 0, blurred[..., 3:], 1),
                     numpy.where(lit, blurred, 0))
add("unsharp=2:1", of_alpha(stored + 2 * (stored - scaled)), within=3e-6)
part = of_alpha(stored)
part[1:4, 1:5] = of_alpha(scaled)[1:4, 1:5]
add("gaussian=1:within=4x3+1+1", part)

second = random.random((5, 6, 4)).astype(numpy.float32)
second[..., :3] *= second[..., 3:]
second[1, 1:3] = second[3, 3] = [4, 2, 1, 0]
second[2, 2:4] = second[3, 1] = 0
other = second.astype(float)
add("difference=second.png", of_alpha(abs(stored - other)), second=second)


def guided(image, guide, radius, epsilon):
    """K. He et al., Guided Image Filtering, 2010, equations 5, 6 and 8."""
    p, i = (numpy.pad(v, ((2 * radius,) * 2, (2 * radius,) * 2, (0, 0)), "edge") for v in (image, guide))
    mean = lambda v: ndimage.uniform_filter(v, (2 * radius + 1, 2 * radius + 1, 0))
    a = (mean(i * p) - mean(i) * mean(p)) / (mean(i * i) - mean(i) ** 2 + epsilon)
    all = mean(a) * i + mean(mean(p) - a * mean(i))
    return all[2 * radius : -2 * radius, 2 * radius : -2 * radius]


add("guided=1:edge=0.3:guide=second.png", guided(stored, other, 1, 0.3**2), second=second, within=1e-5)
MODES = {
    "normal": lambda b, s: s, "multiply": lambda b, s: b * s, "screen": lambda b, s: b + s - b * s,
    "add": lambda b, s: b + s,
}


def over(mode, opacity):
    """W3C Compositing and Blending Level 1, 5.1, of colours times alpha; to light nothing is behind or in front."""
    b, s, ab, shown = stored[..., :3], other[..., :3], stored[..., 3:], other[..., 3:]
    mixed = MODES[mode](b / numpy.where(ab > 0, ab, 1), s / numpy.where(shown > 0, shown, 1))
    colours = opacity * numpy.where(shown > 0, 1 - ab, 1) * s + opacity * shown * ab * mixed + (1 - opacity * shown) * b
    return numpy.concatenate([colours, ab + opacity * shown * (1 - ab)], -1)


for mode in MODES:
    add(f"blend=second.png:{mode}", over(mode, 1), second=second)
    add(f"blend=second.png:{mode}:30", over(mode, 0.3), second=second)
mask = noise(3, 5, 6)
add("blend=second.png:mask=third.png", over("normal", mask[..., None] / 255), second=second, third=mask)


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
