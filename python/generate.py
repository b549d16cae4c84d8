"""generate.py: `python3 generate.py FILTERS.json OUT` writes OUT/filters.py and OUT/filters.pyi, of the JSON of
`glint list filters --json`: a function for each filter, with its parameters, defaults and texts."""

import json
import keyword
import sys
import textwrap

OPTIONS = ["layout", "out", "device", "stream", "border", "alpha", "precision", "level", "linear"]
KEY = ["border", "alpha", "precision", "level", "linear"]
TEXTS = ("text", "image", "cube")
TYPES = {"number": "float", "whole": "int", "switch": "bool", "choice": "str", "text": "_Text", "image": "_Path", "cube": "_Path"}

HEAD = '''"""The filters as functions; made of `glint list filters --json` by python/generate.py."""

from ._chains import find, make, parameters, text
from ._glint import run

'''
STUB_HEAD = '''"""The filters as functions; made of `glint list filters --json` by python/generate.py."""

from os import PathLike
from typing import Any, Sequence, TypeVar

_Image = TypeVar("_Image")
_Path = str | PathLike[str] | None
_Text = str | Sequence[float] | Sequence[Sequence[float]] | None
'''
COMMON = """layout names the axes ("HWC"), out takes the result, device moves arrays of the host ("cuda") and stream is
a CUDA stream. border, alpha, precision, level and linear are those of glint.chain."""


def safe(name):
    return name + "_" if keyword.iskeyword(name) else name


def default(parameter):
    value = parameter["default"]
    if parameter["kind"] in TEXTS:
        return None
    if parameter["kind"] == "whole":
        return int(value)
    return bool(value) if parameter["kind"] == "switch" else value


def is_path(parameter):
    return parameter["kind"] in ("image", "cube") or parameter["name"] == "file"


def limits(parameter):
    if parameter["kind"] == "choice":
        return ", ".join(f'"{choice}"' for choice in parameter["choices"])
    if parameter["kind"] not in ("number", "whole"):
        return {"switch": "True or False", "text": "a text, or numbers in rows"}.get(parameter["kind"], "a path")
    return f"{parameter['minimum']:g} to {parameter['maximum']:g} {parameter['unit']}".rstrip()


def document(filter):
    fill = lambda text, by: textwrap.fill(text, 110, initial_indent=by, subsequent_indent=by + "    ")
    lines = [f'{filter["name"]}: {filter["help"]}', ""]
    lines += [fill(f'{safe(p["name"])}: {p["help"]} ({limits(p)})', "    ").lstrip("\n") for p in filter["parameters"]]
    lines += [""] if filter["parameters"] else []
    if filter["definition"]:
        lines += [textwrap.fill("Definition: " + filter["definition"], 110, initial_indent="    ", subsequent_indent="    "), ""]
    lines += [textwrap.indent(COMMON, "    "), "    "]
    return "\n".join(lines).replace("\\", "\\\\").replace('"""', "'''")


def signature(filter):
    names = [safe(parameter["name"]) for parameter in filter["parameters"]]
    assert not set(names) & {"image", *OPTIONS}, f'{filter["name"]}: a parameter has the name of an option'
    values = "".join(f", {name}={default(p)!r}" for name, p in zip(names, filter["parameters"]))
    options = ", ".join(f"{option}={'False' if option == 'linear' else 'None'}" for option in OPTIONS)
    return f'def {safe(filter["name"])}(image{values}, *, {options}):'


def function(filter):
    names = [safe(parameter["name"]) for parameter in filter["parameters"]]
    texts = [safe(p["name"]) for p in filter["parameters"] if p["kind"] in TEXTS]
    lines = [signature(filter), f'    """{document(filter)}"""']
    lines += [f"    {name} = text({name})" for name in texts]
    lines += [f'    key = ({", ".join([repr(filter["name"]), *KEY, *names])})',
              "    return run(find(key) or make(key), image, layout, out, device, stream)"]
    return "\n".join(lines)


def stub(filter):
    values = "".join(f', {safe(p["name"])}: {TYPES[p["kind"]]} = ...' for p in filter["parameters"])
    options = ", ".join(f"{o}: {'bool' if o == 'linear' else 'Any' if o in ('out', 'stream') else 'str | None'} = ..."
                        for o in OPTIONS)
    return f'def {safe(filter["name"])}(image: _Image{values}, *, {options}) -> _Image: ...'


def main(table, out):
    with open(table, encoding="utf-8") as file:
        filters = json.load(file)["filters"]
    rows = {f["name"]: tuple((p["name"], default(p), is_path(p)) for p in f["parameters"]) for f in filters}
    names = [safe(filter["name"]) for filter in filters]
    with open(f"{out}/filters.py", "w", encoding="utf-8") as file:
        file.write(HEAD + f"__all__ = {names!r}\n\nparameters.update(\n    {rows!r}\n)\n\n\n")
        file.write("\n\n\n".join(map(function, filters)) + "\n")
    with open(f"{out}/filters.pyi", "w", encoding="utf-8") as file:
        file.write(STUB_HEAD + "\n" + "\n".join(map(stub, filters)) + "\n")


main(*sys.argv[1:])
