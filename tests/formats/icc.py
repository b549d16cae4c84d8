"""Pictures with ICC profiles made by hand (ICC.1:2010): icc-NAME.png, each in sRGB, icc-NAME-srgb.png, and half as
large, averaged in linear light, icc-NAME-half.png. This script computes the sRGB pictures from the definitions of the
colour spaces. They are Adobe RGB (1998), eciRGB v2 with CIE L* as its curve, and gray of gamma 1.8 in 16 bits.
tests/cli/test_icc.sh compares.

icc-monitor.icc is a monitor's profile, with the primaries of Adobe RGB and gamma 2.2. icc-p3.png has Display P3 by its
profile, icc-cicp.png the same values with P3 by cICP, and icc-pq.png with BT.2020 and PQ. icc-p3-srgb.png and
icc-p3-monitor.png show them on a monitor of sRGB and on that one, and icc-plain-monitor.png shows the values as sRGB on
it. icc-gamut.png has three blocks in P3: a gray, a green beyond sRGB, and a pale red within it.
tests/view/test_colour.sh compares."""

import struct
import zlib

import numpy
from PIL import Image

from samples import FOLDER, picture

D50 = numpy.array([0.9642, 1, 0.8249])
BRADFORD = numpy.array([[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]])
SRGB = [(0.64, 0.33), (0.30, 0.60), (0.15, 0.06)], (0.3127, 0.3290)
ADOBE = [(0.64, 0.33), (0.21, 0.71), (0.15, 0.06)], (0.3127, 0.3290)
P3 = [(0.68, 0.32), (0.265, 0.69), (0.15, 0.06)], (0.3127, 0.3290)
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


def stored(matrix):
    """As a profile rounds it: curves of powers are steep enough at black to show that."""
    return numpy.rint(matrix * 65536) / 65536


def srgb_decode(value):
    return numpy.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def shown(values, matrix, on, encode):
    light = srgb_decode(values / 255) @ (numpy.linalg.inv(on) @ matrix).T
    return numpy.rint(255 * encode(numpy.clip(light, 0, 1))).astype("uint8")


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


p3 = profile(b"RGB ", tag(b"para", struct.pack(">HH", 3, 0) + b"".join(map(number, (2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045)))), P3)
monitor = profile(b"RGB ", gamma_curve(GAMMA), ADOBE)
(FOLDER / "icc-monitor.icc").write_bytes(monitor)
values = picture(5, 16, 24)
values[:4] = numpy.linspace(0, 255, 24).round()[:, None]
values[4:6, :, 1:] = 0
write("icc-p3.png", values, p3)
P3_LIGHT, MONITOR_LIGHT = stored(to_d50(*P3)), stored(to_d50(*ADOBE))
write("icc-p3-srgb.png", shown(values, P3_LIGHT, to_d50(*SRGB), srgb_encode))
write("icc-p3-monitor.png", shown(values, P3_LIGHT, MONITOR_LIGHT, lambda light: light ** (1 / GAMMA)))
write("icc-plain-monitor.png", shown(values, to_d50(*SRGB), MONITOR_LIGHT, lambda light: light ** (1 / GAMMA)))
write("icc-cicp.png", values)
data = (FOLDER / "icc-cicp.png").read_bytes()
(FOLDER / "icc-cicp.png").write_bytes(data[:33] + chunk(b"cICP", bytes((12, 13, 0, 1))) + data[33:])
(FOLDER / "icc-pq.png").write_bytes(data[:33] + chunk(b"cICP", bytes((9, 16, 0, 1))) + data[33:])
write("icc-gamut.png", numpy.repeat(numpy.array([[[128] * 3, [0, 200, 0], [200, 180, 180]]], "uint8"), 16, axis=1).repeat(16, axis=0), p3)
