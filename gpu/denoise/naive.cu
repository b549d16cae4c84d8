/* naive.cu: a kernel for each step of core/math/denoise.h, a thread for each pixel. */
#include "gpu/denoise/denoise.cuh"

static __device__ __forceinline__ bool place(int width, int height, int *x, int *y) {
    *x = blockIdx.x * blockDim.x + threadIdx.x;
    *y = blockIdx.y * blockDim.y + threadIdx.y;
    return *x < width && *y < height;
}

__global__ void denoise_naive_read(const __grid_constant__ DenoiseStage stage, DenoiseLight *light,
                                   DenoiseGuide *guides) {
    int x, y;
    if (!place(stage.width, stage.height, &x, &y))
        return;
    const DenoisePixel pixel = denoise_read(stage, x, y);
    const size_t at = (size_t)y * stage.width + x;
    denoise_begin(&pixel, &light[at], &guides[at]);
}

/* The first estimate where step is 0: then it makes the guess, which the first iteration compares by. */
__global__ void denoise_naive_step(const __grid_constant__ DenoiseStage stage,
                                   const __grid_constant__ DenoiseField field, const DenoiseLight *from,
                                   DenoiseLight *guess, DenoiseLight *to, int step) {
    int x, y;
    if (!place(field.width, field.height, &x, &y))
        return;
    const size_t at = (size_t)y * field.width + x;
    DenoiseLight light = from[at];
    if (step == 0)
        guess[at] = light;
    if (field.guides[at].near != DENOISE_ABSENT) {
        if (step == 0)
            light.variance = denoise_estimate(&field, from, x, y, denoise_scattered_at(stage, x, y), &guess[at]);
        else
            light = denoise_smooth(&field, from, step == 1 ? guess : from, x, y, step);
    }
    to[at] = light;
}

__global__ void denoise_naive_write(const __grid_constant__ DenoiseStage stage, const DenoiseLight *light,
                                    const DenoiseGuide *guides) {
    int x, y;
    if (!place(stage.width, stage.height, &x, &y))
        return;
    const size_t at = (size_t)y * stage.width + x;
    denoise_store(stage, x, y, light[at], guides[at].near == DENOISE_ABSENT);
}

static Status run(Queue *queue, const Stage *stage) {
    DenoiseStage seen = denoise_stage(stage);
    DenoiseScratch scratch;
    TRY(denoise_scratch(queue, stage, &scratch));
    DenoiseField field = denoise_field(stage, &scratch);
    DenoiseLight *from = scratch.light[0], *to = scratch.light[1];
    const Launch launch = {dim3(blocks_for(seen.width, DENOISE_WIDE), blocks_for(seen.height, DENOISE_TALL)),
                           dim3(DENOISE_WIDE, DENOISE_TALL), 0};
    void *reading[] = {&seen, &from, &scratch.guides};
    TRY(gpu_launch(queue, "denoise naive, read", (const void *)denoise_naive_read, launch, reading));
    for (int i = 0; i <= denoise_job(stage)->iterations; i++) {
        int step = i == 0 ? 0 : 1 << (i - 1);
        void *stepping[] = {&seen, &field, &from, &scratch.guess, &to, &step};
        TRY(gpu_launch(queue, "denoise naive", (const void *)denoise_naive_step, launch, stepping));
        DenoiseLight *made = to;
        to = from;
        from = made;
    }
    void *writing[] = {&seen, &from, &scratch.guides};
    return gpu_launch(queue, "denoise naive, write", (const void *)denoise_naive_write, launch, writing);
}

extern "C" const Level cuda_denoise_naive = {
    .op = &op_denoise,
    .name = "naive",
    .idea = "one thread a pixel reads its 25 neighbours from global memory, a kernel for each step",
    .workspace = denoise_workspace,
    .run = run,
};
