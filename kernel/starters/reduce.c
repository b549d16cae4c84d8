/* A sum: each part adds its elements, and writes one value. The values of all parts are added behind it. */
#include <glint/kernel.h>

KERNEL(reduce, mine) {
    double sum = 0;
    for (int i = part.first; i < part.last; i++)
        sum += in.values[i];
    *out = (float)sum;
}
