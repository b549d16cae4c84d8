"""Cases of the point filters, by scikit-image, OpenCV, scipy and colour-science; where none of them has one, by the
formula."""

import colour
import cv2
import numpy
import scipy
import skimage
from scipy.interpolate import PchipInterpolator

from cases import Cases, noise

cases = Cases(__file__, f"numpy {numpy.__version__}, scikit-image {skimage.__version__}, OpenCV {cv2.__version__}, "
                        f"scipy {scipy.__version__}, colour-science {colour.__version__}")
WHITE = {"uint8": 255, "uint16": 65535, "float32": 1}
KINDS = (("uint8", 0), ("uint16", 0), ("float32", 2e-6))


def stored(values, kind):
    if kind == "float32":
        return values.astype(kind)
    return numpy.rint(numpy.clip(values, 0, WHITE[kind])).astype(kind)


def colours(image):
    """The colours as numbers from 0 to 1; the channels but for alpha."""
    real = numpy.atleast_3d(image).astype(numpy.float64) / WHITE[str(image.dtype)]
    return real[..., : real.shape[2] - (real.shape[2] + 1) % 2]


def add(chain, function, kinds=KINDS, channels=(1, 2, 3, 4), options=""):
    """`function` of the colours, 0 to 1; alpha stays. The channels are gone through in turn."""
    for index, (kind, within) in enumerate(kinds):
        image = numpy.atleast_3d(noise(10 + index, 3, 5, channels[index % len(channels)], kind))
        result = image.copy()
        real = colours(image)
        result[..., : real.shape[2]] = stored(function(real) * WHITE[kind], kind)
        cases.add(chain, image, result, within, options=options)


add("brightness=12.5", lambda v: v + 0.125)
add("brightness=-40", lambda v: v - 0.4, channels=(4, 3, 2))
for k in (0.7, 2.3):
    add(f"contrast={k}", lambda v: v * k + (0.5 - 0.5 * k), channels=(3, 1, 2))
add("gamma=2.2", lambda v: skimage.exposure.adjust_gamma(v, 1 / 2.2), channels=(1, 4, 3))
add("gamma=0.5", lambda v: skimage.exposure.adjust_gamma(v, 2))
add("levels=20:80", lambda v: skimage.exposure.rescale_intensity(v, (0.2, 0.8), (0, 1)), channels=(3, 1, 2))
add("levels=10:60:1:25:75", lambda v: skimage.exposure.rescale_intensity(v, (0.1, 0.6), (0.25, 0.75)))
add("levels=10:90:2:100:0", lambda v: 1 - numpy.sqrt(skimage.exposure.rescale_intensity(v, (0.1, 0.9), (0, 1))))
add("threshold=50", lambda v: (v > 0.5) * 1.0, channels=(3, 1, 2))
for kind, percent in (("uint8", 40), ("float32", 37.5)):
    image = noise(20, 5, 6, 1, kind)
    image[0, 0] = value = percent * WHITE[kind] / 100  # which is not above itself
    cases.add(f"threshold={percent}", image, cv2.threshold(image, value, WHITE[kind], cv2.THRESH_BINARY)[1], 0)
add("posterize=5", lambda v: numpy.floor(v * 4 + 0.5) / 4)
add("posterize=2", lambda v: numpy.floor(v + 0.5), channels=(3, 1))

for knots in ([(0, 0), (25, 10), (50, 60), (75, 70), (100, 100)], [(10, 90), (40, 20), (60, 30), (80, 0)],
              [(20, 20), (90, 70)], [(0, 100), (35, 35), (100, 0)]):
    x, y = numpy.array(knots).T / 100
    curve = PchipInterpolator(x, y)
    add("curves=" + ";".join(f"{a} {b}" for a, b in knots), lambda v: curve(numpy.clip(v, x[0], x[-1])),
        channels=(1, 3, 4))


def mix(rows):
    return lambda v: v @ numpy.array(rows)[:, :3].T + (numpy.array(rows)[:, 3] if len(rows[0]) > 3 else 0)


# W3C, Filter Effects Module Level 1, 2018, section 9.6: the matrices as printed there.
s, i = 0.6, 1 - 0.6
add("sepia=60", mix([[0.393 + 0.607 * i, 0.769 - 0.769 * i, 0.189 - 0.189 * i],
                     [0.349 - 0.349 * i, 0.686 + 0.314 * i, 0.168 - 0.168 * i],
                     [0.272 - 0.272 * i, 0.534 - 0.534 * i, 0.131 + 0.869 * i]]), channels=(3, 4))
s = 1.8
add("saturation=1.8", mix([[0.213 + 0.787 * s, 0.715 - 0.715 * s, 0.072 - 0.072 * s],
                           [0.213 - 0.213 * s, 0.715 + 0.285 * s, 0.072 - 0.072 * s],
                           [0.213 - 0.213 * s, 0.715 - 0.715 * s, 0.072 + 0.928 * s]]), channels=(4, 3))
c, s = numpy.cos(numpy.radians(75)), numpy.sin(numpy.radians(75))
add("hue=75", mix([[0.213 + 0.787 * c - 0.213 * s, 0.715 - 0.715 * c - 0.715 * s, 0.072 - 0.072 * c + 0.928 * s],
                   [0.213 - 0.213 * c + 0.143 * s, 0.715 + 0.285 * c + 0.140 * s, 0.072 - 0.072 * c - 0.283 * s],
                   [0.213 - 0.213 * c - 0.787 * s, 0.715 - 0.715 * c + 0.715 * s, 0.072 + 0.928 * c + 0.072 * s]]),
    channels=(3, 4))
own = [[0.5, 0.25, 0.125, 0.0625], [-1, 2, 0.5, 0], [0.25, 0, 0.75, -0.125]]
add("matrix=" + ";".join(" ".join(map(str, row)) for row in own), mix(own), channels=(3, 4))
add("matrix=0 1 0;0 0 1;1 0 0", lambda v: v[..., [1, 2, 0]], channels=(4, 3))
tenths = numpy.array([[11, 0, 0, -2], [3, 4, 3, 0], [0, -5, 16, 1]])  # whole numbers, whose ties are exact
image = noise(22, 12, 11, 3)
sums = image.astype(int) @ tenths[:, :3].T + 255 * tenths[:, 3]
cases.add("matrix=" + ";".join(" ".join(f"{v / 10:g}" for v in row) for row in tenths), image,
          stored(numpy.divide(sums, 10), "uint8"), 0)

for kind, within in (("uint8", 0), ("float32", 2e-6)):  # grey pictures: the luma of the matrix's result
    image = noise(21, 5, 6, 2, kind)
    result = image.copy()
    grey = (colours(image) @ numpy.ones((1, 3))) @ numpy.array(own)[:, :3].T + numpy.array(own)[:, 3]
    result[..., :1] = stored((grey @ [0.2126, 0.7152, 0.0722])[..., None] * WHITE[kind], kind)
    cases.add("matrix=" + ";".join(" ".join(map(str, row)) for row in own), image, result, within)

srgb = colour.RGB_COLOURSPACES["sRGB"]
for kelvin in (2000, 3200, 8000, 20000):
    source, target = (colour.xy_to_XYZ(colour.temperature.CCT_to_xy_Kang2002(k)) for k in (kelvin, 6500))

    def adapted(v):
        light = colour.models.eotf_sRGB(v)
        xyz = light @ srgb.matrix_RGB_to_XYZ.T
        xyz = colour.adaptation.chromatic_adaptation_VonKries(xyz, source, target, transform="Bradford")
        return colour.models.eotf_inverse_sRGB(numpy.maximum(xyz @ srgb.matrix_XYZ_to_RGB.T, 0))

    # the matrices that colour-science rounds to four digits differ in the fourth
    add(f"temperature={kelvin}", adapted, (("uint8", 1), ("uint16", 90)), (3, 4))


def reinhard(v, white):
    return v * (1 + v / white**2) / (1 + v)


add("tonemap", lambda v: reinhard(v, 4))
add("tonemap=exposure=2:white=2", lambda v: reinhard(4 * v, 2), channels=(3, 4, 1))
add("tonemap=linear:exposure=-1", lambda v: v / 2)
x = None
add("tonemap=filmic:exposure=1",
    lambda v: numpy.clip(2 * v * (5.02 * v + 0.03) / (2 * v * (4.86 * v + 0.59) + 0.14), 0, 1), channels=(3, 1, 4))
add("tonemap=exposure=1:encode=1", lambda v: colour.models.eotf_inverse_sRGB(reinhard(2 * v, 4)), channels=(3,))

# Light beyond white, and NaN: it fails every comparison, and goes through every sum.
beyond = numpy.array([[-1, 0, 0.25, 1, 4, numpy.inf, -numpy.inf, numpy.nan]], "float32")
light = numpy.array([[0, 0, 0.25, 1, 4, numpy.inf, 0, 0]])
for chain, want in (
    ("invert", 1 - beyond),
    ("brightness=25", beyond + 0.25),
    ("contrast=2", 2 * beyond - 0.5),
    ("gamma=0.5", [[-1, 0, 0.0625, 1, 16, numpy.inf, -numpy.inf, numpy.nan]]),
    ("levels=0:50", [[0, 0, 0.5, 1, 1, 1, 0, 0]]),
    ("curves=0 20;100 60", [[0.2, 0.2, 0.3, 0.6, 0.6, 0.6, 0.2, 0.2]]),
    ("threshold=25", [[0, 0, 0, 1, 1, 1, 0, 0]]),
    ("posterize=3", [[0, 0, 0.5, 1, 1, 1, 0, 0]]),
    ("tonemap", [[0, 0, 0.203125, 0.53125, 1, numpy.inf, 0, 0]]),
    ("tonemap=filmic", [[0, 0, *(light[0, 2:5] * (2.51 * light[0, 2:5] + 0.03)
                                / (light[0, 2:5] * (2.43 * light[0, 2:5] + 0.59) + 0.14)), 1, 0, 0]]),
):
    cases.add(chain, beyond, numpy.array(want, "float32"), 2e-6)

# Between filters values are rounded and clamped as they are stored, and not in linear light.
image = noise(30, 4, 8, 3)
once = stored(colours(image) * 255 * 3 - 255, "uint8")
cases.add("contrast=3,contrast=0.5", image, stored(once * 0.5 + 63.75, "uint8"), 0)
light = colour.models.eotf_sRGB(colours(image))
cases.add("contrast=3,contrast=0.5", image,
          stored(255 * colour.models.eotf_inverse_sRGB(light * 1.5 - 0.25), "uint8"), 0, options="linear")
cases.write()
