#!/usr/bin/env bash
# test_wheel.sh: `test_wheel.sh PYTHON BUILD` makes a wheel of BUILD/python and installs it in a bare venv. The tests run there, on
# nothing of the build, and so do all snippets of docs/python.md. It exits 77 where there is no network.
set -eu
python=$1
build=$(realpath "$2")
here=$(dirname "$(realpath "$0")")
work=$(mktemp -d "$build/tests/wheel.XXXXXX")
trap 'rm -rf "$work"' EXIT
"$python" -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --retries 1 --timeout 15 -r "$here/requirements.txt" || { echo "no PyPI"; exit 77; }
"$here/../../tools/wheel" "$build" "$work/dist"
"$work/venv/bin/pip" install --quiet --no-deps "$work"/dist/*.whl
cd "$work"
"$work/venv/bin/python" -I -c '
import glint, sys
assert "venv" in glint.__file__, glint.__file__
lacking = [row["name"] for row in glint.tables("formats") if row["lacks"]]
print("wheel: glint", glint.__version__, "without", lacking or "no format")
with open("/proc/self/maps") as file:
    outside = {line.split()[-1] for line in file if "/libglint" in line and "glint_image.libs" not in line}
sys.exit(f"not from the wheel: {outside}" if outside else 0)'
for run in 1 2 3 4 5; do
    "$work/venv/bin/python" -I -c '
import time
begin = time.perf_counter()
import glint
print(f"wheel: import {1e3 * (time.perf_counter() - begin):.1f} ms")'
done
GLINT_PYTHONPATH= "$here/run" "$work/venv/bin/python" "$build"
