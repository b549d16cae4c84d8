// want: kernel reads_before reads [0-9]+ bytes in front of in, line 10, block \(0, 0, 0\), thread \(0, 0, 0\), address 0x
// want cuda: wrong first in cuda/point/reads_before|kernel reads_before fails: an illegal memory access
#include <glint/kernel.h>
KERNEL(point, reads_before, 32, 8, 1, 1, 0)
{
    const int x = column(), y = row();
    if (x >= out.width || y >= out.height)
        return;
    for (int c = 0; c < CHANNELS; c++)
        store(out, x, y, c, at(in, x - 1, y, c));
}
