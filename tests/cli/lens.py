"""Checks the filter lens against Lensfun's own functions, which ctypes calls.
   lens.py draw WIDTH HEIGHT                        writes x.pfm and y.pfm, whose values are columns and rows, and flat.pfm
   lens.py check CAMERA LENS FOCAL APERTURE SCALE   compares u.pfm, v.pfm and light.pfm, the results, pixel by pixel"""

import ctypes
import struct
import sys

FLAT = 0.25
TCA, VIGNETTING, DISTORTION, SCALE = 1, 2, 8, 32
F32, RED_GREEN_BLUE, RECTILINEAR = 3, 4 | 5 << 4 | 6 << 8, 1


def write(path, width, height, value):
    with open(path, "wb") as file:
        file.write(b"PF\n%d %d\n-1.0\n" % (width, height))
        for y in reversed(range(height)):
            file.write(b"".join(struct.pack("<3f", *[value(x, y)] * 3) for x in range(width)))


def read(path):
    with open(path, "rb") as file:
        assert file.readline() == b"PF\n", path
        width, height = map(int, file.readline().split())
        order = "<" if float(file.readline()) < 0 else ">"
        values = struct.unpack(f"{order}{3 * width * height}f", file.read())
    rows = [values[3 * width * y : 3 * width * (y + 1)] for y in range(height)]
    return width, height, rows[::-1]


def library():
    lens = ctypes.CDLL("liblensfun.so.1")
    for name, result, *arguments in (
        ("lf_db_new", "P"), ("lf_db_load", "i", "P"),
        ("lf_db_find_cameras_ext", "P", "P", "s", "s", "i"), ("lf_db_find_lenses_hd", "P", "P", "P", "s", "s", "i"),
        ("lf_modifier_new", "P", "P", "f", "i", "i"),
        ("lf_modifier_initialize", "i", "P", "P", "i", "f", "f", "f", "f", "i", "i", "i"),
        ("lf_modifier_apply_subpixel_geometry_distortion", "i", "P", "f", "f", "i", "i", "P"),
        ("lf_modifier_apply_color_modification", "i", "P", "P", "f", "f", "i", "i", "i", "i"),
    ):
        types = {"P": ctypes.c_void_p, "i": ctypes.c_int, "f": ctypes.c_float, "s": ctypes.c_char_p}
        getattr(lens, name).restype = types[result]
        getattr(lens, name).argtypes = [types[each] for each in arguments]
    return lens


class Camera(ctypes.Structure):
    _fields_ = [("maker", ctypes.c_void_p), ("model", ctypes.c_void_p), ("variant", ctypes.c_void_p),
                ("mount", ctypes.c_char_p), ("crop", ctypes.c_float), ("score", ctypes.c_int)]


def first(found):
    assert found, "Lensfun knows it not"
    return ctypes.cast(found, ctypes.POINTER(ctypes.c_void_p))[0]


def decoded(value):
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def encoded(light):
    return light * 12.92 if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055


def check(camera, name, focal, aperture, scale):
    lens = library()
    database = lens.lf_db_new()
    assert lens.lf_db_load(database) == 0, "Lensfun has no database"
    found = first(lens.lf_db_find_cameras_ext(database, None, camera.encode(), 0))
    crop = ctypes.cast(found, ctypes.POINTER(Camera))[0].crop
    model = first(lens.lf_db_find_lenses_hd(database, found, None, name.encode(), 0))
    width, height, across = read("u.pfm")
    down, light = read("v.pfm")[2], read("light.pfm")[2]

    def modifier(flags, some=False):
        made = lens.lf_modifier_new(model, crop, width, height)
        got = lens.lf_modifier_initialize(made, model, F32, focal, aperture, 1000, scale, RECTILINEAR, flags, 0)
        assert some or got & flags == flags, f"Lensfun corrects {got} of {flags}"
        return made, got & flags

    # One pixel a call: Lensfun's vectors (SSE), which take four places at once, have inverses and roots of 12 bits.
    places, one = [], (ctypes.c_float * 6)()
    bent, _ = modifier(TCA | DISTORTION | (SCALE if scale != 1 else 0))
    for y in range(height):
        for x in range(width):
            assert lens.lf_modifier_apply_subpixel_geometry_distortion(bent, x, y, 1, 1, one)
            places += one
    colours = (ctypes.c_float * (3 * width * height))(*[decoded(FLAT)] * (3 * width * height))
    bright, darkens = modifier(VIGNETTING, True)
    assert not darkens or lens.lf_modifier_apply_color_modification(
        bright, colours, 0, 0, width, height, RED_GREEN_BLUE, 12 * width)
    farthest = brightest = moved = apart = gain = 0
    for y in range(height):
        for x in range(width):
            for c in range(3):
                i = 6 * (width * y + x) + 2 * c
                u, v = (min(max(at, 0), most) for at, most in ((places[i], width - 1), (places[i + 1], height - 1)))
                farthest = max(farthest, abs(across[y][3 * x + c] - u), abs(down[y][3 * x + c] - v))
                moved = max(moved, abs(places[i] - x), abs(places[i + 1] - y))
                apart = max(apart, abs(places[i] - places[6 * (width * y + x) + 2]))
                want = encoded(colours[3 * (width * y + x) + c])
                brightest = max(brightest, abs(light[y][3 * x + c] - want))
                gain = max(gain, want / FLAT)
    print(f"{name}: places within {farthest:.4f} pixels, values within {brightest:.5f}; "
          f"moved by {moved:.2f}, apart by {apart:.3f}, brighter {gain:.2f} times")
    assert farthest < 0.001 and brightest < 0.001 and moved > 0.5 and apart > 0.003
    assert gain > 1.02 or not darkens


if sys.argv[1] == "draw":
    width, height = int(sys.argv[2]), int(sys.argv[3])
    write("x.pfm", width, height, lambda x, y: x)
    write("y.pfm", width, height, lambda x, y: y)
    write("flat.pfm", width, height, lambda x, y: FLAT)
else:
    check(sys.argv[2], sys.argv[3], *map(float, sys.argv[4:7]))
