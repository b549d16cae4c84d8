// want: kernel barrier fails: no thread can go on: a barrier waits for threads that do not come, line [0-9]+, block \(0, 0, 0\), thread
// want cuda: kernel barrier has not ended after 0.5 s \(--kernel-time\)
#include <glint/kernel.h>
KERNEL(point, barrier, 32, 8, 1, 1, 0)
{
    if (threadIdx.y < 4)
        asm volatile("barrier.sync 1, 256;");
    else
        asm volatile("barrier.sync 2, 256;");
    if (column() < out.width && row() < out.height)
        store(out, column(), row(), 0, 1);
}
