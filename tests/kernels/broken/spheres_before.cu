// want: kernel spheres_before reads 32 bytes in front of spheres, line 6, block \(0, 0, 0\), thread \(0, 0, 0\), address 0x
// want cuda: wrong first in cuda/trace/spheres_before|kernel spheres_before fails: an illegal memory access
#include <glint/kernel.h>
KERNEL(trace, spheres_before, 32, 8, 1, 1, 0)
{
    const float v = spheres.list[-1].x;
    if (column() < out.width && row() < out.height)
        store(out, column(), row(), 0, v);
}
