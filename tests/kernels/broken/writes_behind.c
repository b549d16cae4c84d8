// want: kernel writes_behind writes byte 1 behind the end of out
#include <glint/kernel.h>
KERNEL(point, writes_behind) {
    for (int i = 0; i <= out.stride; i++)
        out.values[(part.last - 1) * out.stride + i] = 0;
    if (part.first == 0)
        out.values[out.height * out.stride] = 0;
}
