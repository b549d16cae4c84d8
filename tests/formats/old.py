"""Samples of BMP, TGA, GIF, Radiance HDR and Netpbm as old and odd writers make them, put together by hand from the
specifications. Expected are the values that went in. Pillow or OpenCV read most of the files, too; this script ends
unless they see the same."""

import io
import struct

import cv2
import imagecodecs
import numpy
import PIL
from PIL import Image

from samples import Samples, picture

samples = Samples("old", f"Pillow {PIL.__version__}, OpenCV {cv2.__version__} and imagecodecs {imagecodecs.__version__}")
colours = numpy.array([[200, 10, 20], [30, 210, 40], [50, 60, 220], [240, 240, 10]], "uint8")
random = numpy.random.default_rng(38)
index = random.integers(0, 4, (5, 7))
rgb, rgba, gray = picture(1, 5, 7), picture(2, 5, 7, 4), picture(3, 5, 7, 1)


def by_pillow(data):
    image = Image.open(io.BytesIO(data))
    values = numpy.asarray(image.convert("RGB") if image.mode in ("P", "1") else image)
    return values.astype("uint16") if image.mode.startswith("I") else values


def by_opencv(data):
    values = cv2.imdecode(numpy.frombuffer(data, "uint8"), cv2.IMREAD_UNCHANGED)
    return values if values.ndim == 2 else values[..., [2, 1, 0, 3][: values.shape[2]]]


readers = {"pillow": by_pillow, "opencv": by_opencv, "giflib": imagecodecs.gif_decode}


def add(name, data, expected, others="", within=0):
    """`others`: the other programs that read the file; they must see the expected picture, within 1 where values are
    scaled."""
    for other in others.split():
        seen, want = (numpy.atleast_3d(a).astype("f8") for a in (readers[other](data), expected))
        seen, want = (numpy.repeat(a, 3, 2) if a.shape[2] == 1 else a for a in (seen, want))
        assert seen.shape == want.shape, f"{name}: {other} sees {seen.shape}, expected {want.shape}"
        assert numpy.abs(seen - want).max() <= within, f"{name}: {other} sees {seen.ravel()[:9]}, expected {want.ravel()[:9]}"
    samples.add(name, data, expected)


# ---- BMP ----


def bits_of(values, bits):
    """Rows of whole numbers of `bits` bits, padded to four bytes."""
    rows = b""
    for row in values:
        packed = numpy.packbits([v >> (bits - 1 - i) & 1 for v in row for i in range(bits)]).tobytes()
        rows += packed + bytes(-len(packed) % 4)
    return rows


def bmp(width, height, bits, data, table=None, packing=0, header=40, masks=b"", entry=4, offset=None):
    table = b"" if table is None else b"".join(bytes(c[::-1]) + bytes(entry - 3) for c in table)
    if header == 12:
        head = struct.pack("<IHHHH", 12, width, height, 1, bits)
    else:
        head = struct.pack("<IiiHHIIiiII", header, width, height, 1, bits, packing, len(data), 2835, 2835, len(table) // entry, 0)
        head = (head + masks).ljust(header, b"\0")[: max(header, 40 + len(masks) if header == 40 else header)]
    begin = 14 + len(head) + len(table)
    return b"BM" + struct.pack("<IHHI", begin + len(data), 0, 0, begin if offset is None else offset) + head + table + data


def flip(a):
    return a[::-1]


for bits in (1, 2, 4, 8):
    values = index % 2 if bits == 1 else index
    table = colours[:2] if bits == 1 else colours
    data = bits_of(flip(values), bits)
    add(f"bmp-{bits}.bmp", bmp(7, 5, bits, data, table), table[values], "pillow opencv" if bits != 2 else "")
add("bmp-os2.bmp", bmp(7, 5, 8, bits_of(flip(index), 8), colours, header=12, entry=3), colours[index], "pillow")
add("bmp-os2-short.bmp", bmp(7, 5, 8, bits_of(flip(index), 8), colours, header=16), colours[index])
add("bmp-os2-long.bmp", bmp(7, 5, 8, bits_of(flip(index), 8), colours, header=64), colours[index], "pillow")
add("bmp-no-offset.bmp", bmp(7, 5, 8, bits_of(flip(index), 8), colours, offset=0), colours[index])
padded = [row.tobytes() + bytes(-21 % 4) for row in flip(rgb[..., ::-1])]
add("bmp-24.bmp", bmp(7, 5, 24, b"".join(padded)), rgb, "pillow opencv")
add("bmp-24-down.bmp", bmp(7, -5, 24, b"".join(flip(padded))), rgb, "pillow opencv")
bgrx = numpy.dstack([flip(rgb[..., ::-1]), numpy.zeros((5, 7), "uint8")])
add("bmp-32.bmp", bmp(7, 5, 32, bgrx.tobytes()), rgb, "pillow")
fields = struct.pack("<IIII", 0xFF000000, 0xFF0000, 0xFF00, 0xFF)
add("bmp-32-fields.bmp", bmp(7, 5, 32, flip(rgba[..., ::-1]).tobytes(), packing=3, header=108, masks=fields), rgba, "pillow")
five, six = (random.integers(0, n, (5, 7, 3)) for n in (32, 64))
packed = flip(five[..., 0] << 10 | five[..., 1] << 5 | five[..., 2]).astype("<u2")
packed = b"".join(row.tobytes() + b"\0\0" for row in packed)
rounded = lambda v, most: ((v * 255 + most // 2) // most).astype("uint8")
add("bmp-16.bmp", bmp(7, 5, 16, packed), rounded(five, 31), "pillow", 1)
green = six[..., 1]
packed = flip(five[..., 0] << 11 | green << 5 | five[..., 2]).astype("<u2")
packed = b"".join(row.tobytes() + b"\0\0" for row in packed)
expected = rounded(five, 31)
expected[..., 1] = rounded(green, 63)
add("bmp-16-fields.bmp", bmp(7, 5, 16, packed, packing=3, masks=struct.pack("<III", 0xF800, 0x7E0, 0x1F)), expected, "pillow", 1)

# Runs. Rows come from the bottom. There are a run, values as they are (of odd number), a step over two pixels, which
# have colour 0, and one up. The end leaves out the last rows.
seen = numpy.zeros((5, 7), int)
seen[4] = [1, 1, 1, 1, 2, 3, 0]
seen[3, 2:7] = [3, 3, 3, 3, 3]
seen[1, 0:3] = [2, 1, 2]
rle8 = bytes([4, 1, 0, 3, 2, 3, 0, 0, 0, 0, 0, 2, 2, 0, 5, 3, 0, 0, 0, 2, 0, 1, 0, 3, 2, 1, 2, 0, 0, 1])
add("bmp-rle8.bmp", bmp(7, 5, 8, rle8, colours, 1), colours[seen], "opencv")
rle4 = bytes([4, 0x11, 0, 3, 0x23, 0x00, 0, 0, 0, 2, 2, 0, 5, 0x33, 0, 0, 0, 2, 0, 1, 3, 0x21, 0, 1])
add("bmp-rle4.bmp", bmp(7, 5, 4, rle4, colours, 2), colours[seen])
whole = b"".join(b"".join(bytes([1, int(v)]) for v in row) + b"\0\0" for row in flip(index))
add("bmp-rle8-open.bmp", bmp(7, 5, 8, whole, colours, 1), colours[index], "pillow")  # no end of the picture
rle24 = b"".join(b"".join(bytes([1]) + p[::-1].tobytes() for p in row[:4]) + b"\0\3" + row[4:, ::-1].tobytes() + b"\0\0\0" for row in flip(rgb)) + b"\0\1"
add("bmp-rle24.bmp", bmp(7, 5, 24, rle24, packing=4, header=64), rgb)

# ---- TGA ----


def tga(kind, bits, data, table=b"", first=0, entries=0, entry_bits=0, flags=0x20, size=(7, 5), ident=b"", has_map=None):
    has_map = 1 if table else 0 if has_map is None else has_map
    head = struct.pack("<BBBHHBHHHHBB", len(ident), has_map, kind, first, entries, entry_bits, 0, 0, *size, bits, flags)
    return head + ident + table + data


def runs_of(pixels):
    """Runs of all that repeats, and the others as they are; both may go over the ends of rows."""
    out, at = b"", 0
    while at < len(pixels):
        count = 1
        while at + count < len(pixels) and count < 128 and pixels[at + count] == pixels[at]:
            count += 1
        out += bytes([0x80 | (count - 1)]) + pixels[at] if count > 1 else b"\0" + pixels[at]
        at += count
    return out


flat = numpy.repeat(picture(4, 5, 2), [4, 3], 1)
pixels = [p[::-1].tobytes() for p in flat.reshape(-1, 3)]
add("tga-24.tga", tga(2, 24, rgb[..., ::-1].tobytes()), rgb, "pillow")
add("tga-24-up.tga", tga(2, 24, flip(rgb[..., ::-1]).tobytes(), flags=0, ident=b"a name"), rgb, "pillow")
add("tga-24-left.tga", tga(2, 24, rgb[:, ::-1, ::-1].tobytes(), flags=0x30), rgb)
add("tga-24-runs.tga", tga(10, 24, runs_of(pixels)), flat, "pillow")
bgra = rgba[..., [2, 1, 0, 3]]
add("tga-32.tga", tga(2, 32, bgra.tobytes(), flags=0x28), rgba, "pillow")
add("tga-gray.tga", tga(3, 8, gray.tobytes()), gray, "pillow")
pair = numpy.dstack([gray, picture(5, 5, 7, 1)])
add("tga-gray-alpha.tga", tga(3, 16, pair.tobytes(), flags=0x28), pair, "pillow")
level = [p.tobytes() for p in numpy.repeat(gray[:, :2], [4, 3], 1).reshape(-1)]
add("tga-gray-runs.tga", tga(11, 8, runs_of(level)), numpy.repeat(gray[:, :2], [4, 3], 1), "pillow")
short = (five[..., 0] << 10 | five[..., 1] << 5 | five[..., 2]).astype("<u2")
add("tga-15.tga", tga(2, 15, short.tobytes()), rounded(five, 31))
add("tga-16.tga", tga(2, 16, (short | 0x8000).tobytes(), flags=0x21), rounded(five, 31))
table = colours[:, ::-1].tobytes()
mapped = index.astype("uint8")
add("tga-map.tga", tga(1, 8, mapped.tobytes(), table, 0, 4, 24), colours[index], "pillow")
add("tga-map-first.tga", tga(1, 8, (mapped + 9).tobytes(), table, 9, 4, 24), colours[index])
add("tga-map-runs.tga", tga(9, 8, runs_of([bytes([v]) for v in mapped.reshape(-1)]), table, 0, 4, 24), colours[index], "pillow")
add("tga-map-wide.tga", tga(1, 16, mapped.astype("<u2").tobytes(), table, 0, 4, 24), colours[index])
deep = numpy.dstack([colours[None], numpy.array([[255, 0, 128, 64]], "uint8")])[0]
add("tga-map-32.tga", tga(1, 8, mapped.tobytes(), deep[:, [2, 1, 0, 3]].tobytes(), 0, 4, 32, flags=0x28), deep[index])
words = (numpy.array([31, 992, 31744, 21140], "<u2")).tobytes()
low = numpy.array([[0, 0, 31], [0, 31, 0], [31, 0, 0], [20, 20, 20]])
add("tga-map-16.tga", tga(1, 8, mapped.tobytes(), words, 0, 4, 16), rounded(low, 31)[index])
add("tga-unused-map.tga", tga(2, 24, rgb[..., ::-1].tobytes(), bytes(30), 0, 10, 24), rgb)
add("tga-unused-map-runs.tga", tga(10, 24, runs_of(pixels), bytes(64), 0, 16, 32), flat)
add("tga-unused-map-gray.tga", tga(3, 8, gray.tobytes(), bytes(20), 0, 10, 16), gray)
add("tga-empty-map.tga", tga(2, 24, rgb[..., ::-1].tobytes(), has_map=1, entry_bits=24), rgb)
add("tga-stray-map.tga", tga(2, 24, rgb[..., ::-1].tobytes(), entries=256, entry_bits=24), rgb, "pillow")

# ---- GIF ----


def lzw(values, size):
    """Codes that grow, as every encoder makes them."""
    clear, bits, width, table = 1 << size, [], size + 1, {}

    def put(code):
        bits.extend(code >> i & 1 for i in range(width))

    put(clear)
    following, string = clear + 2, ()
    for value in (int(v) for v in values):
        if string == () or string + (value,) in table:
            string += (value,)
            continue
        put(table[string] if len(string) > 1 else string[0])
        if following < 4096:
            table[string + (value,)] = following
            following += 1
            if following > 1 << width and width < 12:
                width += 1
        string = (value,)
    put(table[string] if len(string) > 1 else string[0])
    if following == 1 << width and width < 12:
        width += 1
    put(clear + 1)
    data = numpy.packbits(bits, bitorder="little").tobytes()
    return bytes([size]) + b"".join(bytes([len(data[i : i + 255])]) + data[i : i + 255] for i in range(0, len(data), 255)) + b"\0"


def gif(screen, *blocks, table=colours, end=b";"):
    flags = 0xF1 if table is not None else 0x70
    return b"GIF89a" + struct.pack("<HHBBB", *screen, flags, 0, 0) + (b"" if table is None else table.tobytes()) + b"".join(blocks) + end


def frame(x, y, values, size=2, control=b""):
    height, width = values.shape
    return control + b"," + struct.pack("<HHHHB", x, y, width, height, 0) + lzw(values.reshape(-1), size)


def moving(disposal, transparent=None):
    return b"!\xf9\4" + struct.pack("<BHB", disposal << 2 | (transparent is not None), 10, transparent or 0) + b"\0"


whole = colours[index]
small = index[:3, :4]
for size in (2, 3, 8, 9, 11):
    add(f"gif-codes-{size}.gif", gif((7, 5), frame(0, 0, index, size)), whole, "pillow")
first = whole.copy()
second = whole.copy()
second[3:, 5:] = colours[small[:2, :2]]
add("gif-beyond.gif", gif((7, 5), frame(0, 0, index), frame(5, 3, small)), [first, second])
add("gif-outside.gif", gif((7, 5), frame(0, 0, index), frame(7, 5, small), frame(100, 200, small)), [whole] * 3)
third = whole.copy()
third[:3, :4] = colours[small]
add("gif-beyond-back.gif", gif((7, 5), frame(0, 0, index, control=moving(1)), frame(5, 3, small, control=moving(3)), frame(0, 0, small, control=moving(1))), [first, second, third])
add("gif-larger.gif", gif((4, 3), frame(0, 0, index)), whole[:3, :4])
add("gif-no-screen.gif", gif((0, 0), frame(0, 0, index)), whole)
add("gif-no-width.gif", gif((0, 5), frame(0, 0, index), frame(3, 2, small)), [whole, numpy.vstack([whole[:2], numpy.hstack([whole[2:, :3], colours[small]])])])
add("gif-no-colours.gif", gif((7, 5), frame(0, 0, index * 60, 8), table=None), numpy.repeat((index * 60)[..., None], 3, 2).astype("uint8"), "pillow")
clear = numpy.zeros((1, 1, 4), "uint8")
add("gif-spacer.gif", gif((1, 1), frame(0, 0, numpy.array([[1]]), control=moving(0, 1)), table=None), clear)
zeros = bytes(3)
add("gif-padding.gif", gif((7, 5), zeros, frame(0, 0, index, control=moving(1)), zeros, frame(3, 2, small, control=zeros + moving(1)), zeros, end=zeros + b";" + b"more"), [whole, numpy.vstack([whole[:2], numpy.hstack([whole[2:, :3], colours[small]])])])
add("gif-open-end.gif", gif((7, 5), frame(0, 0, index, control=moving(1)), frame(5, 3, small, control=moving(1)), end=b""), [first, second])

# Pixels of 1 bit, which the specification leaves out: giflib and stb_image widen the codes behind the first one.
bits = numpy.random.default_rng(1).integers(0, 2, (20, 30))
add("gif-codes-1.gif", gif((30, 20), frame(0, 0, bits, 1)), colours[bits], "giflib")


def by_pillow_frames(data):
    image, seen = Image.open(io.BytesIO(data)), []
    for i in range(image.n_frames):
        image.seek(i)
        seen.append(numpy.asarray(image.convert("RGBA")).copy())
        seen[-1][seen[-1][..., 3] == 0] = 0  # no colour shows there
    return seen


def add_frames(name, *blocks, opaque):
    """Frames as Pillow sees them; alpha is left out where all of them are opaque."""
    data = gif((7, 5), *blocks)
    seen = by_pillow_frames(data)
    assert all(frame[..., 3].all() for frame in seen) == opaque, name
    samples.add(name, data, [frame[..., :3] for frame in seen] if opaque else seen)


# Holes that a frame leaves, fills, or shows only behind the last picture; some pixels are painted twice, or not at all.
# Colour 3 is the transparent one: without one, Pillow takes a colour for the background.
few = index % 3
for disposal in (2, 3):
    add_frames(f"gif-holes-filled-{disposal}.gif", frame(0, 0, few, control=moving(disposal, 3)),
               frame(0, 0, few[::-1], control=moving(disposal, 3)), opaque=True)
    add_frames(f"gif-holes-left-{disposal}.gif", frame(0, 0, few, control=moving(1, 3)),
               frame(2, 1, small, control=moving(disposal, 3)), frame(3, 2, small, control=moving(disposal, 3)),
               frame(0, 0, few[:2, :3], control=moving(1, 3)), opaque=disposal == 3)
add_frames("gif-holes-first.gif", frame(1, 1, few[:3, :4], control=moving(1, 3)),
           frame(1, 1, few[:3, :4], control=moving(1, 3)), frame(0, 0, few, control=moving(1, 3)), opaque=False)


# ---- Radiance HDR ----

pixels = random.integers(0, 256, (5, 9, 4)).astype("uint8")
pixels[..., 0] |= 128  # the largest, as writers have it: no pixel is a run by chance
pixels[..., 3] = random.integers(120, 140, (5, 9))


def light(pixels):
    return (pixels[..., :3] * 2.0 ** (pixels[..., 3:].astype("f8") - 136)).astype("float32")


def hdr(size, data, magic=b"#?RADIANCE", more=b""):
    return magic + b"\n" + more + b"FORMAT=32-bit_rle_rgbe\n\n" + size + b"\n" + data


def packed_rows(pixels):
    rows = b""
    for row in pixels:
        rows += struct.pack(">BBH", 2, 2, len(row)) + b"".join(bytes([len(row)]) + row[:, c].tobytes() for c in range(4))
    return rows


add("hdr-packed.hdr", hdr(b"-Y 5 +X 9", packed_rows(pixels)), light(pixels), "opencv")
flat = pixels.copy()
flat[:, 1:8] = flat[:, :1]
rows = b"".join(struct.pack(">BBH", 2, 2, 9) + b"".join(bytes([128 + 8, row[0, c], 1, row[8, c]]) for c in range(4)) for row in flat)
add("hdr-runs.hdr", hdr(b"-Y 5 +X 9", rows), light(flat), "opencv")
add("hdr-plain.hdr", hdr(b"-Y 5 +X 7", pixels[:, :7].tobytes()), light(pixels[:, :7]), "opencv")
old = b"".join(row[0].tobytes() + b"\1\1\1\7" + row[8].tobytes() for row in flat)
add("hdr-old-runs.hdr", hdr(b"-Y 5 +X 9", old), light(flat))
wide = numpy.repeat(pixels[:1, :1], 270, 1)
old = wide[0, 0].tobytes() + b"\1\1\1\x0d\1\1\1\1"  # 13, then 1 times 256
add("hdr-old-long-runs.hdr", hdr(b"-Y 1 +X 270", old), light(wide))
mixed = packed_rows(pixels[:2]) + old[:4] + b"\1\1\1\x08" + packed_rows(pixels[3:])
seen = pixels.copy()
seen[2] = wide[0, 0]
add("hdr-mixed.hdr", hdr(b"-Y 5 +X 9", mixed), light(seen))
turns = {
    "-Y 5 -X 9": lambda a: a[:, ::-1], "+Y 5 +X 9": lambda a: a[::-1], "+Y 5 -X 9": lambda a: a[::-1, ::-1],
    "+X 5 -Y 9": lambda a: a.swapaxes(0, 1), "-X 5 -Y 9": lambda a: a.swapaxes(0, 1)[:, ::-1],
    "+X 5 +Y 9": lambda a: a.swapaxes(0, 1)[::-1], "-X 5 +Y 9": lambda a: a.swapaxes(0, 1)[::-1, ::-1],
}
for size, turned in turns.items():
    name = "hdr" + "".join("-" + ("plus" if s == "+" else "minus") + a.lower() for s, a in ((size[0], size[1]), (size[5], size[6]))) + ".hdr"
    add(name, hdr(size.encode(), packed_rows(pixels)), turned(light(pixels)))
for i, magic in enumerate((b"#?RGBE", b"#?AUTOPANO", b"#?RADIANCE ", b"#?RADIANCE\r")):
    add(f"hdr-magic-{i}.hdr", hdr(b"-Y 5 +X 9", packed_rows(pixels), magic, b"# made by hand\nEXPOSURE=1.0\n"), light(pixels))

# ---- Netpbm ----


def text(values, end=b""):
    return b" ".join(b"%d" % v for v in values.reshape(-1)) + end


few = index % 2
gray[-1, -1] = rgb[-1, -1, -1] = 7  # one digit: nobody sees that a last number of several digits is cut
add("pnm-1.pbm", b"P1\n7 5\n" + text(1 - few), (few * 255).astype("uint8"), "pillow")
add("pnm-1-dense.pbm", b"P1\n7 5\n" + text(1 - few).replace(b" ", b""), (few * 255).astype("uint8"), "pillow")
add("pnm-2.pgm", b"P2\n7 5\n255\n" + text(gray), gray, "pillow")
add("pnm-3.ppm", b"P3 # words\n7 5\n255\n" + text(rgb), rgb, "pillow")
fifteen = random.integers(0, 16, (5, 7))
fifteen[-1, -1] = 5
add("pnm-2-15.pgm", b"P2 7 5 15 " + text(fifteen), rounded(fifteen, 15), "pillow")
deep = random.integers(0, 65536, (5, 7, 3)).astype("uint16")
deep[-1, -1, -1] = 9
add("pnm-3-deep.ppm", b"P3 7 5 65535 " + text(deep, b" "), deep)
add("pnm-4.pbm", b"P4\n7 5\n" + numpy.packbits(1 - few, axis=1).tobytes(), (few * 255).astype("uint8"), "pillow")
add("pnm-5.pgm", b"P5 7 5 255\n" + gray.tobytes(), gray, "pillow opencv")
for most in (1, 15, 100, 254):
    values = random.integers(0, most + 1, (5, 7, 3))
    add(f"pnm-6-{most}.ppm", b"P6\n# up to\n7 5\n%d\n" % most + values.astype("uint8").tobytes(), rounded(values, most), "pillow", 1)
for most in (256, 1023, 4095, 65535):
    values = random.integers(0, most + 1, (5, 7))
    wide = ((values * 65535 + most // 2) // most).astype("uint16")
    add(f"pnm-5-{most}.pgm", b"P5 7 5 %d\n" % most + values.astype(">u2").tobytes(), wide, "pillow", 0 if most == 65535 else 1)


def pam(values, most, kind, depth):
    body = values.astype("u1" if most < 256 else ">u2").tobytes()
    return b"P7\nWIDTH 7\nHEIGHT 5\nDEPTH %d\nMAXVAL %d\nTUPLTYPE %s\nENDHDR\n" % (depth, most, kind) + body


add("pnm-7-bits.pam", pam(few, 1, b"BLACKANDWHITE", 1), (few * 255).astype("uint8"))
add("pnm-7-gray.pam", pam(gray, 255, b"GRAYSCALE", 1), gray, "opencv")
add("pnm-7-gray-alpha.pam", pam(pair, 255, b"GRAYSCALE_ALPHA", 2), pair)
add("pnm-7-rgb.pam", pam(rgb, 255, b"RGB", 3), rgb)
add("pnm-7-rgba.pam", pam(rgba, 255, b"RGB_ALPHA", 4), rgba)
add("pnm-7-deep.pam", pam(deep, 65535, b"RGB", 3), deep)
floats = picture(6, 5, 7, kind="float32")
add("pfm-little.pfm", b"PF\n7 5\n-1.0\n" + floats[::-1].astype("<f4").tobytes(), floats, "opencv")
add("pfm-big.pfm", b"PF\n7 5\n1.0\n" + floats[::-1].astype(">f4").tobytes(), floats, "opencv")
add("pfm-gray.pfm", b"Pf\n7 5\n-1.0\n" + floats[::-1, :, 0].astype("<f4").tobytes(), floats[..., 0], "opencv")
samples.write()
