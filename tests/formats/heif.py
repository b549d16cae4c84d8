"""Samples of HEIF and AVIF, written and read by pillow-heif and by Pillow."""

import io

import numpy
import PIL
import pillow_heif
from PIL import Image, ImageOps

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

# On its side, and mirrored; then the same without a turn of alpha's own, which goes by the picture's (libavif turns both alike).
turned = Image.Exif()
turned[0x0112] = 7
whole = by_pillow(alpha.crop((0, 0, 24, 16)), "AVIF", quality=50, subsampling="4:4:4", exif=turned)
upright = numpy.asarray(ImageOps.exif_transpose(Image.open(io.BytesIO(whole))))
assert upright.shape == (24, 16, 4)
samples.add("heif-turned.avif", whole, upright, 2)
of_alpha = whole.rindex(bytes([0x00, 0x02, 0x06])) + 3  # its six properties: ispe, pixi, av1C, auxC, irot, imir
one_sided = bytearray(whole)
one_sided[of_alpha + 4:of_alpha + 6] = one_sided[of_alpha:of_alpha + 1] * 2
samples.add("heif-turned-alpha.avif", bytes(one_sided), upright, 2)

# A sequence whose first picture stands alone, too; the same by other brands, in boxes of 64-bit sizes, and with a film.
frames = [soft(seed).resize((16, 12)) for seed in (3, 4)]
sequence = by_pillow(frames[0], "AVIF", quality=30, subsampling="4:4:4", save_all=True, append_images=frames[1:])
still = Image.open(io.BytesIO(sequence))
samples.add("heif-sequence.avif", sequence, numpy.asarray(still.convert("RGB")), 3)


def boxes(data):
    at = 0
    while at < len(data):
        size = int.from_bytes(data[at:at + 4], "big")
        yield data[at + 4:at + 8], data[at + 8:at + size]
        at += size


def box(kind, contents, wide=False):
    if wide:
        return (1).to_bytes(4, "big") + kind + (16 + len(contents)).to_bytes(8, "big") + contents
    return (8 + len(contents)).to_bytes(4, "big") + kind + contents


plain = by_pillow(frames[0], "AVIF", quality=30, subsampling="4:4:4")
moved = 8 + 16 + 8  # two sizes, and a box that is skipped
parts = dict(boxes(plain))
meta = bytearray(parts[b"meta"])
locations = meta.index(b"iloc") + 4
assert meta[locations:locations + 8] == bytes([0, 0, 0, 0, 0x44, 0, 0, 1])  # one item, offsets and lengths of 4 bytes
offset = locations + 14
meta[offset - 2:offset] = (1).to_bytes(2, "big")
meta[offset:offset + 4] = (int.from_bytes(meta[offset:offset + 4], "big") + moved).to_bytes(4, "big")
wide = (box(b"ftyp", b"isom" + parts[b"ftyp"][4:], True) + box(b"meta", bytes(meta)) + box(b"free", bytes(8))
        + box(b"mdat", parts[b"mdat"], True) + box(b"mpvd", b"a film"))
samples.add("heif-wide.avif", wide, numpy.asarray(Image.open(io.BytesIO(plain))), 3)
samples.write()

exif = Image.Exif()
exif[315] = "Somebody of that name"
(FOLDER / "metadata.heic").write_bytes(by_pillow(colour, "HEIF", quality=10, exif=exif.tobytes()))
