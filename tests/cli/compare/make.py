"""Writes the pictures next to it, the figures of scikit-image, numpy and NVIDIA's flip-evaluator 1.7 for each pair
(figures.json), and matplotlib's heat maps, for tests/cli/test_compare.sh."""

import json
import pathlib

import flip_evaluator
import matplotlib
import numpy
from skimage.metrics import peak_signal_noise_ratio, structural_similarity

here = pathlib.Path(__file__).parent
random = numpy.random.default_rng(15)


def write(name, image):
    """Netpbm as text."""
    colours = image.ndim == 3
    white = numpy.iinfo(image.dtype).max
    rows = "\n".join(" ".join(str(value) for value in row.ravel()) for row in image)
    path = here / f"{name}.{'ppm' if colours else 'pgm'}"
    path.write_text(f"{'P3' if colours else 'P2'}\n{image.shape[1]} {image.shape[0]}\n{white}\n{rows}\n")
    return path.name


def smooth(height, width, channels, white):
    y, x, c = numpy.mgrid[0:height, 0:width, 0:channels]
    return (0.5 + 0.3 * numpy.sin(x / 3 + c) + 0.15 * numpy.cos(y / 2 - c)) * white


def disturbed(image, spread, white):
    return numpy.clip(image + random.normal(0, spread * white, image.shape), 0, white)


def flip(a, b, white, kind="LDR", **parameters):
    """FLIP's map and its figures."""
    colours = [numpy.dstack([p] * 3) if p.ndim == 2 else p for p in (a, b)]
    p, q = (numpy.ascontiguousarray(p / white, numpy.float32) for p in colours)
    errors = flip_evaluator.evaluate(p, q, kind, applyMagma=False, parameters=parameters)[0][..., 0]
    return errors, {
        "flip": float(errors.mean(dtype=float)),
        "flip_median": float(numpy.median(errors)),
        "flip_p95": float(numpy.percentile(errors, 95)),
        "flip_max": float(errors.max()),
    }


def figures(name, a, b):
    """The figures of two pictures as they are stored."""
    colours = a.ndim == 3
    white = 1 if a.dtype == numpy.float32 else numpy.iinfo(a.dtype).max
    p, q = a.astype(float), b.astype(float)
    away = numpy.abs(p - q)
    pixels = away.max(axis=2) if colours else away
    y, x = numpy.unravel_index(pixels.argmax(), pixels.shape)
    return {
        "name": name,
        "psnr": float(peak_signal_noise_ratio(p, q, data_range=white)),
        "ssim": float(structural_similarity(p, q, data_range=white, channel_axis=2 if colours else None)),
        "ncc": float(numpy.corrcoef(p.ravel(), q.ravel())[0, 1]),
        "max": float(away.max()),
        "mean": float(away.mean()),
        "differing": float(100 * (pixels > 0).mean()),
        "at": [int(x), int(y)],
    } | flip(a, b, white, "HDR" if white == 1 else "LDR")[1]


def inferno(share):
    return numpy.rint(255 * matplotlib.colormaps["inferno"](numpy.minimum(share, 1))[..., :3]).astype(numpy.uint8)


def heat(a, b, stops):
    share = numpy.abs(a.astype(float) - b).max(axis=2) * 2.0**stops / 255
    return inferno(share)


cases = []
for name, height, width, channels, kind, spread in (
    ("gray", 11, 17, 1, "uint8", 0.03),
    ("colours", 13, 20, 3, "uint8", 0.08),
    ("wide", 9, 14, 3, "uint16", 0.002),
):
    white = numpy.iinfo(kind).max
    a = smooth(height, width, channels, white)
    b = disturbed(a, spread, white)
    a, b = (numpy.rint(image).astype(kind).squeeze() for image in (a, b))
    cases.append({"a": write(f"{name}-a", a), "b": write(f"{name}-b", b)} | figures(name, a, b))
    if name == "colours":
        write("colours-heat", heat(a, b, 0))
        write("colours-heat-2", heat(a, b, 2))
        write("colours-flip", inferno(flip(a, b, white, ppd=20)[0]))
        narrow = a

# Light of more than a screen's range, which FLIP looks at by several exposures.
a = numpy.exp(smooth(12, 70, 3, 9.0) - 5).astype(numpy.float32)
b = (a * numpy.exp(numpy.random.default_rng(46).normal(0, 0.2, a.shape))).astype(numpy.float32)
for name, image in (("light-a", a), ("light-b", b)):
    (here / f"{name}.pfm").write_bytes(b"PF\n%d %d\n-1\n" % (70, 12) + image[::-1].astype("<f4").tobytes())
cases.append({"a": "light-a.pfm", "b": "light-b.pfm"} | figures("light", a, b))

# Bytes against 16 bits: the former times 257.
b = numpy.rint(disturbed(narrow * 257.0, 0.01, 65535)).astype(numpy.uint16)
cases.append({"a": "colours-a.ppm", "b": write("mixed-b", b)} | figures("mixed", narrow.astype(numpy.uint16) * 257, b))
(here / "figures.json").write_text("".join(json.dumps(case) + "\n" for case in cases))
