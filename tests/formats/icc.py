"""Pictures with ICC profiles made by hand (ICC.1:2010): icc-NAME.png, each in sRGB, icc-NAME-srgb.png, and half as
large, averaged in linear light, icc-NAME-half.png. This script computes the sRGB pictures from the definitions of the
colour spaces: Adobe RGB (1998) and eciRGB v2 with CIE L* as its curve; gray of gamma 1.8 in 16 bits.
tests/cli/test_icc.sh compares."""

import struct

import numpy
from PIL import Image

from samples import FOLDER, picture

D50 = numpy.array([0.9642, 1, 0.8249])
BRADFORD = numpy.array([[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]])
SRGB = [(0.64, 0.33), (0.30, 0.60), (0.15, 0.06)], (0.3127, 0.3290)
ADOBE = [(0.64, 0.33), (0.21, 0.71), (0.15, 0.06)], (0.3127, 0.3290)
ECI = [(0.67, 0.33), (0.21, 0.71), (0.14, 0.08)], (0.3457, 0.3585)


def xyz(x, y):
    return numpy.array([x / y, 1, (1 - x - y) / y])


def to_d50(primaries, white):
    """Linear RGB to XYZ under D50."""
    matrix = numpy.array([xyz(*p) for p in primaries]).T
    matrix = matrix * numpy.linalg.solve(matrix, xyz(*white))
    return numpy.linalg.inv(BRADFORD) @ numpy.diag((BRADFORD @ D50) / (BRADFORD @ xyz(*white))) @ BRADFORD @ matrix


def srgb_encode(light):
    light = numpy.clip(light, 0, 1)
    return numpy.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)


def l_star(value):
    value = value * 100
    return numpy.where(value > 8, ((value + 16) / 116) ** 3, value * 27 / 24389)


def l_star_back(light):
    return numpy.where(light > 216 / 24389, 1.16 * numpy.cbrt(light) - 0.16, light * 24389 / 2700)


def number(value):
    return struct.pack(">i", round(value * 65536))


def tag(kind, data):
    data = kind + bytes(4) + data
    return data + bytes(-len(data) % 4)


def profile(space, curve, primaries=None):
    """An ICC profile of version 2: a monitor's, or a gray one."""
    text = b"made by hand\0"
    tags = [(b"desc", tag(b"desc", struct.pack(">I", len(text)) + text + bytes(78))), (b"cprt", tag(b"text", b"none\0")),
            (b"wtpt", tag(b"XYZ ", b"".join(map(number, D50))))]
    if primaries:
        columns = to_d50(*primaries).T
        tags += [(name + b"XYZ", tag(b"XYZ ", b"".join(map(number, column)))) for name, column in zip((b"r", b"g", b"b"), columns)]
        tags += [(b"rTRC", curve), (b"gTRC", None), (b"bTRC", None)]
    else:
        tags.append((b"kTRC", curve))
    table, body, place = struct.pack(">I", len(tags)), b"", None
    start = 128 + 4 + 12 * len(tags)
    for name, data in tags:
        if data is not None:
            place = start + len(body), len(data)
            body += data
        table += name + struct.pack(">II", *place)
    head = struct.pack(">I4sI4s4s4s6H", start + len(body), bytes(4), 0x02100000, b"mntr", space, b"XYZ ", 2026, 1, 1, 0, 0, 0)
    head += b"acsp" + bytes(24) + struct.pack(">I", 1) + b"".join(map(number, D50))
    return head.ljust(128, b"\0") + table + body


def gamma_curve(gamma):
    return tag(b"curv", struct.pack(">IH", 1, round(gamma * 256)))


def sampled_curve(values):
    return tag(b"curv", struct.pack(">I", len(values)) + numpy.rint(values * 65535).astype(">u2").tobytes())


def write(name, values, icc=None):
    options = {"icc_profile": icc} if icc else {}
    Image.fromarray(values).save(FOLDER / name, **options)


def add(name, values, icc, decode, encode, primaries=None):
    white = numpy.iinfo(values.dtype).max
    light = decode(values / white)
    matrix = numpy.linalg.inv(to_d50(*SRGB)) @ to_d50(*primaries) if primaries else None
    seen = light @ matrix.T if primaries else light
    half = light.reshape(6, 2, 9, 2, -1).mean(axis=(1, 3)).reshape(6, 9, *light.shape[2:])
    write(f"icc-{name}.png", values, icc)
    write(f"icc-{name}-srgb.png", numpy.rint(srgb_encode(seen) * white).astype(values.dtype))
    write(f"icc-{name}-half.png", numpy.rint(encode(half) * white).astype(values.dtype))


GAMMA = 563 / 256
add("adobe", picture(1, 12, 18), profile(b"RGB ", gamma_curve(GAMMA), ADOBE), lambda v: v**GAMMA, lambda v: v ** (1 / GAMMA),
    ADOBE)
add("eci", picture(2, 12, 18), profile(b"RGB ", sampled_curve(l_star(numpy.linspace(0, 1, 1024))), ECI), l_star, l_star_back,
    ECI)
GRAY = round(1.8 * 256) / 256
add("gray", picture(3, 12, 18, 1, "uint16"), profile(b"GRAY", gamma_curve(1.8)), lambda v: v**GRAY, lambda v: v ** (1 / GRAY))
