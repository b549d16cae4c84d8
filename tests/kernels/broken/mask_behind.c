// want: kernel mask_behind reads byte 1 behind the end of mask
#include <glint/kernel.h>
KERNEL(convolve, mask_behind) {
    float sum = 0;
    for (int i = 0; i <= mask.width * mask.height + (mask.separable ? mask.width + mask.height : 0); i++)
        sum += mask.weights[i];
    store(out, 0, part.first, 0, sum);
}
