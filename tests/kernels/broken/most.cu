// want: wrong first in [a-z]+/point/most .*: did not write 17 of 561 pixels, the first at 32, 0$
#include <glint/kernel.h>
KERNEL(point, most, 32, 8, 1, 1, 0)
{
    const int x = column(), y = row();
    if (x < out.width - 1 && y < out.height)
        for (int c = 0; c < CHANNELS; c++)
            store(out, x, y, c, point.scale * at(in, x, y, c) + point.offset);
}
