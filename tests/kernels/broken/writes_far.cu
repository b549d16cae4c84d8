// want: kernel writes_far fails: [0-9]+ bytes at 0x[0-9a-f]+ are not the device
// want cuda: kernel writes_far fails: an illegal memory access
#include <glint/kernel.h>
KERNEL(point, writes_far, 32, 8, 1, 1, 0)
{
    *(int *)64 = column();
}
