// want: (wrong first in cpu/point/grows .*: did not write any of 561 pixels|kernel grows ends its process)
#include <glint/kernel.h>
#include <unistd.h>
KERNEL(point, grows) {
    if (ftruncate(3, (off_t)1 << 52) != 0) /* the next size would be a smaller one */
        out.values[0] = 1;
}
