/* shared.cu: the curve in shared memory. For bytes there is a copy for each lane, in a bank of its own. A word holds
 * the results of four neighbouring values, 32 words side by side those of all lanes. Curves of u16 take 128 KiB, one
 * copy for the block. */
#include "gpu/lookup/table.cuh"

enum { THREADS_U8 = 512, THREADS_U16 = 1024, LANES = 32, COPIES = BINS_U8 * LANES, BLOCKS_U8 = 4 };

/* Rows of copies; `base` is this lane's byte in the first word. */
struct LaneCurves {
    const uint8_t *base;
    int stride; /* 0: one row for all */
    __device__ __forceinline__ uint8_t operator()(const LookupJob &, int row, uint8_t value) const {
        return base[row * stride + ((value & 0xFC) * LANES | (value & 3))];
    }
};

struct BlockCurves {
    const uint16_t *curve;
    __device__ __forceinline__ uint16_t operator()(const LookupJob &, int, uint16_t value) const {
        return curve[value];
    }
};

template <int C, typename T>
__global__ void __launch_bounds__(THREADS_U8)
    lookup_shared_u8(const __grid_constant__ Plane in, const __grid_constant__ Plane curve,
                     const __grid_constant__ Plane out, const __grid_constant__ LookupJob job, int shift) {
    extern __shared__ uint32_t words[];
    for (int i = threadIdx.x; i < curve.height * COPIES / 4; i += THREADS_U8)
        words[i] = row_of<uint32_t>(curve, i / (COPIES / 4))[i % (COPIES / 4) / LANES];
    __syncthreads();
    const LaneCurves curves = {(const uint8_t *)(words + threadIdx.x % LANES), curve.height > 1 ? (int)COPIES : 0};
    look_up_rows<C, T>(in, out, job, shift, curves);
}

template <int C, typename T>
__global__ void __launch_bounds__(THREADS_U16)
    lookup_shared_u16(const __grid_constant__ Plane in, const __grid_constant__ Plane curve,
                      const __grid_constant__ Plane out, const __grid_constant__ LookupJob job, int shift) {
    extern __shared__ uint4 chunks[];
    for (int i = threadIdx.x; i < BINS_U16 / 8; i += THREADS_U16)
        chunks[i] = row_of<uint4>(curve, 0)[i];
    __syncthreads();
    const BlockCurves curves = {(const uint16_t *)chunks};
    look_up_rows<C, T>(in, out, job, shift, curves);
}

static size_t table_bytes(const Stage *stage) {
    return stage->out.shape.type == PIXEL_U8 ? stage->in[1].shape.height * COPIES : BINS_U16 * sizeof(uint16_t);
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    const Shape shape = stage->out.shape;
    *why_not = "shared memory holds the curves of u8, and one curve of u16 where a block can have 128 KiB";
    return (shape.type == PIXEL_U8 || (shape.type == PIXEL_U16 && stage->in[1].shape.height == 1)) &&
           table_bytes(stage) <= ((const GpuDevice *)device)->limits.sharedMemPerBlockOptin;
}

static Status run(Queue *queue, const Stage *stage) {
    static const void *const kernels[2][4] = {LOOKUP_KERNELS(lookup_shared_u8, uint8_t),
                                              LOOKUP_KERNELS(lookup_shared_u16, uint16_t)};
    const Shape shape = stage->out.shape;
    const bool bytes = shape.type == PIXEL_U8;
    const int threads = bytes ? THREADS_U8 : THREADS_U16;
    Plane in = plane_of(stage->in[0]), curve = plane_of(stage->in[1]), out = plane_of(stage->out);
    LookupJob job = *lookup_job(stage);
    int shift = lookup_shift(stage, threads);
    const unsigned processors = (unsigned)gpu_of(queue->device)->limits.multiProcessorCount;
    const unsigned most = processors * (bytes ? BLOCKS_U8 : 1), blocks = blocks_for(out.height, threads >> shift);
    const Launch launch = {dim3(blocks < most ? blocks : most), dim3((unsigned)threads), table_bytes(stage)};
    void *arguments[] = {&in, &curve, &out, &job, &shift};
    return gpu_launch(queue, "lookup shared", kernels[!bytes][shape.channels - 1], launch, arguments);
}

extern "C" const Level cuda_lookup_shared = {
    .op = &op_lookup,
    .name = "shared",
    .idea = "the curve in shared memory; for bytes a copy for each lane, so that no two lanes meet in a bank",
    .accepts = accepts,
    .run = run,
};
