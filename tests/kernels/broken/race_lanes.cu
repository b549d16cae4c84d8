// want: kernel race_lanes fails: shared memory at 0 is read by one thread and written by another with no barrier between: threads 30 and 31, line 15
// want cuda: .
#include <glint/kernel.h>
KERNEL(point, race_lanes, 32, 8, 1, 1, 0)
{
    __shared__ float tile[256];
    const int at_thread = threadIdx.y * 32 + threadIdx.x;
    tile[at_thread] = at_thread;
    __syncthreads();
    volatile float *const first = tile;
    float value = 0;
    if (at_thread < 32)
        value = *first; /* a warp reads it, */
    if (at_thread == 31)
        *first = 1; /* and its last lane writes */
    if (column() < out.width && row() < out.height)
        store(out, column(), row(), 0, value);
}
