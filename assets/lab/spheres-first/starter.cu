/* glint lab: spheres-first */
#include <glint/kernel.h>

KERNEL(trace, mine, 32, 8, 1, 1, 0) {
    const int x = column(), y = row();
    if (x >= out.width || y >= out.height)
        return;
    for (int c = 0; c < 3; c++)
        store(out, x, y, c, 0);
}
