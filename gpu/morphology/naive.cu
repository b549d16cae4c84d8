/* naive.cu: one thread computes one value; it looks at every cell of the element, and asks each time whether that is
 * inside the picture. */
#include "gpu/order.cuh"

extern "C" {
#include "core/ops/morphology.h"
#include "gpu/cache.h"
}

template <typename T>
__global__ void morphology_naive(Plane in, Plane out, const float *__restrict__ element, int width, int height,
                                 int channels, bool maximum, Edges edges) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const int x = i / channels, c = i % channels;
    if (x >= out.width || y >= out.height)
        return;
    int found = maximum ? INT_MIN : INT_MAX;
    for (int b = 0; b < height; b++)
        for (int a = 0; a < width; a++)
            if (element[b * width + a] > 0) {
                const int key = key_at<T>(in, edges, channels, x + a - width / 2, y + b - height / 2, c);
                found = maximum ? max(found, key) : min(found, key);
            }
    row_to<T>(out, y)[i] = of_key<T>(found);
}

static Status run(Queue *queue, const Stage *stage) {
    const MorphologyJob *job = morphology_job(stage);
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    Edges edges = edges_of(job->border, stage->out.shape.type);
    int width = job->element->width, height = job->element->height, channels = stage->out.shape.channels;
    bool maximum = job->maximum;
    const float *element;
    TRY(gpu_mask(queue, job->element, &element));
    const Launch launch = {dim3(blocks_for(out.width * channels, 32), blocks_for(out.height, 8)), dim3(32, 8), 0};
    void *arguments[] = {&in, &out, &element, &width, &height, &channels, &maximum, &edges};
    return gpu_launch(queue, "morphology naive",
                      for_keys(stage, (const void *)morphology_naive<uint8_t>, (const void *)morphology_naive<uint16_t>,
                               (const void *)morphology_naive<float>),
                      launch, arguments);
}

extern "C" const Level cuda_morphology_naive = {
    .op = &op_morphology,
    .name = "naive",
    .idea = "one thread a value; every cell of the element is looked at, each with a test for the border",
    .run = run,
};
