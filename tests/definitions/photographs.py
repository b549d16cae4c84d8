"""Filters for photographs by their definitions in numpy, scipy and scikit-image: clarity, texture, dehaze, deconvolve,
denoise, defringe, heal."""

import numpy
import scipy
import scipy.ndimage
import skimage
import skimage.restoration

from cases import Cases, noise

cases = Cases(__file__, f"numpy {numpy.__version__}, scipy {scipy.__version__}, scikit-image {skimage.__version__}")
LUMA = numpy.array([0.2126, 0.7152, 0.0722])


def white_of(image):
    return 1 if image.dtype == numpy.float32 else numpy.iinfo(image.dtype).max


def luma(image):
    return image if image.ndim == 2 else image[..., :3] @ LUMA


def stored(values, kind):
    if kind == numpy.float32:
        return values.astype(numpy.float32)
    return numpy.clip(numpy.rint(values), 0, numpy.iinfo(kind).max).astype(kind)


def box(values, radius):
    return scipy.ndimage.uniform_filter(values, 2 * radius + 1, mode="nearest")


def guided(p, i, radius, epsilon):
    """K. He's formula of one channel. Windows lie beyond the edge, too."""
    p, i = (numpy.pad(a, 2 * radius, "edge") for a in (p, i))
    a = (box(i * p, radius) - box(i, radius) * box(p, radius)) / (box(i * i, radius) - box(i, radius) ** 2 + epsilon)
    b = box(p, radius) - a * box(i, radius)
    inner = slice(2 * radius, -2 * radius)
    return (box(a, radius) * i + box(b, radius))[inner, inner]


def smooth(seed, height, width, channels=1, kind="uint8"):
    """Noise of a few pixels' size, from a tenth of white to nine tenths."""
    rough = noise(seed, height, width, channels, "float32").astype(float)
    rough = scipy.ndimage.gaussian_filter(rough, (1.5, 1.5) + (0,) * (rough.ndim - 2), mode="wrap")
    rough = 0.1 + 0.8 * (rough - rough.min()) / (rough.max() - rough.min())
    return rough.astype("float32") if kind == "float32" else numpy.rint(rough * numpy.iinfo(kind).max).astype(kind)


def structure(image, amount, fine, radius, edge):
    white = white_of(image)
    y = luma(image / white)
    if fine > 0:
        reach = int(numpy.ceil(3 * fine))
        y = scipy.ndimage.gaussian_filter(y, fine, radius=reach, mode="nearest")
    q = guided(y, y, radius, edge**2)
    middle = numpy.clip(q, 0, 1)
    change = amount * (y - q) * 4 * middle * (1 - middle)
    return stored(image + white * (change if image.ndim == 2 else change[..., None]), image.dtype)


for kind, channels, within in (("uint8", 3, 0), ("uint16", 1, 0), ("float32", 3, 2e-6)):
    image = smooth(1, 11, 13, channels, kind)
    cases.add("clarity=80:radius=3:edge=0.1", image, structure(image, 0.8, 0, 3, 0.1), within)
    cases.add("texture=-60:radius=2:fine=0.8:edge=0.2", image, structure(image, -0.6, 0.8, 2, 0.2), within)
image = noise(2, 9, 8, 3)
cases.add("clarity=0", image, image, 0)
cases.add("clarity=100:radius=2", image, structure(image, 1, 0, 2, 0.2), 0)


def dehaze(image, strength, radius, refine, share):
    white = white_of(image)
    colours = numpy.atleast_3d(image / white)

    def dark_channel(values):
        return scipy.ndimage.minimum_filter(values.min(axis=2), 2 * radius + 1, mode="nearest")

    dark = dark_channel(colours)
    ordered = numpy.sort(dark, axis=None)[::-1]
    # The largest value that more than the share of all reach.
    haziest = dark >= ordered[int(share * dark.size)] - 1e-9
    haze = numpy.array([colours[..., c][haziest].max() for c in range(colours.shape[2])])
    relative = numpy.minimum(colours / haze, 1)
    passes = 1 - strength * dark_channel(relative)
    passes = numpy.maximum(guided(passes, luma(colours[..., 0] if image.ndim == 2 else colours), refine, 1e-3), 0.1)
    clear = numpy.where(colours <= haze, (colours - haze) / passes[..., None] + haze, colours)
    return stored(white * numpy.maximum(clear, 0).reshape(image.shape), image.dtype)


for kind, channels, within in (("uint8", 3, 0), ("uint16", 3, 2), ("float32", 3, 1e-5), ("uint8", 1, 0)):
    image = smooth(3, 14, 17, channels, kind)
    hazy = image.astype(float) * 0.5 + 0.45 * white_of(image)
    hazy = stored(hazy, image.dtype)
    cases.add("dehaze=90:radius=2:refine=4:share=5", hazy, dehaze(hazy, 0.9, 2, 4, 0.05), within)
image = smooth(4, 9, 7, 3)
cases.add("dehaze=0", image, image, 0)

for kind, border, within in (("uint8", "zero", 0), ("float32", "zero", 2e-5)):
    sharp = smooth(5, 12, 15, 1, kind)
    white = white_of(sharp)
    written = numpy.array([[1, 2, 0], [3, 4, 1], [0, 2, 5]], float)
    blurred = stored(scipy.ndimage.correlate(sharp.astype(float), written / written.sum(), mode="constant"), sharp.dtype)
    # scikit-image convolves, where the mask is laid on as it is written.
    want = skimage.restoration.richardson_lucy(blurred / white, written[::-1, ::-1] / written.sum(), num_iter=7,
                                               clip=False, filter_epsilon=1e-6)
    cases.add("deconvolve=iterations=7:mask=1 2 0 3 4 1 0 2 5", blurred, stored(want * white, sharp.dtype), within, border)
x = numpy.arange(-3, 4)
bell = numpy.exp(-(x**2) / 2)
bell = numpy.outer(bell, bell) / bell.sum() ** 2
blurred = numpy.dstack([smooth(c, 12, 15, 1, "float32") for c in (6, 7, 8)])
want = numpy.dstack([skimage.restoration.richardson_lucy(blurred[..., c].astype(float), bell, num_iter=4, clip=False,
                                                         filter_epsilon=1e-6) for c in range(3)])
cases.add("deconvolve=1:4", blurred, want.astype(numpy.float32), 2e-5, "zero")


def nlmeans(image, patch, search, h):
    image = numpy.atleast_3d(image)
    height, width, _ = image.shape
    reach, side = patch + search, 2 * patch + 1
    far = numpy.pad(image, ((reach, reach), (reach, reach), (0, 0)), "edge")
    total, weights = numpy.zeros(image.shape), numpy.zeros((height, width, 1))
    windows = numpy.lib.stride_tricks.sliding_window_view(far, (side, side), axis=(0, 1))
    own = windows[search : search + height, search : search + width]
    for j in range(2 * search + 1):
        for i in range(2 * search + 1):
            distance = ((windows[j : j + height, i : i + width] - own) ** 2).mean(axis=(2, 3, 4))[..., None]
            weight = numpy.exp(-distance / h**2)
            total += weight * far[patch + j : patch + j + height, patch + i : patch + i + width]
            weights += weight
    return total / weights


def deviation(plane):
    """The mean of log |x| of white noise is log sigma - (gamma + log 2) / 2."""
    mask = numpy.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]]) / 6
    x = numpy.abs(scipy.ndimage.correlate(plane, mask, mode="nearest"))
    return numpy.exp(numpy.log(x[x > 2e-6]).mean() + (numpy.euler_gamma + numpy.log(2)) / 2)


def denoise(image, strength, colour):
    values = image / white_of(image)
    y = luma(values)
    result = nlmeans(y, 3, 10, strength * deviation(y)) if strength else numpy.atleast_3d(y)
    if image.ndim == 3:
        apart = values - y[..., None]
        noisy = (values[..., 0] - values[..., 2]) / numpy.sqrt(2)
        result = result + (nlmeans(apart, 3, 10, colour * deviation(noisy)) if colour else apart)
    return stored(result.reshape(image.shape) * white_of(image), image.dtype)


for kind, channels, within in (("uint8", 3, 0), ("uint16", 1, 1), ("float32", 3, 5e-6)):
    random = numpy.random.default_rng(12)
    image = smooth(9, 13, 15, channels, kind)
    image = stored(image + 0.03 * white_of(image) * random.standard_normal(image.shape), image.dtype)
    cases.add("denoise", image, denoise(image, 1, 1), within)
    cases.add("denoise=0.5:2", image, denoise(image, 0.5, 2), within)
image = smooth(10, 7, 6, 3)
cases.add("denoise=0:0", image, image, 0)

def defringe(image, purple, green, radius, edge):
    white, values = white_of(image), image.astype(float)
    r, g, b = numpy.moveaxis(values, 2, 0)
    excess = 2 * (numpy.minimum(r, b) - g)
    colour = numpy.stack([purple * numpy.maximum(numpy.minimum(r - g, excess), 0),
                          green * numpy.maximum(g - numpy.maximum(r, b), 0),
                          purple * numpy.maximum(numpy.minimum(b - g, excess), 0)], axis=2)
    colour = stored(colour, image.dtype).astype(float)
    y, x = numpy.mgrid[-radius : radius + 1, -radius : radius + 1]
    disk = x * x + y * y <= radius * radius
    wide = numpy.dstack([scipy.ndimage.grey_dilation(scipy.ndimage.grey_erosion(c, footprint=disk, mode="nearest"),
                                                     footprint=disk, mode="nearest") for c in numpy.moveaxis(colour, 2, 0)])
    range_ = (scipy.ndimage.maximum_filter(luma(values), footprint=disk, mode="nearest")
              - scipy.ndimage.minimum_filter(luma(values), footprint=disk, mode="nearest"))
    mask = numpy.clip((range_ / white - edge / 2) / (edge / 2), 0, 1)
    return stored(values - mask[..., None] * (colour - wide), image.dtype)


for kind, within in (("uint8", 0), ("uint16", 1), ("float32", 2e-6)):
    image = smooth(11, 12, 13, 3, kind)
    cases.add("defringe", image, defringe(image, 1, 1, 4, 0.2), within)
    cases.add("defringe=70:30:2:0.6", image, defringe(image, 0.7, 0.3, 2, 0.6), within)
gray = smooth(12, 5, 6)
cases.add("defringe", gray, gray, 0)


def heal(image, spots):
    """Poisson's integral over the rim of each disk, of pictures less their patches. Spots in percent."""
    height, width = image.shape[:2]
    values = numpy.atleast_3d(image.astype(float))

    def read(x, y):
        x, y = (numpy.floor(numpy.asarray(at) + 0.5 + 1e-6).astype(int) for at in (x, y))
        return values[numpy.clip(y, 0, height - 1), numpy.clip(x, 0, width - 1)]

    result, done = values.copy(), numpy.zeros((height, width), bool)
    for x, y, radius, across, down in spots:
        x, y, radius = x / 100 * width - 0.5, y / 100 * height - 0.5, radius / 100 * max(width, height)
        across, down = round(across / 100 * width), round(down / 100 * height)
        count = max(int(numpy.ceil(2 * numpy.pi * radius)), 16)
        turn = 2 * numpy.pi * numpy.arange(count) / count
        u, v = x + radius * numpy.cos(turn), y + radius * numpy.sin(turn)
        rim = read(u, v)
        if across or down:
            rim = rim - read(numpy.floor(u.clip(0, width - 1) + 0.5 + 1e-6) + across,
                             numpy.floor(v.clip(0, height - 1) + 0.5 + 1e-6) + down)
        for j, i in numpy.argwhere((numpy.hypot(*(numpy.mgrid[0:height, 0:width] - numpy.array([y, x])[:, None, None])) < radius) & ~done):
            weights = 1 / ((i - u) ** 2 + (j - v) ** 2)
            result[j, i] = (weights[:, None] * rim).sum(axis=0) / weights.sum()
            if across or down:
                result[j, i] += read(i + across, j + down)
            done[j, i] = True
    return stored(result.reshape(image.shape), image.dtype)


spots = [(30.3, 40.1, 17.2, 40, -10), (70, 71, 11.3, 0, 0), (4, 97, 20.1, 30, -40), (35, 45, 21, 0, 20)]
written = "; ".join(" ".join(f"{n:g}" for n in spot) for spot in spots)
for kind, channels, within in (("uint8", 3, 0), ("uint16", 1, 0), ("float32", 3, 2e-6)):
    image = smooth(13, 20, 27, channels, kind)
    cases.add(f"heal={written}", image, heal(image, spots), within)
# A periodic picture on a slope comes back exactly; a slope alone within half a pixel of it, as rims are read.
y, x = numpy.mgrid[0:24, 0:40]
whole = ((x * 7 + y * 11) % 8 * 8 + 2 * x + y).astype("float32")
spoilt = numpy.where((x - 11.5) ** 2 + (y - 11.5) ** 2 < 18, 250, whole).astype("float32")
cases.add("heal=30 50 12.8 40 0", spoilt, whole, 1e-4)
slope = (2 * x + y).astype("float32")
spoilt = numpy.where((x - 11.5) ** 2 + (y - 11.5) ** 2 < 18, 250, slope).astype("float32")
cases.add("heal=30 50 12.8 0 0", spoilt, slope, 1)
cases.write()
