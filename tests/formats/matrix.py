"""Samples of each kind of value and storage that PNG, WebP, HEIF, AVIF and JPEG XL have. This script puts PNG together
from its specification, and expects the values that went in, if Pillow or libpng by imagecodecs see them, too. Pillow,
pillow-heif, imagecodecs and cjxl write and read the others."""

import io
import pathlib
import struct
import subprocess
import tempfile
import zlib

import imagecodecs
import numpy
import PIL
import pillow_heif
from PIL import Image, ImageOps

from samples import Samples, picture

pillow_heif.register_heif_opener()
samples = Samples("matrix", f"Pillow {PIL.__version__}, pillow-heif {pillow_heif.__version__}, imagecodecs "
                            f"{imagecodecs.__version__} and libjxl {imagecodecs.jpegxl_version().split()[-1]}")
random = numpy.random.default_rng(5)

# ---- PNG: colours x bits, plain and in seven passes, with transparency where that can be ----

PASSES = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))


def paeth(a, b, c):
    distances = abs(b - c), abs(a - c), abs(a + b - 2 * c)
    return (a, b, c)[distances.index(min(distances))]


def filtered(values, bits):
    """Rows of values of (height, width, channels), by each filter in turn."""
    above, rows, step = None, b"", max(1, values.shape[2] * bits // 8)
    for y, row in enumerate(values.reshape(len(values), -1)):
        row = row.astype(">u2").tobytes() if bits == 16 else numpy.packbits(
            [v >> (bits - 1 - i) & 1 for v in row for i in range(bits)]).tobytes()
        above = above or bytes(len(row))
        rows += bytes([y % 5])
        for i, value in enumerate(row):
            a, b, c = row[i - step] if i >= step else 0, above[i], above[i - step] if i >= step else 0
            rows += bytes([(value - (0, a, b, (a + b) // 2, paeth(a, b, c))[y % 5]) & 255])
        above = row
    return rows


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(values, colour, bits, passes, palette=b"", transparency=b""):
    height, width, _ = values.shape
    parts = [values[y::down, x::right] for x, y, right, down in PASSES] if passes else [values]
    packed = zlib.compress(b"".join(filtered(part, bits) for part in parts if part.size))
    chunks = [chunk(b"IHDR", struct.pack(">2I5B", width, height, bits, colour, 0, 0, passes))]
    chunks += [chunk(b"PLTE", palette)] if palette else []
    chunks += [chunk(b"tRNS", transparency)] if transparency else []
    half = len(packed) // 2
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks) + chunk(b"IDAT", packed[:half]) + chunk(b"IDAT", packed[half:]) + chunk(b"IEND", b"")


def seen_by(data, bits, channels):
    if bits == 16:
        return imagecodecs.png_decode(data)
    return numpy.asarray(Image.open(io.BytesIO(data)).convert(("L", "LA", "RGB", "RGBA")[channels - 1]))


for colour, stored, depths in ((0, 1, (1, 2, 4, 8, 16)), (2, 3, (8, 16)), (3, 1, (1, 2, 4, 8)), (4, 2, (8, 16)), (6, 4, (8, 16))):
    for bits in depths:
        for passes in (0, 1):
            values = random.integers(0, 1 << bits, (9, 11, stored))
            white = 65535 if bits == 16 else 255
            palette, transparency, expected = b"", b"", values * (white // ((1 << bits) - 1))
            alpha = None
            if colour == 3:
                table = random.integers(0, 256, (1 << bits, 3)).astype("uint8")
                palette, expected = table.tobytes(), table[values[..., 0]]
            if passes and colour == 3:
                few = random.integers(0, 256, (1 << bits) // 2 + 1).astype("uint8")
                transparency = few.tobytes()
                alpha = numpy.append(few, numpy.full(256, 255))[values[..., 0]]
            if passes and colour in (0, 2):
                transparency = values[4, 5].astype(">u2").tobytes()
                alpha = white * (values != values[4, 5]).any(-1)
            expected = (expected if alpha is None else numpy.dstack([expected, alpha])).astype("uint16" if bits == 16 else "uint8")
            data = png(values, colour, bits, passes, palette, transparency)
            seen = numpy.atleast_3d(seen_by(data, bits, expected.shape[2]))
            if not (colour == 0 and bits in (2, 4) and transparency):  # whose key Pillow compares with scaled values
                assert (seen == expected).all(), (colour, bits, passes)
            kind = {0: "gray", 2: "rgb", 3: "map", 4: "gray-alpha", 6: "rgba"}[colour]
            samples.add(f"png-{kind}-{bits}{'-passes' if passes else ''}.png", data, expected)

# ---- WebP: lossy and lossless x alpha, frames ----


def by_pillow(image, kind, **options):
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def frames_of(data, mode):
    image, seen = Image.open(io.BytesIO(data)), []
    for i in range(image.n_frames):
        image.seek(i)
        seen.append(numpy.asarray(image.convert(mode)))
    return seen


few = Image.fromarray(picture(30, 9, 11)).quantize(5)
samples.add("webp-few-colours.webp", by_pillow(few.convert("RGB"), "WEBP", lossless=True), numpy.asarray(few.convert("RGB")))
for mode in ("RGB", "RGBA"):
    for lossless in (False, True):
        moving = []
        for i in range(3):
            values = picture(31, 10, 14, len(mode))
            values[2 + i:6 + i, 3 * i:3 * i + 5] = random.integers(0, 256, len(mode))
            if mode == "RGBA":
                values[7:, 4 * i:4 * i + 4, 3] = 0
            moving.append(Image.fromarray(values))
        data = by_pillow(moving[0], "WEBP", save_all=True, append_images=moving[1:], duration=50, lossless=lossless, quality=60)
        name = f"webp-frames-{mode.lower()}-{'lossless' if lossless else 'lossy'}.webp"
        # Without loss, frames let the one before show through.
        samples.add(name, data, frames_of(data, "RGBA" if lossless else mode))

# ---- HEIF and AVIF: bits, gray, chroma, alpha ----


def soft(seed, channels, white, height=8, width=10):
    """A picture that takes few bytes."""
    y, x, c = numpy.mgrid[0:height, 0:width, 0:channels]
    return ((0.5 + 0.4 * numpy.sin(seed + x / 9 + c) * numpy.cos(y / 8 - c)) * white).astype("uint16")


def widened(values, bits):
    most = (1 << bits) - 1
    return ((values.astype("uint32") * 65535 + most // 2) // most).astype("uint16")


def as_colours(values):
    values = numpy.atleast_3d(values)
    return values if values.shape[2] > 2 else numpy.repeat(values[..., :1], 3, 2) if values.shape[2] == 1 else values[..., [0, 0, 0, 1]]


for bits in (8, 10, 12):
    for channels in (1, 3, 4):
        values = soft(channels, channels, (1 << bits) - 1)
        values = values.astype("uint8") if bits == 8 else values
        data = imagecodecs.avif_encode(values[..., 0] if channels == 1 else values, level=70, bitspersample=bits,
                                       pixelformat="400" if channels == 1 else "444")
        seen = as_colours(imagecodecs.avif_decode(data))
        samples.add(f"heif-{channels}x{bits}.avif", data, seen if bits == 8 else widened(seen, bits), 2 if bits == 8 else 600)
for bits, mode in ((10, "RGB;16"), (12, "RGBA;16"), (8, "L"), (8, "RGBa")):
    channels = {"R": mode.upper().count("A") + 3, "L": 1}[mode[0]]
    values = soft(channels, channels, 255 if bits == 8 else 65535, 16, 18)  # as small as the encoder takes
    values = values.astype("uint8") if bits == 8 else values
    if mode == "RGBa":
        values[..., 3] |= 128
        values[..., :3] = values[..., :3].astype(int) * values[..., 3:] // 255
    pillow_heif.options.SAVE_HDR_TO_12_BIT = bits == 12
    made = pillow_heif.from_bytes(mode=mode, size=(18, 16), data=values.tobytes())
    file = io.BytesIO()
    made.save(file, quality=70, chroma=444)
    seen = as_colours(numpy.asarray(pillow_heif.open_heif(io.BytesIO(file.getvalue()), convert_hdr_to_8bit=False)))
    if mode == "RGBa":  # shown straight
        seen = numpy.asarray(Image.open(io.BytesIO(file.getvalue())).convert("RGBA"))
    name = f"heif-{channels}x{bits}{'-multiplied' if mode == 'RGBa' else ''}.heic"
    samples.add(name, file.getvalue(), seen, 600 if bits > 8 else 4 if mode == "RGBa" else 2)
for orientation in range(1, 9):
    turned = Image.Exif()
    turned[0x0112] = orientation
    data = by_pillow(Image.fromarray(soft(9, 3, 255).astype("uint8")), "AVIF", quality=60, subsampling="4:4:4", exif=turned)
    samples.add(f"heif-turn-{orientation}.avif", data, numpy.asarray(ImageOps.exif_transpose(Image.open(io.BytesIO(data)))), 2)

# ---- JPEG XL: types x channels, straight and premultiplied ----


def by_cjxl(values, *options):
    with tempfile.TemporaryDirectory() as folder:
        path, most = pathlib.Path(folder), 255 if values.dtype == "uint8" else 65535
        kind = ("GRAYSCALE", "GRAYSCALE_ALPHA", "RGB", "RGB_ALPHA")[values.shape[2] - 1]
        head = f"P7\nWIDTH {values.shape[1]}\nHEIGHT {values.shape[0]}\nDEPTH {values.shape[2]}\nMAXVAL {most}\nTUPLTYPE {kind}\nENDHDR\n"
        (path / "a.pam").write_bytes(head.encode() + values.astype(values.dtype.newbyteorder(">")).tobytes())
        subprocess.run(["cjxl", path / "a.pam", path / "a.jxl", "-d", "0", "--quiet", *options], check=True)
        return (path / "a.jxl").read_bytes()


for kind in ("uint8", "uint16"):
    for channels in (1, 2, 3, 4):
        values = numpy.atleast_3d(picture(40 + channels, 7, 9, channels, kind))
        data = by_cjxl(values)
        seen = numpy.atleast_3d(imagecodecs.jpegxl_decode(data))
        off = numpy.abs(seen.astype(int) - values)
        colours = channels - (channels % 2 == 0)
        assert off[..., :colours].max() == 0 and off.max() <= 127  # of 16 bits, cjxl 0.7 rounds alpha
        samples.add(f"jxl-{channels}x{kind}.jxl", data, seen)
for kind in ("float16", "float32"):
    for channels in (1, 3, 4):
        values = picture(50 + channels, 7, 9, channels, "float32").astype(kind) * numpy.array(2, kind)
        data = imagecodecs.jpegxl_encode(values, lossless=True)
        samples.add(f"jxl-{channels}x{kind}.jxl", data, values.astype("float32"))
for kind in ("uint8", "uint16"):
    values = picture(60, 7, 9, 4, kind)
    values[:2, :3, 3] = 0
    data = by_cjxl(values, "--premultiply=1")
    samples.add(f"jxl-multiplied-{kind}.jxl", data, imagecodecs.jpegxl_decode(data), 1 if kind == "uint8" else 257)
samples.write()
