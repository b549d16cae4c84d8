"""Cases of rotate, warp and distort. Places are OpenCV's: initUndistortRectifyMap, getRotationMatrix2D, and
perspectiveTransform. Values are read there by the formulas in numpy, since OpenCV rounds weights to 1/32 of a pixel."""

import cv2
import numpy

from cases import Cases, noise

MODES = {"clamp": cv2.BORDER_REPLICATE, "mirror": cv2.BORDER_REFLECT_101, "wrap": cv2.BORDER_WRAP}
cases = Cases(__file__, f"OpenCV {cv2.__version__}, numpy {numpy.__version__}")


def stored(values, kind):
    if kind == "float32":
        return values.astype(kind)
    return numpy.floor(numpy.clip(values + 0.5 + 1 / 4096, 0, numpy.iinfo(kind).max)).astype(kind)


def catmull_rom(t):
    return [((-t + 2) * t - 1) * t / 2, ((3 * t - 5) * t * t + 2) / 2, ((-3 * t + 4) * t + 1) * t / 2, (t - 1) * t * t / 2]


def read(image, u, v, by, border="clamp"):
    """The image at (u, v), arrays of the result's shape; OpenCV continues it beyond its edges."""
    far = 40
    real = numpy.atleast_3d(image.astype(numpy.float64))
    if border.startswith("constant"):
        value = float(border.split("=")[1])
        real = numpy.pad(real, ((far, far), (far, far), (0, 0)), constant_values=value)
    else:
        real = numpy.atleast_3d(cv2.copyMakeBorder(real, far, far, far, far, MODES[border]))
    u, v = u + far, v + far
    if by == "nearest":
        return real[numpy.floor(v + 0.5 + 1e-6).astype(int), numpy.floor(u + 0.5 + 1e-6).astype(int)]
    left, top = numpy.floor(u).astype(int), numpy.floor(v).astype(int)
    across, down, first = [1 - (u - left), u - left], [1 - (v - top), v - top], 0
    if by == "cubic":
        across, down, first = catmull_rom(u - left), catmull_rom(v - top), -1
    return sum((down[j] * across[i])[..., None] * real[top + first + j, left + first + i]
               for j in range(len(down)) for i in range(len(across)))


def places(width, height):
    return numpy.meshgrid(numpy.arange(width, dtype=float), numpy.arange(height, dtype=float))


def homography(matrix, width, height):
    x, y = places(width, height)
    points = numpy.stack([x, y], axis=-1).reshape(1, -1, 2)
    there = cv2.perspectiveTransform(points, numpy.linalg.inv(matrix)).reshape(height, width, 2)
    return there[..., 0], there[..., 1]


written = "1.1 0.2 -1 -0.1 0.9 1 0.02 0.01 1"
matrix = numpy.array(written.split(), float).reshape(3, 3)
for kind, by, border, within in (("uint8", "linear", "clamp", 0), ("uint8", "cubic", "mirror", 0),
                                 ("uint8", "nearest", "wrap", 0), ("uint16", "linear", "constant=1000", 0),
                                 ("float32", "cubic", "clamp", 4e-6)):
    image = noise(1, 6, 8, 3, kind)
    u, v = homography(matrix, 9, 7)
    cases.add(f"warp={written}:9:7:by={by}", image, stored(read(image, u, v, by, border), kind), within, border)

# Four corners in percent become those of a rectangle: of their mean lengths and middle, of a ratio, or alone.
corners = numpy.array([[10, 20], [80, 5], [95, 90], [5, 80]], float)
image = noise(6, 10, 12, 3)
there = corners / 100 * [12, 10] - 0.5
lengths = numpy.linalg.norm(numpy.roll(there, -1, axis=0) - there, axis=1)
for ratio, part in ((0, False), (1.5, False), (0, True), (0.5, True)):
    pick = numpy.maximum if part else lambda a, b: (a + b) / 2
    across, down = pick(lengths[0], lengths[2]), pick(lengths[1], lengths[3])
    if ratio:
        across, down = numpy.sqrt(across * down * ratio), numpy.sqrt(across * down / ratio)
    width, height, middle = 12, 10, there.mean(axis=0)
    if part:
        across, down = width, height = round(across), round(down)
        middle = numpy.array([(width - 1) / 2, (height - 1) / 2])
    signs = numpy.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    rectangle = middle + signs * numpy.array([across, down]) / 2
    matrix = cv2.getPerspectiveTransform(there.astype(numpy.float32), rectangle.astype(numpy.float32))
    u, v = homography(matrix, width, height)
    written = " ".join(f"{n:g}" for n in corners.ravel())
    cases.add(f"perspective={written}:{'part' if part else 'picture'}:{ratio:g}:colour=40", image,
              stored(read(image, u, v, "linear", "constant=40"), "uint8"), 1)

# Lines become upright and level: corners lie where they cross each other, or the picture's edges.
image = noise(8, 10, 12, 3)
edges = [[(0, 0), (100, 0)], [(100, 0), (100, 100)], [(100, 100), (0, 100)], [(0, 100), (0, 0)]]  # from the top on
for given in ({3: [(20, 90), (30, 10)], 1: [(80, 90), (70, 5)]}, {2: [(10, 80), (90, 90)], 0: [(95, 15), (5, 20)]},
              {1: [(80, 90), (70, 5)], 0: [(5, 20), (95, 15)], 3: [(30, 10), (20, 90)], 2: [(10, 80), (90, 90)]}):
    ends = numpy.array([given.get(side, edges[side]) for side in range(4)], float) / 100 * [12, 10] - 0.5
    through = [numpy.cross([*a, 1], [*b, 1]) for a, b in ends]
    meet = [numpy.cross(through[side - 1], through[side]) for side in range(4)]
    there = numpy.array([p[:2] / p[2] for p in meet])
    lengths = numpy.linalg.norm(numpy.roll(there, -1, axis=0) - there, axis=1)
    size = numpy.array([lengths[0] + lengths[2], lengths[1] + lengths[3]]) / 2
    rectangle = there.mean(axis=0) + numpy.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * size / 2
    matrix = cv2.getPerspectiveTransform(there.astype(numpy.float32), rectangle.astype(numpy.float32))
    u, v = homography(matrix, 12, 10)
    written = "; ".join(" ".join(f"{n:g}" for n in numpy.ravel(line)) for line in given.values())
    cases.add(f"perspective=lines={written}:colour=40", image,
              stored(read(image, u, v, "linear", "constant=40"), "uint8"), 1)

# A warp that OpenCV reads exactly, too: eighths of pixels, of whole multiples of 64.
image = noise(2, 7, 9) // 64 * 64
affine = numpy.array([[1, 0, 0.625], [0, 1, -0.25]])
exact = cv2.warpAffine(image.astype(numpy.float32), affine, (9, 7), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
cases.add("warp=1 0 0.625 0 1 -0.25", image, stored(exact.astype(numpy.float64), "uint8"), 0)

image = noise(3, 7, 10, 1)
camera = numpy.array([[6.0, 0, 4.5], [0, 6.0, 3]])
camera = numpy.vstack([camera, [0, 0, 1]])
maps = cv2.initUndistortRectifyMap(camera, numpy.array([-0.2, 0.05, 0.01, -0.02, 0.03]), None, camera, (10, 7), cv2.CV_32FC1)
u, v = (m.astype(numpy.float64) for m in maps)
cases.add("distort=-0.2:0.05:0.03:0.01:-0.02:focal=6", image, stored(read(image, u, v, "linear"), "uint8"), 1)
image = noise(3, 7, 10, 1, "float32")
cases.add("distort=-0.2:0.05:0.03:0.01:-0.02:focal=6", image, stored(read(image, u, v, "linear"), "float32"), 1e-5)

image = noise(4, 5, 8, 3)
for quarters in (1, 2, 3):
    cases.add(f"rotate={90 * quarters}", image, numpy.rot90(image, -quarters), 0)
cases.add("rotate=-90", image, numpy.rot90(image), 0)
turned = numpy.zeros((5, 8, 3), numpy.uint8)
turned[:, 2:7] = numpy.rot90(image, -1)[1:6]
cases.add("rotate=90:keep:colour=0", image, turned, 0)
for degrees in (30, -100):
    turn = numpy.vstack([cv2.getRotationMatrix2D((3.5, 2), -degrees, 1), [0, 0, 1]])  # OpenCV turns the other way round
    u, v = homography(turn, 8, 5)
    cases.add(f"rotate={degrees}:keep", image, stored(read(image, u, v, "linear"), "uint8"), 0)
cosine, sine = numpy.cos(numpy.radians(30)), numpy.sin(numpy.radians(30))
width, height = int(numpy.ceil(8 * cosine + 5 * sine)), int(numpy.ceil(8 * sine + 5 * cosine))
turn = numpy.vstack([cv2.getRotationMatrix2D((3.5, 2), -30, 1), [0, 0, 1]])
turn = numpy.array([[1, 0, (width - 1) / 2 - 3.5], [0, 1, (height - 1) / 2 - 2], [0, 0, 1]]) @ turn
u, v = homography(turn, width, height)
cases.add("rotate=30:by=cubic:colour=9", image, stored(read(image, u, v, "cubic", "constant=9"), "uint8"), 0)

# The largest rectangle inside: by its formula where two corners touch, and where four do; or of the same proportions.
for shape, degrees, crop, width, height in (((5, 8), 20, "largest", 7, 2), ((12, 13), -5, "largest", 12, 10),
                                            ((5, 8), 20, "proportions", 5, 3)):
    image = noise(7, *shape, 3)
    turn = numpy.vstack([cv2.getRotationMatrix2D(((shape[1] - 1) / 2, (shape[0] - 1) / 2), -degrees, 1), [0, 0, 1]])
    turn = numpy.array([[1, 0, (width - shape[1]) / 2], [0, 1, (height - shape[0]) / 2], [0, 0, 1]]) @ turn
    u, v = homography(turn, width, height)
    cases.add(f"straighten={degrees}:{crop}", image, stored(read(image, u, v, "linear"), "uint8"), 0)

# A NaN makes NaN of all that read it, also with weight 0.
image = noise(5, 5, 5, 1, "float32")
image[2, 2] = numpy.nan
u, v = homography(numpy.array([[1, 0, 0.5], [0, 1, 0], [0, 0, 1]]), 5, 5)
cases.add("warp=1 0 0.5 0 1 0", image, stored(read(image, u, v, "linear"), "float32"), 1e-6)
cases.write()
