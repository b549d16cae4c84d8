// want: wrong first in cpu/point/most .*: did not write 17 of 561 pixels, the first at 32, 0$
#include <glint/kernel.h>
KERNEL(point, most) {
    for (int y = part.first; y < part.last; y++)
        for (int x = 0; x < out.width - 1; x++)
            for (int c = 0; c < CHANNELS; c++)
                store(out, x, y, c, point.scale * at(in, x, y, c) + point.offset);
}
