// want: (^glint: host_main.cu:[0-9]*: host code, as main, is no part of a kernel file|host_main.* correct)
#include <glint/kernel.h>
KERNEL(point, host_main, 32, 8, 1, 1, 0)
{
    const int x = column(), y = row();
    if (x < out.width && y < out.height)
        for (int c = 0; c < CHANNELS; c++)
            store(out, x, y, c, point.scale * at(in, x, y, c) + point.offset);
}
int main()
{
    return 0;
}
