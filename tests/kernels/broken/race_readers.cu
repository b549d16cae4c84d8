// want: kernel race_readers fails: shared memory at 0 is read by one thread and written by another with no barrier between: threads 0 and 40, line 15
// want cuda: .
#include <glint/kernel.h>
KERNEL(point, race_readers, 32, 8, 1, 1, 0)
{
    __shared__ float tile[256];
    const int at_thread = threadIdx.y * 32 + threadIdx.x;
    tile[at_thread] = at_thread;
    __syncthreads();
    volatile float *const first = tile;
    float value = 0;
    if (at_thread == 0 || at_thread == 40)
        value = *first; /* both read it, */
    if (at_thread == 40)
        *first = 1; /* and the second of them writes */
    if (column() < out.width && row() < out.height)
        store(out, column(), row(), 0, value);
}
