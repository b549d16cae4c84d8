// want: wrong first in cpu/point/shrinks .*: did not write any of 561 pixels$
#include <glint/kernel.h>
#include <unistd.h>
KERNEL(point, shrinks) {
    if (ftruncate(3, 0) == 0) /* the program would find no memory there */
        out.values[0] = 1;
}
