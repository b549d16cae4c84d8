// want: kernel race_syncwarp fails: shared memory at 124 is written by one thread and read by another with no barrier between: threads 31 and 0, line 13
// want cuda: .
#include <glint/kernel.h>
KERNEL(point, race_syncwarp, 32, 8, 1, 1, 0)
{
    __shared__ float tile[256];
    const int at_thread = threadIdx.y * 32 + threadIdx.x, lane = threadIdx.x;
    tile[at_thread] = at_thread;
    if (lane < 16)
        __syncwarp(0xffff); /* lanes 0 to 15 alone */
    float value = 0;
    if (lane == 0)
        value = tile[at_thread + 31];
    if (column() < out.width && row() < out.height)
        store(out, column(), row(), 0, value);
}
