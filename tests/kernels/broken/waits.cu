// want: kernel waits has not ended after 0.5 s \(--kernel-time\), line [0-9]+, block \(0, 0, 0\), thread
// want cuda: kernel waits has not ended after 0.5 s \(--kernel-time\)
#include <glint/kernel.h>
__device__ volatile int gate;
KERNEL(point, waits, 32, 8, 1, 1, 0)
{
    while (gate == 0) /* nobody opens it */
        ;
}
