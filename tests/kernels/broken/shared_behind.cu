// want: kernel shared_behind fails: shared memory at 1024: a block has 1024 bytes, line 7, block \(0, 0, 0\), thread \(0, 0, 0\)
// want cuda: kernel shared_behind fails: an illegal memory access|wrong first in cuda/point
#include <glint/kernel.h>
KERNEL(point, shared_behind, 32, 8, 1, 1, 1024)
{
    extern __shared__ float tile[];
    tile[threadIdx.y * 32 + threadIdx.x + 256] = 1;
    __syncthreads();
    if (column() < out.width && row() < out.height)
        store(out, column(), row(), 0, tile[threadIdx.x]);
}
