// want: kernel reads_behind reads byte 1 behind the end of in
#include <glint/kernel.h>
KERNEL(point, reads_behind) {
    for (int y = part.first; y < part.last; y++)
        for (int i = 0; i < out.width * CHANNELS; i++)
            out.values[y * out.stride + i] = in.values[(y + 1) * in.stride + i];
}
