/* axis.cuh: the parts that the kernels of resample share: an axis as they see it, and the choice of an instance. */
#ifndef GLINT_GPU_RESAMPLE_AXIS_CUH
#define GLINT_GPU_RESAMPLE_AXIS_CUH

#include "gpu/kernel.cuh"

extern "C" {
#include "gpu/resample/tables.h"
}

/* Sums of type Acc. */
template <typename Acc> struct Axis {
    const int *__restrict__ base;
    const Acc *__restrict__ weights;
    int span;
};

template <typename Acc> static Axis<Acc> axis_of(const GpuAxis *axis) {
    const Axis<Acc> made = {axis->base_on, (const Acc *)axis->weights_on, axis->span};
    return made;
}

template <typename In> static float bias_of() {
    return sizeof(In) == sizeof(float) ? 0 : (float)TIE_BIAS;
}

/* uint8_t from a double, too. */
template <typename Out, typename Acc> static __device__ __forceinline__ Out stored(Acc value) {
    return Stored<Out>::from(value);
}
template <> __device__ __forceinline__ uint8_t stored<uint8_t, double>(double value) {
    return (uint8_t)__double2int_rn(fmin(fmax(value, 0.0), 255.0));
}

/* Calls Run<In, Acc, C>::run(queue, stage) for the stage's type, its sums and its channels. */
template <template <typename, typename, int> class Run, typename In, typename Acc>
static Status by_channels(Queue *queue, const Stage *stage) {
    static Status (*const runs[])(Queue *, const Stage *) = {Run<In, Acc, 1>::run, Run<In, Acc, 2>::run,
                                                             Run<In, Acc, 3>::run, Run<In, Acc, 4>::run};
    return runs[stage->out.shape.channels - 1](queue, stage);
}

template <template <typename, typename, int> class Run> static Status by_types(Queue *queue, const Stage *stage) {
    const bool wide = gpu_resample_wide(stage);
    switch (stage->in[0].shape.type) {
    case PIXEL_U8:
        return wide ? by_channels<Run, uint8_t, double>(queue, stage) : by_channels<Run, uint8_t, float>(queue, stage);
    case PIXEL_U16:
        return by_channels<Run, uint16_t, double>(queue, stage);
    default:
        return wide ? by_channels<Run, float, double>(queue, stage) : by_channels<Run, float, float>(queue, stage);
    }
}

#endif
