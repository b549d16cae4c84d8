#!/usr/bin/env bash
# The library as it is installed: what it shows, needs and promises, and the examples, built by pkg-config and by CMake.
. "$(dirname "$0")/../cli/lib.sh"
[ -z "${GLINT_SANITIZED:-}" ] || { echo "programs would need the sanitizers' runtimes"; exit 77; }
build=$(dirname "$glint") source=$GLINT_SOURCE_DIR

# ---- installed ----
last="cmake --install"
cmake --install "$build" --prefix "$work/usr" --component lib >.out 2>.err || exit 1
cmake --install "$build" --prefix "$work/usr" --component dev >.out 2>.err || exit 1
library=$(find usr -name 'libglint.so.0' -print -quit)
folder=$(realpath "$(dirname "$library")")
check "the header" test -f usr/include/glint.h
check "no other part of the program" test ! -e usr/bin
export PKG_CONFIG_PATH=$folder/pkgconfig LD_LIBRARY_PATH=$folder

# ---- symbols: those of the header, each with a version ----
nm -D --defined-only "$library" | sed -nE 's/^[0-9a-f]+ [TDBRVWi] //p' | grep -v '^GLINT_' | sort >shown
sed -nE 's/^GLINT_API .*[ *](glint_[a-z_]+)\(.*/\1@@GLINT_0.1/p' "$source/include/glint.h" | sort >declared
check "as many functions as there are" test "$(wc -l <declared)" -ge 30
check "each function, and nothing else" diff declared shown
readelf -d "$library" >headers
check "its name" grep -q 'SONAME.*\[libglint.so.0\]' headers
refute "no window's library" grep -qE 'libGL|libX11|libglut|libepoxy' headers

# ---- the ABI: as it was committed ----
if command -v abidw >/dev/null && readelf -S "$library" | grep -q debug_info; then
    last="abidiff"
    check "the ABI is the committed one" abidiff --drop-private-types --headers-dir2 usr/include "$source/tests/library/glint.abi" "$library"
fi
# Without debug information, sizes and offsets stand for it.
cat >layout.c <<'END'
#include <glint.h>
#include <stdio.h>
#define SIZE(type) printf(#type " %zu\n", sizeof(type))
#define AT(type, member) printf(#type "." #member " %zu\n", offsetof(type, member))
int main(void) {
    SIZE(GlintError), AT(GlintError, sentence);
    SIZE(GlintDeviceOptions), AT(GlintDeviceOptions, backend), AT(GlintDeviceOptions, index), AT(GlintDeviceOptions, threads);
    SIZE(GlintShape), AT(GlintShape, channels), AT(GlintShape, type);
    SIZE(GlintPixels), AT(GlintPixels, picture), AT(GlintPixels, row), AT(GlintPixels, pixel), AT(GlintPixels, channel);
    AT(GlintPixels, place);
    SIZE(GlintPlanOptions), AT(GlintPlanOptions, border), AT(GlintPlanOptions, linear), AT(GlintPlanOptions, pictures);
    SIZE(GlintStream), SIZE(GlintCopied), AT(GlintCopied, runs);
    SIZE(GlintComparison), AT(GlintComparison, mean), AT(GlintComparison, y), AT(GlintComparison, flip);
    SIZE(GlintSpheres), AT(GlintSpheres, xyz), AT(GlintSpheres, material), AT(GlintSpheres, changes);
    SIZE(GlintTraceOptions), AT(GlintTraceOptions, look), AT(GlintTraceOptions, exposure), AT(GlintTraceOptions, context);
}
END
# shellcheck disable=SC2046
cc -std=c99 -pedantic -Wall -Wextra -Werror layout.c -o layout $(pkg-config --cflags glint) && ./layout >layout.is
if [ "$(uname -m)" = x86_64 ] || [ "$(uname -m)" = aarch64 ]; then
    check "structs as they were" diff "$source/tests/library/layout.txt" layout.is
fi

# ---- C++ ----
cat >from_cpp.cpp <<'END'
#include <glint.h>
int main() {
    GlintDeviceOptions options = GLINT_DEVICE_OPTIONS;
    GlintDevice *device = nullptr;
    options.backend = "cpu";
    const int failed = options.size != sizeof options || glint_open(&options, &device, nullptr) != GLINT_OK;
    glint_close(device);
    return failed;
}
END
# shellcheck disable=SC2046
c++ -std=c++11 -pedantic -Wall -Wextra -Werror from_cpp.cpp -o from_cpp $(pkg-config --cflags --libs glint) 2>.err
check "C++ takes the header" ./from_cpp

# ---- the examples ----
for example in "$source"/examples/*.c; do
    name=$(basename "$example" .c)
    last="cc $name.c"
    # shellcheck disable=SC2046
    cc -std=c11 -pedantic -Wall -Wextra -Werror "$example" -o "$name" $(pkg-config --cflags --libs glint) -lm 2>.err
    check "$name.c compiles" test -x "$name"
done
./from_memory >.out 2>.err
check "from_memory" grep -qE '^outside 255, at the edge 1[0-9][0-9], inside 0$' .out
./strides >.out 2>.err
check "no copy of rows with gaps" grep -q '^rows with gaps: 0 bytes' .out
check "a copy of rows from below" grep -q '^rows from below: 7200 bytes' .out # 60 x 40 pixels of 3 bytes
check "a median removes a spark" grep -q '^the spark is 0$' .out
echo rubbish >broken.png
./strangers "$source/assets/ramp16.png" broken.png >.out 2>.err
check "strangers: one cannot be read" test $? -eq 1
check "strangers: the other is as large as it is" grep -q "ramp16.png: 512 x 128\$" .out
check "strangers: the first is named" grep -q '^strangers: broken.png: ' .err
./scene helix.png >.out 2>.err
check "all spheres" grep -q '^200 spheres, 100 %$' .out
gives 0 compare helix.png helix.png --at-least psnr=inf

# The snippets of docs/library.md are parts of the examples.
cat >snippets.py <<'END'
import glob, re, sys
def plain(text):
    return "\n".join(line.strip() for line in text.splitlines())
examples = [plain(open(path).read()) for path in glob.glob(sys.argv[1] + "/examples/*.c")]
blocks = re.findall(r"^```c\n(.*?)^```", open(sys.argv[1] + "/docs/library.md").read(), re.M | re.S)
strays = [block for block in blocks if not any(plain(block) in example for example in examples)]
print("\n".join(strays))
sys.exit(bool(strays) or len(blocks) < 5)
END
last="docs/library.md"
check "snippets are parts of examples" python3 snippets.py "$source"

# As glint batch does it, byte for byte, metadata and all.
mkdir by_library by_program
cp "$source/assets/photo.jpg" "$source/assets/ramp16.png" "$source/assets/text.png" .
echo rubbish >broken.png
./folder gaussian=2,sharpen by_library photo.jpg ramp16.png broken.png text.png >.out 2>.err
check "three of four files" grep -q '^3 of 4 files$' .out
check "the fourth is named" grep -q '^folder: broken.png: ' .err
gives 0 batch gaussian=2,sharpen photo.jpg ramp16.png text.png -o by_program/
for file in photo.jpg ramp16.png text.png; do
    check "$file as glint batch makes it" cmp "by_program/$file" "by_library/$file"
done

# ---- by CMake ----
mkdir project
cp "$source/examples/strides.c" project
cat >project/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(uses_glint C)
find_package(glint 0.1 REQUIRED)
add_executable(strides strides.c)
target_link_libraries(strides PRIVATE glint::glint)
END
last="cmake -S project"
cmake -S project -B project/build -DCMAKE_PREFIX_PATH="$work/usr" >.out 2>.err && cmake --build project/build >.out 2>.err
check "CMake finds it" project/build/strides
finish
