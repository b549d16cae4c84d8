"""glint: fast filters, codecs and a ray tracer, on the CPU and on NVIDIA GPUs.

Every filter of `glint list filters` is a function here: glint.gaussian(image, 5). Pictures are arrays of NumPy,
tensors of PyTorch, arrays of CuPy or JAX, other buffers, or images of glint.read. The result is of the same library,
on the same device. Values are uint8, uint16, or float32 from 0 to 1. Axes are HW, HWC or NHWC, of tensors of PyTorch
CHW or NCHW; `layout` names others.
"""

from . import _glint
from ._glint import Chain, Comparison, DeviceError, Error, Image, InputError, Stopped, UsageError

TYPE_CHECKING = False  # but for programs that check types
if TYPE_CHECKING:
    from .filters import *  # noqa: F403

__version__ = _glint.version


def chain(text, *, border=None, alpha=None, precision=None, level=None, linear=False):
    """Filters in sequence, as on glint's command line: chain("gaussian=2,sharpen=amount=0.8").

    The result is called with pictures: chain(image, layout=None, out=None, device=None, stream=None). Presets and
    edits of a photograph have an @: "@film", "@photo.jpg.glint". Texts of options are those of the command line."""
    if isinstance(text, Chain):
        return text
    if text.startswith("@") and text.endswith(".glint"):
        from ._show import edits

        return edits(text[1:], border, alpha, precision, level, linear)
    return Chain(text, border, alpha, precision, level, linear)


# ---- files ----


def read(file, *, sandbox=None):
    """The pictures of a file: a path, or its bytes. An Image is a buffer: numpy.asarray(image) copies nothing.

    `sandbox`, of glint.sandbox, decodes files of strangers."""
    way = _glint.decode if isinstance(file, (bytes, bytearray, memoryview)) else _glint.read
    return way(file) if sandbox is None else way(file, sandbox)


def sandbox(seconds=60):
    """Decoders for files of strangers, for read and batch, in at most so many seconds each.

    A process that reaches neither files nor networks decodes each file. A second Python, which makes these processes,
    runs as long as the sandbox is used."""
    import os
    import sys

    if not sys.executable:
        raise UsageError("sandbox: sys.executable is empty; want a Python that is a program of its own")
    serve = "import sys; sys.path.insert(0, sys.argv[1]); from glint import _glint; _glint.serve()"
    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    return _glint.sandbox(seconds, sys.executable, "-IS", "-c", serve, folder)


def _options(options):
    items = (name if value is True else f"{name}={value}" for name, value in options.items() if value is not False)
    return ",".join(items) or None


def _image(image, layout=None):
    return image if isinstance(image, Image) else Image(image, layout)


def write(image, path, *, layout=None, **options):
    """Writes an image or an array as a file whose extension names the format: write(a, "a.jpg", quality=90).

    `options` are those of `glint batch`. The file appears whole, or not at all."""
    _image(image, layout)._write(path, _options(options))


def encode(image, format="png", *, layout=None, **options):
    """The bytes of such a file."""
    return _image(image, layout)._encode(format, _options(options))


# ---- many files ----


def batch(chain, inputs, out=None, *, threads=None, progress=None, device=None, on_error="raise", sandbox=None, **options):
    """Filters many files on several threads, and keeps their metadata.

    `inputs` is a path, or several: of files, folders, tar and zip files. `out` is a folder or a template of names,
    "out/{stem}-{chain}.{ext}": batch then returns the paths that it wrote. Without `out`, batch gives pairs of a name
    and an Image, one after the other. `options` are those of `write`, and border, alpha, precision, level, linear of
    `chain`. A bar of tqdm shows the progress on a terminal where tqdm is installed; `progress` forces or forbids it.
    The first error is raised once the files before it are done; with on_error="skip", failures are left out.
    `sandbox`, of glint.sandbox, decodes files of strangers."""
    from . import _batch

    return _batch.batch(chain, inputs, out, threads, progress, device, on_error, sandbox, options)


# ---- figures ----


def compare(a, b, *, layout=None):
    """The Comparison of two pictures of one shape in the host's memory: psnr, ssim, ncc, max, mean, differing, x, y, flip."""
    return _glint.compare(a, b, layout)


def copied_bytes(kind=None):
    """Bytes that glint has copied besides its filters' own work, since the process began.

    `kind` is "to_device", "from_device" or "rearranged" (for strides that filters do not take); None adds them up."""
    counts = dict(zip(("to_device", "from_device", "rearranged"), _glint.copied()))
    return sum(counts.values()) if kind is None else counts[kind]


def tables(topic):
    """A table of glint's as a list of dicts: "filters", "presets", "formats", "borders", "levels", "scenes", ..."""
    import json

    return json.loads(_glint.tables(topic))[topic]


def device(name="cpu"):
    """Facts about a device as a dict: "cpu", "cuda", "cuda:1", or "auto" for the best one."""
    import json

    return json.loads(_glint.device(name))


def set_threads(number):
    """Threads of each later call on the CPU; 0 takes as many as cores. Workers of a data loader want 1."""
    _glint.set_threads(number)


def forget():
    """Ends the plans that calls left warm, and gives their memory back."""
    _glint.forget()


# ---- scenes ----


def _numbers(values, letter):
    """Packed numbers of 4 bytes, of an array of any library, nested sequences, or None."""
    if values is None:
        return None
    from array import array

    if hasattr(values, "detach"):
        values = values.detach().cpu().numpy()
    if hasattr(values, "astype"):
        return values.astype("float32" if letter == "f" else "uint32").tobytes()
    flat = [value for row in values for value in (row if hasattr(row, "__len__") else [row])]
    return array(letter, flat).tobytes()


class Scene:
    """A scene to be traced: of a text as `glint trace` takes it, or of glint.spheres."""

    def __init__(self, text):
        self._scene = _glint.scene(text) if isinstance(text, str) else text

    def trace(self, look, *, size=(1024, 1024), **options):
        """The scene as an Image. `look` is "classic", "whitted" or "paths".

        `options` are denoise, camera ("perspective=z=1500:angle=45"), level, samples, depth, seed, exposure, floats
        (linear light in float32), progress (a function that gets the share of the work that is done) and device."""
        width, height = size
        return self._scene.trace(look=look, width=width, height=height, **options)

    def paths(self, samples=16, denoise=False, **options):
        """The scene by light along random paths, `samples` a pixel; `denoise` takes their noise away."""
        return self.trace("paths", samples=samples, denoise=denoise, **options)

    def whitted(self, **options):
        """The scene with mirrors, glass and sharp shadows."""
        return self.trace("whitted", **options)

    def classic(self, **options):
        """The scene with plain colours."""
        return self.trace("classic", **options)


def scene(text):
    """A scene of a text: a generator and changes ("cloud,sun=altitude=20"), or a file."""
    return Scene(text)


def spheres(xyz, radius=None, color=None, *, material=None, materials=(), changes=None):
    """A scene of spheres, seen from the front.

    `xyz` has three numbers a sphere: to the right, upwards, and towards the eye. `radius` is one number, or one a
    sphere (1); `color` has red, green and blue from 0 to 1 of linear light. `material` has a number a sphere: 0 is
    plain, and n the n-th of `materials` ("metal", "glass", "light")."""
    xyz = _numbers(xyz, "f")
    count = len(xyz) // 12
    if isinstance(radius, (int, float)):
        radius = [radius] * count
    if color is not None and len(color) == 3 and not hasattr(color[0], "__len__"):
        color = [color] * count
    arrays = [_numbers(radius, "f"), _numbers(color, "f"), _numbers(material, "I")]
    return Scene(_glint.spheres(xyz, *arrays, tuple(materials), changes))


# ---- the window ----


def show(image, filter=None, *, layout=None, program="glint", serve=False):
    """Opens an array, an image or a file in the window of `glint view`, and returns the chain that was found there.

    It waits until the window is closed. A file keeps its edits next to it, as ever; pixels do not. None: there was no
    edit. `filter` is a chain to begin with.

    With serve=True it does not wait: a browser shows the window. The result has its `address`, and a notebook shows it
    in the cell. Its close() ends the window, and returns the chain."""
    from . import _show

    return _show.show(image, filter, layout, program, serve)


# ---- the filters ----

_OWN = [
    "Chain", "Comparison", "DeviceError", "Error", "Image", "InputError", "Scene", "Stopped", "UsageError", "batch",
    "chain", "compare", "copied_bytes", "device", "encode", "forget", "read", "scene", "set_threads", "show", "spheres",
    "tables", "write",
]  # fmt: skip


def __getattr__(name):
    """The first name that is not there brings the filters' functions: Python reads them longer than all else here."""
    if name.startswith("_") and name != "__all__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .filters import __all__ as names

    if "__all__" not in globals():
        from sys import modules

        functions = vars(modules[__name__ + ".filters"])
        globals().update({each: functions[each] for each in names})
        globals()["__all__"] = _OWN + [each for each in names if each != "open"]
    if name not in globals():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return globals()[name]


def __dir__():
    __getattr__("__all__")
    return sorted(globals())
