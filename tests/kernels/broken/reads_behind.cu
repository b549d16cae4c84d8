// want: kernel reads_behind reads byte 1 behind the end of in, line 10, block \(0, 2, 0\), thread \(0, 0, 0\), address 0x
// want cuda: wrong first in cuda/point/reads_behind|kernel reads_behind fails: an illegal memory access
#include <glint/kernel.h>
KERNEL(point, reads_behind, 32, 8, 1, 1, 0)
{
    const int x = column(), y = row();
    if (x >= out.width || y >= out.height)
        return;
    for (int c = 0; c < CHANNELS; c++)
        store(out, x, y, c, at(in, x, y + 1, c));
}
