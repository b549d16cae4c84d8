"""Denoising by its formula in numpy, offset by offset over whole pictures (core/ops/denoise.h)."""

import numpy
from cases import Cases, noise

cases = Cases(__file__, f"numpy {numpy.__version__}")
WEIGHTS = numpy.array([0.2126, 0.7152, 0.0722])
SPLINE = {-2: 1 / 16, -1: 1 / 4, 0: 3 / 8, 1: 1 / 4, 2: 1 / 16}


def moved(values, i, j):
    """The values that lie i columns and j rows away; NaN beyond the edges."""
    out = numpy.full_like(values, numpy.nan)
    height, width = values.shape[:2]
    if abs(i) < width and abs(j) < height:
        to = slice(max(0, -j), height - max(0, j)), slice(max(0, -i), width - max(0, i))
        out[to] = values[max(0, j) : height + min(0, j), max(0, i) : width + min(0, i)]
    return out


def square(colours):
    return colours**2 @ WEIGHTS


def slope(near, i, j):
    """The smaller of the differences to both sides; a side without a pixel does not count."""
    sides = numpy.stack([near - moved(near, -i, -j), moved(near, i, j) - near])
    sides[numpy.isnan(sides)] = numpy.inf
    best = numpy.take_along_axis(sides, numpy.abs(sides).argmin(axis=0)[None], 0)[0]
    return numpy.where(numpy.isfinite(best), best, 0)


def denoise(image, normals=None, albedo=None, light=3.5, iterations=4, normal=0.9, depth=0.02):
    image = numpy.atleast_3d(image).astype(float)
    height, width, channels = image.shape
    colours = image[..., :3] if channels >= 3 else numpy.repeat(image[..., :1], 3, axis=2)
    normals = numpy.zeros((height, width, 3)) if normals is None else normals.astype(float)
    near = normals[..., 3] if normals.shape[2] > 3 else numpy.ones((height, width))
    turn = normals[..., :3]
    albedo = numpy.ones((height, width, 3)) if albedo is None else albedo.astype(float)[..., :3]
    divisor = numpy.fmax(albedo, 1 / 64)
    part = numpy.isfinite(numpy.concatenate([colours, turn, near[..., None], albedo], axis=2)).all(axis=2)
    irradiance = numpy.where(part[..., None], colours / divisor, numpy.nan)
    near = numpy.where(part, near, numpy.nan)
    across, down = slope(near, 1, 0), slope(near, 0, 1)

    def surfaces(i, j):
        turned = ((moved(turn, i, j) - turn) ** 2).sum(axis=2)
        off = moved(near, i, j) - near - i * across - j * down
        return turned / normal**2 + off**2 / ((depth * near) ** 2 + across**2 + down**2 + 1e-30)

    weights = both = total = squares = 0
    for j in range(-2, 3):
        for i in range(-2, 3):
            other = moved(irradiance, i, j)
            there = ~numpy.isnan(other[..., 0]) & part
            weight = numpy.where(there, numpy.exp(-numpy.where(there, surfaces(i, j), 0)), 0)
            difference = numpy.where(there[..., None], other - irradiance, 0)
            weights += weight
            both += weight**2
            total += weight[..., None] * difference
            squares += weight * square(difference)
    weights = numpy.where(part, weights, 1)
    variance = numpy.maximum(squares / weights - square(total / weights[..., None]), 0)
    guess = irradiance + total / weights[..., None]  # all of the variance is noise
    doubt = variance * 2 * both / weights**2
    for step in (2**k for k in range(iterations)):
        allowed = light**2 * doubt + 1e-6 * square(guess) + 1e-30
        weights, spread, sums = 0, 0, 0
        for j in range(-2, 3):
            for i in range(-2, 3):
                other = moved(irradiance, i * step, j * step)
                there = ~numpy.isnan(other[..., 0]) & part
                apart = surfaces(i * step, j * step) + square(moved(guess, i * step, j * step) - guess) / allowed
                weight = SPLINE[i] * SPLINE[j] * numpy.where(there, numpy.exp(-numpy.where(there, apart, 0)), 0)
                weights += weight
                spread += weight**2 * numpy.where(there, moved(variance, i * step, j * step), 0)
                sums += weight[..., None] * numpy.where(there[..., None], other, 0)
        weights = numpy.where(part, weights, 1)
        irradiance = numpy.where(part[..., None], sums / weights[..., None], numpy.nan)
        variance = spread / weights**2
        guess, doubt = irradiance, variance
    result = image.copy()
    count = 3 if channels >= 3 else 1
    result[part, :count] = (irradiance * divisor)[part, :count]
    return result


def stored(values, kind):
    if kind == numpy.float32:
        return values.astype(numpy.float32)
    return numpy.clip(numpy.rint(values), 0, numpy.iinfo(kind).max).astype(kind)


def facing(seed, height, width):
    """Two planes with a step between them, whose normals are a little rough, and their nearness."""
    left = numpy.arange(width) < width // 2
    normals = numpy.where(left[:, None], [0.6, 0.0, 0.8], [0.0, 0.28, 0.96])[None].repeat(height, 0)
    near = numpy.where(left, 0.01, 0.02) + 0.0003 * numpy.arange(width) + 0.0001 * numpy.arange(height)[:, None]
    rough = noise(seed, height, width, 3, "float32") * 0.05
    return numpy.dstack([normals + rough, near]).astype(numpy.float32)


for kind, channels in (("uint8", 3), ("uint16", 1), ("float32", 4), ("float32", 2)):
    image = noise(1, 7, 9, channels, kind)
    times = image.astype(float)
    if channels % 2 == 0:  # colours times alpha, which stays
        times[..., :-1] *= image[..., -1:]
    want = denoise(times, light=1.5, iterations=3)
    if channels % 2 == 0:
        want[..., :-1] /= image[..., -1:]
    cases.add("rendernoise=light=1.5:iterations=3", image, stored(want, image.dtype), 1e-5 if kind == "float32" else 0)
image, normals = noise(2, 8, 11, 3, "float32"), facing(3, 8, 11)
cases.add("rendernoise=normals=second.png", image, stored(denoise(image, normals), image.dtype), 2e-6, second=normals)
albedo = noise(4, 8, 11, 3, "float32")
cases.add("rendernoise=2:normals=second.png:albedo=third.png:depth=0.1", image,
          stored(denoise(image, normals, albedo, light=2, depth=0.1), image.dtype), 2e-6, second=normals, third=albedo)

# Guides of bytes: normals from -1 to 1, albedo from 0 to 1.
turned = noise(5, 7, 9, 3) // 8 + 160
albedo, image = noise(6, 7, 9, 3), noise(7, 7, 9, 3)
want = denoise(image, turned * (2 / 255), albedo / 255, iterations=4, normal=0.3)
cases.add("rendernoise=iterations=4:normal=0.3:normals=second.png:albedo=third.png", image, stored(want, image.dtype), 0,
          second=turned, third=albedo)

# A value that is not finite stays where it is.
image, normals = noise(8, 7, 10, 3, "float32"), facing(9, 7, 10)
image[2, 1, 1], image[5, 7, 0], normals[3, 3, 3], normals[0, 9, 0] = numpy.nan, numpy.inf, numpy.nan, -numpy.inf
with numpy.errstate(invalid="ignore"):
    want = denoise(image, normals, light=4)
cases.add("denoise=4:normals=second.png", image, stored(want, image.dtype), 2e-6, second=normals)

# A constant picture stays as it is.
image = numpy.full((6, 7, 3), 0.3, numpy.float32)
cases.add("rendernoise", image, image, 1e-7)
cases.write()
