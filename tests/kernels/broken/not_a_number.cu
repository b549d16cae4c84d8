// want: wrong first in [a-z]+/point/not_a_number 129x3 f32x1.*; the first at 0, 0, channel 0: -?nan instead of 
#include <glint/kernel.h>
KERNEL(point, not_a_number, 32, 8, 1, 1, 0)
{
    const int x = column(), y = row();
    if (x >= out.width || y >= out.height)
        return;
    for (int c = 0; c < CHANNELS; c++) {
        const float v = point.scale * at(in, x, y, c) + point.offset;
        store(out, x, y, c, sizeof(Value) == sizeof(float) ? sqrtf(-1 - v * v) : v);
    }
}
