// want: wrong first in [a-z]+/convolve/halo(:halo.cu)? .*; the first at [0-9]+, [0-9]+, channel 0: [0-9]+ instead of [0-9]+$
#include <glint/kernel.h>
KERNEL(convolve, halo, 32, 8, 1, 1, HALO(sizeof(Value)))
{
    extern __shared__ Value tile[];
    const int across = 32 + mask.width - 1, down = 8 + mask.height - 1;
    for (int c = 0; c < CHANNELS; c++) {
        for (int i = threadIdx.y * 32 + threadIdx.x; i < across * down; i += 256) {
            const int x = blockIdx.x * 32 + i % across - mask.width / 2 + 1; /* one too far to the right */
            tile[i] = load(in, x, blockIdx.y * 8 + i / across - mask.height / 2, c);
        }
        __syncthreads();
        Sum sum = 0;
        for (int j = 0; j < mask.height; j++)
            for (int i = 0; i < mask.width; i++)
                sum += (Sum)mask.weights[j * mask.width + i] * tile[(threadIdx.y + j) * across + threadIdx.x + i];
        if (column() < out.width && row() < out.height)
            store(out, column(), row(), c, sum / mask.divisor + mask.bias);
        __syncthreads();
    }
}
