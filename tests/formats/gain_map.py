"""Samples of Ultra HDR: JPEGs with a gain map, put together here by hand, and their HDR rendering as light.

The rendering follows Adobe's Gain Map Specification 1.0, in numpy; 1 is the white of the picture.

    python gain_map.py             writes gain_map.txt and the samples
    python gain_map.py FOLDER      writes 20 larger files there, for tests/formats/gain_map_measure.py
"""

import io
import pathlib
import struct
import sys

import numpy
import PIL
from PIL import Image, ImageCms

from samples import Samples

HDRGM = "http://ns.adobe.com/hdr-gain-map/1.0/"
ISO = b"urn:iso:std:iso:ts:21496:-1\0"
DEFAULT = {"min": [0], "max": [2], "gamma": [1], "offset": [1 / 64], "offset_hdr": [1 / 64], "low": 0, "high": 2}


def jpeg(values, quality=95, **options):
    file = io.BytesIO()
    Image.fromarray(values).save(file, "JPEG", quality=quality, subsampling=0, **options)
    return file.getvalue()


def pixels(data):
    return numpy.asarray(Image.open(io.BytesIO(data)))


def segment(marker, data):
    return struct.pack(">BBH", 0xFF, marker, 2 + len(data)) + data


def with_segments(data, segments):
    """Behind SOI and JFIF's segment."""
    at = 4 + struct.unpack(">H", data[4:6])[0]
    return data[:at] + b"".join(segments) + data[at:]


def xmp(description):
    return segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + (
        '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
        f'<rdf:Description rdf:about="" {description}</rdf:RDF></x:xmpmeta><?xpacket end="w"?>').encode())


def map_xmp(meta, prefix="hdrgm", elements=False):
    names = {"min": "GainMapMin", "max": "GainMapMax", "gamma": "Gamma", "offset": "OffsetSDR", "offset_hdr": "OffsetHDR"}
    attributes, inside = f'xmlns:{prefix}="{HDRGM}" {prefix}:Version="1.0"', ""
    attributes += f' {prefix}:HDRCapacityMin="{meta["low"]}" {prefix}:HDRCapacityMax="{meta["high"]}"'
    for key, name in names.items():
        if meta[key] == DEFAULT[key] and key != "max":
            continue  # what Adobe's default says
        if len(meta[key]) == 1 and not elements:
            attributes += f' {prefix}:{name}="{meta[key][0]}"'
        else:
            items = "".join(f"\n  <rdf:li>{value}</rdf:li>" for value in meta[key])
            inside += f"<{prefix}:{name}><rdf:Seq>{items}</rdf:Seq></{prefix}:{name}>\n"
    return xmp(f"{attributes}>{inside}</rdf:Description>")


def map_iso(meta, common=False):
    three = max(len(meta[key]) for key in ("min", "max", "gamma", "offset", "offset_hdr")) > 1
    data = struct.pack(">HHB", 0, 0, (128 if three else 0) | 64 | (8 if common else 0))
    divisor = 1 << 16

    def number(value):
        whole = round(value * divisor) & 0xFFFFFFFF
        return struct.pack(">I", whole) if common else struct.pack(">II", whole, divisor)

    data += struct.pack(">I", divisor) if common else b""
    data += number(meta["low"]) + number(meta["high"])
    for c in range(3 if three else 1):
        for key in ("min", "max", "gamma", "offset", "offset_hdr"):
            data += number(meta[key][c % len(meta[key])])
    return segment(0xE2, ISO + data)


def directory(base, at, size, order=">"):
    """An MPF segment of CIPA DC-007; `at`, from its TIFF header on."""
    entries = struct.pack(order + "IIIHH", 0x030000, base, 0, 0, 0) + struct.pack(order + "IIIHH", 0, size, at, 0, 0)
    tags = struct.pack(order + "HHI4s", 0xB000, 7, 4, b"0100") + struct.pack(order + "HHII", 0xB001, 4, 1, 2)
    tags += struct.pack(order + "HHII", 0xB002, 7, 32, 50)
    head = (b"MM\0*" if order == ">" else b"II*\0") + struct.pack(order + "IH", 8, 3)
    return segment(0xE2, b"MPF\0" + head + tags + struct.pack(order + "I", 0) + entries)


def container(size):
    space = "http://ns.google.com/photos/1.0/container/"
    return xmp(f'xmlns:Container="{space}" xmlns:Item="{space}item/" xmlns:hdrgm="{HDRGM}" hdrgm:Version="1.0">'
               '<Container:Directory><rdf:Seq><rdf:li rdf:parseType="Resource"><Container:Item '
               'Item:Semantic="Primary" Item:Mime="image/jpeg"/></rdf:li><rdf:li rdf:parseType="Resource">'
               f'<Container:Item Item:Semantic="GainMap" Item:Mime="image/jpeg" Item:Length="{size}"/></rdf:li>'
               '</rdf:Seq></Container:Directory></rdf:Description>')


def ultra(base, gains, meta, told="both", by="both", order=">", extra=()):
    """A file: its map's metadata are `told` by xmp, iso or both, its place `by` mpf, xmp or both."""
    metadata = {"xmp": [map_xmp(meta)], "iso": [map_iso(meta)], "common": [map_iso(meta, True)],
                "both": [map_xmp(meta), map_iso(meta)], "elements": [map_xmp(meta, "gm", True)]}[told]
    second = with_segments(gains, metadata)
    first = list(extra) + ([container(len(second))] if by != "mpf" else [])
    if told != "xmp":
        first.append(segment(0xE2, ISO + b"\0\0\0\0"))
    if by != "xmp":
        length = len(directory(0, 0, 0, order))
        whole = len(with_segments(base, first)) + length
        begin = 4 + struct.unpack(">H", base[4:6])[0] + sum(map(len, first))
        first.append(directory(whole, whole - begin - 8, len(second), order))
    return with_segments(base, first) + second


def light(values):
    values = values / 255
    return numpy.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def enlarged(gains, height, width):
    """Bilinear, pixels' centres where they lie in the picture."""
    gains = gains.reshape(gains.shape[0], gains.shape[1], -1) / 255
    y = numpy.clip((numpy.arange(height) + 0.5) * gains.shape[0] / height - 0.5, 0, gains.shape[0] - 1)
    x = numpy.clip((numpy.arange(width) + 0.5) * gains.shape[1] / width - 0.5, 0, gains.shape[1] - 1)
    top, left = numpy.floor(y).astype(int), numpy.floor(x).astype(int)
    bottom, right = numpy.minimum(top + 1, gains.shape[0] - 1), numpy.minimum(left + 1, gains.shape[1] - 1)
    y, x = (y - top)[:, None, None], (x - left)[None, :, None]
    above = (1 - x) * gains[top][:, left] + x * gains[top][:, right]
    below = (1 - x) * gains[bottom][:, left] + x * gains[bottom][:, right]
    return (1 - y) * above + y * below


def rendering(base, gains, meta):
    """The light of a picture and a map of bytes."""
    low, high, gamma, offset, offset_hdr = (numpy.array(meta[key]) for key in ("min", "max", "gamma", "offset", "offset_hdr"))
    recovery = enlarged(gains.astype(float), *base.shape[:2]) ** (1 / gamma)
    base = base.reshape(base.shape[0], base.shape[1], -1)
    return (light(base.astype(float)) + offset) * 2 ** (low * (1 - recovery) + high * recovery) - offset_hdr


def waves(seed, height, width, channels=3, low=20, high=235, rate=1.0):
    random = numpy.random.default_rng(seed)
    y, x = numpy.mgrid[0:height, 0:width] / max(height, width)
    out = []
    for _ in range(channels):
        a, b, p, q = rate * random.uniform(1, 3), rate * random.uniform(1, 3), *random.uniform(0, 6.28, 2)
        out.append(0.5 + 0.25 * numpy.sin(6.28 * a * x + p) + 0.25 * numpy.cos(6.28 * b * y + q))
    values = numpy.rint(low + (high - low) * numpy.stack(out, -1)).astype(numpy.uint8)
    return values[..., 0] if channels == 1 else values


def main():
    samples = Samples("gain_map", f"Pillow {PIL.__version__}")

    def add(name, base, gains, meta=None, turn=lambda image: image, convert=lambda image: image, **how):
        meta = {**DEFAULT, **(meta or {})}
        base = base if isinstance(base, bytes) else jpeg(base)
        gains = jpeg(gains)
        expected = convert(turn(rendering(pixels(base), pixels(gains), meta)))
        samples.add(f"jpeg-gain-{name}.jpg", ultra(base, gains, meta, **how), expected.astype(numpy.float32), 2e-5)

    base, gray = waves(1, 12, 16), waves(2, 6, 8, 1)
    three = {"min": [-0.5, 0, 0.25], "max": [2, 1.5, 3], "gamma": [0.5, 1, 2], "offset": [0.01, 0.02, 0],
             "offset_hdr": [0.02, 0.01, 0], "high": 3}
    add("plain", base, gray)
    add("xmp", base, gray, {"min": [0.5], "offset": [0]}, told="xmp", by="mpf", order="<")
    add("iso", base, waves(3, 3, 4, 3), three, told="iso", by="mpf")
    add("common", base, gray, {"gamma": [2.5]}, told="common")
    add("elements", base, waves(4, 12, 16, 3), three, told="elements", by="xmp")
    add("gray", waves(5, 12, 16, 1), gray, told="both")
    exif = segment(0xE1, b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0")
    add("turned", base, waves(6, 3, 4, 1), extra=[exif], turn=lambda image: numpy.rot90(image, -1))
    samples.write()


def twenty(folder):
    folder = pathlib.Path(folder)
    for i in range(20):
        scale, channels = [1, 2, 4][i % 3], [1, 3][i % 2]
        height, width = 240 + 8 * (i % 5), 320 - 8 * (i % 7)
        meta = {**DEFAULT, "max": [1 + i / 8] * channels, "high": 1 + i / 8, "gamma": [1 if i % 4 else 1.5] * channels}
        base, gains = jpeg(waves(i, height, width)), jpeg(waves(100 + i, height // scale, width // scale, channels))
        (folder / f"{i:02}.jpg").write_bytes(ultra(base, gains, meta, told=["both", "xmp", "iso"][i % 3]))
        numpy.save(folder / f"{i:02}.npy", rendering(pixels(base), pixels(gains), meta).astype(numpy.float32))


if __name__ == "__main__":
    twenty(sys.argv[1]) if len(sys.argv) > 1 else main()
