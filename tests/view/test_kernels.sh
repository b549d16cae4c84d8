# test_kernels.sh: a kernel file of the user in the window. Its kernels are levels, and a file that was saved is compiled
# and runs at once. After an error of the compiler the kernel before stays.
source "$(dirname "$0")/lib.sh"
command -v cc >/dev/null || { echo "no C compiler"; exit 77; }
export XDG_CACHE_HOME=$work/cache
picture one.ppm 97 61 1
display -screen 0 1280x800x24

# kernel EXPRESSION: mine.c makes it of each value, at once.
kernel() {
    cat >new.c <<END
#include <glint/kernel.h>
KERNEL(convolve, mine) {
    for (int y = part.first; y < part.last; y++)
        for (int x = 0; x < out.width; x++)
            for (int c = 0; c < CHANNELS; c++)
                store(out, x, y, c, $1);
}
END
    mv new.c mine.c
}
# seen FILE: the window shows this, by and by.
seen() {
    checks=$((checks + 1))
    patiently cmp -s now.ppm "$1" || complain "the window does not show $1"
}
kernel 'at(in, x, y, c)'
run batch --quiet invert one.ppm -o inverted.ppm
for i in $(seq 600); do printf 'wait 0.2\nframe now.ppm\n'; done >script.txt
"$glint" view --quiet --overwrite --kernel mine.c --level mine --filter box=3 --backend cpu --script script.txt one.ppm 2>said.txt </dev/null &
viewer=$!
seen one.ppm
kernel '255 - at(in, x, y, c)'
seen inverted.ppm
kernel 'at(in, x, y, c'
check "the compiler's line is said" patiently grep -q 'mine.c:6:.*error' said.txt
sleep 1
same now.ppm inverted.ppm
kernel 'at(in, x, y, c)'
seen one.ppm
finish
