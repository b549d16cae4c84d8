"""Kuwahara's filter by its definition in numpy: variances of Rec. 709 luma in double precision."""

import numpy
from cases import Cases, noise

cases = Cases(__file__, f"numpy {numpy.__version__}")
PAD = {"clamp": "edge", "mirror": "reflect", "wrap": "wrap"}


def kuwahara(image, radius, border="clamp"):
    image = numpy.atleast_3d(image).astype(float)
    height, width, channels = image.shape
    far = numpy.pad(image, ((radius, radius), (radius, radius), (0, 0)), PAD[border])
    luma = far[..., :3] @ (numpy.array([54, 183, 19]) / 256) if channels >= 3 else far[..., 0]
    out = numpy.zeros(image.shape)
    for y in range(height):
        for x in range(width):
            boxes = [(slice(y + j, y + j + radius + 1), slice(x + i, x + i + radius + 1)) for j in (0, radius) for i in (0, radius)]
            with numpy.errstate(invalid="ignore"):
                out[y, x] = far[min(boxes, key=lambda box: numpy.nan_to_num(luma[box], nan=-4).var())].mean(axis=(0, 1))
    return out


def stored(values, kind):
    if kind == numpy.float32:
        return values.astype(numpy.float32)
    return numpy.clip(numpy.rint(values), 0, numpy.iinfo(kind).max).astype(kind)


for kind, channels, radius, border in (("uint8", 3, 3, "clamp"), ("uint16", 1, 2, "mirror"), ("float32", 3, 1, "wrap"), ("uint8", 1, 4, "clamp")):
    image = noise(radius, 7, 9, channels, kind)
    want = stored(kuwahara(image, radius, border), image.dtype)
    cases.add(f"kuwahara={radius}", image, want, 1e-6 if kind == "float32" else 0, border)
image = noise(8, 5, 7, 4)
times = image.astype(float)
times[..., :3] *= times[..., 3:] / 255
want = kuwahara(times, 2)
want[..., :3] *= 255 / want[..., 3:]
cases.add("kuwahara=2", image, stored(want, image.dtype), 0)
image = noise(9, 5, 7, 1, "float32")
image[2, 2] = numpy.nan
cases.add("kuwahara=1", image, stored(kuwahara(image, 1), image.dtype), 1e-6)
cases.write()
