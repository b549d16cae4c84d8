// want: values differ.*; line 11 reads shared memory before it has a value
// want cuda: .
#include <glint/kernel.h>
KERNEL(point, no_value, 32, 8, 1, 1, 0)
{
    __shared__ float tile[256];
    const int at_thread = threadIdx.y * 32 + threadIdx.x;
    if (at_thread % 3) /* and the others do not */
        tile[at_thread] = 1;
    __syncthreads();
    const float value = tile[255 - at_thread];
    if (column() < out.width && row() < out.height)
        store(out, column(), row(), 0, value);
}
