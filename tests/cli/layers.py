"""The layers of an EXR of glint trace against rays in double precision, one by one, for tests/cli/test_figures.sh.

    layers.py FILE.exr [orthographic]

The scene is that of test_figures.sh, seen along -z.
"""

import json
import math
import struct
import sys

import exr_planes

width, height, attributes, planes = exr_planes.read(sys.argv[1])
orthographic = len(sys.argv) > 2
faults = []


def check(what, is_so):
    if not is_so:
        faults.append(what)


# ---- the scene: spheres, a triangle, a ground ----

EYE, ANGLE, UNIT = (0.0, 1.0, 8.0), 35.0, 0.07
SPHERES = [((-1.5, 1, 0), 1, (0.9, 0.4, 0.1), 0), ((1.5, 1, 0), 1, (0.6, 0.8, 1.0), 2), ((0, 0.6, 1.5), 0.6, (1, 1, 1), 1)]
CORNERS, TINT = [(-3, 0, -2), (3, 0, -2), (0, 3, -2)], (0.2, 0.8, 0.3)
SHARES = [1.0, 1.0, 0.9]  # of material 0, glass, metal


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def minus(a, b):
    return tuple(x - y for x, y in zip(a, b))


def along(a, t, b):
    return tuple(x + t * y for x, y in zip(a, b))


def unit(a):
    return tuple(x / math.sqrt(dot(a, a)) for x in a)


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def hits(eye, direction):
    """Every surface on the ray: distance, object, material, normal, colour."""
    for i, (centre, radius, colour, material) in enumerate(SPHERES):
        to = minus(centre, eye)
        middle = dot(to, direction)
        rest = radius**2 - dot(to, to) + middle**2
        if rest > 0:
            distance = middle - math.sqrt(rest)
            normal = unit(minus(along(eye, distance, direction), centre))
            yield distance, f"sphere={i + 1}", material, normal, colour
    normal = unit(cross(minus(CORNERS[1], CORNERS[0]), minus(CORNERS[2], CORNERS[0])))
    distance = dot(minus(CORNERS[0], eye), normal) / dot(direction, normal)
    place = along(eye, distance, direction)
    sides = [dot(cross(minus(CORNERS[(k + 1) % 3], CORNERS[k]), minus(place, CORNERS[k])), normal) for k in range(3)]
    if min(sides) > 0:
        yield distance, "triangle=1", 0, normal, TINT
    if direction[1] < 0:
        distance = -eye[1] / direction[1]
        place = along(eye, distance, direction)
        odd = (math.floor(place[0] / 2) ^ math.floor(place[2] / 2)) & 1
        yield distance, "ground", 0, (0, 1, 0), (0.3,) * 3 if odd else (0.8,) * 3


NUMBERS = {"sphere=1": 1, "sphere=2": 2, "sphere=3": 3, "triangle=1": 4, "ground": 5}
PIXEL = 2 * math.tan(math.radians(ANGLE) / 2) / height


def seen_in(x, y):
    """The 16 rays of a pixel, and the nearest surface on each."""
    for i in range(16):
        across, down = (i % 4 + 0.5) / 4, (i // 4 + 0.5) / 4
        if orthographic:  # its pixels' middles lie on multiples of the unit; depths are from z = 0
            eye = ((x + across - 0.5 - width // 2) * UNIT, 1 + (height // 2 - y - down + 0.5) * UNIT, 0.0)
            yield (0, 0, -1), min(hits(eye, (0, 0, -1)), default=None)
            continue
        direction = unit(((x + across - width / 2) * PIXEL, (height / 2 - y - down) * PIXEL, -1.0))
        yield direction, min(hits(EYE, direction), default=None)


# MurmurHash3_32 of these names, by mmh3 5.3 from pip.
HASHES = {
    "sphere=1": 0x93A98D78,
    "sphere=2": 0xB45069EA,
    "sphere=3": 0x1EEDA21B,
    "triangle=1": 0xDD9EE753,
    "ground": 0xC5B51EDE,
    "material=0": 0x2C369392,
    "material=1": 0xC63D5433,
    "material=2": 0xE0243EF3,
}


def names_of(layer, key):
    text = attributes[f"cryptomatte/{key}/manifest"]
    check(f"{layer} is {key}", attributes[f"cryptomatte/{key}/name"] == layer.encode())
    manifest = json.loads(text)
    check(f"hashes of {layer}", all(int(value, 16) == HASHES[name] for name, value in manifest.items()))
    return {HASHES[name]: name for name in manifest}


def shares_of(layer, names, pixel):
    """The names that a pixel's ranks have, and the shares that they cover."""
    found, before = {}, 1.0
    for rank in range(6):
        id_ = planes[f"{layer}{rank // 2:02}.{'rb'[rank % 2]}"][pixel]
        share = planes[f"{layer}{rank // 2:02}.{'ga'[rank % 2]}"][pixel]
        check("ranks fall", share <= before)
        before = share
        if share > 0:
            found[names[struct.unpack("<I", struct.pack("<f", id_))[0]]] = share
    return found


objects = names_of("CryptoObject", "3ae39a5")
materials = names_of("CryptoMaterial", "be359d6")
astray = 0  # pixels with a ray that grazes: single precision may see something else
for y in range(height):
    for x in range(width):
        pixel, seen = y * width + x, list(seen_in(x, y))
        found = [hit for _, hit in seen if hit]
        wanted = {}
        for hit in found:
            wanted[hit[1]] = wanted.get(hit[1], 0) + 1 / 16
        if shares_of("CryptoObject", objects, pixel) != wanted:
            astray += 1
            continue
        of_materials = {}
        for hit in found:
            of_materials[f"material={hit[2]}"] = of_materials.get(f"material={hit[2]}", 0) + 1 / 16
        check("materials", shares_of("CryptoMaterial", materials, pixel) == of_materials)
        most = max(wanted.values(), default=0)
        numbers = {NUMBERS[name] for name, share in wanted.items() if share == most}
        number = planes["id"][pixel]
        check("id", number in numbers if most >= 1 - len(found) / 16 else number == 0)
        depth = min((hit[0] * -direction[2] for direction, hit in seen if hit), default=math.inf)
        own = planes["Z"][pixel]
        check("depth", own == depth or abs(own - depth) < 1e-4 * max(1, abs(depth)))
        for c in range(3):
            normal = sum(hit[3][c] for hit in found) / 16
            albedo = sum(hit[4][c] * SHARES[hit[2]] for hit in found) / 16
            check("normal", abs(planes["normal." + "XYZ"[c]][pixel] - normal) < 1e-4)
            check("albedo", abs(planes["albedo." + "RGB"[c]][pixel] - albedo) < 1e-4)
check(f"{astray} pixels astray", astray <= width * height // 500)
for fault in sorted(set(faults)):
    print(f"{fault} ({faults.count(fault)} times)")
sys.exit(bool(faults))
