"""Cases of expr: random formulas, each computed by numpy in float32, operation by operation."""

import warnings

import numpy

from cases import Cases, noise

warnings.simplefilter("ignore")
F = numpy.float32
cases = Cases(__file__, f"numpy {numpy.__version__}")
random = numpy.random.default_rng(44)


def rounded(function):
    """Computed in double, and rounded to float32."""
    return lambda *operands: function(*(o.astype(numpy.float64) for o in operands)).astype(F)


def clamp(a, low, high):
    a = numpy.where(low > a, low, a)
    return numpy.where(high < a, high, a)


def smoothstep(a, b, x):
    t = clamp((x - a) / (b - a), F(0), F(1))
    return t * t * (F(3) - F(2) * t)


SIGNS = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b,
         "<": lambda a, b: (a < b).astype(F), ">=": lambda a, b: (a >= b).astype(F),
         "==": lambda a, b: (a == b).astype(F), "!=": lambda a, b: (a != b).astype(F),
         "&&": lambda a, b: ((a != 0) & (b != 0)).astype(F), "||": lambda a, b: ((a != 0) | (b != 0)).astype(F)}
FUNCTIONS = {"min": (2, lambda a, b: numpy.where(b < a, b, a)), "max": (2, lambda a, b: numpy.where(b > a, b, a)),
             "abs": (1, numpy.abs), "floor": (1, numpy.floor), "sqrt": (1, numpy.sqrt), "clamp": (3, clamp),
             "mix": (3, lambda a, b, t: a + (b - a) * t), "step": (2, lambda e, x: (~(x < e)).astype(F)),
             "smoothstep": (3, smoothstep), "exp": (1, rounded(numpy.exp)), "log": (1, rounded(numpy.log)),
             "sin": (1, rounded(numpy.sin)), "cos": (1, rounded(numpy.cos)), "pow": (2, rounded(numpy.power))}
SLIDERS = {"p1": 0.75, "p2": -1.5, "p3": 3.0}


def grow(values, depth):
    """A random formula: its text and its value."""
    kind = random.integers(7) if depth > 0 else 0
    if kind == 0:
        name = random.choice([*values, *SLIDERS, "number"])
        if name == "number":
            number = random.integers(1, 64) / 8
            return f"{number:g}", F(number)
        return (name, F(SLIDERS[name])) if name in SLIDERS else (name, values[name])
    if kind == 1:
        (c, cv), (a, av), (b, bv) = (grow(values, depth - 1) for _ in range(3))
        return f"({c} > 1 ? {a} : {b})", numpy.where(cv > 1, av, bv)
    if kind == 2:
        a, av = grow(values, depth - 1)
        return f"-({a})", -av
    if kind < 5:
        sign = random.choice([*SIGNS] + ["+", "-", "*", "/"] * 5)
        (a, av), (b, bv) = (grow(values, depth - 1) for _ in range(2))
        return f"({a} {sign} {b})", SIGNS[sign](av, bv)
    name = random.choice([*FUNCTIONS])
    count, function = FUNCTIONS[name]
    parts = [grow(values, depth - 1) for _ in range(count)]
    return f"{name}({', '.join(p[0] for p in parts)})", function(*(p[1] for p in parts))


def inputs(image):
    height, width = image.shape[:2]
    white = F({"uint8": 255, "uint16": 65535, "float32": 1}[str(image.dtype)])
    y, x = numpy.mgrid[0:height, 0:width].astype(F)
    v = numpy.atleast_3d(image).astype(F) / white
    colours = v.shape[2] - (v.shape[2] + 1) % 2
    names = {"r": v[..., 0], "g": v[..., 1 if colours == 3 else 0], "b": v[..., 2 if colours == 3 else 0],
             "a": v[..., -1] if colours < v.shape[2] else numpy.ones_like(x), "x": x, "y": y, "v": None}
    return names, v[..., :colours], white


def stored(value, image, white):
    value = value * white
    if image.dtype == numpy.float32:
        return value
    return numpy.rint(numpy.clip(numpy.nan_to_num(value, nan=0, posinf=1e9, neginf=-1e9), 0, white)).astype(image.dtype)


def add(image, make):
    """Whether the formula makes more than a few values; else there is no case."""
    names, colours, white = inputs(image)
    result = numpy.atleast_3d(image).copy()
    state = random.bit_generator.state
    for c in range(colours.shape[2]):
        random.bit_generator.state = state
        names["v"] = colours[..., c]
        text, value = make(names)
        result[..., c] = stored(numpy.broadcast_to(value, image.shape[:2]).astype(F), image, white)
    if text.count("(") < 4 or len(numpy.unique(result[..., : colours.shape[2]])) < 6:
        return False
    chain = "expr='" + text + "'" + "".join(f":{k}={v:g}" for k, v in SLIDERS.items())
    cases.add(chain, image, result, 1 if image.dtype != numpy.float32 else 2e-6)
    return True


def bounded(names):
    text, value = grow(names, 4)
    return f"clamp({text}, 0, 1)", clamp(value, F(0), F(1))


KINDS = ("uint8", "uint16", "float32")
for index in range(60):
    kind, channels = KINDS[index % 3], (3, 4, 1, 2)[index // 3 % 4]
    while not add(numpy.atleast_3d(noise(100 + index, 3, 4, channels, kind)), bounded):
        pass

# Results of their own for each colour, with names, and alpha; gray pictures become the luma.
image = noise(90, 3, 4, 4)
r, g, b, a = (image[..., c] / 255 for c in range(4))
want = numpy.stack([g, (r + b) / 2, 1 - r, a / 2], 2)
cases.add("expr='h2 = (r + b) / 2; g; h2; 1 - r; a * 0.5'", image, numpy.rint(want * 255).astype("uint8"), 1)
gray = noise(91, 3, 4, 1, "float32")
cases.add("expr='r; 0; 1'", gray, (0.2126 * gray + 0.0722).astype("float32"), 2e-6)
# w and h are the picture's size; the middle of it is 1.
ramp = noise(92, 4, 5, 1, "float32")
y, x = numpy.mgrid[0:4, 0:5]
cases.add("expr='(x + 0.5) / w + (y + 0.5) / h'", ramp, ((x + 0.5) / 5 + (y + 0.5) / 4).astype("float32"), 2e-6)
# NaN fails every comparison; quotients by 0 are infinite.
odd = numpy.array([[numpy.nan, 0, 1, -1]], "float32")
cases.add("expr='v < 0.5 ? 1 : v == v ? 2 : 3'", odd, numpy.array([[3, 1, 2, 1]], "float32"), 0)
cases.add("expr='1 / v'", odd, numpy.array([[numpy.nan, numpy.inf, 1, -1]], "float32"), 0)
cases.add("expr='pow(v, 2) + pow(0, 0) * 0 + v ^ 0.5 * 0'", odd, numpy.array([[numpy.nan, 0, 1, numpy.nan]], "float32"), 0)
cases.write()
