#!/usr/bin/env bash
# Kernel files as levels: right ones agree with the reference. Wrong ones harm nothing but themselves, and a sentence
# names the kernel and what it does.
. "$(dirname "$0")/lib.sh"
export XDG_CACHE_HOME=$work/cache
cases=$(cd "$OLDPWD" && realpath "$(dirname "$0")")/compare
command -v cc >/dev/null || { echo "no C compiler"; exit 77; }

# Each starter is right.
for operation in convolve point reduce dot blend multiply move histogram trace; do
    gives 0 kernel new --quiet "$operation" "$operation.c"
    gives 0 bench "$operation" --kernel "$operation.c" --level mine --size 67 --backend cpu --runs 1 --quiet
    tells '^mine .* agrees$'
    gives 0 kernel check "$operation.c" --json checked.json --overwrite
    tells "^mine: ([0-9]+) of \\1 cases of $operation agree"
    json '.correct and (.kernels | length) == 1 and all(.kernels[0].cases[]; .agrees)' checked.json
done

cat >wrong.c <<'END'
#include <glint/kernel.h>
#include <stdlib.h>
#define ALL for (int y = part.first; y < part.last; y++) for (int i = 0; i < out.width * CHANNELS; i++)
KERNEL(convolve, behind) { ALL out.values[y * out.stride + i] = in.values[(y + 1) * in.stride + i]; }
KERNEL(convolve, beyond) { ALL out.values[(y + 1) * out.stride + i] = 0; }
KERNEL(convolve, before) { out.values[-1] = 0; }
KERNEL(convolve, far) { out.values[-8192] = 0; }
KERNEL(convolve, nowhere) { *(volatile int *)0 = 1; }
KERNEL(convolve, forever) { for (volatile int i = 0;; i++) ; }
KERNEL(convolve, leaves) { exit(3); }
KERNEL(convolve, aborts) { abort(); }
KERNEL(convolve, divides) { volatile int none = 0; out.values[0] = (Value)(100000 / none); }
KERNEL(convolve, constant) { ALL out.values[y * out.stride + i] = 7; }
KERNEL(convolve, idle) { }
END
# wrong NAME SENTENCE: bench says so and ends with status 1 or 2, as for any file that is no good.
wrong() {
    gives "$1" bench convolve --kernel wrong.c --level "$2" --size 64 --mask 3 --backend cpu --runs 1 --quiet --kernel-time 0.3
    says "$3"
}
wrong 3 behind 'kernel behind reads byte 1 behind the end of in'
wrong 3 beyond 'kernel beyond writes byte 1 behind the end of out'
wrong 3 before 'kernel before writes 1 bytes in front of out'
wrong 3 far 'kernel far writes 8192 bytes in front of out'
wrong 3 nowhere 'kernel nowhere writes address .*, where no memory is'
wrong 3 forever 'kernel forever has not ended after 0.3 s \(--kernel-time\)'
wrong 3 leaves 'kernel leaves ends its process with status 3'
wrong 3 aborts 'kernel aborts is ended by a signal \(Aborted\)'
wrong 3 divides 'kernel divides is ended by a signal \(Floating point exception\)'
wrong 1 constant 'level constant does not agree with the reference'
wrong 1 idle 'level idle does not agree with the reference'

gives 1 kernel check wrong.c --kernel-time 0.3
tells '^constant: 0 of 8 cases'
tells '  wrong first in cpu/convolve/constant 33x17 u8x3 .*channel 0: 7 instead of [0-9]+$'
tells '  wrong first in cpu/convolve/leaves .*: kernel leaves ends its process with status 3$'
gives 2 kernel check wrong.txt
gives 3 kernel check absent.c

# The pictures of the cases show something: a black one is wrong.
cat >black.c <<'END'
#include <glint/kernel.h>
KERNEL(trace, black) {
    for (int y = part.first; y < part.last; y++)
        for (int i = 0; i < out.width * CHANNELS; i++)
            out.values[y * out.stride + i] = CHANNELS == 4 && i % 4 == 3 ? 255 : 0;
}
END
gives 1 kernel check black.c
tells '^black: 0 of [1-9][0-9]* cases'

# The kernel does what its level is asked for in a chain, and glint's levels the rest.
gives 0 batch rotate=90,invert --kernel move.c --level mine --backend cpu "$cases/colours-a.ppm" -o turned.ppm
gives 0 batch rotate=90,invert "$cases/colours-a.ppm" -o want.ppm
check "a turned picture" cmp turned.ppm want.ppm
finish
