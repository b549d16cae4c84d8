"""Many files on several threads: decoded, filtered and encoded without the GIL.
Owns the order of a batch, and the names of its results."""

import os
import sys
from collections import deque

from . import _glint, _options, chain as _chain, read
from ._glint import Error, UsageError

_CHAIN_OPTIONS = ("border", "alpha", "precision", "level", "linear")


def _endings():
    import json

    formats = json.loads(_glint.tables("formats"))["formats"]
    return tuple("." + ending for format in formats if format["reads"] for ending in format["extensions"].split())


def _members(path):
    """The names and bytes of pictures in a tar or zip file, one after the other."""
    endings = _endings()
    if path.endswith(".zip"):
        import zipfile

        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                if name.lower().endswith(endings):
                    yield name, archive.read(name)
        return
    import tarfile

    with tarfile.open(path) as archive:
        for member in archive:
            if member.isfile() and member.name.lower().endswith(endings):
                yield member.name, archive.extractfile(member).read()


def _inputs(inputs):
    """Pairs of a name, and a path or bytes."""
    if isinstance(inputs, (str, os.PathLike)):
        inputs = [inputs]
    for item in inputs:
        if isinstance(item, tuple):
            yield item
            continue
        path = os.fspath(item)
        if os.path.isdir(path):
            endings = _endings()
            names = (entry.name for entry in os.scandir(path) if entry.is_file())
            for name in sorted(name for name in names if name.lower().endswith(endings)):
                yield os.path.join(path, name), os.path.join(path, name)
        elif path.endswith((".zip", ".tar", ".tar.gz", ".tgz", ".tar.xz", ".tar.bz2")):
            yield from _members(path)
        else:
            yield path, path


def _target(out, name, spelled):
    """The path of a result. A folder keeps names; a template has {stem}, {ext}, {dir} and {chain}."""
    folder, base = os.path.split(name)
    stem, ending = os.path.splitext(base)
    if "{" not in out:
        return os.path.join(out, base) if out.endswith(os.sep) or os.path.isdir(out) else out
    words = {"stem": stem, "ext": ending[1:], "dir": folder or ".", "chain": spelled.replace("/", "_")}
    try:
        return out.format(**words)
    except (KeyError, IndexError, ValueError):
        raise UsageError(f'out: "{out}" is no template; want {{stem}}, {{ext}}, {{dir}} and {{chain}}') from None


class _Bar:
    """tqdm's bar, or nothing."""

    def __init__(self, wanted, total):
        self._bar = None
        if wanted or (wanted is None and sys.stderr and sys.stderr.isatty()):
            try:
                from tqdm.auto import tqdm
            except ImportError:
                return
            self._bar = tqdm(total=total, unit="picture")

    def step(self):
        if self._bar is not None:
            self._bar.update()

    def close(self):
        if self._bar is not None:
            self._bar.close()


def _in_turn(jobs, work, threads):
    """The futures of jobs in their order, of which few are under way: memory stays bounded."""
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(threads) as pool:
        waiting = deque()
        try:
            for job in jobs:
                waiting.append((job[0], pool.submit(work, *job)))
                if len(waiting) > 2 * threads:
                    yield waiting.popleft()
            while waiting:
                yield waiting.popleft()
        finally:
            for _, future in waiting:
                future.cancel()


def _results(chain, inputs, work, threads, progress, on_error):
    jobs = list(inputs) if isinstance(inputs, (list, tuple)) else inputs
    bar = _Bar(progress, len(jobs) if isinstance(jobs, list) and not any(map(_is_many, jobs)) else None)
    try:
        for name, future in _in_turn(_inputs(jobs), work, threads):
            try:
                result = future.result()
            except Error as error:
                if on_error == "raise":
                    raise type(error)(str(error) if name in str(error) else f"{name}: {error}") from None
                continue
            finally:
                bar.step()
            yield name, result
    finally:
        bar.close()


def _is_many(item):
    return not isinstance(item, tuple) and os.path.isdir(item)


def batch(chain, inputs, out, threads, progress, device, on_error, sandbox, options):
    if on_error not in ("raise", "skip"):
        raise UsageError(f'on_error: "{on_error}", want "raise" or "skip"')
    spelled = str(chain)
    chain = _chain(chain, **{name: options.pop(name) for name in _CHAIN_OPTIONS if name in options})
    threads = threads or len(os.sched_getaffinity(0))
    how = _options(options)

    def filtered(name, source):
        return chain(read(source, sandbox=sandbox), device=device)

    if out is None:
        return _results(chain, inputs, filtered, threads, progress, on_error)
    out = os.fspath(out)

    def written(name, source):
        path = _target(out, name, spelled)
        if not isinstance(source, bytes) and os.path.exists(path) and os.path.samefile(path, source):
            raise UsageError(f"{path}: it is an input; want another name for its result")
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        filtered(name, source)._write(path, how)
        return path

    return [path for _, path in _results(chain, inputs, written, threads, progress, on_error)]
