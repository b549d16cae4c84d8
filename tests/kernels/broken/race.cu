// want: kernel race fails: shared memory at [0-9]+ is .* with no barrier between: threads [0-9]+ and [0-9]+, line [0-9]+, block \(0, 0, 0\)
// want cuda: .
#include <glint/kernel.h>
KERNEL(point, race, 32, 8, 1, 1, 0)
{
    __shared__ float tile[256];
    const int at_thread = threadIdx.y * 32 + threadIdx.x;
    tile[at_thread] = at_thread;
    if (column() < out.width && row() < out.height) /* no __syncthreads() */
        store(out, column(), row(), 0, tile[255 - at_thread]);
}
