"""Samples of RAW: DNG files put together here from mosaics, and as rawpy develops them."""

import io
import math
import struct
import warnings

import imagecodecs
import numpy
import PIL
import rawpy
import simplejpeg
from PIL import Image

from samples import FOLDER, Samples, picture

DEVELOPER = f"rawpy {rawpy.__version__} (LibRaw {'.'.join(map(str, rawpy.libraw_version))})"
samples = Samples("raw", DEVELOPER)
BYTE, ASCII, SHORT, LONG, RATIONAL, SRATIONAL = 1, 2, 3, 4, 5, 10
SIZES = {BYTE: "B", ASCII: "B", SHORT: "H", LONG: "L", RATIONAL: "LL", SRATIONAL: "ll"}
# From XYZ to a camera of BT.709's colours: linear sRGB but for white balance (IEC 61966-2-1).
MATRIX = [[3.2406, -1.5372, -0.4986], [-0.9689, 1.8758, 0.0415], [0.0557, -0.2040, 1.0570]]


def fractions(values):
    return [number for value in values for number in (round(value * 10000), 10000)]


class Tiff:
    """Directories, one behind the other, each with the data of its strip. Pointers to others are filled in."""

    def __init__(self, order="<"):
        self.order, self.bytes = order, bytearray((b"II*\0" if order == "<" else b"MM\0*") + bytes(4))

    def add(self, entries, data=b""):
        """Appends a directory; returns where it is. Entries are (tag, type, values)."""
        if data:
            entries = entries + [(273, LONG, [len(self.bytes)]), (279, LONG, [len(data)])]
            self.bytes += data + bytes(len(data) % 2)
        entries = sorted(entries)
        at, beside = len(self.bytes), bytearray()
        after = at + 2 + 12 * len(entries) + 4
        directory = struct.pack(self.order + "H", len(entries))
        for tag, kind, values in entries:
            values = list(values.encode() + b"\0") if isinstance(values, str) else list(values)
            packed = struct.pack(self.order + (SIZES[kind][0] * len(values)), *values)
            count = len(values) // len(SIZES[kind])
            directory += struct.pack(self.order + "HHL", tag, kind, count)
            if len(packed) > 4:
                directory += struct.pack(self.order + "L", after + len(beside))
                beside += packed + bytes(len(packed) % 2)
            else:
                directory += packed.ljust(4, b"\0")
        self.bytes += directory + bytes(4) + beside
        return at

    def file(self, first):
        self.bytes[4:8] = struct.pack(self.order + "L", first)
        return bytes(self.bytes)


def camera(neutral=(0.5, 1, 0.6), orientation=1):
    return [(271, ASCII, "Glint"), (272, ASCII, "Synthetic 1"), (274, SHORT, [orientation]), (50706, BYTE, [1, 4, 0, 0]),
            (50708, ASCII, "Glint Synthetic 1"), (50721, SRATIONAL, fractions(sum(MATRIX, []))),
            (50728, RATIONAL, fractions(neutral)), (50778, SHORT, [21])]


def sensor(values, bits, compression=1):
    height, width = values.shape[:2]
    channels = 1 if values.ndim == 2 else values.shape[2]
    return [(254, LONG, [0]), (256, LONG, [width]), (257, LONG, [height]), (258, SHORT, [bits] * channels),
            (259, SHORT, [compression]), (277, SHORT, [channels]), (278, LONG, [height]), (284, SHORT, [1])]


# Fujifilm's filters of six by six.
XTRANS = "GBGGRG" "RGRBGB" "GBGGRG" "GRGGBG" "BGBRGR" "GRGGBG"


def filters(pattern):
    side = math.isqrt(len(pattern))
    return [(262, SHORT, [32803]), (33421, SHORT, [side, side]), (33422, BYTE, ["RGB".index(c) for c in pattern])]


def mosaic(light, pattern, neutral=(0.5, 1, 0.6)):
    """The values of a sensor behind these filters, of a linear picture from 0 to 1."""
    height, width = light.shape[:2]
    side = math.isqrt(len(pattern))
    y, x = numpy.mgrid[0:height, 0:width]
    channel = numpy.array(["RGB".index(c) for c in pattern]).reshape(side, side)[y % side, x % side]
    return numpy.take_along_axis(light * neutral, channel[..., None], 2)[..., 0]


def stored(seen, white, black=0):
    return numpy.rint(black + seen * (white - black)).astype(numpy.uint16)


def developed(data, **ways):
    with warnings.catch_warnings(), rawpy.imread(io.BytesIO(data)) as raw:
        settings = dict(use_camera_wb=True, no_auto_bright=True, output_bps=16, gamma=(2.4, 12.92),
                        demosaic_algorithm=rawpy.DemosaicAlgorithm.DHT, user_flip=None)
        return raw.postprocess(**{**settings, **ways})


def add(name, data, within=2):
    samples.add(f"raw-{name}.dng", data, developed(data), within)


def linear(seed, height=24, width=32):
    return picture(seed, height, width, 3, "float32").astype(float) ** 2.2


def swapped(values, order):
    return values.astype(order + "u2").tobytes()


for seed, pattern in enumerate(("RGGB", "BGGR", "GRBG", "GBRG")):
    values = stored(mosaic(linear(seed), pattern), 16383, 512)
    tiff = Tiff()
    data = tiff.file(tiff.add(sensor(values, 16) + filters(pattern) + camera() + [
        (50714, SHORT, [512]), (50717, SHORT, [16383])], swapped(values, "<")))
    add(pattern.lower(), data)

values = stored(mosaic(linear(5), "RGGB"), 4095)
tiff = Tiff(">")
add("big-endian", tiff.file(tiff.add(sensor(values, 16) + filters("RGGB") + camera(orientation=6) + [
    (50717, SHORT, [4095])], swapped(values, ">"))))

# As cameras write it: a preview in the first directory, the sensor's values below, packed by lossless JPEG.
values = stored(mosaic(linear(6), "RGGB"), 4095)
small = simplejpeg.encode_jpeg(numpy.ascontiguousarray(picture(6, 16, 24)), quality=90, colorsubsampling="444")
tiff = Tiff()
below = tiff.add(sensor(values, 16, 7) + filters("RGGB") + [(50717, SHORT, [4095])],
                 imagecodecs.ljpeg_encode(values, bitspersample=12))
exif = tiff.add([(33434, RATIONAL, [1, 250]), (34855, SHORT, [400]), (37386, RATIONAL, [50, 1])])
data = tiff.file(tiff.add([(254, LONG, [1]), (256, LONG, [24]), (257, LONG, [16]), (258, SHORT, [8] * 3), (259, SHORT, [7]),
                           (262, SHORT, [6]), (277, SHORT, [3]), (278, LONG, [16]), (284, SHORT, [1]),
                           (330, LONG, [below]), (34665, LONG, [exif])] + camera(orientation=8), small))
add("below", data)

values = numpy.rint(linear(7) * numpy.array((0.5, 1, 0.6)) * 65535).astype(numpy.uint16)
tiff = Tiff()
add("linear", tiff.file(tiff.add(sensor(values, 16) + [(262, SHORT, [34892])] + camera() + [
    (50717, LONG, [65535] * 3)], swapped(values, "<"))))

# With a preview of half the size, of one colour, which nobody takes for the developed picture.
values = stored(mosaic(linear(8), "RGGB"), 4095)
half = simplejpeg.encode_jpeg(numpy.full((12, 16, 3), (200, 100, 50), numpy.uint8), quality=95, colorsubsampling="444")
tiff = Tiff()
below = tiff.add(sensor(values, 16) + filters("RGGB") + [(50717, SHORT, [4095])], swapped(values, "<"))
add("stands", tiff.file(tiff.add([(254, LONG, [1]), (256, LONG, [16]), (257, LONG, [12]), (258, SHORT, [8] * 3),
                                  (259, SHORT, [7]), (262, SHORT, [6]), (277, SHORT, [3]), (278, LONG, [12]),
                                  (284, SHORT, [1]), (330, LONG, [below])] + camera(), half)))

# LibRaw's interpolation for these filters wants 512 pixels a side: there is one tile, eleven by eleven times.
values = stored(mosaic(linear(10, 48, 48), XTRANS), 4095)
tiff = Tiff()
tile = len(tiff.bytes)
tiff.bytes += imagecodecs.ljpeg_encode(values, bitspersample=12)
size = len(tiff.bytes) - tile
tiff.bytes += bytes(size % 2)
sides = [(256, LONG, [528]), (257, LONG, [528]), (322, LONG, [48]), (323, LONG, [48]), (324, LONG, [tile] * 121),
         (325, LONG, [size] * 121)]
xtrans = tiff.file(tiff.add([entry for entry in sensor(values, 16, 7) if entry[0] not in (256, 257, 278)] + sides +
                            filters(XTRANS) + camera() + [(50717, SHORT, [4095])]))
MIDDLES = {"quality": (240, 256, 24, 12), "half": (120, 128, 24, 12)}

values = stored(mosaic(linear(11, 24, 30), XTRANS), 16383)
tiff = Tiff()
data = tiff.file(tiff.add(sensor(values, 16) + filters(XTRANS) + camera() + [(50717, SHORT, [16383])],
                          swapped(values, "<")))
samples.add("raw-xtrans-small.dng", data, developed(data, demosaic_algorithm=rawpy.DemosaicAlgorithm.VNG), 2)

samples.write()

# One again, by each word of --raw; and one behind filters of six by six.
light = stored(numpy.minimum(mosaic(linear(9), "RGGB") * 1.6, 1), 16383)
tiff = Tiff()
data = tiff.file(tiff.add(sensor(light, 16) + filters("RGGB") + camera() + [(50717, SHORT, [16383])], swapped(light, "<")))
WAYS = {"quality": {}, "fast": {"demosaic_algorithm": rawpy.DemosaicAlgorithm.PPG}, "half": {"half_size": True},
        "linear": {"gamma": (1, 1)}, "blend": {"highlight_mode": rawpy.HighlightMode.Blend},
        "reconstruct": {"highlight_mode": rawpy.HighlightMode.ReconstructDefault}}
for word, settings in WAYS.items():
    ways = Samples(f"raw-{word}", DEVELOPER, "raw")
    values = developed(data, **settings)
    if word == "linear":
        values = (values / 65535).astype(numpy.float32)
    ways.add("raw-bright.dng", data, values, 2 / 65535 if word == "linear" else 2)
    if word in ("quality", "half"): # one pass of Markesteijn's differs from version to version of LibRaw
        ways.add("raw-xtrans.dng", xtrans, developed(xtrans, **settings), 2, part=MIDDLES[word])
    ways.write()
preview = Samples("raw-preview", f"Pillow {PIL.__version__}", "raw")
preview.add("raw-below.dng", (FOLDER / "raw-below.dng").read_bytes(),
            numpy.rot90(numpy.asarray(Image.open(io.BytesIO(small))), 1), 1)
preview.write()
