"""Cases of blend: by Pillow, and by the formulas of W3C Compositing and Blending Level 1 written out in numpy."""

import numpy
import PIL
from PIL import Image, ImageChops

from cases import Cases, noise

cases = Cases(__file__, f"Pillow {PIL.__version__}, and with numpy {numpy.__version__} by the formulas of W3C "
                        "Compositing and Blending Level 1")


def soft(b, s):
    d = numpy.where(b <= 0.25, ((16 * b - 12) * b + 4) * b, numpy.sqrt(b))
    return numpy.where(s <= 0.5, b - (1 - 2 * s) * b * (1 - b), b + (2 * s - 1) * (d - b))


def hard(b, s):
    return numpy.where(s <= 0.5, b * 2 * s, b + (2 * s - 1) - b * (2 * s - 1))


def dodge(b, s):
    return numpy.where(b == 0, 0, numpy.where(s == 1, 1, numpy.minimum(1, b / numpy.where(s == 1, 1, 1 - s))))


def burn(b, s):
    return numpy.where(b == 1, 1, numpy.where(s == 0, 0, 1 - numpy.minimum(1, (1 - b) / numpy.where(s == 0, 1, s))))


MODES = {
    "normal": lambda b, s: s, "multiply": lambda b, s: b * s, "screen": lambda b, s: b + s - b * s,
    "overlay": lambda b, s: hard(s, b), "darken": numpy.minimum, "lighten": numpy.maximum, "dodge": dodge, "burn": burn,
    "hardlight": hard, "softlight": soft, "difference": lambda b, s: abs(b - s),
    "exclusion": lambda b, s: b + s - 2 * b * s, "add": lambda b, s: b + s, "subtract": lambda b, s: b - s,
}
WHITE = {"uint8": 255, "uint16": 65535, "float32": 1}


def composite(mode, backdrop, source, opacity=1.0):
    """Section 5.1: with cs = (1 - ab) Cs + ab B(Cb, Cs), co = as cs + (1 - as) ab Cb and ao = as + ab (1 - as)."""
    kind = str(backdrop.dtype)
    b, s = backdrop / float(WHITE[kind]), source / float(WHITE[str(source.dtype)])
    has = [image.ndim == 3 and image.shape[2] in (2, 4) for image in (backdrop, source)]
    ab = b[..., -1:] if has[0] else numpy.ones((*b.shape[:2], 1))
    over = (s[..., -1:] if has[1] else numpy.ones((*s.shape[:2], 1))) * numpy.atleast_3d(opacity)
    b, s = (numpy.atleast_3d(v)[..., :-1] if h else numpy.atleast_3d(v) for v, h in ((b, has[0]), (s, has[1])))
    mixed = (1 - ab) * s + ab * MODES[mode](b, s)
    all_ = over + ab * (1 - over)
    out = numpy.where(all_ > 0, (over * mixed + (1 - over) * ab * b) / numpy.where(all_ > 0, all_, 1), 0)
    out = numpy.concatenate([out, all_], axis=2) if has[0] else out
    return out.astype(kind) if kind == "float32" else numpy.rint(numpy.clip(out, 0, 1) * WHITE[kind]).astype(kind)


for seed, mode in enumerate(MODES):
    b, s = noise(2 * seed, 5, 7, 3), noise(2 * seed + 1, 5, 7, 3)
    b[0, 0], s[0, 1], b[0, 2], s[0, 3] = 0, 0, 255, 255
    s[0, 0], b[0, 1], s[0, 2], b[0, 3] = 255, 255, 0, 0
    cases.add(f"blend=second.png:{mode}", b, composite(mode, b, s), 1, second=s)
for name, of_pillow in (("multiply", ImageChops.multiply), ("screen", ImageChops.screen),
                        ("darken", ImageChops.darker), ("lighten", ImageChops.lighter),
                        ("add", ImageChops.add), ("subtract", ImageChops.subtract),
                        ("difference", ImageChops.difference), ("hardlight", ImageChops.hard_light),
                        ("overlay", ImageChops.overlay)):
    b, s = noise(40, 4, 6, 1), noise(41, 4, 6, 1)
    cases.add(f"blend=second.png:{name}", b, numpy.array(of_pillow(Image.fromarray(b), Image.fromarray(s))), 1, second=s)

# Alpha, opacity, a mask; other types; a gray image over colours.
b, s, mask = noise(50, 5, 6, 4), noise(51, 5, 6, 4), noise(52, 5, 6, 1)
b[0, 0, 3], s[0, 0, 3], b[0, 1, 3], s[0, 1, 3], b[0, 2, 3], s[0, 2, 3] = 0, 0, 255, 0, 0, 255
over = numpy.array(Image.alpha_composite(Image.fromarray(b), Image.fromarray(s)))
clear = over[..., 3] == 0
over[clear] = composite("normal", b, s)[clear]  # Pillow keeps the colour of what is transparent, which nobody sees
cases.add("blend=second.png", b, over, 1, second=s)
for mode in ("normal", "multiply", "softlight"):
    cases.add(f"blend=second.png:{mode}:50", b, composite(mode, b, s, 0.5), 1, second=s)
    cases.add(f"blend=second.png:{mode}:mask=third.png", b, composite(mode, b, s, mask / 255.0), 1, second=s, third=mask)
    cases.add(f"blend=second.png:{mode}:60", b[..., :3], composite(mode, b[..., :3], s, 0.6), 1, second=s)
for kind, within in (("uint16", 1), ("float32", 2e-6)):
    b, s = noise(60, 5, 4, 3, kind), noise(61, 5, 4, 4, "uint8")
    cases.add("blend=second.png:screen:70", b, composite("screen", b, s, 0.7), within, second=s)
gray = noise(62, 5, 4, 1)
colours = noise(63, 5, 4, 3)
cases.add("blend=second.png:multiply", colours, composite("multiply", colours, numpy.dstack([gray] * 3)), 1, second=gray)
# Without a file: the picture as it was.
cases.add("invert,blend=mode=difference", gray, abs(255 - 2 * gray.astype(int)).astype(numpy.uint8), 0)
# NaN stays NaN where it shows.
real = noise(64, 3, 4, 1, "float32")
above = noise(65, 3, 4, 1, "float32")
real[1, 1] = above[2, 2] = numpy.nan
cases.add("blend=second.png:multiply", real, real * above, 2e-6, second=above)
cases.write()
