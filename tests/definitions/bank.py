"""Filter banks by their definitions in numpy, and their answers by scipy."""

import numpy
import scipy
from cases import Cases, noise
from scipy import ndimage

cases = Cases(__file__, f"scipy.ndimage {scipy.__version__}")
MODES = {"clamp": "nearest", "mirror": "mirror", "wrap": "wrap", "zero": "constant"}


def grid(side, angle):
    """Coordinates of the pixels' middles, y upwards, turned: along the angle and across it."""
    half = side // 2
    y, x = numpy.mgrid[half:-half - 1:-1, -half:half + 1].astype(float)
    c, s = numpy.cos(angle), numpy.sin(angle)
    return c * x + s * y, c * y - s * x


def normal(mask):
    mask = mask - mask.mean()
    return mask / numpy.abs(mask).sum()


def gauss(x, sigma):
    return numpy.exp(-(x / sigma) ** 2 / 2)


def gabor(orientations, wavelength, side):
    sigma = 0.56 * wavelength
    for phase in (0, numpy.pi / 2):
        for i in range(orientations):
            u, v = grid(side, i * numpy.pi / orientations)
            yield normal(gauss(u, sigma) * gauss(v, 2 * sigma) * numpy.cos(2 * numpy.pi * u / wavelength - phase))


def leung_malik(side):
    scales = [2 ** (k / 2) for k in range(1, 5)]
    for derivative in (lambda v, s: -v / s ** 2, lambda v, s: v ** 2 / s ** 4 - 1 / s ** 2):
        for sigma in scales[:3]:
            for i in range(6):
                u, v = grid(side, i * numpy.pi / 6)
                yield normal(gauss(u, 3 * sigma) * derivative(v, sigma) * gauss(v, sigma))
    u, v = grid(side, 0)
    square = u ** 2 + v ** 2
    for factor in (1, 3):
        for sigma in (factor * scale for scale in scales):
            yield normal((square / sigma ** 2 - 2) * numpy.exp(-square / (2 * sigma ** 2)))
    for sigma in scales:
        yield normal(numpy.exp(-square / (2 * sigma ** 2)))


def sheet(image, masks, across, step, gain, border):
    white = {"uint8": 255, "uint16": 65535, "float32": 1}[str(image.dtype)]
    luma = image.astype(float)
    if luma.ndim == 3:
        seen = luma[..., 3:] / white if luma.shape[2] == 4 else 1
        luma = (luma[..., :3] * seen) @ (0.2126, 0.7152, 0.0722)
    tiles = [ndimage.correlate(luma, mask, mode=MODES[border])[::step, ::step] * gain + white / 2 for mask in masks]
    tiles += [numpy.full_like(tiles[0], white / 2)] * (-len(tiles) % across)
    rows = [numpy.hstack(tiles[i:i + across]) for i in range(0, len(tiles), across)]
    values = numpy.vstack(rows)
    return values.astype(image.dtype) if white == 1 else numpy.clip(numpy.rint(values), 0, white).astype(image.dtype)


for chain, masks, across, step, gain, kind, channels, border in (
        ("bank=gain=2:step=1:side=5:orientations=3:wavelength=4", gabor(3, 4, 5), 3, 1, 2, "uint8", 1, "clamp"),
        ("bank=gain=4:side=7:orientations=2:wavelength=8", gabor(2, 8, 7), 2, 2, 4, "float32", 3, "mirror"),
        ("bank=leung-malik:gain=4:step=3:side=9", leung_malik(9), 6, 3, 4, "float32", 1, "wrap"),
        ("bank=leung-malik:gain=4:step=4:side=5", leung_malik(5), 6, 4, 4, "uint8", 4, "zero")):
    image = noise(11, 7, 9, channels, kind)
    cases.add(chain, image, sheet(image, list(masks), across, step, gain, border), 4e-6 if kind == "float32" else 1,
              border)
cases.write()
