// want: kernel writes_before writes [1-4] bytes in front of out
#include <glint/kernel.h>
KERNEL(point, writes_before) {
    out.values[-1] = 0;
}
