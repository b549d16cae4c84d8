// want: wrong first in [a-z]+/point/wrong .*; the first at 0, 0, channel 0: 7 instead of [0-9]+$
#include <glint/kernel.h>
KERNEL(point, wrong, 32, 8, 1, 1, 0)
{
    if (column() < out.width && row() < out.height)
        for (int c = 0; c < CHANNELS; c++)
            store(out, column(), row(), c, 7);
}
