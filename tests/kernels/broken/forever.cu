// want: kernel forever has not ended after 0.5 s \(--kernel-time\), line [0-9]+, block \(0, 0, 0\), thread
// want cuda: kernel forever has not ended after 0.5 s \(--kernel-time\)
#include <glint/kernel.h>
KERNEL(point, forever, 32, 8, 1, 1, 0)
{
    for (volatile int i = 0;; i++)
        ;
}
