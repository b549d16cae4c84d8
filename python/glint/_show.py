"""The window: pixels go there as a file, and edits come back by the text that the window keeps next to it.
Owns the folder of such a file."""

import os
import re
import subprocess
import tempfile

from ._glint import Chain, DeviceError, Image, InputError

_ESCAPES = {"n": "\n", "r": "\r", "s": " ", "t": "\t"}


def _plain(value):
    return re.sub(r"\\(.)", lambda match: _ESCAPES.get(match[1], match[1]), value.strip())


def edits(path, border=None, alpha=None, precision=None, level=None, linear=False):
    """The chain of a picture's edits, which core/chain/sidecar.h describes; the file's options are those by default."""
    try:
        with open(path, encoding="utf-8") as file:
            first, *lines = file.read().split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from None
    if first.strip() != "glint edits 1":
        raise InputError(f'{path}: want "glint edits 1" in its first line, as the window writes it')
    made, facts = [{}], {}
    for key, _, value in (line.partition("=") for line in lines if not line.startswith("#")):
        key = key.strip()
        if key == "edit":
            made.append({})
        (made[-1] if key in ("filter", "border") else facts)[key] = _plain(value)
    shown = int(facts.get("shown", 1))
    if not 0 < shown < len(made):
        raise InputError(f"{path}: edit {shown} is shown, and there are {len(made) - 1}")
    border = border or made[shown].get("border")
    return Chain(made[shown].get("filter", ""), border, alpha or facts.get("alpha"), precision, level,
                 linear or facts.get("linear") == "yes")  # fmt: skip


def _view(program, path, filter):
    command = [program, "view", *(["--filter", str(filter)] if filter is not None else []), "--", path]
    try:
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    except FileNotFoundError:
        raise DeviceError(f"show: there is no program {program}; the packages glint and glint-view bring it") from None
    if done.returncode:
        raise DeviceError(f"show: {done.stderr.strip() or f'{program} view ended with {done.returncode}'}")
    kept = path + ".glint"
    return edits(kept) if os.path.exists(kept) else None


def show(image, filter, layout, program):
    if isinstance(image, (str, os.PathLike)):
        return _view(program, os.path.abspath(os.fspath(image)), filter)
    image = image if isinstance(image, Image) else Image(image, layout)
    with tempfile.TemporaryDirectory(prefix="glint-") as folder:
        path = os.path.join(folder, "picture.tif" if image.dtype == "float32" else "picture.png")
        image._write(path, None)
        return _view(program, path, filter)
