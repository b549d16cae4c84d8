"""Reads an animated PNG of 8-bit RGB as its specification says, and fails where it is none:
`apng.py FILE STEM NUMBER...` writes the pictures of these numbers, counted from 1, as STEM-NUMBER.ppm."""
import struct
import sys
import zlib


def chunks(data):
    at = 8
    while at < len(data):
        size, kind = struct.unpack('>I4s', data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        assert struct.unpack('>I', data[at + 8 + size:at + 12 + size])[0] == zlib.crc32(kind + body), kind
        yield kind, body
        at += 12 + size


def rows(packed, width, height):
    data, before = zlib.decompress(packed), bytearray(3 * width)
    for y in range(height):
        start = y * (3 * width + 1)
        line = bytearray(data[start + 1:start + 1 + 3 * width])
        for i in range(len(line)):
            left, above = line[i - 3] if i >= 3 else 0, before[i]
            line[i] = line[i] + {0: 0, 1: left, 2: above}[data[start]] & 255
        yield line
        before = line


path, stem, wanted = sys.argv[1], sys.argv[2], sys.argv[3:]
parts, sequence, promised = [], 0, None
with open(path, 'rb') as file:
    for kind, body in chunks(file.read()):
        if kind == b'IHDR':
            width, height = struct.unpack('>II', body[:8])
        elif kind == b'acTL':
            promised = struct.unpack('>I', body[:4])[0]
        if kind in (b'fcTL', b'fdAT'):
            assert struct.unpack('>I', body[:4])[0] == sequence, sequence
            sequence += 1
        if kind == b'fcTL':
            parts.append([struct.unpack('>IIII', body[4:20]), b''])
        elif kind == b'IDAT':
            assert len(parts) == 1 and parts[0][0] == (width, height, 0, 0)
            parts[-1][1] += body
        elif kind == b'fdAT':
            parts[-1][1] += body[4:]
assert promised == len(parts), promised
canvas = bytearray(3 * width * height)
for number, ((w, h, x, y), packed) in enumerate(parts, 1):
    assert x + w <= width and y + h <= height
    for i, line in enumerate(rows(packed, w, h)):
        start = 3 * ((y + i) * width + x)
        canvas[start:start + 3 * w] = line
    if str(number) in wanted:
        with open(f'{stem}-{number}.ppm', 'wb') as file:
            file.write(b'P6\n%d %d\n255\n' % (width, height) + canvas)
