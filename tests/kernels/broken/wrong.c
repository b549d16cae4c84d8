// want: wrong first in cpu/point/wrong .*; the first at 0, 0, channel 0: 7 instead of [0-9]+$
#include <glint/kernel.h>
KERNEL(point, wrong) {
    for (int y = part.first; y < part.last; y++)
        for (int i = 0; i < out.width * CHANNELS; i++)
            out.values[y * out.stride + i] = 7;
}
