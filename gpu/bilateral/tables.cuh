/* tables.cuh: weights by distance in constant memory, and the weighted sums of a pixel, for the levels that read
 * weights from there. Each includes its own copy. */
#ifndef GLINT_GPU_BILATERAL_TABLES_CUH
#define GLINT_GPU_BILATERAL_TABLES_CUH

#include "gpu/bilateral/window.cuh"

extern "C" {
#include "gpu/cache.h"
}

enum { QUARTER = BILATERAL_RADIUS_MAX + 1 };

/* Weights by distance, of a quarter of the window, as they are alike in all; how far its rows reach. `scale` scales
 * differences, so that a weight by difference is 2 to the power of minus its square. */
typedef struct Tables {
    float space[QUARTER * QUARTER];
    int reach[QUARTER];
    float scale;
} Tables;

__constant__ static Tables tables;

/* On the stream, so that kernels enqueued before still see the old ones. */
static inline Status set_tables(Queue *queue, const BilateralJob *job) {
    Tables made = {};
    for (int j = 0; j <= job->radius; j++) {
        made.reach[j] = bilateral_reach(job->radius, j);
        for (int i = 0; i <= made.reach[j]; i++)
            made.space[j * QUARTER + i] = (float)exp2(bilateral_space(job, i, j));
    }
    made.scale = (float)sqrt(-bilateral_slope(job));
    TRY(gpu_take_constants(queue));
    CUDA_TRY(cudaMemcpyToSymbolAsync(tables, &made, sizeof made, 0, cudaMemcpyHostToDevice, gpu_queue(queue)->stream));
    return STATUS_OK;
}

/* The job as a kernel gets it. */
typedef struct Window {
    int radius;
    BorderMode border;
    float outside;
} Window;

static inline Window window_of(const BilateralJob *job) {
    const Window window = {job->radius, job->border.mode, job->border.value};
    return window;
}

/* The window around a pixel. fetch(i, j, values) reads one that is so far away. */
template <int C, typename Fetch>
static __device__ __forceinline__ void sum_window(int radius, Fetch fetch, float (&results)[C]) {
    float centre[C], total = 0, sums[C] = {};
    fetch(0, 0, centre);
    for (int j = -radius; j <= radius; j++) {
        const int reach = tables.reach[abs(j)];
        const float *space = tables.space + abs(j) * QUARTER;
        float row_total = 0, row_sums[C] = {}; /* long sums of like values would round the same way */
        for (int i = -reach; i <= reach; i++) {
            float values[C], d = 0;
            fetch(i, j, values);
#pragma unroll
            for (int c = 0; c < C; c++)
                d += fabsf(values[c] - centre[c]);
            d *= tables.scale;
            const float weight = space[abs(i)] * exp2f(-d * d);
            row_total += weight;
#pragma unroll
            for (int c = 0; c < C; c++)
                row_sums[c] += weight * values[c];
        }
        total += row_total;
#pragma unroll
        for (int c = 0; c < C; c++)
            sums[c] += row_sums[c];
    }
#pragma unroll
    for (int c = 0; c < C; c++) {
        const float value = sums[c] / total;
        results[c] = value + (value - value); /* infinity becomes NaN */
    }
}

#endif
