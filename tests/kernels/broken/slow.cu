// want: kernel slow has not ended after 0.5 s \(--kernel-time\), line [0-9]+, block \(0, 0, 0\), thread
// want cuda: kernel slow has not ended after 0.5 s \(--kernel-time\)
#include <glint/kernel.h>
KERNEL(point, slow, 32, 8, 1, 1, 0)
{
    const int x = column(), y = row();
    const long long end = clock64() + 4000000000; /* two seconds or more */
    while (clock64() < end)
        ;
    if (x < out.width && y < out.height)
        for (int c = 0; c < CHANNELS; c++)
            store(out, x, y, c, 1);
}
