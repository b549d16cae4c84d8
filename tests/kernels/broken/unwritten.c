// want: wrong first in cpu/point/unwritten .*: did not write any of 561 pixels$
#include <glint/kernel.h>
KERNEL(point, unwritten) {
}
