"""Chains of single filters, made of Python's values and kept for the next call.
Owns the spelling of values in a chain."""

from ._glint import Chain

_KEPT = 64
_chains = {}  # by filter, options and values, in the order that they were made in
parameters = {}  # of each filter: name, default, and whether it names a file; filters.py fills it


def text(value):
    """A text parameter: a str or a path, or numbers in rows, as masks and matrices have them."""
    if value is None or isinstance(value, str):
        return value
    if hasattr(value, "__fspath__"):
        return value.__fspath__()
    if hasattr(value, "tolist"):
        value = value.tolist()
    rows = [row if isinstance(row, (list, tuple)) else [row] for row in value]
    if all(not isinstance(row, (list, tuple)) for row in value):
        rows = [value]
    return "; ".join(" ".join(_number(number) for number in row) for row in rows)


def _number(value):
    if isinstance(value, int):
        return str(int(value))
    value = float(value)
    return str(int(value)) if value.is_integer() else repr(value)


def _spelled(value):
    if not isinstance(value, str):
        return _number(value)
    return value if value.isalnum() else "'" + value.replace("'", "''") + "'"


def make(key):
    """The chain of a key: a filter's name, five options, and a value for each parameter. It is kept for `find`, unless
    it has read files, which may change."""
    name, border, alpha, precision, level, linear, *values = key
    given = [
        (parameter, value, is_path)
        for (parameter, default, is_path), value in zip(parameters[name], values)
        if value is not None and value != default
    ]
    items = ":".join(f"{parameter}={_spelled(value)}" for parameter, value, _ in given)
    made = Chain(f"{name}={items}" if items else name, border, alpha, precision, level, linear)
    if not any(is_path for _, _, is_path in given):
        while len(_chains) >= _KEPT:
            _chains.pop(next(iter(_chains)), None)
        _chains[key] = made
    return made


find = _chains.get
