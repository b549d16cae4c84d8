"""Writes small files of image formats, and the pixels that others decode them to, for tests/unit/test_formats.c.

    samples = Samples("tiff", "tifffile " + tifffile.__version__)
    samples.add("tiff-gray.tif", data, expected, within=0)
    samples.write()

`expected` is a numpy array of uint8, uint16 or float32, (height, width) or (height, width, channels). A file of several
pictures has a list of them. `within` is the largest absolute difference allowed. `premultiplied` says that the values
are colours times alpha. `part` is all that is compared of a large picture: left, top, width and height.
"""

import pathlib

import numpy

TYPES = {"uint8": "u8", "uint16": "u16", "float32": "f32"}
FOLDER = pathlib.Path(__file__).parent


def spelled(value):
    return f"{float(value):.9g}" if isinstance(value, numpy.floating) else str(int(value))


def picture(seed=1, height=13, width=19, channels=3, kind="uint8", white=None):
    """Waves and a little noise: it can be packed, but not to nothing."""
    random = numpy.random.default_rng(seed)
    y, x, c = numpy.mgrid[0:height, 0:width, 0:channels]
    values = 0.5 + 0.35 * numpy.sin(x / 5 + c) * numpy.cos(y / 4 - c) + 0.1 * random.random((height, width, channels))
    if white is None:
        white = 1 if numpy.dtype(kind).kind == "f" else numpy.iinfo(kind).max
    values = (values * white).astype(kind)
    return values[..., 0] if channels == 1 else values


class Samples:
    def __init__(self, name, provenance, script=None):
        self.file = FOLDER / (name + ".txt")
        self.lines = [f"# Made by tests/formats/{script or name}.py with {provenance}."]

    def add(self, name, data, expected, within=0, premultiplied=False, part=None):
        (FOLDER / name).write_bytes(data)
        expected = expected if isinstance(expected, list) else [expected]
        self.lines += ["", f"sample {name} within {within:g}" + (" premultiplied" if premultiplied else "")]
        for image in expected:
            image = numpy.atleast_3d(image)
            height, width, channels = image.shape
            self.lines.append(f"picture {width}x{height} {TYPES[str(image.dtype)]}x{channels}")
            if part:
                x, y, width, height = part
                self.lines[-1] += f" part {width}x{height}+{x}+{y}"
                image = image[y:y + height, x:x + width]
            self.lines += [" ".join(spelled(value) for value in row.ravel()) for row in image]

    def write(self):
        self.file.write_text("\n".join(self.lines) + "\n")
