/* naive.cu: one thread computes one value. It holds nothing of the window. It finds the value of the rank bit by bit,
 * from the first down, each time by counting again how many keys lie below. */
#include "gpu/order.cuh"

extern "C" {
#include "core/ops/rank.h"
#include "gpu/cache.h"
#include "gpu/rank/measured.h"
}

template <typename T>
__global__ void rank_naive(Plane in, Plane out, const float *__restrict__ window, int width, int height, int channels,
                           int rank, Edges edges) {
    enum { BITS = 8 * sizeof(T) };
    const int i = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const int x = i / channels, c = i % channels;
    if (x >= out.width || y >= out.height)
        return;
    const unsigned flip = BITS == 32 ? 0x80000000U : 0; /* keys of f32 are signed */
    unsigned found = 0;
    for (int bit = BITS - 1; bit >= 0; bit--) {
        const unsigned with = found | 1U << bit;
        int below = 0;
        for (int b = 0; b < height; b++)
            for (int a = 0; a < width; a++)
                if (window[b * width + a] > 0)
                    below += ((unsigned)key_at<T>(in, edges, channels, x + a - width / 2, y + b - height / 2, c) ^
                              flip) < with;
        found = below <= rank ? with : found;
    }
    row_to<T>(out, y)[i] = of_key<T>((int)(found ^ flip));
}

static Status run(Queue *queue, const Stage *stage) {
    const RankJob *job = rank_job(stage);
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    Edges edges = edges_of(job->border, stage->out.shape.type);
    int width = job->window->width, height = job->window->height, channels = stage->out.shape.channels;
    int rank = job->rank;
    const float *window;
    TRY(gpu_mask(queue, job->window, &window));
    const Launch launch = {dim3(blocks_for(out.width * channels, 32), blocks_for(out.height, 8)), dim3(32, 8), 0};
    void *arguments[] = {&in, &out, &window, &width, &height, &channels, &rank, &edges};
    return gpu_launch(queue, "rank naive",
                      for_keys(stage, (const void *)rank_naive<uint8_t>, (const void *)rank_naive<uint16_t>,
                               (const void *)rank_naive<float>),
                      launch, arguments);
}

extern "C" const Level cuda_rank_naive = {
    .op = &op_rank,
    .name = "naive",
    .idea = "one thread a value, which it finds bit by bit: each time it counts how many of the window lie below",
    .predictor = &rank_measured,
    .run = run,
};
