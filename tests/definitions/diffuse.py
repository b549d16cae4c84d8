"""Perona and Malik's diffusion by its formula in numpy."""

import numpy
from cases import Cases, noise

cases = Cases(__file__, f"numpy {numpy.__version__}")


def diffused(image, iterations, kappa, rate, steep=True, border="edge"):
    image = image.astype(float)
    for _ in range(iterations):
        far = numpy.pad(image, ((1, 1), (1, 1)) + ((0, 0),) * (image.ndim - 2), border)
        flow = 0
        for part in (far[:-2, 1:-1], far[2:, 1:-1], far[1:-1, :-2], far[1:-1, 2:]):
            d = part - image
            flow = flow + d * (numpy.exp(-((d / kappa) ** 2)) if steep else 1 / (1 + (d / kappa) ** 2))
        image = image + rate * flow
    return image


def stored(values, kind):
    if kind == numpy.float32:
        return values.astype(numpy.float32)
    return numpy.clip(numpy.rint(values), 0, numpy.iinfo(kind).max).astype(kind)


image = noise(1, 5, 7, 3)
cases.add("anisotropic", image, stored(diffused(image, 10, 25.5, 0.2), image.dtype), 0)
want = diffused(image, 3, 127.5, 0.25, False, "reflect")
cases.add("anisotropic=3:kappa=0.5:lambda=0.25:conductance=wide", image, stored(want, image.dtype), 0, "mirror")
image = noise(2, 5, 7, 1, "uint16")
want = diffused(image, 1, 0.3 * 65535, 0.2, True, "wrap")
cases.add("anisotropic=1:kappa=0.3", image, stored(want, image.dtype), 0, "wrap")
image = noise(3, 5, 7, 1, "float32")
image[1, 1], image[3, 6] = numpy.nan, numpy.inf
with numpy.errstate(invalid="ignore"):
    want = diffused(image, 2, 0.2, 0.2)
cases.add("anisotropic=2:kappa=0.2", image, stored(want, image.dtype), 2e-6)
image = noise(4, 5, 7, 4)
times = image.astype(float)
times[..., :3] *= times[..., 3:] / 255
want = diffused(times, 2, 0.4 * 255, 0.2)
want[..., :3] *= 255 / want[..., 3:]
cases.add("anisotropic=2:kappa=0.4", image, stored(want, image.dtype), 0)
cases.write()
