// want: kernel mask_behind reads byte 1 behind the end of mask, line 8, block \(0, 0, 0\), thread \(0, 0, 0\), address 0x
// want cuda: wrong first in cuda/convolve/mask_behind|kernel mask_behind fails: an illegal memory access
#include <glint/kernel.h>
KERNEL(convolve, mask_behind, 32, 8, 1, 1, 0)
{
    float sum = 0;
    for (int i = 0; i <= mask.width * mask.height + (mask.separable ? mask.width + mask.height : 0); i++)
        sum += mask.weights[i];
    if (column() < out.width && row() < out.height)
        store(out, column(), row(), 0, sum);
}
