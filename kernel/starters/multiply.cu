/* A product of matrices: one thread an element, which reads a row of a and a column of b. */
#include <glint/kernel.h>

KERNEL(multiply, mine, 32, 8, 1, 1, 0) {
    const int x = column(), y = row();
    if (x >= c.width || y >= c.height)
        return;
    float sum = 0;
    for (int k = 0; k < a.width; k++)
        sum += a.values[(long long)y * a.stride + k] * b.values[(long long)k * b.stride + x];
    c.values[(long long)y * c.stride + x] = sum;
}
