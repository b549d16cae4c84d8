/* wide.cu: 16 bytes of pixels in one load and one store; the curve still comes through the caches. */
#include "gpu/lookup/table.cuh"

enum { THREADS = 256, BLOCKS_A_PROCESSOR = 16 };

template <int C, typename T>
__global__ void __launch_bounds__(THREADS)
    lookup_wide(const __grid_constant__ Plane in, const __grid_constant__ Plane curve,
                const __grid_constant__ Plane out, const __grid_constant__ LookupJob job, int shift) {
    const Curves<T> curves = {row_of<T>(curve, 0), curve.height > 1 ? curve.stride / sizeof(T) : 0};
    look_up_rows<C, T>(in, out, job, shift, curves);
}

static Status run(Queue *queue, const Stage *stage) {
    static const void *const kernels[PIXEL_TYPES][4] = {LOOKUP_KERNELS(lookup_wide, uint8_t),
                                                        LOOKUP_KERNELS(lookup_wide, uint16_t),
                                                        LOOKUP_KERNELS(lookup_wide, float)};
    const Shape shape = stage->out.shape;
    Plane in = plane_of(stage->in[0]), curve = plane_of(stage->in[1]), out = plane_of(stage->out);
    LookupJob job = *lookup_job(stage);
    int shift = lookup_shift(stage, THREADS);
    const unsigned most = (unsigned)gpu_of(queue->device)->limits.multiProcessorCount * BLOCKS_A_PROCESSOR;
    const unsigned blocks = blocks_for(out.height, THREADS >> shift);
    const Launch launch = {dim3(blocks < most ? blocks : most), dim3(THREADS), 0};
    void *arguments[] = {&in, &curve, &out, &job, &shift};
    return gpu_launch(queue, "lookup wide", kernels[shape.type][shape.channels - 1], launch, arguments);
}

extern "C" const Level cuda_lookup_wide = {
    .op = &op_lookup,
    .name = "wide",
    .idea = "16 bytes of pixels in one load and one store",
    .run = run,
};
