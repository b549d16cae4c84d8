"""Cases of the filters for photographs: their definitions written out in numpy, with scipy's monotone curves and
colour-science's sRGB."""

import colour
import numpy
import scipy
import scipy.ndimage
from scipy.interpolate import PchipInterpolator

from cases import Cases, noise

cases = Cases(__file__, f"numpy {numpy.__version__}, scipy {scipy.__version__}, colour-science {colour.__version__}")
WHITE = {"uint8": 255, "uint16": 65535, "float32": 1}


def stored(values, kind):
    if kind == "float32":
        return values.astype(kind)
    return numpy.rint(numpy.clip(values * WHITE[kind], 0, WHITE[kind])).astype(kind)


def add(chain, function, kinds=(("uint8", 1), ("uint16", 1), ("float32", 2e-6)), channels=(3, 4, 1), options=""):
    """`function` of the colours, 0 to 1; alpha stays. The channels are gone through in turn."""
    for index, (kind, within) in enumerate(kinds):
        image = numpy.atleast_3d(noise(40 + index, 4, 7, channels[index % len(channels)], kind))
        colours = image.shape[2] - (image.shape[2] + 1) % 2
        result = image.copy()
        result[..., :colours] = stored(function(image[..., :colours] / WHITE[kind]), kind)
        cases.add(chain, image, result, within, options=options)


def knots(x, y):
    return lambda v: PchipInterpolator(x, y)(numpy.clip(v, 0, 1))


def exposed(light, stops, knee):
    """Reinhard's equation 4 from the knee on; see `glint help exposure`."""
    factor = 2.0**stops
    light = factor * light
    if stops <= 0 or knee >= 1:
        return light
    t, m = (light - knee) / (1 - knee), (factor - knee) / (1 - knee)
    return numpy.where(light > knee, knee + (1 - knee) * t * (1 + t / m**2) / (1 + t), light)


def exposure(stops, knee):
    return lambda v: colour.models.eotf_inverse_sRGB(exposed(colour.models.eotf_sRGB(v), stops, knee))


add("exposure=1", exposure(1, 0.5))
add("exposure=3:rolloff=100", exposure(3, 0), channels=(4, 3, 2))
add("exposure=1.5:rolloff=0", exposure(1.5, 1), channels=(1, 2, 3))
add("exposure=-2", exposure(-2, 0.5))
add("exposure=2:rolloff=25", exposure(2, 0.75), (("float32", 2e-6),), options="linear")
# By hand: at 2 stops with a knee of 1/2, light of 3/8 is t = 2, m = 7: 1/2 + 1/2 * 2 * (1 + 2/49) / 3.
light = numpy.array([[[0, 0.0625, 0.125, 0.375, 1]]])
brighter = numpy.array([[[0, 0.25, 0.5, 0.5 + 51 / 147, 1]]])
encoded, wanted = (colour.models.eotf_inverse_sRGB(v).reshape(1, 5).astype("float32") for v in (light, brighter))
cases.add("exposure=2", encoded, wanted, 2e-6)

for amount in (100, -100, 35):
    a = amount / 100
    add(f"highlights={amount}", knots([0, 0.4, 0.8, 1], [0, 0.4 + 0.1 * a, 0.8 + 0.2 * a, 1]))
    add(f"whites={amount}", knots([0, 0.5, 0.75, 1], [0, 0.5, 0.75 + 0.05 * a, 1 + 0.2 * a]), channels=(4, 1, 3))
    add(f"blacks={amount}", knots([0, 0.25, 0.5, 1], [0.2 * a, 0.25 + 0.05 * a, 0.5, 1]), channels=(1, 3, 2))

mixed = numpy.array([[40, 30, 30], [-50, 150, 0], [0, 25, 60]]) / 100
names = ["rr", "rg", "rb", "gr", "gg", "gb", "br", "bg", "bb"]
add("channelmixer=" + ":".join(f"{n}={round(100 * v)}" for n, v in zip(names, mixed.ravel())), lambda v: v @ mixed.T,
    channels=(3, 4))
add("channelmixer=gray=1:rr=60:rg=60:rb=-20", lambda v: v @ numpy.array([[0.6, 0.6, -0.2]] * 3).T, channels=(4, 3))


LUMA = numpy.array([0.2126, 0.7152, 0.0722])


def vibrance(amount):
    def change(v):
        if v.shape[2] == 1:
            return v
        high, low, luma = v.max(2, keepdims=True), v.min(2, keepdims=True), (v @ LUMA)[..., None]
        saturation = 1 - numpy.divide(low, high, out=numpy.ones_like(high), where=high > 0)
        return luma + (v - luma) * (1 + amount * (1 - saturation))
    return change


add("vibrance", vibrance(0.5), channels=(3, 4, 1))
add("vibrance=-100", vibrance(-1), channels=(4, 3, 3))


def smooth(low, high, v):
    t = numpy.clip((v - low) / (high - low), 0, 1)
    return t * t * (3 - 2 * t)


def splittone(shadows, dark, highlights, bright, balance):
    def tint(hue, share):
        rgb = colour.models.HSV_to_RGB([hue / 360, 1, 1])
        return (rgb - rgb @ LUMA) * share

    def change(v):
        luma = (v @ LUMA)[..., None]
        t = smooth(-balance / 2, 1 - balance / 2, luma)
        return v + 2 * luma * (1 - luma) * ((1 - t) * tint(shadows, dark) + t * tint(highlights, bright))
    return change


add("splittone", splittone(220, 0.3, 40, 0.3, 0), channels=(3, 4, 3))
add("splittone=300:80:95:100:-40", splittone(300, 0.8, 95, 1, -0.4), channels=(4, 3, 4))


def pcg3d(x, y, z):
    """Jarzynski and Olano, Hash Functions for GPU Rendering, JCGT 9(3), 2020: the listing, the first of three."""
    v = [numpy.asarray(n, "uint32") * numpy.uint32(1664525) + numpy.uint32(1013904223) for n in (x, y, z)]
    for turn in range(2):
        v[0] = v[0] + v[1] * v[2]
        v[1] = v[1] + v[2] * v[0]
        v[2] = v[2] + v[0] * v[1]
        v = [n ^ (n >> numpy.uint32(16)) for n in v] if turn == 0 else v
    return v[0]


def normal(height, width, seed):
    y, x = numpy.mgrid[0:height, 0:width]
    u = [(pcg3d(x, y, numpy.full_like(x, 2 * seed + k)) >> numpy.uint32(8)) / 2.0**24 for k in (0, 1)]
    return numpy.sqrt(-2 * numpy.log(1 - u[0])) * numpy.cos(2 * numpy.pi * u[1])


def grain(amount, size, seed):
    def change(v):
        noise = normal(*v.shape[:2], seed)
        if size > 0:
            reach = numpy.ceil(3 * size)
            bell = numpy.exp(-numpy.arange(-reach, reach + 1) ** 2 / (2 * size**2))
            bell /= numpy.sqrt((bell**2).sum())
            noise = scipy.ndimage.convolve1d(noise, bell, 0, mode="mirror")
            noise = scipy.ndimage.convolve1d(noise, bell, 1, mode="mirror")
        luma = (v @ LUMA if v.shape[2] == 3 else v[..., 0])[..., None]
        return v + amount * 4 * luma * (1 - luma) * noise[..., None]
    return change


add("grain=size=0", grain(0.08, 0, 1), channels=(3, 4, 1))


def guided(picture, radius, epsilon):
    """He, Sun and Tang, Guided Image Filtering, 2010, by itself; windows beyond the edge see the edge."""
    def mean(v):
        return scipy.ndimage.uniform_filter(v, 2 * radius + 1, mode="nearest")
    padded = numpy.pad(picture, 2 * radius, mode="edge")
    variance = mean(padded**2) - mean(padded) ** 2
    a = variance / (variance + epsilon)
    result = mean(a) * padded + mean((1 - a) * mean(padded))
    return result[2 * radius : -2 * radius, 2 * radius : -2 * radius]


def around(x, y, radius):
    def change(v):
        luma = guided(v @ LUMA if v.shape[2] == 3 else v[..., 0], radius, 0.01)
        return v * ((knots(x, y)(luma) + 1 / 4096) / (luma + 1 / 4096))[..., None]
    return change


WITHOUT_ALPHA = (3, 1, 3)
add("shadows=80:radius=2", around([0, 0.2, 0.6, 1], [0, 0.36, 0.68, 1], 2), channels=WITHOUT_ALPHA)
add("highlights=-100:3", around([0, 0.4, 0.8, 1], [0, 0.3, 0.6, 1], 3), channels=WITHOUT_ALPHA)

spline = [([0, 0.5, 1], [0, 0.7, 1]), ([0, 1], [0.1, 0.9]), ([0.2, 0.6, 1], [0, 0.5, 0.8])]
everything, master = ([0, 0.25, 1], [0, 0.15, 1]), ([0, 0.3, 1], [0, 0.5, 1])


def text_of(x, y):
    return ";".join(f"{100 * a:g} {100 * b:g}" for a, b in zip(x, y))


def bent(x, y):
    return lambda v: PchipInterpolator(x, y)(numpy.clip(v, x[0], x[-1]))


def by_colour(v):
    return numpy.stack([bent(*everything)(bent(*spline[c])(v[..., c])) for c in range(3)], 2)


def by_luma(v):
    luma = (v @ LUMA if v.shape[2] == 3 else v[..., 0])[..., None]
    return v + bent(*master)(luma) - luma


names = "".join(f":{n}={text_of(*k)}" for n, k in zip(("red", "green", "blue"), spline))
add(f"curves={text_of(*everything)}{names}", by_colour, channels=(3, 4, 3))
add(f"curves=luma={text_of(*master)}", by_luma)
add(f"curves=red={text_of(*spline[0])}:luma={text_of(*master)}",
    lambda v: by_luma(numpy.concatenate([bent(*spline[0])(v[..., :1]), v[..., 1:]], 2)), (("float32", 2e-6),), (3,))


def balanced(square):
    """Gray world of a square: each colour times what makes its mean that of all."""
    def change(v):
        means = v[square].mean((0, 1))
        return v * (means.mean() / means)
    return change


for kind, within in (("uint8", 1), ("uint16", 1), ("float32", 5e-5)):  # f32 is counted in 65536 bins
    image = noise(60, 9, 11, 3, kind)
    image = image // 2 + 20 if kind != "float32" else image / 2 + numpy.float32(0.25)
    for at, side, square in (("4x3", 3, numpy.s_[2:5, 3:6]), ("0%x100%", 5, numpy.s_[6:9, 0:3]), ("10x1", 1, numpy.s_[1:2, 10:11])):
        cases.add(f"whitebalance=at={at}:side={side}", image, stored(balanced(square)(image / WHITE[kind]), kind), within)


def hald(level, kind, function):
    """An identity picture through a function of colours."""
    side, width = level**2, level**3
    i = numpy.arange(side**3)
    rgb = numpy.stack([i % side, i // side % side, i // side**2], 1) / (side - 1)
    return stored(function(rgb), kind).reshape(width, width, 3)


image = noise(61, 3, 4, 3)
cases.add("haldclut=second.png", image, image, 0, second=hald(2, "uint16", lambda v: v))
# Planes stay planes between the entries, whatever the tetrahedra.
plane = lambda v: 0.1 + v @ numpy.array([[0.5, 0.2, 0.1], [0, 0.8, 0], [0.1, 0.1, 0.6]]).T
cases.add("haldclut=second.png", image, stored(plane(image / 255), "uint8"), 1, second=hald(2, "uint16", plane))
cases.add("haldclut=second.png", noise(62, 3, 4, 4, "uint16"),
          numpy.dstack([stored(1 - noise(62, 3, 4, 4, "uint16")[..., :3] / 65535, "uint16"), noise(62, 3, 4, 4, "uint16")[..., 3]]),
          1, second=hald(3, "uint16", lambda v: 1 - v))
add("grain=20:seed=99", grain(0.2, 0.7, 99), (("uint8", 1), ("uint16", 2), ("float32", 4e-6)), (4, 1, 3))
cases.write()
