"""Cases of the filters by statistics, by OpenCV, scikit-image and numpy."""

import math
from fractions import Fraction

import cv2
import numpy
import skimage
from skimage import exposure, filters

from cases import Cases, noise

cases = Cases(__file__, f"OpenCV {cv2.__version__}, scikit-image {skimage.__version__}, numpy {numpy.__version__}")


def stored(values, kind):
    if kind == "float32":
        return numpy.asarray(values).astype(kind)
    return numpy.rint(numpy.clip(values, 0, numpy.iinfo(kind).max)).astype(kind)


def stretched(image, low, high, white):
    """Between the given values, per channel."""
    real = image.astype(numpy.float64)
    return numpy.clip((real - low) / (numpy.asarray(high, float) - low), 0, 1) * white


def darkened(seed, shape, kind="uint8", levels=40):
    """Few values, unevenly many of each, as in a picture."""
    random = numpy.random.default_rng(seed)
    white = 1 if kind == "float32" else numpy.iinfo(kind).max
    values = (random.beta(2, 5, shape) * levels).round() / levels * 0.8 + 0.1
    return stored(values * white, kind)


# equalize: cv::equalizeHist sums in f32, which rounds a tie differently at times.
gray = darkened(1, (9, 11))
cases.add("equalize", gray, cv2.equalizeHist(gray), 0)
cases.add("equalize", numpy.full((3, 4), 77, numpy.uint8), cv2.equalizeHist(numpy.full((3, 4), 77, numpy.uint8)), 0)
colour = darkened(2, (7, 9, 3))
cases.add("equalize=channel", colour, numpy.dstack([cv2.equalizeHist(colour[..., c].copy()) for c in range(3)]), 0)


def equalized(image, white, count=None):
    """The formula of cv::equalizeHist, for any whole numbers."""
    counted = image if count is None else count
    values, numbers = numpy.unique(counted, return_counts=True)
    upto = numpy.cumsum(numbers)
    results = (upto - numbers[0]) * white / (upto[-1] - numbers[0])
    at = numpy.searchsorted(values, image, side="right") - 1
    return numpy.where(at < 0, 0, results[at])


wide = darkened(3, (7, 9), "uint16", 500)
cases.add("equalize", wide, stored(equalized(wide, 65535), "uint16"), 0)
cases.add("equalize=all", colour, stored(equalized(colour, 255), "uint8"), 0)
luma = (colour.astype(numpy.uint32) @ numpy.array([13933, 46871, 4732], numpy.uint32) + 32768) >> 16
cases.add("equalize=luma", colour, stored(equalized(colour, 255, luma), "uint8"), 0)

# f32 values at the bins are as whole numbers, within a hundredth of a bin of f32's rounding on a step of 1/62. NaN is
# not counted, and stays.
real = wide.astype(numpy.float32) / 65535
real[2, 3] = numpy.nan
want = equalized(numpy.where(numpy.isnan(real), 0, wide), 1, wide[~numpy.isnan(real)])
cases.add("equalize", real, numpy.where(numpy.isnan(real), numpy.nan, want).astype(numpy.float32), 2e-4)
# scikit-image counts the darkest, too: the same up to that, for a picture of many values, none of them twice.
many = noise(4, 16, 24, 1, "float32")
share = 1 / many.size
cases.add("equalize", many, ((exposure.equalize_hist(many, 65536) - share) / (1 - share)).astype(numpy.float32), 3 * share)

# normalize
for kind, white, within in (("uint8", 255, 0), ("uint16", 65535, 0), ("float32", 1, 5e-5)):
    image = darkened(5, (6, 8), kind, 300)
    cases.add("normalize", image, stored(exposure.rescale_intensity(image.astype(float), out_range=(0, white)), kind),
              within)
    image = darkened(6, (6, 5, 3), kind, 300)
    cases.add("normalize=0.2:0.7", image,
              stored(exposure.rescale_intensity(image.astype(float), out_range=(0.2 * white, 0.7 * white)), kind), within)
    by_channel = stored(numpy.dstack(
        [exposure.rescale_intensity(image[..., c].astype(float), out_range=(0, white)) for c in range(3)]), kind)
    cases.add("normalize=by=channel", image, by_channel, within)
    cases.add("autolevels=0:0", image, by_channel, within)
image = darkened(7, (6, 8), "uint8", 300)
cases.add("normalize", image, cv2.normalize(image, None, 0, 255, cv2.NORM_MINMAX), 1)
# Lines in whole numbers: a range of an even number of values has ties, which go to the even result.
for low, high, dark, bright in ((30, 230, 0, 255), (3, 173, 0, 255), (100, 102, 0, 255), (0, 254, 0, 255), (7, 248, 0, 255),
                                (50, 250, 51, 204), (10, 40, 102, 255), (0, 255, 51, 153)):
    ramp = numpy.arange(low, high + 1, dtype=numpy.uint8)[None]
    want = [round(dark + Fraction((v - low) * (bright - dark), high - low)) for v in range(low, high + 1)]
    cases.add("normalize" if (dark, bright) == (0, 255) else f"normalize={dark / 255:g}:{bright / 255:g}", ramp,
              numpy.array([want], numpy.uint8), 0)
image = darkened(8, (5, 6), "float32", 300)
image[1, 2], image[3, 3], image[4, 4] = numpy.nan, numpy.inf, -numpy.inf
finite = numpy.nan_to_num(image, nan=numpy.nan, posinf=1, neginf=0)
cases.add("normalize", image, finite, 2e-5)  # infinity is the last bin, minus infinity the first

# alpha: transparent pixels are not counted, but changed like all else; alpha stays.
image = numpy.dstack([darkened(9, (6, 7, 3)), numpy.full((6, 7), 200, numpy.uint8)])
image[0, :3, :3], image[0, :3, 3] = 255, 0
image[1, :3, :3], image[1, :3, 3] = 0, 0
seen = image[..., 3] > 0
colours = image[..., :3]
low, high = colours[seen].min(), colours[seen].max()
cases.add("normalize", image, numpy.dstack([stored(stretched(colours, low, high, 255), "uint8"), image[..., 3]]), 0)
cases.add("normalize", image, numpy.dstack([colours, image[..., 3]]), 0, options="alpha=ignore")

# autolevels: one in `low` is below, so that an order statistic is black.
for kind, white, within in (("uint8", 255, 0), ("uint16", 65535, 0), ("float32", 1, 5e-5)):
    image = noise(10, 8, 10, 3, kind)
    rows = [numpy.sort(image[..., c].ravel()) for c in range(3)]
    low, high = [[float(row[i]) for row in rows] for i in (4, -9)]  # more than 5 % of 80 values; more than 10 %
    cases.add("autolevels=5:10", image, stored(stretched(image, low, high, white), kind), within)
    together = numpy.sort(image.ravel())
    cases.add("autolevels=5:10:all", image,
              stored(stretched(image, float(together[12]), float(together[-25]), white), kind), within)

# clahe: OpenCV, whose products with a reciprocal in f32 round a tie differently at times
for seed, shape, tiles, clip in ((16, (16, 24), 4, 2), (17, (15, 22), 4, 3), (18, (18, 20), 2, 0), (19, (11, 13), 2, 40)):
    image = darkened(seed, shape, "uint8", 90)
    engine = cv2.createCLAHE(clipLimit=clip, tileGridSize=(tiles, tiles))
    cases.add(f"clahe={clip}:{tiles}", image, engine.apply(image), 1)
colours = darkened(20, (12, 16, 3), "uint8", 90)
engine = cv2.createCLAHE(clipLimit=2, tileGridSize=(4, 4))
cases.add("clahe=2:4:channel", colours, numpy.dstack([engine.apply(colours[..., c].copy()) for c in range(3)]), 1)

# u16 and f32: the same in 256 bins, without rounding, straight lines between them; counts that are cut off are spread
# evenly.
def by_tiles(image, white, clip, tiles):
    height, width = (side // tiles for side in image.shape)
    bins = numpy.rint(image.astype(float) * 255 / white).astype(int)
    curves = numpy.empty((tiles, tiles, 256))
    for y, x in numpy.ndindex(tiles, tiles):
        tile = bins[y * height : (y + 1) * height, x * width : (x + 1) * width]
        counts = numpy.bincount(tile.ravel(), minlength=256)
        kept = numpy.minimum(counts, max(clip * tile.size // 256, 1))
        spread = (numpy.arange(257) * (tile.size - kept.sum())) // 256
        curves[y, x] = numpy.cumsum(kept + numpy.diff(spread)) * white / tile.size
    results = numpy.empty(image.shape)
    for y, x in numpy.ndindex(*image.shape):
        (above, below), (left, right) = (numpy.clip([math.floor(at / side - 0.5), math.floor(at / side + 0.5)], 0,
                                                    tiles - 1) for at, side in ((y, height), (x, width)))
        down, across = (y / height - 0.5) % 1, (x / width - 0.5) % 1
        corners = [numpy.interp(float(image[y, x]) * 255 / white, numpy.arange(256), curves[at])
                   for at in ((above, left), (above, right), (below, left), (below, right))]
        results[y, x] = numpy.dot(corners, [(1 - down) * (1 - across), (1 - down) * across, down * (1 - across),
                                            down * across])
    return results


for kind, white, within in (("uint16", 65535, 1), ("float32", 1, 1e-5)):
    for seed, side, tiles, clip in ((24, 16, 1, 2), (25, 20, 2, 1), (26, 16, 2, 40)):
        image = darkened(seed, (side, side), kind, 5000)
        cases.add(f"clahe={clip}:{tiles}", image, stored(by_tiles(image, white, clip, tiles), kind), within)

# 8 bits in 16 or in f32, and nothing to be spread: as OpenCV has it of 8, whose results are rounded once more.
for seed, shape, tiles in ((29, (16, 24), 4), (30, (12, 18), 2)):
    image = darkened(seed, shape, "uint8", 90)
    want = cv2.createCLAHE(clipLimit=0, tileGridSize=(tiles, tiles)).apply(image)
    cases.add(f"clahe=0:{tiles}", image.astype(numpy.uint16) * 257, want.astype(numpy.uint16) * 257, 257)
    cases.add(f"clahe=0:{tiles}", (image / 255).astype(numpy.float32), (want / 255).astype(numpy.float32), 1 / 255)

# otsu: white above the threshold
for seed in (11, 12):
    image = darkened(seed, (9, 11))
    cases.add("otsu", image, cv2.threshold(image, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)[1], 0)
image = darkened(13, (8, 9), "uint16", 700)
cases.add("otsu", image, stored(65535.0 * (image > filters.threshold_otsu(image, nbins=65536)), "uint16"), 0)
real = image.astype(numpy.float32) / 65535
real[4, 4] = numpy.nan
threshold = filters.threshold_otsu(image[numpy.isfinite(real)], nbins=65536)
cases.add("otsu", real, numpy.where(numpy.isnan(real), real, image > threshold).astype(numpy.float32), 0)
cases.add("otsu=channel", colour, numpy.dstack(
    [cv2.threshold(colour[..., c].copy(), 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)[1] for c in range(3)]), 0)
threshold, white = cv2.threshold(luma.astype(numpy.uint8), 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
cases.add("otsu", colour, numpy.dstack([white] * 3), 0)

# whitebalance
for kind, within in (("uint8", 0), ("uint16", 0), ("float32", 5e-5)):
    image = darkened(14, (6, 7, 3), kind, 300)
    image[..., 2] = stored(image[..., 2] * 0.5, kind)
    means = image.astype(numpy.float64).mean(axis=(0, 1))
    cases.add("whitebalance", image, stored(image * (means.mean() / means), kind), within)
    bright = [float(numpy.sort(image[..., c].ravel())[-5]) for c in range(3)]  # 4 of 42 are fewer than 10 %
    cases.add("whitebalance=patch:10", image, stored(image * (max(bright) / numpy.array(bright)), kind), within)
bright = darkened(15, (4, 5, 3), "float32", 300)
bright[1, 1] = 7.5, 6, 3
means = numpy.minimum(bright, 1).astype(numpy.float64).mean(axis=(0, 1))  # counted with the largest, and scaled alike
cases.add("whitebalance", bright, stored(bright * (means.mean() / means), "float32"), 5e-4)
cases.add("whitebalance", gray, gray, 0)

# tonemap with a key: Reinhard et al. 2002, equations 1 and 2, then 4 or none; "delta" is 1e-6
def keyed(image, key, white, seen=True):
    light = image[..., :3] / white
    luma = light @ numpy.array([0.2126, 0.7152, 0.0722]) if light.ndim == 3 else light
    return key / numpy.exp(numpy.log(1e-6 + luma[numpy.broadcast_to(seen, luma.shape)]).mean()) * light


for kind, white, within in (("uint8", 255, 0), ("uint16", 65535, 0), ("float32", 1, 2e-6)):
    image = darkened(21, (6, 7, 3), kind, 300)
    cases.add("tonemap=linear:key=0.18", image, stored(keyed(image, 0.18, white) * white, kind), within)
    lit = 2 * keyed(image, 0.3, white)
    cases.add("tonemap=exposure=1:key=0.3", image, stored(white * lit * (1 + lit / 16) / (1 + lit), kind), within)
gray = darkened(22, (5, 6), "float32", 300) * 50
gray[2, 3] = 0
cases.add("tonemap=linear:key=0.5", gray, (0.5 / numpy.exp(numpy.log(1e-6 + gray.astype(float)).mean())
                                          * gray).astype(numpy.float32), 2e-6)
# a value that is no light is not counted, nor is a transparent one
odd = gray.copy()
odd[1, 1], odd[4, 5] = numpy.nan, numpy.inf
counted = odd[numpy.isfinite(odd)].astype(float)
cases.add("tonemap=linear:key=0.5", odd, (0.5 / numpy.exp(numpy.log(1e-6 + counted).mean()) * odd).astype(numpy.float32),
          2e-6)
image = numpy.dstack([darkened(23, (6, 7, 3)), numpy.full((6, 7), 200, numpy.uint8)])
image[0, :3, :3], image[0, :3, 3] = 255, 0
cases.add("tonemap=linear:key=0.18", image,
          numpy.dstack([stored(keyed(image, 0.18, 255, image[..., 3] > 0) * 255, "uint8"), image[..., 3]]), 0)
cases.add("tonemap=linear:key=0.18", image,
          numpy.dstack([stored(keyed(image, 0.18, 255) * 255, "uint8"), image[..., 3]]), 0, options="alpha=ignore")
black = numpy.zeros((2, 3), numpy.uint8)
cases.add("tonemap=key=0.18", black, black, 0)
cases.write()
