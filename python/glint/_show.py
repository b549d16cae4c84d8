"""The window: pixels go there as a file, and edits come back by the text that the window keeps next to it.
Owns the folder of such a file."""

import html
import os
import re
import subprocess
import tempfile
import weakref

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


def _start(program, path, filter, *options, **streams):
    chosen = ["--filter", str(filter)] if filter is not None else []
    try:
        return subprocess.Popen([program, "view", *options, *chosen, "--", path], text=True, **streams)
    except FileNotFoundError:
        raise DeviceError(f"show: there is no program {program}; the packages glint and glint-view bring it") from None


def _edits_of(path):
    kept = path + ".glint"
    return edits(kept) if os.path.exists(kept) else None


def _check(process, program, said):
    if process.returncode:
        raise DeviceError(f"show: {said.strip() or f'{program} view ended with {process.returncode}'}")


def _view(program, path, filter):
    process = _start(program, path, filter, stderr=subprocess.PIPE)
    _check(process, program, process.communicate()[1])
    return _edits_of(path)


def _end(process, folder):
    process.terminate()
    process.wait()
    if folder:
        folder.cleanup()


class Window:
    """A window that a browser shows (`glint view --serve`). In a notebook, a cell with this value is the window."""

    def __init__(self, program, path, filter, folder):
        self._path, self._program, self._said = path, program, tempfile.TemporaryFile("w+")
        self._process = _start(program, path, filter, "--serve", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=self._said)  # fmt: skip
        self._finalizer = weakref.finalize(self, _end, self._process, folder)
        self.address = self._process.stdout.readline().strip()
        if not self.address:
            self._process.wait()
            self._finish()
            raise DeviceError(f"show: {program} view ended before it told an address")

    def _finish(self):
        self._said.seek(0)
        try:
            _check(self._process, self._program, self._said.read())
            return _edits_of(self._path)
        finally:
            self._finalizer()
            self._process.stdout.close()
            self._said.close()

    def close(self):
        """Ends the window. Returns the chain that was found there, or None; None, too, where it was closed before."""
        if not self._finalizer.alive:
            return None
        self._process.terminate()
        self._process.wait()
        return self._finish()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _repr_html_(self):
        allowed = "clipboard-read; clipboard-write; fullscreen"
        return f'<iframe src="{html.escape(self.address)}" width="100%" height="700" allow="{allowed}"></iframe>'


def show(image, filter, layout, program, serve):
    if isinstance(image, (str, os.PathLike)):
        path = os.path.abspath(os.fspath(image))
        return Window(program, path, filter, None) if serve else _view(program, path, filter)
    image = image if isinstance(image, Image) else Image(image, layout)
    folder = tempfile.TemporaryDirectory(prefix="glint-")
    path = os.path.join(folder.name, "picture.tif" if image.dtype == "float32" else "picture.png")
    image._write(path, None)
    if serve:
        return Window(program, path, filter, folder)
    with folder:
        return _view(program, path, filter)
