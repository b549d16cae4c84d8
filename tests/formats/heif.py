"""Samples of HEIF and AVIF, written and read by pillow-heif and by Pillow."""

import io

import numpy
import PIL
import pillow_heif
from PIL import Image

from samples import FOLDER, Samples, picture

samples = Samples("heif", f"Pillow {PIL.__version__} and pillow-heif {pillow_heif.__version__}")


def add(name, data, within):
    opened = pillow_heif.open_heif(io.BytesIO(data), convert_hdr_to_8bit=False) if name.endswith("heic") else Image.open(io.BytesIO(data))
    samples.add(f"heif-{name}", data, numpy.asarray(opened), within)


def soft(seed, channels=3):
    """A picture that takes few bytes: damage is tried in all of them."""
    small = Image.fromarray(picture(seed, 6, 6, channels))
    return small.resize((32, 32), Image.Resampling.BICUBIC)


def by_pillow(image, kind, **options):
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


pillow_heif.register_heif_opener()
colour, alpha = soft(1), soft(2, 4)
add("plain.heic", by_pillow(colour, "HEIF", quality=50, chroma=444), 2)
add("alpha.heic", by_pillow(alpha, "HEIF", quality=50, chroma=444), 2)
add("plain.avif", by_pillow(colour, "AVIF", quality=50, subsampling="4:4:4"), 2)
add("alpha.avif", by_pillow(alpha, "AVIF", quality=50, subsampling="4:4:4"), 2)
samples.write()

exif = Image.Exif()
exif[315] = "Somebody of that name"
(FOLDER / "metadata.heic").write_bytes(by_pillow(colour, "HEIF", quality=10, exif=exif.tobytes()))
