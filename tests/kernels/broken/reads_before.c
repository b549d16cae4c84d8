// want: kernel reads_before reads 8192 bytes in front of in
#include <glint/kernel.h>
KERNEL(point, reads_before) {
    out.values[part.first * out.stride] = ((Value *)((char *)in.values - 8192))[0];
}
