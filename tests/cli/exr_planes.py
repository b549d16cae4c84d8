"""Reads the channels and texts of an EXR: scan lines of 32 bits, compressed by ZIP (OpenEXR File Layout)."""

import struct
import zlib


def text_at(data, at):
    end = data.index(b"\0", at)
    return data[at:end].decode(), end + 1


def header_of(data):
    """The attributes by name, and where they end."""
    attributes, at = {}, 8
    while data[at]:
        name, at = text_at(data, at)
        _, at = text_at(data, at)
        (size,) = struct.unpack_from("<i", data, at)
        attributes[name] = data[at + 4 : at + 4 + size]
        at += 4 + size
    return attributes, at + 1


def channels_of(chlist):
    """Names and types, in their order; 0 is unsigned int, 2 float."""
    at, found = 0, []
    while chlist[at]:
        name, at = text_at(chlist, at)
        found.append((name, struct.unpack_from("<i", chlist, at)[0]))
        at += 16
    return found


def inflated(packed, size):
    if len(packed) == size:
        return packed
    values = bytearray(zlib.decompress(packed))
    for i in range(1, size):
        values[i] = (values[i - 1] + values[i] - 128) & 255
    half = (size + 1) // 2
    result = bytearray(size)
    result[0::2], result[1::2] = values[:half], values[half:]
    return bytes(result)


def read(path):
    """Width, height, the attributes, and of each channel its values, row by row."""
    data = open(path, "rb").read()
    attributes, at = header_of(data)
    left, top, right, bottom = struct.unpack("<4i", attributes["dataWindow"])
    width, height = right - left + 1, bottom - top + 1
    channels = channels_of(attributes["channels"])
    assert attributes["compression"] == b"\x03", "want ZIP"
    assert channels == sorted(channels), "channels are not in their order"
    planes = {name: [] for name, _ in channels}
    for (offset,) in struct.iter_unpack("<Q", data[at : at + 8 * ((height + 15) // 16)]):
        y, size = struct.unpack_from("<ii", data, offset)
        rows = min(16, bottom + 1 - y)
        block = inflated(data[offset + 8 : offset + 8 + size], rows * width * 4 * len(channels))
        for row in range(rows):
            for i, (name, kind) in enumerate(channels):
                first = (row * len(channels) + i) * width * 4
                planes[name] += struct.unpack_from(f"<{width}{'I' if kind == 0 else 'f'}", block, first)
    return width, height, attributes, planes
