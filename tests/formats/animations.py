"""Samples of GIF and animated PNG, written by Pillow, and their frames as it shows them. Frames that are blended over
others are composed here as the specification says, since Pillow pastes them."""

import io
import struct
import zlib

import numpy
import PIL
from PIL import Image

from samples import Samples, picture

samples = Samples("animations", f"Pillow {PIL.__version__}")


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def composed(data):
    """The frames of an animated PNG of RGBA: PNG, third edition, 11.3.6.2."""
    at, header, frames = 8, b"", []
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        at += 12 + size
        header = body if kind == b"IHDR" else header
        if kind == b"fcTL":
            frames.append([struct.unpack(">5I2H2B", body), b""])
        if kind in (b"IDAT", b"fdAT"):
            frames[-1][1] += body if kind == b"IDAT" else body[4:]
    canvas, seen = numpy.zeros((13, 19, 4)), []
    for (_, width, height, left, top, _, _, disposal, blend), packed in frames:
        png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">2I", width, height) + header[8:]) + chunk(b"IDAT", packed)
        frame = numpy.asarray(Image.open(io.BytesIO(png + chunk(b"IEND", b""))).convert("RGBA")) / 255.0
        before, part = canvas.copy(), canvas[top:top + height, left:left + width]
        alpha, behind = frame[..., 3:], part[..., 3:] * (1 - frame[..., 3:])
        over = (frame[..., :3] * alpha + part[..., :3] * behind) / numpy.maximum(alpha + behind, 1e-9)
        part[:] = numpy.dstack([over, alpha + behind]) if blend else frame
        canvas = numpy.rint(canvas * 255) / 255
        seen.append(numpy.rint(canvas * 255).astype("uint8"))
        if disposal == 1:
            canvas[top:top + height, left:left + width] = 0
        if disposal == 2:
            canvas = before
    return seen


def add(name, frames, compose=False, **options):
    file, kind = io.BytesIO(), name.split(".")[1]
    frames[0].save(file, kind, save_all=True, append_images=frames[1:], **options)
    read, seen = Image.open(io.BytesIO(file.getvalue())), []
    mode = read.mode if kind == "png" and read.mode in ("L", "RGB") else "RGBA"  # which has no alpha
    for i in range(read.n_frames):
        read.seek(i)
        seen.append(numpy.asarray(read.convert(mode)))
    hidden = read.info.get("default_image", False)  # the picture for those who know no frames is none
    if kind == "gif" and all(frame[..., 3].all() for frame in seen):
        seen = [frame[..., :3] for frame in seen]  # opaque everywhere
    samples.add(name, file.getvalue(), composed(file.getvalue()) if compose else seen[hidden:])


def indexed(seed, colours=60):
    return Image.fromarray(picture(seed)).quantize(colours)


def moving(hole, coarse=32):
    """A square that moves over a background, or over nothing."""
    made = []
    for i in range(4):
        background = numpy.dstack([picture(3) // coarse * coarse, numpy.full((13, 19), 255, "uint8")])
        values = numpy.zeros_like(background) if hole else background
        values[2 + i:7 + i, 3 * i:3 * i + 6] = (250 - 20 * i, 30 * i, 90, 255)
        made.append(Image.fromarray(values))
    return made


add("gif-still.gif", [indexed(1)])
add("gif-interlaced.gif", [indexed(2, 200)], interlace=True)
add("gif-frames.gif", moving(False), duration=[40, 80, 120, 500], loop=2)
add("gif-restored.gif", moving(True), duration=70, disposal=2, loop=0)
add("gif-previous.gif", moving(False), duration=70, disposal=[1, 3, 3, 1])

glass = [frame.copy() for frame in moving(False, 1)]
for i, frame in enumerate(glass):
    frame.putalpha(Image.fromarray(picture(5 + i, channels=1)))
add("apng-frames.png", moving(False, 1), duration=[40, 80, 120, 500], loop=2)
add("apng-over.png", glass, compose=True, duration=70, blend=1, disposal=0)
add("apng-restored.png", glass, compose=True, duration=70, blend=1, disposal=[0, 1, 2, 0])
add("apng-source.png", glass, duration=70, blend=0, disposal=1, loop=0)
add("apng-hidden.png", [indexed(4).convert("RGB"), *(frame.convert("RGB") for frame in moving(False, 1))],
    default_image=True, duration=50)

# Opaque frames of gray and colours have no alpha, unless one is cleared away and the next does not cover its place.
gray = [frame.convert("L") for frame in moving(False, 1)]
add("apng-gray.png", gray, duration=50)
add("apng-gray-covered.png", [gray[0], gray[1], indexed(6).convert("L")], duration=50, disposal=[0, 0, 1])
file = io.BytesIO()
coloured = [frame.convert("RGB") for frame in moving(False, 1)]
coloured[0].save(file, "png", save_all=True, append_images=coloured[1:], duration=50)
at = [i for i in range(len(file.getvalue())) if file.getvalue()[i:i + 4] == b"fcTL"][1]
control = file.getvalue()[at + 4:at + 28] + b"\1" + file.getvalue()[at + 29:at + 30]
data = file.getvalue()[:at - 4] + chunk(b"fcTL", control) + file.getvalue()[at + 34:]
assert any((frame[..., 3] == 0).any() for frame in composed(data))
samples.add("apng-cleared.png", data, composed(data))
samples.write()
