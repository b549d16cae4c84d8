"""Point filters at both ends of their ranges, of light from nothing to the largest f32: by their formulas in double."""

import numpy

from cases import Cases

cases = Cases(__file__, f"numpy {numpy.__version__}")
LIGHT = (0, 1e-30, 0.5, 9.9e5, 1.01e6, 1e10, 3.4e38)


def add(chain, function, relative=1e-6):
    """A picture of one pixel for each light, whose result is right to a millionth of itself."""
    for value in numpy.array(LIGHT, "float32"):
        with numpy.errstate(over="ignore"):
            want = numpy.float64(function(numpy.float64(value))).astype("float32")
        within = relative * float(abs(want)) if numpy.isfinite(want) else 0
        cases.add(chain, value.reshape(1, 1), want.reshape(1, 1), within)


def reinhard(v, white):
    return v * (1 + v / white**2) / (1 + v)


def filmic(v):
    return min(v * (2.51 * v + 0.03) / (v * (2.43 * v + 0.59) + 0.14), 1)


def srgb(v):
    return 12.92 * v if v <= 0.0031308 else 1.055 * v ** (1 / 2.4) - 0.055


for exposure in (-20, 0, 20):
    factor = 2.0**exposure
    for white in (0.1, 4, 10000):
        add(f"tonemap=exposure={exposure}:white={white}", lambda v: reinhard(factor * v, white))
    add(f"tonemap=filmic:exposure={exposure}", lambda v: filmic(factor * v))
    add(f"tonemap=linear:exposure={exposure}", lambda v: factor * v)
add("tonemap=white=10000:encode=1", lambda v: srgb(reinhard(v, 10000)))
add("tonemap=linear:key=1", lambda v: v / (v + 1e-6), 4e-6)  # half a step of f32 at the largest logarithm, 89
for amount in (-100, 100):
    add(f"brightness={amount}", lambda v: v + amount / 100)
for factor in (0, 20):
    add(f"contrast={factor}", lambda v: factor * v + 0.5 - 0.5 * factor)
for gamma in (0.05, 20):
    add(f"gamma={gamma}", lambda v: v ** (1 / gamma))
    add(f"levels=0:100:{gamma}", lambda v: min(v, 1) ** (1 / gamma))
for percent in (0, 100):
    add(f"threshold={percent}", lambda v: float(v > percent / 100))
for levels in (2, 256):
    add(f"posterize={levels}", lambda v: numpy.floor(min(v, 1) * (levels - 1) + 0.5) / (levels - 1))
cases.write()
