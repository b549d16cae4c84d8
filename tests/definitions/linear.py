"""Cases of the linear filters whose masks are computed: by scipy, OpenCV and scikit-image, and of areas by shapely."""

import math

import cv2
import numpy
import scipy
import shapely
import skimage
from scipy import ndimage
from shapely import affinity

from cases import Cases, noise

cases = Cases(__file__, f"scipy {scipy.__version__}, opencv-python {cv2.__version__}, scikit-image "
                        f"{skimage.__version__}, shapely {shapely.__version__}")


def stored(values, kind):
    if kind == "float32":
        return values.astype(kind)
    return numpy.rint(numpy.clip(values, 0, numpy.iinfo(kind).max)).astype(kind)


def correlated(image, mask, mode="nearest", cval=0.0, bias=0):
    planes = numpy.atleast_3d(image.astype(numpy.float64))
    return stored(numpy.stack([ndimage.correlate(planes[..., c], mask, mode=mode, cval=cval)
                               for c in range(planes.shape[2])], axis=2) + bias, str(image.dtype))


def coverage(shape, side):
    """The share of each pixel's square that a shape around (0, 0), y upwards, covers."""
    half = side // 2
    return numpy.array([[shape.intersection(shapely.box(x - .5, y - .5, x + .5, y + .5)).area
                         for x in range(-half, half + 1)] for y in range(half, -half - 1, -1)])


def mean_over(shape, side):
    mask = coverage(shape, side)
    return mask / mask.sum()


# Weights are f32: of u16, a result within 0.005 of a half may round to the other side.
WITHIN = {"uint8": 0, "uint16": 1, "float32": 2e-6}

# A line one pixel thick, counterclockwise from the right.
for length, angle, kind, channels, border in ((5, 0, "uint8", 3, "clamp"), (6.5, 30, "uint8", 1, "wrap"),
                                              (4, -90, "uint16", 1, "mirror"), (7, 135, "float32", 2, "clamp")):
    line = affinity.rotate(shapely.box(-length / 2, -.5, length / 2, .5), angle, origin=(0, 0))
    image = noise(11, 7, 9, channels, kind)
    image[..., 1::2] = 1 if channels == 2 else image[..., 1::2]  # opaque
    mode = {"clamp": "nearest", "mirror": "mirror", "wrap": "wrap"}[border]
    cases.add(f"motion={length:g}:angle={angle}", image, correlated(image, mean_over(line, 9), mode),
              WITHIN[kind], border)

# A disk, of a polygon of many corners: a circle to 1e-8 of its area.
for radius, kind in ((0.5, "uint8"), (2.3, "uint8"), (3, "uint16"), (1.5, "float32")):
    disk = shapely.Point(0, 0).buffer(radius, quad_segs=8192)
    image = noise(12, 7, 9, 1, kind)
    cases.add(f"disk={radius:g}", image, correlated(image, mean_over(disk, 9)), WITHIN[kind])

# The picture minus its Laplacian; the picture against its eight neighbours; a relief.
image = noise(13, 6, 7, 3)
real = image.astype(numpy.float64)
cases.add("sharpen=0.5", image, stored(numpy.stack(
    [real[..., c] - 0.5 * ndimage.laplace(real[..., c], mode="nearest") for c in range(3)], axis=2), "uint8"), 0)
cases.add("edge=0.25", image, correlated(image, (9 * (numpy.arange(9) == 4) - 1).reshape(3, 3) * 0.25), 0)
cases.add("emboss=2", image, correlated(image, numpy.array([[-4, -2, 0], [-2, 1, 2], [0, 2, 4]])), 0)
cases.add("emboss=1:angle=90", noise(14, 6, 7, 1, "float32"), correlated(
    noise(14, 6, 7, 1, "float32"),  # lit from above: what gets brighter downwards faces the light
    numpy.array([[0, 0, 0], [0, 1, 0], [0, 0, 0]]) + math.sqrt(2) * numpy.array([[-1] * 3, [0] * 3, [1] * 3])), 1e-5)

# With weights in tenths, one sum in ten lies halfway between two results, and goes to the even one.
image = noise(24, 9, 11)
tenths = image.astype(numpy.int64)
for chain, mask in (("sharpen=0.7", [[0, -7, 0], [-7, 38, -7], [0, -7, 0]]),
                    ("edge=0.3", [[-3, -3, -3], [-3, 24, -3], [-3, -3, -3]]),
                    ("convolve=0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9:scale=0.5", [[.5, 1, 1.5], [2, 2.5, 3], [3.5, 4, 4.5]])):
    cases.add(chain, image, stored(ndimage.correlate(2 * tenths, (2 * numpy.array(mask)).astype(int), mode="nearest")
                                   / 40, "uint8"), 0)


# The Laplacian of a Gaussian: scipy's result for one bright pixel is its mask.
def log_mask(sigma):
    radius = math.ceil(4 * sigma)
    point = numpy.zeros((2 * radius + 1, 2 * radius + 1))
    point[radius, radius] = 1
    mask = sigma * sigma * ndimage.gaussian_laplace(point, sigma, radius=radius, mode="constant")
    return mask - mask.mean()


image = noise(15, 7, 9)
cases.add("log=0.8:scale=0.5:bias=100", image, correlated(image, log_mask(0.8) * 0.5, bias=100), 0)
real = image.astype(numpy.float64)
cases.add("log=1:bias=128", image, stored(ndimage.gaussian_laplace(real, 1, radius=4, mode="nearest") + 128, "uint8"), 0)
image = noise(16, 6, 7, 1, "float32")
cases.add("log=1.5:scale=2", image, correlated(image, log_mask(1.5) * 2, "mirror"), 1e-5, "mirror")
cases.add("log=2", numpy.full((5, 6), 65535, numpy.uint16), numpy.zeros((5, 6), numpy.uint16), 0)

# The difference of two Gaussians: of these, scikit-image's radius of truncate times sigma is 3 sigma rounded up.
image = noise(17, 7, 9, 1, "float32")
dog = skimage.filters.difference_of_gaussians(image.astype(numpy.float64), 1, 1.6, mode="nearest", truncate=3)
cases.add("dog=1", image, dog.astype(numpy.float32), 2e-6)
widest = skimage.filters.difference_of_gaussians(image.astype(numpy.float64), 40, 42, mode="nearest", truncate=3)
cases.add("dog=40", image, widest.astype(numpy.float32), 2e-6)
image = noise(18, 7, 9, 3)
planes = image.astype(numpy.float64)
dog = skimage.filters.difference_of_gaussians(planes, 0.7, 1.1, mode="mirror", channel_axis=2, truncate=3.6)
cases.add("dog=0.7:outer=1.1:scale=2:bias=90", image, stored(2 * dog + 90, "uint8"), 0, "mirror")


# A wave in a Gaussian. OpenCV turns clockwise, and its mask is the one of a convolution.
def gabor_mask(wavelength, angle, sigma, phase, aspect):
    turn = math.radians(angle)
    along = sigma / aspect
    rx = math.ceil(3 * math.hypot(sigma * math.cos(turn), along * math.sin(turn)))
    ry = math.ceil(3 * math.hypot(sigma * math.sin(turn), along * math.cos(turn)))
    mask = cv2.getGaborKernel((2 * rx + 1, 2 * ry + 1), sigma, -turn, wavelength, aspect, math.radians(phase))
    return mask / (2 * math.pi * sigma * along)


image = noise(19, 7, 9)
cases.add("gabor=4:angle=30:sigma=1.2:aspect=0.8:bias=128", image,
          correlated(image, gabor_mask(4, 30, 1.2, 0, 0.8), bias=128), 0)
image = noise(20, 7, 9, 1, "float32")
cases.add("gabor=6:angle=-70:phase=90:aspect=2:scale=3", image,
          correlated(image, 3 * gabor_mask(6, -70, 0.56 * 6, 90, 2)), 1e-5)
turn = math.radians(-40)  # 4 sigma of scikit-image's box, which is not turned, are as many pixels as 3 of ours
kernel = numpy.real(skimage.filters.gabor_kernel(1 / 5, theta=turn, sigma_x=1.1, sigma_y=1.1, n_stds=4))
cases.add("gabor=5:angle=40:sigma=1.1:aspect=1", image, correlated(image, kernel), 2e-6)
# Filters that add the details that a blur takes away. Flat margins, so that scikit-image's border, which repeats the
# edge, is ours, too.
image = numpy.pad(noise(21, 5, 6, 1, "float32"), 3, constant_values=0.25).astype(numpy.float32)
cases.add("unsharp=0.5:radius=0.7", image, skimage.filters.unsharp_mask(
    image.astype(numpy.float64), radius=0.7, amount=0.5, preserve_range=True).astype(numpy.float32), 2e-6)
for kind, threshold in (("uint8", 20), ("uint16", 30), ("float32", 25)):
    image = noise(22, 6, 8, 3, kind)
    real = image.astype(numpy.float64)
    white = 1 if kind == "float32" else numpy.iinfo(kind).max
    blurred = ndimage.gaussian_filter(real, (1, 1, 0), radius=(3, 3, 0), mode="nearest")
    kept = numpy.abs(real - blurred) <= threshold / 100 * white
    assert 10 < kept.sum() < kept.size - 10
    cases.add(f"unsharp=1.5:radius=1:threshold={threshold}", image,
              stored(numpy.where(kept, real, real + 1.5 * (real - blurred)), kind), WITHIN[kind])
image = noise(25, 7, 9, 1, "float32")
real = image.astype(numpy.float64)
blurred = ndimage.gaussian_filter(real, 10, radius=60, mode="nearest")
cases.add("unsharp=0.5:radius=10", image, (real + 0.5 * (real - blurred)).astype(numpy.float32), 3e-6)
# Colours that cannot be seen do not show, and alpha stays.
image = noise(23, 6, 6, 4)
image[:3, :, 3] = 255
image[3:, :, 3] = 0
weights = numpy.array([1.0] * 3 + [0.0] * 3)
blur = lambda plane: ndimage.gaussian_filter(plane, 0.5, radius=2, mode="nearest")
share = blur(numpy.tile(weights[:, None], (1, 6)))
expected = image.copy()
for c in range(3):
    real = image[..., c].astype(numpy.float64)
    seen = numpy.divide(blur(real * weights[:, None]), share, out=numpy.zeros((6, 6)), where=share > 0)
    expected[..., c] = stored(real + (real - seen), "uint8")
cases.add("unsharp=1:radius=0.5", image, expected, 0)
# Alpha of less than 2^-18 is none.
image = numpy.full((4, 5, 2), 0.75, numpy.float32)
image[:, :, 1] = 3e-6
expected = image.copy()
expected[:, :, 0] = 0
cases.add("disk=1", image, expected, 1e-12)
image[:, :, 1] = 1e-5
cases.add("disk=1", image, image, 1e-6)
cases.write()
