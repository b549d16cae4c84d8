/* arrange.cu: a picture's values from any places to any others: planes, pixels of padding, rows from below. */
extern "C" {
#include "gpu/guests.h"
}

#include "gpu/kernel.cuh"

/* One thread a column, which goes down the rows: neighbours read neighbours of a plane. */
template <typename T> __global__ void arrange(Places from, Places to, int width, int height, int channels) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= width)
        return;
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y) {
        const char *in = (const char *)from.first + y * from.row + x * from.pixel;
        char *out = (char *)to.first + y * to.row + x * to.pixel;
        for (int c = 0; c < channels; c++, in += from.channel, out += to.channel)
            *(T *)out = *(const T *)in;
    }
}

static const void *const kernels[PIXEL_TYPES] = {(const void *)arrange<uint8_t>, (const void *)arrange<uint16_t>,
                                                 (const void *)arrange<float>};

extern "C" Status gpu_arrange(Queue *queue, Shape shape, Places from, Places to) {
    enum { ACROSS = 32, DOWN = 8 };
    const unsigned below_max = 65535; /* of a grid */
    int width = (int)shape.width, height = (int)shape.height, channels = shape.channels;
    const unsigned across = blocks_for(width, ACROSS), below = blocks_for(height, DOWN);
    const Launch launch = {dim3(across, below < below_max ? below : below_max), dim3(ACROSS, DOWN), 0};
    void *arguments[] = {&from, &to, &width, &height, &channels};
    return gpu_launch(queue, "arrange", kernels[shape.type], launch, arguments);
}
