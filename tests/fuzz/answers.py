#!/usr/bin/env python3
"""answers.py FOLDER: the seeds of fuzz_answer.c: answers as core/codec/sandbox_answer.h has them, without the gap behind the head."""
import struct
import sys

COMPLETE, HEAD = 0x746E6C67, 4096
U8, U16, F32 = 0, 1, 2


def head(status=0, why=b"", measure=b"", first=0, part=(0, 0, 0)):
    return struct.pack("<II1024s72sQQQQ", COMPLETE, status, why, measure, first, *part)


def measure(width, height, channels, kind, format=0, count=1, further=0, working=0, orientation=0, extras=0, multiplied=0):
    rest = (format, count, further, working, orientation, extras, multiplied, 0)
    return struct.pack("<QQIIQQQQIIII", width, height, channels, kind, *rest)


def answer(pictures, part=(0, 0, 0)):
    """Pictures are (shape, pixels, blocks, seconds, premultiplied, colours)."""
    body = b""
    links = []
    for shape, pixels, blocks, seconds, premultiplied, colours in pictures:
        places = []
        for data in (pixels, *blocks):
            places.append((HEAD + len(body), len(data)) if data else (0, 0))
            body += data + bytes(-len(data) % 8)
        links.append(HEAD + len(body))
        body += struct.pack("<QQIIQ", *shape, places[0][0])
        for place in places[1:]:
            body += struct.pack("<QQ", *place)
        body += struct.pack("<dddII", 2835.0, 2835.0, seconds, 0, 0)
        body += bytes([premultiplied, *colours]) + struct.pack(">I", 45455) + bytes(32) + bytes([9, 16, 0, 1])
        body += bytes(4) + struct.pack("<Q", 0)
    for i, link in enumerate(links[1:]):
        end = links[i] - HEAD + 184
        body = body[: end - 8] + struct.pack("<Q", link) + body[end:]
    further = sum(len(pixels) for _, pixels, *_ in pictures[1:])
    said = measure(*pictures[0][0], count=len(pictures), further=further, multiplied=pictures[0][4])
    return head(measure=said, first=links[0], part=part) + body


EXIF = b"II*\0" + struct.pack("<IHHHIII", 8, 1, 0x0112, 3, 1, 1, 0)
XMP = b'<x:xmpmeta xmlns:x="adobe:ns:meta/"/>'
TEXT = b"Comment\0a word\0Author\0J\xc3\xb8rn\0"
PROFILE = struct.pack(">I", 132) + bytes(32) + b"acsp" + bytes(92)
NONE = (b"", b"", b"", b"")
seeds = {
    "header": head(measure=measure(640, 480, 3, U16, 1, 3, 1000, 5000, 6, 64)),
    "refused": head(3, b"damaged PNG: the file ends early\0"),
    "plain": answer([((3, 2, 3, U8), bytes(range(18)), NONE, 0.0, 0, (0, 0, 0))]),
    "everything": answer([((2, 2, 4, U16), bytes(range(32)), (PROFILE, EXIF, XMP, TEXT), 0.0, 0, (1, 1, 1))]),
    "frames": answer([((2, 1, 4, U8), bytes([i] * 8), NONE, 0.1, 0, (0, 0, 0)) for i in range(3)]),
    "light": answer([((1, 2, 4, F32), struct.pack("<8f", *range(8)), NONE, 0.0, 1, (0, 0, 0))]),
    "part": answer([((3, 2, 3, U8), bytes(range(18)), NONE, 0.0, 0, (0, 0, 0))], (2, 1, 1)) + b"\x02",
    "gray": answer([((5, 1, 1, U8), b"grays", (b"", b"", b"", TEXT), 0.0, 0, (1, 0, 0))]),
}
for name, data in seeds.items():
    with open(f"{sys.argv[1]}/{name}", "wb") as file:
        file.write(data)
