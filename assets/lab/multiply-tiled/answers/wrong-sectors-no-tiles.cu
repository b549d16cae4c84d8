/* glint lab: multiply-tiled */
#include <glint/kernel.h>

KERNEL(multiply, mine, 16, 16, 1, 1, 0) {
    const int x = column(), y = row();
    if (x >= c.width || y >= c.height)
        return;
    float sum = 0;
    for (int k = 0; k < a.width; k++)
        sum += a.values[y * a.stride + k] * b.values[k * b.stride + x];
    c.values[y * c.stride + x] = sum;
}
