// want: kernel mask_before reads 4096 bytes in front of mask
#include <glint/kernel.h>
KERNEL(convolve, mask_before) {
    store(out, 0, part.first, 0, mask.weights[-1024]);
}
