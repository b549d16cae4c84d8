/* A product of matrices: the innermost loop goes along rows of b and c. */
#include <glint/kernel.h>

KERNEL(multiply, mine) {
    for (int y = part.first; y < part.last; y++) {
        float *to = c.values + (long long)y * c.stride;
        for (int x = 0; x < c.width; x++)
            to[x] = 0;
        for (int k = 0; k < a.width; k++) {
            const float factor = a.values[(long long)y * a.stride + k];
            const float *from = b.values + (long long)k * b.stride;
            for (int x = 0; x < c.width; x++)
                to[x] += factor * from[x];
        }
    }
}
