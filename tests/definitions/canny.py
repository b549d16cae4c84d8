"""Canny's edges by OpenCV of bytes; of 16 bits and floats the same picture has the same edges."""

import cv2
import numpy
from cases import Cases, noise

cases = Cases(__file__, f"OpenCV {cv2.__version__}")
for seed, channels, low, high in ((1, 1, 1.0, 2.5), (2, 3, 2.0, 3.0), (3, 1, 0.25, 4.0)):
    image = cv2.GaussianBlur(noise(seed, 15, 21, channels), (0, 0), 0.6)
    edges = cv2.Canny(image, low * 255 / 4, high * 255 / 4)
    want = edges if channels == 1 else numpy.dstack([edges] * channels)
    chain = f"canny=high={high / 4}:low={low / 4}:sigma=0"
    cases.add(chain, image, want, 0)
    if channels == 1:
        cases.add(chain, image.astype(numpy.uint16) * 257, want.astype(numpy.uint16) * 257, 0)
        cases.add(chain, (image / numpy.float32(256)).astype(numpy.float32), (cv2.Canny(image, low * 64, high * 64) / 255).astype(numpy.float32), 0)
image = noise(4, 9, 13, 4)
image[..., :3] = cv2.GaussianBlur(image[..., :3], (0, 0), 0.6)
image[..., 3] = numpy.where(image[..., 3] < 60, 0, 255)  # what lies under none does not show
edges = cv2.Canny(image[..., :3] * (image[..., 3:] // 255), 100, 200)
want = numpy.dstack([edges, edges, edges, image[..., 3]])
cases.add(f"canny=high={200 / 255}:low={100 / 255}:sigma=0", image, want, 0)
image = numpy.zeros((5, 7), numpy.float32)
image[2, 3] = numpy.nan
cases.add("canny=sigma=0", image, numpy.zeros((5, 7), numpy.float32), 0)
cases.write()
