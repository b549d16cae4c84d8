/* vectors.cu: a formula on four pixels a thread. They come and go in few long accesses, and each step is decoded once
 * for all four. Their values lie in shared memory, a float4 for each register and thread, so that no two lanes ask for
 * the same bank. Constants and steps are the same for all threads, in the launch's arguments. */
#include "gpu/point/pixels.cuh"

extern "C" {
#include "core/ops/formula.h"
}

enum { PIXELS = 4, ACROSS = 32, ROWS = 4, THREADS = ACROSS * ROWS };

typedef struct Four {
    float v[PIXELS];
} Four;

/* A thread's values: register r lies at r * THREADS. */
static __device__ __forceinline__ void put(float4 *registers, int at, const Four &four) {
    registers[at * THREADS] = make_float4(four.v[0], four.v[1], four.v[2], four.v[3]);
}

static __device__ __forceinline__ Four get(const FormulaProgram &program, const float4 *registers, int operand) {
    if (operand >= FORMULA_REGISTERS) {
        const float number = program.constant[operand - FORMULA_REGISTERS];
        return {{number, number, number, number}};
    }
    const float4 value = registers[operand * THREADS];
    return {{value.x, value.y, value.z, value.w}};
}

/* The values of an input of C channels that the formula reads, divided by white. */
template <int C>
static __device__ __forceinline__ void load_input(const FormulaJob &job, const Source &source, int k, int x, int y,
                                                  float4 *registers) {
    float v[PIXELS * C];
    load_pixels<C>(source, x, y, v);
#pragma unroll
    for (int c = 0; c < C; c++) {
        const int at = job.program.values[k][c];
        Four four;
        if (at == FORMULA_NONE)
            continue;
#pragma unroll
        for (int p = 0; p < PIXELS; p++)
            four.v[p] = v[p * C + c] / job.white[k];
        put(registers, at, four);
    }
}

static __device__ __forceinline__ void load_place(const FormulaJob &job, int x, int y, float4 *registers) {
    const float row = (float)y + job.top, column = (float)x;
    if (job.program.y != FORMULA_NONE)
        put(registers, job.program.y, {{row, row, row, row}});
    if (job.program.x != FORMULA_NONE)
        put(registers, job.program.x, {{column, column + 1, column + 2, column + 3}});
}

static __device__ __forceinline__ void take_step(const FormulaProgram &program, const FormulaStep &step,
                                                 float4 *registers) {
    switch (step.operation) {
#define FORMULA(name, operand_count, spelled, body)                                                                    \
    case FORMULA_##name: {                                                                                             \
        Four as = get(program, registers, step.operands[0]), bs = as, cs = as, results;                                \
        if ((operand_count) > 1)                                                                                       \
            bs = get(program, registers, step.operands[1]);                                                            \
        if ((operand_count) > 2)                                                                                       \
            cs = get(program, registers, step.operands[2]);                                                            \
        _Pragma("unroll") for (int p = 0; p < PIXELS; p++) {                                                           \
            const float a = as.v[p], b = bs.v[p], c = cs.v[p];                                                         \
            (void)b, (void)c;                                                                                          \
            results.v[p] = body;                                                                                       \
        }                                                                                                              \
        put(registers, step.to, results);                                                                              \
    } break;
#include "core/math/formula.def"
#undef FORMULA
    }
}

/* C channels of in[0], OUT of the result. */
template <int C, int OUT>
__global__ void __launch_bounds__(THREADS)
    formula_vectors(const __grid_constant__ Sources in, const __grid_constant__ Plane out, PixelType out_type,
                    int further_channels, const __grid_constant__ FormulaJob job) {
    extern __shared__ float4 shared[];
    const int x = (blockIdx.x * ACROSS + threadIdx.x) * PIXELS, y = blockIdx.y * ROWS + threadIdx.y;
    float4 *registers = shared + threadIdx.y * ACROSS + threadIdx.x;
    if (x >= out.width || y >= out.height)
        return;
    load_input<C>(job, in.of[0], 0, x, y, registers);
    for (int k = 1; k < job.inputs; k++) {
        const int channels = further_channels >> 8 * k & 0xFF;
        if (channels == 1)
            load_input<1>(job, in.of[k], k, x, y, registers);
        else if (channels == 2)
            load_input<2>(job, in.of[k], k, x, y, registers);
        else if (channels == 3)
            load_input<3>(job, in.of[k], k, x, y, registers);
        else
            load_input<4>(job, in.of[k], k, x, y, registers);
    }
    load_place(job, x, y, registers);
#pragma unroll 1
    for (int i = 0; i < job.program.steps; i++)
        take_step(job.program, job.program.step[i], registers);
    float results[PIXELS * OUT];
#pragma unroll
    for (int c = 0; c < OUT; c++) {
        const int operand = job.program.results[c];
        if (operand == FORMULA_NONE)
            continue;
        const Four four = get(job.program, registers, operand);
#pragma unroll
        for (int p = 0; p < PIXELS; p++)
            results[p * OUT + c] = four.v[p] * job.white[0];
    }
    if (OUT % 2 == 0 && job.program.results[OUT - 1] == FORMULA_NONE) { /* alpha stays as it is stored */
        float v[PIXELS * C];
        load_pixels<C>(in.of[0], x, y, v);
#pragma unroll
        for (int p = 0; p < PIXELS; p++)
            results[p * OUT + OUT - 1] = v[p * C + C - 1];
    }
    if (out_type == PIXEL_U8) {
#pragma unroll
        for (int i = 0; i < PIXELS * OUT; i++)
            results[i] = (float)Stored<uint8_t>::from(results[i]);
    } else if (out_type == PIXEL_U16) {
#pragma unroll
        for (int i = 0; i < PIXELS * OUT; i++)
            results[i] = (float)Stored<uint16_t>::from(results[i]);
    }
    store_pixels<OUT>(out, out_type, x, y, results);
}

static size_t shared_bytes(const Stage *stage) {
    return (size_t)formula_job(stage)->program.registers * THREADS * sizeof(float4);
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    *why_not = "its values do not fit into this device's shared memory";
    return shared_bytes(stage) <= gpu_of((Device *)device)->limits.sharedMemPerBlockOptin;
}

static Status run(Queue *queue, const Stage *stage) {
    static const void *const kernels[FORMULA_CHANNELS][2] = {
        {(const void *)formula_vectors<1, 1>, NULL},
        {(const void *)formula_vectors<2, 2>, NULL},
        {(const void *)formula_vectors<3, 3>, (const void *)formula_vectors<3, 1>},
        {(const void *)formula_vectors<4, 4>, (const void *)formula_vectors<4, 2>},
    };
    Sources in = sources_of(stage);
    Plane out = plane_of(stage->out);
    PixelType out_type = stage->out.shape.type;
    FormulaJob job = *formula_job(stage);
    const int channels = stage->in[0].shape.channels;
    int further_channels = 0;
    for (int k = 1; k < job.inputs; k++)
        further_channels |= stage->in[k].shape.channels << 8 * k;
    const void *kernel = kernels[channels - 1][stage->out.shape.channels < channels];
    const size_t bytes = shared_bytes(stage);
    CUDA_TRY(cudaSetDevice(gpu_of(queue->device)->index));
    CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    const Launch launch = {dim3(blocks_for(out.width, ACROSS * PIXELS), blocks_for(out.height, ROWS)),
                           dim3(ACROSS, ROWS), bytes};
    void *arguments[] = {&in, &out, &out_type, &further_channels, &job};
    return gpu_launch(queue, "formula vectors", kernel, launch, arguments);
}

extern "C" const Level cuda_formula_vectors = {
    .op = &op_formula,
    .name = "vectors",
    .idea = "four pixels a thread, for which each step is decoded once, and whose values lie in shared memory",
    .accepts = accepts,
    .run = run,
};
