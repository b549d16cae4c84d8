"""Samples of gain maps in boxes: JPEG XL, AVIF and HEIC, put together here by hand, and their HDR rendering as light.

imagecodecs and pillow-heif code the pictures without loss; numpy renders them, as tests/formats/gain_map.py does.
"""

import io
import struct

import imagecodecs
import numpy
import pillow_heif

from gain_map import DEFAULT, ISO, light, map_iso, rendering, waves
from samples import Samples

HDR = "http://ns.apple.com/HDRGainMap/1.0/"
APPLE = b"urn:com:apple:photo:2020:aux:hdrgainmap"
ALPHA = b"urn:mpeg:mpegB:cicp:systems:auxiliary:alpha"


def number(data, at, width):
    return int.from_bytes(data[at:at + width], "big")


def box(kind, *contents):
    contents = b"".join(contents)
    return struct.pack(">I", 8 + len(contents)) + kind + contents


def full(kind, version, flags, *contents):
    return box(kind, struct.pack(">I", version << 24 | flags), *contents)


def boxes(data, at=0):
    while at < len(data):
        size = number(data, at, 4) or len(data) - at
        yield data[at + 4:at + 8], data[at + 8:at + size], data[at:at + size]
        at += size


class Item:
    """An item: its type, its data, its properties as boxes, and whether each is essential."""

    def __init__(self, kind, data, properties=(), hidden=False, extra=b"", inside=False):
        self.kind, self.data, self.properties, self.hidden, self.extra, self.inside = kind, data, list(properties), hidden, extra, inside


def primary(data):
    """The primary item of a file, and its auxiliary one, if there is any."""
    parts = {kind: inner for kind, inner, _ in boxes(dict((kind, inner) for kind, inner, _ in boxes(data))[b"meta"], 4)}
    main = number(parts[b"pitm"], 4, 2)
    kinds = {number(inner, 4, 2): inner[8:12] for kind, inner, _ in boxes(parts[b"iinf"], 6)}
    property_boxes = dict((kind, inner) for kind, inner, _ in boxes(parts[b"iprp"]))
    known = [whole for _, _, whole in boxes(property_boxes[b"ipco"])]
    listed, at = {}, 8
    assert property_boxes[b"ipma"][:4] == bytes(4)
    for _ in range(number(property_boxes[b"ipma"], 4, 4)):
        count = property_boxes[b"ipma"][at + 2]
        listed[number(property_boxes[b"ipma"], at, 2)] = [(known[(p & 127) - 1], p >> 7) for p in property_boxes[b"ipma"][at + 3:at + 3 + count]]
        at += 3 + count
    iloc, places, at = parts[b"iloc"], {}, 8
    offsets, lengths, bases, methods = iloc[4] >> 4, iloc[4] & 15, iloc[5] >> 4, iloc[0] > 0
    for _ in range(number(iloc, 6, 2)):
        name = number(iloc, at, 2)
        at += 4 + 2 * methods + bases
        begin = number(iloc, at - bases, bases) + number(iloc, at + 2, offsets)
        places[name] = begin, begin + number(iloc, at + 2 + offsets, lengths)
        assert number(iloc, at, 2) == 1
        at += 2 + offsets + lengths
    items = [Item(kinds[name], data[slice(*places[name])], listed[name]) for name in sorted(places, key=lambda name: name != main)]
    return items if len(items) > 1 else items[0]


def file(brand, items, references, groups=b""):
    """A file of items 1, 2, … of which the first is the primary one; `references` are (type, from, to, …)."""
    known, listed = [], b""
    for name, item in enumerate(items, 1):
        numbers = []
        for whole, essential in item.properties:
            if whole not in known:
                known.append(whole)
            numbers.append(known.index(whole) + 1 | essential << 7)
        listed += struct.pack(">HB", name, len(numbers)) + bytes(numbers)
    entries = [full(b"infe", 2, item.hidden, struct.pack(">HH", name, 0), item.kind, b"\0", item.extra) for name, item in enumerate(items, 1)]
    head = box(b"ftyp", brand, bytes(4), brand, b"mif1", b"miaf", b"tmap")

    def meta(begin):
        places, at, within = b"", begin, 0
        for name, item in enumerate(items, 1):
            places += struct.pack(">HHHHII", name, item.inside, 0, 1, within if item.inside else at, len(item.data))
            at, within = (at, within + len(item.data)) if item.inside else (at + len(item.data), within)
        return full(
            b"meta", 0, 0, full(b"hdlr", 0, 0, bytes(4), b"pict", bytes(13)), full(b"pitm", 0, 0, struct.pack(">H", 1)),
            full(b"iinf", 0, 0, struct.pack(">H", len(items)), *entries),
            full(b"iref", 0, 0, *(box(kind, struct.pack(f">{2 + len(to)}H", of, len(to), *to)) for kind, of, *to in references)),
            box(b"iprp", box(b"ipco", *known), full(b"ipma", 0, 0, struct.pack(">I", len(items)), listed)), groups,
            full(b"iloc", 1, 0, struct.pack(">HH", 0x4400, len(items)), places),
            box(b"idat", *(item.data for item in items if item.inside)))

    begin = len(head) + len(meta(0)) + 8
    return head + meta(begin) + box(b"mdat", *(item.data for item in items if not item.inside))


def metadata(meta):
    return map_iso(meta)[4 + len(ISO):]


def tone_mapped(brand, base, gains, meta, further=(), references=(), inside=False, hidden=True):
    """A file with a derived item of ISO 21496-1, its picture and its map."""
    gains.hidden = hidden
    size = [one for one in base.properties if one[0][4:8] == b"ispe"]
    tone = Item(b"tmap", b"\0" + metadata(meta), size, inside=inside)
    group = box(b"grpl", full(b"altr", 0, 0, struct.pack(">IIII", 100, 2, 3, 1)))
    return file(brand, [base, gains, tone, *further], [(b"dimg", 3, 1, 2), *references], group)


def avif(values, **options):
    return primary(imagecodecs.avif_encode(values, level=100, **options))


def heic(values):
    out = io.BytesIO()
    gray = values.ndim == 2
    image = pillow_heif.from_bytes("L" if gray else "RGB", values.shape[1::-1], values.tobytes())
    image.save(out, quality=-1, chroma=444, matrix_coefficients=1 if gray else 0)
    read = numpy.asarray(pillow_heif.open_heif(io.BytesIO(out.getvalue())))
    assert (read.reshape(values.shape[:2] + (-1,))[..., 0] == values.reshape(values.shape[:2] + (-1,))[..., 0]).all()
    return primary(out.getvalue())


def maker_notes(headroom, gain):
    """Exif whose maker's notes are Apple's, with numbers 33 and 48."""
    values = b"".join(struct.pack(">ii", round(value * 1000), 1000) for value in (headroom, gain))
    begin = 14 + 2 + 2 * 12 + 4
    notes = b"Apple iOS\0\0\1MM" + struct.pack(">H", 2)
    notes += b"".join(struct.pack(">HHII", tag, 10, 1, begin + 8 * i) for i, tag in enumerate((33, 48))) + bytes(4) + values
    first = struct.pack(">HHHII", 1, 0x8769, 4, 1, 26) + bytes(4)
    second = struct.pack(">HHHII", 1, 0x927C, 7, len(notes), 44) + bytes(4)
    return bytes(4) + b"MM\0*" + struct.pack(">I", 8) + first + second + notes


def apple(base, gains, headroom):
    """As Apple's documentation says: the map codes light as BT.709 does."""
    values = gains / 255
    linear = numpy.where(values < 0.081, values / 4.5, ((values + 0.099) / 1.099) ** (1 / 0.45))
    return light(base.astype(float)) * (1 + (headroom - 1) * linear[..., None])


def jxl(values):
    """A codestream alone."""
    data = imagecodecs.jpegxl_encode(values, lossless=True, usecontainer=False)
    return data if data[:2] == b"\xff\x0a" else dict((kind, inner) for kind, inner, _ in boxes(data))[b"jxlc"]


def jxl_file(base, gains, meta, first=False, colours=b"", profile=b""):
    said = metadata(meta)
    contents = b"\0" + struct.pack(">H", len(said)) + said + bytes([len(colours)]) + colours + struct.pack(">I", len(profile)) + profile
    parts = [box(b"jxlc", base), box(b"jhgm", contents, gains)]
    return box(b"JXL ", b"\r\n\x87\n") + box(b"ftyp", b"jxl \0\0\0\0jxl ") + b"".join(parts[::-1] if first else parts)


samples = Samples("gain_map_boxes", f"imagecodecs {imagecodecs.__version__} and pillow-heif {pillow_heif.__version__}")
base, gray = waves(1, 12, 16), waves(2, 6, 8, 1)
three = {**DEFAULT, "min": [-0.5, 0, 0.25], "max": [2, 1.5, 3], "gamma": [0.5, 1, 2], "offset": [0.01, 0.02, 0],
         "offset_hdr": [0.02, 0.01, 0], "high": 3}


def add(name, data, expected):
    samples.add(name, data, expected.astype(numpy.float32), 4e-5)


add("jxl-gain.jxl", jxl_file(jxl(base), jxl(gray), DEFAULT), rendering(base, gray, DEFAULT))
fine = (waves(3, 12, 16).astype(numpy.uint16) * 257 + 77).clip(0, 65535).astype(numpy.uint16)
add("jxl-gain-first.jxl", jxl_file(jxl(base), jxl(fine), three, True, b"\x50\xb4\0", b"no profile"), rendering(base, fine / 257, three))

item = avif(gray, pixelformat="400")
add("heif-gain.avif", tone_mapped(b"avif", avif(base), item, DEFAULT), rendering(base, gray, DEFAULT))
add("heif-gain-listed.avif", tone_mapped(b"avif", avif(base), item, DEFAULT, hidden=False), rendering(base, gray, DEFAULT))
deep = waves(4, 3, 4).astype(numpy.uint16) * 4 + 1
turn = box(b"irot", b"\3"), 1  # three quarters against the clock: one with it
alpha = avif(waves(5, 12, 16, 1), pixelformat="400")
alpha.properties += [(full(b"auxC", 0, 0, ALPHA, b"\0"), 1)]
turned, deep_item = avif(base), avif(deep, bitspersample=10)
for one in (turned, deep_item, alpha):
    one.properties.append(turn)
expected = numpy.rot90(numpy.dstack([rendering(base, deep / 1023 * 255, three), waves(5, 12, 16, 1) / 255]), -1)
add("heif-gain-turned.avif", tone_mapped(b"avif", turned, deep_item, three, [alpha], [(b"auxl", 4, 1)], True), expected)

large = waves(6, 12, 16, 1)
item, notes = heic(large), Item(b"Exif", maker_notes(0.8, 0.005))
item.properties.append((full(b"auxC", 0, 0, APPLE, b"\0"), 1))
item.hidden = True
add("heif-gain-apple.heic", file(b"heic", [heic(base), item, notes], [(b"auxl", 2, 1), (b"cdsc", 3, 1)]),
    apple(base, large, 2 ** (1.8 - 20 * 0.005)))
packet = f'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF><rdf:Description xmlns:HDRGainMap="{HDR}" HDRGainMap:HDRGainMapHeadroom="3.25"/></rdf:RDF></x:xmpmeta>'
said = Item(b"mime", packet.encode(), extra=b"application/rdf+xml\0")
add("heif-gain-headroom.heic", file(b"heic", [heic(base), item, said], [(b"auxl", 2, 1), (b"cdsc", 3, 2)]), apple(base, large, 3.25))
samples.write()
