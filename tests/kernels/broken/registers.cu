// want cuda: kernel registers fails: too many resources requested for launch
#include <glint/kernel.h>
KERNEL(point, registers, 32, 32, 1, 1, 0)
{
    float v[128]; /* 1024 threads have 64 registers each */
    for (int i = 0; i < 128; i++)
        v[i] = at(in, 0, 0, 0) * i + column();
    for (int k = 0; k < point.scale; k++)
        for (int i = 0; i < 128; i++)
            v[i] = v[i] * v[(i + 1) % 128] + v[(i + 7) % 128];
    float sum = 0;
    for (int i = 0; i < 128; i++)
        sum += v[i];
    if (column() < out.width && row() < out.height)
        store(out, column(), row(), 0, sum);
}
