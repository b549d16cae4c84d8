// want: prints: 3 of 3 cases of point agree
#include <glint/kernel.h>
#include <stdio.h>
KERNEL(point, prints) {
    printf("words of a kernel\n");
    for (int y = part.first; y < part.last; y++)
        for (int x = 0; x < out.width; x++)
            for (int c = 0; c < CHANNELS; c++)
                store(out, x, y, c, point.scale * at(in, x, y, c) + point.offset);
}
