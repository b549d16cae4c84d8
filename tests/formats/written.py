"""Has other decoders read what glint writes: each format x channels x kind of value x way of coding.

    python3 tests/formats/written.py build/glint

Pillow, pillow-heif, tifffile, imagecodecs and OpenCV are from PyPI. Ways without loss must give every value back, others
nearly. No decoder is the one that glint reads by: libavif (imagecodecs) reads AVIF, and pillow-heif's own libheif HEIC."""

import pathlib
import subprocess
import sys
import tempfile

import cv2
import imagecodecs
import numpy
import pillow_heif
import tifffile
from PIL import Image

glint = str(pathlib.Path(sys.argv[1]).resolve())
folder = pathlib.Path(tempfile.mkdtemp())
TYPES = {"u8": ("uint8", 255), "u16": ("uint16", 65535), "f32": ("float32", 1)}


def widened(values):
    """Values of 12 bits as ones of 16."""
    return ((values.astype("uint32") * 65535 + 2047) // 4095).astype("uint16")


def picture(channels, kind):
    dtype, white = TYPES[kind]
    y, x, c = numpy.mgrid[0:61, 0:83, 0:channels]
    values = 0.5 + 0.35 * numpy.sin(x / 9 + c) * numpy.cos(y / 11 - c) + 0.1 * numpy.sin(x * y / 50)
    values = (values * white).astype(dtype)
    return values if kind != "u16" else widened(values >> 4)


def by_pillow(path):
    image = Image.open(path)
    return numpy.asarray(image if image.mode != "P" else image.convert("RGBA" if "transparency" in image.info else "RGB"))


def by_opencv(path):
    values = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    return values if values.ndim < 3 else values[..., [2, 1, 0, 3][:values.shape[2]]]


def by_heif(path):
    return numpy.asarray(pillow_heif.open_heif(path, convert_hdr_to_8bit=False))


def by_avif(path):
    values = imagecodecs.avif_decode(path.read_bytes())
    return values if values.dtype == "uint8" else widened(values)


def by(decode):
    return lambda path: decode(path.read_bytes())


# format, options, channels, kinds, decoders, tolerance of white; None: refused
WAYS = [(f"{f}", o, c, k, d, t) for f, o, c, k, d, t in (
    ("png", "", "1234", "u8 u16", (by(imagecodecs.png_decode), by_opencv), 0),
    ("png", "--effort 1", "1234", "u8 u16", (by(imagecodecs.png_decode),), 0),
    ("png", "--effort 9", "1234", "u8 u16", (by(imagecodecs.png_decode),), 0),
    ("tiff", "", "1234", "u8 u16 f32", (tifffile.imread,), 0),
    ("tiff", "--effort 9", "1234", "u8 u16 f32", (tifffile.imread,), 0),
    ("jpg", "", "13", "u8", (by_pillow, by_opencv), 0.06),
    ("jpg", "--sampling 422", "13", "u8", (by_pillow,), 0.1),
    ("jpg", "--sampling 420 --quality 95", "13", "u8", (by_pillow,), 0.1),
    ("jpg", "--progressive", "13", "u8", (by_pillow, by_opencv), 0.06),
    ("jpg", "--optimize", "13", "u8", (by_pillow, by_opencv), 0.06),
    ("webp", "", "34", "u8", (by_pillow, by_opencv), 0.15),
    ("webp", "--lossless", "34", "u8", (by_pillow, by_opencv), 0),
    ("webp", "--lossless --effort 9", "34", "u8", (by_pillow,), 0),
    ("webp", "--lossless --effort 1", "34", "u8", (by_pillow,), 0),
    ("jxl", "", "1234", "u8", (by(imagecodecs.jpegxl_decode),), 0.08),
    ("jxl", "--lossless", "1234", "u8 u16 f32", (by(imagecodecs.jpegxl_decode),), 0),
    ("jxl", "--effort 2", "1234", "u16 f32", (by(imagecodecs.jpegxl_decode),), 0),
    ("avif", "", "34", "u8 u16", (by_avif,), 0.08),
    ("avif", "--lossless", "34", "u8 u16", (by_avif,), 0),
    ("avif", "--lossless --effort 9", "34", "u8 u16", (by_avif,), 0),
    ("avif", "--sampling 422 --depth 12", "34", "u8 u16", (by_avif,), 0.12),
    ("avif", "--sampling 420 --quality 80", "34", "u8", (by_avif,), 0.15),
    ("heic", "", "34", "u8 u16", (by_heif,), 0.08),
    ("heic", "--lossless", "34", "u8 u16", (by_heif,), 0),
    ("heic", "--lossless --effort 9", "34", "u8 u16", (by_heif,), 0),
    ("heic", "--depth 10", "34", "u8 u16", (by_heif,), 0.08),
    ("heic", "--sampling 422 --depth 12", "34", "u8 u16", (by_heif,), 0.12),
    ("heic", "--sampling 420 --quality 80", "34", "u8", (by_heif,), 0.15),
    ("bmp", "", "34", "u8", (by_opencv,), 0),
    ("tga", "", "134", "u8", (by_pillow,), 0),
    ("ppm", "", "13", "u8 u16", (by_opencv,), 0),
    ("pfm", "", "13", "f32", (by_opencv,), 0),
    ("hdr", "", "3", "f32", (by_opencv,), 1 / 100),
    ("gif", "", "3", "u8", (by_pillow,), 0.3),
)]


def as_floats(values):
    white = {"uint8": 255, "uint16": 65535}.get(str(values.dtype), 1)
    return numpy.atleast_3d(values.astype("float64") / white)


def check(format, options, channels, kind, decoders, tolerance):
    values = picture(channels, kind)
    source, path = folder / f"{channels}{kind}.tiff", folder / f"written.{format}"
    extra = {"extrasamples": ["unassalpha"]} if channels in (2, 4) else {}
    squeezed = values[..., 0] if channels == 1 else values
    tifffile.imwrite(source, squeezed, photometric="rgb" if channels > 2 else "minisblack",
                     planarconfig="contig" if channels > 1 else None, **extra)
    subprocess.run([glint, "batch", "brightness=0", str(source), "-o", str(path), "-f", "-q", *options.split()], check=True)
    faults = []
    for decode in decoders:
        seen = decode(path)
        want = as_floats(values)
        got = as_floats(seen)
        if got.shape[2] > channels and channels < 3:  # gray as colours
            got = got[..., [0, 3][:channels]]
        off = abs(got - want).max() if got.shape == want.shape else numpy.inf
        # pillow-heif widens 10 and 12 bits by shifts: a value is off by less than one of these
        most = tolerance + (1.5 / 1024 if decode is by_heif and seen.dtype == "uint16" else 0)
        if not off <= most:
            faults.append(f"{decode.__name__} sees {seen.shape} {seen.dtype}, off by {off:.5f}, want {most:.5f}")
    return faults


def check_flame():
    """Colours times alpha stay what they are in TIFF, also where alpha is 0."""
    values = picture(4, "f32")
    values[:, :40, 3] = 0
    source, path = folder / "flame.tiff", folder / "flame-written.tiff"
    tifffile.imwrite(source, values, photometric="rgb", extrasamples=["assocalpha"])
    subprocess.run([glint, "batch", "flip", str(source), "-o", str(path), "-f", "-q"], check=True)
    with tifffile.TiffFile(path) as file:
        if file.pages[0].extrasamples != (tifffile.EXTRASAMPLE.ASSOCALPHA,):
            yield f"has the extra samples {file.pages[0].extrasamples}"
        if not numpy.array_equal(file.asarray(), values[:, ::-1]):
            yield "has other values"


failed = count = 0
for format, options, channels, kinds, decoders, tolerance in WAYS:
    for number in channels:
        for kind in kinds.split():
            count += 1
            for fault in check(format, options, int(number), kind, decoders, tolerance):
                failed += 1
                print(f"{format} {options} {kind}x{number}: {fault}")
count += 1
for fault in check_flame():
    failed += 1
    print(f"a flame as TIFF {fault}")
print(f"{count} files, {failed} faults")
sys.exit(failed > 0)
