"""Cases of the values that count as light, as alpha and as stored values: by numpy in float64, from the rules of the
guide. Colours are filtered times alpha; pixels beyond an edge of a constant are opaque; in linear light colours, and
nothing else, are light."""

import numpy
import scipy
from scipy import ndimage

from cases import Cases, noise

cases = Cases(__file__, f"numpy {numpy.__version__} and scipy {scipy.__version__}")
WHITE = {"uint8": 255, "uint16": 65535, "float32": 1}
PAD = {"clamp": "edge", "mirror": "reflect", "wrap": "wrap", "zero": "constant", "constant": "constant"}


def light(values):
    return numpy.where(values <= 0.04045, values / 12.92, ((numpy.abs(values) + 0.055) / 1.055) ** 2.4)


def stored_light(values):
    magnitude = numpy.abs(values)
    curve = numpy.where(magnitude <= 0.0031308, 12.92 * magnitude,
                        1.055 * numpy.maximum(magnitude, 1e-30) ** (1 / 2.4) - 0.055)
    return numpy.copysign(curve, values)


def rounded(values, kind):
    if kind == "float32":
        return values.astype(kind)
    return numpy.clip(numpy.rint(values), 0, WHITE[kind]).astype(kind)


def coded(values, white, linear, decode):
    """Colours to light or back."""
    if linear:
        colours = (light if decode else stored_light)(values[..., :-1] / white) * white
        values = numpy.concatenate([colours, values[..., -1:]], axis=2)
    return values


def filtered(image, operation, reach, border, linear=False):
    """`operation` takes a plane, `reach` pixels larger on each side, to a smaller one."""
    kind = str(image.dtype)
    white = WHITE[kind]
    mode, _, constant = border.partition("=")
    values = coded(image.astype(float), white, linear, True)
    beyond = numpy.array([float(constant or 0)] * 3 + [white if constant else 0]).reshape(1, 1, 4)
    beyond = coded(beyond, white, linear, True).ravel() * white
    values = numpy.concatenate([values[..., :3] * values[..., 3:], values[..., 3:] * white], axis=2)  # whole numbers
    planes = []
    for c in range(4):
        options = {"constant_values": beyond[c]} if PAD[mode] == "constant" else {}
        planes.append(operation(numpy.pad(values[..., c], reach, PAD[mode], **options)))
    result = numpy.stack(planes, axis=2)
    alpha = result[..., 3:]
    colours = numpy.where(alpha > 0, result[..., :3] * white / numpy.where(alpha > 0, alpha, 1), 0)
    return rounded(coded(numpy.concatenate([colours, alpha / white], axis=2), white, linear, False), kind)


def box(plane):
    return numpy.lib.stride_tricks.sliding_window_view(plane, (3, 3)).sum(axis=(2, 3)) / 9


def ranked(rank, side=3):
    def operation(plane):
        windows = numpy.lib.stride_tricks.sliding_window_view(plane, (side, side))
        return numpy.sort(windows.reshape(*windows.shape[:2], -1), axis=2)[..., rank]
    return operation


def picture(seed, kind, height=5, width=6):
    image = noise(seed, height, width, 4, kind)
    random = numpy.random.default_rng(seed)
    image[..., 3] = rounded(random.choice([0, 0.4, 1], (height, width)) * WHITE[kind], kind)
    return image


def flat(value, alpha, kind="uint8", height=4, width=5):
    image = numpy.full((height, width, 4), value, kind)
    image[..., 3] = alpha
    return image


WITHIN = {"uint8": 0, "uint16": 1, "float32": 4e-6}

# An opaque picture of one colour stays as it is within a border of that colour, whichever filter reads beyond the edge.
for linear in ("", "linear"):
    for chain in ("box=3", "gaussian=1", "gaussian=10", "sharpen", "unsharp", "median", "median=2:disk", "erode", "dilate",
                  "open", "close", "bilateral=5", "joint=5", "nlmeans=patch=1:search=2", "guided=2", "kuwahara=2",
                  "anisotropic=3", "rotate=30:size=keep", "rotate=20:size=keep:by=nearest", "rotate=90:size=keep"):
        cases.add(chain, flat(37, 255), flat(37, 255), 0, "constant=37", linear)
    cases.add("pad=2", flat(37, 255), flat(37, 255, height=8, width=9), 0, "constant=37", linear)
    for chain in ("sobel", "gradient", "tophat", "canny", "edge", "laplacian"):
        cases.add(chain, flat(37, 255), flat(0, 255), 0, "constant=37", linear)
    cases.add("box=3", flat(37, 37), flat(37, 37), 0, "constant=37", linear + " alpha=ignore")
    cases.add("median", flat(37, 37), flat(37, 37), 0, "constant=37", linear + " alpha=ignore")
    cases.add("sobel=output=y", flat(37, 37), flat(128, 128), 0, "constant=37", linear + " alpha=ignore")

# Any picture, by windows and by sums, with any border: an opaque pixel beyond counts as one.
seed = 0
for kind in ("uint8", "uint16", "float32"):
    value = {"uint8": 90, "uint16": 20000, "float32": 0.375}[kind]
    for border in ("clamp", "mirror", "wrap", "zero", f"constant={value}"):
        for linear in (False, True):
            if kind != "uint8" and (border in ("mirror", "wrap") or linear and border != "clamp"):
                continue
            options = "linear" if linear else ""
            seed += 1
            image = picture(seed, kind)
            within = {"uint8": 1 if linear else 0, "uint16": 4 if linear else 1, "float32": 2e-5 if linear else 4e-6}[kind]
            cases.add("box=3", image, filtered(image, box, 1, border, linear), within or 1, border, options)  # halves
            cases.add("median", image, filtered(image, ranked(4), 1, border, linear), within, border, options)
            cases.add("percentile=80:radius=2", image, filtered(image, ranked(20, 5), 2, border, linear), within, border,
                      options)
            cases.add("maximum", image, filtered(image, ranked(8), 1, border, linear), within, border, options)
            cases.add("erode", image, filtered(image, ranked(0), 1, border, linear), within, border, options)

# A colour under no alpha does not show: opaque blue amid transparent red.
image = flat((255, 0, 0, 0), 0, height=5)
image[2, 2] = (0, 0, 255, 255)
grown = numpy.zeros_like(image)
grown[1:4, 1:4] = (0, 0, 255, 255)
for chain in ("maximum", "dilate", "gradient", "percentile=100"):
    cases.add(chain, image, grown, 0)
for chain in ("median", "minimum", "erode", "open"):
    cases.add(chain, image, numpy.zeros_like(image), 0)
alone = numpy.zeros_like(image)
alone[2, 2] = (0, 0, 255, 255)
cases.add("tophat", image, alone, 0)
dark = numpy.zeros_like(image)
dark[2, 2, 3] = 255
cases.add("tophat=of=black", image, dark, 0)
# Edges of the visible colours: there are none where only hidden colours change.
image = flat((40, 40, 40, 0), 0, height=9, width=9)
image[:, 4:, :3] = 250
cases.add("canny=sigma=0", image, numpy.zeros_like(image), 0)
# Hidden colours of another picture change nothing: the difference to its visible colours.
one, two = flat((200, 100, 50, 0), 255), flat((30, 120, 50, 0), (255))
two[1, :, 3] = 0
two[2, :, 3] = 51
expected = one.copy()
expected[..., :3] = numpy.abs(one[..., :3].astype(int) - two[..., :3].astype(int) * two[..., 3:] // 255)
cases.add("difference=second.png", one, expected, 0, second=two)
# NaN and infinity under no alpha neither.
image = flat(0.5, 1, "float32")
image[1, 2] = (numpy.nan, numpy.inf, -numpy.inf, 0)
expected = filtered(numpy.where(image[..., 3:] > 0, image, 0), box, 1, "clamp")
cases.add("box=3", image, expected, 4e-6, "clamp")
image = picture(171, "float32")
hidden = image[..., 3] == 0
image[hidden, :3] = numpy.resize((numpy.nan, numpy.inf, -numpy.inf, 1e30, 7), (hidden.sum(), 3))
alpha = image[..., 3:].astype(float)
seen = numpy.where(alpha > 0, image[..., :3], 0) * alpha
beyond = numpy.pad(seen, ((1, 1), (1, 1), (0, 0)), mode="edge")
slopes = {
    "roberts": (beyond[2:, 2:] - beyond[1:-1, 1:-1], beyond[2:, 1:-1] - beyond[1:-1, 2:]),
}
for chain, side, middle in (("sobel", 1, 2), ("prewitt", 1, 1), ("scharr", 3, 10)):
    mask = numpy.outer((side, middle, side), (-1, 0, 1))[..., None]
    slopes[chain] = [ndimage.correlate(seen, m, mode="nearest") for m in (mask, mask.transpose(1, 0, 2))]
for chain, (x, y) in slopes.items():
    for output, slope in (("x", x), ("magnitude", numpy.hypot(x, y))):
        expected = numpy.where(alpha > 0, slope / numpy.where(alpha > 0, alpha, 1), 0)
        expected = numpy.concatenate([expected, alpha], axis=2).astype("float32")
        cases.add(f"{chain}=output={output}", image, expected, 2e-5, "clamp")

# A bias is a stored value, added to colours that are straight again, whatever their alpha.
for linear in ("", "linear"):
    for options in (linear, linear + " alpha=ignore"):
        for chain, value in (("laplacian=bias=128", 128), ("convolve=0 1 0 1 -4 1 0 1 0:bias=100", 100), ("log=1:bias=60", 60),
                             ("dog=1:bias=200", 200), ("gabor=4:phase=90:bias=90", 90), ("sobel=output=x", 128),
                             ("scharr=output=y", 128), ("prewitt=output=x", 128), ("roberts=output=x", 128),
                             ("sobel=output=direction", 0)):
            cases.add(chain, flat(70, 100), flat(value, value if "ignore" in options else 100), 0, "clamp", options)
        cases.add("convolve=1:bias=50", flat(70, 100) if "linear" not in options else flat(0, 100),
                  flat(120 if "linear" not in options else 50, 150 if "ignore" in options else 100), 0, "clamp", options)
    cases.add("sobel=output=x", noise(70, 1, 5, 3) * 0 + 9, noise(70, 1, 5, 3) * 0 + 128, 0, "clamp", linear)
    cases.add("sobel=output=x", numpy.full((3, 4), 9000, "uint16"), numpy.full((3, 4), 32768, "uint16"), 0, "clamp", linear)
    cases.add("bank=step=2:side=5:orientations=2:wavelength=4", numpy.full((4, 4), 77, "uint8"),
              numpy.full((4, 4), 128, "uint8"), 1, "clamp", linear)  # half of 255

# A direction is no light: a ramp that rises downwards points a quarter round, a quarter of white.
ramp = numpy.repeat(numpy.arange(0, 180, 30, dtype="uint8")[:, None], 5, axis=1)
quarter = numpy.full_like(ramp, 64)
cases.add("sobel=output=direction", ramp, quarter, 0, "clamp", "linear")

# A border of 128 is like a pixel of 128.
cases.add("box=3", numpy.full((4, 5), 128, "uint8"), numpy.full((4, 5), 128, "uint8"), 0, "constant=128", "linear")
cases.add("median", numpy.full((4, 5), 128, "uint8"), numpy.full((4, 5), 128, "uint8"), 0, "constant=128", "linear")
cases.add("pad=1", numpy.full((2, 3), 128, "uint8"), numpy.full((4, 5), 128, "uint8"), 0, "constant=128", "linear")

# Masks say how far by their values, which are no light: half lets half of the light through.
black, white = numpy.zeros((3, 4, 3), "uint8"), numpy.full((3, 4, 3), 255, "uint8")
mask = numpy.tile(numpy.array([0, 51, 128, 255], "uint8"), (3, 1))
expected = rounded(255 * stored_light(mask / 255.0), "uint8")[..., None].repeat(3, axis=2)
cases.add("invert=within=second.png", black, expected, 0, "clamp", "linear", mask)
cases.add("blend=second.png:mask=third.png", black, expected, 0, "clamp", "linear", white, mask)
cases.add("invert=within=second.png", black, mask[..., None].repeat(3, axis=2), 0, "clamp", "", mask)

cases.write()
