// want: wrong first in [a-z]+/point/unwritten .*: did not write any of 561 pixels$
#include <glint/kernel.h>
KERNEL(point, unwritten, 32, 8, 1, 1, 0)
{
}
