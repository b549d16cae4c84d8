/* whole.cuh: pictures made smaller by 2 or 4, both ways, as wholes. All results have the same weights then but for
 * those whose windows the edges cut. */
#ifndef GLINT_GPU_RESAMPLE_WHOLE_CUH
#define GLINT_GPU_RESAMPLE_WHOLE_CUH

#include "gpu/order.cuh"
#include "gpu/resample/axis.cuh"

extern "C" {
#include "core/device/cache.h"
#include "gpu/resample/measured.h"
}

enum { SCALE_MAX = 4, ACTIVE_MAX = 6, CUT_MAX = ACTIVE_MAX / 2, SMALL = 2 * ACTIVE_MAX };

/* The weights of a window. The edge cuts those of the first and the last results. From the edge on, `cut` has the
 * factors by which their weights are larger. */
template <typename Acc> struct Weights { Acc at[SCALE_MAX * ACTIVE_MAX], cut[CUT_MAX]; };

/* Whether result i of n may have a window that is cut. */
static __device__ __forceinline__ bool is_cut(int i, int n) {
    return min(i, n - 1 - i) < CUT_MAX;
}
template <typename Acc> static __device__ __forceinline__ Acc cut_factor(const Weights<Acc> &weights, int i, int n) {
    return is_cut(i, n) ? weights.cut[max(min(i, n - 1 - i), 0)] : (Acc)1;
}

typedef struct Key {
    ResampleKernel kernel;
    int scale, channels;
} Key;

/* A small picture's first results have the weights of any one's. The result in its middle has those of all that are not
 * cut. */
template <typename Acc> static Status weights_of(const Key *key, Weights<Acc> *weights) {
    const size_t n = (size_t)SMALL * (size_t)key->scale;
    const ResampleAxis axis = resample_axis(n, SMALL);
    ResampleTable table;
    TRY(resample_table_create(key->kernel, &axis, n, &table));
    const int middle = SMALL / 2, taps = table.taps;
    for (int k = 0; k < taps; k++)
        weights->at[k] = (Acc)table.weights[middle * taps + k];
    for (int i = 0; i < CUT_MAX; i++) {
        const int tap = taps / 2, shift = table.first[middle] - middle * key->scale - (table.first[i] - i * key->scale);
        weights->cut[i] = (Acc)(table.weights[i * taps + tap + shift] / table.weights[middle * taps + tap]);
    }
    resample_table_free(&table);
    return STATUS_OK;
}

/* How many results at once have a value in their windows. Kernels have 2 or 3 pixels to each side; others have 0. */
static int active_of(const ResampleJob *job) {
    return job->kernel == RESAMPLE_LANCZOS ? 6 : job->kernel >= RESAMPLE_CUBIC ? 4 : 0;
}

static bool accepts_whole(const Stage *stage, const char **why_not) {
    const ResampleJob *job = resample_job(stage);
    const int scale = gpu_resample_whole(stage);
    *why_not = "it makes pictures smaller by 2 or 4 alone, both ways, as wholes";
    if (scale != 2 && scale != 4)
        return false;
    *why_not = "it has kernels of 2 or 3 pixels to each side";
    if (active_of(job) == 0)
        return false;
    *why_not = "the picture is smaller than two windows";
    return job->x.count >= SMALL && job->y.count >= SMALL;
}

#endif
