/* A dot product: each part adds its products, and writes one value. The values of all parts are added behind it. */
#include <glint/kernel.h>

KERNEL(dot, mine) {
    double sum = 0;
    for (int i = part.first; i < part.last; i++)
        sum += (double)a.values[i] * b.values[i];
    *out = (float)sum;
}
