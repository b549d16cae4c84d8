// want: kernel constant_small has room for 16 bytes in constant_weights, want (36|100|324)$
#include <glint/kernel.h>
__constant__ float constant_weights[4];
KERNEL(convolve, constant_small, 32, 8, 1, 1, 0)
{
    if (column() < out.width && row() < out.height)
        store(out, column(), row(), 0, constant_weights[mask.width]);
}
