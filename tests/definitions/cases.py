"""Writes small cases of filters with results that others computed, for tests/unit/test_definitions.c.

    cases = Cases(__file__, "scipy " + scipy.__version__)
    cases.add("median=1", image, scipy.ndimage.median_filter(image, 3, mode="nearest"), within=0)
    cases.write()

Images are numpy arrays of uint8, uint16 or float32, (height, width) or (height, width, channels). `within` is the
largest absolute difference allowed. The second image of a chain is named second.png there, the third third.png.
"""

import pathlib

import numpy

TYPES = {"uint8": "u8", "uint16": "u16", "float32": "f32"}


def text(image):
    image = numpy.atleast_3d(image)
    height, width, channels = image.shape
    kind = TYPES[str(image.dtype)]
    rows = "\n".join(" ".join(spelled(value) for value in row.ravel()) for row in image)
    return f"{width}x{height} {kind}x{channels}", rows


def spelled(value):
    return f"{float(value):.9g}" if isinstance(value, numpy.floating) else str(int(value))


def noise(seed, height, width, channels=1, kind="uint8"):
    """Random values over the type's whole range; of float32, from 0 to 1."""
    random = numpy.random.default_rng(seed)
    shape = (height, width) if channels == 1 else (height, width, channels)
    if kind == "float32":
        return random.random(shape, dtype=numpy.float32)
    return random.integers(0, numpy.iinfo(kind).max + 1, shape).astype(kind)


class Cases:
    def __init__(self, script, provenance):
        self.file = pathlib.Path(script).with_suffix(".txt")
        self.lines = [f"# Made by tests/definitions/{pathlib.Path(script).name} with {provenance}."]

    def add(self, chain, image, expected, within, border=None, options="", second=None, third=None):
        """`options`: of "linear", "alpha=ignore", "premultiplied" and "high"."""
        self.lines += ["", f"case {chain}"]
        if border:
            self.lines.append(f"border {border}")
        if options:
            self.lines.append(f"options {options}")
        for picture in (image, second, third):
            if picture is not None:
                self.lines += ["in {}\n{}".format(*text(picture))]
        shape, rows = text(expected)
        self.lines += [f"out {shape} within {within:g}\n{rows}"]

    def write(self):
        self.file.write_text("\n".join(self.lines) + "\n")
