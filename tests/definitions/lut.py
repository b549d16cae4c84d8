"""Cases of lut: tables of colours, by the six tetrahedra written out in numpy, and by numpy.interp."""

import numpy

from cases import Cases, noise

cases = Cases(__file__, f"numpy {numpy.__version__}, by the formulas of OpenColorIO's tetrahedral interpolation")
WHITE = {"uint8": 255, "uint16": 65535, "float32": 1}


def table(side, seed, low=(0, 0, 0), high=(1, 1, 1)):
    """cube[b, g, r] and the image that it travels in: the domain, then the rows."""
    grid = numpy.linspace(0, 1, side)
    b, g, r = numpy.meshgrid(grid, grid, grid, indexing="ij")
    cube = numpy.stack([r ** 0.8, g * 0.9 + 0.1 * r, b * (1 - 0.3 * g)], axis=3)
    cube += numpy.random.default_rng(seed).normal(0, 0.05, cube.shape)
    cube = cube.astype(numpy.float32)
    image = numpy.zeros((1 + side * side, side, 3), numpy.float32)
    image[0, 0], image[0, 1] = low, high
    image[1:] = cube.reshape(side * side, side, 3)
    return cube.astype(numpy.float64), image


def tetrahedral(cube, colour, low, high):
    side = cube.shape[0]
    at = numpy.clip((colour - low) / (numpy.asarray(high, float) - low), 0, 1) * (side - 1)
    i = numpy.minimum(at.astype(int), side - 2)
    fr, fg, fb = at - i
    c = lambda r, g, b: cube[i[2] + b, i[1] + g, i[0] + r]
    if fr > fg:
        if fg > fb:
            return (1 - fr) * c(0, 0, 0) + (fr - fg) * c(1, 0, 0) + (fg - fb) * c(1, 1, 0) + fb * c(1, 1, 1)
        if fr > fb:
            return (1 - fr) * c(0, 0, 0) + (fr - fb) * c(1, 0, 0) + (fb - fg) * c(1, 0, 1) + fg * c(1, 1, 1)
        return (1 - fb) * c(0, 0, 0) + (fb - fr) * c(0, 0, 1) + (fr - fg) * c(1, 0, 1) + fg * c(1, 1, 1)
    if fb > fg:
        return (1 - fb) * c(0, 0, 0) + (fb - fg) * c(0, 0, 1) + (fg - fr) * c(0, 1, 1) + fr * c(1, 1, 1)
    if fb > fr:
        return (1 - fg) * c(0, 0, 0) + (fg - fb) * c(0, 1, 0) + (fb - fr) * c(0, 1, 1) + fr * c(1, 1, 1)
    return (1 - fg) * c(0, 0, 0) + (fg - fr) * c(0, 1, 0) + (fr - fb) * c(1, 1, 0) + fb * c(1, 1, 1)


def stored(values, kind):
    values = values * WHITE[kind]
    return values.astype(kind) if kind == "float32" else numpy.rint(numpy.clip(values, 0, WHITE[kind])).astype(kind)


for kind, within in (("uint8", 0), ("uint16", 0), ("float32", 2e-6)):
    for side, low, high in ((4, (0, 0, 0), (1, 1, 1)), (3, (-0.1, 0, 0.2), (1, 0.8, 1.5))):
        cube, image = table(side, 3, low, high)
        low, high = (numpy.array(v, numpy.float32).astype(float) for v in (low, high))
        picture = noise(4, 4, 5, 3, kind)
        made = numpy.array([[tetrahedral(cube, colour / float(WHITE[kind]), low, high) for colour in row]
                            for row in picture])
        cases.add("lut=second.png", picture, stored(made, kind), within, second=image)

cube, image = table(4, 5)
gray = noise(6, 3, 4)
made = numpy.array([[tetrahedral(cube, numpy.full(3, v / 255), numpy.zeros(3), numpy.ones(3)) for v in row]
                    for row in gray])
cases.add("lut=second.png", gray, stored(made @ numpy.array([0.2126, 0.7152, 0.0722]), "uint8"), 0, second=image)

# One dimension: a line for each channel. Alpha stays.
line = numpy.sort(noise(7, 1, 6, 3, "float32"), axis=1)
image = numpy.concatenate([numpy.zeros((1, 6, 3), numpy.float32), line])
image[0, 1] = 1
picture = noise(8, 4, 5, 4)
made = numpy.dstack([numpy.interp(picture[..., c] / 255 * 5, numpy.arange(6), line[0, :, c]) for c in range(3)])
cases.add("lut=second.png", picture, numpy.dstack([stored(made, "uint8"), picture[..., 3]]), 0, second=image)

# NaN: a colour with one is NaN by a cube.
cube, image = table(3, 9)
real = noise(10, 2, 3, 3, "float32")
real[1, 1, 2] = numpy.nan
made = numpy.array([[numpy.full(3, numpy.nan) if numpy.isnan(colour).any() else
                     tetrahedral(cube, colour.astype(float), numpy.zeros(3), numpy.ones(3)) for colour in row]
                    for row in real])
cases.add("lut=second.png", real, made.astype(numpy.float32), 2e-6, second=image)
cases.write()
